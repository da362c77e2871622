"""What is known about a file besides its text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from sinbin.errors import SinbinError
from sinbin.input_files import read_json, read_text

if TYPE_CHECKING:
    from sinbin.topology import Tier

Scope = Literal["global", "workspace", "product", "api", "operation", "fragment"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
# Written out, since importing the whole topology is a tenth of the time that a short run takes.
TIERS: "tuple[Tier, ...]" = (
    "Developer",
    "Basic",
    "Standard",
    "Premium",
    "BasicV2",
    "StandardV2",
    "PremiumV2",
    "Consumption",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Facts about a policy or a resource file that its text does not hold.

    None means unknown: a rule that needs the fact then says nothing.
    """

    scope: Scope = "api"
    tier: "Tier" = "Standard"
    streams: bool = False
    """The API answers with server-sent events."""
    websocket: bool = False
    """The policy applies to the handshake of a WebSocket API."""
    backend_host: str | None = None
    backend_kind: str | None = None
    """`azure-openai` when the backends are Azure OpenAI or Foundry accounts."""
    clients: tuple[str, ...] = ()
    """Who calls, e.g. `openai sdk`."""
    backends: frozenset[str] | None = None
    """Names of every backend and pool there is."""
    fragments: Mapping[str, str] | None = None
    """Text of every policy fragment there is, by id."""
    named_values: frozenset[str] | None = None
    parents: Mapping[Scope, str] = field(default_factory=dict)
    """Policy texts of the broader scopes, for what `<base />` brings in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the command line and a context file say about the files to judge.

    A context file is a JSON object: file stem → facts (`{"F22": {"scope": "global", "tier": "Standard"}}`).
    Facts for `chat` hold for `chat.xml` and `chat.ok.xml`; the longest stem wins, the command line wins over the
    file.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    by_stem: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    default: Mapping[str, Any] = field(default_factory=dict)
    """What holds for every file that nothing else is known of."""
    unused: tuple[str, ...] = ()
    """Facts of the file that no rule knows, as `stem.key`."""
    folder: Path = field(default_factory=Path)
    """Where the paths in the context file start from."""

    def context(self, path: str, found: Mapping[str, Any]) -> Context:
        """Return the context of the file at `path`; `found` is what its own text or name says."""
        stem = path.replace("\\", "/").rpartition("/")[2]
        facts: Mapping[str, Any] = {}
        while not facts and "." in stem:
            stem = stem.rpartition(".")[0]
            facts = self.by_stem.get(stem, {})
        context = Context()
        for key, value in {**self.default, **found, **_renamed(facts), **self.given}.items():
            if key in _READERS:
                context = replace(context, **{key: _READERS[key](value, self.folder)})
        return context


def read_context_file(path: Path) -> Facts:
    """Return the facts in the context file at `path`.

    Raises:
        SinbinError: it cannot be read, or a fact has a value that is not allowed.
    """
    raw = read_json(path)
    if not isinstance(raw, dict):
        raise SinbinError(
            f"{path}: a context file is a JSON object of facts by file stem, this is a {type(raw).__name__}"
        )
    by_stem = {stem: facts for stem, facts in raw.items() if isinstance(facts, dict)}
    for stem, facts in by_stem.items():
        for key, allowed in (("scope", SCOPES), ("tier", TIERS)):
            if key in facts and facts[key] not in allowed:
                raise SinbinError(
                    f'{path}: {stem}.{key}: "{facts[key]}" is not allowed; one of {", ".join(allowed)}'
                )
    unused = tuple(
        f"{stem}.{key}"
        for stem, facts in by_stem.items()
        for key in facts
        if key not in _READERS and key not in _OTHER_KEYS
    )
    return Facts(by_stem=by_stem, folder=path.parent, unused=unused)


def _renamed(facts: Mapping[str, Any]) -> dict[str, Any]:
    names = {"api_streams": "streams", "policies": "parents", "namedValues": "named_values"}
    found = {names.get(key, key): value for key, value in facts.items()}
    if "websocket" in str(facts.get("api_type", "")).lower() or facts.get("operation") == "onHandshake":
        found.setdefault("websocket", True)
    return found


def _text_or_file(value: str, folder: Path) -> str:
    """Return a policy text: the value itself when it is XML, else the file that it names."""
    if value.lstrip("\ufeff \t\r\n").startswith("<"):
        return value
    return read_text(folder / value)


def _texts(value: Mapping[str, str], folder: Path) -> dict[str, str]:
    return {name: _text_or_file(text, folder) for name, text in value.items()}


_READERS: Mapping[str, Any] = {
    "scope": lambda value, _: value,
    "tier": lambda value, _: value,
    "streams": lambda value, _: bool(value),
    "websocket": lambda value, _: bool(value),
    "backend_host": lambda value, _: str(value),
    "backend_kind": lambda value, _: str(value),
    "clients": lambda value, _: tuple(value),
    "backends": lambda value, _: frozenset(value),
    "fragments": _texts,
    "named_values": lambda value, _: frozenset(value),
    "parents": _texts,
}
_OTHER_KEYS = frozenset(
    {"api_streams", "policies", "namedValues", "api_type", "operation", "severity", "form", "needs"}
)
"""Other spellings of facts, and what a case says of itself for people."""
