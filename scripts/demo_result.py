"""What became of the demo's traffic, as a table and as a picture."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from scripts.demo_traffic import PER_SECOND, SECONDS, Call
from sinbin.simulate.report.svg import COLOURS, REFUSED, Plot, ticks

_SLICE_S = 5


def table(runs: Mapping[str, Sequence[Call]]) -> str:
    """Return the runs side by side."""
    rows = [("", *runs), ("requests", *(str(len(calls)) for calls in runs.values()))]
    rows.append(("answered", *(f"{_share(calls):.1f} %" for calls in runs.values())))
    rows.append(("calls per request", *(f"{_tried(calls) / len(calls):.2f}" for calls in runs.values())))
    refused = (str(_tried(calls) - sum(call.status == 200 for call in calls)) for calls in runs.values())
    rows.append(("calls that a region refused", *refused))
    rows.append(("median answer", *(f"{median(call.seconds for call in calls):.2f} s" for calls in runs.values())))
    rows += [
        (f"answered by {region}", *(str(_answers(calls)[region]) for calls in runs.values()))
        for region in _regions(runs)
    ]
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            (
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            )
        )
        for row in rows
    )


def picture(runs: Mapping[str, Sequence[Call]]) -> str:
    """Return an SVG: who answered how much in every few seconds, one plot per run below each other."""
    regions = _regions(runs)
    most = max(PER_SECOND * _SLICE_S, *(max(_slices(calls)) for calls in runs.values())) * 1.1
    plots = []
    for index, (name, calls) in enumerate(runs.items()):
        plot = Plot(f"{name}: answers per {_SLICE_S} s", (0, SECONDS), (0, most))
        plot.y_axis(ticks(0, most), "{:g}".format)
        plot.x_axis(ticks(0, SECONDS), "{:g}".format, "seconds")
        colours = {**dict(zip(regions, COLOURS, strict=False)), "nobody": REFUSED}
        for who, colour in colours.items():
            plot.key(colour, who)
        for start in range(0, SECONDS, _SLICE_S):
            inside = [call for call in calls if start <= call.at < start + _SLICE_S]
            counted, floor = _answers(inside), 0
            for who, colour in colours.items():
                plot.bar((start + 0.4, start + _SLICE_S - 0.4), (floor, floor + counted[who]), colour)
                floor += counted[who]
        plots.append(f'<g transform="translate(0 {index * 270})">{plot.render()}</g>')
    height = 270 * len(plots)
    paper = f'<rect width="760" height="{height}" fill="#fff"/>'
    inner = "".join(plots).replace("<svg ", '<svg width="760" height="260" ')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}">{paper}{inner}</svg>'


def _slices(calls: Sequence[Call]) -> list[int]:
    """Return how many requests began in each slice of time."""
    counted = Counter(int(call.at // _SLICE_S) for call in calls)
    return list(counted.values())


def _regions(runs: Mapping[str, Sequence[Call]]) -> list[str]:
    tried = Counter(region for calls in runs.values() for call in calls for region in call.tried)
    return [region for region, _ in tried.most_common()]


def _answers(calls: Sequence[Call]) -> Counter[str]:
    return Counter(call.tried[-1] if call.status == 200 and call.tried else "nobody" for call in calls)


def _tried(calls: Sequence[Call]) -> int:
    return sum(len(call.tried) for call in calls)


def _share(calls: Sequence[Call]) -> float:
    return 100 * sum(call.status == 200 for call in calls) / len(calls)


def save(text: str, path: Path) -> None:
    """Write a picture, and its folder where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
