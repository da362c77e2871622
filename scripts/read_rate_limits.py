"""Print which limits Azure really applies to every model deployment of a stack.

    python scripts/read_rate_limits.py -s prod --prompt-tokens 1500 --completion-tokens 300

For the stack `local` it reads the local Azure that `sinbin local up` started; for any other, Azure itself, with
whatever DefaultAzureCredential finds (`az login`) and the subscription in ARM_SUBSCRIPTION_ID. It changes nothing.
"""

import argparse
import json
import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from sinbin.engine.project import find_project
from sinbin.errors import EXIT_INPUT, EXIT_OK, SinbinError, extra

LOCAL_STACK = "local"


def main(argv: Sequence[str] | None = None) -> int:
    """Read, print, and return the exit code: 0 fine, 2 the input or the environment is wrong."""
    arguments = _parser().parse_args(argv)
    # azure-identity logs a page about every credential that it tried; our own message says what to do.
    logging.getLogger("azure").setLevel(logging.CRITICAL)
    try:
        size = _tokens_per_request(arguments.prompt_tokens, arguments.completion_tokens)
        rows = _read(arguments.stack, size)
    except SinbinError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_INPUT
    if arguments.format == "json":
        print(json.dumps({"stack": arguments.stack, "deployments": rows}, indent=2))
    else:
        print("\n".join(_table(rows, size)))
    return EXIT_OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("-s", "--stack", required=True, help="the environment: prod of stacks/Pulumi.prod.yaml")
    parser.add_argument("--prompt-tokens", type=int, help="tokens of a typical prompt")
    parser.add_argument("--completion-tokens", type=int, help="tokens of a typical answer")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    return parser


def _tokens_per_request(prompt: int | None, completion: int | None) -> int | None:
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise SinbinError("--prompt-tokens and --completion-tokens: say both, or neither")
    if min(prompt, completion) < 0 or prompt + completion == 0:
        raise SinbinError(
            "--prompt-tokens and --completion-tokens: a request has at least one token, none below zero"
        )
    return prompt + completion


def _read(stack: str, tokens_per_request: int | None) -> list[dict[str, object]]:
    topology = find_project(Path.cwd()).settings(stack).to_topology()
    with extra("azure", "read_rate_limits.py"):
        from sinbin.live.clients import cognitive_services, target_from  # noqa: PLC0415
        from sinbin.live.rate_limits import read_rate_limits  # noqa: PLC0415
    target = target_from(_local_variables() if stack == LOCAL_STACK else os.environ)
    rows = []
    with cognitive_services(target) as client:
        for limits in read_rate_limits(client, topology):
            row: dict[str, object] = asdict(limits) | {"break_even_tokens": limits.break_even_tokens}
            if tokens_per_request is not None:
                row["binds_first"] = limits.binds_first(tokens_per_request)
                row["sustained_requests_per_minute"] = limits.sustained_requests_per_minute(tokens_per_request)
            rows.append(row)
    return rows


def _local_variables() -> dict[str, str]:
    """Return the variables of the local Azure: those of `sinbin local env`, or of the one that runs here."""
    if os.environ.get("ARM_ENDPOINT"):
        return dict(os.environ)
    with extra("local", "the stack `local`"):
        from sinbin.local.environment import exports  # noqa: PLC0415
        from sinbin.local.state_dir import DEFAULT, StateDir  # noqa: PLC0415
    folder = StateDir(find_project(Path.cwd()).root / DEFAULT)
    running = folder.running()
    if running is None:
        raise SinbinError(
            "the stack `local` lives in a local Azure, and none runs here; start it: sinbin local up"
        )
    return exports(folder, running)


def _table(rows: list[dict[str, object]], tokens_per_request: int | None) -> list[str]:
    head = ["REGION", "DEPLOYMENT", "TPM", "RPM"]
    head += ["BREAK-EVEN"] if tokens_per_request is None else ["BINDS FIRST", "SUSTAINED RPM"]
    keys = ["region", "deployment", "tokens_per_minute", "requests_per_minute"]
    keys += (
        ["break_even_tokens"] if tokens_per_request is None else ["binds_first", "sustained_requests_per_minute"]
    )
    table = [head, *([_cell(row[key]) for key in keys] for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(head))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table
    ]
    if tokens_per_request is None:
        return [*lines, "", "break-even: tokens per request above which tokens bind first, and requests below"]
    return [*lines, "", f"for requests of {tokens_per_request:,} tokens"]


def _cell(value: object) -> str:
    if value is None:
        return "unknown"
    return f"{value:,.0f}" if isinstance(value, int | float) else str(value)


if __name__ == "__main__":
    # A reader that goes away (`… | head`) ends the script as it ends any other Unix tool.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
