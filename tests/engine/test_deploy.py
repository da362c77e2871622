"""One stack through its life, by the real CLI on a local Azure.

Every test leaves deployed what the stack file says, so each one sees what its own change does.
"""

import json
import shutil

import httpx
import pytest

from scripts.read_rate_limits import main as read_rate_limits
from sinbin.engine.plan import plan_stack
from sinbin.engine.project import find_project
from tests.engine.local_stack import Stack, copy_project, done, local_azure, replace_once

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("engine")]

BACKEND = "azure-native:apimanagement:Backend"
POLICY = "azure-native:apimanagement:ApiPolicy"


@pytest.fixture(scope="module")
def azure(tmp_path_factory):
    with local_azure(tmp_path_factory.mktemp("azure")) as running:
        yield running


@pytest.fixture(scope="module")
def stack(tmp_path_factory, azure, cli):
    stack = Stack(copy_project(tmp_path_factory.mktemp("deploy") / "project"), "local", azure, cli)
    stack.init()
    stack.first = stack.up()
    return stack


@pytest.fixture
def change(stack):
    """Change the stack file; a test that does not deploy the change takes it back."""
    return lambda old, new: replace_once(stack.file, old, new)


def test_up_creates_exactly_what_the_plan_says(stack):
    planned = plan_stack(find_project(stack.folder), "local").resources
    assert stack.first == {("created", item.type, item.name) for item in planned if not item.is_component}
    assert stack.resources() == sorted((item.type, item.name) for item in planned)


def test_a_second_up_changes_nothing(stack):
    text = stack.pulumi("up", "--yes", "--skip-preview")
    assert done(text) == set()
    assert "71 unchanged" in text


def test_outputs_tell_where_to_call_and_with_which_key(stack):
    shown = json.loads(stack.pulumi("stack", "output", "--json"))
    assert shown == {
        "gatewayUrl": "https://apim-chat-local.azure-api.net",
        "endpoints": {
            region: f"https://chat-local-{region}.cognitiveservices.azure.com/"
            for region in ("uksouth", "swedencentral", "westeurope")
        },
        "keys": {"nightly": "[secret]", "web-chat": "[secret]"},
    }


def test_the_script_reads_the_limits_that_the_deployments_show(stack, azure, monkeypatch, capsys):
    monkeypatch.chdir(stack.folder)
    for name, value in azure.environment.items():
        monkeypatch.setenv(name, value)
    assert read_rate_limits(["-s", "local", "--prompt-tokens", "900", "--completion-tokens", "300"]) == 0
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "REGION DEPLOYMENT TPM RPM BINDS FIRST SUSTAINED RPM",
        *(
            line
            for region in ("uksouth", "swedencentral", "westeurope")
            for line in (
                f"{region} gpt-4-1-mini-standard 60,000 60 tokens 50",
                f"{region} text-embedding-3-small-standard 120,000 720 tokens 100",
            )
        ),
        "",
        "for requests of 1,200 tokens",
    ]


def test_a_wrong_setting_ends_with_its_message_and_no_traceback(stack, change):
    change("uksouth: 90,", "uksouth: 900,")
    said = stack.pulumi("preview", fails=True)
    change("uksouth: 900,", "uksouth: 90,")
    assert (
        "error: stacks/Pulumi.local.yaml: gateway.models.0.routing.weights.uksouth: must be at most 100 (got 900)"
        in said
    )
    assert "Traceback" not in said


def test_a_replacement_is_named_with_its_reason(stack, change):
    change("workload: chat\n", "workload: chat\n    nameSuffix: x1\n")
    steps = json.loads(stack.pulumi("preview", "--json"))["steps"]
    change("    nameSuffix: x1\n", "")
    [account] = [step for step in steps if step["urn"].endswith("Account::uksouth") and step["op"] == "replace"]
    assert account["replaceReasons"] == ["accountName"]


def test_a_weight_is_an_update_in_place_of_one_pool(stack, change):
    change("uksouth: 90", "uksouth: 60")
    assert stack.up() == {("updated", BACKEND, "pool-chat-default")}


def test_a_new_region_touches_nothing_of_the_others(stack, change):
    change(
        "      - {location: westeurope}\n", "      - {location: westeurope}\n      - {location: francecentral}\n"
    )
    change("westeurope: 5}", "westeurope: 5, francecentral: 5}")
    steps = stack.up()
    assert {step for step in steps if "francecentral" not in step[2]} == {
        ("updated", BACKEND, "pool-chat-default"),
        ("updated", BACKEND, "pool-embed-default"),
    }
    assert {step for step in steps if "francecentral" in step[2]} == {
        ("created", "azure-native:cognitiveservices:Account", "francecentral"),
        ("created", "azure-native:authorization:RoleAssignment", "francecentral-openai-user"),
        ("created", "azure-native:cognitiveservices:Deployment", "francecentral-gpt-4-1-mini-standard"),
        ("created", "azure-native:cognitiveservices:Deployment", "francecentral-text-embedding-3-small-standard"),
        ("created", BACKEND, "gpt-4-1-mini-standard-francecentral"),
        ("created", BACKEND, "text-embedding-3-small-standard-francecentral"),
    }


def test_renaming_an_alias_replaces_no_deployment(stack, change):
    change("- alias: chat-default", "- alias: chat-main")
    change("models: [chat-default, embed-default]", "models: [chat-main, embed-default]")
    change("models: [chat-default]", "models: [chat-main]")
    steps = stack.up()
    assert {step for step in steps if step[1] == BACKEND} == {
        ("created", BACKEND, "pool-chat-main"),
        ("deleted", BACKEND, "pool-chat-default"),
    }
    assert {step for step in steps if step[1] != BACKEND} == {
        ("updated", POLICY, "openai"),
        ("updated", "azure-native:apimanagement:ProductPolicy", "nightly"),
        ("updated", "azure-native:apimanagement:ProductPolicy", "web-chat"),
    }


def test_refresh_shows_what_was_changed_behind_its_back(stack, azure):
    variables = azure.environment
    service = (
        f"{variables['ARM_ENDPOINT']}/subscriptions/{variables['ARM_SUBSCRIPTION_ID']}/resourceGroups/rg-chat-local"
        "/providers/Microsoft.ApiManagement/service/apim-chat-local"
    )
    version = {"api-version": "2024-05-01"}
    with httpx.Client(params=version, trust_env=False, headers={"Authorization": "Bearer test"}) as client:
        pool = client.get(f"{service}/backends/pool-embed-default").raise_for_status().json()
        pool["properties"]["pool"]["services"][0]["weight"] = 7
        client.put(
            f"{service}/backends/pool-embed-default", json={"properties": pool["properties"]}
        ).raise_for_status()
        client.delete(f"{service}/subscriptions/nightly", headers={"If-Match": "*"}).raise_for_status()
    assert done(stack.pulumi("refresh", "--yes", "--skip-preview")) == {
        ("updated", BACKEND, "pool-embed-default"),
        ("deleted", "azure-native:apimanagement:Subscription", "nightly"),
    }
    assert stack.up() == {
        ("updated", BACKEND, "pool-embed-default"),
        ("created", "azure-native:apimanagement:Subscription", "nightly"),
    }


def test_no_secret_is_anywhere_in_clear(stack, azure):
    secrets = azure.secrets()
    assert len(secrets) > 8
    state = "".join(path.read_text("utf-8") for path in (azure.folder / "pulumi").rglob("*.json*"))
    log = (azure.folder / "log").read_text("utf-8")
    files = "".join(path.read_text("utf-8") for path in (stack.folder / "stacks").glob("*.yaml"))
    assert "sinbin-local" in state
    leaked = [
        where
        for where, text in {"state": state, "log": log, "said": stack.said, "files": files}.items()
        if any(secret in text for secret in secrets)
    ]
    assert leaked == []


def test_parallel_deployments_never_collided(stack, azure):
    assert len([key for key in azure.listing() if "/deployments/" in key]) >= 6, stack.name
    assert azure.status()["refused"] == {}


def test_destroy_leaves_nothing(stack, azure):
    stack.pulumi("destroy", "--yes", "--skip-preview")
    assert stack.resources() == []
    assert azure.listing() == {}
    shutil.rmtree(stack.folder)
