"""What one model call owes a token limit: reserved on arrival, settled when the reply is known."""

from sinbin.gateway.context import Context
from sinbin.gateway.counters import FixedPeriod, RateCounter
from sinbin.gateway.limit_outputs import Outputs
from sinbin.gateway.tokens import StreamCounter, Usage


class TokenAccount:
    """One call's entry in a token limit.

    `open` reserves the prompt's estimate. The reply settles it: what the model reports replaces the estimate.
    A stream is settled at its end, its completion estimated from what went by.
    """

    __slots__ = (
        "_consumed",
        "_opened_at",
        "_settled",
        "context",
        "counter",
        "estimate",
        "outputs",
        "period_start",
        "quota",
    )

    def __init__(self, context: Context, outputs: Outputs, estimate: int) -> None:
        self.context = context
        self.outputs = outputs
        self.estimate = estimate
        self.counter: RateCounter | None = None
        self.quota: FixedPeriod | None = None
        self.period_start = 0.0
        self._opened_at = context.now
        self._consumed: int | None = None
        self._settled = False

    def open(self) -> None:
        """Reserve the estimate and arrange that the call is settled whatever happens to it."""
        context = self.context
        if self.estimate:
            if self.counter is not None:
                self.counter.add(context.now, self.estimate)
            if self.quota is not None:
                self.quota.add(self.period_start, self.estimate)
        if context.trace is not None and self.counter is not None:
            left = self.counter.left(context.now)
            context.note(
                f"{left + self.estimate:g} of {self.counter.limit:g} tokens left, {self.estimate} reserved"
            )
        self.outputs.set_variable(context, "tokens-consumed", self.estimate)
        self.outputs.tell_later(context, "tokens-consumed", lambda: self._consumed)
        context.after_response.append(self._on_reply)
        context.at_end.append(self._on_end)

    def _on_reply(self, context: Context) -> None:
        """Settle by the backend's reply, which is there before the policies of outbound run."""
        reply = context.response
        if reply is None or not context.attempts:
            return
        if reply.body is not None and not isinstance(reply.body, bytes):
            self._consumed = self.estimate
            self._settled = True
            context.watchers.append(self._watcher())
            return
        usage = context.usage()
        if usage is None and reply.status < 400:
            # The model worked, but says not for how much: what was estimated is all there is.
            usage = Usage(self.estimate, 0)
        self._settle(context.now, usage)
        if usage is not None:
            self._consumed = total = usage.total
            self.outputs.set_variable(context, "tokens-consumed", total)

    def _on_end(self, context: Context) -> None:
        if not self._settled and not context.abandoned:
            self._settle(context.now, None)

    def _watcher(self) -> "StreamSettlement":
        return StreamSettlement(self)

    def settle_stream(self, now: float, counter: StreamCounter) -> None:
        """Settle a relayed reply: completion as estimated, or as a plain JSON reply reported it."""
        if counter.completion:
            self._settle(now, Usage(self.estimate, counter.completion))
        else:
            self._settle(now, counter.reported or Usage(self.estimate, 0))

    def _settle(self, now: float, usage: Usage | None) -> None:
        self._settled = True
        prompt, completion = usage or (0, 0)
        if self.counter is not None:
            self.counter.correct(self._opened_at, now, prompt - self.estimate)
            self.counter.add(now, completion)
        if self.quota is not None:
            self.quota.add(self.period_start, prompt - self.estimate + completion)
        if self.context.trace is not None and self.counter is not None:
            left = self.counter.left(now)
            text = (
                f"{prompt} prompt and {completion} completion tokens used, {left:g} of {self.counter.limit:g} left"
            )
            self.context.trace.gateway(now, text)


class StreamSettlement:
    """Watches a relayed reply for a `TokenAccount`."""

    __slots__ = ("_account", "_counter")

    def __init__(self, account: TokenAccount) -> None:
        self._account = account
        self._counter = StreamCounter()

    def __call__(self, now: float, chunk: bytes | None) -> None:
        """Take in a chunk, or settle at the end."""
        if chunk is not None:
            self._counter.feed(chunk)
        else:
            self._counter.finish()
            self._account.settle_stream(now, self._counter)
