"""Accounts to make regions of, requests to send them, and what comes back."""

import json

from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.exchange import Request
from sinbin.foundry.latency import LogNormal, RegionLatency

KEY = "local-key"
VERSION = {"api-version": "2024-10-21"}
LATENCY = RegionLatency(reply=LogNormal(0.3, 0.3), per_token=LogNormal(0.01, 0.01), refusal=LogNormal(0.15, 0.15))
TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 3}},
            "required": ["city", "days"],
        },
    },
}


def deployment(name, model, version="2025-04-14", sku="Standard", capacity=60, **more):
    return DeploymentConfig(name=name, model=model, version=version, sku=sku, capacity=capacity, **more)


def account(*deployments, **more):
    values = {"name": "ai-uksouth", "location": "uksouth", "keys": (KEY,), "local_auth": True, "latency": LATENCY}
    return AccountConfig(**values | {"deployments": {entry.name: entry for entry in deployments}} | more)


def post(path, body, headers=None, query=VERSION):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Request("POST", path, query, {"api-key": KEY} | (headers or {}), raw)


def get(path, query=VERSION, method="GET"):
    return Request(method, path, query, {"api-key": KEY})


def chat(name="chat", **more):
    body = {"model": name, "messages": [{"role": "user", "content": "hello there"}]} | more
    return post(f"/openai/deployments/{name}/chat/completions", body)


def call(region, request, now=0.0):
    """Return the answer after it has been settled, and its body as JSON."""
    answer = region.receive(now, request)
    region.finish(now, answer)
    return answer, json.loads(answer.body)


def events(answer):
    """Return the JSON of every data line of a stream, and the [DONE] as it is."""
    lines = [line for line in answer.body.decode().split("\n") if line.startswith("data: ")]
    return [line[6:] if line == "data: [DONE]" else json.loads(line[6:]) for line in lines]


def complaint(answer_and_body):
    """Return message, parameter and code of an answer with status 400."""
    answer, body = answer_and_body
    assert answer.status == 400
    return body["error"]["message"], body["error"].get("param"), body["error"].get("code")
