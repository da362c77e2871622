"""What happened to one request, step by step; kept only when somebody asked for it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sinbin.gateway.failures import Place


class TraceEntry(NamedTuple):
    """One thing that happened at `at` (s); `place` is the policy that was running, None for the gateway itself."""

    at: float
    place: Place | None
    text: str
    starts: bool = False
    """The policy at `place` starts here."""

    def __str__(self) -> str:
        where = "" if self.place is None else f"{self.place.scope}/{self.place.section} {self.place.path}: "
        return f"{self.at:8.3f}s  {where}{self.text}"


@dataclass(slots=True)
class Trace:
    """The entries of one request, in order."""

    entries: list[TraceEntry] = field(default_factory=list)
    _place: Place | None = None

    def policy(self, now: float, place: Place, title: str) -> None:
        """Note that the policy at `place`, called `title`, starts."""
        self._place = place
        self.entries.append(TraceEntry(now, place, title, starts=True))

    def note(self, now: float, text: str) -> None:
        """Note what the running policy does."""
        self.entries.append(TraceEntry(now, self._place, text))

    def gateway(self, now: float, text: str) -> None:
        """Note what the gateway itself does, outside any policy."""
        self._place = None
        self.entries.append(TraceEntry(now, None, text))

    def __str__(self) -> str:
        return "\n".join(str(entry) for entry in self.entries)
