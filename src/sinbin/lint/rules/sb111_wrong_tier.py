"""SB111: a policy that the tier does not have."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_GATEWAYS = {
    "BasicV2": "v2",
    "StandardV2": "v2",
    "PremiumV2": "v2",
    "Consumption": "consumption",
}
_ADVICE = {
    "rate-limit-by-key": "use `rate-limit`, which counts per subscription, or another tier",
    "quota-by-key": "use `quota`, which counts per subscription, or another tier",
}


class WrongTier(PolicyRule):
    """A policy that the tier does not have.

    ## Why
    The Consumption tier has no counters by key and no token limits; the policies of Dapr exist in the
    self-hosted gateway only. The error is "Policy is not allowed in 'Consumption' sku".

    ## Bad
    ```xml
    <!-- tier Consumption -->
    <rate-limit-by-key calls="20" renewal-period="60" counter-key="@(context.Request.IpAddress)" />
    ```

    ## Good
    ```xml
    <!-- tier Consumption --><rate-limit calls="20" renewal-period="60" />
    ```

    ## Fix
    Use a policy that the tier has, or another tier.
    """

    id = "SB111"
    name = "wrong-tier"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-gateways-overview"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield every policy that the tier's gateway lacks; a self-hosted one may run beside it."""
        gateway = _GATEWAYS.get(context.tier, "classic")
        for placed in place(subject).all:
            policy = placed.policy
            if policy is None or gateway in policy.gateways:
                continue
            if "self-hosted" in policy.gateways and gateway == "classic":
                continue
            others = ", ".join(policy.gateways)
            message = f"`{policy.name}` does not exist in the {context.tier} tier (only: {others})"
            yield Problem(placed.element, message, _ADVICE.get(policy.name, "use another policy or another tier"))
