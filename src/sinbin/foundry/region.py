"""One region, that is one Foundry account, as a state machine: a request in, an answer as data out.

The caller brings the time and carries the answer out: it waits, sends, and tells the region with `finish` how the
sending ended, so that the reservation is settled.
"""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sinbin.foundry import catalog
from sinbin.foundry.account import AccountConfig, display_name
from sinbin.foundry.answers import Answering, json_answer
from sinbin.foundry.auth import authenticate
from sinbin.foundry.deployment import Deployment
from sinbin.foundry.exchange import Answer, Request, TransportError
from sinbin.foundry.faults import Fault, Faults
from sinbin.foundry.models import is_provisioned
from sinbin.foundry.quota import Gauge, Refusal
from sinbin.foundry.realtime import open_session
from sinbin.foundry.replies import chat, completions, embeddings, errors, parameters, responses
from sinbin.foundry.replies.errors import WireError
from sinbin.foundry.replies.reply import FAMILIES, Context, Family, StoredResponse
from sinbin.foundry.routes import Route, find_route

FAMILY_MODULES = (chat, completions, embeddings, responses)
"""Importing them registers their families."""

_CONNECTION_FAULTS: dict[str, TransportError] = {
    "dns": "dns",
    "tls": "tls",
    "region-down": "refused",
    "reset-before-headers": "reset",
}
_API_VERSION = re.compile(r"\d{4}-\d{2}-\d{2}(?:-preview)?|latest|preview|v1")


@dataclass(frozen=True, slots=True)
class _Work:
    """What a model is asked to do, and the faults that hit the call."""

    family: Family
    body: dict[str, Any]
    struck: tuple[Fault, ...] = ()


class Region:
    """A Foundry account at work."""

    def __init__(self, account: AccountConfig, rng: random.Random) -> None:
        """Make a region with full quotas.

        Args:
            account: what it is configured to be.
            rng: where all its chance comes from; equal seeds and requests give equal answers.

        Raises:
            UnknownModelError: a deployment is of a model without facts.
        """
        self.account = account
        self.display_name = display_name(account.location)
        self.faults = Faults()
        self._rng = rng
        self._deployments = {name: Deployment(config) for name, config in account.deployments.items()}
        self._stored: dict[str, StoredResponse] = {}

    def configure(self, now: float, account: AccountConfig) -> None:
        """Become `account` from `now` on; deployments that stay keep their counters."""
        self.account = account
        self.display_name = display_name(account.location)
        old, self._deployments = self._deployments, {}
        for name, config in account.deployments.items():
            if name in old:
                old[name].adopt(now, config)
            self._deployments[name] = old.get(name) or Deployment(config)

    def gauges(self, now: float) -> dict[str, tuple[Gauge, ...]]:
        """Return how full the limits of each deployment are."""
        for name, deployment in self._deployments.items():
            deployment.scale(now, self.faults.quota_share(now, name))
        return {name: deployment.quota.gauges(now) for name, deployment in self._deployments.items()}

    def connect(self, now: float) -> TransportError | None:
        """Return why no connection can be had at `now`, for faults that last; counted calls are not used up."""
        for active in self.faults.active(now):
            fault = active.fault
            if fault.calls is None and fault.share == 1 and fault.deployment is None:
                error = _CONNECTION_FAULTS.get(fault.kind)
                if error is not None and error != "reset":
                    return error
        return None

    def receive(self, now: float, request: Request) -> Answer:
        """Return the answer to a request that arrives at `now`; tell `finish` when it has been sent."""
        answering = Answering(self.account, self.display_name, request, self._rng)
        try:
            route = self._route(request)
            work = deployment = None
            if route.action == "realtime":
                name = request.query.get("deployment" if route.dated else "model")
                deployment = self._deployment(route, {"model": name} if name else {})
            elif route.action in FAMILIES:
                family = FAMILIES[route.action]
                work = _Work(family, _read_body(route, request, family))
                deployment = self._deployment(route, work.body)
            struck = self.faults.strike(now, self._rng, deployment.config.name if deployment else None)
            for fault in struck:
                if fault.kind in _CONNECTION_FAULTS:
                    return Answer(transport_error=_CONNECTION_FAULTS[fault.kind])
            if route.action == "realtime" and deployment is not None:
                answer = open_session(answering, deployment, struck)
            elif work is None or deployment is None:
                answer = json_answer(answering, 200, self._administer(route, request))
            else:
                answer = self._infer(now, answering, deployment, replace(work, struck=struck))
        except WireError as error:
            return json_answer(answering, error.status, error.body, error.headers)
        return answering.afflict(answer, struck)

    def finish(self, now: float, answer: Answer, sent_chunks: int | None = None) -> None:
        """Settle what `answer` owes to its quota, once, when it has been sent or the connection broke.

        Args:
            now: when that was.
            answer: what `receive` returned.
            sent_chunks: how many chunks left before the connection broke; None = all.
        """
        owed, answer.settlement = answer.settlement, None
        if owed is None:
            return
        tokens = owed.completion_tokens
        if sent_chunks is not None and answer.streamed:
            tokens = sum(chunk.tokens for chunk in answer.chunks[:sent_chunks])
        owed.quota.settle(now, owed.reservation, owed.prompt_tokens, tokens)

    def _route(self, request: Request) -> Route:
        authenticate(self.account, request.headers)
        route = find_route(request.path)
        if route is None or (route.dated and not _API_VERSION.fullmatch(request.query.get("api-version", ""))):
            raise errors.resource_not_found()
        if request.method not in route.methods:
            raise errors.method_not_allowed()
        if route.action == "unmodelled":
            raise parameters.not_modelled(route.item or "", "operation")
        return route

    def _deployment(self, route: Route, body: Mapping[str, Any]) -> Deployment:
        name = route.deployment
        if name is None:
            name = parameters.text(body, "model")
            if name is None:
                raise parameters.missing("model")
        if name not in self._deployments:
            raise errors.deployment_not_found()
        return self._deployments[name]

    def _administer(self, route: Route, request: Request) -> dict[str, Any]:
        item = route.item or ""
        match route.action:
            case "models":
                return catalog.list_models(self.account)
            case "model":
                return catalog.get_model(self.account, item)
            case "deployments":
                return catalog.list_deployments(self.account)
            case "model-info":
                return catalog.model_info(self._deployment(route, request.query).config)
            case "input-items":
                return responses.list_input_items(responses.find_stored(self._stored, item), request.query)
            case _:
                stored = responses.find_stored(self._stored, item)
                if request.method == "DELETE":
                    del self._stored[item]
                    return {"id": item, "object": "response", "deleted": True}
                return stored.body

    def _infer(self, now: float, answering: Answering, deployment: Deployment, work: _Work) -> Answer:
        answer = self._try_deployment(now, answering, deployment, work)
        spillover = deployment.config.spillover or answering.request.headers.get("x-ms-spillover-deployment")
        other = self._deployments.get(spillover or "")
        if other is None or answer.status < 429 or not is_provisioned(deployment.config.sku):
            return answer
        second = self._try_deployment(now, answering, other, replace(work, struck=()))
        second.headers["x-ms-spillover-from-deployment"] = deployment.config.name
        second.headers["x-ms-spillover-error"] = str(answer.status)
        return second

    def _try_deployment(self, now: float, answering: Answering, deployment: Deployment, work: _Work) -> Answer:
        facts, config, family = deployment.facts, deployment.config, work.family
        if family.operation not in facts.operations:
            raise errors.operation_not_supported(family.verb, facts.name)
        call = family.read(work.body, facts, self._stored)
        for fault in work.struck:
            if fault.kind in ("status", "content-filter"):
                return answering.faulty(fault, family, config)
        deployment.scale(now, self.faults.quota_share(now, config.name))
        admitted = deployment.quota.reserve(now, call.demand)
        if isinstance(admitted, Refusal):
            return answering.refused(now, admitted, deployment, family)
        context = Context(
            facts=facts,
            region=self.display_name,
            created=int(now),
            rng=self._rng,
            reply_tokens=self.account.reply_tokens,
            stored=self._stored,
        )
        return answering.answered(now, deployment, family, family.reply(call, context), admitted)


def _read_body(route: Route, request: Request, family: Family) -> dict[str, Any]:
    body = parameters.read_body(request.body)
    if route.foundry and request.headers.get("extra-parameters", "error") == "drop":
        return {name: value for name, value in body.items() if name in family.known | family.unmodelled}
    return body
