"""What the policies of the stack `local` refuse, as the OpenAI client shows it; the rest is in tests/clients."""

import openai
import pytest

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


@pytest.mark.parametrize(
    ("model", "key_of", "error", "says"),
    [
        ("chat-default", None, openai.AuthenticationError, "invalid subscription key"),
        ("gpt-5", "web-chat", openai.PermissionDeniedError, "this key may not call gpt-5"),
        ("embed-default", "nightly", openai.PermissionDeniedError, "it may call: chat-default"),
    ],
)
def test_refusals_are_those_of_the_policies(deployed, model, key_of, error, says):
    key = deployed.key(key_of) if key_of else "wrong"
    client = openai.OpenAI(base_url=f"{deployed.url}/openai/v1", api_key=key, max_retries=0)
    with client, pytest.raises(error, match=says):
        client.chat.completions.create(model=model, messages=MESSAGES)
