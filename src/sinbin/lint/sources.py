"""Turns what the user names into documents: files, folders, texts in memory."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.lint.context import Context, Facts
from sinbin.lint.data_file import GATEWAY_KEY, DataFile, ResourceFile, StackFile
from sinbin.lint.document import Document, Reading
from sinbin.lint.policy_file import PolicyFile, embedded_policies, facts_by_name

MAX_BYTES = 10_000_000
"""A policy may have 512 KiB, an ARM template 4 MB; anything beyond this is no source file."""

_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "bin", "obj", "site-packages"})
_POLICY_ENDINGS = (".xml", ".xml.j2", ".policy", ".cshtml")
_READ_ENDINGS = (*_POLICY_ENDINGS, ".json", ".yaml", ".yml")
_OTHER_LANGUAGES = {
    ".bicep": "Bicep: build it first (`az bicep build --file …`) and name the JSON",
    ".bicepparam": "Bicep: build it first (`az bicep build-params --file …`) and name the JSON of the template",
    ".tf": "Terraform: print what is deployed (`az … show`) and name that JSON, or name the policy files",
}


def read_paths(paths: Iterable[Path], facts: Facts) -> tuple[Document, ...]:
    """Return the documents in `paths`, in the order given, each file once.

    A file in a folder that is no policy, resource or stack is passed over; one that was named gets a finding.

    Raises:
        SinbinError: a path is not there or cannot be read, or nothing at all was found.
    """
    seen: set[Path] = set()
    documents: list[Document] = []
    for path in paths:
        if not path.exists():
            raise SinbinError(f"{path}: there is no such file or folder")
        for file in _files(path):
            if file.resolve() in seen:
                continue
            seen.add(file.resolve())
            documents.extend(_read(file, facts, named=not path.is_dir()))
    if not documents:
        named = ", ".join(str(path) for path in paths)
        raise SinbinError(f"{named}: no policy, resource or stack file in it; name files that sinbin reads")
    return tuple(documents)


def read_text(path: str, text: str, facts: Facts, *, named: bool = True) -> tuple[Document, ...]:
    """Return the documents of a text in memory, as if `path` held it."""
    return tuple(_documents(path, text.encode("utf-8"), facts, named=named))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        for name in sorted(names):
            # A template in Jinja is judged as what it renders to, not as it stands.
            if name.lower().endswith(_READ_ENDINGS) and not name.endswith(".j2"):
                yield Path(folder) / name


def _read(file: Path, facts: Facts, *, named: bool) -> Iterator[Document]:
    if file.exists() and not file.is_file():
        raise SinbinError(f"{file}: is no ordinary file; name a file or a folder")
    try:
        size = file.stat().st_size
        data = file.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise SinbinError(f"{file}: cannot be read: {error.strerror or error}") from error
    shown = display_path(file)
    if size > MAX_BYTES:
        if named:
            message = f"{size:,} bytes are too many to judge (at most {MAX_BYTES:,})"
            yield _refused(
                shown, "SB004", message, "split the file; API Management takes policies of up to 512 KiB"
            )
        return
    yield from _documents(shown, data, facts, named=named)


def display_path(file: Path) -> str:
    """Return `file` relative to the working folder where it lies below it, with forward slashes."""
    try:
        return file.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.as_posix()


def _documents(path: str, data: bytes, facts: Facts, *, named: bool) -> Iterator[Document]:
    lowered = path.lower()
    ending = lowered[lowered.rfind(".") :] if "." in lowered else ""
    if ending in _OTHER_LANGUAGES:
        message = f"the file is {_OTHER_LANGUAGES[ending].partition(':')[0]}, which is not read"
        yield _refused(path, "SB005", message, _OTHER_LANGUAGES[ending].partition(": ")[2])
        return
    start = data[:400].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1]
    found = facts_by_name(path)
    if lowered.endswith(_POLICY_ENDINGS) or (start == b"<" and ending not in (".json", ".yaml", ".yml")):
        policy = PolicyFile.from_bytes(path, data, facts.context(path, found))
        if named or policy.is_policy:
            yield policy
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if named or ending == ".json":
            message = f"byte {error.start} is not UTF-8"
            yield _refused(path, "SB004", message, "save the file as UTF-8 text")
        return
    context = facts.context(path, found)
    if ending in (".yaml", ".yml"):
        yield from _stack(path, text, context, named=named)
    else:
        yield from _resources(path, text, context, facts, named=named)


def _resources(path: str, text: str, context: Context, facts: Facts, *, named: bool) -> Iterator[Document]:
    file = ResourceFile(path, text, context)
    policies: Sequence[Document] = embedded_policies(file, facts)
    if file.resources or file.readings or policies:
        yield file
        yield from policies
    elif named:
        yield _nothing(path, text, "no API Management or Foundry resource in this file")


def _stack(path: str, text: str, context: Context, *, named: bool) -> Iterator[Document]:
    stack_name = path.rpartition("/")[2].startswith("Pulumi.") and path.count(".") > 1
    if not named and not (stack_name and GATEWAY_KEY in text):
        return
    stack = StackFile(path, text, context)
    if stack.readings or stack.gateway is not None:
        yield stack
    elif named:
        yield _nothing(path, text, f"no `{GATEWAY_KEY}` under `config` in this file")


def _nothing(path: str, text: str, message: str) -> Document:
    document = _refused(path, "SB005", message, "name a policy, an ARM resource or template, or a stack file")
    document.text = text
    return document


def _refused(path: str, rule: str, message: str, advice: str) -> Document:
    document = DataFile(path, "", Context())
    document.readings = [Reading(rule, (0, 0), message, advice)]
    return document
