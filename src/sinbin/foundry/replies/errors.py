"""Error bodies of the inference API, in Azure's shapes and words.

    {"error": {"code", "message"}}                      the service front: routes, keys, deployments, limits
    {"error": {"message", "type", "param", "code"}}     the model's own complaints about a request
    {"statusCode", "message"}                           a token that is not accepted

Sources are named at each function; [issue] is a public report that quotes the body.
"""

import json
from typing import Any


class WireError(Exception):
    """An error that is answered to the caller: a status and a body."""

    def __init__(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.body = body
        self.headers = headers or {}
        super().__init__(f"{status} {json.dumps(body)}")


def front_error(status: int, code: str, message: str) -> WireError:
    """Return an error of the service front."""
    return WireError(status, {"error": {"code": code, "message": message}})


def model_error(
    message: str, *, param: str | None = None, code: str | None = None, status: int = 400
) -> WireError:
    """Return a complaint of the model about a request."""
    body = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}
    return WireError(status, body)


def resource_not_found() -> WireError:
    """Return the answer to an unknown route, and to a dated route without `api-version`.

    Source: https://github.com/MicrosoftDocs/azure-docs/issues/114602, read 2026-11-29.
    """
    return front_error(404, "404", "Resource not found")


def method_not_allowed() -> WireError:
    """Return the answer to a known route with another method. Source: assumed."""
    return front_error(405, "405", "Method Not Allowed")


def deployment_not_found() -> WireError:
    """Return the answer to a deployment that the account does not have.

    Source: https://learn.microsoft.com/answers/questions/1184367, read 2026-11-29.
    """
    return front_error(
        404,
        "DeploymentNotFound",
        "The API deployment for this resource does not exist. If you created the deployment within the last "
        "5 minutes, please wait a moment and try again.",
    )


def operation_not_supported(operation: str, model: str) -> WireError:
    """Return the answer to an operation that the model cannot do, e.g. `chatCompletion`.

    Source: https://github.com/langchain-ai/langmem/issues/13, read 2026-11-29.
    """
    return front_error(
        400,
        "OperationNotSupported",
        f"The {operation} operation does not work with the specified model, {model}. Please choose different "
        "model and try again. You can learn more about which models can be used with each operation here: "
        "https://go.microsoft.com/fwlink/?linkid=2197993.",
    )


def wrong_key() -> WireError:
    """Return the answer to a missing or wrong key.

    Source: https://github.com/openinterpreter/openinterpreter/issues/319, read 2026-11-29.
    """
    return front_error(
        401,
        "401",
        "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key "
        "for an active subscription and use a correct regional API endpoint for your resource.",
    )


def key_disabled() -> WireError:
    """Return the answer to a key when local authentication is off.

    Source: https://github.com/microsoft/sample-app-aoai-chatGPT/issues/1000, read 2026-11-29.
    """
    return front_error(
        403, "AuthenticationTypeDisabled", "Key based authentication is disabled for this resource."
    )


def wrong_token() -> WireError:
    """Return the answer to a token that is malformed, for another audience, or expired.

    Source: https://learn.microsoft.com/answers/questions/1470507, read 2026-11-29.
    """
    return WireError(
        401,
        {
            "statusCode": 401,
            "message": "Unauthorized. Access token is missing, invalid, audience is incorrect "
            "(https://cognitiveservices.azure.com), or have expired.",
        },
    )


def too_many_requests(
    *, operation: str, api_version: str, deployment: str, model: str, region: str, limit: str, retry_after_s: int
) -> WireError:
    """Return the 429 of a pay-as-you-go deployment; `limit` is "token" or "call".

    Source: https://github.com/icereed/paperless-gpt/issues/814 and
    https://github.com/dyad-sh/dyad/issues/1849, read 2026-11-29; code "429": https://github.com/jasonacox/TinyLLM/issues/17.
    """
    return front_error(
        429,
        "429",
        f"Your requests to {deployment} for {model} in {region} have exceeded the {limit} rate limit for your "
        f"current AIServices S0 pricing tier. This request was for {operation} under Azure OpenAI API version "
        f"{api_version}. Please retry after {retry_after_s} seconds. To increase your default rate limit, visit: "
        "https://aka.ms/oai/quotaincrease.",
    )


def units_exhausted(*, operation: str, api_version: str, retry_after_s: int) -> WireError:
    """Return the 429 of a provisioned deployment above 100 %. Source: assumed wording."""
    return front_error(
        429,
        "429",
        f"Requests to the {operation} Operation under Azure OpenAI API version {api_version} have exceeded the "
        f"provisioned throughput of the deployment. Please retry after {retry_after_s} seconds.",
    )


def content_filtered() -> WireError:
    """Return the answer to a prompt that the content filter stops.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter, read 2026-11-29.
    """
    result = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual")}
    result["violence"] = {"filtered": True, "severity": "medium"}
    return WireError(
        400,
        {
            "error": {
                "message": "The response was filtered due to the prompt triggering Azure OpenAI's content "
                "management policy. Please modify your prompt and retry.",
                "type": None,
                "param": "prompt",
                "code": "content_filter",
                "status": 400,
                "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": result},
            }
        },
    )


def server_error(status: int) -> WireError:
    """Return a failure of the service itself. Source: assumed wording."""
    words = {
        408: ("Timeout", "The operation was timeout."),
        500: ("InternalServerError", "The server had an error while processing your request."),
        502: ("BadGateway", "The service received an invalid response from an upstream server."),
        503: ("ServiceUnavailable", "The service is temporarily unable to process your request."),
        504: ("GatewayTimeout", "The service did not answer in time."),
    }
    code, message = words.get(status, (str(status), "The request could not be completed."))
    return front_error(status, code, message)
