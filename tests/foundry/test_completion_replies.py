"""Completions of the older kind."""

from tests.foundry.calls import call, deployment, events, post


def test_a_completion_is_sixteen_tokens_unless_told_otherwise(make_region):
    region = make_region(deployment("old", "gpt-35-turbo-instruct", "0914"))
    request = post("/openai/deployments/old/completions", {"prompt": ["one", "two"], "n": 2})
    _, body = call(region, request)
    assert body["object"] == "text_completion"
    assert [choice["finish_reason"] for choice in body["choices"]] == ["length"] * 4
    assert body["usage"] == {"prompt_tokens": 2, "completion_tokens": 64, "total_tokens": 66}


def test_a_completion_streams(make_region):
    region = make_region(deployment("old", "gpt-35-turbo-instruct", "0914"))
    body = {"prompt": "one", "max_tokens": 2, "stream": True, "stream_options": {"include_usage": True}}
    *chunks, usage, done = events(region.receive(0, post("/openai/deployments/old/completions", body)))
    assert [chunk["choices"][0]["text"] for chunk in chunks] == ["Hello", " from", ""]
    assert (usage["usage"]["total_tokens"], done) == (3, "[DONE]")
