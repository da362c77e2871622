"""The names in an expression: types that it writes, locals that it declares, names that nothing declares."""

import json
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sinbin.csharp.allowed import is_allowed_type
from sinbin.csharp.syntax import Node

if TYPE_CHECKING:
    from sinbin.lint.placed_expression import Code, PlacedExpression

INTERFACES = frozenset(
    [
        "IApi",
        "IDeployment",
        "IExpressionContext",
        "IGateway",
        "IGraphQLProperties",
        "IGroup",
        "ILastError",
        "IMessageBody",
        "IOperation",
        "IPrivateEndpointConnection",
        "IProduct",
        "IRequest",
        "IResponse",
        "ISubscription",
        "ISubscriptionKeyParameterNames",
        "ITracing",
        "IUrl",
        "IUser",
        "IUserIdentity",
        "IWorkspace",
        "Authorization",
        "BasicAuthCredentials",
        "Jwt",
    ]
)
"""Types of `context` and of what other policies put into variables: they may be cast to.

Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions, read 2026-11-29
"""

_NAMESPACES = frozenset({"System", "Newtonsoft"})
_DECLARING = frozenset(
    {
        "variable_declarator",
        "parameter",
        "catch_declaration",
        "declaration_expression",
        "declaration_pattern",
        "local_function_statement",
        "from_clause",
        "let_clause",
        "join_clause",
    }
)
_TYPED = (
    "cast_expression",
    "object_creation_expression",
    "array_creation_expression",
    "variable_declaration",
    "declaration_expression",
    "declaration_pattern",
    "type_pattern",
    "parameter",
    "catch_declaration",
    "foreach_statement",
    "typeof_expression",
    "default_expression",
    "local_function_statement",
)
_UNJUDGED = frozenset({"query_expression", "recursive_pattern", "with_expression", "goto_statement"})
"""Syntax in which an identifier may be something else: expressions with it are not judged by name."""

_STRING = re.compile(r'@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_NAMED_VALUE = re.compile(r"\{\{\s*([\w.\-]+)\s*\}\}")


@cache
def context_members() -> dict[str, tuple[str, ...]]:
    """Return the members of `context` and of what hangs on it, by path."""
    raw = json.loads(Path(__file__).with_name("context_members.json").read_text("utf-8"))
    return {path: tuple(members) for path, members in raw.items() if path.startswith("context")}


def closest(name: str, known: Collection[str]) -> str | None:
    """Return the one of `known` that `name` was probably meant to be."""
    by_lower = {candidate.lower(): candidate for candidate in sorted(known)}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[found[0]] if found else None


def declared(code: "Code") -> Iterator[str]:
    """Yield the names that the expression declares: locals, parameters of lambdas, patterns."""
    for node in code.nodes(*_DECLARING):
        if name := node.get("name"):
            yield name.text
    for node in code.nodes("implicit_parameter"):
        yield node.text
    for node in code.nodes("foreach_statement"):
        if left := node.get("left"):
            yield from (part.text for part in left.walk() if part.kind == "identifier")
    for node in code.nodes("tuple_pattern", "single_variable_designation", "parenthesized_variable_designation"):
        yield from (part.text for part in node.walk() if part.kind == "identifier")


def type_text(node: Node) -> str:
    """Return a type as it is written, without arguments, array ranks and `?`."""
    text = "".join(node.text.split()).partition("<")[0]
    return text.rstrip("?[],")


def written_types(code: "Code") -> Iterator[Node]:
    """Yield every place that names a type: in a cast, after `new`, in `<…>`, before a static member."""
    if code.nodes(*_UNJUDGED):
        return
    for node in code.nodes(*_TYPED):
        if (written := node.get("type")) is not None:
            yield from _leaves(written)
    for node in code.nodes("type_argument_list"):
        for part in node.parts:
            yield from _leaves(part)
    for node in code.nodes("as_expression"):
        yield from _leaves(node.parts[-1])
    for node in code.nodes("member_access_expression"):
        yield from _static_owner(node, code.locals)


def undeclared(code: "Code") -> Iterator[Node]:
    """Yield each identifier that stands for a value and is declared nowhere."""
    root = code.parsed.root
    if root is None or code.nodes(*_UNJUDGED):
        return
    known = code.locals | {"context", "_", "nameof", "value"}
    if all(node.text in known or node.text[:1].isupper() for node in code.nodes("identifier")):
        return
    for node in _values_of(root):
        name = node.text
        pasted = not name.strip("_")
        if name not in known and not pasted and name not in _NAMESPACES and not is_allowed_type(name):
            yield node


def compared(expression: "PlacedExpression", node: Node) -> bool:
    """Whether a decision hangs on `node`: it is compared, or asked for a piece of text."""
    for around in expression.nodes("binary_expression", "invocation_expression"):
        if not (around.start <= node.start and node.end <= around.end):
            continue
        if around.kind == "binary_expression" and any(around.has(sign) for sign in ("==", "!=")):
            return True
        function = around.get("function")
        method = function.text.rpartition(".")[2].strip() if function is not None else ""
        if method in ("Contains", "StartsWith", "EndsWith", "Equals", "IndexOf", "IsMatch"):
            return True
    return False


def pasted_values(code: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and name of each named value that stands in `code` outside of strings and comments."""
    if "{{" not in code:
        return
    bare = _STRING.sub(lambda match: " " * len(match[0]), code)
    for match in _NAMED_VALUE.finditer(bare):
        yield match.start(), match.end(), match[1]


def _leaves(written: Node) -> Iterator[Node]:
    if written.kind in ("array_type", "nullable_type", "tuple_type", "tuple_element"):
        for part in written.parts:
            yield from _leaves(part)
    elif written.kind in ("identifier", "generic_name", "qualified_name"):
        yield written


def _static_owner(access: Node, declared_here: frozenset[str]) -> Iterator[Node]:
    """Yield what `access` takes a static member of, once for a chain such as `System.IO.File.ReadAllText`."""
    owner = access.get("expression")
    if owner is None:
        return
    head = owner
    while head.kind == "member_access_expression" and (inner := head.get("expression")) is not None:
        head = inner
    if head.kind != "identifier" or head.text in declared_here:
        return
    if head.text in _NAMESPACES:
        names = "".join(owner.text.split()).split(".")
        whole = is_allowed_type(".".join(names)) or names[-1][:1].isupper()
        prefixes = [".".join(names[:length]) for length in range(2, len(names) + 1)]
        called = access.get("name")
        inside_longer = called is not None and is_allowed_type(f"{'.'.join(names)}.{called.text}")
        if whole and len(names) > 2 and not inside_longer and not any(map(is_allowed_type, prefixes)):
            yield owner
    elif head is owner and head.text[:1].isupper():
        yield owner


def _values(node: Node) -> Iterator[Node]:
    """Yield the identifiers that stand for values: no member names, types, labels or names of arguments."""
    skipped = {id(part) for name in ("name", "type") for part in node.all(name)}
    if node.kind == "as_expression":
        skipped.add(id(node.parts[-1]))
    if node.kind == "initializer_expression":
        skipped |= {id(left) for part in node.parts if (left := part.get("left")) and left.kind == "identifier"}
        for part in node.parts:
            if part.kind == "assignment_expression" and (left := part.get("left")) and left.kind == "identifier":
                yield from _values_of(part.get("right"))
                skipped.add(id(part))
    children = node.children
    for index, child in enumerate(children):
        if not child.named or id(child) in skipped:
            continue
        follows = children[index + 1].kind if index + 1 < len(children) else ""
        if node.kind == "anonymous_object_creation_expression" and child.kind == "identifier" and follows == "=":
            continue
        if child.kind in ("type_argument_list", "generic_name", "implicit_parameter", "qualified_name"):
            continue
        if child.kind == "constant_pattern" or (node.kind == "foreach_statement" and child is node.get("left")):
            continue
        yield from _values_of(child)


def _values_of(node: Node | None) -> Iterator[Node]:
    if node is None:
        return
    if node.kind == "identifier":
        if not node.text[:1].isupper():
            yield node
    else:
        yield from _values(node)
