"""The effective policy of one operation: the documents of its scopes put into each other, ready to run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sinbin.gateway.blocks import Step, block
from sinbin.gateway.compiler import CompiledDocument
from sinbin.gateway.failures import Place
from sinbin.gateway.writing import Section, compile_section


@dataclass(frozen=True, slots=True)
class Program:
    """The four sections of an effective policy; `preflight` is the first cors policy of inbound, if any."""

    inbound: Section
    backend: Section
    outbound: Section
    on_error: Section
    preflight: Section | None
    reads_reply: bool
    """Some policy looks at the body of the reply."""


def assemble(
    documents: Sequence[CompiledDocument],
    known: Mapping[str, str],
    *,
    traced: bool,
    skipped: Collection[str] = (),
) -> Program:
    """Return the effective policy of `documents`, broadest scope first: each `<base />` is the scope before it.

    A section that a document leaves out counts as `<base />` alone (assumed; no source says what it means).
    Source: https://learn.microsoft.com/azure/api-management/set-edit-policies, read 2026-11-29

    Args:
        documents: the documents of the scopes.
        known: what is the same for every request of the program, see `Writer.known`.
        traced: the program notes in the context's trace which policy starts.
        skipped: names of policies that are left out; those inside another policy stay (assumed).
    """
    inbound, backend, outbound, on_error = (
        [one for one in _effective(documents, section) if one[1].name not in skipped]
        for section in ("inbound", "backend", "outbound", "on-error")
    )
    cors = [step for step, place in inbound if place.name == "cors"]
    return Program(
        inbound=compile_section(block(inbound), known, traced=traced),
        backend=compile_section(block(backend), known, traced=traced),
        outbound=compile_section(block(outbound), known, traced=traced),
        on_error=compile_section(block(on_error), known, traced=traced),
        preflight=compile_section(cors[0], known, traced=traced) if cors else None,
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
