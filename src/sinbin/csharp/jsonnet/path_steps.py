"""The steps of a JSONPath: each yields the tokens that it leads to from one token."""

from collections.abc import Callable, Iterator

from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.jsonnet.tokens import JContainer, JToken
from sinbin.csharp.parsing import parse_integer
from sinbin.csharp.types import INT

Step = Callable[[JToken, JToken], Iterator[JToken]]


def follow(step: Step, tokens: Iterator[JToken], root: JToken) -> Iterator[JToken]:
    """Yield what a step leads to from each token."""
    for token in tokens:
        yield from step(token, root)


def _inside(token: JToken) -> Iterator[JToken]:
    if isinstance(token, JObject):
        yield from (value for _, value in token.tokens())
    elif isinstance(token, JArray | JProperty):
        yield from token.children()


def _descend(token: JToken) -> Iterator[JToken]:
    yield token
    for child in _inside(token):
        if isinstance(child, JContainer):
            yield from _descend(child)
        else:
            yield child


def field(name: str | None) -> Step:
    """The value of a name; without a name every value."""

    def step(token: JToken, root: JToken) -> Iterator[JToken]:
        del root
        if isinstance(token, JObject):
            if name is None:
                yield from _inside(token)
            else:
                found = token.get(name)
                if found is not None:
                    yield found
        elif name is None and isinstance(token, JArray):
            yield from _inside(token)

    return step


def fields(names: list[str]) -> Step:
    """The values of several names."""
    steps = [field(name) for name in names]
    return lambda token, root: (found for step in steps for found in step(token, root))


def index(index: int) -> Step:
    """An item of an array."""

    def step(token: JToken, root: JToken) -> Iterator[JToken]:
        del root
        if isinstance(token, JArray) and 0 <= index < len(token):
            yield token.at(index)

    return step


def part(start: str, stop: str, by: str) -> Step:
    """A slice of an array."""
    cut = slice(*(parse_integer(bound, INT) if bound else None for bound in (start, stop, by)))

    def step(token: JToken, root: JToken) -> Iterator[JToken]:
        del root
        if isinstance(token, JArray):
            yield from (token.at(index) for index in range(*cut.indices(len(token))))

    return step


def deep(inner: Step) -> Step:
    """A step taken from a token and everything under it."""
    return lambda token, root: (found for part in _descend(token) for found in inner(part, root))


def chosen(test: Callable[[JToken, JToken], bool]) -> Step:
    """The children that pass a test."""
    return lambda token, root: (child for child in _inside(token) if test(child, root))
