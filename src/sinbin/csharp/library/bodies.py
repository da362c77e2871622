"""Bodies of requests and responses, read as what a policy wants them to be.

Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions#ContextVariables, read
2026-11-29
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from sinbin.csharp.collections import CsDict
from sinbin.csharp.context import Body
from sinbin.csharp.exceptions import raised
from sinbin.csharp.jsonnet.reader import parse
from sinbin.csharp.library.xml import parse_document, parse_element
from sinbin.csharp.registry import declare, for_types
from sinbin.csharp.types import BYTE, STRING, Type, array
from sinbin.csharp.values import Array, CsList

_OF_TEXT: dict[str, Callable[[str], Any]] = {
    "string": str,
    **{name: partial(parse, wanted=name) for name in ("JObject", "JArray", "JToken")},
    "XElement": parse_element,
    "XDocument": parse_document,
}


@for_types
def _body_as(types: tuple[Type, ...]) -> Callable[..., Any]:
    wanted = types[-1]
    if wanted == array(BYTE):
        return lambda body, keep=False: Array(body.read(keep=keep), BYTE)
    of_text = _OF_TEXT.get(wanted.name)

    def read(body: Body, keep: bool = False) -> Any:
        if of_text is None:
            raise raised("NotSupportedException", f"The body cannot be read as '{wanted}'.")
        return of_text(body.text(keep=keep))

    return read


def _form(body: Body, keep: bool = False) -> CsDict:
    made = CsDict(Type("Dictionary", (STRING, Type("IList", (STRING,)))))
    for name, value in parse_qsl(body.text(keep=keep), keep_blank_values=True):
        if not made.has(name):
            made.add(name, CsList((), STRING))
        made.get(name).append(value)
    return made


declare(
    "IMessageBody",
    "IMessageBody",
    {
        "T As<T>(bool preserveContent = false)": _body_as,
        "IDictionary<string, IList<string>>! AsFormUrlEncodedContent(bool preserveContent = false)": _form,
    },
    kind="interface",
    bases="object",
)
