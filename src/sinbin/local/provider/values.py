"""What travels between engine and provider: JSON with marks for unknown and secret values.

Secrets are kept by property: a secret anywhere inside a property makes the whole property one.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct

_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105
"""The engine's marks.

Source: https://github.com/pulumi/pulumi, sdk/go/common/resource/sig/sig.go, read 2026-11-29.
"""


def read(message: Struct) -> tuple[dict[str, Any], set[str]]:
    """Return the properties in `message` in clear, and the names of those that hold a secret."""
    raw = MessageToDict(message)
    secret: set[str] = set()
    plain = {}
    for name, value in raw.items():
        found: list[bool] = []
        plain[name] = _reveal(value, found)
        if found:
            secret.add(name)
    return plain, secret


def write(properties: Mapping[str, Any], secret: Iterable[str] = ()) -> Struct:
    """Return `properties` as a message, with the named ones marked as secret."""
    hidden = set(secret)
    marked = {
        name: {_SIGNATURE: _SECRET, "value": value} if name in hidden and value is not None else value
        for name, value in properties.items()
    }
    return ParseDict(marked, Struct())


def _reveal(value: Any, found: list[bool]) -> Any:
    if isinstance(value, dict):
        if value.get(_SIGNATURE) == _SECRET:
            found.append(True)
            return _reveal(value.get("value"), found)
        return {name: _reveal(inner, found) for name, inner in value.items()}
    if isinstance(value, list):
        return [_reveal(inner, found) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)  # the wire has one kind of number, ARM has two
    return value
