"""Requests of the provider to the control plane: polling, and waiting after a conflict."""

import random
import time
from dataclasses import dataclass
from typing import Any

import httpx

from sinbin.errors import SinbinError

_PASSING = frozenset(
    {
        "AccountProvisioningStateInvalid",
        "AnotherOperationInProgress",
        "Conflict",
        "ConcurrentUpdateError",
        "PessimisticConcurrencyConflict",
        "RequestConflict",
        "ServiceNotReady",
    }
)
"""Codes of conflicts that pass by themselves; any other conflict needs a person."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _PATIENCE_S = 0.1, 5.0, 120.0


class ArmRefusalError(SinbinError):
    """A request that the control plane refused, with ARM's code and message."""

    def __init__(self, method: str, path: str, response: httpx.Response) -> None:
        try:
            error = response.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = {"code": str(response.status_code), "message": response.text[:500]}
        self.status = response.status_code
        self.code: str = error["code"]
        super().__init__(f"{method} {path}: {self.status} {self.code}: {error['message']}")


@dataclass(frozen=True, slots=True)
class ArmClient:
    """The control plane at `endpoint`, as the user of one subscription."""

    endpoint: str
    subscription: str
    http: httpx.Client

    def get(self, path: str, api_version: str, **query: str) -> dict[str, Any] | None:
        """Return the body at `path`, None when there is nothing."""
        response = self._send("GET", path, {"api-version": api_version, **query})
        if response.status_code == 404:
            return None
        return dict(self._checked("GET", path, response).json())

    def put(self, path: str, api_version: str, body: dict[str, Any]) -> None:
        """Write `body` at `path` and wait until it is done."""
        response = self._insist("PUT", path, {"api-version": api_version}, body)
        self._wait(response)

    def post(self, path: str, api_version: str) -> dict[str, Any]:
        """Return the answer to the action at `path`."""
        return dict(self._insist("POST", path, {"api-version": api_version}).json())

    def delete(self, path: str, api_version: str, **query: str) -> None:
        """Delete what is at `path` and wait until it is gone; nothing there is no error."""
        response = self._insist("DELETE", path, {"api-version": api_version, **query}, headers={"If-Match": "*"})
        self._wait(response)

    def _insist(
        self,
        method: str,
        path: str,
        query: dict[str, str],
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Send, and send again after a conflict that passes, with growing pauses."""
        pause, until = _FIRST_PAUSE_S, time.monotonic() + _PATIENCE_S
        while True:
            response = self._send(method, path, query, body, headers)
            passing = response.status_code == 429 or (
                response.status_code == 409 and ArmRefusalError(method, path, response).code in _PASSING
            )
            if not passing or time.monotonic() > until:
                return self._checked(method, path, response)
            time.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311
            pause = min(pause * 2, _LONGEST_PAUSE_S)

    def _wait(self, response: httpx.Response) -> None:
        poll = response.headers.get("azure-asyncoperation")
        while poll is not None:
            time.sleep(_pause(response))
            response = self._checked("GET", poll, self.http.get(poll))
            status = response.json()["status"]
            if status == "Succeeded":
                return
            if status in {"Failed", "Canceled"}:
                raise SinbinError(f"{poll}: the operation ended as {status}: {response.text[:500]}")

    def _send(
        self,
        method: str,
        path: str,
        query: dict[str, str],
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        url = f"{self.endpoint}/{path.lstrip('/')}"
        return self.http.request(method, url, params=query, json=body, headers=headers)

    @staticmethod
    def _checked(method: str, path: str, response: httpx.Response) -> httpx.Response:
        if response.is_error:
            raise ArmRefusalError(method, path, response)
        return response


def _pause(response: httpx.Response) -> float:
    milliseconds = response.headers.get("x-ms-retry-after-ms")
    if milliseconds is not None:
        return float(milliseconds) / 1000
    return float(response.headers.get("retry-after", 1))
