"""Reports and pictures as files."""

import importlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from sinbin.errors import SinbinError, extra
from sinbin.simulate.cost import Prices
from sinbin.simulate.report.charts import pictures
from sinbin.simulate.report.page import report
from sinbin.simulate.results import Result

_ZOOM = 2
"""Pixels of a PNG per unit of the SVG, for screens that have them."""


def check_places(paths: Iterable[Path | None]) -> None:
    """Make sure, before anything is simulated, that each of `paths` that is wanted lies in a folder that exists.

    Raises:
        SinbinError: one does not, or is wanted twice.
    """
    seen: set[Path] = set()
    for path in paths:
        if path is None:
            continue
        if not path.parent.is_dir():
            raise SinbinError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")
        if path.resolve() in seen:
            raise SinbinError(f"{path}: is wanted for two things; give each a file of its own")
        seen.add(path.resolve())


def write_report(results: Sequence[Result], prices: Prices, html: Path | None, folder: Path | None) -> None:
    """Write the page to `html` and every picture into `folder` (SVG and PNG), each where it is wanted.

    Raises:
        SinbinError: a file cannot be written, or what draws PNG is not installed.
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
                    (folder / f"{name}-{picture}.png").write_bytes(_png(text))
    except OSError as error:
        raise SinbinError(f"{error.filename or html or folder}: cannot be written: {error.strerror}") from error


def load_png() -> ModuleType:
    """Return what draws PNG: to be asked for before anything is simulated.

    Raises:
        MissingExtraError: it is not installed.
    """
    with extra("pictures", "`--pictures`"):
        return importlib.import_module("resvg_py")


def _png(svg: str) -> bytes:
    return bytes(load_png().svg_to_bytes(svg_string=svg, background="#ffffff", zoom=_ZOOM))
