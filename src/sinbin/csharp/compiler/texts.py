"""Values as text inside an expression: what concatenation and interpolation make of them."""

from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.unit import Unit
from sinbin.csharp.numbers import format_decimal, format_double, format_single
from sinbin.csharp.text_size import checked_text
from sinbin.csharp.types import BOOL, CHAR, DECIMAL, DOUBLE, FLOAT, INTEGRAL, NULL, STRING
from sinbin.csharp.values import to_text


def text_of(unit: Unit, value: Expr) -> str:
    """Return Python code for the text of a value, empty for null."""
    if value.is_const:
        return repr(to_text(value.const)) if value.type != FLOAT else repr(format_single(value.const))
    if value.type == STRING:
        return value.code if value.nonnull else f"({value.code} or '')"
    if value.type == CHAR:
        return value.code
    if value.type == NULL:
        return "''"
    if value.type in INTEGRAL:
        return f"repr({value.code})" if value.type.name == "int" else f"int.__repr__({value.code})"
    if value.type == BOOL:
        return f"('True' if {value.code} else 'False')"
    formatter = {DOUBLE: format_double, FLOAT: format_single, DECIMAL: format_decimal}.get(value.type, to_text)
    return f"{unit.bind(formatter)}({value.code})"


def checked(unit: Unit, code: str) -> str:
    """Return code that refuses a text too long for the host; one expression alone cannot grow without bound."""
    if unit.metered:
        return f"rt.joined({code})"
    return f"{unit.bind(checked_text)}({code})" if unit.parsed.kind == "block" else code
