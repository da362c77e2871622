"""What is observed of the gateway: workspace, Application Insights, logger, alert.

Does not own: the API's diagnostics, which say what is sent here.
"""

import uuid
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement, applicationinsights, authorization, monitor, operationalinsights

from sinbin import naming
from sinbin.topology import Alerts

_METRICS_PUBLISHER_ROLE = "3913510d-42f4-4e42-8a64-420c390055eb"
"""Monitoring Metrics Publisher.

Source: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles, read 2026-11-29.
"""
_SHORT_NAME_LENGTH = 12
_RETENTION_DAYS = 30
_REFUSED_SHARE = """requests
| summarize refused = countif(resultCode in ("429", "503")), total = count()
| where total > 0
| project share = todouble(refused) / total"""


@dataclass(frozen=True, kw_only=True)
class MonitoringArgs:
    """Inputs of :class:`Monitoring`."""

    resource_group_name: pulumi.Input[str]
    location: str
    service_name: pulumi.Input[str]
    principal_id: pulumi.Input[str]
    """Principal of the gateway's identity, which may send figures."""
    alerts: Alerts | None
    tags: dict[str, str]


class Monitoring(pulumi.ComponentResource):
    """Application Insights for the gateway, and a mail when it refuses too many requests."""

    logger_id: pulumi.Output[str]
    """ARM id of the gateway's logger."""

    def __init__(self, name: str, args: MonitoringArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:Monitoring", name, None, opts)
        workspace = operationalinsights.Workspace(
            name,
            workspace_name=name,
            resource_group_name=args.resource_group_name,
            location=args.location,
            sku=operationalinsights.WorkspaceSkuArgs(name="PerGB2018"),
            retention_in_days=_RETENTION_DAYS,
            tags=args.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        insights = applicationinsights.Component(
            name,
            resource_name_=name,
            resource_group_name=args.resource_group_name,
            location=args.location,
            kind="web",
            application_type=applicationinsights.ApplicationType.WEB,
            ingestion_mode=applicationinsights.IngestionMode.LOG_ANALYTICS,
            workspace_resource_id=workspace.id,
            tags=args.tags,
            opts=pulumi.ResourceOptions(
                parent=self, additional_secret_outputs=["connectionString", "instrumentationKey"]
            ),
        )
        publisher = self._publisher(name, args, insights)
        logger = apimanagement.Logger(
            name,
            logger_id="applicationinsights",
            logger_type=apimanagement.LoggerType.APPLICATION_INSIGHTS,
            resource_group_name=args.resource_group_name,
            service_name=args.service_name,
            resource_id=insights.id,
            # The identity sends; the connection string only says where to.
            credentials={
                "connectionString": pulumi.Output.secret(insights.connection_string),
                "identityClientId": "SystemAssigned",
            },
            opts=pulumi.ResourceOptions(parent=self, depends_on=[publisher]),
        )
        if args.alerts is not None:
            self._alert(name, args, args.alerts, insights)
        self.logger_id = logger.id
        self.register_outputs({"loggerId": self.logger_id})

    def _publisher(
        self, name: str, args: MonitoringArgs, insights: applicationinsights.Component
    ) -> pulumi.Resource:
        role = f"/providers/Microsoft.Authorization/roleDefinitions/{_METRICS_PUBLISHER_ROLE}"
        assignment: pulumi.Resource = authorization.RoleAssignment(
            f"{name}-metrics-publisher",
            role_assignment_name=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{name}/{_METRICS_PUBLISHER_ROLE}")),
            scope=insights.id,
            role_definition_id=insights.id.apply(lambda insights_id: "/".join(insights_id.split("/")[:3]) + role),
            principal_id=args.principal_id,
            principal_type=authorization.PrincipalType.SERVICE_PRINCIPAL,
            opts=pulumi.ResourceOptions(parent=self, delete_before_replace=True),
        )
        return assignment

    def _alert(
        self, name: str, args: MonitoringArgs, alerts: Alerts, insights: applicationinsights.Component
    ) -> None:
        group = monitor.ActionGroup(
            name,
            action_group_name=name,
            resource_group_name=args.resource_group_name,
            location="Global",
            group_short_name=naming.join(name, length=_SHORT_NAME_LENGTH),
            enabled=True,
            email_receivers=[
                monitor.MicrosoftCommonEmailReceiverArgs(
                    name="on-call", email_address=alerts.email, use_common_alert_schema=True
                )
            ],
            tags=args.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        monitor.ScheduledQueryRule(
            f"{name}-refused-share",
            rule_name=f"{name}-refused-share",
            resource_group_name=args.resource_group_name,
            location=args.location,
            kind="LogAlert",
            description=f"more than {alerts.refused_share:.1%} of the requests were answered 429 or 503",
            severity=2,
            enabled=True,
            scopes=[insights.id],
            evaluation_frequency="PT5M",
            window_size="PT5M",
            criteria=monitor.ScheduledQueryRuleCriteriaArgs(
                all_of=[
                    monitor.ConditionArgs(
                        query=_REFUSED_SHARE,
                        metric_measure_column="share",
                        time_aggregation=monitor.TimeAggregation.MAXIMUM,
                        operator="GreaterThan",
                        threshold=alerts.refused_share,
                        failing_periods=monitor.ConditionFailingPeriodsArgs(
                            number_of_evaluation_periods=1, min_failing_periods_to_alert=1
                        ),
                    )
                ]
            ),
            actions=monitor.ActionsArgs(action_groups=[group.id]),
            auto_mitigate=True,
            tags=args.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
