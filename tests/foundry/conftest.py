"""A region to try things on: UK South, one key, a chat, an embedding and a provisioned deployment."""

import random

import pytest

from sinbin.foundry.region import Region
from tests.foundry.calls import account, deployment


@pytest.fixture
def make_region():
    def make(*deployments, seed=1, **more):
        chosen = deployments or (
            deployment("chat", "gpt-4.1-mini"),
            deployment("embed", "text-embedding-3-small", "1"),
            deployment("units", "gpt-4.1-mini", sku="ProvisionedManaged", capacity=25, spillover="chat"),
        )
        return Region(account(*chosen, **more), random.Random(seed))

    return make


@pytest.fixture
def region(make_region):
    return make_region(reply_tokens=6)
