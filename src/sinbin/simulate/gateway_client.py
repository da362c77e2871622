"""Callers that go through the gateway."""

from collections.abc import Sequence

from sinbin.simulate.engine import Process
from sinbin.simulate.instances import Instance
from sinbin.simulate.pauses import make_pauses
from sinbin.simulate.request_source import Request, pause_chance
from sinbin.simulate.scenario import Client, statuses
from sinbin.simulate.send import Send
from sinbin.simulate.sites import OK
from sinbin.simulate.tally import Tally

_ATTEMPT_STEPS = 64
"""Numbers that one attempt of the client may draw from a stream of its request (a retry has at most 50)."""
_INSTANCE_STEP = 1 << 16
"""Where the choice of instances begins among the pauses, out of their way."""


def make_gateway_client(client: Client, instances: Sequence[Instance], tally: Tally) -> Send:
    """Return how callers that behave like `client` send one request to the gateway.

    Pick and cool-down are the gateway's business; attempts and pauses are still the client's. Every attempt goes
    to an instance at random (the load balancer in front of them knows nothing of regions).
    """
    pause = make_pauses(client)
    attempts, retries = client.attempts, statuses(client.retry_on)
    only = instances[0] if len(instances) == 1 else None

    def send(request: Request, _caller: int, _waits: bool) -> Process:
        now = request.arrived
        attempt = 0
        while True:
            instance = only or instances[int(pause_chance(request, _INSTANCE_STEP + attempt) * len(instances))]
            reply = yield from instance.handle(request, now, attempt * _ATTEMPT_STEPS)
            now = reply.at
            if reply.status == OK and reply.site is not None:
                reply.site.answer(request, now)
                if reply.rest is not None:
                    yield from reply.rest
                return
            attempt += 1
            if attempt >= attempts or reply.status not in retries:
                break
            wait = pause(attempt - 1, reply.retry_after_s, request)
            if wait is None:
                break
            if wait:
                now += wait
                yield now
        if reply.site is None:
            tally.refuse(request.kind.name, reply.reason)
        tally.fail(request, now, reply.status)

    return send
