"""Files that a user names: read whole, as text, JSON or YAML, or refused with one message.

What is named may be anything: a device that never ends, a pipe that nobody writes to, a file of another encoding,
a date in the thirteenth month. Each is the user's input, and none a reason to wait for ever or to fail.
"""

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sinbin.errors import SinbinError

if TYPE_CHECKING:
    import yaml

_NO_DATA = frozenset(f"tag:yaml.org,2002:{name}" for name in ("set", "omap", "pairs", "binary"))
_MERGE = "tag:yaml.org,2002:merge"
_KEYS = frozenset({_MERGE, "tag:yaml.org,2002:str", "tag:yaml.org,2002:int"})
MAX_BYTES = 64 * 1024 * 1024
"""More than any scenario, test or price list; what is larger was named by mistake."""


class InputFileError(SinbinError):
    """A file that cannot be read, or not as what it ought to be; the message starts with its path."""


def read_text(path: Path) -> str:
    """Return the text of the file at `path`, UTF-8 with or without a byte-order mark.

    Raises:
        InputFileError: there is no such file, it is no ordinary one, too large, or no UTF-8.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputFileError(f"{path}: is no ordinary file; name one")
        if status.st_size > MAX_BYTES:
            raise InputFileError(f"{path}: {status.st_size:,} bytes are too many to read (at most {MAX_BYTES:,})")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputFileError(f"{path}: there is no such file") from error
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise InputFileError(f"{path}: byte {error.start} is no UTF-8; save the file as UTF-8 text") from error
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputFileError(f"{path}: cannot be read: {reason}") from error


def read_json(path: Path) -> Any:
    """Return what the JSON file at `path` holds.

    Raises:
        InputFileError: it cannot be read, or is no JSON.
    """
    return parse_json(read_text(path), str(path))


def parse_json(text: str, where: str) -> Any:
    """Return what `text` holds; every message starts with `where`.

    Raises:
        InputFileError: it is no JSON.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputFileError(f"{where}:{error.lineno}:{error.colno}: is no JSON: {error.msg}") from error
    except RecursionError as error:
        raise InputFileError(f"{where}: is nested too deeply") from error
    except ValueError as error:
        # The only other complaint: Python reads integers of 4,300 digits at most.
        raise InputFileError(f"{where}: holds an integer of more than 4,300 digits") from error


def read_yaml(path: Path) -> Any:
    """Return what the YAML file at `path` holds: plain data; a key given twice is refused.

    Raises:
        InputFileError: it cannot be read, or is no YAML.
    """
    text = read_text(path)
    import yaml  # noqa: PLC0415 - most commands read none

    loader = yaml.CSafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None
        for node, problem in _problems(root, loader):
            raise InputFileError(f"{path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}: {problem}")
        return loader.construct_document(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise InputFileError(f"{where}: is no YAML: {getattr(error, 'problem', None) or error}") from error
    except RecursionError as error:
        raise InputFileError(f"{path}: is nested too deeply") from error
    finally:
        loader.dispose()


def _problems(root: "yaml.Node", loader: "yaml.CSafeLoader") -> Iterator[tuple["yaml.Node", str]]:
    """Yield what the constructors of PyYAML stumble over or take without a word, with the node it is in."""
    import yaml  # noqa: PLC0415

    seen: set[int] = set()
    todo = [root]
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode) and node.tag != _MERGE:
            try:
                loader.construct_object(node)
            except (ValueError, TypeError, KeyError, OverflowError):  # a 13th month, `!!int x`, `!!bool x`
                kind = node.tag.rpartition(":")[2]
                yield node, f'"{node.value[:40]}" is no {kind}; put it in quotes if it is text'
        elif isinstance(node, yaml.SequenceNode):
            todo += reversed(node.value)
        elif isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    yield key, "a key has to be text"
                elif key.tag not in _KEYS:
                    yield key, f'the key "{key.value}" is read as {key.tag.rpartition(":")[2]}; put it in quotes'
                elif key.value in keys:
                    yield key, f'"{key.value}" is given twice'
                else:
                    keys.add(key.value)
            todo += [part for pair in reversed(node.value) for part in reversed(pair)]
        if node.tag in _NO_DATA:
            yield node, f"{node.tag.rpartition(':')[2]} is not read here; write a list or a mapping"
