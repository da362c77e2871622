"""Write the generated pages of `docs/`, or check with `--check` that they are what the code says."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from policy_templates.pages import pages as template_pages
from scripts import fidelity, settings_page
from scripts.run_cards import run_cards_page
from sinbin.gateway.testing import response_codes

DOCS = Path(__file__).parents[1] / "docs"


def generated() -> dict[Path, str]:
    """Return the text of every generated page by its path."""
    templates = {DOCS / "templates" / name: text for name, text in template_pages().items()}
    return templates | {
        DOCS / "fidelity.md": fidelity.page(),
        DOCS / "response-codes.md": response_codes.page(),
        DOCS / "run-cards.md": run_cards_page(),
        DOCS / "settings.md": settings_page.page(),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the pages; 1 = a page is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is stale")
    check = parser.parse_args(argv).check
    pages = generated()
    stale = [path for path, text in pages.items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages[path], "utf-8")
        print(f"{'stale' if check else 'wrote'}: {path.relative_to(DOCS.parent)}")
    if check and stale:
        print("run: python scripts/docs.py", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
