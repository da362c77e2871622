"""Whether every path through a statement block of C# ends in `return` or `throw`."""

from sinbin.csharp.syntax import Node


def always_returns(node: Node) -> bool:
    """Whether control never leaves `node` at its end."""
    match node.kind:
        case "return_statement" | "throw_statement":
            return True
        case "block":
            return any(always_returns(part) for part in node.parts)
        case "if_statement":
            branches = node.get("consequence"), node.get("alternative")
            return all(branch is not None and always_returns(branch) for branch in branches)
        case "try_statement":
            return _tries(node)
        case "switch_statement":
            return _switch(node)
        case "while_statement" | "for_statement":
            return _endless(node)
        case "do_statement" | "using_statement" | "lock_statement" | "checked_statement" | "foreach_statement":
            body = node.get("body") or (node.parts[-1] if node.parts else None)
            return node.kind != "foreach_statement" and body is not None and always_returns(body)
    return False


def _tries(node: Node) -> bool:
    last = [part for part in node.parts if part.kind == "finally_clause"]
    if last and any(always_returns(part) for part in last[0].parts):
        return True
    body = node.get("body")
    catches = [part.get("body") for part in node.parts if part.kind == "catch_clause"]
    return body is not None and always_returns(body) and all(c is not None and always_returns(c) for c in catches)


def _switch(node: Node) -> bool:
    sections = [part for part in (node.get("body") or node).parts if part.kind == "switch_section"]
    has_default = any(
        section.text.lstrip().startswith("default") or section.has("default") for section in sections
    )
    return has_default and all(any(always_returns(part) for part in section.parts) for section in sections)


def _endless(node: Node) -> bool:
    condition = node.get("condition")
    endless = (condition is None and node.kind == "for_statement") or (
        condition is not None and condition.text == "true"
    )
    return endless and not any(part.kind == "break_statement" for part in node.walk())
