"""Reading and counting of chat messages and tool definitions."""

from typing import Any

from sinbin.foundry.replies import parameters
from sinbin.foundry.replies.errors import model_error
from sinbin.foundry.replies.reply import compact
from sinbin.foundry.replies.text import (
    TOKENS_PER_IMAGE,
    TOKENS_PER_MESSAGE,
    TOKENS_PER_PROMPT,
    count_tokens,
)

ROLES = ("system", "developer", "user", "assistant", "tool")
MAX_MESSAGES = 2048
MAX_TOOLS = 128
"""Source of both: https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits, read 2026-11-29."""


def count_messages(value: Any) -> int:
    """Return the estimated prompt tokens of the list of messages `value`.

    Raises:
        WireError: it is no good list of messages.
    """
    if value is None:
        raise parameters.missing("messages")
    if not isinstance(value, list) or not value:
        raise model_error(
            "Invalid 'messages': empty array. Expected an array with minimum length 1.", param="messages"
        )
    if len(value) > MAX_MESSAGES:
        raise model_error(f"Invalid 'messages': array too long, at most {MAX_MESSAGES}.", param="messages")
    return TOKENS_PER_PROMPT + sum(_count_message(index, message) for index, message in enumerate(value))


def read_tools(value: Any) -> list[dict[str, Any]]:
    """Return the functions in the list of tools `value`.

    Raises:
        WireError: it is no good list, or holds a kind of tool that is not modelled.
    """
    if value is None:
        return []
    if not isinstance(value, list) or len(value) > MAX_TOOLS:
        raise model_error(f"Invalid 'tools': expected an array of at most {MAX_TOOLS}.", param="tools")
    functions = []
    for index, tool in enumerate(value):
        where = f"tools[{index}]"
        if not isinstance(tool, dict) or tool.get("type") != "function":
            raise parameters.not_modelled(f"{where}.type", "tool")
        # The Responses API writes name and parameters on the tool itself.
        function = tool.get("function", tool)
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise parameters.missing(f"{where}.function.name")
        functions.append(function)
    return functions


def _count_message(index: int, message: Any) -> int:
    where = f"messages[{index}]"
    if not isinstance(message, dict):
        raise model_error(f"Invalid type for '{where}': expected an object.", param=where, code="invalid_type")
    role = message.get("role")
    if role not in ROLES:
        raise model_error(
            f"Invalid value: {role!r}. Supported values are: {', '.join(map(repr, ROLES))}.",
            param=f"{where}.role",
            code="invalid_value",
        )
    calls = message.get("tool_calls")
    content = message.get("content")
    if content is None and role == "assistant" and calls:
        return TOKENS_PER_MESSAGE + count_tokens(compact(calls))
    return TOKENS_PER_MESSAGE + count_content(content, f"{where}.content")


def count_content(content: Any, where: str) -> int:
    """Return the estimated tokens of a message's content: a string or a list of parts.

    Raises:
        WireError: it is neither, or holds a kind of part that is not modelled.
    """
    if isinstance(content, str):
        return count_tokens(content)
    if not isinstance(content, list):
        raise model_error(
            f"Invalid value for '{where}': expected a string or an array.", param=where, code="invalid_type"
        )
    total = 0
    for index, part in enumerate(content):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("text", "input_text", "output_text", "refusal"):
            text = part.get("refusal" if kind == "refusal" else "text")
            if not isinstance(text, str):
                raise parameters.missing(f"{where}[{index}].text")
            total += count_tokens(text)
        elif kind in ("image_url", "input_image"):
            total += TOKENS_PER_IMAGE
        else:
            raise parameters.not_modelled(f"{where}[{index}].type", "content part")
    return total
