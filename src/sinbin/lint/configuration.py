"""`[tool.sinbin.lint]` of pyproject.toml: what a team agreed on about its linter.

[tool.sinbin.lint]
fail-on = "warning"
tier = "StandardV2"
rules = "lint_rules"              # a folder of your own rules: its modules are run as Python
baseline = "lint-baseline.json"
context = "lint-context.json"

[[tool.sinbin.lint.ignore]]
rule = "SB301"
path = "infra/*.json"
at = "/properties/pool"
reason = "the second region opens in March"
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sinbin.errors import SinbinError
from sinbin.lint.context import TIERS, Context
from sinbin.lint.data_file import DataFile
from sinbin.lint.finding import Severity
from sinbin.lint.suppress import ConfiguredSuppression

_KEYS = {"fail-on", "tier", "rules", "baseline", "context", "ignore"}
_HEADER = re.compile(r"^\[\[tool\.sinbin\.lint\.ignore\]\]", re.MULTILINE)
_IGNORE_KEYS = {"rule", "path", "at", "reason"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The settings of the linter; paths are relative to the folder of pyproject.toml, made absolute."""

    document: DataFile | None = None
    """pyproject.toml itself, for findings about its entries; None when there is none."""
    fail_on: Severity = Severity.ERROR
    tier: str | None = None
    rules: Path | None = None
    baseline: Path | None = None
    context: Path | None = None
    ignore: tuple[ConfiguredSuppression, ...] = field(default=())


def read_configuration(folder: Path) -> Configuration:
    """Return the settings in the nearest pyproject.toml at or above `folder` that has any; else the defaults.

    Raises:
        SinbinError: the table holds something that is not known or not allowed.
    """
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        try:
            text = path.read_text("utf-8")
        except OSError:
            continue
        if "tool.sinbin.lint" not in text:
            continue
        import tomllib  # noqa: PLC0415  # most folders have no such table

        try:
            table = tomllib.loads(text)["tool"]["sinbin"]["lint"]
        except tomllib.TOMLDecodeError as error:
            raise SinbinError(f"{path}: is no TOML: {error}") from error
        except (KeyError, TypeError):
            continue
        return _configuration(path, text, table)
    return Configuration()


def severity_of(word: str) -> Severity:
    """Return the severity called error, warning or note."""
    return Severity[word.upper()]


def _configuration(path: Path, text: str, table: Mapping[str, Any]) -> Configuration:
    where = f"{path}: tool.sinbin.lint"
    if unknown := sorted(set(table) - _KEYS):
        raise SinbinError(f"{where}.{unknown[0]}: is no key that is known here; known: {', '.join(sorted(_KEYS))}")
    fail_on = table.get("fail-on", "error")
    if fail_on not in ("error", "warning", "note"):
        raise SinbinError(f'{where}.fail-on: "{fail_on}" is not allowed; one of error, warning, note')
    tier = table.get("tier")
    if tier is not None and tier not in TIERS:
        raise SinbinError(f'{where}.tier: "{tier}" is not allowed; one of {", ".join(TIERS)}')
    paths = {key: _path(path, table, key) for key in ("rules", "baseline", "context")}
    return Configuration(
        document=DataFile("pyproject.toml", text, Context()),
        fail_on=severity_of(fail_on),
        tier=tier,
        ignore=tuple(_ignore(where, text, table.get("ignore", []))),
        **paths,
    )


def _path(path: Path, table: Mapping[str, Any], key: str) -> Path | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise SinbinError(f"{path}: tool.sinbin.lint.{key}: must be a path in quotes")
    return path.parent / value


def _ignore(where: str, text: str, entries: Any) -> list[ConfiguredSuppression]:
    if not isinstance(entries, list):
        raise SinbinError(f"{where}.ignore: must be a list of tables, [[tool.sinbin.lint.ignore]]")
    # tomllib tells no positions: the n-th header is the n-th entry, unless the list is written in one line.
    headers = [text.count("\n", 0, match.start()) + 1 for match in _HEADER.finditer(text)]
    found = []
    for index, entry in enumerate(entries):
        at = f"{where}.ignore[{index}]"
        if not isinstance(entry, dict) or not {"rule", "path"} <= set(entry) <= _IGNORE_KEYS:
            raise SinbinError(f"{at}: needs rule, path and reason, and may have at; nothing else is known here")
        values = {key: str(entry.get(key, "")).strip() for key in _IGNORE_KEYS}
        line = headers[index] if index < len(headers) else 1
        found.append(ConfiguredSuppression(line=line, **{**values, "rule": values["rule"].upper()}))
    return found
