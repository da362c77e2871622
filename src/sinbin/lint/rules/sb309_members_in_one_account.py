"""SB309: pool whose members are all in the same account."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import account_of
from sinbin.lint.rule import EstateRule


class MembersInOneAccount(EstateRule):
    """Pool whose members are all in the same account.

    ## Why
    Members of one account share its region, its identity and, for one model and SKU, its quota. A refusal or an
    outage hits them together, and the failover goes from the full region to the full region.

    ## Bad
    ```json
    [
      {
        "name": "a",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "b",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/chat2", "protocol": "http"}
      },
      {
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "name": "a",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "b",
        "properties": {"url": "https://aoai-b.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      }
    ]
    ```

    ## Fix
    Put the members into accounts of different regions. PTU and its own pay-as-you-go overflow in one account
    are an exception: suppress the finding there.
    """

    id = "SB309"
    name = "members-in-one-account"
    severity = Severity.WARNING
    source = "Derived: quota and outages belong to an account and its region, https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for pool in estate.pools:
            members = estate.members(pool)
            urls = [member.backend.properties.text("url") for member in members if member.backend is not None]
            accounts = {account_of(url) if url else None for url in urls}
            if (
                len(members) > 1
                and len(urls) == len(members)
                and len(accounts) == 1
                and (account := accounts.pop())
            ):
                yield Problem(
                    pool.get("pool", "services") or pool.node,
                    f"all {len(members)} members of {pool.label} are in the account `{account}`",
                    "add members in an account of another region",
                )
