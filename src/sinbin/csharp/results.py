"""Results of expressions as JSON and text, and JSON as values of expressions: what tools show and take.

{"result": 5, "type": "System.Int32"}      {"throws": "System.FormatException", "message": "…"}
"""

import json
import math
from decimal import Decimal
from typing import Any

from sinbin.csharp.compiler import CompiledExpression
from sinbin.csharp.context import Context
from sinbin.csharp.exceptions import CsException, StepsExceededError
from sinbin.csharp.jsonnet.containers import JArray, JObject
from sinbin.csharp.jsonnet.tokens import JToken
from sinbin.csharp.jsonnet.writer import write
from sinbin.csharp.utf16 import from_utf16, to_utf16
from sinbin.csharp.values import Int64, full_name, to_text, type_of

# StepsExceededError is no exception of .NET; the gateway's own error of this name ends an expression.
STEPS_EXCEEDED = "sinbin.StepsExceeded"
_MOST_NESTED = 100


def run(compiled: CompiledExpression, context: Context) -> dict[str, Any]:
    """Evaluate and return `{"result", "type"}`, `{"throws", "message"}`, or `{"findings"}` for what is no JSON."""
    try:
        value = compiled.evaluate(context)
    except CsException as error:
        return {"throws": error.type_name, "message": from_utf16(error.message)}
    except StepsExceededError as error:
        return {"throws": STEPS_EXCEEDED, "message": str(error)}
    try:
        return {"result": to_json(value), "type": None if value is None else full_name(type_of(value))}
    except RecursionError:
        why = "the result contains itself, or is nested too deep to be shown"
        return {"findings": [{"reason": "not-modelled", "line": 1, "column": 1, "message": why}]}


def to_json(value: Any, inside: int = 0) -> Any:
    """Return a value as JSON: DateTime in the "o" format, TimeSpan in "c", Guid in lower case, Char as a text.

    A number that JSON does not have (NaN, an infinity) and a decimal are texts.

    Args:
        value: the value.
        inside: how many collections it stands in.

    Raises:
        RecursionError: they are more than 100.
    """
    if inside > _MOST_NESTED:
        raise RecursionError
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and not hasattr(value, "names"):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else to_text(value)
    if isinstance(value, str):
        return from_utf16(value)
    if isinstance(value, Decimal):
        return float(value) if Decimal(repr(float(value))) == value else to_text(value)
    if isinstance(value, JToken):
        return json.loads(from_utf16(write(value, indented=False)))
    kind = type_of(value)
    if kind.name in {"DateTime", "DateTimeOffset"}:
        return value.cs_format("o")
    if kind.name == "new":
        return {label: to_json(item, inside + 1) for label, item in zip(kind.labels, value, strict=True)}
    if kind.name in {"Dictionary", "IReadOnlyDictionary"}:
        return {to_text(key): to_json(item, inside + 1) for key, item in value}
    # What has a text of its own is shown by it, unless it is one of our collections.
    own_text = hasattr(value, "cs_text") and not hasattr(value, "items") and kind.name != "KeyValuePair"
    if hasattr(value, "__iter__") and not own_text:
        return [to_json(item, inside + 1) for item in value]
    return from_utf16(to_text(value))


def from_json(value: Any) -> Any:
    """Return JSON as a variable's value: text → String, integer → Int32 or Int64, object → JObject, …."""
    if isinstance(value, str):
        return to_utf16(value)
    if isinstance(value, dict):
        return JObject(_utf16(value))
    if isinstance(value, list):
        return JArray(_utf16(value))
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**31) <= value < 2**31:
        return Int64(value)
    return value


def _utf16(value: Any) -> Any:
    if isinstance(value, dict):
        return {to_utf16(name): _utf16(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_utf16(item) for item in value]
    return to_utf16(value) if isinstance(value, str) else value
