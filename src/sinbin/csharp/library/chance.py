"""System.Random.

Unseeded it draws from the context's source of chance. With a seed it gives the numbers of .NET: Knuth's subtractive
generator, which .NET has kept for seeds through all its versions.
Source: https://github.com/dotnet/runtime (System.Private.CoreLib, Random.Net5CompatImpl), read 2026-11-30
"""

import random
from typing import Any

from sinbin.csharp.exceptions import argument_null, out_of_range
from sinbin.csharp.registry import declare, with_runtime
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject

_BIG = 2**31 - 1
_SEED = 161_803_398


class Random(CsObject):
    """System.Random without a seed."""

    __slots__ = ("_source",)
    cs_type = Type("Random")

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def double(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        return self._source.random()

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` up to, not including, `high`, which is greater."""
        return self._source.randrange(low, high)

    def bytes(self, count: int) -> bytes:
        """Return `count` bytes."""
        return self._source.randbytes(count)


class SeededRandom(Random):
    """System.Random with a seed."""

    __slots__ = ("_at", "_numbers")

    def __init__(self, seed: int) -> None:
        self._at = 0
        numbers = self._numbers = [0] * 56
        last = numbers[55] = _SEED - (_BIG if seed == -(2**31) else abs(seed))
        step = 1
        for index in range(1, 55):
            place = 21 * index % 55
            numbers[place] = step
            step, last = last - step, step
            step += _BIG if step < 0 else 0
        for _ in range(4):
            for index in range(1, 56):
                value = _int32(numbers[index] - numbers[1 + (index + 30) % 55])
                numbers[index] = value + _BIG if value < 0 else value

    def double(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        return self.sample() * (1.0 / _BIG)

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` up to, not including, `high`, which is greater."""
        if high - low <= _BIG:
            return int(self.double() * (high - low)) + low
        number, sign = self.sample(), self.sample()
        share = ((number if sign % 2 else -number) + (_BIG - 1)) / (2 * _BIG - 1)
        return int(share * (high - low)) + low

    def bytes(self, count: int) -> bytes:
        """Return `count` bytes."""
        return bytes(self.sample() % 256 for _ in range(count))

    def sample(self) -> int:
        """Return the next number of the generator, from 0 up to, not including, 2^31 - 1."""
        self._at = self._at % 55 + 1
        other = (self._at + 20) % 55 + 1
        value = self._numbers[self._at] - self._numbers[other]
        value -= 1 if value == _BIG else 0
        self._numbers[self._at] = value = value + _BIG if value < 0 else value
        return value


def _int32(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


@with_runtime
def _new(rt: Any) -> Random:
    return Random(rt.rng)


def _any(source: Random) -> int:
    return source.sample() if isinstance(source, SeededRandom) else source.between(0, _BIG)


def _below(source: Random, high: int) -> int:
    if high < 0:
        raise out_of_range("maxValue", "'maxValue' must be greater than zero.")
    return _between(source, 0, high)


def _between(source: Random, low: int, high: int) -> int:
    if low > high:
        raise out_of_range("minValue", "'minValue' cannot be greater than maxValue.")
    # With a seed the generator goes on even when there is nothing to choose.
    if low == high and not isinstance(source, SeededRandom):
        return low
    return source.between(low, high)


def _fill(source: Random, data: list[int] | None) -> None:
    if data is None:
        raise argument_null("buffer")
    data[:] = source.bytes(len(data))


declare(
    "Random",
    "System.Random",
    {
        "new()": _new,
        "new(int Seed)": SeededRandom,
        "int Next()": _any,
        "int Next(int maxValue)": _below,
        "int Next(int minValue, int maxValue)": _between,
        "double NextDouble()": "{0}.double()",
        "void NextBytes(byte[] buffer)": _fill,
    },
    bases="object",
)
