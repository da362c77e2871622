"""A control plane in process, with a clock that the test moves, and one behind a real server."""

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from azure.core.pipeline.policies import SansIOHTTPPolicy

from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, ControlPlane
from sinbin.local.control_plane.resource import ArmRequest
from sinbin.local.control_plane.server import create_app
from sinbin.local.control_plane.store import Store
from sinbin.local.services import HttpService

START = 1_800_000_000.0


@dataclass
class Clock:
    """Time stands still until the test moves it."""

    now: float = START

    def __call__(self) -> float:
        return self.now


@dataclass
class Azure:
    """Requests to a control plane, with the words that every one of them has filled in."""

    plane: ControlPlane
    clock: Clock
    versions: dict[str, str] = field(
        default_factory=lambda: {
            "Microsoft.CognitiveServices": "2025-06-01",
            "Microsoft.ApiManagement": "2024-05-01",
            "Microsoft.Authorization": "2022-04-01",
            "Microsoft.OperationalInsights": "2023-09-01",
            "components": "2020-02-02",
            "actionGroups": "2024-10-01-preview",
            "scheduledQueryRules": "2025-01-01-preview",
        }
    )

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, **query: str
    ) -> ArmResponse:
        version = next((v for part, v in self.versions.items() if part in path), "2024-03-01")
        return self.plane.handle(
            ArmRequest(
                method=method,
                path=f"/subscriptions/{DEFAULT_SUBSCRIPTION}{path}",
                query={"api-version": version, **query},
                headers={key.lower(): value for key, value in (headers or {}).items()},
                body=body,
            )
        )

    def put(self, path: str, body: Any, **headers: str) -> Any:
        """Write and wait until it is done; refuse to go on after a refusal."""
        answer = self.send("PUT", path, body, headers)
        assert answer.status in {200, 201}, answer.body
        self.clock.now += 60
        return self.send("GET", path).body

    def error(self, method: str, path: str, body: Any = None, **query: str) -> tuple[int, str, str]:
        """Return status, code and message of a refusal."""
        answer = self.send(method, path, body, {"If-Match": "*"} if method in {"DELETE", "PATCH"} else {}, **query)
        return answer.status, answer.body["error"]["code"], answer.body["error"]["message"]


@pytest.fixture
def azure(tmp_path: Path) -> Iterator[Azure]:
    store = Store(tmp_path / "control-plane.db")
    clock = Clock()
    yield Azure(ControlPlane(store, clock, provisioning_s=10), clock)
    store.close()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[str]:
    """The address of a control plane on a real port, quick to provision."""
    store = Store(tmp_path / "live.db")
    ticks = itertools.count()
    plane = ControlPlane(store, lambda: START + next(ticks) * 0.01, provisioning_s=0.05)
    service = HttpService("arm", create_app(plane), 0, "--port")
    port = service.start()
    yield f"http://127.0.0.1:{port}"
    service.stop()
    store.close()
    assert threading.active_count() < 50


@pytest.fixture
def http(live: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=live, trust_env=False) as client:
        yield client


class NoCredential:
    """A credential for a client whose authentication policy is its own."""

    def get_token(self, *scopes: str, **kwargs: Any) -> Any:
        raise AssertionError("no token is needed on loopback")


@pytest.fixture
def client_options(live: str) -> dict[str, Any]:
    """Keyword arguments that point an official client at the local control plane."""
    return {
        "credential": NoCredential(),
        "subscription_id": DEFAULT_SUBSCRIPTION,
        "base_url": live,
        "authentication_policy": SansIOHTTPPolicy(),
        "polling_interval": 0.05,
    }
