"""Time of reading and of linting policies, against parsing the same text with expat plus tree-sitter alone.

The policies are made of the sections of the must-stay-clean corpus, 1 to 6 documents each, so that they are mixed
in size and content; for expat their expressions are escaped first (not timed). Figures are CPU time, the best of
interleaved rounds, all in one process. `--sizes` shows how cost and memory grow with one document instead.

    python benchmarks/lint_speed.py [--policies N] [--rounds N] [--sizes]
"""

import argparse
import html
import random
import resource
import sys
import time
from pathlib import Path
from xml.parsers import expat

import tree_sitter
import tree_sitter_c_sharp

from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text
from sinbin.policy.parser import parse_bytes, parse_text

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "policies" / "clean"


def mixed_policies(count):
    documents = [
        document
        for path in sorted(CORPUS.glob("*.xml"))
        if "template" not in path.name and (document := parse_bytes(path.read_bytes())).root is not None
    ]
    rng = random.Random(1)

    def inside(document, name):
        section = document.section(name)
        closed = section is not None and section.close_start is not None
        text = document.source.text[section.open_end : section.close_start] if closed else ""
        return text.replace("<base />", "")

    for _ in range(count):
        chosen = [rng.choice(documents) for _ in range(rng.choice([1, 2, 3, 4, 6]))]
        inbound = "".join(inside(document, "inbound") for document in chosen)
        outbound = "".join(inside(document, "outbound") for document in chosen[:2])
        backend = inside(chosen[0], "backend").strip() or "<base />"
        yield (
            f"<policies>\n<inbound><base />{inbound}</inbound>\n<backend>{backend}</backend>\n"
            f"<outbound><base />{outbound}</outbound>\n<on-error><base /></on-error>\n</policies>\n"
        )


def well_formed(text):
    """Return `text` with its expressions escaped, and the C# of each wrapped so that it parses as a file."""
    pieces, expressions, at = [], [], 0
    for element in parse_text(text).walk():
        for valued in element.valued():
            for expression in valued.expressions:
                body = f"{{{expression.code}}}" if expression.block else f"=> {expression.code};"
                expressions.append(f"class C {{ object M() {body} }}".encode())
                if valued.escaped:
                    pieces += [text[at : expression.start + 2], html.escape(expression.code)]
                    at = expression.end - 1
    return "".join([*pieces, text[at:]]).encode(), expressions


def compare(count, rounds):
    texts = list(mixed_policies(count))
    forms = [well_formed(text) for text in texts]
    csharp = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))
    rules = load_rules()

    def baseline():
        for document, expressions in forms:
            parser = expat.ParserCreate()
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = lambda *_: None
            parser.Parse(document, True)
            for expression in expressions:
                csharp.parse(expression)

    def read():
        for text in texts:
            parse_text(text)

    def whole():
        documents = [
            document for index, text in enumerate(texts) for document in read_text(f"{index}.xml", text, Facts())
        ]
        lint(documents, rules)

    jobs = {"expat and tree-sitter": baseline, "read": read, "lint": whole}
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            best[name] = min(best[name], time.process_time() - start)
    unit = best["expat and tree-sitter"]
    print(f"{count} policies, {sum(map(len, texts)) / count:,.0f} characters each, {len(rules)} rules")
    for name, seconds in best.items():
        print(f"{name:22} {seconds * 1e6 / count:9,.0f} µs each {seconds / unit:6.1f} times")


def grow():
    unit = (
        '<choose>\n  <when condition="@(context.Request.Headers.GetValueOrDefault("x", "") == "y" && 1 < 2)">\n'
        '    <set-header name="x-a" exists-action="override"><value>@{ return "a{b}"; }</value></set-header>\n'
        "  </when>\n</choose>\n"
    )
    for kilobytes in (1, 10, 100, 1_000, 5_000):
        text = f"<policies><inbound><base />\n{unit * max(1, kilobytes * 1_000 // len(unit))}</inbound></policies>"
        start = time.process_time()
        document = parse_text(text)
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{kilobytes:6,} KB {seconds * 1e6 / len(text):6.2f} µs per character, peak {peak:4.0f} MB")
        assert not document.problems


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--policies", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", action="store_true")
    arguments = parser.parse_args(argv)
    if arguments.sizes:
        grow()
    else:
        compare(arguments.policies, arguments.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
