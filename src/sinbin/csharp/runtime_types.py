"""System.Type as far as a policy sees it: a name."""

from functools import cache

from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, full_name


class RuntimeType(CsObject):
    """A System.Type; one object per type."""

    __slots__ = ("kind",)
    cs_type = Type("Type")

    def __init__(self, kind: Type) -> None:
        self.kind = kind

    @staticmethod
    @cache
    def of(kind: Type) -> "RuntimeType":
        """Return the one object for `kind`."""
        return RuntimeType(kind)

    @property
    def name(self) -> str:
        """`Type.Name`, without the namespace."""
        plain, bracket, _ = full_name(self.kind).partition("[")
        short = plain.rpartition(".")[2]
        return f"{short}[]" if bracket and self.kind.name == "[]" else short

    def cs_text(self) -> str:
        """Return the full name."""
        return full_name(self.kind)
