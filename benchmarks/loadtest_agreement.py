"""Published steady runs: printed, simulated, and measured by k6 at two speeds of the clock.

    python benchmarks/loadtest_agreement.py [--speeds 1 10] [--cards NAME…] [--seconds N] [--runs 20] [--repeat 1]

Every card becomes a scenario; the simulator runs it on a virtual clock, and k6 sends it over HTTP: to a gateway and
regions that have the same pool, breakers, retries, quotas and latencies, or straight to the regions, with callers that
choose, try again and remember as the scenario says. Agreement is at most two points of success
between simulator and k6, and k6 at one speed and another. A card lasts five minutes or more, divided by the speed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sinbin.loadtest.k6 import find_k6
from sinbin.loadtest.rehearsal import rehearse
from sinbin.loadtest.run import run_load
from sinbin.simulate.cost import load_prices
from sinbin.simulate.loads import SteadyLoad
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Result, figure
from sinbin.simulate.run_cards import scenario_of
from sinbin.simulate.scenario import Scenario

CARDS = Path(__file__).parents[1] / "docs" / "data" / "run-cards.json"
POINTS = 2.0
"""Most difference of success, in points, that counts as agreement."""


@dataclass(frozen=True, slots=True)
class Steady:
    """A steady card, and the success that was printed (None: not printed)."""

    scenario: Scenario
    printed: float | None


def steady_cards() -> dict[str, Steady]:
    """Return the published steady runs, by name."""
    document = json.loads(CARDS.read_text("utf-8"))
    found = {}
    for card in document["cards"]:
        if card["load"]["kind"] == "steady":
            scenario = scenario_of(card, document["region_speed"])
            found[scenario.name] = Steady(scenario, card["success_pct"])
    return found


def shortened(scenario: Scenario, seconds: float | None) -> Scenario:
    """Return `scenario` with a load of `seconds`, its own length for None."""
    if seconds is None:
        return scenario
    return scenario.model_copy(update={"load": scenario.load.model_copy(update={"duration_seconds": seconds})})


def sent(scenario: Scenario, speed: float, seed: int = 0) -> Result:
    """Return what k6 measures when `scenario` is served at `speed`."""
    with rehearse(scenario, speed, seed) as target:
        measurement = run_load(scenario, target, find_k6(), load_prices())
    for remark in measurement.remarks:
        print(f"{scenario.name} at {speed:g}: {remark}", file=sys.stderr)
    return measurement.result


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return 1 when a card does not agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speeds", type=float, nargs="+", default=[1.0, 10.0])
    parser.add_argument("--cards", nargs="+", help="names of cards; all unless given")
    parser.add_argument("--seconds", type=float, help="length of every run; the card's own unless given")
    parser.add_argument("--runs", type=int, default=20, help="of the simulator")
    parser.add_argument("--repeat", type=int, default=1, help="runs of k6 at each speed but 1")
    options = parser.parse_args(argv)
    known = steady_cards()
    wanted = {name: known[name] for name in options.cards} if options.cards else known
    began = time.monotonic()
    heading = "".join(f"{f'k6, speed {speed:g}':>22}{'points':>8}" for speed in options.speeds)
    print(f"{'card':26}{'printed':>8}{'simulated':>16}{heading}{'calls/request':>24}{'':3}agrees", flush=True)
    wrong = 0
    for name, card in wanted.items():
        scenario = shortened(card.scenario, options.seconds)
        assert isinstance(scenario.load, SteadyLoad)
        [simulated] = replicate([scenario], runs=options.runs, workers=1)
        success = simulated.total["success_pct"]
        line = f"{name:26}{'' if card.printed is None else f'{card.printed:.1f}':>8}"
        line += f"{success.mean:10.1f} ±{(success.high - success.low) / 2:4.1f}"
        means, calls = [], [simulated.total["calls_per_request"].mean]
        for speed in options.speeds:
            results = [sent(scenario, speed, seed) for seed in range(1 if speed == 1 else options.repeat)]
            found = figure([result.total["success_pct"].mean for result in results])
            means.append(found.mean)
            calls.append(figure([result.total["calls_per_request"].mean for result in results]).mean)
            spread = f" ±{(found.high - found.low) / 2:4.1f}" if len(results) > 1 else ""
            line += f"{f'{found.mean:.1f}{spread}':>22}{found.mean - success.mean:+8.1f}"
        agrees = max(*means, success.mean) - min(*means, success.mean) <= POINTS
        wrong += not agrees
        shown = " / ".join(f"{one:.2f}" for one in calls)
        print(f"{line}{shown:>24}   {'yes' if agrees else 'NO'}", flush=True)
    load = os.getloadavg()
    print(
        f"{len(wanted) - wrong} of {len(wanted)} agree; {time.monotonic() - began:.0f} s, load of the machine {load[0]:.1f}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
