"""The baseline: what an old estate is forgiven, so that only new faults count.

A finding is recognised by rule, file and place in the structure, not by its line: it survives edits around it.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.input_files import read_json
from sinbin.lint.finding import Finding

_Key = tuple[str, str, str]


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.path, finding.element


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Write what is found today to `path`, one entry per finding, sorted."""
    entries = [
        {"rule": rule, "path": file, "element": element} for rule, file, element in sorted(map(_key, findings))
    ]
    text = json.dumps({"version": 1, "findings": entries}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")


def read_baseline(path: Path) -> Counter[_Key]:
    """Return how often each finding is forgiven.

    Raises:
        SinbinError: `path` is no baseline.
    """
    raw = read_json(path)
    try:
        return Counter((entry["rule"], entry["path"], entry["element"]) for entry in raw["findings"])
    except (KeyError, TypeError) as error:
        raise SinbinError(
            f"{path}: is no baseline; write one with `sinbin lint --write-baseline {path}`"
        ) from error


def new_findings(findings: Iterable[Finding], baseline: Counter[_Key]) -> list[Finding]:
    """Return the findings that the baseline does not forgive; a fault that was doubled is forgiven once."""
    left = Counter(baseline)
    new = []
    for finding in findings:
        if left[_key(finding)] > 0:
            left[_key(finding)] -= 1
        else:
            new.append(finding)
    return new
