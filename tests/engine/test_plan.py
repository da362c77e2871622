import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from policy_templates import rendered
from sinbin.cli.plan import command as plan
from sinbin.cli.render import command as render
from sinbin.engine.plan import plan_stack
from sinbin.engine.project import find_project
from sinbin.engine.recording import record
from sinbin.errors import SettingsError, SinbinError
from stacks import program
from tests.engine.local_stack import known_stacks

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def local():
    return plan_stack(find_project(ROOT), "local")


def test_a_plan_holds_everything_that_a_deployment_creates(local):
    counted = {}
    for item in local.resources:
        if not item.is_component:
            kind = item.type.removeprefix("azure-native:")
            counted[kind] = counted.get(kind, 0) + 1
    assert counted == {
        "resources:ResourceGroup": 1,
        "cognitiveservices:Account": 3,
        "cognitiveservices:Deployment": 6,
        "authorization:RoleAssignment": 4,  # three accounts, Application Insights
        "apimanagement:ApiManagementService": 1,
        "apimanagement:Backend": 9,  # six deployments, the Responses API, two pools
        "apimanagement:Api": 1,
        "apimanagement:ApiOperation": 10,
        "apimanagement:ApiPolicy": 1,
        "apimanagement:ApiDiagnostic": 1,
        "apimanagement:PolicyFragment": 2,
        "apimanagement:NamedValue": 1,
        "apimanagement:Logger": 1,
        "apimanagement:Product": 2,
        "apimanagement:ProductApiLink": 2,
        "apimanagement:ProductPolicy": 2,
        "apimanagement:Subscription": 2,
        "applicationinsights:Component": 1,
        "operationalinsights:Workspace": 1,
        "monitor:ActionGroup": 1,
        "monitor:ScheduledQueryRule": 1,
    }


def test_a_child_follows_its_parent_and_names_it(local):
    seen = {None}
    for item in local.resources:
        assert item.parent in seen
        seen.add(f"{item.type}::{item.name}")


def test_every_name_follows_from_the_topology_and_no_two_are_alike(local):
    names = [(item.type, item.name, item.parent) for item in local.resources]
    assert len(names) == len(set(names))
    assert not [name for _, name, _ in names if name[-1].isdigit() and name[-2] == "-"]


def test_the_policy_texts_of_the_plan_are_those_that_the_resources_carry(local):
    carried = sorted(
        item.inputs["value"]
        for item in local.resources
        if item.type.endswith(("ApiPolicy", "ProductPolicy", "PolicyFragment"))
    )
    assert carried == sorted(policy.text for policy in local.policies)


@pytest.mark.parametrize("stack", ["dev", "local", "prod"])
def test_two_runs_of_a_stack_give_equal_plans(stack):
    project = find_project(ROOT)
    assert plan_stack(project, stack) == plan_stack(project, stack)


def test_production_is_protected_where_it_is_slow_or_costly_to_come_back(project_folder):
    topology = find_project(project_folder).settings("prod").to_topology()
    recorded = record(lambda: program.deploy(topology), project="sinbin", stack="prod")
    protected = {item.type.rpartition(":")[2] for item in recorded if item.protect}
    assert protected == {
        "ResourceGroup",
        "ApiGateway",
        "ApiManagementService",
        "FoundryRegion",
        "Account",
        "Deployment",
        "RoleAssignment",
    }


def test_a_weight_changes_one_pool_and_nothing_else(project_folder, edit):
    project = find_project(project_folder)
    before = {item.name: item for item in plan_stack(project, "local").resources if item.inputs}
    edit("local", "uksouth: 90", "uksouth: 60")
    after = {item.name: item for item in plan_stack(project, "local").resources if item.inputs}
    assert [name for name in before if before[name] != after[name]] == ["pool-chat-default"]
    assert before.keys() == after.keys()


def test_json_is_the_whole_plan_with_secrets_masked(project_folder):
    ran = CliRunner().invoke(plan, ["-s", "local", "--format", "json"])
    document = json.loads(ran.stdout)
    assert (ran.exit_code, document["stack"]) == (0, "local")
    assert document.keys() == {"stack", "resources", "policies", "findings"}
    [logger] = [item for item in document["resources"] if item["type"] == "azure-native:apimanagement:Logger"]
    assert logger["inputs"]["credentials"] == {
        "connectionString": "[secret]",
        "identityClientId": "SystemAssigned",
    }
    assert [item["path"] for item in document["policies"]] == [
        "api-openai.xml",
        "fragment-backend-identity.xml",
        "fragment-requested-model.xml",
        "product-nightly.xml",
        "product-web-chat.xml",
    ]


def test_the_line_of_a_finding_is_a_line_of_the_json(project_folder, edit):
    edit("local", "        routing:\n", "        circuitBreaker: {errorReasons: []}\n        routing:\n")
    printed = CliRunner().invoke(plan, ["-s", "local", "--format", "json"]).stdout
    found = [item for item in json.loads(printed)["findings"] if item["rule"] == "SB322"]
    assert len(found) == 3  # one per breaker of the alias
    for item in found:
        assert item["path"] == "local/plan.json"
        assert printed.splitlines()[item["line"] - 1].strip() == '"failureCondition": {'


def test_a_plan_that_was_not_judged_has_no_findings(project_folder):
    ran = CliRunner().invoke(plan, ["-s", "local", "--no-lint", "--format", "json"])
    assert (ran.exit_code, json.loads(ran.stdout).keys()) == (0, {"stack", "resources", "policies"})


def test_text_shows_where_the_requests_of_an_alias_go(project_folder):
    ran = CliRunner().invoke(plan, ["-s", "local"])
    lines = ran.stdout.splitlines()
    assert lines[0] == "stack local: 53 resources, 5 policies"
    start = lines.index("routing")
    assert [" ".join(line.split()) for line in lines[start + 1 : start + 5]] == [
        "ALIAS TARGET PRIORITY WEIGHT REGION DEPLOYMENT SKU TPM",
        "chat-default pool-chat-default 1 90 uksouth gpt-4-1-mini-standard Standard 60,000",
        "1 5 swedencentral gpt-4-1-mini-standard Standard 60,000",
        "1 5 westeurope gpt-4-1-mini-standard Standard 60,000",
    ]


def test_a_plan_opens_no_connection(project_folder, monkeypatch):
    def refused(*args):
        raise AssertionError("a plan reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    assert CliRunner().invoke(plan, ["-s", "local"]).exit_code == 0


def test_an_unknown_stack_is_named_with_those_that_there_are(project_folder):
    with pytest.raises(SinbinError) as refused:
        plan_stack(find_project(project_folder), "prdo")
    assert str(refused.value) == (
        f'{project_folder}/stacks: there is no stack "prdo" (there is: {known_stacks()}); '
        "name one of them, or write Pulumi.prdo.yaml"
    )


def test_outside_a_project_it_says_so(tmp_path):
    with pytest.raises(SinbinError) as refused:
        find_project(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path}: no Pulumi.yaml here or in a folder above; run the command inside a sinbin project"
    )


def test_every_problem_of_a_stack_file_is_told_with_its_line(project_folder, edit):
    edit("local", "uksouth: 90", "uksouth: 900")
    with pytest.raises(SettingsError) as refused:
        plan_stack(find_project(project_folder), "local")
    assert str(refused.value) == (
        "stacks/Pulumi.local.yaml:22: gateway.models.0.routing.weights.uksouth: must be at most 100 (got 900)"
    )


def test_render_writes_a_file_for_every_policy(project_folder, tmp_path, local):
    ran = CliRunner().invoke(render, ["-s", "local", "--out", str(tmp_path / "a" / "policies")])
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "a" / "policies").iterdir()}
    assert written == {policy.path: policy.text for policy in local.policies}
    assert ran.stdout.splitlines() == [str(tmp_path / "a" / "policies" / name) for name in sorted(written)]


def test_render_refuses_a_file_in_the_way(project_folder, tmp_path):
    (tmp_path / "out").write_text("mine")
    ran = CliRunner().invoke(render, ["-s", "local", "--out", str(tmp_path / "out")])
    assert str(ran.exception) == (
        f"{tmp_path}/out: is a file, and the policies need a folder; choose another --out"
    )
    assert (tmp_path / "out").read_text() == "mine"


def test_render_leaves_nothing_half_written(project_folder, tmp_path):
    out = tmp_path / "out"
    (out / "product-web-chat.xml").mkdir(parents=True)
    ran = CliRunner().invoke(render, ["-s", "local", "--out", str(out)])
    assert str(ran.exception) == (
        f"{out}/product-web-chat.xml: is in the way and no file; move it, or choose another --out"
    )
    assert [path.name for path in out.iterdir()] == ["product-web-chat.xml"]


def test_a_misspelt_variable_in_a_template_stops_the_plan(project_folder, monkeypatch, tmp_path):
    template = tmp_path / "inference_api"
    template.mkdir()
    (template / "template.xml.j2").write_text("<policies>{{ tokens_per_minut }}</policies>")
    original = rendered.render_template
    monkeypatch.setattr(
        rendered,
        "render_template",
        lambda folder, params: original(template if folder.name == "inference_api" else folder, params),
    )
    with pytest.raises(SinbinError) as refused:
        plan_stack(find_project(project_folder), "local")
    assert "tokens_per_minut" in str(refused.value)
    assert str(refused.value).startswith(str(template / "template.xml.j2"))
