"""A plan as people like to read it: a tree by component, and where the requests of each alias go."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sinbin.topology import Backend, Consumer, ModelDeployment, PoolMember, Topology

if TYPE_CHECKING:
    from sinbin.engine.plan import Plan, PlannedResource


def plan_text(plan: "Plan") -> str:
    """Return the plan as text: resources, policies, routing, consumers."""
    real = [item for item in plan.resources if not item.is_component]
    lines = [
        f"stack {plan.stack}: {len(real)} resources, {len(plan.policies)} policies",
        "",
        "resources",
        *_tree(plan.resources),
        "",
        "policies",
        *(f"  {policy.path}  {policy.text.count(chr(10)) + 1} lines" for policy in plan.policies),
        "",
        *routing_text(plan.topology),
        "",
        "consumers",
        *_table(
            [("NAME", "TRAFFIC", "MODELS", "TPM", "RPM", "TOKEN QUOTA"), *map(_consumer, plan.topology.consumers)]
        ),
    ]
    return "\n".join(lines)


def routing_text(topology: Topology) -> Iterator[str]:
    """Yield the routing table: alias, pool and members, best priority first."""
    deployments = {(item.account, item.name): item for item in topology.deployments}
    rows: list[tuple[str, ...]] = [("ALIAS", "TARGET", "PRIORITY", "WEIGHT", "REGION", "DEPLOYMENT", "SKU", "TPM")]
    for route in topology.routes:
        for segment, target in route.targets:
            members = sorted(topology.target_backends(target), key=lambda item: (item.priority, -item.weight))
            for index, member in enumerate(members):
                backend = topology.backend(member.backend)
                first = (
                    (f"{route.alias} ({segment})" if segment else route.alias, target) if index == 0 else ("", "")
                )
                rows.append((*first, *_member(member, backend, deployments)))
    yield "routing"
    yield from _table(rows)


def _member(
    member: PoolMember, backend: Backend, deployments: dict[tuple[str, str], ModelDeployment]
) -> tuple[str, str, str, str, str, str]:
    deployment = deployments[backend.account, str(backend.deployment)]
    tokens = f"{deployment.tokens_per_minute:,}" if deployment.tokens_per_minute else f"{deployment.capacity} PTU"
    return (
        str(member.priority),
        str(member.weight),
        backend.region,
        deployment.name,
        deployment.sku,
        tokens,
    )


def _consumer(consumer: Consumer) -> tuple[str, ...]:
    quota = consumer.token_quota
    return (
        consumer.name,
        consumer.traffic,
        " ".join(consumer.aliases),
        f"{consumer.tokens_per_minute:,}" if consumer.tokens_per_minute else "-",
        f"{consumer.requests_per_minute:,}" if consumer.requests_per_minute else "-",
        f"{quota.tokens:,} {quota.period.lower()}" if quota else "-",
    )


def _tree(resources: "tuple[PlannedResource, ...]") -> Iterator[str]:
    children = Counter(item.parent for item in resources)
    for item in resources:
        short = item.type.removeprefix("azure-native:").removeprefix("sinbin:components:")
        if item.parent is None:
            yield f"  {short}  {item.name}"
        elif children[item.parent] > 1 or not item.parent.endswith(f"::{item.name}"):
            # A component around one resource of the same name has said it all.
            yield f"    {short}  {item.name}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
