"""A policy test file, read: its cases, and the configuration of the gateway under test."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sinbin.errors import SinbinError
from sinbin.gateway.configuration import (
    Api,
    Backend,
    Credentials,
    Example,
    GatewayConfiguration,
    Operation,
    PolicySource,
    Pool,
    Product,
    Subscription,
    example_text,
)
from sinbin.gateway.testing.cases import CaseModel, Policies, SuiteModel
from sinbin.gateway.testing.schema import BackendModel, PoolModel, SubscriptionModel
from sinbin.input_files import InputFileError, read_text, read_yaml
from sinbin.topology import PoolMember

KEY_HEADERS = ("Ocp-Apim-Subscription-Key", "api-key")


class SuiteError(SinbinError):
    """A policy test file cannot be read; one line per problem, all of them at once."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A policy test file: `path` is its name in messages, paths in it are relative to `folder`."""

    path: str
    folder: Path
    model: SuiteModel

    @property
    def cases(self) -> tuple[CaseModel, ...]:
        """The cases, in order."""
        return self.model.cases

    def configuration(self) -> GatewayConfiguration:
        """Return the configuration that every case starts with.

        Raises:
            SuiteError: a file that the suite names is not there.
        """
        model = self.model
        names = model.gateway.subscription_key_parameter_names
        api = Api(
            name=model.api.id,
            path=model.api.path,
            display_name=model.api.name,
            service_url=model.api.service_url,
            operations=tuple(
                Operation(
                    name=one.id,
                    method=one.method.upper(),
                    url_template=one.url_template,
                    display_name=one.name,
                    examples=tuple(
                        Example(
                            status=example.status,
                            content_type=example.content_type,
                            body=example_text(example.body),
                        )
                        for example in one.examples
                    ),
                )
                for one in model.api.operations
            ),
            subscription_required=model.gateway.subscription_required,
            key_headers=KEY_HEADERS if names.header is None else (names.header,),
            key_query=names.query or "subscription-key",
            key_bearer=True,
        )
        plain = GatewayConfiguration(
            backends=tuple(_backend(name, backend) for name, backend in model.backends.items()),
            pools=tuple(_pool(name, pool) for name, pool in model.pools.items()),
            apis=(api,),
            products=tuple(Product(name=name, display_name=name) for name in self._products()),
            subscriptions=tuple(subscription_of(one) for one in model.gateway.subscriptions),
            fragments=tuple((name, self.document(text, name)) for name, text in model.fragments.items()),
            named_values=tuple(model.named_values.items()),
            tier=model.gateway.tier,
            region=model.gateway.region,
            certificates=tuple(model.certificates.items()),
            openid_documents=tuple(
                (url, text if isinstance(text, str) else json.dumps(text))
                for url, text in model.openid_documents.items()
            ),
        )
        return self.with_policies(plain, model.policies)

    def with_policies(self, configuration: GatewayConfiguration, policies: Policies) -> GatewayConfiguration:
        """Return `configuration` with the documents of `policies` in place of those it has.

        Raises:
            SuiteError: a file that `policies` names is not there, or a scope cannot be tested.
        """
        for scope, text in policies.items():
            if scope == "product":
                configuration = replace(configuration, products=tuple(self._with_product(configuration, text)))
                continue
            if isinstance(text, dict):
                raise SuiteError(f"{self.path}: policies.{scope}: takes one document; only product takes several")
            source = self.document(text, scope)
            [api] = configuration.apis
            if scope == "global":
                configuration = replace(configuration, policy=source)
            elif scope == "api":
                configuration = replace(configuration, apis=(replace(api, policy=source),))
            elif scope == "operation":
                operations = tuple(replace(operation, policy=source) for operation in api.operations)
                api = replace(api, operation_policy=source, operations=operations)
                configuration = replace(configuration, apis=(api,))
            else:
                configuration = replace(configuration, workspace_policy=source)
        return configuration

    def document(self, text: str, name: str) -> PolicySource:
        """Return the document that `text` is, or names by its path."""
        if "<" in text:
            return PolicySource(text=text, name=f"{self.path}({name})")
        file = self.folder / text
        if not any(file.resolve().is_relative_to(folder.resolve()) for folder in (self.folder, Path.cwd())):
            raise SuiteError(
                f"{self.path}: {name}: {file} lies elsewhere; name a file below the folder of the test file, or "
                "below the one you work in"
            )
        try:
            return PolicySource(text=read_text(file), name=text)
        except InputFileError as error:
            raise SuiteError(f"{self.path}: {name}: {error}") from error

    def _with_product(self, configuration: GatewayConfiguration, text: str | dict[str, str]) -> Iterator[Product]:
        for product in configuration.products:
            own = text.get(product.name) if isinstance(text, dict) else text
            yield replace(product, policy=self.document(own, "product")) if own is not None else product

    def _products(self) -> list[str]:
        """Every product that a subscription, a request or a policy names, in the order of the file."""
        model = self.model
        subscriptions: list[SubscriptionModel] = list(model.gateway.subscriptions)
        subscriptions += [
            step.request.subscription
            for case in model.cases
            for step in case.steps
            if step.request is not None and step.request.subscription is not None
        ]
        named = [one.product for one in subscriptions if one.product is not None]
        written = model.policies.get("product")
        return list(dict.fromkeys([*named, *(written if isinstance(written, dict) else ())]))


def subscription_of(model: SubscriptionModel) -> Subscription:
    """Return the subscription that a test file describes."""
    return Subscription(
        id=model.id,
        keys=model.keys,
        display_name=model.name or model.id,
        product=model.product,
        active=model.active,
    )


def load_suite(path: Path) -> Suite:
    """Return the policy test file at `path`.

    Raises:
        SuiteError: it cannot be read, or does not have the shape of one.
    """
    try:
        raw = read_yaml(path)
    except InputFileError as error:
        raise SuiteError(str(error)) from error
    return parse_suite(raw, str(path), path.parent)


def parse_suite(raw: Any, path: str, folder: Path) -> Suite:
    """Return the policy test file whose YAML holds `raw`.

    Raises:
        SuiteError: it does not have the shape of one.
    """
    if not isinstance(raw, dict):
        raise SuiteError(f"{path}: a policy test file is a mapping with policies, backends and cases")
    try:
        model = SuiteModel.model_validate(raw)
    except ValidationError as error:
        raise SuiteError("\n".join(_problems(path, error))) from error
    problems = list(_unknown_names(path, model))
    if problems:
        raise SuiteError("\n".join(problems))
    return Suite(path, folder, model)


def _problems(path: str, error: ValidationError) -> Iterable[str]:
    for one in error.errors(include_url=False):
        where = ".".join(str(part) for part in one["loc"]) or "(file)"
        message = one["msg"].removeprefix("Value error, ")
        if one["type"] == "extra_forbidden":
            message = "is no key that is known here; docs/policy-tests.md lists them"
        yield f"{path}: {where}: {message[:1].lower()}{message[1:]} (got {one['input']!r:.80})"


def _unknown_names(path: str, model: SuiteModel) -> Iterator[str]:
    for name, pool in model.pools.items():
        for member in pool.services:
            if member.backend not in model.backends:
                known = ", ".join(model.backends) or "none"
                yield f'{path}: pools.{name}: "{member.backend}" is no backend of this file (backends: {known})'
    for number, case in enumerate(model.cases):
        for index, step in enumerate(case.steps):
            if step.instance > model.gateway.instances:
                yield (
                    f"{path}: cases.{number}.steps.{index}.instance: there is no instance {step.instance}; "
                    f"raise gateway.instances ({model.gateway.instances})"
                )
            for name in step.answers:
                if name not in model.backends and "://" not in name:
                    known = ", ".join(model.backends) or "none"
                    yield (
                        f'{path}: cases.{number}.steps.{index}.answers: "{name}" is no backend of this file '
                        f"and no URL (backends: {known})"
                    )


def _backend(name: str, model: BackendModel) -> Backend:
    credentials = model.credentials
    headers = [(header, value) for header, values in credentials.header.items() for value in values]
    if credentials.authorization is not None:
        headers.append(
            ("Authorization", f"{credentials.authorization.scheme} {credentials.authorization.parameter}")
        )
    identity = credentials.managed_identity
    return Backend(
        name=name,
        url=model.url,
        region=model.region,
        circuit_breaker=model.circuit_breaker.rule() if model.circuit_breaker else None,
        credentials=Credentials(
            headers=tuple(headers),
            query=tuple((key, value) for key, values in credentials.query.items() for value in values),
            managed_identity_resource=identity.resource if identity else None,
        ),
    )


def _pool(name: str, model: PoolModel) -> Pool:
    members = tuple(
        PoolMember(backend=member.backend, priority=member.priority, weight=member.weight)
        for member in model.services
    )
    return Pool(
        name=name,
        members=members,
        affinity_cookie=model.session_affinity,
        failure_response_status=model.failure_response,
    )
