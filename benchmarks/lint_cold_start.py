"""Start-up of `sinbin lint one.xml` beside two other linters on one small file each.

    python benchmarks/lint_cold_start.py [--runs 5]

The others are run by `uv tool run`, which fetches them once; those that cannot be had are left out. Times are CPU
seconds of the process and its children, the shortest of the runs.
"""

import argparse
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

FILES = {
    "one.xml": "<policies><inbound><base /></inbound><backend><base /></backend>"
    "<outbound><base /></outbound><on-error><base /></on-error></policies>\n",
    "one.sql": "SELECT a, b FROM t WHERE a = 1\n",
    "one.yaml": 'AWSTemplateFormatVersion: "2010-09-09"\nResources:\n  B:\n    Type: AWS::S3::Bucket\n',
}
COMMANDS = {
    "sinbin lint one.xml": ("sinbin", ["lint", "one.xml"]),
    "sqlfluff lint one.sql": ("sqlfluff", ["lint", "--dialect", "ansi", "one.sql"]),
    "cfn-lint one.yaml": ("cfn-lint", ["one.yaml"]),
}


def executable(name: str) -> str | None:
    """Return the program `name`: on PATH, or as a tool of uv."""
    if name == "sinbin":
        return shutil.which(name)
    found = subprocess.run(
        ["uv", "tool", "run", "--from", name, "python", "-c", f"import shutil; print(shutil.which({name!r}))"],
        capture_output=True,
        text=True,
        check=False,
    )
    path = found.stdout.strip()
    return path if found.returncode == 0 and path != "None" else None


def cpu_seconds(command: list[str], folder: Path) -> float:
    """Return the CPU time of one run; findings (exit code 1) are no failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def main() -> None:
    """Run each linter and print its time and ratio to ours."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=5)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text)
        ours = None
        for label, (program, rest) in COMMANDS.items():
            path = executable(program)
            if path is None:
                print(f"{label:<24} not to be had here")
                continue
            seconds = min(cpu_seconds([path, *rest], folder) for _ in range(options.runs))
            ours = ours or seconds
            print(f"{label:<24} {seconds:6.2f} s   ours is {ours / seconds:5.0%} of it")


if __name__ == "__main__":
    main()
