"""Reads stack files; names file, line and path in every problem found."""

import datetime as dt
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from sinbin.errors import SettingsError
from sinbin.input_files import InputFileError, read_text
from sinbin.settings.build import check_names
from sinbin.settings.checks import Path as KeyPath
from sinbin.settings.checks import Problem, check_settings
from sinbin.settings.schema import Settings

CONFIG_KEY = "sinbin:gateway"
_LOCATION_KEY = "azure-native:location"


@dataclass(frozen=True, slots=True, kw_only=True)
class StackFile:
    """A stack file as it was read: its raw gateway object, and the line of every key path in it."""

    path: Path
    gateway: Mapping[str, Any]
    lines: Mapping[KeyPath, int]


def load_settings(path: Path) -> Settings:
    """Read the stack file at `path`.

    Raises:
        SettingsError: it cannot be read, or does not describe a gateway; every problem at once.
    """
    stack = read_stack_file(path)
    return parse_settings(stack.gateway, source=str(path), lines=stack.lines)


def read_stack_file(path: Path) -> StackFile:
    """Read the YAML of a stack file without judging the gateway in it.

    `environment` and `location` come from the file's name and from `azure-native:location` where the gateway
    object does not say them itself.

    Raises:
        SettingsError: the file is not there, is no YAML, repeats a key, or has no `sinbin:gateway`.
    """
    try:
        root = yaml.compose(read_text(path), Loader=yaml.CSafeLoader)
    except InputFileError as error:
        raise SettingsError([str(error)]) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise SettingsError([f"{path}{line}: is no YAML: {getattr(error, 'problem', error)}"]) from error
    lines: dict[KeyPath, int] = {}
    problems: list[str] = []
    try:
        document = _value(root, (), lines, problems) if root else None
    except RecursionError as error:
        raise SettingsError([f"{path}: is nested too deeply to be a stack file"]) from error
    if problems:
        raise SettingsError([f"{path}{problem}" for problem in problems])
    config = document.get("config") if isinstance(document, Mapping) else None
    gateway = config.get(CONFIG_KEY) if isinstance(config, Mapping) else None
    if not isinstance(config, Mapping) or not isinstance(gateway, Mapping):
        raise SettingsError([f"{path}: has no mapping under config → {CONFIG_KEY}, which describes the gateway"])
    prefix: KeyPath = ("config", CONFIG_KEY)
    defaults = {"environment": _environment(path), "location": config.get(_LOCATION_KEY)}
    return StackFile(
        path=path,
        gateway={**{key: value for key, value in defaults.items() if value is not None}, **gateway},
        lines={key[2:]: line for key, line in lines.items() if key[:2] == prefix},
    )


def _environment(path: Path) -> str:
    """Return the environment that a stack file is for: `prod` of `Pulumi.prod.yaml`."""
    return path.stem.removeprefix("Pulumi.")


def parse_settings(raw: Mapping[str, Any], *, source: str, lines: Mapping[KeyPath, int] | None = None) -> Settings:
    """Validate `raw`, the gateway object.

    Args:
        raw: the object under `sinbin:gateway`.
        source: the file that every problem names.
        lines: line of each key path, where known.

    Raises:
        SettingsError: it does not describe a gateway; every problem at once.
    """
    problems = list(check_settings(raw))
    # What a check says of a breaker as a whole is clearer than what the schema says of its keys.
    spoken_for = {path for path, _ in problems if path[-1:] == ("circuitBreaker",)}
    settings = None
    try:
        settings = Settings.model_validate(raw)
    except ValidationError as error:
        problems += [
            (path, message)
            for path, message in _describe(error)
            if not any(path[: len(spoken)] == spoken for spoken in spoken_for)
        ]
    if settings is not None and not problems:
        problems += check_names(settings)
    if settings is None or problems:
        raise SettingsError(_lines(problems, source, lines or {}))
    return settings


def _lines(problems: list[Problem], source: str, lines: Mapping[KeyPath, int]) -> list[str]:
    """Return one line per problem, in the order of the file."""
    placed = []
    for path, message in problems:
        line = next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), 0)
        where = f"{source}:{line}" if line else source
        placed.append((line, f"{where}: {'.'.join(['gateway', *map(str, path)])}: {message}"))
    return [text for _, text in sorted(placed)]


def _describe(error: ValidationError) -> Iterator[Problem]:
    for detail in error.errors(include_url=False):
        path = tuple(part for part in detail["loc"] if part != "[key]")
        yield path, _message(detail, path)


_SHAPES = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
}


def _message(detail: ErrorDetails, path: KeyPath) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    got = f" (got {value!r})"
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return _unknown_key(path)
    if kind == "value_error":
        text = str(context["error"])
        return f'"{value}" {text}' if text.startswith(("is no", "must be")) and isinstance(value, str) else text
    if kind == "literal_error":
        return f"must be one of {context['expected'].replace(' or ', ', ')}{got}"
    if kind == "string_type" and isinstance(value, dt.date):
        return f'must be text; put it in quotes: "{value}"'
    if kind == "string_type" and path[-1:] in (("interval",), ("tripDuration",)) and isinstance(value, int):
        return f"must be an ISO 8601 duration; write PT{value}S for {value} seconds"
    if kind in _SHAPES:
        return f"{_SHAPES[kind]}{got if not isinstance(value, Mapping | list) else ''}"
    bounds = {"greater_than_equal": "ge", "less_than_equal": "le", "greater_than": "gt", "less_than": "lt"}
    if kind in bounds:
        words = {"ge": "at least", "le": "at most", "gt": "more than", "lt": "less than"}
        return f"must be {words[bounds[kind]]} {context[bounds[kind]]:g}{got}"
    if kind == "multiple_of":
        return f"must be a multiple of {context['multiple_of']:g}, the step in which Azure gives quota{got}"
    return f"{detail['msg'][0].lower()}{detail['msg'][1:]}{got}"


def _unknown_key(path: KeyPath) -> str:
    model: Any = Settings
    for part in path[:-1]:
        if isinstance(part, str) and isinstance(model, type) and issubclass(model, BaseModel):
            model = _model_of(model, part)
    if model is None:
        return "is no key that is known here"
    allowed = [field.alias or name for name, field in model.model_fields.items()]
    close = difflib.get_close_matches(str(path[-1]), allowed, n=1)
    advice = f'did you mean "{close[0]}"? ' if close else ""
    return f"is no key that is known here; {advice}known: {', '.join(allowed)}"


def _model_of(model: type[BaseModel], alias: str) -> type[BaseModel] | None:
    """Return the model class inside the annotation of the field `alias`: of `tuple[X, ...]` and `X | None`, X."""
    for field in model.model_fields.values():
        if field.alias == alias:
            pending: list[Any] = [field.annotation]
            while pending:
                annotation = pending.pop()
                if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                    return annotation
                pending.extend(getattr(annotation, "__args__", ()))
    return None


def _value(node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], problems: list[str]) -> Any:
    """Return what `node` means, noting the line of every path and every key that is given twice."""
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in mapping:
                problems.append(
                    f":{key_node.start_mark.line + 1}: {'.'.join(map(str, (*path, key)))}: is given twice"
                )
            lines[(*path, key)] = key_node.start_mark.line + 1
            mapping[key] = _value(value_node, (*path, key), lines, problems)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, index), lines, problems) for index, item in enumerate(node.value)]
    try:
        return yaml.CSafeLoader("").construct_object(node)
    except (ValueError, yaml.YAMLError):
        problems.append(f":{node.start_mark.line + 1}: {'.'.join(map(str, path))}: is no plain value of YAML")
        return None
