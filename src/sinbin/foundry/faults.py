"""Faults that a region can be told to have: for the next calls, for a time, or for a share of the calls.

status              another status than 200, with or without Retry-After
content-filter      the prompt is stopped by the content filter
delay               the answer comes later
reset-before-headers, reset-in-body    the connection breaks
slow-stream         every piece of a stream comes later
dns, tls            no connection: the name is not found, no TLS session
region-down         nobody listens
quota               only a share of the quota is there ("quota halved": 0.5)
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from sinbin.errors import SinbinError

FaultKind = Literal[
    "status",
    "content-filter",
    "delay",
    "reset-before-headers",
    "reset-in-body",
    "slow-stream",
    "dns",
    "tls",
    "region-down",
    "quota",
]

# Which values a kind must have, and which it may have; every other is refused.
_NEEDED: dict[str, frozenset[str]] = {
    "status": frozenset({"status"}),
    "delay": frozenset({"delay_s"}),
    "slow-stream": frozenset({"delay_s"}),
    "quota": frozenset({"quota_share"}),
}
_ALLOWED: dict[str, frozenset[str]] = {"status": frozenset({"status", "retry_after_s"})}
_SPECIFIC = ("status", "retry_after_s", "delay_s", "quota_share")


class Fault(BaseModel):
    """One fault; without `calls` and `for_s` it lasts until it is cleared."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)

    kind: FaultKind
    deployment: str | None = None
    """None = every deployment of the account."""
    status: Annotated[int, Field(ge=400, le=599)] | None = None
    retry_after_s: Annotated[float, Field(ge=0, le=604_800)] | None = None
    delay_s: Annotated[float, Field(gt=0, le=3600)] | None = None
    quota_share: Annotated[float, Field(ge=0, le=1)] | None = None
    calls: Annotated[int, Field(ge=1)] | None = None
    """For the next so many calls."""
    for_s: Annotated[float, Field(gt=0)] | None = None
    """For so many seconds from when it begins."""
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the calls that it hits."""

    @model_validator(mode="after")
    def _check_values(self) -> "Fault":
        given = {name for name in _SPECIFIC if getattr(self, name) is not None}
        needed = _NEEDED.get(self.kind, frozenset())
        if missing := needed - given:
            raise ValueError(f"{self.kind} needs {_spell(missing)}")
        if surplus := given - _ALLOWED.get(self.kind, needed):
            raise ValueError(f"{self.kind} takes no {_spell(surplus)}")
        if self.kind == "quota" and (self.calls is not None or self.share != 1):
            raise ValueError("quota changes what there is, not single calls: use forS instead of calls or share")
        return self


def parse_fault(raw: Mapping[str, Any]) -> Fault:
    """Return the fault that `raw` describes, with camelCase names.

    Raises:
        SinbinError: it describes none; every problem is named.
    """
    try:
        return Fault.model_validate(raw)
    except ValidationError as error:
        problems = [
            ".".join(["fault", *map(str, problem["loc"])]) + ": " + problem["msg"].removeprefix("Value error, ")
            for problem in error.errors(include_url=False)
        ]
        raise SinbinError("\n".join(problems)) from error


def _spell(names: set[str] | frozenset[str]) -> str:
    return ", ".join(to_camel(name) for name in sorted(names))


@dataclass(slots=True)
class ActiveFault:
    """A fault that has begun, and what is left of it."""

    number: int
    fault: Fault
    until: float | None
    calls_left: int | None

    def is_over(self, now: float) -> bool:
        """Return whether it has run out at `now`."""
        return (self.until is not None and now >= self.until) or self.calls_left == 0


@dataclass(slots=True)
class Faults:
    """The faults of one region."""

    _active: list[ActiveFault] = field(default_factory=list)
    _count: int = 0

    def begin(self, now: float, fault: Fault) -> ActiveFault:
        """Begin `fault` at `now`; its number tells it from the others."""
        self._count += 1
        until = None if fault.for_s is None else now + fault.for_s
        active = ActiveFault(self._count, fault, until, fault.calls)
        self._active.append(active)
        return active

    def clear(self, number: int | None = None) -> bool:
        """End the fault `number`, or all of them; return whether there was one."""
        kept = [] if number is None else [active for active in self._active if active.number != number]
        ended = len(kept) < len(self._active)
        self._active = kept
        return ended

    def active(self, now: float) -> tuple[ActiveFault, ...]:
        """Return the faults that have not run out, oldest first."""
        self._active = [active for active in self._active if not active.is_over(now)]
        return tuple(self._active)

    def strike(self, now: float, rng: random.Random, deployment: str | None) -> tuple[Fault, ...]:
        """Return the faults that hit a call to `deployment` at `now`, and count the call."""
        if not self._active:
            return ()
        struck = []
        for active in self.active(now):
            fault = active.fault
            if fault.kind == "quota" or fault.deployment not in (None, deployment):
                continue
            if fault.share < 1 and rng.random() >= fault.share:
                continue
            if active.calls_left is not None:
                active.calls_left -= 1
            struck.append(fault)
        return tuple(struck)

    def quota_share(self, now: float, deployment: str) -> float:
        """Return the share of the quota that is there for `deployment` at `now`."""
        share = 1.0
        for active in self.active(now) if self._active else ():
            fault = active.fault
            if fault.quota_share is not None and fault.deployment in (None, deployment):
                share *= fault.quota_share
        return share
