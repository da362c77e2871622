"""One run of the linter: read, judge, suppress, forgive."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sinbin.lint.baseline import new_findings
from sinbin.lint.configuration import Configuration
from sinbin.lint.document import Document
from sinbin.lint.engine import Report, judge
from sinbin.lint.finding import Finding
from sinbin.lint.fix import fix_document
from sinbin.lint.rule import Rule
from sinbin.lint.suppress import apply_suppressions

MAX_ROUNDS = 10
"""A repair may uncover the next fault; what is still found after so many rounds is left to people."""


def lint(
    documents: Sequence[Document],
    rules: Sequence[Rule[Any]],
    configuration: Configuration | None = None,
    baseline: Counter[tuple[str, str, str]] | None = None,
) -> Report:
    """Return what `rules` find in `documents` and nothing suppresses or forgives, sorted."""
    configuration = configuration or Configuration()
    by_id = {rule.id: rule for rule in rules}
    found = judge(documents, rules)
    findings = apply_suppressions(documents, found, by_id, configuration.ignore, configuration.document)
    if baseline is not None:
        findings = new_findings(findings, baseline)
    return Report(tuple(documents), tuple(findings), tuple(rules))


def fix(report: Report) -> int:
    """Repair what can be repaired in the files of `report` and return how many findings that was.

    Raises:
        SinbinError: a file cannot be written.
    """
    by_path: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        by_path[finding.path].append(finding)
    made = 0
    for document in report.documents:
        if document.writable and by_path[document.path]:
            made += fix_document(document, by_path.pop(document.path), Path(document.path))
    return made
