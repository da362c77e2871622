"""Scenario files: YAML → Scenario, every problem at once with file and path."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sinbin.errors import SinbinError
from sinbin.input_files import InputFileError, read_yaml
from sinbin.simulate import loads
from sinbin.simulate import scenario as parts
from sinbin.simulate.bounds import MOST_TOKENS
from sinbin.simulate.checks import check_faults, check_scenario
from sinbin.simulate.mending import further_problems
from sinbin.simulate.part import Part
from sinbin.simulate.scenario import Faults, Scenario

KeyPath = tuple[str | int, ...]


def _kinds(union: Any) -> list[str]:
    members = get_args(get_args(union)[0])
    return [get_args(member.model_fields["kind"].annotation)[0] for member in members]


_KINDS = {*_kinds(loads.Load), *_kinds(parts.Fault)}
"""Values of `kind`: pydantic puts them into the path of an error, the file has no such key."""
_NO_KIND = ("union_tag_invalid", "union_tag_not_found")
_TOKENS = f"must be a number of tokens up to {MOST_TOKENS}, or {{median: tokens, p95: tokens}}"
_CHOICES = {
    "pause": "must be seconds, a list of seconds, retry-after, or {exponential: seconds}",
    "promptTokens": _TOKENS,
    "completionTokens": _TOKENS,
}
"""Keys whose value may be of several types: pydantic reports the first type, a reader needs all."""
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
_SHAPES = {
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
    "dict_type": "must be a mapping",
    "tuple_type": "must be a list",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "finite_number": "must be a finite number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
}


class ScenarioError(SinbinError):
    """A scenario does not describe an experiment; one line per problem, all of them at once."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


def load_scenario(path: Path) -> Scenario:
    """Read the scenario file at `path`.

    Raises:
        ScenarioError: it cannot be read, or does not describe an experiment; every problem at once.
    """
    try:
        raw = read_yaml(path)
    except InputFileError as error:
        raise ScenarioError([str(error)]) from error
    if not isinstance(raw, Mapping):
        raise ScenarioError([f"{path}: must be a mapping with name, regions and load"])
    if "cards" in raw:
        raise ScenarioError([f"{path}: holds run cards, not a scenario; simulate them with: sinbin cards {path}"])
    return parse_scenario(raw, source=str(path))


def load_scenarios(paths: Sequence[Path]) -> list[Scenario]:
    """Read the scenario files at `paths`.

    Raises:
        ScenarioError: one or more do not describe an experiment; the problems of all files at once.
    """
    problems: list[str] = []
    scenarios: list[Scenario] = []
    for path in paths:
        try:
            scenarios.append(load_scenario(path))
        except ScenarioError as error:
            problems += error.problems
    if problems:
        raise ScenarioError(problems)
    return scenarios


def parse_scenario(raw: Mapping[str, Any], *, source: str) -> Scenario:
    """Validate `raw`; every problem names `source`.

    Raises:
        ScenarioError: it does not describe an experiment; every problem at once.
    """
    try:
        scenario = Scenario.model_validate(raw)
    except ValidationError as error:
        places = [detail["loc"] for detail in error.errors(include_url=False)]
        further = [f"{path}: {message}" for path, message in further_problems(raw, places)]
        lines = [*_describe(error), *_untagged(error), *further]
        raise ScenarioError([f"{source}: {line}" for line in lines]) from error
    problems = [f"{source}: {path}: {message}" for path, message in check_scenario(scenario)]
    if problems:
        raise ScenarioError(problems)
    return scenario


def with_faults(scenario: Scenario, faults: Sequence[Mapping[str, Any]]) -> Scenario:
    """Return `scenario` with further faults.

    Raises:
        ScenarioError: a fault is wrong, or its region unknown; every problem at once.
    """
    try:
        further = Faults.model_validate({"faults": list(faults)}).faults
    except ValidationError as error:
        raise ScenarioError([f"{scenario.name}: {line}" for line in _describe(error)]) from error
    changed = scenario.model_copy(update={"faults": (*scenario.faults, *further)})
    problems = [f"{scenario.name}: {path}: {message}" for path, message in check_faults(changed)]
    if problems:
        raise ScenarioError(problems)
    return changed


def _describe(error: ValidationError) -> Iterator[str]:
    # A value that may be of several types fails once per type; the first says enough.
    seen: set[str] = set()
    for detail in error.errors(include_url=False):
        path = _path(detail["loc"]) + (".kind" if detail["type"] in _NO_KIND else "")
        if path not in seen:
            seen.add(path)
            yield f"{path}: {_message(detail, path.rpartition('.')[2])}"


def _untagged(error: ValidationError) -> Iterator[str]:
    # Without a kind nothing of a load or a fault has been read; what all kinds have in common can be judged.
    for detail in error.errors(include_url=False):
        if detail["type"] not in _NO_KIND:
            continue
        shape = loads.AnyLoad if detail["loc"][0] == "load" else parts.AnyFault
        known = {field.alias or name for name, field in shape.model_fields.items()}
        try:
            shape.model_validate({key: value for key, value in detail["input"].items() if key in known})
        except ValidationError as inner:
            yield from (f"{_path(detail['loc'])}.{line}" for line in _describe(inner))


def _path(location: KeyPath) -> str:
    shown: list[str] = []
    for part in location:
        if isinstance(part, str) and (
            (part in _KINDS and shown[-1:] == ["load"])
            or (part in _KINDS and shown[-2:-1] == ["faults"])
            or part in ("[key]", "Tokens", "ExponentialPause", "float", "int", "constrained-int")
            or part.startswith(("tuple[", "literal[", "constrained"))
        ):
            continue
        shown.append(str(part))
    return ".".join(shown)


def _message(detail: ErrorDetails, key: str) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    got = "" if isinstance(value, Mapping | list) else f" (got {value!r})"
    if key in _CHOICES:
        return _CHOICES[key] + got
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return _unknown(str(detail["loc"][-1]))
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"must be {words} {context[bound]:g}{got}"
    if kind == "value_error":
        text = str(context["error"])
        return f'"{value}" {text}' if isinstance(value, str) and text.startswith("is no") else text
    if kind in _NO_KIND:
        union = loads.Load if detail["loc"][0] == "load" else parts.Fault
        got = f'(got "{context["tag"]}")' if "tag" in context else "(it is missing)"
        return f"must be one of {', '.join(_kinds(union))} {got}"
    if kind == "literal_error":
        return f"must be one of {context['expected'].replace(' or ', ', ')}{got}"
    if kind in _SHAPES:
        return f"{_SHAPES[kind]}{got}"
    return f"{detail['msg'][0].lower()}{detail['msg'][1:]}{got}"


def _unknown(key: str) -> str:
    known = {
        field.alias or name
        for part in (vars(parts) | vars(loads)).values()
        if isinstance(part, type) and issubclass(part, Part)
        for name, field in part.model_fields.items()
    }
    close = difflib.get_close_matches(key, sorted(known), n=1)
    return "is no key that is known here" + (f'; did you mean "{close[0]}"?' if close else "")
