"""What else is wrong with a scenario that is none yet: the parts that can be read, beside stand-ins.

Whoever writes a scenario wants all its problems at once. What must hold between values can only be judged of a
whole scenario, so the parts that are wrong on their own are replaced, and what is said of those is dropped.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from sinbin.simulate.checks import Problem, check_scenario
from sinbin.simulate.scenario import Scenario

_REGION = {"requestsPerMinute": 1, "tokensPerMinute": 1, "latency": {"medianMs": 1, "p95Ms": 1}}
_PARTS = {"name": "x", "load": {"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 1}}
_FAULT = {"kind": "slow", "region": "x", "fromSeconds": 0, "toSeconds": 1, "factor": 1}


def further_problems(raw: Mapping[str, Any], wrong: Iterable[Sequence[str | int]]) -> Iterator[Problem]:
    """Yield what is wrong with `raw` between the parts that hold none of the paths `wrong`."""
    replaced: set[str] = set()
    mended = dict(raw)
    for key, *rest in wrong:
        part = mended.get(str(key))
        if key == "regions" and rest and isinstance(part, Mapping):
            mended["regions"] = {**part, rest[0]: _REGION}
            replaced.add(f"regions.{rest[0]}.")
        elif key == "faults" and rest and isinstance(part, list):
            mended["faults"] = [_FAULT if index == rest[0] else fault for index, fault in enumerate(part)]
            replaced.add(f"faults.{rest[0]}.")
        elif key in _PARTS:
            mended[str(key)] = _PARTS[str(key)]
            replaced.add(str(key))
        else:
            mended.pop(str(key), None)
            # Without its gateway a scenario asks more of its client than the file has to say.
            replaced |= {str(key), "client"} if key == "gateway" else {str(key)}
    try:
        scenario = Scenario.model_validate(mended)
    except ValidationError:
        # No region can be read: nothing that is said elsewhere can be judged.
        return
    for path, message in check_scenario(scenario):
        if not path.startswith(tuple(replaced)):
            yield path, message
