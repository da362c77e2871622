"""`sinbin local traces`: what happened to the requests that were traced."""

import json
from pathlib import Path
from typing import Any

import click

from sinbin.cli.local import FORMAT, STATE, ask, running_in


@click.command(name="traces")
@click.argument("number", type=int, required=False)
@STATE
@FORMAT
def command(number: int | None, state: Path, form: str) -> None:
    """List the traced requests, or show one by its NUMBER.

    A request is traced when it has the header `x-sinbin-trace: 1`, and the answer tells the number in the same
    header; with `sinbin local up --trace` every request is. The last 500 are kept.
    """
    running = running_in(state)
    report = ask(running, "traces" if number is None else f"traces/{number}")
    if form == "json":
        click.echo(json.dumps(report, indent=2))
    elif number is None:
        _list(report["traces"])
    else:
        _show(report)


def _list(traces: list[dict[str, Any]]) -> None:
    if not traces:
        click.echo("no request was traced; send one with the header x-sinbin-trace: 1")
    for trace in traces:
        click.echo(f"{trace['id']:5} {_line(trace)}")


def _line(trace: dict[str, Any]) -> str:
    got = "no answer" if trace["status"] is None else f"{trace['status']} after {trace['afterS']:.3f} s"
    tried = f", tried {' → '.join(trace['tried'])}" if trace["tried"] else ", nothing was called"
    waited = f", waited {trace['waitedS']:g} s" if trace["waitedS"] else ""
    return f"{trace['method']} {trace['path']}: {got}{tried}{waited}"


def _show(trace: dict[str, Any]) -> None:
    click.echo(f"{_line(trace)} (service {trace['service']}, instance {trace['instance']})")
    for entry in trace["entries"]:
        where = "gateway" if entry["scope"] is None else f"{entry['scope']}/{entry['section']} {entry['path']}"
        click.echo(f"{entry['atS']:9.3f} s  {where}: {entry['text']}")
    for call in trace["calls"]:
        got = call.get("status") or call.get("error") or "not waited for"
        click.echo(f"{call['beganS']:9.3f} s  {call['kind']} {call['method']} {call['url']}: {got}")
    for name, after in trace["breakers"]["after"].items():
        before = trace["breakers"]["before"].get(name)
        if after != before:
            click.echo(f"breaker {name}: {_breaker(before)} → {_breaker(after)}")
    error = trace["answer"] and trace["answer"]["lastError"]
    if error:
        click.echo(f"last error: {error['source']}/{error['reason']}: {error['message']}")


def _breaker(state: dict[str, Any] | None) -> str:
    if state is None:
        return "none"
    return f"open for {state['secondsLeft']:g} s" if state["open"] else f"closed, {state['failures']} failures"
