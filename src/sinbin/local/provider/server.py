"""The gRPC server that the Pulumi engine attaches to with `PULUMI_DEBUG_PROVIDERS=azure-native:<port>`."""

import logging
from collections.abc import Callable
from concurrent import futures
from functools import wraps
from typing import Any, TypeVar

import grpc
import httpx
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from sinbin.errors import SinbinError
from sinbin.local.provider import functions, lifecycle, values
from sinbin.local.provider.arm import ArmClient
from sinbin.local.provider.differences import Difference

VERSION = "3.29.0"
"""The version of azure-native whose names are spoken."""
_MESSAGE_BYTES = 64 * 1024 * 1024
_ANSWER_S, _STOP_S = 30, 5
_log = logging.getLogger(__name__)
_Call = TypeVar("_Call", bound=Callable[..., Any])


def _reported(call: _Call) -> _Call:
    """Turn an error of the user's into one line for the engine, and a fault of ours into a logged one."""

    @wraps(call)
    def guarded(self: "AzureNative", request: Any, context: grpc.ServicerContext) -> Any:
        try:
            return call(self, request, context)
        except SinbinError as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except httpx.TransportError as error:
            context.abort(grpc.StatusCode.UNAVAILABLE, f"the local control plane does not answer: {error}")
        except Exception:  # noqa: BLE001  # the engine shows what is said here
            _log.exception("%s", call.__name__)
            context.abort(
                grpc.StatusCode.INTERNAL, f"{call.__name__}: a fault of sinbin; the log of `local up` says more"
            )

    return guarded  # type: ignore[return-value]


class AzureNative(provider_pb2_grpc.ResourceProviderServicer):
    """azure-native over the local control plane."""

    def __init__(self, endpoint: str, subscription: str, http: httpx.Client) -> None:
        """Speak to the control plane at `endpoint`; a stack's config may name another subscription."""
        self._endpoint = endpoint
        self._subscription = subscription
        self._http = http
        self._location: str | None = None

    @property
    def _arm(self) -> ArmClient:
        return ArmClient(self._endpoint, self._subscription, self._http)

    def Handshake(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Say what the provider takes: secrets, and neither resources nor outputs as values."""
        del request, context
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True)

    def Attach(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Let an engine attach."""
        del request, context
        return Empty()

    def GetPluginInfo(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Return the version that is spoken."""
        del request, context
        return plugin_pb2.PluginInfo(version=VERSION)

    def CheckConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Take the provider's configuration as it is."""
        del context
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Let every change of configuration be one in place."""
        del request, context
        return provider_pb2.DiffResponse(changes=provider_pb2.DiffResponse.DIFF_NONE)

    @_reported
    def Configure(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Take subscription and default location from the stack."""
        del context
        arguments, _ = values.read(request.args)
        self._subscription = str(arguments.get("subscriptionId") or self._subscription)
        self._location = arguments.get("location")
        return provider_pb2.ConfigureResponse(acceptSecrets=True, supportsPreview=True)

    @_reported
    def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Fill in defaults, and find everything that is wrong with the inputs."""
        del context
        kind = lifecycle.pulumi_type(_token(request))
        old, _ = values.read(request.olds)
        new, marked = values.read(request.news)
        inputs, failures = lifecycle.check(
            kind, name=_name(request), old=old, new=new, seed=request.randomSeed, location=self._location
        )
        return provider_pb2.CheckResponse(
            inputs=values.write(inputs, lifecycle.secret_names(kind, inputs, marked)),
            failures=[provider_pb2.CheckFailure(property=f.path, reason=f.reason) for f in failures],
        )

    @_reported
    def Diff(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Compare inputs, property by property, and name what forces a replacement."""
        del context
        kind = lifecycle.pulumi_type(_token(request))
        old, _ = values.read(request.old_inputs)
        new, _ = values.read(request.news)
        ignored = set(request.ignoreChanges)
        plan = lifecycle.plan(kind, old, new)
        changes = [change for change in plan.changes if change.path not in ignored and change.root not in ignored]
        kinds = provider_pb2.DiffResponse
        return provider_pb2.DiffResponse(
            changes=kinds.DIFF_SOME if changes else kinds.DIFF_NONE,
            replaces=[path for path in plan.replaces if path not in ignored],
            diffs=list(dict.fromkeys(change.root for change in changes)),
            detailedDiff={change.path: _detail(change, plan.replaces) for change in changes},
            hasDetailedDiff=True,
            deleteBeforeReplace=plan.delete_first,
        )

    @_reported
    def Create(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Create a resource; in a preview, say what is known of it."""
        del context
        kind = lifecycle.pulumi_type(_token(request))
        inputs, marked = values.read(request.properties)
        if request.preview:
            outputs = lifecycle.previewed(kind, inputs, {})
            secret = lifecycle.secret_names(kind, outputs, marked)
            return provider_pb2.CreateResponse(properties=values.write(outputs, secret))
        resource_id, outputs = lifecycle.create(kind, self._arm, inputs)
        secret = lifecycle.secret_names(kind, outputs, marked)
        return provider_pb2.CreateResponse(id=resource_id, properties=values.write(outputs, secret))

    @_reported
    def Read(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Read a resource as it now is; an empty id says that it is gone."""
        del context
        kind = lifecycle.pulumi_type(_token(request))
        inputs, marked = values.read(request.inputs)
        outputs, marked_outputs = values.read(request.properties)
        found = lifecycle.read(kind, self._arm, request.id, inputs, outputs)
        if found is None:
            return provider_pb2.ReadResponse()
        secret = marked | marked_outputs
        inputs, outputs = found
        return provider_pb2.ReadResponse(
            id=request.id,
            inputs=values.write(inputs, lifecycle.secret_names(kind, inputs, secret)),
            properties=values.write(outputs, lifecycle.secret_names(kind, outputs, secret)),
        )

    @_reported
    def Update(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Change a resource in place."""
        del context
        kind = lifecycle.pulumi_type(_token(request))
        inputs, marked = values.read(request.news)
        if request.preview:
            old, marked_before = values.read(request.olds)
            outputs = lifecycle.previewed(kind, inputs, old)
            secret = lifecycle.secret_names(kind, outputs, marked | marked_before)
            return provider_pb2.UpdateResponse(properties=values.write(outputs, secret))
        outputs = lifecycle.update(kind, self._arm, request.id, inputs)
        secret = lifecycle.secret_names(kind, outputs, marked)
        return provider_pb2.UpdateResponse(properties=values.write(outputs, secret))

    @_reported
    def Delete(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Delete a resource."""
        del context
        lifecycle.delete(lifecycle.pulumi_type(_token(request)), self._arm, request.id)
        return Empty()

    @_reported
    def Invoke(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Call a function."""
        del context
        arguments, _ = values.read(request.args)
        answer = functions.call(request.tok, self._arm, arguments)
        secret = set(answer) if functions.answers_secrets(request.tok) else set()
        return provider_pb2.InvokeResponse(**{"return": values.write(answer, secret)})  # type: ignore[arg-type]

    def Cancel(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Let running calls end: each is short, and a PUT that was sent is better finished."""
        del request, context
        return Empty()


class ProviderService:
    """The provider on 127.0.0.1, before the control plane at `endpoint`."""

    name = "provider"

    def __init__(self, endpoint: str, subscription: str, port: int) -> None:
        """Serve on `port` (0 = any that is free)."""
        self._port = port
        self._http = httpx.Client(timeout=_ANSWER_S, trust_env=False)
        self._server = grpc.server(
            futures.ThreadPoolExecutor(max_workers=32, thread_name_prefix="provider"),
            options=[("grpc.max_receive_message_length", _MESSAGE_BYTES), ("grpc.so_reuseport", 0)],
        )
        servicer = AzureNative(endpoint, subscription, self._http)
        provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, self._server)

    def start(self) -> int:
        """Begin to listen and return the port.

        Raises:
            SinbinError: the port is taken.
        """
        try:
            port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        except RuntimeError as error:
            raise SinbinError(
                f"port {self._port} of 127.0.0.1 is taken; choose another with --provider-port, or 0 for any that "
                "is free"
            ) from error
        self._server.start()
        return int(port)

    def stop(self) -> None:
        """Finish running calls and end."""
        self._server.stop(grace=_STOP_S).wait()
        self._http.close()


def _token(request: Any) -> str:
    """Return the type of a resource: the last one in its URN, after its parents'."""
    token: str = request.type or request.urn.split("::")[2].rpartition("$")[2]
    return token


def _name(request: Any) -> str:
    name: str = request.name or request.urn.rpartition("::")[2]
    return name


def _detail(change: Difference, replaces: tuple[str, ...]) -> Any:
    word = change.change.upper() + ("_REPLACE" if change.path in replaces else "")
    return provider_pb2.PropertyDiff(kind=provider_pb2.PropertyDiff.Kind.Value(word), inputDiff=True)
