"""set-header and set-body, as policies of their own and inside the messages that other policies build."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sinbin.gateway.context import Context
from sinbin.gateway.messages import Headers
from sinbin.gateway.reading import Node
from sinbin.gateway.shape import Attribute, Shape, Text
from sinbin.gateway.writing import Writer

UNTOUCHABLE = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})
"""Headers that no policy may change. Source: set-header reference page, read 2026-11-29"""


@dataclass(frozen=True, slots=True)
class HeaderChange:
    """What a set-header does to the headers of a message: `apply`, which often is no more than one `call`."""

    apply: Callable[[Context, Headers], None]
    call: str = ""

    def code(self, writer: Writer, headers: str) -> str:
        """Return Python that changes `headers`."""
        return (
            f"{headers}.{self.call}" if self.call else f"{writer.bind(self.apply, 'change')}(context, {headers})"
        )


EXISTS_ACTION = Attribute("text", default="override", choices=("override", "skip", "append", "delete"))
HEADER_SHAPE = Shape(
    attributes={"name": Attribute("text", required=True), "exists-action": EXISTS_ACTION},
    children={"value": Shape(text=Text(required=False), repeated=True)},
    repeated=True,
)
BODY_SHAPE = Shape(
    attributes={
        "template": Attribute("text", expression=False, choices=("none",), note="Liquid templates are refused.")
    },
    text=Text(required=False),
    refused=dict.fromkeys(("xsi-nil", "parse-date"), "Liquid templates are not run"),
)


def header_change(node: Node) -> HeaderChange:
    """Return what a set-header does to the headers of a message."""
    name, action = node.value("name"), node.value("exists-action")
    values = [value.text for value in node.all("value")]
    if not values and action.constant != "delete":
        node.refuse('needs a <value>, or exists-action="delete"')
    if name.known and str(name.constant).lower() in UNTOUCHABLE:
        node.refuse(f"cannot change {name.constant}: the gateway sets it itself")
    if name.known and action.known and action.constant == "delete":
        gone = str(name.constant).lower()
        return HeaderChange(lambda _, headers: headers.remove(gone), f"fields.pop({gone!r}, None)")
    if name.known and action.known and len(values) == 1 and action.constant == "override":
        fixed, [value] = str(name.constant), values
        if value.known:
            text = str(value.constant)
            return HeaderChange(lambda _, headers: headers.set(fixed, text), f"set({fixed!r}, {text!r})")
        return HeaderChange(lambda context, headers: headers.set(fixed, value.read(context)))

    def change(context: Context, headers: Headers) -> None:
        header, what = name.read(context), action.read(context)
        if header.lower() in UNTOUCHABLE:
            return
        if what == "delete":
            headers.remove(header)
        elif what != "skip" or header not in headers:
            texts = [value.read(context) for value in values]
            headers.set(header, *(headers.values(header) if what == "append" else ()), *texts)

    return HeaderChange(change)


def header_changes(nodes: Sequence[Node]) -> Callable[[Context, Headers], None]:
    """Return what several set-header elements do, in order."""
    changes = [header_change(node).apply for node in nodes]

    def change(context: Context, headers: Headers) -> None:
        for one in changes:
            one(context, headers)

    return change


def body_of(node: Node) -> Callable[[Context], bytes]:
    """Return what a set-body sets as the body."""
    text = node.text
    if text.known:
        body = str(text.constant).encode()
        return lambda _: body
    return lambda context: text.read(context).encode()
