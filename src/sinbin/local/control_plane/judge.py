"""A body against the shape that the official models give it.

Every problem of a body is found, in the order of the body. Properties that only Azure may set are dropped, as
ARM drops them; enumerations compare without regard to case and come out in Azure's own spelling.

The words are those of the .NET services behind ARM, without the line and position that they add.
Source: messages quoted in https://github.com/Azure/bicep/issues/13324 and
https://github.com/Azure/azure-rest-api-specs/issues/35713, read 2026-11-29.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sinbin.local.control_plane.shapes import Field, Shape

# Weeks, months and years are legal here: what a breaker may say is judged by the backend, not by the type.
_DURATION = re.compile(
    r"P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?|(\d+\.)?\d{1,2}:\d\d:\d\d"
)

_TYPE_NAMES = {
    "string": "System.String",
    "integer": "System.Int64",
    "number": "System.Double",
    "boolean": "System.Boolean",
    "duration": "System.TimeSpan",
    "datetime": "System.DateTime",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: `path` is dotted, e.g. `properties.circuitBreaker.rules[0].name`."""

    path: str
    message: str


def judge(body: Any, shape: Shape, *, unknown: str | None = None) -> tuple[Any, list[Problem]]:
    """Return `body` as ARM takes it, and what is wrong with it (nothing: an empty list).

    A text equal to `unknown` stands for a value that is not known yet, and fits everywhere.
    """
    problems: list[Problem] = []
    taken = _value(body, shape, "", problems)
    if unknown is not None:
        problems = [problem for problem in problems if _at(body, problem.path) != unknown]
    return taken, problems


def _at(body: Any, path: str) -> Any:
    for part in re.findall(r"[^.\[\]]+", path):
        if isinstance(body, list) and part.isdigit() and int(part) < len(body):
            body = body[int(part)]
        elif isinstance(body, dict):
            body = body.get(part)
        else:
            return None
    return body


def _value(value: Any, shape: Shape, path: str, problems: list[Problem]) -> Any:
    match shape.kind:
        case "any":
            return value
        case "object":
            return _object(value, shape, path, problems)
        case "map" if isinstance(value, dict) and shape.item is not None:
            return {k: _value(v, shape.item, f"{path}.{k}".lstrip("."), problems) for k, v in value.items()}
        case "array" if isinstance(value, list) and shape.item is not None:
            return [_value(v, shape.item, f"{path}[{i}]", problems) for i, v in enumerate(value)]
        case "map" | "array":
            expected = "JSON object" if shape.kind == "map" else "JSON array"
            problems.append(
                Problem(path, f"Cannot deserialize the current JSON value because it requires a {expected}")
            )
            return value
        case _:
            return _scalar(value, shape, path, problems)


def _object(value: Any, shape: Shape, path: str, problems: list[Problem]) -> Any:
    if not isinstance(value, dict):
        problems.append(
            Problem(path, f"Error converting value {_show(value)} to type '{shape.name}'"),
        )
        return value
    known = {name.lower(): name for name in shape.fields}
    taken: dict[str, Any] = {}
    for key, inner in value.items():
        name = known.get(key.lower())
        where = f"{path}.{key}".lstrip(".")
        if name is None:
            problems.append(Problem(where, f"Could not find member '{key}' on object of type '{shape.name}'"))
            continue
        member = shape.fields[name]
        if member.read_only:
            continue
        if inner is None:
            continue  # null is as good as absent; a required member is missed below
        taken[name] = _value(inner, member.shape, where, problems)
        problems.extend(Problem(where, message) for message in _out_of_bounds(taken[name], member))
    for name, member in shape.fields.items():
        if member.required and name not in taken:
            where = f"{path}.{name}".lstrip(".")
            problems.append(Problem(where, f"Required property '{name}' not found in JSON"))
    return taken


def _scalar(value: Any, shape: Shape, path: str, problems: list[Problem]) -> Any:
    fits = {
        "string": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
        "duration": isinstance(value, str) and _DURATION.fullmatch(value) is not None,
        "datetime": isinstance(value, str) and _is_datetime(value),
    }[shape.kind]
    if not fits:
        name = shape.name or _TYPE_NAMES[shape.kind]
        problems.append(Problem(path, f"Error converting value {_show(value)} to type '{name}'"))
    elif shape.values:
        for known in shape.values:
            if known.lower() == value.lower():
                return known
        allowed = ", ".join(shape.values)
        problems.append(
            Problem(path, f"Error converting value {_show(value)} to type '{shape.name}'; allowed: {allowed}")
        )
    return value


def _is_datetime(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _out_of_bounds(value: Any, member: Field) -> Iterator[str]:
    bounds = member.bounds
    if isinstance(value, str):
        low, high = bounds.get("min_length", 0), bounds.get("max_length", float("inf"))
        if not low <= len(value) <= high:
            yield f"The length must be between {low} and {high}, and it is {len(value)}"
        if "pattern" in bounds and re.search(bounds["pattern"], value) is None:
            yield f"The value '{value}' does not match the pattern {bounds['pattern']}"
    elif isinstance(value, list):
        low, high = bounds.get("min_items", 0), bounds.get("max_items", float("inf"))
        if not low <= len(value) <= high:
            yield f"The number of items must be between {low} and {high}, and it is {len(value)}"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        low, high = bounds.get("minimum", float("-inf")), bounds.get("maximum", float("inf"))
        if not low <= value <= high:
            yield f"The value must be between {low} and {high}, and it is {value}"


def _show(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict | list):
        return "of JSON type " + ("object" if isinstance(value, dict) else "array")
    return (
        {True: "true", False: "false", None: "null"}.get(value, str(value))
        if value in (True, False)
        else str(value)
    )
