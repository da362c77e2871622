"""The replies that the gateway makes up itself."""

from http import HTTPStatus

from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.messages import Headers, HttpResponse, json_response

_INTERNAL = "Internal server error"


def reason_phrase(status: int) -> str:
    """Return the usual phrase of `status`, empty for an unknown one."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def error_response(failure: PolicyFailure, request_id: str) -> HttpResponse:
    """Return the reply for a failure that no on-error policy changes.

    A 500 hides its cause and carries the id of the request, everything else says what was wrong.
    Source: https://learn.microsoft.com/azure/api-management/api-management-error-handling-policies, read
    2026-11-29; the exact words of a 500 are assumed.
    """
    body: dict[str, object] = {"statusCode": failure.status, "message": failure.shown}
    if failure.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        body = {"statusCode": failure.status, "message": _INTERNAL, "activityId": request_id}
    response = json_response(failure.status, body)
    for name, value in failure.headers:
        response.headers.set(name, value)
    return response


def empty_response() -> HttpResponse:
    """Return the 200 without a body that a pipeline answers in which nothing was sent."""
    return HttpResponse(200, Headers(), b"")
