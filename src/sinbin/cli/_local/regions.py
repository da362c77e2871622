"""`sinbin local regions`: the deployed regions, where they listen, how full they are, which faults they have."""

import json
from pathlib import Path
from typing import Any

import click

from sinbin.cli.local import FORMAT, STATE, request, running_in


@click.command(name="regions")
@STATE
@FORMAT
def command(state: Path, form: str) -> None:
    """List the regions: address, deployments with what is used of their limits, faults."""
    running = running_in(state)
    report = request(running, "regions", "/regions").raise_for_status().json()
    if form == "json":
        click.echo(json.dumps(report, indent=2))
        return
    if not report["regions"]:
        click.echo("no region is deployed; deploy with `pulumi up`")
    for region in report["regions"]:
        keys = "" if region["localAuth"] else ", keys off"
        click.echo(f"{region['name']} ({region['location']}) on {region['url']}{keys}")
        for deployment in region["deployments"]:
            click.echo(f"  {deployment['name']}: {deployment['model']}, {_gauges(deployment['gauges'])}")
        for fault in region["faults"]:
            click.echo(f"  fault {fault['number']}: {_fault(fault)}")


def _gauges(gauges: list[dict[str, Any]]) -> str:
    return ", ".join(f"{gauge['used']:.0f} of {gauge['of']:.0f} {gauge['limit']}" for gauge in gauges)


def _fault(fault: dict[str, Any]) -> str:
    words = [fault["kind"]]
    words += [
        f"{name} {fault[name]}" for name in ("deployment", "status", "retryAfterS", "delayS") if name in fault
    ]
    if "quotaShare" in fault:
        words.append(f"{fault['quotaShare']:.0%} of the quota")
    if fault["share"] < 1:
        words.append(f"{fault['share']:.0%} of the calls")
    if fault["callsLeft"] is not None:
        words.append(f"{fault['callsLeft']} calls left")
    if fault["secondsLeft"] is not None:
        words.append(f"{fault['secondsLeft']:.0f} s left")
    return ", ".join(words)
