"""Write what a real C# gives for the expressions of tests/data/csharp/conformance/*.txt beside them, as JSON lines.

One expression per line, `@(…)` or `@{…}`; `#` starts a comment. Modern .NET is the model: where Mono and .NET Core
differ, .NET Core is written down. See witness.py for what has to be installed.
"""

import argparse
import json
from pathlib import Path

from witness import Witnesses

DATA = Path(__file__).parents[2] / "tests/data/csharp/conformance"
BATCH = 200
# For what the old .NET Core cannot run here: its cryptography wants an OpenSSL that is no longer there.
MONO_ONLY = "# Mono only"


def expressions(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", type=Path, help="folder of `dotnet` from the PyPI package dotnetcore2")
    parser.add_argument("areas", nargs="*", help="names of files, without .txt; all when absent")
    arguments = parser.parse_args()
    witnesses = Witnesses(arguments.core)
    for path in sorted(DATA.glob("*.txt")):
        if arguments.areas and path.stem not in arguments.areas:
            continue
        sources = expressions(path)
        witnesses.core = None if MONO_ONLY in path.read_text("utf-8") else arguments.core
        answers = []
        for start in range(0, len(sources), BATCH):
            answers += witnesses.ask(sources[start : start + BATCH])
        with path.with_suffix(".jsonl").open("w", encoding="utf-8") as out:
            for source, answer in zip(sources, answers, strict=True):
                told = answer.get("core") or answer["mono"]
                if told.get("throws") in {"System.IO.FileNotFoundException", "System.TypeLoadException"}:
                    told = answer[
                        "mono"
                    ]  # compiled for Mono: .NET Core misses an assembly, or has a type elsewhere
                out.write(json.dumps({"expression": source, **told}, ensure_ascii=False) + "\n")
        differing = sum(a.get("core", a["mono"]) != a["mono"] for a in answers)
        refused = [source for source, a in zip(sources, answers, strict=True) if "refused" in a["mono"]]
        print(f"{path.stem}: {len(sources)} expressions, {differing} differ between Mono and .NET Core")
        for source in refused:
            print(f"  does not compile: {source}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
