"""What the policy reference says of every element: one JSON file per policy, read when it is first asked for."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def names() -> frozenset[str]:
    """Return the names of all policies."""
    return frozenset(path.stem for path in _FOLDER.glob("*.json"))


def is_policy(name: str) -> bool:
    """Return whether `name` is a policy of the reference."""
    return name in names()
