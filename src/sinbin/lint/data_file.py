"""A JSON file of resources or the YAML file of a stack."""

from collections.abc import Iterable, Iterator
from typing import Any

from sinbin.lint.arm import find_resources
from sinbin.lint.context import Context
from sinbin.lint.document import Document, Reading
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Span
from sinbin.lint.json_reader import DataError, read_json
from sinbin.lint.nodes import Lines, Node
from sinbin.lint.resource import Resource
from sinbin.lint.rule import EstateRule, ResourceRule, StackRule

GATEWAY_KEY = "sinbin:gateway"


class DataFile(Document):
    """A file of structured data; `root` is None when it could not be read."""

    root: Node | None = None

    def __init__(self, path: str, text: str, context: Context) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff")
        self.context = context
        self.lines = Lines(self.text)
        self._mark = text[: len(text) - len(self.text)]

    def span(self, mark: tuple[int, int]) -> Span:
        """Return lines and columns of two offsets."""
        return self.lines.span(*mark)

    def subjects(self, family: str) -> Iterable[Any]:  # noqa: ARG002
        """Return nothing to judge: what is known of the file are its readings."""
        return ()

    def write(self, text: str) -> bytes:
        """Return `text` as UTF-8, with the byte-order mark that the file had."""
        return f"{self._mark}{text}".encode()

    def unreadable(self, error: DataError, kind: str) -> None:
        """Note that the file is no `kind`."""
        at = min(self.lines.offset(error.line, error.column), len(self.text))
        self.readings = [
            Reading("SB004", (at, at + 1), f"the file is no {kind}: {error.message}", "mend the file")
        ]


class ResourceFile(DataFile):
    """ARM resources in JSON."""

    families = (ResourceRule.family, EstateRule.family)

    def __init__(self, path: str, text: str, context: Context) -> None:
        super().__init__(path, text, context)
        self.resources: tuple[Resource, ...] = ()
        try:
            self.root = read_json(self.text)
        except DataError as error:
            self.unreadable(error, "JSON")
        else:
            self.resources = tuple(find_resources(self.root))

    def subjects(self, family: str) -> Iterable[Any]:
        """Return the resources, or all of them together for rules of an estate."""
        if self.root is None:
            return ()
        return self.resources if family == ResourceRule.family else (Estate(self.resources, self.root),)


class StackFile(DataFile):
    """The settings of an environment, `Pulumi.<environment>.yaml`."""

    families = (StackRule.family,)

    def __init__(self, path: str, text: str, context: Context) -> None:
        from sinbin.lint.yaml_reader import read_yaml  # noqa: PLC0415  # a policy needs no YAML reader

        super().__init__(path, text, context)
        try:
            self.root = read_yaml(self.text)
        except DataError as error:
            self.unreadable(error, "YAML")
        else:
            self.readings = list(self._settings_problems())

    def _settings_problems(self) -> Iterator[Reading]:
        """Yield what the settings' own checks refuse, each at the value that has to change."""
        from sinbin.errors import SettingsError  # noqa: PLC0415
        from sinbin.settings import parse_settings  # noqa: PLC0415  # pydantic is slow to import

        gateway = self.gateway
        if gateway is None or self.root is None:
            return
        places: dict[tuple[str | int, ...], Node] = {}
        raw = _plain(gateway, (), places)
        if not isinstance(raw, dict):
            yield Reading("SB006", gateway.mark, "is no mapping", "write the settings of the gateway below it")
            return
        environment = self.path.rpartition("/")[2].removeprefix("Pulumi.").rpartition(".")[0]
        location = self.root.text("config", "azure-native:location")
        defaults = {"environment": environment, **({"location": location} if location else {})}
        order = list(places)
        try:
            # Every value gets a line of its own, so that a problem leads back to the value.
            parse_settings({**defaults, **raw}, source="", lines={path: i for i, path in enumerate(order, 1)})
        except SettingsError as error:
            for problem in error.problems:
                number, _, message = problem.removeprefix(":").partition(": ")
                node = places[order[int(number) - 1]] if number.isdecimal() else gateway
                message = message if number.isdecimal() else problem.removeprefix(": ")
                yield Reading("SB006", node.mark, message, "change the value to what is allowed")

    @property
    def gateway(self) -> Node | None:
        """The object `sinbin:gateway`."""
        return self.root.get("config", GATEWAY_KEY) if self.root else None

    def subjects(self, family: str) -> Iterable[Any]:  # noqa: ARG002
        """Return the gateway's settings for rules of a stack."""
        gateway = self.gateway
        return (gateway,) if gateway is not None else ()


def _plain(node: Node, path: tuple[str | int, ...], places: dict[tuple[str | int, ...], Node]) -> Any:
    """Return the plain value of `node`, noting where each path of it is written."""
    places[path] = node
    if isinstance(node.value, dict):
        return {key: _plain(member, (*path, key), places) for key, member in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(entry, (*path, index), places) for index, entry in enumerate(node.value)]
    return node.value
