"""The effective policy of one operation: the documents of its scopes put into each other, ready to run."""

from collections.abc import Sequence
from dataclasses import dataclass

from sinbin.gateway.blocks import Step, block
from sinbin.gateway.compiler import CompiledDocument
from sinbin.gateway.failures import Place


@dataclass(frozen=True, slots=True)
class Program:
    """The four sections of an effective policy; `preflight` is the first cors policy of inbound, if any."""

    until_reply: tuple[Step, Step]
    """Inbound and backend."""
    outbound: Step
    on_error: Step
    preflight: Step | None
    reads_reply: bool
    """Some policy looks at the body of the reply."""


def assemble(documents: Sequence[CompiledDocument]) -> Program:
    """Return the effective policy of `documents`, broadest scope first: each `<base />` is the scope before it.

    A section that a document leaves out counts as `<base />` alone (assumed; no source says what it means).
    Source: https://learn.microsoft.com/azure/api-management/set-edit-policies, read 2026-11-29
    """
    inbound = _effective(documents, "inbound")
    cors = [step for step, place in inbound if place.name == "cors"]
    return Program(
        until_reply=(block(inbound), block(_effective(documents, "backend"))),
        outbound=block(_effective(documents, "outbound")),
        on_error=block(_effective(documents, "on-error")),
        preflight=cors[0] if cors else None,
        reads_reply=any(document.reads_reply for document in documents),
    )


def _effective(documents: Sequence[CompiledDocument], section: str) -> list[tuple[Step, Place]]:
    if not documents:
        return []
    *broader, document = documents
    parts = document.sections.get(section)
    if parts is None:
        return _effective(broader, section)
    steps: list[tuple[Step, Place]] = []
    for part in parts:
        if part is None:
            steps.extend(_effective(broader, section))
        else:
            steps.append(part)
    return steps
