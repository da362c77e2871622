"""How long `sinbin plan` takes beside a process that only imports what any Pulumi program for Azure imports.

Processor time, both alternately in one go, so that whatever else the machine does hits both; the ratio of the
medians counts. The aim is 1.3 at most.

    python benchmarks/plan_time.py [--stack prod] [--runs 7]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = (
    "apimanagement",
    "applicationinsights",
    "authorization",
    "cognitiveservices",
    "monitor",
    "operationalinsights",
    "resources",
)
# azure-native imports a module when its first attribute is read.
IMPORTS = "import importlib, pulumi\n" + "\n".join(
    f"importlib.import_module('pulumi_azure_native.{module}')._utilities" for module in MODULES
)


def seconds(*command: str) -> float:
    """Return the processor time of a Python process with these words, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--stack", default="local")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    judged = ("-m", "sinbin", "plan", "-s", arguments.stack, "--format", "json")
    columns = {"imports alone": ("-c", IMPORTS), "plan --no-lint": (*judged, "--no-lint"), "plan": judged}
    for command in columns.values():
        seconds(*command)  # the first run of each writes the bytecode
    runs = [{name: seconds(*command) for name, command in columns.items()} for _ in range(arguments.runs)]
    base = statistics.median(run["imports alone"] for run in runs)
    for name in columns:
        median = statistics.median(run[name] for run in runs)
        print(f"{name:16}{median:6.2f} s   ratio {median / base:.2f}")


if __name__ == "__main__":
    main()
