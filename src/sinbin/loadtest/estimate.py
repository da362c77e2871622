"""What a load costs at most, before it is sent."""

from dataclasses import dataclass

from sinbin.simulate.cost import Prices, token_cost
from sinbin.simulate.load_size import most_requests
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.token_counts import mean_tokens


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size of a load. Refused requests cost nothing, so it is an upper bound."""

    requests: float
    prompt_tokens: float
    completion_tokens: float
    usd: float
    """At the dearest of the models that may answer; PTUs are paid whether they are used or not."""

    def sentence(self, prices: Prices) -> str:
        """Return the estimate in words."""
        return (
            f"about {self.requests:,.0f} requests, {self.prompt_tokens:,.0f} prompt and at most "
            f"{self.completion_tokens:,.0f} completion tokens: at most {self.usd:.4f} USD "
            f"(prices of {prices.retrieved})"
        )


def estimate(scenario: Scenario, prices: Prices) -> Estimate:
    """Return the size of the load of `scenario`.

    Raises:
        SinbinError: a model that may answer has no price.
    """
    traffic = scenario.load.traffic()
    requests = most_requests(scenario.load)
    shares = sum(one.share for one in traffic)
    prompt = requests * sum(one.share * mean_tokens(one.prompt_tokens) for one in traffic) / shares
    completion = (
        requests
        * sum(one.share * (one.max_tokens or mean_tokens(one.completion_tokens)) for one in traffic)
        / shares
    )
    models = {region.model for region in scenario.regions.values() if region.provisioned_units is None}
    dearest = max((token_cost(prices, model, prompt, completion) for model in models), default=0.0)
    return Estimate(requests, prompt, completion, dearest)
