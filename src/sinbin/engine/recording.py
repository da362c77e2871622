"""A stand-in for the Pulumi engine that writes down what a program asks for and answers like a cloud would.

Pulumi's own mocks hand over neither the parent of a resource nor a sign that a value is secret; a plan needs both.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime import rpc
from pulumi.runtime.mocks import MockCallArgs, MockMonitor, MockResourceArgs, Mocks, set_mocks
from pulumi.runtime.proto import resource_pb2
from pulumi.runtime.stack import run_pulumi_func

SECRET = "[secret]"  # noqa: S105

_SUBSCRIPTION = "/subscriptions/[subscription]"
_SERVICE = "Microsoft.ApiManagement/service/{serviceName}"
_PATHS = {
    "cognitiveservices:Account": "Microsoft.CognitiveServices/accounts/{accountName}",
    "apimanagement:ApiManagementService": _SERVICE,
    "apimanagement:Backend": _SERVICE + "/backends/{backendId}",
    "apimanagement:Api": _SERVICE + "/apis/{apiId}",
    "apimanagement:Product": _SERVICE + "/products/{productId}",
    "apimanagement:Logger": _SERVICE + "/loggers/{loggerId}",
    "applicationinsights:Component": "Microsoft.Insights/components/{resourceName}",
    "operationalinsights:Workspace": "Microsoft.OperationalInsights/workspaces/{workspaceName}",
    "monitor:ActionGroup": "Microsoft.Insights/actionGroups/{actionGroupName}",
}
"""ARM paths of the types whose id another resource names; a type that is not here gets an id in brackets."""


_OWN_NAMES = {
    "resources:ResourceGroup": "resourceGroupName",
    "cognitiveservices:Account": "accountName",
    "apimanagement:ApiManagementService": "serviceName",
    "apimanagement:Api": "apiId",
    "apimanagement:Product": "productId",
    "apimanagement:Subscription": "sid",
}
"""The input that names the resource itself, for the types whose name another resource takes over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResource:
    """A resource that a program declared.

    `parent` is `type::name` of the component it belongs to, None at the top. Secret inputs are masked.
    """

    type: str
    name: str
    parent: str | None
    inputs: Mapping[str, Any]
    urn: str
    depends_on: tuple[str, ...] = ()
    """URNs of what has to exist before, explicit and by data."""
    protect: bool = False


class _RecordingMonitor(MockMonitor):
    """Answers in plain JSON: no event loop per worker thread, which Pulumi's own mock monitor leaves open."""

    def __init__(self) -> None:
        super().__init__(_NoMocks())
        self.recorded: list[RecordedResource] = []

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        """Return the URN that the engine would give; Pulumi's own mock monitor counts the stack as a parent."""
        if _parent(parent) is not None:
            type_ = f"{parent.split('::')[2]}${type_}"
        return str(super().make_urn("", type_, name))

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802
        urn = self.make_urn(request.parent, request.type, request.name)
        if request.type == "pulumi:pulumi:Stack":
            return resource_pb2.RegisterResourceResponse(urn=urn)
        inputs = MessageToDict(request.object)
        shown = _shown(inputs)
        self.recorded.append(
            RecordedResource(
                type=request.type,
                name=request.name,
                parent=_parent(request.parent),
                inputs=shown,
                urn=urn,
                depends_on=tuple(sorted(request.dependencies)),
                protect=request.protect,
            )
        )
        state = ParseDict({**inputs, **_computed(request.type, request.name, shown)}, Struct())
        return resource_pb2.RegisterResourceResponse(
            urn=urn, id=_arm_id(request.type, request.name, shown), object=state
        )

    def Invoke(self, request: Any) -> Any:  # noqa: N802
        if request.tok != "azure-native:apimanagement:listSubscriptionSecrets":
            raise NotImplementedError(f"{request.tok} needs an answer from the cloud, which a plan does not have")
        answer = resource_pb2.ResourceInvokeResponse()
        # The field is called like a keyword of Python.
        getattr(answer, "return").update({"primaryKey": SECRET, "secondaryKey": SECRET})
        return answer


class _NoMocks(Mocks):
    """The monitor above answers everything itself."""

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, dict[str, Any]]:
        raise NotImplementedError(args.typ)

    def call(self, args: MockCallArgs) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        raise NotImplementedError(args.token)


def record(program: Callable[[], None], *, project: str, stack: str) -> list[RecordedResource]:
    """Run `program` without an engine and return what it declared: parents first, then by type and name."""
    monitor = _RecordingMonitor()

    async def run() -> None:
        set_mocks(monitor.mocks, project=project, stack=stack, monitor=monitor)
        await run_pulumi_func(program)

    asyncio.run(run())
    return _as_tree(monitor.recorded)


def _as_tree(recorded: list[RecordedResource]) -> list[RecordedResource]:
    children: dict[str | None, list[RecordedResource]] = {}
    for resource in sorted(recorded, key=lambda item: (item.type, item.name)):
        children.setdefault(resource.parent, []).append(resource)

    def below(parent: str | None) -> list[RecordedResource]:
        found = []
        for child in children.get(parent, []):
            found += [child, *(below(f"{child.type}::{child.name}"))]
        return found

    return below(None)


def _parent(urn: str) -> str | None:
    """Return `type::name` of a URN `urn:pulumi:stack::project::outer$type::name`; None for the stack itself."""
    if not urn:
        return None
    *_, types, name = urn.split("::")
    kind = types.rpartition("$")[2]
    return None if kind == "pulumi:pulumi:Stack" else f"{kind}::{name}"


def _shown(value: Any) -> Any:
    """Return `value` as a person may see it: secrets masked, whole numbers as such."""
    if isinstance(value, Mapping):
        return SECRET if rpc.is_rpc_secret(value) else {key: _shown(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_shown(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _arm_id(kind: str, name: str, inputs: Mapping[str, Any]) -> str:
    kind = kind.removeprefix("azure-native:")
    group = f"{_SUBSCRIPTION}/resourceGroups/{inputs.get('resourceGroupName', name)}"
    if kind == "resources:ResourceGroup":
        return group
    path = _PATHS.get(kind)
    return f"{group}/providers/{path.format_map(inputs)}" if path else f"[id of {kind} {name}]"


def _computed(kind: str, name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outputs that the program reads and that no input tells."""
    kind = kind.removeprefix("azure-native:")
    added: dict[str, Any] = {"name": inputs.get(_OWN_NAMES.get(kind, ""), name)}
    if "identity" in inputs:
        added["identity"] = {**inputs["identity"], "principalId": f"[principal of {name}]"}
    if kind == "apimanagement:ApiManagementService":
        added["gatewayUrl"] = f"https://{inputs['serviceName']}.azure-api.net"
    if kind == "cognitiveservices:Account":
        endpoint = f"https://{inputs['properties']['customSubDomainName']}.cognitiveservices.azure.com/"
        added["properties"] = {**inputs["properties"], "endpoint": endpoint}
    if kind == "applicationinsights:Component":
        added |= {"connectionString": SECRET, "instrumentationKey": SECRET}
    return added
