"""Embeddings: inputs, encodings, and what is refused."""

import base64
import struct

import pytest

from tests.foundry.calls import call, complaint, deployment, post


def embed(name="embed", **body):
    return post(f"/openai/deployments/{name}/embeddings", body)


@pytest.mark.parametrize(
    ("given", "count", "tokens"),
    [("hello", 1, 2), (["hello", "you"], 2, 3), ([1, 2, 3], 1, 3), ([[1, 2], [3]], 2, 3)],
)
def test_embeddings_take_texts_and_tokens_one_or_many(region, given, count, tokens):
    _, body = call(region, embed(input=given, dimensions=8))
    assert [entry["index"] for entry in body["data"]] == list(range(count))
    assert body["usage"] == {"prompt_tokens": tokens, "total_tokens": tokens}
    for entry in body["data"]:
        assert sum(value * value for value in entry["embedding"]) == pytest.approx(1, abs=1e-6)


def test_base64_holds_the_same_little_endian_floats(region):
    _, floats = call(region, embed(input="hello"))
    _, packed = call(region, embed(input="hello", encoding_format="base64"))
    raw = base64.b64decode(packed["data"][0]["embedding"])
    assert list(struct.unpack("<1536f", raw)) == floats["data"][0]["embedding"]


def test_equal_inputs_have_equal_vectors_in_every_region(make_region):
    one, other = make_region(seed=1), make_region(seed=2, location="westeurope")
    vectors = [call(region, embed(input="hello"))[1]["data"] for region in (one, other)]
    assert vectors[0] == vectors[1]
    assert call(one, embed(input="hallo"))[1]["data"] != vectors[0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Missing required parameter: 'input'."),
        ({"input": []}, "Invalid 'input': expected 1 to 2048 inputs, but got 0."),
        ({"input": ["x"] * 2049}, "Invalid 'input': expected 1 to 2048 inputs, but got 2049."),
        ({"input": [""]}, "'$.input' is invalid: expected a string, an array of strings, or arrays of tokens."),
        (
            {"input": "x", "dimensions": 5000},
            "Invalid 'dimensions': integer above maximum value. Expected a value <= 1536, but got 5000 instead.",
        ),
        (
            {"input": "x", "encoding_format": "hex"},
            "Invalid value: 'hex'. Supported values are: 'float' and 'base64'.",
        ),
    ],
)
def test_embeddings_that_are_not_good_are_refused(region, body, message):
    assert complaint(call(region, embed(**body)))[0] == message


def test_ada_has_no_choice_of_dimensions(make_region):
    region = make_region(deployment("embed", "text-embedding-ada-002", "2"))
    assert complaint(call(region, embed(input="x", dimensions=8)))[0] == (
        "This model does not support specifying dimensions."
    )
