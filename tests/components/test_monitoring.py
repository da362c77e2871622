import pytest

from components.monitoring import Monitoring, MonitoringArgs
from sinbin.engine.recording import SECRET
from sinbin.topology import Alerts

URN = "urn:pulumi:test::sinbin::sinbin:components:Monitoring$azure-native:"
PROVIDERS = "/subscriptions/[subscription]/resourceGroups/rg/providers"
INSIGHTS = f"{PROVIDERS}/Microsoft.Insights/components/chat-dev"
TAGS = {"owner": "platform"}


def program(place, alerts):
    def run():
        Monitoring(
            "chat-dev",
            MonitoringArgs(location="uksouth", principal_id="principal", alerts=alerts, tags=TAGS, **place),
        )

    return run


@pytest.fixture
def monitoring(declare, place):
    return declare(program(place, Alerts(refused_share=0.05, email="oncall@contoso.com")))


def test_figures_are_kept_in_a_workspace(monitoring):
    assert monitoring.one("Workspace").inputs == {
        "workspaceName": "chat-dev",
        "resourceGroupName": "rg",
        "location": "uksouth",
        "sku": {"name": "PerGB2018"},
        "retentionInDays": 30,
        "tags": TAGS,
    }
    insights = monitoring.one("applicationinsights:Component")
    assert insights.urn == URN + "applicationinsights:Component::chat-dev"
    assert insights.inputs == {
        "resourceName": "chat-dev",
        "resourceGroupName": "rg",
        "location": "uksouth",
        "kind": "web",
        "applicationType": "web",
        "ingestionMode": "LogAnalytics",
        "workspaceResourceId": f"{PROVIDERS}/Microsoft.OperationalInsights/workspaces/chat-dev",
        "tags": TAGS,
        # What the SDK adds, whether asked or not.
        "flowType": "Bluefield",
        "requestSource": "rest",
        "publicNetworkAccessForIngestion": "Enabled",
        "publicNetworkAccessForQuery": "Enabled",
    }


def test_the_gateway_sends_with_its_identity_and_the_connection_string_stays_secret(monitoring):
    assert monitoring.one("Logger").inputs == {
        "loggerId": "applicationinsights",
        "loggerType": "applicationInsights",
        "resourceGroupName": "rg",
        "serviceName": "gateway",
        "resourceId": INSIGHTS,
        "credentials": {"connectionString": SECRET, "identityClientId": "SystemAssigned"},
    }
    assert monitoring.one("RoleAssignment").inputs == {
        "scope": INSIGHTS,
        "roleAssignmentName": "a1de2ec6-13b3-5109-97f0-b83d696252a8",
        "roleDefinitionId": "/subscriptions/[subscription]/providers/Microsoft.Authorization/roleDefinitions/"
        "3913510d-42f4-4e42-8a64-420c390055eb",
        "principalId": "principal",
        "principalType": "ServicePrincipal",
    }


def test_too_many_refusals_write_to_who_is_on_call(monitoring):
    rule = monitoring.one("ScheduledQueryRule").inputs
    [condition] = rule["criteria"]["allOf"]
    assert condition == {
        "query": "requests\n"
        '| summarize refused = countif(resultCode in ("429", "503")), total = count()\n'
        "| where total > 0\n"
        "| project share = todouble(refused) / total",
        "metricMeasureColumn": "share",
        "timeAggregation": "Maximum",
        "operator": "GreaterThan",
        "threshold": 0.05,
        "failingPeriods": {"numberOfEvaluationPeriods": 1, "minFailingPeriodsToAlert": 1},
    }
    assert rule["scopes"] == [INSIGHTS]
    assert rule["actions"] == {"actionGroups": [f"{PROVIDERS}/Microsoft.Insights/actionGroups/chat-dev"]}
    assert monitoring.one("ActionGroup").inputs == {
        "actionGroupName": "chat-dev",
        "resourceGroupName": "rg",
        "location": "Global",
        "groupShortName": "chat-dev",
        "enabled": True,
        "emailReceivers": [
            {"name": "on-call", "emailAddress": "oncall@contoso.com", "useCommonAlertSchema": True}
        ],
        "tags": TAGS,
    }


def test_without_an_alert_nobody_is_written_to(declare, place):
    declared = declare(program(place, None))
    assert declared.names("ScheduledQueryRule") + declared.names("ActionGroup") == []
