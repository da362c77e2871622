"""Log Analytics workspaces, Application Insights, and alerts on what they hold."""

from sinbin.durations import parse_duration
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.resource import Draft, ResourceType, Scene, new_guid
from sinbin.local.control_plane.resources.foundry_accounts import timestamp

_WORKSPACES = "Microsoft.OperationalInsights/workspaces"


class Workspace(ResourceType):
    """A Log Analytics workspace. That a deleted one comes back when it is made again is not modelled."""

    type = _WORKSPACES
    model = "azure.mgmt.loganalytics.models:Workspace"
    label = "Workspace"
    api_versions = ("2023-09-01", "2025-02-01", "2025-07-01")
    name_pattern = r"[A-Za-z0-9][A-Za-z0-9-]{2,61}[A-Za-z0-9]"
    located = True
    duration = 0.5
    delete_duration = 0.5

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        old = draft.existing.properties if draft.existing else {}
        draft.properties.setdefault("sku", {"name": "PerGB2018"})
        draft.properties.setdefault("retentionInDays", 30)
        draft.properties.setdefault("publicNetworkAccessForIngestion", "Enabled")
        draft.properties.setdefault("publicNetworkAccessForQuery", "Enabled")
        draft.properties.update(
            customerId=old.get("customerId") or new_guid(),
            createdDate=old.get("createdDate") or timestamp(scene.now),
            modifiedDate=timestamp(scene.now),
        )
        return {}


class Component(ResourceType):
    """Application Insights; its keys are shown by a GET, as in Azure."""

    type = "Microsoft.Insights/components"
    model = "azure.mgmt.applicationinsights.v2020_02_02.models:ApplicationInsightsComponent"
    label = "Component"
    api_versions = ("2020-02-02",)
    located = True

    def check(self, scene: Scene, draft: Draft) -> None:
        workspace = draft.properties.get("WorkspaceResourceId")
        if workspace is None:
            raise ArmError(
                400, "BadRequest", "WorkspaceResourceId is required: classic Application Insights is retired."
            )
        found = scene.record(workspace)
        if found is None or found.type != _WORKSPACES:
            raise ArmError(400, "BadRequest", f"The workspace '{workspace}' does not exist.")

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        old = draft.existing.properties if draft.existing else {}
        key = old.get("InstrumentationKey") or new_guid()
        app = old.get("AppId") or new_guid()
        host = f"{draft.location}.in.applicationinsights.azure.com"
        draft.properties.setdefault("IngestionMode", "LogAnalytics")
        draft.properties.setdefault("RetentionInDays", 90)
        draft.properties.update(
            ApplicationId=draft.name,
            AppId=app,
            InstrumentationKey=key,
            ConnectionString=f"InstrumentationKey={key};IngestionEndpoint=https://{host}/;ApplicationId={app}",
            Name=draft.name,
            CreationDate=old.get("CreationDate") or timestamp(scene.now),
            TenantId=draft.id.split("/")[2],
        )
        return {}


class ActionGroup(ResourceType):
    """Whom an alert tells."""

    type = "Microsoft.Insights/actionGroups"
    model = "azure.mgmt.monitor.models:ActionGroupResource"
    label = "Action group"
    api_versions = ("2023-01-01", "2024-10-01-preview")
    keeps_state = False


class ScheduledQueryRule(ResourceType):
    """An alert on a query; the query itself is not read."""

    type = "Microsoft.Insights/scheduledQueryRules"
    model = "azure.mgmt.monitor.models:ScheduledQueryRuleResource"
    label = "Scheduled query rule"
    api_versions = ("2023-12-01", "2025-01-01-preview")
    located = True
    keeps_state = False

    def check(self, scene: Scene, draft: Draft) -> None:
        for name in ("scopes", "criteria"):
            if not draft.properties.get(name):
                raise ArmError(400, "BadRequest", f"The property '{name}' of a scheduled query rule is required.")
        groups = (draft.properties.get("actions") or {}).get("actionGroups") or []
        for reference in [*draft.properties["scopes"], *groups]:
            if scene.record(reference) is None:
                raise ArmError(400, "BadRequest", f"The resource '{reference}' does not exist.")
        window, often = draft.properties.get("windowSize"), draft.properties.get("evaluationFrequency")
        if window and often and parse_duration(window) < parse_duration(often):
            raise ArmError(400, "BadRequest", f"The window size {window} is shorter than the frequency {often}.")
