"""What elements that stand side by side are called in a path."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sinbin.policy.nodes import Element


def steps_of(elements: "Sequence[Element]") -> dict[int, str]:
    """Return what each of `elements`, which stand side by side, is called in a path, by its `id`.

    It is the element's name, numbered from 1 when it is not the only one of that name.
    """
    alike = Counter(element.name for element in elements)
    seen: Counter[str] = Counter()
    steps = {}
    for element in elements:
        seen[element.name] += 1
        steps[id(element)] = f"{element.name}[{seen[element.name]}]" if alike[element.name] > 1 else element.name
    return steps
