"""Runs the rules over documents and collects what they find."""

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sinbin.errors import SinbinError
from sinbin.lint import rules as _rules
from sinbin.lint.document import Document
from sinbin.lint.finding import WHOLE_FILE, Finding, Located, Place, Problem, Severity
from sinbin.lint.rule import Kind, Rule, kind_of, registered

MAX_MESSAGE = 400
"""Characters of a message; a longer one quotes a value that nobody wants to read in full."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one run found, in order of file and position."""

    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]
    rules: tuple[Rule[Any], ...] = ()
    """The rules that ran."""

    @property
    def files(self) -> int:
        """How many files were judged; a JSON file with policies in it is one."""
        return len({document.path for document in self.documents})

    def source_line(self, finding: Finding) -> str:
        """Return the source line that `finding` points at."""
        for document in self.documents:
            if document.path == finding.path:
                return document.source_line(finding.line)
        return ""

    @property
    def crashed(self) -> bool:
        """Whether a rule failed, which is a fault of sinbin (or of the user's own rule)."""
        return any(finding.rule == "SB001" for finding in self.findings)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings of this severity and above."""
        return tuple(finding for finding in self.findings if finding.severity >= severity)


def rule_ids() -> frozenset[str]:
    """Return the ids of all rules of sinbin, loaded or not."""
    return frozenset(module.name[:5].upper() for module in pkgutil.iter_modules(_rules.__path__))


def load_rules(folder: Path | None = None, kinds: Collection[Kind] | None = None) -> tuple[Rule[Any], ...]:
    """Return every rule, by id; with `folder`, the user's own rules in it as well.

    With `kinds`, only the rules that judge such things (and those of sinbin itself) are loaded.

    The modules of `folder` are run as Python: name only a folder that you trust.

    Raises:
        SinbinError: the folder is not there, or a module in it defines no proper rule.
    """
    modules = [
        f"{_rules.__name__}.{module.name}"
        for module in pkgutil.iter_modules(_rules.__path__)
        if kinds is None or module.name.startswith("sb0") or kind_of(module.name[:5]) in kinds
    ]
    for name in modules:
        importlib.import_module(name)
    if folder is not None:
        if not folder.is_dir():
            raise SinbinError(f"{folder}: there is no such folder of rules")
        modules += [_load_user_rule(path) for path in sorted(folder.glob("*.py"))]
    return tuple(rule() for rule in registered() if rule.__module__ in modules)


def _load_user_rule(path: Path) -> str:
    if not path.stem.lower().startswith("sb9"):
        raise SinbinError(
            f"{path}: your own rules are numbered SB900 to SB999; rename the file to sb9nn_what_it_finds.py"
        )
    name = f"sinbin_user_rules.{path.resolve().parent}.{path.stem}"
    if name in sys.modules:
        return name
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SinbinError(f"{path}: cannot be loaded as a module")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise SinbinError(f"{path}: the rule cannot be loaded: {type(error).__name__}: {error}") from error
    sys.modules[name] = module
    return name


def judge(documents: Sequence[Document], rules: Iterable[Rule[Any]]) -> list[tuple[Document, Finding]]:
    """Return what the rules find in each document, before any suppression."""
    chosen = {rule.id: rule for rule in rules}
    by_family: dict[str, list[Rule[Any]]] = {}
    for rule in sorted(chosen.values(), key=lambda rule: rule.last_resort):
        by_family.setdefault(rule.family, []).append(rule)
    found: list[tuple[Document, Finding]] = []
    for document in documents:
        for reading in document.readings:
            problem = Problem(Place(reading.mark, ""), reading.message, reading.help)
            found.append((document, to_finding(chosen[reading.rule], document, problem)))
        found.extend((document, finding) for finding in _judge(document, by_family, chosen["SB001"]))
    return found


def _judge(document: Document, by_family: dict[str, list[Rule[Any]]], crash: Rule[Any]) -> Iterator[Finding]:
    """Yield what the rules find in one document; a rule that has failed is not asked again in it."""
    failed: set[str] = set()
    for family in document.families:
        rules = by_family.get(family, ())
        for subject in document.subjects(family) if rules else ():
            explained = False
            for rule in rules:
                if not rule.applies(subject) or rule.id in failed or (explained and rule.last_resort):
                    continue
                try:
                    for problem in rule.check(subject, document.context):
                        explained = explained or rule.severity == Severity.ERROR
                        yield to_finding(rule, document, problem)
                except Exception as error:  # noqa: BLE001  # a broken rule must not silence the others
                    failed.add(rule.id)
                    message = (
                        f"the rule {rule.id} {rule.name} failed on this file: {type(error).__name__}: {error}"
                    )
                    help_ = "report it, with the file if you can"
                    yield to_finding(crash, document, Problem(WHOLE_FILE, message, help_))


def to_finding(rule: Rule[Any], document: Document, problem: Problem) -> Finding:
    """Return `problem` as a finding of `rule` in `document`."""
    place: Located = document.place(problem.where)
    span = document.span(place.mark)
    return Finding(
        path=document.path,
        line=span.line,
        column=span.column,
        rule=rule.id,
        name=rule.name,
        severity=rule.severity,
        end_line=span.end_line,
        end_column=span.end_column,
        message=_one_line(problem.message),
        help=problem.help,
        element=place.path,
        edits=problem.edits if document.writable else (),
        mark=place.mark,
    )


def _one_line(message: str) -> str:
    """Return `message` without line breaks and of bearable length, whatever values it quotes."""
    line = " ".join(message.split()) if any(c in message for c in "\r\n\x85\u2028\u2029") else message
    return line if len(line) <= MAX_MESSAGE else f"{line[: MAX_MESSAGE - 1]}…"
