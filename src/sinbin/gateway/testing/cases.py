"""The cases of a policy test file: requests, what backends answer, what is expected."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from sinbin.gateway.testing.schema import (
    BackendModel,
    GatewayModel,
    PoolModel,
    Strict,
    SubscriptionModel,
    Text,
    at_least_one,
)
from sinbin.gateway.url import Url

Scope = Literal["global", "workspace", "product", "api", "operation"]
Policies = dict[Scope, str | dict[str, str]]
"""Per scope the text of a document or the path of a file; for products also one document per product."""


class RequestModel(Strict):
    """What a caller sends; a body that is no text is sent as JSON."""

    method: str = "GET"
    path: str = "/"
    headers: dict[str, Text] = Field(default_factory=dict)
    body: Any = None
    subscription: SubscriptionModel | None = None
    """The subscription that the call comes on, without its key being shown."""
    client_ip: str = "127.0.0.1"
    client_certificate: str | None = None
    """PEM text or base64."""

    @field_validator("path")
    @classmethod
    def _is_path_or_url(cls, path: str) -> str:
        try:
            Url.parse(path)
        except ValueError as error:
            raise ValueError(f"is no path and no URL: {error}") from error
        return path


class AnswerModel(Strict):
    """What a backend answers: a reply, or an error instead of one; `latency` in seconds."""

    status: Annotated[int, Field(ge=100, le=599)] = 200
    headers: dict[str, Text] = Field(default_factory=dict)
    body: Any = None
    reason: str | None = None
    latency: Annotated[float, Field(ge=0)] = 0.0
    error: Literal["timeout", "dns", "tls", "reset"] | None = None
    chunks: tuple[str, ...] | None = None
    """The body as a stream of these texts."""


class ReceivedModel(Strict):
    """What is expected of one call that a backend received; only what is named is compared."""

    backend: str | None = None
    url: str | None = None
    method: str | None = None
    headers: dict[str, Text | None] = Field(default_factory=dict)
    body: Any = None


class LastErrorModel(Strict):
    """What is expected of `context.LastError`."""

    source: str | None = None
    reason: str | None = None
    message: str | None = None
    scope: str | None = None
    section: str | None = None
    path: str | None = None
    policy_id: str | None = None


class RefusedModel(Strict):
    """What is expected of a document that is refused on load: part of the message, the line, the file."""

    message: str | None = None
    line: int | None = None
    file: str | None = None


class ExpectModel(Strict):
    """What is expected of a step; what is not named is not compared."""

    status: int | None = None
    reason: str | None = None
    headers: dict[str, Text | None] = Field(default_factory=dict)
    """Null = the header must be absent."""
    body: Any = None
    calls: tuple[str, ...] | None = None
    received: tuple[ReceivedModel, ...] | None = None
    sent: tuple[ReceivedModel, ...] | None = None
    """Requests of the policies' own, in order."""
    waited: float | None = None
    """Seconds of pauses between attempts, all together."""
    elapsed: float | None = None
    """Seconds from the request to the end of the reply."""
    variables: dict[str, Any] = Field(default_factory=dict)
    last_error: LastErrorModel | None = None
    metrics: tuple[dict[str, Any], ...] | None = None
    refused: RefusedModel | None = None

    @model_validator(mode="before")
    @classmethod
    def _refused_at_all(cls, value: Any) -> Any:
        if isinstance(value, dict) and value.get("refused") is True:
            return {**value, "refused": {}}
        return value


class StepModel(Strict):
    """One request, or a change of policies, or both."""

    at: Annotated[float, Field(ge=0)] | None = None
    instance: Annotated[int, Field(ge=1)] = 1
    policies: Policies = Field(default_factory=dict)
    request: RequestModel | None = None
    answers: dict[str, tuple[AnswerModel, ...]] = Field(default_factory=dict)
    expect: ExpectModel = ExpectModel()

    @model_validator(mode="before")
    @classmethod
    def _single_answers(cls, value: Any) -> Any:
        """Take one answer that is no list for a list of one."""
        if isinstance(value, dict) and isinstance(value.get("answers"), dict):
            answers = {name: [one] if isinstance(one, dict) else one for name, one in value["answers"].items()}
            return {**value, "answers": answers}
        return value


class CaseModel(Strict):
    """A named case: steps one after the other on a fresh gateway."""

    name: str
    steps: tuple[StepModel, ...]

    @field_validator("steps")
    @classmethod
    def _some_steps(cls, steps: tuple[StepModel, ...]) -> tuple[StepModel, ...]:
        return at_least_one(steps, "step")


class ExampleModel(Strict):
    """An example of an operation's answers; a body that is no text is JSON."""

    status: Annotated[int, Field(ge=100, le=599)] = 200
    content_type: str = "application/json"
    body: Any = None


class OperationModel(Strict):
    """An operation of the API under test."""

    id: str
    method: str
    url_template: str
    name: str = ""
    examples: tuple[ExampleModel, ...] = ()


class ApiModel(Strict):
    """The API under test; without operations every path belongs to it."""

    id: str = "api"
    name: str = ""
    path: str = ""
    service_url: str | None = None
    operations: tuple[OperationModel, ...] = ()


class SuiteModel(Strict):
    """A policy test file."""

    api: ApiModel = ApiModel()

    policies: Policies = Field(default_factory=dict)
    fragments: dict[str, str] = Field(default_factory=dict)
    named_values: dict[str, Text] = Field(default_factory=dict)
    gateway: GatewayModel = GatewayModel()
    backends: dict[str, BackendModel] = Field(default_factory=dict)
    pools: dict[str, PoolModel] = Field(default_factory=dict)
    openid_documents: dict[str, Any] = Field(default_factory=dict)
    certificates: dict[str, str] = Field(default_factory=dict)
    """PEM text or base64 by id."""
    cases: tuple[CaseModel, ...]

    @field_validator("cases")
    @classmethod
    def _some_cases(cls, cases: tuple[CaseModel, ...]) -> tuple[CaseModel, ...]:
        return at_least_one(cases, "case")
