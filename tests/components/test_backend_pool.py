import pytest

from components.backend_pool import BackendPool, BackendPoolArgs
from sinbin.errors import SinbinError
from sinbin.topology import BackendPool as Spec
from sinbin.topology import PoolMember

MEMBERS = (
    PoolMember(backend="mini-uksouth", priority=1, weight=90),
    PoolMember(backend="mini-westeurope", priority=2, weight=10),
)


def program(place, **changes):
    spec = Spec(name="pool-chat", members=MEMBERS, **changes)
    ids = {"mini-uksouth": "/b/uks", "mini-westeurope": "/b/weu"}

    def run():
        BackendPool(spec.name, BackendPoolArgs(spec=spec, backend_ids=ids, **place))

    return run


def test_members_keep_priority_and_weight(declare, place):
    pool = declare(program(place)).one("apimanagement:Backend")
    assert pool.urn == (
        "urn:pulumi:test::sinbin::sinbin:components:BackendPool$azure-native:apimanagement:Backend::pool-chat"
    )
    assert pool.inputs == {
        "backendId": "pool-chat",
        "resourceGroupName": "rg",
        "serviceName": "gateway",
        "type": "Pool",
        "pool": {
            "services": [
                {"id": "/b/uks", "priority": 1, "weight": 90},
                {"id": "/b/weu", "priority": 2, "weight": 10},
            ]
        },
    }


def test_session_affinity_is_refused_and_not_lost(declare, place):
    with pytest.raises(SinbinError) as refused:
        declare(program(place, affinity_cookie="region"))
    assert str(refused.value) == (
        "pool pool-chat: sessionAffinity is not in the API Management contract that pulumi-azure-native binds "
        "(2024-05-01); leave it out"
    )
