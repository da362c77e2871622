"""The API that callers use: its operations, policy, fragments, named values and diagnostics.

Does not own: the backends that the policy names, products, and who may call.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement

from policy_templates import API_ID, NamedValue, RenderedPolicy
from policy_templates.inference_api.operations import OPERATIONS, Operation

KEY_HEADER = "api-key"
"""What the OpenAI client for Azure sends its key in."""


@dataclass(frozen=True, kw_only=True)
class InferenceApiArgs:
    """Inputs of :class:`InferenceApi`."""

    resource_group_name: pulumi.Input[str]
    service_name: pulumi.Input[str]
    policies: Sequence[RenderedPolicy]
    """The API's policy and the fragments; policies of other scopes are passed over."""
    named_values: Sequence[NamedValue]
    backends: Sequence[pulumi.Resource]
    """What the policy names: Azure refuses a policy that names a backend which does not exist."""
    logger_id: pulumi.Input[str] | None
    """ARM id of the logger for its diagnostics; None = no diagnostics."""


class InferenceApi(pulumi.ComponentResource):
    """The OpenAI-shaped API of the gateway."""

    api_id: pulumi.Output[str]
    """ARM id of the API."""

    def __init__(self, name: str, args: InferenceApiArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:InferenceApi", name, None, opts)
        self._args = args
        api = apimanagement.Api(
            name,
            api_id=API_ID,
            resource_group_name=args.resource_group_name,
            service_name=args.service_name,
            display_name="OpenAI",
            path=API_ID,
            protocols=[apimanagement.Protocol.HTTPS],
            subscription_required=True,
            subscription_key_parameter_names=apimanagement.SubscriptionKeyParameterNamesContractArgs(
                header=KEY_HEADER, query="subscription-key"
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        for operation in OPERATIONS:
            self._operation(operation, api)
        named_values = self._named_values()
        self._policy(name, api, [*named_values, *self._fragments(named_values)])
        if args.logger_id is not None:
            self._diagnostic(api, args.logger_id)
        self.api_id = api.id
        self.register_outputs({"apiId": self.api_id})

    def _operation(self, operation: Operation, api: apimanagement.Api) -> None:
        apimanagement.ApiOperation(
            operation.id,
            operation_id=operation.id,
            api_id=api.name,
            resource_group_name=self._args.resource_group_name,
            service_name=self._args.service_name,
            display_name=operation.title,
            method=operation.method,
            url_template=operation.url_template,
            template_parameters=[
                apimanagement.ParameterContractArgs(name=parameter, type="string", required=True)
                for parameter in operation.parameters
            ],
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _named_values(self) -> list[pulumi.Resource]:
        return [
            apimanagement.NamedValue(
                value.name,
                named_value_id=value.name,
                display_name=value.name,
                value=value.value,
                secret=False,
                resource_group_name=self._args.resource_group_name,
                service_name=self._args.service_name,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for value in self._args.named_values
        ]

    def _fragments(self, named_values: list[pulumi.Resource]) -> list[pulumi.Resource]:
        return [
            apimanagement.PolicyFragment(
                policy.name,
                id=policy.name,
                value=policy.text,
                format=apimanagement.PolicyFragmentContentFormat.RAWXML,
                resource_group_name=self._args.resource_group_name,
                service_name=self._args.service_name,
                opts=pulumi.ResourceOptions(parent=self, depends_on=[*named_values, *self._args.backends]),
            )
            for policy in self._args.policies
            if policy.scope == "fragment"
        ]

    def _policy(self, name: str, api: apimanagement.Api, named: list[pulumi.Resource]) -> None:
        [policy] = [policy for policy in self._args.policies if (policy.scope, policy.name) == ("api", API_ID)]
        apimanagement.ApiPolicy(
            name,
            policy_id="policy",
            api_id=api.name,
            value=policy.text,
            format=apimanagement.PolicyContentFormat.RAWXML,
            resource_group_name=self._args.resource_group_name,
            service_name=self._args.service_name,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[*named, *self._args.backends]),
        )

    def _diagnostic(self, api: apimanagement.Api, logger_id: pulumi.Input[str]) -> None:
        # Logging even one byte of a body makes the gateway hold the body back, and streams stop streaming.
        no_body = apimanagement.PipelineDiagnosticSettingsArgs(
            request=apimanagement.HttpMessageDiagnosticArgs(
                body=apimanagement.BodyDiagnosticSettingsArgs(bytes=0), headers=[]
            ),
            response=apimanagement.HttpMessageDiagnosticArgs(
                body=apimanagement.BodyDiagnosticSettingsArgs(bytes=0), headers=[]
            ),
        )
        apimanagement.ApiDiagnostic(
            "applicationinsights",
            diagnostic_id="applicationinsights",
            api_id=api.name,
            logger_id=logger_id,
            always_log=apimanagement.AlwaysLog.ALL_ERRORS,
            sampling=apimanagement.SamplingSettingsArgs(
                sampling_type=apimanagement.SamplingType.FIXED, percentage=100
            ),
            verbosity=apimanagement.Verbosity.INFORMATION,
            http_correlation_protocol=apimanagement.HttpCorrelationProtocol.W3_C,
            log_client_ip=False,
            # Token metrics of the policy are only sent on with this.
            metrics=True,
            frontend=no_body,
            backend=no_body,
            resource_group_name=self._args.resource_group_name,
            service_name=self._args.service_name,
            opts=pulumi.ResourceOptions(parent=self),
        )
