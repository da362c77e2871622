"""Runs the cases of a policy test file."""

import json
from dataclasses import dataclass, field
from typing import Any

from sinbin.gateway.configuration import Subscription
from sinbin.gateway.failures import PolicyLoadError
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.cases import AnswerModel, CaseModel, RequestModel, StepModel
from sinbin.gateway.testing.compare import Mismatch, compare, compare_refusal
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.gateway.testing.suite import Suite, SuiteError, subscription_of
from sinbin.gateway.trace import Trace


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A step that did not come out as expected; `number` counts from 1."""

    number: int
    mismatches: tuple[Mismatch, ...]
    trace: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of a case."""

    file: str
    name: str
    failed: tuple[FailedStep, ...] = ()
    steps: int = 0

    @property
    def passed(self) -> bool:
        """Whether every step came out as expected."""
        return not self.failed


def run_suite(suite: Suite) -> list[CaseResult]:
    """Run every case of `suite` and return what became of each, in order.

    Raises:
        SuiteError: the file asks for something that cannot be run.
    """
    return [_CaseRun(suite, case).run() for case in suite.cases]


@dataclass(slots=True)
class _CaseRun:
    suite: Suite
    case: CaseModel
    driver: Driver | None = None
    scripts: dict[str, list[ScriptedReply]] = field(default_factory=dict)

    def run(self) -> CaseResult:
        configuration = self.suite.configuration()
        failed: list[FailedStep] = []
        for number, step in enumerate(self.case.steps, 1):
            trace = Trace()
            refusal: PolicyLoadError | None = None
            configuration = self.suite.with_policies(configuration, step.policies)
            try:
                if self.driver is None:
                    model = self.suite.model.gateway
                    gateway = Gateway(configuration, model.instances, allow_unmodelled=model.allow_unmodelled)
                    self.driver = Driver(gateway, model.seed)
                elif step.policies:
                    self.driver.gateway.reconfigure(configuration)
            except PolicyLoadError as error:
                refusal = error
            mismatches = self._outcome(number, step, refusal, trace)
            if mismatches:
                failed.append(FailedStep(number, tuple(mismatches), str(trace)))
            if self.driver is None:
                # Without a gateway no later step can run.
                break
        return CaseResult(self.suite.path, self.case.name, tuple(failed), len(self.case.steps))

    def _outcome(
        self, number: int, step: StepModel, refusal: PolicyLoadError | None, trace: Trace
    ) -> list[Mismatch]:
        if step.expect.refused is not None:
            return list(compare_refusal(step.expect.refused, refusal))
        if refusal is not None:
            return [Mismatch("policies", "documents that load", str(refusal))]
        if step.request is None:
            return []
        driver = self.driver
        assert driver is not None
        if step.at is not None:
            if step.at < driver.now:
                raise SuiteError(
                    f"{self.suite.path}: case `{self.case.name}`, step {number}: at {step.at:g} is before "
                    f"{driver.now:g}, when the step before it ended; steps run one after the other"
                )
            driver.now = step.at
        for name, answers in step.answers.items():
            self.scripts[name] = [_scripted(answer) for answer in answers]
        request, subscription = _request(step.request)
        ran = driver.run(request, self.scripts, instance=step.instance - 1, trace=trace, subscription=subscription)
        return list(compare(step.expect, ran))


def _request(model: RequestModel) -> tuple[HttpRequest, Subscription | None]:
    headers = Headers(model.headers)
    body = _bytes(model.body, headers)
    subscription = None if model.subscription is None else subscription_of(model.subscription)
    method, certificate = model.method.upper(), model.client_certificate
    return HttpRequest(method, model.path, headers, body, model.client_ip, certificate), subscription


def _scripted(model: AnswerModel) -> ScriptedReply:
    headers = Headers(model.headers)
    body = _bytes(model.body, headers)
    return ScriptedReply(
        model.status,
        tuple(headers),
        body or b"",
        model.reason,
        model.latency,
        model.error,
        None if model.chunks is None else tuple(chunk.encode() for chunk in model.chunks),
    )


def _bytes(body: Any, headers: Headers) -> bytes | None:
    """Return a body as it is sent: a text as it is, anything else as JSON, with the content type for it."""
    if body is None:
        return None
    if isinstance(body, str):
        return body.encode()
    if "Content-Type" not in headers:
        headers.set("Content-Type", "application/json")
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
