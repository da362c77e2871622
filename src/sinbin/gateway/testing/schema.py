"""The shape of a policy test file: camelCase in YAML, unknown keys refused."""

import re
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator
from pydantic.alias_generators import to_camel

from sinbin.durations import parse_duration
from sinbin.topology import CircuitBreaker, StatusRange, Tier

_T = TypeVar("_T")
_STATUS = re.compile(r"(\d{3})(?:-(\d{3}))?")


def _duration(value: Any) -> float:
    if not isinstance(value, str):
        raise ValueError("is no ISO 8601 duration; write for example PT1M")  # noqa: TRY004 (pydantic wants ValueError)
    return parse_duration(value)


def _status_range(value: Any) -> StatusRange:
    if isinstance(value, dict) and set(value) == {"min", "max"}:
        return StatusRange(low=int(value["min"]), high=int(value["max"]))
    match = _STATUS.fullmatch(str(value))
    if match is None or int(match[1]) > int(match[2] or match[1]):
        raise ValueError('is no status code or range; write for example "429" or "500-599"')
    return StatusRange(low=int(match[1]), high=int(match[2] or match[1]))


def at_least_one(items: tuple[_T, ...], what: str) -> tuple[_T, ...]:
    """Return `items` if there are any.

    A `min_length` would count only the valid ones, and complain about a list whose one item is wrong.

    Raises:
        ValueError: there are none.
    """
    if not items:
        raise ValueError(f"is empty; at least one {what} is needed")
    return items


def _failure_status(value: Any) -> Any:
    return value["statusCode"] if isinstance(value, dict) and set(value) == {"statusCode"} else value


def _cookie_name(value: Any) -> Any:
    """Return the cookie of Azure's `{sessionId: {source: Cookie, name: …}}`; a bare name will do too."""
    session = value.get("sessionId") if isinstance(value, dict) else None
    return session.get("name") if isinstance(session, dict) else value


Duration = Annotated[float, BeforeValidator(_duration)]
Span = Annotated[StatusRange, BeforeValidator(_status_range)]
FailureStatus = Annotated[Annotated[int, Field(ge=100, le=599)] | None, BeforeValidator(_failure_status)]
Text = Annotated[str, BeforeValidator(lambda value: value if isinstance(value, str) else _plain(value))]
"""A text; YAML's numbers and booleans are taken as they are written in JSON."""


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


class Strict(BaseModel):
    """A mapping in YAML: names in camelCase, unknown ones refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, arbitrary_types_allowed=True
    )


class BreakerModel(Strict):
    """A circuit breaker: Azure's properties of its one rule, those of `failureCondition` in the same mapping."""

    name: str | None = None
    count: Annotated[int, Field(ge=1)] | None = None
    percentage: Annotated[int, Field(ge=1, le=100)] | None = None
    interval: Duration
    trip_duration: Duration
    status_codes: tuple[Span, ...] = ()
    error_reasons: tuple[str, ...] = ()
    accept_retry_after: bool = False
    failure_response: FailureStatus = None

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, value: Any) -> Any:
        """Take Azure's own nesting as well: rules with one rule, failureCondition, statusCodeRanges."""
        if isinstance(value, dict) and set(value) == {"rules"}:
            rules = value["rules"]
            if not isinstance(rules, list) or len(rules) != 1:
                raise ValueError("rules must hold exactly one rule: Azure takes no more")
            value = rules[0]
        if isinstance(value, dict) and isinstance(value.get("failureCondition"), dict):
            value = {
                **{key: one for key, one in value.items() if key != "failureCondition"},
                **value["failureCondition"],
            }
        if isinstance(value, dict) and "statusCodeRanges" in value:
            value = {**value, "statusCodes": value["statusCodeRanges"]}
            del value["statusCodeRanges"]
        return value

    @model_validator(mode="after")
    def _one_threshold(self) -> "BreakerModel":
        if (self.count is None) == (self.percentage is None):
            raise ValueError("takes exactly one of count and percentage")
        return self

    def rule(self) -> CircuitBreaker:
        """Return the breaker as the gateway takes it."""
        return CircuitBreaker(
            failure_count=self.count,
            failure_percentage=self.percentage,
            interval_s=self.interval,
            trip_duration_s=self.trip_duration,
            status_ranges=self.status_codes,
            error_reasons=self.error_reasons,
            accept_retry_after=self.accept_retry_after,
            failure_response_status=self.failure_response,
        )


class ManagedIdentityModel(Strict):
    """The identity that a backend is called with."""

    resource: str
    client_id: str | None = None


class AuthorizationModel(Strict):
    """A fixed Authorization header."""

    scheme: str
    parameter: str


class CredentialsModel(Strict):
    """What is added to every request for a backend."""

    header: dict[str, tuple[Text, ...]] = Field(default_factory=dict)
    query: dict[str, tuple[Text, ...]] = Field(default_factory=dict)
    authorization: AuthorizationModel | None = None
    managed_identity: ManagedIdentityModel | None = None


class BackendModel(Strict):
    """A backend; what Azure knows besides has no influence here and is refused."""

    url: str
    circuit_breaker: BreakerModel | None = None
    credentials: CredentialsModel = CredentialsModel()
    region: Annotated[str, Field(alias="azureRegion")] = ""
    type: Literal["Single"] = "Single"
    protocol: Literal["http"] = "http"
    title: str | None = None
    description: str | None = None


class MemberModel(Strict):
    """A backend in a pool."""

    backend: str
    priority: Annotated[int, Field(ge=0, le=100)] = 1
    weight: Annotated[int, Field(ge=0, le=100)] = 1

    @model_validator(mode="before")
    @classmethod
    def _azure_id(cls, value: Any) -> Any:
        """Take Azure's `id` (`/backends/NAME`, or a whole resource id) for the name."""
        if isinstance(value, dict) and "id" in value and "backend" not in value:
            value = {**value, "backend": str(value["id"]).rpartition("/")[2]}
            del value["id"]
        return value


class PoolModel(Strict):
    """A pool: its members alone, or a mapping with Azure's further properties."""

    services: Annotated[tuple[MemberModel, ...], Field(max_length=30)]
    failure_response: FailureStatus = None
    session_affinity: Annotated[str | None, BeforeValidator(_cookie_name)] = None

    @field_validator("services")
    @classmethod
    def _some_members(cls, services: tuple[MemberModel, ...]) -> tuple[MemberModel, ...]:
        return at_least_one(services, "member")

    @model_validator(mode="before")
    @classmethod
    def _members_alone(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {"services": value}
        if isinstance(value, dict) and "members" in value and "services" not in value:
            value = {**value, "services": value["members"]}
            del value["members"]
        return value


class SubscriptionModel(Strict):
    """A subscription of the gateway under test: whoever shows one of its keys calls on it."""

    id: str = ""
    keys: tuple[Text, ...] = ()
    product: str | None = None
    name: str = ""
    active: bool = True

    @model_validator(mode="before")
    @classmethod
    def _one_key(cls, value: Any) -> Any:
        if isinstance(value, dict) and "key" in value and "keys" not in value:
            value = {**value, "keys": [value["key"]]}
            del value["key"]
        return value


class KeyNames(Strict):
    """Where a subscription key is looked for."""

    header: str | None = None
    query: str | None = None


class GatewayModel(Strict):
    """The gateway under test."""

    tier: Tier = "Developer"
    instances: Annotated[int, Field(ge=1, le=100)] = 1
    seed: int = 1
    region: str = "uksouth"
    subscriptions: tuple[SubscriptionModel, ...] = ()
    subscription_required: bool = False
    subscription_key_parameter_names: KeyNames = KeyNames()
    allow_unmodelled: bool = False

    @model_validator(mode="before")
    @classmethod
    def _subscriptions_by_id(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("subscriptions"), dict):
            listed = [{"id": name, **(one or {})} for name, one in value["subscriptions"].items()]
            return {**value, "subscriptions": listed}
        return value
