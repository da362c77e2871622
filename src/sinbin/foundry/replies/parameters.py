"""Checks of request bodies: unknown, unmodelled and mistyped parameters are refused in the model's words.

Source of the wording: https://github.com/openai/openai-python/issues/1724 (unrecognized argument) and
https://github.com/owndev/Open-WebUI-Functions/issues/136 (unsupported parameter), read 2026-11-29; the rest
follows the same API's public replies.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from sinbin.foundry.replies.errors import model_error


def read_body(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`.

    Raises:
        WireError: it is none.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise model_error("We could not parse the JSON body of your request.") from None
    if not isinstance(value, dict):
        raise model_error("The body of your request is no JSON object.")
    return value


def names(words: str) -> frozenset[str]:
    """Return the parameter names in `words`."""
    return frozenset(words.split())


def check_names(body: Mapping[str, Any], known: Collection[str], unmodelled: Collection[str]) -> None:
    """Refuse parameters that the API does not have, and those that sinbin does not model.

    Raises:
        WireError: there is one.
    """
    for name, value in body.items():
        if name in unmodelled:
            if value is not None:
                raise not_modelled(name)
        elif name not in known:
            raise model_error(f"Unrecognized request argument supplied: {name}")


def not_modelled(name: str, what: str = "parameter") -> Exception:
    """Return the refusal of something that Azure would do and sinbin does not."""
    return model_error(
        f"Unsupported {what}: '{name}' is not modelled by this local region.",
        param=name,
        code="unsupported_parameter",
    )


def integer(body: Mapping[str, Any], name: str, *, low: int = 1, high: int | None = None) -> int | None:
    """Return the whole number `name`, or None when it is missing or null.

    Raises:
        WireError: it is no whole number from `low` to `high`.
    """
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(name, "an integer", value)
    return int(_within(name, value, "integer", low, high))


def number(body: Mapping[str, Any], name: str, low: float, high: float) -> float | None:
    """Return the number `name`, or None when it is missing or null.

    Raises:
        WireError: it is no number from `low` to `high`.
    """
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong_type(name, "a decimal", value)
    return _within(name, value, "decimal", low, high)


def boolean(body: Mapping[str, Any], name: str) -> bool:
    """Return the truth value `name`; missing or null is false.

    Raises:
        WireError: it is neither true nor false.
    """
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise _wrong_type(name, "a boolean", value)
    return bool(value)


def text(body: Mapping[str, Any], name: str) -> str | None:
    """Return the string `name`, or None when it is missing or null.

    Raises:
        WireError: it is no string.
    """
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong_type(name, "a string", value)
    return value


def mapping(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the object `name`; missing or null is empty.

    Raises:
        WireError: it is no object.
    """
    value = body.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong_type(name, "an object", value)
    return value


def stop_sequences(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the strings of `stop`, at most four.

    Raises:
        WireError: it is neither a string nor a short list of strings.
    """
    value = body.get("stop")
    stops = [value] if isinstance(value, str) else value or []
    if not isinstance(stops, list) or len(stops) > 4 or not all(isinstance(stop, str) and stop for stop in stops):
        raise model_error("Invalid 'stop': expected a string or an array of at most 4 strings.", param="stop")
    return tuple(stops)


def missing(name: str) -> Exception:
    """Return the refusal of a request without a required parameter."""
    return model_error(f"Missing required parameter: '{name}'.", param=name, code="missing_required_parameter")


def _within(name: str, value: float, kind: str, low: float, high: float | None) -> float:
    if value < low:
        raise model_error(
            f"Invalid '{name}': {kind} below minimum value. Expected a value >= {low}, but got {value} instead.",
            param=name,
            code=f"{kind}_below_min_value",
        )
    if high is not None and value > high:
        raise model_error(
            f"Invalid '{name}': {kind} above maximum value. Expected a value <= {high}, but got {value} instead.",
            param=name,
            code=f"{kind}_above_max_value",
        )
    return value


def _wrong_type(name: str, expected: str, value: object) -> Exception:
    kinds = {
        bool: "a boolean",
        int: "an integer",
        float: "a decimal",
        str: "a string",
        list: "an array",
        dict: "an object",
        type(None): "null",
    }
    return model_error(
        f"Invalid type for '{name}': expected {expected}, but got {kinds[type(value)]} instead.",
        param=name,
        code="invalid_type",
    )
