"""Two JSON values, property by property, with the paths that Pulumi shows: `pool.services[1].weight`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Change = Literal["add", "delete", "update"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One change; `path` is a Pulumi property path."""

    path: str
    change: Change

    @property
    def root(self) -> str:
        """The property at the top that the change is in."""
        return re.split(r"[.\[]", self.path, maxsplit=1)[0]


def differences(old: Any, new: Any, path: str = "") -> Iterator[Difference]:
    """Yield what changes from `old` to `new`, in the order of `new`; null is as good as absent."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*new, *(name for name in old if name not in new)]:
            yield from _pair(old.get(name), new.get(name), _join(path, name))
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            before = old[index] if index < len(old) else None
            after = new[index] if index < len(new) else None
            yield from _pair(before, after, f"{path}[{index}]")
    elif old != new:
        yield Difference(path, "update")


def changed(old_outputs: Any, new_outputs: Any, inputs: Any) -> Any:
    """Return `inputs` with what changed between two readings of a resource carried over.

    What the service added from the start is in both readings and so does not reach the inputs.
    """
    if isinstance(old_outputs, dict) and isinstance(new_outputs, dict) and isinstance(inputs, dict):
        result = dict(inputs)
        for name in {**old_outputs, **new_outputs}:
            before, after = old_outputs.get(name), new_outputs.get(name)
            if before == after:
                continue
            if after is None:
                result.pop(name, None)
            else:
                result[name] = changed(before, after, inputs.get(name))
        return result
    return new_outputs


def _pair(old: Any, new: Any, path: str) -> Iterator[Difference]:
    if old is None and new is None:
        return
    if old is None:
        yield Difference(path, "add")
    elif new is None:
        yield Difference(path, "delete")
    else:
        yield from differences(old, new, path)


def _join(path: str, name: str) -> str:
    if re.fullmatch(r"[\w$-]+", name) is None:
        return f'{path}["{name}"]'
    return f"{path}.{name}" if path else name
