"""The members of `context`, by their C# names.

Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions#ContextVariables, read
2026-11-29
"""

from typing import Any

from sinbin.csharp.casting import SEALED, caster, default_value
from sinbin.csharp.collections import CsDict
from sinbin.csharp.context import Deployment, Request, Texts
from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.registry import declare, for_types
from sinbin.csharp.types import STRING, Type, array
from sinbin.csharp.values import Array, CsList


def _fields(names: dict[str, str]) -> dict[str, str]:
    """Return property declarations: C# type and name → Python attribute."""
    return {signature: f"{{0}}.{attribute}" for signature, attribute in names.items()}


_PARAMETERS = Type("Dictionary", (STRING, STRING))


def _parameters(request: Request) -> CsDict:
    made = CsDict(_PARAMETERS)
    for name, value in request.matched_parameters.items():
        made.add(name, value)
    return made


def _certificates(deployment: Deployment) -> CsDict:
    made = CsDict(Type("Dictionary", (STRING, Type("X509Certificate2"))))
    for name, certificate in deployment.certificates.items():
        made.add(name, certificate)
    return made


declare(
    "Context",
    "Microsoft.WindowsAzure.ApiManagement.Proxy.Gateway.IProxyRequestContext",
    {
        **_fields({
            "IRequest! Request": "request",
            "IResponse Response": "response",
            "Variables! Variables": "variables",
            "ISubscription Subscription": "subscription",
            "IProduct Product": "product",
            "IApi! Api": "api",
            "IOperation! Operation": "operation",
            "IDeployment! Deployment": "deployment",
            "IUser User": "user",
            "ILastError LastError": "last_error",
            "IBackend Backend": "backend",
            "IWorkspace Workspace": "workspace",
            "Guid! RequestId": "request_id",
            "DateTime! Timestamp": "timestamp",
            "TimeSpan! Elapsed": "elapsed",
        }),
        "bool Tracing": "False",
        "void Trace(string message)": "{0}.traces.append({1})",
    },
    bases="object",
)  # fmt: skip
declare(
    "IRequest",
    "IRequest",
    {
        **_fields({
            "string! Method": "method",
            "IUrl! Url": "url",
            "Headers! Headers": "headers",
            "IMessageBody Body": "body",
            "string! IpAddress": "ip_address",
            "X509Certificate2 Certificate": "certificate",
            "IPrivateEndpointConnection PrivateEndpointConnection": "private_endpoint_connection",
        }),
        "IUrl! OriginalUrl": lambda request: request.original_url or request.url,
        "IReadOnlyDictionary<string, string>! MatchedParameters": _parameters,
        "IFoundry! Foundry": "{0}",
    },
    kind="interface",
    bases="object",
)  # fmt: skip
declare(
    "IPrivateEndpointConnection",
    "IPrivateEndpointConnection",
    _fields({"string! Name": "name", "string! GroupId": "group_id", "string! MemberName": "member_name"}),
    kind="interface",
    bases="object",
)
declare("IFoundry", "IFoundry", {"string Deployment": "{0}.foundry_deployment"}, kind="interface", bases="object")
declare(
    "IResponse",
    "IResponse",
    _fields({
        "int StatusCode": "status_code",
        "string StatusReason": "status_reason",
        "Headers! Headers": "headers",
        "IMessageBody Body": "body",
    }),
    kind="interface",
    bases="object",
)  # fmt: skip


def _joined(texts: Texts, name: str | None, default: str | None = None) -> str | None:
    if name is None:
        raise argument_null("key")
    return texts.joined(name, default)


def _header(texts: Texts, name: str) -> Array:
    values = texts.values_of(name)
    if values is None:
        raise raised("KeyNotFoundException", f"The given key '{name}' was not present in the dictionary.")
    return Array(values, STRING)


def _try_header(texts: Texts, name: str) -> tuple[bool, Array | None]:
    values = texts.values_of(name)
    return values is not None, None if values is None else Array(values, STRING)


declare(
    "Headers",
    "System.Collections.Generic.IReadOnlyDictionary",
    {
        "string GetValueOrDefault(string headerName)": _joined,
        "string GetValueOrDefault(string headerName, string defaultValue)": _joined,
        "string[]! this[string headerName]": _header,
        "bool ContainsKey(string headerName)": "({1} in {0})",
        "bool TryGetValue(string headerName, out string[] value)": _try_header,
        "IEnumerable<string>! Keys": lambda texts: CsList((name for name, _ in texts), STRING),
        "IEnumerable<string[]>! Values": lambda texts: CsList((values for _, values in texts), array(STRING)),
        "int Count": "len({0})",
    },
    bases="IEnumerable<KeyValuePair<string, string[]>>; object",
)
declare(
    "IUrl",
    "IUrl",
    {
        **_fields({
            "string! Scheme": "scheme",
            "string! Host": "host",
            "int Port": "port",
            "string! Path": "path",
            "string! QueryString": "query_string",
            "Headers! Query": "query",
        }),
        "Uri! ToUri()": "{0}.uri()",
        "string! ToString()": "{0}.text",
    },
    kind="interface",
    bases="object",
)  # fmt: skip


def _variable(variables: dict[str, Any], name: str) -> Any:
    try:
        return variables[name]
    except KeyError:
        raise raised(
            "KeyNotFoundException", f"The given key '{name}' was not present in the dictionary."
        ) from None


@for_types
def _variable_or(types: tuple[Type, ...]) -> Any:
    kind = types[-1]
    exact, cast, absent = SEALED.get(kind), caster(kind), default_value(kind)

    def get(variables: dict[str, Any], name: str, default: Any = absent) -> Any:
        value = variables.get(name, variables)
        if type(value) is exact:
            return value
        return default if value is variables else cast(value)

    return get


declare(
    "Variables",
    "System.Collections.Generic.IReadOnlyDictionary",
    {
        "object this[string key]": _variable,
        "bool ContainsKey(string key)": "({1} in {0})",
        "bool TryGetValue(string key, out object value)": lambda variables, name: (
            name in variables,
            variables.get(name),
        ),
        "T GetValueOrDefault<T>(string key)": _variable_or,
        "T GetValueOrDefault<T>(string key, T defaultValue)": _variable_or,
        "object GetValueOrDefault(string key)": "{0}.get({1})",
        "IEnumerable<string>! Keys": lambda variables: CsList(variables, STRING),
        "int Count": "len({0})",
    },
    bases="object",
)
declare("ISubscription", "ISubscription", _fields({
    "string! Id": "id",
    "string! Name": "name",
    "string! Key": "key",
    "string! PrimaryKey": "primary_key",
    "string! SecondaryKey": "secondary_key",
    "DateTime! CreatedDate": "created_date",
    "DateTime? StartDate": "start_date",
    "DateTime? EndDate": "end_date",
}), kind="interface", bases="object")  # fmt: skip
declare("IProduct", "IProduct", {**_fields({
    "string! Id": "id",
    "string! Name": "name",
    "bool ApprovalRequired": "approval_required",
    "string! State": "state",
    "bool SubscriptionRequired": "subscription_required",
    "int? SubscriptionsLimit": "subscriptions_limit",
}), "IEnumerable<IGroup>! Groups": lambda product: CsList(product.groups, Type("IGroup"))},
    kind="interface", bases="object")  # fmt: skip
declare("IApi", "IApi", _fields({
    "string! Id": "id",
    "string! Name": "name",
    "string! Path": "path",
    "string! Revision": "revision",
    "string! Version": "version",
    "bool IsCurrentRevision": "is_current_revision",
    "IUrl ServiceUrl": "service_url",
}), kind="interface", bases="object")  # fmt: skip
declare("IOperation", "IOperation", _fields({
    "string! Id": "id",
    "string! Name": "name",
    "string! Method": "method",
    "string! UrlTemplate": "url_template",
}), kind="interface", bases="object")  # fmt: skip
declare("IDeployment", "IDeployment", {**_fields({
    "string! Region": "region",
    "string! ServiceName": "service_name",
    "string! ServiceId": "service_id",
    "string! GatewayId": "gateway_id",
}), "IGateway! Gateway": "{0}", "IReadOnlyDictionary<string, X509Certificate2>! Certificates": _certificates}, kind="interface", bases="object")  # fmt: skip
declare("IGateway", "IGateway", {
    "string! Id": "{0}.gateway_id",
    "string! InstanceId": "{0}.gateway_instance_id",
    "bool IsManaged": lambda deployment: deployment.gateway_id == "managed",
}, kind="interface", bases="object")  # fmt: skip
declare("IUser", "IUser", {**_fields({
    "string! Id": "id",
    "string! Email": "email",
    "string! FirstName": "first_name",
    "string! LastName": "last_name",
    "string! Note": "note",
    "DateTime! RegistrationDate": "registration_date",
}), "IEnumerable<IGroup>! Groups": lambda user: CsList(user.groups, Type("IGroup")),
    "IEnumerable<IUserIdentity>! Identities": lambda user: CsList((), Type("IUserIdentity"))},
    kind="interface", bases="object")  # fmt: skip
declare("IUserIdentity", "IUserIdentity", _fields({"string! Id": "id", "string! Provider": "provider"}),
        kind="interface", bases="object")  # fmt: skip
for _name in ("IGroup", "IWorkspace"):
    declare(_name, _name, _fields({"string! Id": "id", "string! Name": "name"}), kind="interface", bases="object")
declare("ILastError", "ILastError", _fields({
    "string! Source": "source",
    "string! Reason": "reason",
    "string! Message": "message",
    "string! Section": "section",
    "string! Scope": "scope",
    "string! Path": "path",
    "string! PolicyId": "policy_id",
}), kind="interface", bases="object")  # fmt: skip
declare("IBackend", "IBackend", _fields({
    "string! Id": "id",
    "string! Type": "type",
    "string! AzureRegion": "azure_region",
}), kind="interface", bases="object")  # fmt: skip
