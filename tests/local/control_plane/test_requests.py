"""What ARM answers to requests that are wrong before any resource type is asked."""

import json

import pytest

from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION

GROUP = "/resourceGroups/rg"
ROOT = f"/subscriptions/{DEFAULT_SUBSCRIPTION}"
VERSION = {"api-version": "2024-03-01"}


def test_the_api_version_is_required(http):
    answer = http.get(f"{ROOT}/resourceGroups")
    assert (answer.status_code, answer.json()) == (
        400,
        {
            "error": {
                "code": "MissingApiVersionParameter",
                "message": "The api-version query parameter (?api-version=) is required for all requests.",
            }
        },
    )
    assert answer.headers["x-ms-error-code"] == "MissingApiVersionParameter"


def test_an_unknown_api_version_is_refused_with_those_that_are_known(azure):
    azure.versions = {}
    azure.put(GROUP, {"location": "uksouth"})
    assert azure.error("GET", f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/a") == (
        400,
        "NoRegisteredProviderFound",
        (
            "No registered resource provider found for API version '2024-03-01' for type "
            "'Microsoft.CognitiveServices/accounts'. The supported api-versions are '2024-10-01, 2025-06-01, 2025-09-01'."
        ),
    )


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        (
            "GET",
            f"{GROUP}/providers/Microsoft.Compute/virtualMachines/vm",
            (
                404,
                "InvalidResourceNamespace",
                (
                    "The resource namespace 'Microsoft.Compute' is invalid; this control plane has "
                    "Microsoft.ApiManagement, Microsoft.Authorization, Microsoft.CognitiveServices, Microsoft.Insights, "
                    "Microsoft.OperationalInsights, Microsoft.Resources."
                ),
            ),
        ),
        (
            "PUT",
            f"{GROUP}/providers/Microsoft.ApiManagement/gateways/g",
            (
                404,
                "InvalidResourceType",
                (
                    "The resource type 'gateways' could not be found in the namespace 'Microsoft.ApiManagement' for api "
                    "version '2024-05-01'."
                ),
            ),
        ),
        (
            "POST",
            f"{GROUP}/providers/Microsoft.ApiManagement/service/apim/backup",
            (
                404,
                "InvalidResourceType",
                "'backup' is neither a type in 'Microsoft.ApiManagement/service' nor an action on it that is modelled.",
            ),
        ),
        (
            "DELETE",
            f"{GROUP}/providers/Microsoft.ApiManagement/service",
            (
                405,
                "MethodNotAllowed",
                (
                    "The operation DELETE on 'Microsoft.ApiManagement/service' is not supported by "
                    "Microsoft.ApiManagement/service."
                ),
            ),
        ),
        ("GET", "/nothing/here", (404, "InvalidResourceType", None)),
        ("GET", GROUP, (404, "ResourceGroupNotFound", "Resource group 'rg' could not be found.")),
        (
            "PUT",
            f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/acc",
            (404, "ResourceGroupNotFound", "Resource group 'rg' could not be found."),
        ),
    ],
)
def test_what_is_not_modelled_or_not_there_is_refused_by_name(azure, method, path, expected):
    status, code, message = azure.error(method, path, {})
    assert (status, code) == expected[:2]
    assert expected[2] is None or message == expected[2]


def test_a_query_parameter_that_is_not_modelled_is_refused(azure):
    assert azure.error("GET", "/resourceGroups", **{"$filter": "tagName eq 'x'"}) == (
        400,
        "InvalidQueryParameter",
        "The query parameter '$filter' is not modelled for 'Microsoft.Resources/resourceGroups', so it is refused.",
    )


def test_a_resource_stays_where_it_is(azure):
    azure.put(GROUP, {"location": "uksouth"})
    assert azure.error("PUT", GROUP, {"location": "westeurope"}) == (
        409,
        "InvalidResourceGroupLocation",
        "Invalid resource group location 'westeurope'. The Resource group already exists in location 'uksouth'.",
    )


def test_paths_and_names_compare_without_case_and_keep_their_spelling(azure):
    azure.put("/resourceGroups/Rg", {"location": "uksouth"})
    assert azure.send("GET", "/RESOURCEGROUPS/rG").body["id"] == f"{ROOT}/resourceGroups/Rg"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b'{"location": NaN}', "NaN is no JSON number"),
        (b'{"location": 1e999}', "1e999 is no JSON number"),
    ],
)
def test_malformed_json_is_the_callers_fault(http, raw, reason):
    answer = http.put(f"{ROOT}{GROUP}", params=VERSION, content=raw)
    assert (answer.status_code, answer.json()) == (
        400,
        {
            "error": {
                "code": "InvalidRequestContent",
                "message": f"The request content was invalid and could not be deserialized: '{reason}'.",
            }
        },
    )


@pytest.mark.parametrize(
    "raw", [b'"\xff"', b'{"a": "\\ud800"}', b"[" * 100_000, json.dumps([[[]]] * 3).encode(), b"1" * 5000, b"null"]
)
def test_no_body_makes_the_server_fail(http, raw):
    assert http.put(f"{ROOT}{GROUP}", params=VERSION, content=raw).status_code == 400


def test_a_body_that_is_too_large_is_refused(http):
    answer = http.put(f"{ROOT}{GROUP}", params=VERSION, content=b" " * (4 * 1024 * 1024 + 1))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "RequestContentTooLarge")


def test_only_local_names_reach_the_server(http):
    assert http.get(f"{ROOT}/resourceGroups", params=VERSION, headers={"Host": "evil.example"}).status_code == 400
    assert http.get(f"{ROOT}/resourceGroups", params=VERSION).json() == {"value": []}


def test_the_status_counts_resources_and_refused_writes(http):
    http.put(f"{ROOT}{GROUP}", params=VERSION, json={"location": "uksouth"})
    http.put(f"{ROOT}{GROUP}", params=VERSION, json={"location": "westeurope"})
    http.get(f"{ROOT}/resourceGroups/nope", params=VERSION)
    assert http.get("/sinbin/status").json() == {
        "resources": {"Microsoft.Resources/resourceGroups": 1},
        "refused": {"InvalidResourceGroupLocation": 1},
    }
