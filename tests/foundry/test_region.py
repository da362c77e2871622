"""A region: routes, keys, deployments, quota, spillover, headers, time."""

import random

import pytest

from sinbin.foundry.account import display_name
from sinbin.foundry.auth import make_token
from sinbin.foundry.exchange import Request
from sinbin.foundry.models import UnknownModelError
from sinbin.foundry.region import Region
from tests.foundry.calls import KEY, account, call, chat, deployment, events, get, post

CHAT = {"messages": [{"role": "user", "content": "hi"}]}
NOT_FOUND = {"error": {"code": "404", "message": "Resource not found"}}


def error(answer_and_body):
    answer, body = answer_and_body
    return answer.status, body["error"]["code"], body["error"]["message"]


def test_a_dated_chat_call_is_answered_by_the_deployment_in_the_path(region):
    answer, body = call(region, chat())
    assert answer.status == 200
    assert body["choices"][0]["message"]["content"].startswith("Hello from UK South:")
    assert body["model"] == "gpt-4.1-mini-2025-04-14"
    assert {
        name: value for name, value in answer.headers.items() if "id" not in name and "session" not in name
    } == {
        "x-ms-region": "UK South",
        "x-content-type-options": "nosniff",
        "strict-transport-security": "max-age=31536000; includeSubDomains; preload",
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-remaining-tokens": "59975",
        "x-ms-deployment-name": "chat",
        "x-ms-rai-invoked": "true",
        "x-accel-buffering": "no",
        "content-type": "application/json",
        "content-length": str(len(answer.body)),
    }


def test_a_v1_call_names_its_deployment_in_the_body_and_needs_no_version(region):
    request = post("/openai/v1/chat/completions", CHAT | {"model": "chat"}, query={})
    assert call(region, request)[0].status == 200


def test_a_v1_call_may_show_its_key_as_bearer(region):
    request = post("/openai/v1/chat/completions", CHAT | {"model": "chat"}, query={})
    bearer = Request("POST", request.path, {}, {"authorization": f"Bearer {KEY}"}, request.body)
    assert call(region, bearer)[0].status == 200


def test_a_foundry_inference_call_names_its_deployment_in_the_body(region):
    assert call(region, post("/models/chat/completions", CHAT | {"model": "chat"}))[0].status == 200


def test_extra_parameters_of_foundry_inference_are_refused_or_dropped_as_the_caller_says(region):
    body = CHAT | {"model": "chat", "top_k": 3}
    assert error(call(region, post("/models/chat/completions", body)))[2] == (
        "Unrecognized request argument supplied: top_k"
    )
    dropped = post("/models/chat/completions", body, headers={"extra-parameters": "drop"})
    assert call(region, dropped)[0].status == 200


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/openai/deployments/chat/chat/completions", {}),
        ("/openai/deployments/chat/chat/completions", {"api-version": "soon"}),
        ("/openai/deployments/chat/chatter", {"api-version": "2024-10-21"}),
        ("/openai/v1/chatter", {}),
        ("/models/completions", {"api-version": "2024-05-01-preview"}),
        ("/", {}),
    ],
)
def test_an_unknown_path_and_a_dated_one_without_version_are_not_found(region, path, query):
    answer, body = call(region, post(path, CHAT, query=query))
    assert (answer.status, body) == (404, NOT_FOUND)


def test_another_method_is_not_allowed(region):
    request = get("/openai/deployments/chat/chat/completions")
    assert error(call(region, request)) == (405, "405", "Method Not Allowed")


def test_an_unknown_deployment_is_not_found(region):
    status, code, message = error(call(region, chat("nobody")))
    assert (status, code) == (404, "DeploymentNotFound")
    assert message == (
        "The API deployment for this resource does not exist. If you created the deployment within the last 5 "
        "minutes, please wait a moment and try again."
    )


def test_an_operation_that_the_model_cannot_do_is_refused(region):
    status, code, message = error(call(region, chat("embed")))
    assert (status, code) == (400, "OperationNotSupported")
    assert message == (
        "The chatCompletion operation does not work with the specified model, text-embedding-3-small. Please choose "
        "different model and try again. You can learn more about which models can be used with each operation here: "
        "https://go.microsoft.com/fwlink/?linkid=2197993."
    )


def test_an_operation_that_is_not_modelled_says_so(region):
    request = post("/openai/deployments/chat/images/generations", {"prompt": "x"})
    assert call(region, request)[1]["error"]["message"] == (
        "Unsupported operation: 'images/generations' is not modelled by this local region."
    )


def test_a_key_is_refused_when_local_authentication_is_off(make_region):
    assert error(call(make_region(local_auth=False), chat())) == (
        403,
        "AuthenticationTypeDisabled",
        "Key based authentication is disabled for this resource.",
    )


@pytest.mark.parametrize("headers", [{"api-key": "wrong"}, {"authorization": "Bearer wrong"}, {}])
def test_a_wrong_or_missing_key_is_refused(region, headers):
    request = Request("POST", "/openai/v1/chat/completions", {}, headers, b"{}")
    status, code, message = error(call(region, request))
    assert (status, code) == (401, "401")
    assert message.startswith("Access denied due to invalid subscription key or wrong API endpoint.")


def test_a_token_for_the_service_is_accepted_and_one_for_another_is_not(make_region):
    region = make_region(local_auth=False)
    for audience, status in [("https://cognitiveservices.azure.com", 200), ("https://management.azure.com", 401)]:
        request = Request(
            "POST",
            "/openai/v1/chat/completions",
            {},
            {"authorization": f"Bearer {make_token(audience)}"},
            post("/", CHAT | {"model": "chat"}).body,
        )
        answer, body = call(region, request)
        assert answer.status == status
    assert body == {
        "statusCode": 401,
        "message": "Unauthorized. Access token is missing, invalid, audience is incorrect "
        "(https://cognitiveservices.azure.com), or have expired.",
    }


def test_a_deployment_that_has_run_dry_refuses_in_the_words_of_azure(make_region):
    region = make_region(deployment("chat", "gpt-4.1-mini", capacity=2))
    assert [call(region, chat())[0].status for _ in range(2)] == [200, 200]
    answer, body = call(region, chat())
    assert (answer.status, answer.deployment, answer.operation) == (429, "chat", "chat")
    assert body == {
        "error": {
            "code": "429",
            "message": "Your requests to chat for gpt-4.1-mini in UK South have exceeded the call rate limit for your "
            "current AIServices S0 pricing tier. This request was for ChatCompletions_Create under Azure OpenAI API "
            "version 2024-10-21. Please retry after 60 seconds. To increase your default rate limit, visit: "
            "https://aka.ms/oai/quotaincrease.",
        }
    }
    assert (answer.headers["retry-after"], answer.headers["retry-after-ms"]) == ("60", "60000")
    assert answer.delay_s == pytest.approx(0.15)


def test_a_full_provisioned_deployment_spills_over(region):
    big = {"messages": [{"role": "user", "content": "x" * 4 * 26 * 14_900}]}
    assert (
        call(region, post("/openai/deployments/units/chat/completions", big))[0]
        .headers["azure-openai-deployment-utilization"]
        .startswith("104")
    )
    answer, _ = call(region, chat("units"))
    assert answer.status == 200
    assert {
        name: answer.headers[name] for name in answer.headers if name.startswith(("x-ms-spill", "x-ms-depl"))
    } == {
        "x-ms-deployment-name": "chat",
        "x-ms-spillover-from-deployment": "units",
        "x-ms-spillover-error": "429",
    }


def test_a_caller_may_name_the_deployment_that_takes_the_spillover(make_region):
    region = make_region(
        deployment("chat", "gpt-4.1-mini"),
        deployment("units", "gpt-4.1-mini", sku="ProvisionedManaged", capacity=1),
    )
    big = {"messages": [{"role": "user", "content": "x" * 4 * 15_000}]}
    path = "/openai/deployments/units/chat/completions"
    assert call(region, post(path, big))[0].status == 200
    assert call(region, post(path, CHAT))[0].status == 429
    assert call(region, post(path, CHAT, headers={"x-ms-spillover-deployment": "chat"}))[0].status == 200


def test_a_plain_reply_takes_as_long_as_its_tokens(region):
    answer, _ = call(region, chat())
    assert (answer.delay_s, answer.total_s) == (pytest.approx(0.35), pytest.approx(0.35))


def test_a_stream_brings_its_first_token_early_and_ends_when_a_plain_reply_would(region):
    answer = region.receive(0, chat(stream=True))
    assert answer.streamed
    assert answer.delay_s == pytest.approx(0.3)
    assert answer.total_s == pytest.approx(0.35)
    assert events(answer)[-1] == "[DONE]"


def test_a_stream_that_breaks_is_settled_at_what_was_sent(region):
    answer = region.receive(0, chat(stream=True, max_tokens=1000))
    assert region.gauges(0)["chat"][1].used == 1009
    sent = next(index for index, chunk in enumerate(answer.chunks) if chunk.tokens) + 2
    region.finish(0, answer, sent_chunks=sent)
    assert region.gauges(0)["chat"][1].used == 9 + 2
    region.finish(0, answer)
    assert region.gauges(0)["chat"][1].used == 9 + 2


def test_equal_seeds_give_equal_answers(make_region):
    one, other = make_region(seed=7), make_region(seed=7)
    for at in range(20):
        first, second = one.receive(at, chat(stream=at % 2 == 0)), other.receive(at, chat(stream=at % 2 == 0))
        first.settlement = second.settlement = None
        assert first == second


def test_counters_survive_a_change_of_capacity_but_not_of_model(make_region):
    region = make_region(deployment("chat", "gpt-4.1-mini", capacity=2))
    call(region, chat())
    region.configure(0, account(deployment("chat", "gpt-4.1-mini", capacity=3)))
    assert (region.gauges(0)["chat"][0].used, region.gauges(0)["chat"][0].limit) == (1, 3)
    region.configure(0, account(deployment("chat", "gpt-4o", "2024-11-20", capacity=3)))
    assert (region.gauges(0)["chat"][0].used, region.gauges(0)["chat"][0].limit) == (0, 18)
    region.configure(0, account())
    assert call(region, chat())[0].status == 404


def test_models_and_deployments_are_listed(region):
    _, body = call(region, get("/openai/v1/models", {}))
    assert [model["id"] for model in body["data"]] == ["gpt-4.1-mini", "text-embedding-3-small"]
    assert call(region, get("/openai/v1/models/chat", {}))[1]["id"] == "chat"
    assert call(region, get("/openai/models/gpt-5"))[0].status == 404
    _, body = call(region, get("/openai/deployments"))
    assert [(entry["id"], entry["model"]) for entry in body["data"]] == [
        ("chat", "gpt-4.1-mini"),
        ("embed", "text-embedding-3-small"),
        ("units", "gpt-4.1-mini"),
    ]
    assert call(region, get("/models/info", {"api-version": "2024-05-01-preview", "model": "embed"}))[1] == {
        "model_name": "text-embedding-3-small",
        "model_type": "embeddings",
        "model_provider_name": "OpenAI",
    }


def test_a_model_without_facts_cannot_be_deployed():
    with pytest.raises(UnknownModelError):
        Region(account(deployment("chat", "gpt-2")), random.Random(1))


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("uksouth", "UK South"),
        ("eastus2", "East US 2"),
        ("southeastasia", "Southeast Asia"),
        ("germanywestcentral", "Germany West Central"),
        ("northcentralus", "North Central US"),
        ("swedencentral", "Sweden Central"),
    ],
)
def test_a_location_is_written_as_people_write_it(location, name):
    assert display_name(location) == name
