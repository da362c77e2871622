"""`sinbin eval`: try one policy expression."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from sinbin.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from sinbin.input_files import parse_json, read_json, read_text


@click.command("eval")
@click.argument("expression", required=False)
@click.option(
    "--context", "context_file", type=click.Path(path_type=Path), help="JSON: request, response, variables, …"
)
@click.option(
    "--batch", type=click.Path(path_type=Path), help='JSON lines {"expression", "context"}, answered line by line.'
)
def command(expression: str | None, context_file: Path | None, batch: Path | None) -> None:
    """Evaluate a policy expression, `@(…)` or `@{…}`, and print what it gives as JSON.

    What cannot be evaluated is refused with the reasons and their places, and the exit code is 1. An exception
    is an answer as good as a value.
    """
    if (expression is None) == (batch is None):
        raise UsageError("give either an expression or --batch FILE.jsonl")
    if batch is not None:
        if context_file is not None:
            raise UsageError("--context does not go with --batch: every line of the batch has its own context")
        sys.exit(_batch(batch))
    context = None if context_file is None else read_json(context_file)
    answer = _answer(expression or "", context, str(context_file or "--context"))
    click.echo(json.dumps(answer, ensure_ascii=False))
    sys.exit(EXIT_FINDINGS if "findings" in answer else EXIT_OK)


def _batch(path: Path) -> int:
    refused = False
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        entry = parse_json(line, where)
        if (
            not isinstance(entry, dict)
            or not isinstance(entry.get("expression"), str)
            or entry.keys() - {"expression", "context"}
        ):
            raise UsageError(f'{where}: write {{"expression": "@(…)", "context": {{…}}}}')
        answer = _answer(entry["expression"], entry.get("context"), f"{where}: context")
        click.echo(json.dumps(answer, ensure_ascii=False))
        refused = refused or "findings" in answer
    return EXIT_FINDINGS if refused else EXIT_OK


def _answer(expression: str, context: Any, where: str) -> dict[str, Any]:
    import random  # noqa: PLC0415
    import time  # noqa: PLC0415

    from sinbin.csharp.compiler import ExpressionRefusedError, compile_source  # noqa: PLC0415
    from sinbin.csharp.context_file import read_context  # noqa: PLC0415
    from sinbin.csharp.results import run  # noqa: PLC0415

    text = expression.strip()
    if not (text.startswith("@(") and text.endswith(")")) and not (text.startswith("@{") and text.endswith("}")):
        advice = "write @(…) around one expression, @{…} around statements"
        raise UsageError(f'"{text}" is no policy expression: {advice}')
    ready = read_context(context or {}, where, now=time.time(), rng=random.Random())  # noqa: S311
    try:
        compiled = compile_source(text[2:-1], "expression" if text[1] == "(" else "block")
    except ExpressionRefusedError as error:
        return {"findings": [
            # The two characters of `@(` stand before the first line.
            {"reason": p.reason, "line": p.line, "column": p.column + 2 * (p.line == 1), "message": p.message}
            for p in error.problems
        ]}  # fmt: skip
    return run(compiled, ready)
