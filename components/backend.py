"""An API Management backend with its circuit breaker.

Does not own: the model deployment behind it, and no credential. The contract that the SDK binds (2024-05-01) has
no managed-identity credential for backends, so the API's policy authenticates with the gateway's identity.
"""

from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement

from sinbin.durations import format_duration
from sinbin.errors import SinbinError
from sinbin.topology import Backend as BackendSpec
from sinbin.topology import CircuitBreaker


@dataclass(frozen=True, kw_only=True)
class BackendArgs:
    """Inputs of :class:`Backend`."""

    spec: BackendSpec
    resource_group_name: pulumi.Input[str]
    service_name: pulumi.Input[str]
    grant: pulumi.Resource
    """The role assignment that must exist before the backend is called."""


class Backend(pulumi.ComponentResource):
    """One address that the gateway may forward to, in front of one model deployment."""

    backend_id: pulumi.Output[str]
    """ARM id, which a pool's member names."""

    def __init__(self, name: str, args: BackendArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:Backend", name, None, opts)
        breaker = args.spec.circuit_breaker
        backend = apimanagement.Backend(
            name,
            backend_id=args.spec.name,
            resource_group_name=args.resource_group_name,
            service_name=args.service_name,
            type=apimanagement.BackendType.SINGLE,
            url=args.spec.url,
            protocol=apimanagement.BackendProtocol.HTTP,
            # Left out when there is none: Azure refuses an empty list of rules.
            circuit_breaker=_circuit_breaker(args.spec.name, breaker) if breaker else None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[args.grant]),
        )
        self.backend_id = backend.id
        self.register_outputs({"backendId": self.backend_id})


def _circuit_breaker(backend: str, breaker: CircuitBreaker) -> apimanagement.BackendCircuitBreakerArgs:
    if breaker.failure_response_status is not None:
        # Passing it on would lose it without a word: the SDK drops what its contract does not know.
        raise SinbinError(
            f"backend {backend}: circuitBreaker.failureResponseStatus is not in the API Management contract that "
            "pulumi-azure-native binds (2024-05-01); leave it out, callers then get 503 while the circuit is open"
        )
    return apimanagement.BackendCircuitBreakerArgs(
        rules=[
            apimanagement.CircuitBreakerRuleArgs(
                name="sin-bin",
                failure_condition=apimanagement.CircuitBreakerFailureConditionArgs(
                    count=breaker.failure_count,
                    percentage=breaker.failure_percentage,
                    interval=format_duration(breaker.interval_s),
                    status_code_ranges=[
                        apimanagement.FailureStatusCodeRangeArgs(min=codes.low, max=codes.high)
                        for codes in breaker.status_ranges
                    ],
                    error_reasons=list(breaker.error_reasons) or None,
                ),
                trip_duration=format_duration(breaker.trip_duration_s),
                accept_retry_after=breaker.accept_retry_after,
            )
        ]
    )
