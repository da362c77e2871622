"""Whether one can read the page, in light and in dark."""

import re
from importlib.resources import files

import pytest

STYLE = files("sinbin.local.page").joinpath("assets", "style.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)[:2]
)
TEXT = [
    *((ink, ground) for ink in ("ink", "soft") for ground in ("panel", "ground", "card-soft", "red-soft")),
    *((ink, "panel") for ink in ("grass", "red", "warn")),
    ("grass", "ground"),
    ("red", "ground"),
    ("card-ink", "card"),
]
SHAPES = [(shape, "panel") for shape in ("focus", "grass", "ink")]


def luminance(colour):
    """Source: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("least", "pairs"), [(4.5, TEXT), (3.0, SHAPES)], ids=["text", "shapes"])
def test_colours_have_the_contrast_that_wcag_asks_for(colours, least, pairs):
    assert set(LIGHT) == set(DARK)
    ratios = {}
    for one, other in pairs:
        low, high = sorted((luminance(colours[one]), luminance(colours[other])))
        ratios[one, other] = (high + 0.05) / (low + 0.05)
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < least} == {}
