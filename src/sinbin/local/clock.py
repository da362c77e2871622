"""The clock of a local Azure: wall time, or wall time made faster."""

import asyncio
import time


class Clock:
    """Seconds since 1970 that pass `speed` times faster from the moment the clock is made."""

    def __init__(self, speed: float = 1.0, begins: float | None = None) -> None:
        """Start the clock, at `begins` (s; None = the time of the wall).

        Raises:
            ValueError: `speed` is not above 0.
        """
        if not speed > 0:
            raise ValueError(f"a clock needs a speed above 0, not {speed:g}")
        self.speed = speed
        self._began = time.time() if begins is None else begins
        self._origin = time.monotonic()

    def now(self) -> float:
        """Return the time; it never goes backwards."""
        return self._began + (time.monotonic() - self._origin) * self.speed

    def wall_s(self, seconds: float) -> float:
        """Return how long `seconds` of this clock last on the wall."""
        return seconds / self.speed

    async def sleep(self, seconds: float) -> None:
        """Sleep for `seconds` of this clock."""
        if seconds > 0:
            await asyncio.sleep(seconds / self.speed)
