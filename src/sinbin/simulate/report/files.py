"""Reports and pictures as files."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.simulate.cost import Prices
from sinbin.simulate.report.charts import pictures
from sinbin.simulate.report.page import report
from sinbin.simulate.results import Result


def check_places(paths: Iterable[Path | None]) -> None:
    """Make sure, before anything is simulated, that each of `paths` that is wanted lies in a folder that exists.

    Raises:
        SinbinError: one does not.
    """
    for path in paths:
        if path is not None and not path.parent.is_dir():
            raise SinbinError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")


def write_report(results: Sequence[Result], prices: Prices, html: Path | None, folder: Path | None) -> None:
    """Write the page to `html` and every picture into `folder`, each where it is wanted.

    Raises:
        SinbinError: a file cannot be written.
    """
    try:
        if html is not None:
            html.write_text(report(results, prices), "utf-8")
        if folder is not None:
            folder.mkdir(exist_ok=True)
            for result in results:
                name = re.sub(r"[^A-Za-z0-9]+", "-", result.scenario.name).strip("-").lower()
                for picture, text in pictures(result).items():
                    (folder / f"{name}-{picture}.svg").write_text(text, "utf-8")
    except OSError as error:
        raise SinbinError(f"{error.filename}: cannot be written: {error.strerror}") from error
