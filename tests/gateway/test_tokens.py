"""What a prompt is taken for, whatever a caller sends as one."""

import pytest

from sinbin.gateway.tokens import TOKENS_PER_IMAGE, prompt_tokens


@pytest.mark.parametrize(
    ("request_", "tokens"),
    [
        ({}, 0),
        ({"prompt": "12345"}, 2),
        ({"input": ["1234", ["5678"]], "instructions": "90ab"}, 3),
        ({"messages": [{"role": "user", "content": "12345678"}, {"content": None}]}, 2),
        (
            {"messages": [{"content": [{"type": "text", "text": "1234"}, {"type": "image_url"}]}]},
            1 + TOKENS_PER_IMAGE,
        ),
        ({"messages": [{"type": ["no", "text"], "content": "1234"}]}, 1),
        ({"messages": 7, "prompt": True}, 0),
    ],
)
def test_characters_and_images_count_wherever_they_stand(request_, tokens):
    assert prompt_tokens(request_) == tokens


def test_what_is_nested_deeper_than_any_prompt_does_not_count():
    value = "1234"
    for _ in range(20):
        value = [value]
    assert prompt_tokens({"input": value}) == 0
