"""`--fix`: applies the edits of findings, the smallest change each."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.lint.document import Document
from sinbin.lint.finding import Edit, Finding


def apply_edits(text: str, repairs: Iterable[Sequence[Edit]]) -> tuple[str, int]:
    """Return `text` with the repairs made, and how many were.

    A repair is made whole or not at all: one that touches what an earlier one has changed waits for the next
    round.
    """
    taken: list[Edit] = []
    made = 0
    for repair in repairs:
        if all(_apart(edit, other) for edit in repair for other in taken):
            taken.extend(repair)
            made += 1
    for edit in sorted(taken, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, made


def _apart(one: Edit, other: Edit) -> bool:
    if one.start == other.start:
        return False
    return one.end <= other.start or other.end <= one.start


def fix_document(document: Document, findings: Iterable[Finding], file: Path) -> int:
    """Repair what can be repaired in `file` and return how many findings that was.

    Raises:
        SinbinError: the file cannot be written.
    """
    text, made = apply_edits(document.text, [finding.edits for finding in findings if finding.edits])
    if made:
        _replace(file, document.write(text))
    return made


def _replace(file: Path, data: bytes) -> None:
    """Write beside the file and rename: it is never half written."""
    import tempfile  # noqa: PLC0415  # only when something is repaired

    target = file.resolve()  # a link stays a link
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SinbinError(
            f"{file}: cannot be written: {error.strerror or error}; nothing was changed in it"
        ) from error
