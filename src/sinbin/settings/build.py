"""Settings → Topology: where names, priorities and weights are decided."""

from collections import Counter
from collections.abc import Iterator

from sinbin import naming
from sinbin.settings.checks import Problem
from sinbin.settings.regions import known_regions
from sinbin.settings.resilience import circuit_breaker, retry
from sinbin.settings.schema import (
    AliasSettings,
    DeploymentSettings,
    Settings,
)
from sinbin.topology import (
    Alerts,
    ApiManagement,
    Backend,
    BackendPool,
    Consumer,
    EntraIdentity,
    FoundryAccount,
    GatewayLocation,
    Model,
    ModelDeployment,
    Monitoring,
    PoolMember,
    Route,
    TokenQuota,
    Topology,
)

_TOKENS_PER_CAPACITY_UNIT = 1_000
"""Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota, read 2026-11-29."""


def build_topology(settings: Settings) -> Topology:
    """Return the Topology of `settings`; equal settings give equal topologies."""
    accounts = tuple(_account(settings, region.location) for region in settings.regions)
    backends, pools, routes = [], [], []
    for alias in settings.models:
        members = list(_members(settings, alias))
        backends += [backend for backend, _, _ in members]
        alias_pools, targets = _pools(alias, members)
        pools += alias_pools
        routes.append(
            Route(
                alias=alias.alias,
                targets=targets,
                retry=retry(alias.retry),
                responses_deployment=_responses_deployment(settings, alias),
            )
        )
    responses = None
    if any(route.responses_deployment for route in routes):
        responses = _responses_backend(settings)
        backends.append(responses)
    return Topology(
        workload=settings.workload,
        environment=settings.environment,
        location=settings.location,
        resource_group=naming.join("rg", settings.workload, settings.environment, length=90),
        tags=tuple(sorted(settings.tags.items())),
        protect=settings.protect,
        gateway=_gateway(settings),
        accounts=accounts,
        backends=tuple(backends),
        pools=tuple(pools),
        routes=tuple(routes),
        responses_backend=responses.name if responses else None,
        consumers=tuple(_consumers(settings)),
        entra=EntraIdentity(tenant=settings.identity.entra.tenant, audiences=settings.identity.entra.audiences)
        if settings.identity.entra
        else None,
        monitoring=Monitoring(
            application_insights=settings.monitoring.application_insights,
            alerts=Alerts(
                refused_share=settings.monitoring.alerts.refused_share, email=settings.monitoring.alerts.email
            )
            if settings.monitoring.alerts
            else None,
        ),
    )


def check_names(settings: Settings) -> Iterator[Problem]:
    """Yield a problem for every name that two deployments of an account, or two backends, would share."""
    shared = list(_shared_deployment_names(settings))
    yield from shared
    if not shared:
        topology = build_topology(settings)
        names = [backend.name for backend in topology.backends] + [pool.name for pool in topology.pools]
        for name in sorted(name for name, times in Counter(names).items() if times > 1):
            yield (
                ("models",),
                f'would give two backends the name "{name}"; give a deployment or an alias another name',
            )


def _shared_deployment_names(settings: Settings) -> Iterator[Problem]:
    taken: dict[tuple[str, str], str] = {}
    for place, alias in enumerate(settings.models):
        for index, deployment in enumerate(alias.deployments):
            where = f"models.{place}.deployments.{index}"
            for region in _regions(settings, deployment):
                key = (region, deployment_name(alias, deployment))
                if key in taken:
                    yield (
                        ("models", place, "deployments", index),
                        f'would be called "{key[1]}" in {region}, like {taken[key]}; give one of them a name',
                    )
                    break
                taken[key] = where


def deployment_name(alias: AliasSettings, deployment: DeploymentSettings) -> str:
    """Return the Azure name of a deployment; the alias is not in it, so renaming the alias replaces nothing."""
    return deployment.name or naming.join(alias.model.name, deployment.sku, length=naming.DEPLOYMENT_NAME_LENGTH)


def _regions(settings: Settings, deployment: DeploymentSettings) -> tuple[str, ...]:
    """Return the regions of a deployment in the order of the settings, which is the priority order."""
    return tuple(
        region.location
        for region in settings.regions
        if deployment.regions is None or region.location in deployment.regions
    )


def _account_name(settings: Settings, region: str) -> str:
    parts = (settings.workload, settings.environment, region, settings.name_suffix or "")
    return naming.join(*parts, length=naming.SUBDOMAIN_LENGTH)


def _account(settings: Settings, region: str) -> FoundryAccount:
    name = _account_name(settings, region)
    deployments = tuple(
        ModelDeployment(
            name=deployment_name(alias, deployment),
            logical_name=f"{region}-{deployment_name(alias, deployment)}",
            account=name,
            region=region,
            model=Model(
                format=alias.model.format,
                name=alias.model.name,
                version=alias.model.version,
                upgrade=alias.model.upgrade,
            ),
            sku=deployment.sku,
            capacity=deployment.capacity_units or (deployment.tokens_per_minute or 0) // _TOKENS_PER_CAPACITY_UNIT,
            tokens_per_minute=deployment.tokens_per_minute,
        )
        for alias in settings.models
        for deployment in alias.deployments
        if region in _regions(settings, deployment)
    )
    return FoundryAccount(name=name, region=region, subdomain=name, deployments=deployments)


def _endpoint(settings: Settings, region: str) -> str:
    return f"https://{_account_name(settings, region)}.openai.azure.com/openai"


def _members(settings: Settings, alias: AliasSettings) -> Iterator[tuple[Backend, int, DeploymentSettings]]:
    """Yield a backend for every deployment of the alias, with the rank of its region."""
    for deployment in alias.deployments:
        name = deployment_name(alias, deployment)
        for region in _regions(settings, deployment):
            rank = [item.location for item in settings.regions].index(region)
            backend = Backend(
                name=naming.join(name, region, length=naming.BACKEND_NAME_LENGTH),
                region=region,
                account=_account_name(settings, region),
                deployment=name,
                url=f"{_endpoint(settings, region)}/deployments/{name}",
                circuit_breaker=circuit_breaker(alias.circuit_breaker),
            )
            yield backend, rank, deployment


def _pools(
    alias: AliasSettings, members: list[tuple[Backend, int, DeploymentSettings]]
) -> tuple[list[BackendPool], tuple[tuple[str, str], ...]]:
    """Return the pools of an alias, and the target of each of its segments."""
    routing = alias.routing
    if routing.strategy == "single":
        members = [member for member in members if member[0].region == routing.region]
    segments: dict[str, list[tuple[Backend, int, DeploymentSettings]]] = {}
    for member in members:
        segment = known_regions()[member[0].region].segment if routing.strategy == "segmented" else ""
        segments.setdefault(segment, []).append(member)
    pools, targets = [], []
    for segment, group in segments.items():
        if len(group) == 1:
            # A pool of one member can fail over to nothing: the backend itself is the target.
            targets.append((segment, group[0][0].name))
            continue
        by_region = routing.strategy in ("priority", "segmented")
        tiers = [(deployment.priority, rank if by_region else 0) for _, rank, deployment in group]
        order = sorted(set(tiers))
        name = naming.join("pool", alias.alias, segment, length=naming.BACKEND_NAME_LENGTH)
        pools.append(
            BackendPool(
                name=name,
                members=tuple(
                    PoolMember(
                        backend=backend.name,
                        priority=order.index(tier) + 1,
                        weight=(routing.weights or {}).get(backend.region, 1),
                    )
                    for (backend, _, _), tier in zip(group, tiers, strict=True)
                ),
            )
        )
        targets.append((segment, name))
    return pools, tuple(targets)


def _responses_deployment(settings: Settings, alias: AliasSettings) -> str | None:
    home = settings.regions[0].location
    ranked = sorted(alias.deployments, key=lambda deployment: deployment.priority)
    return next(
        (deployment_name(alias, item) for item in ranked if home in _regions(settings, item)),
        None,
    )


def _responses_backend(settings: Settings) -> Backend:
    """Return the backend of the stateful Responses API: one region keeps the state, so nothing can take over.

    It has no breaker: with nowhere to fail over to, a trip would only add refusals.
    """
    home = settings.regions[0].location
    return Backend(
        name=naming.join("responses", home, length=naming.BACKEND_NAME_LENGTH),
        region=home,
        account=_account_name(settings, home),
        deployment=None,
        url=f"{_endpoint(settings, home)}/v1",
        circuit_breaker=None,
    )


def _gateway(settings: Settings) -> ApiManagement:
    given = settings.api_management
    return ApiManagement(
        name=naming.join(
            "apim",
            settings.workload,
            settings.environment,
            settings.name_suffix or "",
            length=naming.SERVICE_NAME_LENGTH,
        ),
        tier=given.tier,
        home=GatewayLocation(
            location=given.location,
            capacity=0 if given.tier == "Consumption" else given.capacity,
            zones=given.zones,
        ),
        additional=tuple(
            GatewayLocation(location=place.location, capacity=place.capacity, zones=place.zones)
            for place in given.additional_locations
        ),
        publisher_name=given.publisher.name,
        publisher_email=given.publisher.email,
    )


def _consumers(settings: Settings) -> Iterator[Consumer]:
    for given in settings.consumers:
        yield Consumer(
            name=given.name,
            traffic=given.traffic,
            aliases=given.models,
            tokens_per_minute=given.tokens_per_minute,
            requests_per_minute=given.requests_per_minute,
            token_quota=TokenQuota(tokens=given.token_quota.tokens, period=given.token_quota.period)
            if given.token_quota
            else None,
            segment=given.data_zone or "",
            routing_headers=given.routing_headers,
        )
