"""Made-up text, and an estimate of the tokens in a given one.

A reply's text consists of pieces of one token each, so that its usage is exact by construction. The tokens of a
prompt are estimated at four UTF-8 bytes each, plus three for every message and three for the reply's start: the
estimate needs no vocabulary, is within some 15 % for English prose, and counts other scripts higher, as real
tokenizers do. Source of the overheads: https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken,
read 2026-11-29; four characters a token: https://learn.microsoft.com/azure/ai-foundry/openai/overview.
"""

import random
from collections.abc import Sequence

BYTES_PER_TOKEN = 4
TOKENS_PER_MESSAGE = 3
TOKENS_PER_PROMPT = 3
TOKENS_PER_IMAGE = 85
"""An image in low detail, whatever its size.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/overview, read 2026-11-29.
"""

_TEXT = """a the this that one each some every and but so then here there now soon often always never again region
request answer token minute bucket queue signal harbour river bridge garden window letter number waits turns moves
holds keeps brings opens closes follows returns small quiet steady early bright plain"""
_WORDS = _TEXT.split()


def count_tokens(text: str) -> int:
    """Return the estimated tokens of `text`."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def make_pieces(rng: random.Random, region: str, length: int) -> list[str]:
    """Return a text of `length` pieces that begins by saying where it comes from."""
    greeting = f"Hello from {region}:".split()
    words = greeting[:length] + rng.choices(_WORDS, k=max(0, length - len(greeting)))
    return [word if index == 0 else f" {word}" for index, word in enumerate(words)]


def cut_at_stop(pieces: Sequence[str], stops: Sequence[str]) -> tuple[list[str], bool]:
    """Return the pieces before the first of `stops`, and whether there was one; the last may be shortened."""
    whole = "".join(pieces)
    ends = [whole.find(stop) for stop in stops if stop in whole]
    if not ends:
        return list(pieces), False
    left, kept = min(ends), []
    for piece in pieces:
        if left <= 0:
            break
        kept.append(piece[:left])
        left -= len(piece)
    return kept, True
