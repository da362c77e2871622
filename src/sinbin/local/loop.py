"""An event loop in a thread of its own, for servers beside a main thread that waits for signals."""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


def new_loop() -> asyncio.AbstractEventLoop:
    """Return a new event loop: uvloop where there is one, since it halves the cost of a request."""
    if sys.platform != "win32":
        import uvloop  # noqa: PLC0415 - not available everywhere

        return uvloop.new_event_loop()
    return asyncio.new_event_loop()


class LoopThread:
    """Runs a loop until it is stopped."""

    def __init__(self, name: str) -> None:
        """Start the thread."""
        self.loop = new_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do `work` in the loop and return its result; not to be called from the loop itself."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def stop(self) -> None:
        """Cancel what still runs and end the thread."""
        self.call(_cancel_all())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
