"""Results of policy tests as text, JSON or JUnit XML."""

import json
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sinbin.gateway.testing.run import CaseResult, FailedStep


def as_text(results: Sequence[CaseResult]) -> str:
    """Return one line per case; below a failing one what came instead, and the trace of the step."""
    lines = []
    for result in results:
        lines.append(f"{'ok  ' if result.passed else 'FAIL'} {result.file}: {result.name}")
        for step in result.failed:
            lines.extend(f"       {line}" for line in _failure(step).splitlines())
    failed = sum(1 for result in results if not result.passed)
    lines.append(f"{len(results)} case{'s' * (len(results) != 1)}, {failed} failed")
    return "\n".join(lines)


def as_json(results: Sequence[CaseResult]) -> str:
    """Return `{"cases": […], "failed": N}`; a case has file, name, passed, failures (step, mismatches, trace)."""
    cases = [
        {
            "file": result.file,
            "name": result.name,
            "passed": result.passed,
            "failures": [
                {
                    "step": step.number,
                    "mismatches": [
                        {"what": one.what, "expected": one.expected, "came": one.came} for one in step.mismatches
                    ],
                    "trace": step.trace.splitlines(),
                }
                for step in result.failed
            ],
        }
        for result in results
    ]
    failed = sum(1 for result in results if not result.passed)
    return json.dumps({"cases": cases, "failed": failed}, indent=2, ensure_ascii=False, default=str)


def as_junit(results: Sequence[CaseResult]) -> str:
    """Return a JUnit report: one suite per file, one test case per case."""
    root = Element("testsuites")
    for file in dict.fromkeys(result.file for result in results):
        own = [result for result in results if result.file == file]
        failures = sum(1 for result in own if not result.passed)
        suite = SubElement(root, "testsuite", name=file, tests=str(len(own)), failures=str(failures))
        for result in own:
            case = SubElement(suite, "testcase", classname=file, name=result.name)
            if not result.passed:
                text = "\n".join(_failure(step) for step in result.failed)
                first = str(result.failed[0].mismatches[0])
                SubElement(case, "failure", message=first).text = text
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode")


def _failure(step: FailedStep) -> str:
    lines = [f"step {step.number}: {mismatch}" for mismatch in step.mismatches]
    if step.trace:
        lines.append("trace:")
        lines.extend(f"  {line}" for line in step.trace.splitlines())
    return "\n".join(lines)
