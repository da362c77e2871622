"""Replies of backends that tests write often."""

import json

from sinbin.gateway.testing.driver import ScriptedReply


def json_reply(value, status=200, **more):
    """Return a reply whose body is `value` as JSON."""
    body = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    return ScriptedReply(status, (("Content-Type", "application/json"),), body, **more)
