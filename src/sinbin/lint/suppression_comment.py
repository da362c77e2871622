"""The comment that suppresses rules: `<!-- sinbin: ignore[SB101, SB203] the reason -->`."""

import re

_COMMENT = re.compile(r"\s*sinbin:\s*ignore\s*\[([^\]]*)\]\s*:?\s*(.*)", re.DOTALL)


def parse_comment(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return the rules and the reason in a comment's text; None when it is an ordinary comment."""
    match = _COMMENT.match(text)
    if match is None:
        return None
    rules = tuple(rule.strip().upper() for rule in match[1].split(",") if rule.strip())
    return (rules, " ".join(match[2].split())) if rules else None
