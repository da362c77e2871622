"""JSON for programs: the number of files and every finding."""

import json

from sinbin.lint.engine import Report


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001
    """Return `{"files": N, "findings": […]}`."""
    body = {"files": report.files, "findings": [finding.as_dict() for finding in report.findings]}
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"
