"""A local Azure in this process: its state is written through ARM, gateways and regions really listen."""

import time
from pathlib import Path

import httpx

from policy_templates import API_ID, named_values, render_policies
from policy_templates.inference_api.operations import OPERATIONS
from sinbin.durations import format_duration
from sinbin.local.clock import Clock
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, ControlPlane
from sinbin.local.control_plane.resource import ArmRequest
from sinbin.local.control_plane.store import Store
from sinbin.local.foundry.service import RegionsService
from sinbin.local.gateway.service import GatewaysService

GROUP = f"/subscriptions/{DEFAULT_SUBSCRIPTION}/resourceGroups/rg"
SERVICE = f"{GROUP}/providers/Microsoft.ApiManagement/service/apim"
ACCOUNTS = f"{GROUP}/providers/Microsoft.CognitiveServices/accounts"

PUBLISHER = {"publisherName": "Contoso", "publisherEmail": "api@contoso.com"}


class LocalAzure:
    """A control plane that takes no time, and servers that follow it when they are told to."""

    def __init__(self, folder: Path, speed: float = 1.0, service: str = "apim", **options):
        self.folder = folder
        self.service = f"{GROUP}/providers/Microsoft.ApiManagement/service/{service}"
        database = folder / "control-plane.db"
        self.store = Store(database)
        self.plane = ControlPlane(self.store, time.time, provisioning_s=0)
        self.clock = Clock(speed)
        self.regions = RegionsService(database, folder / "region-ports.json", self.clock, 0)
        self.regions.start()
        self.gateways = GatewaysService(
            database,
            folder / "gateway-ports.json",
            self.clock,
            0,
            self.regions.servers,
            self.regions.thread,
            **options,
        )
        self.url = f"http://127.0.0.1:{self.gateways.start()}"

    def stop(self):
        self.gateways.stop()
        self.regions.stop()
        self.store.close()

    def send(self, method, path, body=None, headers=None):
        """Ask ARM; a path that is none of the group's is one in the service."""
        path = path if path.startswith(GROUP) else self.service + path
        version = {"CognitiveServices": "2025-06-01", "ApiManagement": "2024-05-01"}
        query = {"api-version": next((v for name, v in version.items() if name in path), "2024-03-01")}
        return self.plane.handle(
            ArmRequest(method=method, path=path, query=query, headers=headers or {}, body=body)
        )

    def put(self, path, properties=None, **more):
        answer = self.send("PUT", path, {"properties": properties or {}, **more} if path != GROUP else more)
        assert answer.status in {200, 201}, (path, answer.body)
        return answer.body

    def delete(self, path):
        answer = self.send("DELETE", path, headers={"if-match": "*"})
        assert answer.status in {200, 202, 204}, (path, answer.body)

    def policy(self, path, text):
        """Write a policy, or a fragment."""
        self.put(
            path if "policyFragments" in path else f"{path}/policies/policy", {"value": text, "format": "rawxml"}
        )

    def backend(self, name, url, breaker=None, **more):
        rules = {"circuitBreaker": {"rules": [breaker]}} if breaker else {}
        self.put(f"/backends/{name}", {"url": url, "protocol": "http", **rules, **more})

    def pool(self, name, members):
        """Write a pool; `members` are (backend, priority, weight)."""
        services = [
            {"id": f"/backends/{backend}", "priority": priority, "weight": weight}
            for backend, priority, weight in members
        ]
        self.put(f"/backends/{name}", {"type": "Pool", "pool": {"services": services}})

    def make_service(self, sku="Developer"):
        """Make the service with nothing in it."""
        self.put(GROUP, location="uksouth")
        self.put("", PUBLISHER, location="uksouth", sku={"name": sku, "capacity": 1})

    def make_api(self, name="api", policy=None, **more):
        """Make an API that needs no key and takes every path below its name."""
        self.put(f"/apis/{name}", {"displayName": name, "path": name, "subscriptionRequired": False, **more})
        if policy is not None:
            self.policy(f"/apis/{name}", policy)

    def deploy(self, topology):
        """Write what a stack of this topology writes."""
        self.make_service(topology.gateway.tier)
        for account in topology.accounts:
            self.put(
                f"{ACCOUNTS}/{account.name}",
                {"customSubDomainName": account.subdomain, "disableLocalAuth": True},
                location=account.region,
                kind="AIServices",
                sku={"name": "S0"},
            )
            for deployment in account.deployments:
                model = {"format": "OpenAI", "name": deployment.model.name, "version": deployment.model.version}
                self.put(
                    f"{ACCOUNTS}/{account.name}/deployments/{deployment.name}",
                    {"model": model},
                    sku={"name": deployment.sku, "capacity": deployment.capacity},
                )
        for backend in topology.backends:
            self.backend(backend.name, backend.url, backend.circuit_breaker and _rule(backend.circuit_breaker))
        for pool in topology.pools:
            self.pool(pool.name, [(member.backend, member.priority, member.weight) for member in pool.members])
        for value in named_values(topology):
            self.put(f"/namedValues/{value.name}", {"displayName": value.name, "value": value.value})
        names = {"header": "api-key", "query": "subscription-key"}
        self.make_api(API_ID, subscriptionRequired=True, subscriptionKeyParameterNames=names)
        for one in OPERATIONS:
            parameters = [{"name": name, "type": "string", "required": True} for name in one.parameters]
            self.put(
                f"/apis/{API_ID}/operations/{one.id}",
                {
                    "displayName": one.title,
                    "method": one.method,
                    "urlTemplate": one.url_template,
                    "templateParameters": parameters,
                },
            )
        for consumer in topology.consumers:
            self.put(f"/products/{consumer.name}", {"displayName": consumer.name, "state": "published"})
            self.put(f"/products/{consumer.name}/apiLinks/{consumer.name}", {"apiId": f"/apis/{API_ID}"})
            scope = {"scope": f"/products/{consumer.name}", "state": "active", "displayName": consumer.name}
            self.put(f"/subscriptions/{consumer.name}", scope)
        kinds = {"fragment": "policyFragments", "api": "apis", "product": "products"}
        for rendered in render_policies(topology):
            self.policy(f"/{kinds[rendered.scope]}/{rendered.name}", rendered.text)
        self.settle()

    def settle(self):
        """Let what was written arrive at gateways and regions."""
        self.call(self.regions._look())
        self.call(self.gateways._look())

    def call(self, work):
        return self.regions.thread.call(work)

    def report(self, path="gateways"):
        return self.call(self.gateways._report(path))[1]

    def key(self, consumer):
        return self.send("POST", f"/subscriptions/{consumer}/listSecrets").body["primaryKey"]

    def client(self, **more):
        return httpx.Client(base_url=self.url, trust_env=False, **more)


def _rule(breaker):
    condition = {
        "count": breaker.failure_count,
        "interval": format_duration(breaker.interval_s),
        "statusCodeRanges": [{"min": codes.low, "max": codes.high} for codes in breaker.status_ranges],
        "errorReasons": list(breaker.error_reasons),
    }
    return {
        "name": "sin-bin",
        "failureCondition": condition,
        "tripDuration": format_duration(breaker.trip_duration_s),
        "acceptRetryAfter": breaker.accept_retry_after,
    }
