"""Regions and gateways follow what is deployed: they look at the state again and again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn

_LOG = logging.getLogger(__name__)
_LOOK_S = 0.2


async def follow(who: str, look: Callable[[], Awaitable[None]]) -> NoReturn:
    """Call `look` five times a second until the task is cancelled; `who` names the follower in the log."""
    while True:
        await asyncio.sleep(_LOOK_S)
        try:
            await look()
        except Exception:  # noqa: BLE001 - a fault here must not leave them behind for good
            _LOG.exception("%s could not follow what is deployed", who)
