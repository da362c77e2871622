"""Stack files: every problem at once, with file, line and path, and what would be allowed."""

from pathlib import Path

import pytest

from sinbin.errors import SettingsError
from sinbin.settings import load_settings

GOOD = """\
config:
  azure-native:location: uksouth
  sinbin:gateway:
    workload: chat
    apiManagement:
      tier: Developer
      location: uksouth
      publisher: {name: Contoso, email: api@contoso.com}
    regions:
      - {location: uksouth}
      - {location: swedencentral}
    models:
      - alias: chat-default
        model: {name: gpt-4.1-mini, version: "2025-04-14"}
        deployments:
          - {sku: Standard, tokensPerMinute: 60000}
    consumers:
      - {name: web-chat, models: [chat-default]}
"""


def problems(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "Pulumi.dev.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    return [line.removeprefix(f"{path}:").removeprefix(" ") for line in caught.value.problems]


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_environment_and_location_come_from_the_file_name_and_the_provider_setting(tmp_path):
    path = tmp_path / "Pulumi.dev.yaml"
    path.write_text(GOOD, "utf-8")
    settings = load_settings(path)
    assert (settings.environment, settings.location) == ("dev", "uksouth")


@pytest.mark.parametrize("environment", ["local", "dev", "prod"])
def test_every_stack_file_of_the_project_is_a_gateway(environment):
    path = Path(__file__).parents[2] / "stacks" / f"Pulumi.{environment}.yaml"
    assert load_settings(path).to_topology().environment == environment


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "    workload: chat\n",
            "    workload: chat\n    taggs: {}\n",
            [
                (
                    '5: gateway.taggs: is no key that is known here; did you mean "tags"? known: workload, environment, '
                    "location, nameSuffix, tags, protect, apiManagement, regions, models, consumers, identity, monitoring"
                )
            ],
        ),
        (
            "tokensPerMinute: 60000",
            'tokensPerMinute: "60000"',
            ["16: gateway.models.0.deployments.0.tokensPerMinute: must be a whole number (got '60000')"],
        ),
        (
            "tokensPerMinute: 60000",
            "tokensPerMinute: 1500",
            [
                (
                    "16: gateway.models.0.deployments.0.tokensPerMinute: must be a multiple of 1000, "
                    "the step in which Azure gives quota (got 1500)"
                )
            ],
        ),
        (
            "Standard, tokensPerMinute: 60000",
            "ProvisionedManaged, tokensPerMinute: 60000",
            [
                "16: gateway.models.0.deployments.0: sku ProvisionedManaged takes capacityUnits, and no tokensPerMinute"
            ],
        ),
        (
            'version: "2025-04-14"',
            "version: 2025-04-14",
            ['14: gateway.models.0.model.version: must be text; put it in quotes: "2025-04-14"'],
        ),
        (
            "          - {sku: Standard, tokensPerMinute: 60000}",
            "          []",
            ["15: gateway.models.0.deployments: is empty; list at least one deployment of the model"],
        ),
        (
            "name: Contoso",
            'name: " "',
            [
                '8: gateway.apiManagement.publisher.name: " " must be 1 to 100 characters, not all of them spaces',
            ],
        ),
        (
            'version: "2025-04-14"',
            'version: ""',
            ['14: gateway.models.0.model.version: "" is no version of a model'],
        ),
        (
            "    consumers:\n",
            '        circuitBreaker: {interval: "60"}\n    consumers:\n',
            [
                '17: gateway.models.0.circuitBreaker.interval: "60" is no ISO 8601 duration; write PT60S for 60 seconds'
            ],
        ),
        (
            "    consumers:\n",
            "        circuitBreaker: {rules: []}\n    consumers:\n",
            [
                (
                    "17: gateway.models.0.circuitBreaker: Azure refuses an empty list of breaker rules, and takes one rule "
                    "only; give its keys here, or write circuitBreaker: null to leave the breaker out"
                )
            ],
        ),
        (
            "    consumers:\n",
            "        circuitBreaker: {statusCodes: []}\n    consumers:\n",
            [
                (
                    "17: gateway.models.0.circuitBreaker.statusCodes: is empty, so nothing would ever trip; "
                    "to switch the breaker off write circuitBreaker: null"
                )
            ],
        ),
        (
            "    consumers:\n",
            '        circuitBreaker: {statusCodes: ["503-500"]}\n    consumers:\n',
            [
                (
                    '17: gateway.models.0.circuitBreaker.statusCodes.0: "503-500" is no status code or range from 200 to '
                    '599; write for example "429" or "500-599"'
                )
            ],
        ),
        (
            "    consumers:\n",
            "        routing: {strategy: weighted, weights: {uksouth: 900, westeurope: 5}}\n    consumers:\n",
            [
                "17: gateway.models.0.routing.weights.uksouth: must be at most 100 (got 900)",
                (
                    '17: gateway.models.0.routing.weights.westeurope: "westeurope" is no region of this list; '
                    "known: swedencentral, uksouth"
                ),
                "17: gateway.models.0.routing.weights: swedencentral has none; every region of the model needs a weight",
            ],
        ),
        (
            "    consumers:\n",
            "        routing: {strategy: single}\n    consumers:\n",
            ['17: gateway.models.0.routing: strategy "single" needs region'],
        ),
        (
            "    consumers:\n",
            (
                '      - {alias: Chat.Default, model: {name: gpt-4.1, version: "2025-04-14"},'
                " deployments: [{sku: Standard, tokensPerMinute: 1000}]}\n    consumers:\n"
            ),
            [
                '17: gateway.models.1.alias: "Chat.Default" is taken by models.0; give every model a name of its own'
            ],
        ),
        (
            "    consumers:\n",
            (
                '      - {alias: other, model: {name: gpt-4.1-mini, version: "2025-04-14"},'
                " deployments: [{sku: Standard, tokensPerMinute: 1000}]}\n    consumers:\n"
            ),
            [
                (
                    '17: gateway.models.1.deployments.0: would be called "gpt-4-1-mini-standard" in uksouth, '
                    "like models.0.deployments.0; give one of them a name"
                )
            ],
        ),
        (
            "    consumers:\n",
            (
                "        retry: {deltaSeconds: 1}\n"
                '      - {alias: other, model: {name: gpt-4.1, version: "2025-04-14"},'
                " deployments: [{sku: Standard, tokensPerMinute: 1000}]}\n    consumers:\n"
            ),
            [
                (
                    "17: gateway.models.0.retry.deltaSeconds: needs the same retry on every model; "
                    "give all the same, or a fixed interval here"
                )
            ],
        ),
        (
            "models: [chat-default]",
            "models: [chat]",
            ['18: gateway.consumers.0.models.0: "chat" is no alias of this stack; known: chat-default'],
        ),
        (
            "tier: Developer",
            'tier: Developer\n      capacity: 2\n      zones: ["1"]',
            [
                "7: gateway.apiManagement.capacity: 2 is more than tier Developer takes; at most 1",
                (
                    "8: gateway.apiManagement.zones: tier Developer has no availability zones; "
                    "they need Premium or PremiumV2"
                ),
            ],
        ),
        (
            "tier: Developer",
            "tier: Consumption",
            [
                "13: gateway.models.0.circuitBreaker: tier Consumption has no circuit breakers; write circuitBreaker: null"
            ],
        ),
        (
            "    workload: chat\n",
            "    workload: chat\n    workload: chat\n",
            ["5: config.sinbin:gateway.workload: is given twice"],
        ),
        (GOOD, "config: {}\n", ["has no mapping under config → sinbin:gateway, which describes the gateway"]),
        (GOOD, "config: [\n", ["2: is no YAML: did not find expected node content"]),
    ],
)
def test_a_problem_says_where_what_and_what_to_do(tmp_path, old, new, expected):
    assert problems(tmp_path, changed(old, new)) == expected


def test_an_unknown_region_lists_the_known_ones(tmp_path):
    [problem] = problems(tmp_path, changed("{location: swedencentral}", "{location: mars}"))
    assert problem.startswith(
        '11: gateway.regions.1.location: "mars" is no region that offers Foundry models; known: '
    )
    assert "swedencentral, " in problem


def test_a_misspelt_region_names_the_one_that_is_meant(tmp_path):
    assert problems(tmp_path, changed("{location: swedencentral}", "{location: swedencentrl}")) == [
        (
            '11: gateway.regions.1.location: "swedencentrl" is no region that offers Foundry models; '
            "did you mean swedencentral?"
        )
    ]


def test_a_deployment_cannot_take_the_name_of_the_responses_backend(tmp_path):
    text = changed("{sku: Standard,", "{name: responses, sku: Standard,")
    assert problems(tmp_path, text) == [
        (
            '12: gateway.models: would give two backends the name "responses-uksouth"; '
            "give a deployment or an alias another name"
        )
    ]


@pytest.mark.parametrize("value", ["2025-02-30", "!secret x"])
def test_a_value_that_yaml_cannot_make_is_named_with_its_line(tmp_path, value):
    assert problems(tmp_path, changed('"2025-04-14"', value)) == [
        "14: config.sinbin:gateway.models.0.model.version: is no plain value of YAML"
    ]


def test_a_file_that_holds_itself_is_refused(tmp_path):
    text = changed("    workload: chat\n", "    workload: chat\n    tags: &a {x: *a}\n")
    assert problems(tmp_path, text) == ["is nested too deeply to be a stack file"]


def test_a_tenant_cannot_smuggle_an_expression_into_a_policy(tmp_path):
    entra = '    identity: {callers: entra, entra: {tenant: "@(1)", audiences: ["{{key}}"]}}\n'
    assert problems(tmp_path, changed("    consumers:\n", f"{entra}    consumers:\n")) == [
        '17: gateway.identity.entra.audiences.0: "{{key}}" must be an application id or its URI',
        '17: gateway.identity.entra.tenant: "@(1)" must be the id or a domain of a tenant',
    ]


def test_a_bare_number_of_seconds_is_told_how_to_be_a_duration(tmp_path):
    text = changed("    consumers:\n", "        circuitBreaker: {interval: 60}\n    consumers:\n")
    assert problems(tmp_path, text) == [
        "17: gateway.models.0.circuitBreaker.interval: must be an ISO 8601 duration; write PT60S for 60 seconds"
    ]


def test_a_file_that_is_only_depth_is_refused(tmp_path):
    assert problems(tmp_path, "a: " + "[" * 600 + "]" * 600) == ["is nested too deeply to be a stack file"]


def test_every_problem_is_reported_at_once_whatever_its_kind(tmp_path):
    text = GOOD.replace("tier: Developer", "tier: Develper").replace("[chat-default]", "[chat]")
    assert [line.partition(": ")[2].partition(":")[0] for line in problems(tmp_path, text)] == [
        "gateway.apiManagement.tier",
        "gateway.consumers.0.models.0",
    ]


def test_a_missing_file_and_an_odd_file_are_refused(tmp_path):
    with pytest.raises(SettingsError, match=r"Pulumi\.none\.yaml: there is no such file"):
        load_settings(tmp_path / "Pulumi.none.yaml")
    odd = tmp_path / "Pulumi.odd.yaml"
    odd.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"Pulumi\.odd\.yaml: byte 0 is no UTF-8; save the file as UTF-8 text"):
        load_settings(odd)
