"""The policies that are modelled: one class each, found by listing the modules of `sinbin.gateway.policies`."""

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from sinbin.gateway.configuration import ScopeKind
from sinbin.gateway.shape import Shape

if TYPE_CHECKING:
    from sinbin.gateway.blocks import Step
    from sinbin.gateway.compiler import SectionCompiler
    from sinbin.gateway.reading import Node

ALL_SCOPES: tuple[ScopeKind, ...] = ("global", "workspace", "product", "api", "operation")
ALL_SECTIONS = frozenset({"inbound", "backend", "outbound", "on-error"})
REFERENCE = "https://learn.microsoft.com/azure/api-management/{}-policy, read 2026-11-29"

_POLICIES: dict[str, "type[Policy]"] = {}


class Policy(ABC):
    """A policy element and what the gateway does with it.

    A subclass names its elements, the sections they are allowed in, their shape and the source of all that, and
    compiles an element into a step. Defining the class registers it.
    """

    names: ClassVar[tuple[str, ...]]
    """Element names; the first one names the policy, the others are older spellings of the same."""
    sections: ClassVar[frozenset[str]]
    shape: ClassVar[Shape]
    source: ClassVar[str]
    scopes: ClassVar[tuple[ScopeKind, ...]] = ALL_SCOPES
    in_consumption: ClassVar[bool] = True
    """Whether the tier Consumption has it."""
    assumed: ClassVar[tuple[str, ...]] = ()
    """What no source says: one sentence each."""
    differs: ClassVar[tuple[str, ...]] = ()
    """What is known to differ from Azure: one sentence each."""

    def __init_subclass__(cls) -> None:
        for name in cls.names:
            if name in _POLICIES:
                raise TypeError(f"{cls.__module__}: <{name}> is modelled by {_POLICIES[name].__module__} already")
            _POLICIES[name] = cls

    @classmethod
    @abstractmethod
    def compile(cls, node: "Node", compiler: "SectionCompiler") -> "Step":
        """Return the step that does what `node` says; report what is wrong in it to `node.refuse`."""


@cache
def policies() -> Mapping[str, type[Policy]]:
    """Return the class of every element that is modelled, by element name in alphabetical order."""
    package = importlib.import_module("sinbin.gateway.policies")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_POLICIES.items()))
