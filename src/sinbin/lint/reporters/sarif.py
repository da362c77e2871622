"""SARIF 2.1.0, for code scanning: plain dictionaries, the same bytes for the same findings.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

import hashlib
import json
import os
from collections import Counter
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from sinbin import __version__
from sinbin.lint.engine import Report
from sinbin.lint.finding import Finding, Severity
from sinbin.lint.page import page_of, summary_of
from sinbin.lint.rule import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001
    """Return one run with every rule of the tool and a result per finding."""
    rules = report.rules
    index = {rule.id: position for position, rule in enumerate(rules)}
    seen: Counter[str] = Counter()
    run = {
        "tool": {
            "driver": {"name": "sinbin", "version": __version__, "rules": [_descriptor(rule) for rule in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index, seen) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _descriptor(rule: Rule[Any]) -> dict[str, Any]:
    descriptor: dict[str, Any] = {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": summary_of(rule)},
        "help": {"text": page_of(rule), "markdown": page_of(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }
    if rule.source.startswith("https://"):
        descriptor["helpUri"] = rule.source.split()[0].rstrip(",;")
    return descriptor


def _result(finding: Finding, index: dict[str, int], seen: Counter[str]) -> dict[str, Any]:
    identity = f"{finding.rule}\0{finding.path}\0{finding.element}"
    seen[identity] += 1
    fingerprint = hashlib.sha256(f"{identity}\0{seen[identity]}".encode()).hexdigest()[:32]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}; {finding.help}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(finding.path)},
                    "region": {
                        "startLine": finding.line,
                        "startColumn": finding.column,
                        "endLine": finding.end_line,
                        "endColumn": finding.end_column,
                    },
                }
            }
        ],
        "partialFingerprints": {"sinbinElement/v1": fingerprint},
    }


def _uri(path: str) -> str:
    return PurePath(path).as_uri() if PurePath(path).is_absolute() else quote(os.fsencode(path), safe="/")
