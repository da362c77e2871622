"""Did you mean: the known name that a misspelt one stands for."""

from collections.abc import Iterable
from difflib import SequenceMatcher

_CLOSE = 0.7


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the one of `known` that is most like `name`; None when none is close.

    Case, underscores and hyphens count little: `rateLimit` and `rate_limit` are both near to `rate-limit`.
    """
    wanted = _plain(name)
    best, best_score = None, _CLOSE
    for candidate in sorted(known):
        matcher = SequenceMatcher(None, wanted, _plain(candidate), autojunk=False)
        if matcher.real_quick_ratio() > best_score and matcher.ratio() > best_score:
            best, best_score = candidate, matcher.ratio()
    return best


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")
