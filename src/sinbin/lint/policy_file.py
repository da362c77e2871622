"""A policy as a document to judge: a file, or the text inside a JSON string."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from sinbin.lint.context import SCOPES, Context, Facts, Scope
from sinbin.lint.data_file import ResourceFile
from sinbin.lint.document import Document, Suppression
from sinbin.lint.effective import judged
from sinbin.lint.finding import Located, Place, Span
from sinbin.lint.json_reader import source_offsets
from sinbin.lint.nodes import Node
from sinbin.lint.placed_expression import PolicyExpressions
from sinbin.lint.resource import API, SERVICE, Resource, is_policy_text
from sinbin.lint.rule import EffectivePolicyRule, ExpressionRule, PolicyRule
from sinbin.lint.suppression_comment import parse_comment
from sinbin.policy.document import Document as Policy
from sinbin.policy.document import DocumentKind
from sinbin.policy.nodes import Attribute, Element, Text
from sinbin.policy.nodes import Node as PolicyNode
from sinbin.policy.parser import parse
from sinbin.policy.source import Source

_SCOPE_BY_TYPE: Mapping[str, Scope] = {
    f"{SERVICE}/policies": "global",
    f"{SERVICE}/workspaces/policies": "workspace",
    f"{SERVICE}/products/policies": "product",
    f"{API}/policies": "api",
    f"{API}/operations/policies": "operation",
    f"{SERVICE}/policyfragments": "fragment",
}
_SCOPE_BY_FOLDER: Mapping[str, Scope] = {
    "products": "product",
    "apis": "api",
    "operations": "operation",
    "fragments": "fragment",
    "policy fragments": "fragment",
    "workspaces": "workspace",
}


def scope_by_name(path: str) -> Scope | None:
    """Return the scope that a file's name (`product-web.xml`) or folder (`products/web/policy.xml`) tells."""
    pure = PurePosixPath(path.lower())
    first = pure.name.replace(".", "-").partition("-")[0]
    for scope in SCOPES:
        if first == scope:
            return scope
    for folder in reversed(pure.parts[:-1]):
        if folder in _SCOPE_BY_FOLDER:
            return _SCOPE_BY_FOLDER[folder]
    return None


def facts_by_name(path: str) -> dict[str, Any]:
    """Return what the name of a file, or of a resource, tells: its scope, and whether it is a handshake's."""
    scope = scope_by_name(path)
    return ({"scope": scope} if scope else {}) | ({"websocket": True} if "onhandshake" in path.lower() else {})


class PolicyFile(Document):
    """A policy document or fragment, with its expressions."""

    families = (PolicyRule.family, ExpressionRule.family, EffectivePolicyRule.family)

    def __init__(self, path: str, source: Source, context: Context) -> None:
        self.path = path
        self.text = source.text
        self.context = context
        self.policy = parse(source)
        self.suppressions = tuple(_suppressions(self.policy))

    @classmethod
    def from_bytes(cls, path: str, data: bytes, context: Context) -> "PolicyFile":
        """Return the policy in the bytes of a file."""
        return cls(path, Source.from_bytes(data, path), context)

    @property
    def is_policy(self) -> bool:
        """Whether there is any policy in it, however damaged."""
        return self.policy.kind is not DocumentKind.OTHER

    def subjects(self, family: str) -> Iterable[Any]:
        """Return the document, its expressions, or the document with what surrounds it."""
        if family == PolicyRule.family:
            return (self.policy,)
        if family == ExpressionRule.family:
            return PolicyExpressions(self.policy)
        return (judged(self.policy, self.context),) if self.is_policy else ()

    def place(self, where: Any) -> Located:
        """Return the place of a node: an element by its name, a text without the white space around it."""
        if isinstance(where, Element):
            return Place((where.start, where.name_end), where.path)
        if isinstance(where, PolicyNode):
            parent = where.parent.path if isinstance(where.parent, Element) else ""
            if isinstance(where, Attribute):
                return Place((where.start, where.end), f"{parent}/@{where.name}")
            if isinstance(where, Text):
                raw = self.policy.source.text[where.value_start : where.value_end]
                start = where.value_start + len(raw) - len(raw.lstrip())
                return Place((start, where.value_start + len(raw.rstrip())), f"{parent}/text()")
            return Place((where.start, where.end), f"{parent}/comment()")
        located: Located = where
        return located

    def span(self, mark: tuple[int, int]) -> Span:
        """Return lines and columns of two offsets."""
        position = self.policy.position
        return Span(*position(mark[0]), *position(mark[1]))

    def source_line(self, line: int) -> str:
        """Return the text of line `line`."""
        return self.policy.source.line(line)

    def write(self, text: str) -> bytes:
        """Return `text` in the file's own encoding."""
        return self.policy.source.to_bytes(text)


class EmbeddedPolicy(PolicyFile):
    """A policy text inside a JSON string; its places are those of the JSON file."""

    writable = False

    def __init__(self, file: ResourceFile, value: Node, context: Context) -> None:
        super().__init__(file.path, Source.from_text(str(value.value), file.path), context)
        self._file = file
        raw = file.text[value.start + 1 : value.end - 1]
        mark = 1 if str(value.value).startswith("\ufeff") else 0
        self._offsets = source_offsets(raw, value.start + 1)[mark:]
        self._prefix = value.path

    def place(self, where: Any) -> Located:
        """Return the place, with the resource in front."""
        located = super().place(where)
        return Place(located.mark, f"{self._prefix}/{located.path}")

    def span(self, mark: tuple[int, int]) -> Span:
        """Return lines and columns in the JSON file."""
        last = len(self._offsets) - 1
        return self._file.span((self._offsets[min(mark[0], last)], self._offsets[min(mark[1], last)]))

    def source_line(self, line: int) -> str:
        """Return a line of the JSON file."""
        return self._file.source_line(line)


def embedded_policies(file: ResourceFile, facts: Facts) -> list[EmbeddedPolicy]:
    """Return the policy texts in the resources of `file` (and those a plan lists beside them)."""
    found = []
    seen: set[str] = set()
    for resource in file.resources:
        value = _policy_value(resource)
        if value is None or not isinstance(value.value, str) or value.value in seen:
            continue  # a plan shows a policy as a resource and as a text
        seen.add(value.value)
        if is_policy_text(value):
            scope = _SCOPE_BY_TYPE.get(resource.type) or resource.properties.text("scope")
            told: dict[str, Any] = {"scope": scope} if scope in SCOPES else {}
            names = (resource.node.get("name"), resource.node.get("id"))
            if any("onhandshake" in str(name.value).lower() for name in names if name):
                told["websocket"] = True
            found.append(EmbeddedPolicy(file, value, facts.context(file.path, told)))
    return found


def _policy_value(resource: Resource) -> Node | None:
    if resource.type.endswith(("/policies", "/policyfragments")):
        return resource.get("value") or resource.get("text")
    return None


def _suppressions(policy: Policy) -> Iterable[Suppression]:
    if "sinbin:" not in policy.source.text:
        return
    for comment in policy.comments:
        parsed = parse_comment(comment.text)
        if parsed is None:
            continue
        rules, reason = parsed
        siblings = comment.parent.children if comment.parent is not None else policy.children
        following = next(
            (n for n in siblings if n.start >= comment.end and isinstance(n, Element)),
            None,
        )
        covers = (following.start, following.end) if following is not None else (comment.end, comment.end)
        parent = comment.parent.path if isinstance(comment.parent, Element) else ""
        yield Suppression(rules, reason, Place((comment.start, comment.end), f"{parent}/comment()"), covers)
