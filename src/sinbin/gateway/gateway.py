"""The gateway: a configuration compiled once, and the instances that answer requests with it.

gateway = Gateway(configuration, instances=2)
run = gateway.handle(request, now=0.0, rng=random.Random(1))      # a generator, see sinbin.gateway.effects
"""

import random

from sinbin.gateway.answer import Answer, LastError, TraceMessage
from sinbin.gateway.compiler import CompiledDocument, DocumentLoader
from sinbin.gateway.configuration import (
    Api,
    GatewayConfiguration,
    Operation,
    PolicySource,
    Product,
    ScopeKind,
    Subscription,
)
from sinbin.gateway.context import Context
from sinbin.gateway.effects import Run
from sinbin.gateway.failures import Finished, PolicyFailure, PolicyLoadError
from sinbin.gateway.instance import GatewayInstance, Service
from sinbin.gateway.messages import HttpRequest, HttpResponse
from sinbin.gateway.program import Program, assemble
from sinbin.gateway.replies import empty_response, error_response
from sinbin.gateway.request_id import request_id
from sinbin.gateway.routing import Matched, Router, SubscriptionKeys
from sinbin.gateway.trace import Trace
from sinbin.gateway.writing import Pause, Section
from sinbin.policy.handshake import SKIPPED_ON_HANDSHAKE

DEFAULT_GLOBAL = PolicySource(
    text="<policies><inbound/><backend><forward-request/></backend><outbound/><on-error/></policies>",
    name="(default global policy)",
)
"""Source: https://learn.microsoft.com/azure/api-management/set-edit-policies, read 2026-11-29"""

NOT_MODELLED_HEADER = "X-Sinbin-Not-Modelled"


class Gateway:
    """A service of one or more instances that share a configuration, quotas and the cache, and nothing else."""

    def __init__(
        self, configuration: GatewayConfiguration, instances: int = 1, *, allow_unmodelled: bool = False
    ) -> None:
        """Compile `configuration`.

        Args:
            configuration: APIs, backends, policies.
            instances: how many unsynchronised instances answer.
            allow_unmodelled: skip what is not modelled and list it on every answer, instead of refusing it.

        Raises:
            PolicyLoadError: a document is wrong, or says something that is not modelled.
        """
        self._allow_unmodelled = allow_unmodelled
        self.service = Service()
        self._compile(configuration)
        self.instances = [GatewayInstance(number, configuration, self.service) for number in range(instances)]

    def reconfigure(self, configuration: GatewayConfiguration) -> None:
        """Go on with `configuration`; breakers, counters and the cache keep their state.

        Raises:
            PolicyLoadError: a document is refused; the gateway goes on as before.
        """
        self._compile(configuration)
        for instance in self.instances:
            instance.adopt(configuration)

    @property
    def unmodelled(self) -> tuple[str, ...]:
        """What the policies say that is skipped, e.g. `validate-content`; empty unless that was allowed."""
        return self._unmodelled

    def opens_websocket(self, path: str) -> bool:
        """Return whether a handshake on `path` (without its query) is one for a WebSocket API."""
        try:
            return self._router.match("GET", path).api.websocket
        except PolicyFailure:
            return False

    def handle(
        self,
        request: HttpRequest,
        now: float,
        rng: random.Random,
        *,
        instance: int = 0,
        trace: Trace | None = None,
        subscription: Subscription | None = None,
    ) -> Run:
        """Return the run that answers `request`, which arrived at `now` (s).

        Args:
            request: what the caller sent; it is not changed.
            now: seconds on the driver's clock.
            rng: where weighted choices and jitter come from.
            instance: the number of the instance that answers.
            trace: where to note what happens; None costs nothing.
            subscription: whom the caller is known to be, for drivers that do not show keys.
        """
        context = Context(self.instances[instance], request, now, rng, trace)
        context.subscription = subscription
        program: Program | None = None
        try:
            matched, preflight = self._match(context)
            context.enter(matched.api, matched.operation, matched.parameters, matched.path)
            if preflight is not None:
                program = self._program(None, None, None, trace)
                yield from _run(preflight, context)
                raise Finished  # noqa: TRY301 (nothing else of a pipeline runs)
            self._keys.admit(context, matched.api)
            program = self._program_of(context)
            context.reads_reply = program.reads_reply
            if trace is not None:
                _trace_scopes(context)
            # Three times `_run`, without a generator for what needs none.
            if program.inbound.waits:
                yield from program.inbound.run(context)
            else:
                program.inbound.run(context)
            if program.backend.waits:
                yield from program.backend.run(context)
            else:
                program.backend.run(context)
            if context.response is None:
                context.response = empty_response()
            for hook in context.after_response:
                hook(context)
            if program.outbound.waits:
                yield from program.outbound.run(context)
            else:
                program.outbound.run(context)
        except Finished:
            pass
        except PolicyFailure as failure:
            yield from _fail(context, program or self._program_of(context), failure)
        except GeneratorExit:
            context.abandoned = True
            raise
        finally:
            _end(context)
        response = context.response
        assert response is not None
        self._finish(context, response)
        context.let_go()
        return Answer(response, context.last_error, context.recorded, context.watchers, context.variables)

    def _match(self, context: Context) -> tuple[Matched, Section | None]:
        method, path = context.request.method, context.original_url.path
        headers = context.original.headers
        asked = headers.get("Access-Control-Request-Method") if method == "OPTIONS" else None
        if asked is None or "Origin" not in headers:
            return self._router.match(method, path), None
        try:
            matched = self._router.match(method, path)
            if matched.operation is not None:
                # An API that defines OPTIONS itself answers preflights itself.
                return matched, None
        except PolicyFailure:
            matched = self._router.match(asked, path)
        return matched, self._program(matched.api, matched.operation, None, context.trace).preflight

    def _finish(self, context: Context, response: HttpResponse) -> None:
        for name, value in context.reply_headers:
            text = value()
            if text is not None:
                response.headers.set(name, text)
        for cookie in context.cookies:
            response.headers.add("Set-Cookie", cookie)
        if context.view is not None and context.view.traces:
            context.recorded.extend(TraceMessage("context.Trace", text, "verbose") for text in context.view.traces)
        if self._unmodelled:
            response.headers.set(NOT_MODELLED_HEADER, ", ".join(self._unmodelled))
        if context.trace is not None:
            context.trace.gateway(context.now, f"answered {response.status}")

    def _compile(self, configuration: GatewayConfiguration) -> None:
        loader = DocumentLoader(
            dict(configuration.fragments),
            dict(configuration.named_values),
            configuration.tier,
            backends=frozenset(
                [backend.name for backend in configuration.backends] + [pool.name for pool in configuration.pools]
            ),
            openid_documents=dict(configuration.openid_documents),
            certificates=dict(configuration.certificates),
            allow_unmodelled=self._allow_unmodelled,
        )
        documents: dict[tuple[ScopeKind, str], CompiledDocument] = {}

        def load(source: PolicySource | None, kind: ScopeKind, name: str) -> None:
            if source is not None:
                documents[kind, name] = loader.load(source, kind, name)

        load(configuration.policy or DEFAULT_GLOBAL, "global", "global")
        load(configuration.workspace_policy, "workspace", "workspace")
        for product in configuration.products:
            load(product.policy, "product", product.name)
        for api in configuration.apis:
            load(api.policy, "api", api.name)
            load(api.operation_policy, "operation", f"{api.name}/")
            for operation in api.operations:
                load(operation.policy, "operation", f"{api.name}/{operation.name}")
        if loader.problems:
            raise PolicyLoadError(
                sorted(loader.problems, key=lambda problem: (problem.file, problem.line, problem.column))
            )
        self.configuration = configuration
        self._unmodelled = tuple(loader.ignored)
        self._documents = documents
        self._programs: dict[tuple[str | None, str | None, str | None, bool], Program] = {}
        self._router = Router(configuration.apis)
        self._keys = SubscriptionKeys(configuration)

    def _program_of(self, context: Context) -> Program:
        """Return what `context` runs, as far as it is known what it is for and who asks."""
        return self._program(context.api, context.operation, context.product, context.trace)

    def _program(
        self, api: Api | None, operation: Operation | None, product: Product | None, trace: Trace | None
    ) -> Program:
        key = (
            None if api is None else api.name,
            None if operation is None else operation.name,
            None if product is None else product.name,
            trace is not None,
        )
        program = self._programs.get(key)
        if program is None:
            scopes: list[tuple[ScopeKind, str]] = [("global", "global")]
            known = {}
            if api is not None:
                scopes.append(("workspace", "workspace"))
                if product is not None:
                    scopes.append(("product", product.name))
                name = "" if operation is None else operation.name
                scopes += [("api", api.name), ("operation", f"{api.name}/{name}")]
                known = {"api.id": api.name, "operation.id": name}
            documents = [self._documents[scope] for scope in scopes if scope in self._documents]
            skipped = SKIPPED_ON_HANDSHAKE if api is not None and api.websocket else ()
            program = self._programs[key] = assemble(documents, known, traced=trace is not None, skipped=skipped)
        return program


def _run(section: Section, context: Context) -> Pause:
    if section.waits:
        yield from section.run(context)
    else:
        section.run(context)


def _fail(context: Context, program: Program, failure: PolicyFailure) -> Pause:
    _set_error(context, failure)
    try:
        yield from _run(program.on_error, context)
    except Finished:
        pass
    except PolicyFailure as second:
        _set_error(context, second)


def _end(context: Context) -> None:
    for hook in context.at_end:
        try:
            hook(context)
        except PolicyFailure as failure:
            _set_error(context, failure)


def _set_error(context: Context, failure: PolicyFailure) -> None:
    place = failure.place
    source = failure.source or (place.name if place else "gateway")
    if place is None:
        context.last_error = LastError(source, failure.reason, failure.message)
    else:
        context.last_error = LastError(
            source, failure.reason, failure.message, place.scope, place.section, place.path, place.policy_id
        )
    if not failure.keeps_response:
        context.response = error_response(failure, request_id(context))
    if context.trace is not None:
        context.note(f"error {source}/{failure.reason}: {failure.message}")


def _trace_scopes(context: Context) -> None:
    assert context.trace is not None
    parts = ["global"]
    if context.product is not None:
        parts.append(f"product {context.product.name}")
    if context.api is not None:
        parts.append(f"API {context.api.name}")
    if context.operation is not None:
        parts.append(f"operation {context.operation.name}")
    who = "no subscription" if context.subscription is None else f"subscription {context.subscription.id}"
    context.trace.gateway(context.now, f"scopes: {', '.join(parts)}; {who}")
