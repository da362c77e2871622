"""Regions that really listen, for the ordinary OpenAI client."""

from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.faults import parse_fault
from sinbin.foundry.latency import LogNormal, RegionLatency
from sinbin.local.clock import Clock
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.loop import LoopThread

KEY = "local-key"
FAST = LogNormal(0.002, 0.002)


def make_account(name="ai-uksouth", location="uksouth", **more):
    deployments = {
        "chat": DeploymentConfig(
            name="chat",
            model="gpt-4.1-mini",
            version="2025-04-14",
            sku="Standard",
            capacity=more.pop("capacity", 1000),
        ),
        "embed": DeploymentConfig(
            name="embed", model="text-embedding-3-small", version="1", sku="Standard", capacity=1000
        ),
    }
    latency = RegionLatency(reply=FAST, per_token=LogNormal(0.0005, 0.0005), refusal=FAST)
    values = {
        "keys": (KEY,),
        "local_auth": True,
        "latency": latency,
        "reply_tokens": 8,
        "deployments": deployments,
    }
    return AccountConfig(name=name, location=location, **values | more)


class Running:
    """Regions in a loop of their own."""

    def __init__(self, speed=1.0):
        self.clock = Clock(speed)
        self.thread = LoopThread("regions")
        self.servers = RegionServers(self.clock, first_port=0)

    def apply(self, *accounts):
        self.thread.call(self.servers.apply({account.name: account for account in accounts}))
        return [self.servers.url(account.name) for account in accounts]

    def fault(self, account, **raw):
        async def begin():
            return self.servers.regions[account].faults.begin(self.clock.now(), parse_fault(raw))

        return self.thread.call(begin())

    def gauges(self, account):
        async def read():
            return self.servers.regions[account].gauges(self.clock.now())

        return self.thread.call(read())

    def stop(self):
        self.thread.call(self.servers.stop())
        self.thread.stop()
