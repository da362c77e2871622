"""`context.RequestId`: a random id per request, made when somebody asks for it."""

import uuid

from sinbin.gateway.context import Context


def request_id(context: Context) -> str:
    """Return the id of the request, the same one every time."""
    if context.request_id is None:
        context.request_id = str(uuid.UUID(int=context.rng.getrandbits(128), version=4))
    return context.request_id
