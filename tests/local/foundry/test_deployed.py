"""Regions follow what is deployed in the control plane."""

import time

import httpx
import pytest
from openai import NotFoundError, OpenAI

from sinbin.foundry.account import DeploymentConfig
from sinbin.foundry.latency import known_latency
from sinbin.local.clock import Clock
from sinbin.local.control_plane.plane import ControlPlane
from sinbin.local.control_plane.store import Store
from sinbin.local.foundry.deployed import deployed_accounts
from sinbin.local.foundry.service import RegionsService

GROUP = "/resourceGroups/rg"
ACCOUNT = f"{GROUP}/providers/Microsoft.CognitiveServices/accounts/acc"
DEPLOYMENT = f"{ACCOUNT}/deployments/chat"


def account(**properties):
    return {
        "location": "West Europe",
        "kind": "AIServices",
        "sku": {"name": "S0"},
        "identity": {"type": "SystemAssigned"},
        "properties": {"customSubDomainName": "acc-weu", "disableLocalAuth": True} | properties,
    }


def deployment(capacity=60):
    model = {"format": "OpenAI", "name": "gpt-4.1-mini", "version": "2025-04-14"}
    return {"sku": {"name": "Standard", "capacity": capacity}, "properties": {"model": model}}


def test_an_account_serves_what_is_deployed_in_it(azure):
    azure.put(GROUP, {"location": "uksouth"})
    assert deployed_accounts(azure.plane.store, azure.clock.now) == {}
    azure.put(ACCOUNT, account(disableLocalAuth=False))
    azure.put(DEPLOYMENT, deployment())
    [(name, found)] = deployed_accounts(azure.plane.store, azure.clock.now).items()
    assert (name, found.name, found.location, found.local_auth) == ("acc-weu", "acc-weu", "westeurope", True)
    assert [len(key) for key in found.keys] == [32, 32]
    assert found.latency == known_latency("westeurope")
    assert found.deployments == {
        "chat": DeploymentConfig(
            name="chat", model="gpt-4.1-mini", version="2025-04-14", sku="Standard", capacity=60
        )
    }


def test_what_is_still_being_made_does_not_serve(azure):
    azure.put(GROUP, {"location": "uksouth"})
    azure.send("PUT", ACCOUNT, account())
    began = azure.clock.now
    assert deployed_accounts(azure.plane.store, began) == {}
    assert list(deployed_accounts(azure.plane.store, began + 60)) == ["acc-weu"]
    azure.clock.now += 60
    azure.send("PUT", DEPLOYMENT, deployment())
    assert deployed_accounts(azure.plane.store, azure.clock.now)["acc-weu"].deployments == {}


def test_what_is_being_changed_goes_on_serving_and_what_is_being_deleted_does_not(azure):
    azure.put(GROUP, {"location": "uksouth"})
    azure.put(ACCOUNT, account())
    azure.put(DEPLOYMENT, deployment())
    azure.send("PUT", DEPLOYMENT, deployment(30))
    assert deployed_accounts(azure.plane.store, azure.clock.now)["acc-weu"].deployments["chat"].capacity == 30
    azure.clock.now += 60
    azure.send("GET", DEPLOYMENT)
    azure.send("DELETE", DEPLOYMENT)
    assert deployed_accounts(azure.plane.store, azure.clock.now)["acc-weu"].deployments == {}


@pytest.fixture
def live_regions(tmp_path):
    """A control plane that provisions at once, and the regions that follow it."""
    store = Store(tmp_path / "control-plane.db")
    service = RegionsService(tmp_path / "control-plane.db", tmp_path / "ports.json", Clock(), 0)
    port = service.start()
    yield ControlPlane(store, time.time, provisioning_s=0), f"http://127.0.0.1:{port}"
    service.stop()
    store.close()


def wait_for(look):
    until = time.monotonic() + 10
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return found


def test_a_region_listens_once_it_is_deployed_and_can_be_told_to_fail(live_regions, azure):
    plane, admin = live_regions
    azure.plane, azure.clock.now = plane, time.time()
    with httpx.Client(base_url=admin, headers={"x-sinbin": "1"}, trust_env=False) as ask:
        assert ask.get("/regions").json() == {"regions": []}
        azure.put(GROUP, {"location": "uksouth"})
        azure.put(ACCOUNT, account(disableLocalAuth=False))
        azure.put(DEPLOYMENT, deployment())
        [region] = wait_for(lambda: [r for r in ask.get("/regions").json()["regions"] if r["deployments"]])
        key = azure.send("POST", f"{ACCOUNT}/listKeys").body["key1"]
        with OpenAI(base_url=f"{region['url']}/openai/v1/", api_key=key, max_retries=0) as client:
            hello = [{"role": "user", "content": "hello"}]
            reply = client.chat.completions.create(model="chat", messages=hello)
            assert reply.choices[0].message.content.startswith("Hello from West Europe:")
            begun = ask.post("/regions/acc-weu/faults", json={"kind": "status", "status": 404, "calls": 1})
            assert (begun.status_code, begun.json()) == (
                201,
                {
                    "number": 1,
                    "kind": "status",
                    "status": 404,
                    "calls": 1,
                    "share": 1.0,
                    "callsLeft": 1,
                    "secondsLeft": None,
                },
            )
            with pytest.raises(NotFoundError):
                client.chat.completions.create(model="chat", messages=hello)
        azure.send("DELETE", DEPLOYMENT)
        wait_for(lambda: not ask.get("/regions").json()["regions"][0]["deployments"])
