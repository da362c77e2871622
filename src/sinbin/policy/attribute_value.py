"""Whether what an attribute says is what the reference allows."""

from sinbin.policy.catalogue import AttributeSpec
from sinbin.policy.nodes import Attribute
from sinbin.policy.suggest import closest


def wrong_value(known: AttributeSpec, attribute: Attribute) -> str | None:
    """Return what should stand in `attribute`; None when it is right, or only known when it is filled in."""
    value = attribute.literal
    if (known.type == "string" and not known.required) or value is None:
        return None
    if "$" in value or "%" in value or "__" in value:
        return None  # a placeholder of some template language
    return _expected(known, value.strip())


def _expected(known: AttributeSpec, value: str) -> str | None:
    """Return what should stand there instead of `value`; None when it is right."""
    if known.type == "boolean":
        return None if value.lower() in {"true", "false"} else "true or false"
    if known.type == "enum":
        if value in known.values:
            return None
        suggestion = closest(value, known.values)
        return f"{', '.join(known.values)}" + (f"; did you mean {suggestion}?" if suggestion else "")
    if known.type in {"integer", "number"}:
        number = _number(value, known.type)
        if number is None:
            return f"{'a whole' if known.type == 'integer' else 'a'} number{_range(known)}"
        low, high = known.minimum, known.maximum
        if (low is not None and number < low) or (high is not None and number > high):
            return f"a number{_range(known)}"
        return None
    return "a value; it is empty" if known.required and not value and not known.may_be_empty else None


def _number(value: str, kind: str) -> float | None:
    try:
        return int(value) if kind == "integer" else float(value)
    except ValueError:
        return None


def _range(known: AttributeSpec) -> str:
    low, high = known.minimum, known.maximum
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    return f" of at least {low:g}" if low is not None else ""
