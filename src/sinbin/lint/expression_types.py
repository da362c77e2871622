"""The type of an expression where it is plain from its words; None wherever it is not.

Names are those of C#: `string`, `int`, `bool`, `double`, `JObject`. This is no compiler: it only says what it is
sure of, so that a rule built on it is silent rather than wrong.
"""

from sinbin.csharp.syntax import Node

_LITERALS = {
    "string_literal": "string",
    "verbatim_string_literal": "string",
    "interpolated_string_expression": "string",
    "boolean_literal": "bool",
    "character_literal": "char",
}
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_KNOWN_RESULTS = {
    "ToString": "string",
    "ToLower": "string",
    "ToUpper": "string",
    "ToLowerInvariant": "string",
    "ToUpperInvariant": "string",
    "Trim": "string",
    "Substring": "string",
    "Replace": "string",
    "StartsWith": "bool",
    "EndsWith": "bool",
    "ContainsKey": "bool",
    "Any": "bool",
    "All": "bool",
    "Count": "int",
    "IndexOf": "int",
}
_STATIC_RESULTS = {
    "int.Parse": "int",
    "Int32.Parse": "int",
    "Convert.ToInt32": "int",
    "long.Parse": "long",
    "Convert.ToInt64": "long",
    "double.Parse": "double",
    "Convert.ToDouble": "double",
    "bool.Parse": "bool",
    "Convert.ToBoolean": "bool",
    "string.Join": "string",
    "String.Join": "string",
    "string.Format": "string",
    "String.Format": "string",
    "string.IsNullOrEmpty": "bool",
    "String.IsNullOrEmpty": "bool",
    "string.IsNullOrWhiteSpace": "bool",
    "JObject.Parse": "JObject",
    "JArray.Parse": "JArray",
    "JsonConvert.SerializeObject": "string",
    "DateTime.UtcNow": "DateTime",
    "DateTime.Now": "DateTime",
    "Guid.NewGuid": "Guid",
}
_CONTEXT = {
    "context.Response.StatusCode": "int",
    "context.Response.StatusReason": "string",
    "context.Request.Method": "string",
    "context.Request.IpAddress": "string",
    "context.RequestId": "Guid",
    "context.Timestamp": "DateTime",
    "context.Elapsed": "TimeSpan",
}
_SYNONYMS = {
    "Int32": "int",
    "Int64": "long",
    "String": "string",
    "Boolean": "bool",
    "Double": "double",
    "Single": "float",
    "Decimal": "decimal",
    "Char": "char",
    "Int16": "short",
    "Byte": "byte",
    "Object": "object",
}


def type_name(node: Node) -> str:
    """Return a written type by its C# name: `System.Int32` is `int`; `int?` stays `int?`."""
    text = "".join(node.text.split()).removeprefix("System.")
    bare = text.removesuffix("?")
    return _SYNONYMS.get(bare, bare) + ("?" if text.endswith("?") else "")


def type_of(node: Node) -> str | None:
    """Return the type of an expression, or None when its words do not tell."""
    kind = node.kind
    if kind in _LITERALS:
        return _LITERALS[kind]
    if kind == "integer_literal":
        return "long" if node.text[-1:] in "lL" else None if node.text[-1:] in "uU" else "int"
    if kind == "real_literal":
        return {"m": "decimal", "f": "float"}.get(node.text[-1:].lower(), "double")
    if kind == "parenthesized_expression" and node.parts:
        return type_of(node.parts[0])
    if kind == "cast_expression" and (written := node.get("type")):
        return type_name(written)
    if kind == "object_creation_expression" and (written := node.get("type")):
        return type_name(written)
    if kind in ("is_pattern_expression", "is_expression"):
        return "bool"
    if kind == "prefix_unary_expression":
        return "bool" if node.has("!") else type_of(node.parts[-1])
    if kind == "conditional_expression":
        one, other = node.get("consequence"), node.get("alternative")
        return _same(one, other)
    if kind == "binary_expression":
        return _binary(node)
    if kind == "invocation_expression":
        return _call(node)
    if kind == "member_access_expression":
        text = "".join(node.text.split())
        return _CONTEXT.get(text) or _STATIC_RESULTS.get(text)
    return None


def result_type(root: Node) -> str | None:
    """Return the type of a whole expression; of a block, when all its returns agree."""
    if root.kind != "block":
        return type_of(root)
    values = [node.parts[0] if node.parts else None for node in root.walk() if node.kind == "return_statement"]
    if any(node.kind in ("lambda_expression", "local_function_statement") for node in root.walk()):
        return None  # a return may be the lambda's
    types = {type_of(value) if value is not None else None for value in values}
    return types.pop() if len(types) == 1 else None


def _binary(node: Node) -> str | None:
    left, right, operator = node.get("left"), node.get("right"), node.get("operator")
    if left is None or right is None:
        return None
    sign = operator.kind if operator else next((child.kind for child in node.children if not child.named), "")
    if sign in _COMPARISONS:
        return "bool"
    one, other = type_of(left), type_of(right)
    if sign == "+" and "string" in (one, other):
        return "string"
    return one if one == other and one in ("int", "long", "double", "decimal") else None


def _call(node: Node) -> str | None:
    function = node.get("function")
    if function is None or function.kind != "member_access_expression":
        return None
    text = "".join(function.text.split())
    if text in _STATIC_RESULTS:
        return _STATIC_RESULTS[text]
    name = function.get("name")
    if name is None:
        return None
    if name.kind == "generic_name":
        arguments = next((part for part in name.parts if part.kind == "type_argument_list"), None)
        wanted = name.text.partition("<")[0].strip()
        if arguments is not None and wanted in ("As", "GetValueOrDefault", "Value") and len(arguments.parts) == 1:
            return type_name(arguments.parts[0])
        return None
    if name.text == "GetValueOrDefault" and ".Headers." in text:
        return "string"
    return _KNOWN_RESULTS.get(name.text)


def _same(one: Node | None, other: Node | None) -> str | None:
    first = type_of(one) if one is not None else None
    return first if other is not None and first == type_of(other) else None
