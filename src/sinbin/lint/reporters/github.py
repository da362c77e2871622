"""GitHub workflow commands: findings appear as annotations on a pull request.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions, read 2026-11-29
"""

from sinbin.lint.engine import Report
from sinbin.lint.finding import Finding, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001
    """Return one workflow command per finding."""
    return "".join(f"{_command(finding)}\n" for finding in report.findings)


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "endLine": finding.end_line,
        "title": f"{finding.rule} {finding.name}",
    }
    if finding.end_line == finding.line:  # GitHub refuses columns over several lines
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(f'{finding.message}; {finding.help}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
