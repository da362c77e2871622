"""YAML with positions, as the same nodes that JSON is read into."""

import yaml

from sinbin.lint.json_reader import MAX_DEPTH, DataError
from sinbin.lint.nodes import Lines, Node, Scalar, join

MAX_NODES = 50_000
"""A stack file has hundreds; a file of nested aliases has billions."""

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> Node:
    """Return the document in `text`.

    Raises:
        DataError: `text` is no YAML, holds several documents, or grows beyond all measure by its aliases.
    """
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DataError(
            error.problem or "no YAML", mark.line + 1 if mark else 1, mark.column + 1 if mark else 1
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise DataError(f"no YAML: {str(error) or 'nested too deep'}".splitlines()[0], 1, 1) from error
    lines = Lines(text)
    if root is None:
        return Node({}, 0, 0, "")
    return _Converter(lines).node(root, "", 0)


class _Converter:
    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.count = 0

    def node(self, source: yaml.Node, path: str, depth: int) -> Node:
        self.count += 1
        if self.count > MAX_NODES or depth > MAX_DEPTH:
            raise DataError("too many or too deeply nested values", source.start_mark.line + 1, 1)
        value: Scalar | dict[str, Node] | list[Node]
        if isinstance(source, yaml.MappingNode):
            value = {}
            for key, member in source.value:
                name = str(key.value)
                child = self.node(member, join(path, name), depth + 1)
                child.key = (self._offset(key.start_mark), self._offset(key.end_mark))
                value[name] = child
        elif isinstance(source, yaml.SequenceNode):
            value = [
                self.node(member, join(path, str(index)), depth + 1) for index, member in enumerate(source.value)
            ]
        else:
            value = _scalar(source)
        return Node(value, self._offset(source.start_mark), self._offset(source.end_mark), path)

    def _offset(self, mark: yaml.Mark) -> int:
        return self.lines.offset(mark.line + 1, mark.column + 1)


def _scalar(node: yaml.Node) -> Scalar:
    kind = node.tag.rpartition(":")[2]
    text = str(node.value)
    try:
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() in ("true", "yes", "on")
        if kind == "int":
            return int(text.replace("_", ""), 0)
        if kind == "float":
            return float(text)
    except ValueError:
        return text  # sexagesimal numbers and their like: no setting has one
    return text
