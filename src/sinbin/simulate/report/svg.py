"""Drawing on an SVG: a plot with axes, lines, areas, bars and labels."""

import math
from collections.abc import Callable, Sequence
from html import escape

Point = tuple[float, float]

# Okabe and Ito's colours, told apart with every kind of colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7A6C00", "#5D5D5D")
REFUSED = "#D55E00"
_INK, _GRID = "#444c56", "#e4e8ec"
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 16, 34, 40

_TITLE, _LETTER, _ROW = 8.5, 7.0, 18
"""Width of a letter of the title and of a key, height of a row of keys: generous for any font without serifs."""


def _width(keys: Sequence[tuple[str, str]]) -> float:
    return sum(_LETTER * len(label) + 26 for _, label in keys)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers from `low` to `high`, at most about `most`."""
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    return [step * index for index in range(first, math.floor(high / step + 1e-9) + 1)]


class Plot:
    """A picture with a title, an x and a y axis in the units of the data."""

    def __init__(
        self,
        title: str,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        width: int = 760,
        height: int = 260,
        log_x: bool = False,
    ) -> None:
        self.width, self.height = width, height
        self._x, self._y, self._log = x, y, log_x
        self._parts: list[str] = []
        self._title = title
        self._keys: list[tuple[str, str]] = []

    def at(self, x: float, y: float) -> Point:
        """Return where a value lies on the picture."""
        low, high = self._x
        if self._log:
            x, low, high = math.log(x), math.log(low), math.log(high)
        across = (x - low) / (high - low) if high > low else 0.0
        up = (y - self._y[0]) / (self._y[1] - self._y[0]) if self._y[1] > self._y[0] else 0.0
        return (
            _LEFT + across * (self.width - _LEFT - _RIGHT),
            self.height - _BOTTOM - up * (self.height - _TOP - _BOTTOM),
        )

    def x_axis(self, values: Sequence[float], show: Callable[[float], str], label: str) -> None:
        """Draw the x axis with marks at `values`."""
        bottom = self.height - _BOTTOM
        for value in values:
            x, _ = self.at(value, self._y[0])
            self._line(x, _TOP, x, bottom, _GRID)
            self.text(x, bottom + 15, show(value), anchor="middle")
        self._line(_LEFT, bottom, self.width - _RIGHT, bottom, _INK)
        self.text((_LEFT + self.width - _RIGHT) / 2, self.height - 6, label, anchor="middle")

    def y_axis(self, values: Sequence[float], show: Callable[[float], str]) -> None:
        """Draw the y axis with lines at `values`."""
        for value in values:
            _, y = self.at(self._x[0], value)
            self._line(_LEFT, y, self.width - _RIGHT, y, _GRID)
            self.text(_LEFT - 7, y + 4, show(value), anchor="end")

    def line(self, points: Sequence[Point], colour: str, *, dashed: bool = False) -> None:
        """Draw a line through `points`."""
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points))
        style = ' stroke-dasharray="5 4"' if dashed else ""
        self._parts.append(
            f'<polyline points="{where}" fill="none" stroke="{colour}" stroke-width="1.8" '
            f'stroke-linejoin="round"{style}/>'
        )

    def area(self, upper: Sequence[Point], lower: Sequence[Point], colour: str, *, opacity: float = 0.85) -> None:
        """Fill what lies between two lines."""
        outline = [self.at(*point) for point in (*upper, *reversed(lower))]
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
        self._parts.append(f'<polygon points="{where}" fill="{colour}" fill-opacity="{opacity:.2f}"/>')

    def bar(self, across: Point, up: Point, colour: str, opacity: float = 0.85) -> None:
        """Draw a bar from `across[0]` to `across[1]` (x) and from `up[0]` to `up[1]` (y)."""
        left, bottom = self.at(across[0], up[0])
        right, top = self.at(across[1], up[1])
        self._parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(0.8, right - left):.1f}" '
            f'height="{max(0.0, bottom - top):.1f}" fill="{colour}" fill-opacity="{opacity:.2f}"/>'
        )

    def mark(self, x: float, label: str, colour: str = _INK) -> None:
        """Draw a dashed upright line at `x` with its label."""
        across, bottom = self.at(x, self._y[0])
        self._parts.append(
            f'<line x1="{across:.1f}" y1="{_TOP}" x2="{across:.1f}" y2="{bottom:.1f}" stroke="{colour}" '
            'stroke-dasharray="3 3"/>'
        )
        self.text(across + 4, _TOP + 11, label, colour=colour)

    def key(self, colour: str, label: str) -> None:
        """Name a colour beside the title."""
        self._keys.append((colour, label))

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", colour: str = _INK, halo: bool = False
    ) -> None:
        """Write `text` at a place of the picture (not of the data); with `halo` it is read on any colour."""
        where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
        if halo:
            where += ' stroke="#fff" stroke-width="3" paint-order="stroke"'
        self._parts.append(f"<text {where}>{escape(text)}</text>")

    def render(self) -> str:
        """Return the picture; keys that do not fit beside the title stand in rows below it and make it taller."""
        rows = self._key_rows()
        beside = len(rows) == 1 and _TITLE * len(self._title) + _width(rows[0]) < self.width - _LEFT
        lower = 0 if beside else _ROW * len(rows)
        keys = []
        for number, row in enumerate(rows):
            x = self.width - _RIGHT - _width(row) if beside else float(_LEFT)
            y = 0 if beside else _ROW * (number + 1)
            for colour, label in row:
                keys.append(f'<rect x="{x:.0f}" y="{y + 11}" width="11" height="11" rx="2" fill="{colour}"/>')
                keys.append(f'<text x="{x + 16:.0f}" y="{y + 21}" fill="{_INK}">{escape(label)}</text>')
                x += _width([(colour, label)])
        title = f'<text x="10" y="21" font-size="14" font-weight="600" fill="#1f2328">{escape(self._title)}</text>'
        plot = "".join(self._parts)
        if lower:
            plot = f'<g transform="translate(0 {lower})">{plot}</g>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height + lower}" role="img" '
            f'aria-label="{escape(self._title)}" font-family="system-ui, sans-serif" font-size="11.5">'
            f"{title}{''.join(keys)}"
            f"{plot}</svg>"
        )

    def _key_rows(self) -> list[list[tuple[str, str]]]:
        rows: list[list[tuple[str, str]]] = []
        for key in self._keys:
            if rows and _width([*rows[-1], key]) < self.width - _LEFT - _RIGHT:
                rows[-1].append(key)
            else:
                rows.append([key])
        return rows

    def _line(self, x1: float, y1: float, x2: float, y2: float, colour: str) -> None:
        self._parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')
