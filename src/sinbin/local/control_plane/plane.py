"""A request to its answer: the control plane without HTTP."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace

from sinbin.local.control_plane import crud, operations, resources
from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.paths import ArmPath, parse
from sinbin.local.control_plane.resource import TYPES, ArmRequest, ResourceType, Scene
from sinbin.local.control_plane.store import Store

_TENANT_SPACE = uuid.UUID("3f0a8f5c-6f1f-4b5e-9b53-6d0b7c3c9a11")
DEFAULT_TENANT = str(uuid.uuid5(_TENANT_SPACE, "tenant"))
DEFAULT_SUBSCRIPTION = str(uuid.uuid5(_TENANT_SPACE, "subscription"))

_VERBS = {"PUT": crud.write, "PATCH": crud.write, "GET": crud.read, "HEAD": crud.read, "DELETE": crud.delete}
_COMMON_OPTIONS = frozenset({"api-version"})

assert resources.__path__  # importing the package registers the types


class ControlPlane:
    """Azure Resource Manager over a `Store`."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], float],
        *,
        provisioning_s: float = 0.2,
        tenant: str = DEFAULT_TENANT,
        quota: Mapping[str, int] | None = None,
    ) -> None:
        """Serve what is in `store`.

        Args:
            store: the state.
            now: the clock, seconds.
            provisioning_s: how long a model deployment takes; slower resources take a multiple.
            tenant: the id of the directory that identities belong to.
            quota: limits of model capacity in every region, by the name of the quota (`OpenAI.Standard.gpt-4o`).
        """
        self.store = store
        self._now = now
        self._provisioning_s = provisioning_s
        self._tenant = tenant
        self._quota = dict(quota or {})

    def handle(self, request: ArmRequest) -> ArmResponse:
        """Answer `request`; what it wrote is on disk when this returns."""
        scene = self.scene()
        with self.store.transaction():  # of its own: a refusal below takes nothing back of what time has done
            self._settle(scene)
        try:
            with self.store.transaction():
                return self._answer(scene, request)
        except ArmError as error:
            if request.method not in {"GET", "HEAD"}:
                with self.store.transaction():
                    self.store.count(error.code)
            return ArmResponse(status=error.status, body=error.body(), headers={"x-ms-error-code": error.code})

    def scene(self) -> Scene:
        """Return the state and the time as an operation sees them."""
        return Scene(
            store=self.store,
            now=self._now(),
            provisioning_s=self._provisioning_s,
            tenant=self._tenant,
            quota=self._quota,
        )

    @staticmethod
    def _settle(scene: Scene) -> None:
        """End the operations whose time has come."""
        for record in scene.store.due(scene.now):
            current = scene.record(record.id)
            if current is None:
                continue  # it went with what it was in
            if record.state == "Deleting":
                inside = scene.store.select(under=record.id)
                scene.store.remove(record)
                ended = replace(scene, now=record.ready_at)
                for gone in (*reversed(inside), record):
                    TYPES[gone.type.lower()].deleted(ended, gone)
            else:
                scene.store.settle(record)

    @staticmethod
    def _answer(scene: Scene, request: ArmRequest) -> ArmResponse:
        if not request.api_version:
            raise ArmError(
                400,
                "MissingApiVersionParameter",
                "The api-version query parameter (?api-version=) is required for all requests.",
            )
        found = operations.find(request)
        if found is not None:
            operation, arguments = found
            if operation.api_versions:
                _check_version(request, operation.api_versions, request.path)
            return operation.handler(scene, request, **arguments)
        path = parse(request.path)
        kind = _kind(path, request)
        listing = not path.is_instance
        verb = "LIST" if listing and request.method == "GET" else request.method
        if verb not in kind.methods or (listing and verb != "LIST"):
            what = f"{path.type}/{path.names[-1]}" if path.is_instance else path.type
            raise ArmError(
                405,
                "MethodNotAllowed",
                f"The operation {request.method} on '{what}' is not supported by {kind.type}.",
            )
        _check_options(kind, request)
        return (crud.list_all if listing else _VERBS[request.method])(scene, kind, path, request)


def _kind(path: ArmPath, request: ArmRequest) -> ResourceType:
    kind = TYPES.get(path.type.lower())
    if kind is not None:
        _check_version(request, kind.api_versions, kind.type)
        return kind
    known = sorted({name.type.partition("/")[0] for name in TYPES.values()})
    if path.namespace.lower() not in {name.lower() for name in known}:
        raise ArmError(
            404,
            "InvalidResourceNamespace",
            f"The resource namespace '{path.namespace}' is invalid; this control plane has {', '.join(known)}.",
        )
    if not path.is_instance and (owner := TYPES.get(path.type.lower().rpartition("/")[0])) is not None:
        raise ArmError(
            404,
            "InvalidResourceType",
            f"'{path.types[-1]}' is neither a type in '{owner.type}' nor an action on it that is modelled.",
        )
    raise ArmError(
        404,
        "InvalidResourceType",
        f"The resource type '{'/'.join(path.types)}' could not be found in the namespace "
        f"'{path.namespace}' for api "
        f"version '{request.api_version}'.",
    )


def _check_version(request: ArmRequest, supported: tuple[str, ...], what: str) -> None:
    if request.api_version.lower() not in supported:
        raise ArmError(
            400,
            "NoRegisteredProviderFound",
            f"No registered resource provider found for API version '{request.api_version}' for type '{what}'. "
            f"The supported api-versions are '{', '.join(supported)}'.",
        )


def _check_options(kind: ResourceType, request: ArmRequest) -> None:
    for option in request.query:
        if option.lower() not in _COMMON_OPTIONS | kind.options:
            raise ArmError(
                400,
                "InvalidQueryParameter",
                f"The query parameter '{option}' is not modelled for '{kind.type}', so it is refused.",
                target=option,
            )
