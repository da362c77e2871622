"""Products of API Management, the APIs in them, and the subscriptions to them."""

import secrets
from collections.abc import Mapping

from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.entity import (
    SERVICE_PATH,
    SERVICES,
    VERSIONS,
    Entity,
    entity_reference,
    service_of,
)
from sinbin.local.control_plane.errors import ArmError, validation_error
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.resource import TYPES, ArmRequest, Draft, Scene
from sinbin.local.control_plane.resources.foundry_accounts import timestamp
from sinbin.local.control_plane.store import Record

PRODUCTS = f"{SERVICES}/products"
SUBSCRIPTIONS = f"{SERVICES}/subscriptions"
_KEYS = ("primaryKey", "secondaryKey")


class Product(Entity):
    """What a consumer subscribes to. No subscription comes with a new product, unlike in Azure."""

    type = PRODUCTS
    model = "azure.mgmt.apimanagement.models:ProductContract"
    label = "Product"
    name_pattern = r"[^*#&+:<>?]{1,256}"
    options = frozenset({"deletesubscriptions"})

    def check(self, scene: Scene, draft: Draft) -> None:
        del scene
        if not draft.properties.get("displayName"):
            raise validation_error("displayName", "DisplayName is required")
        if draft.properties.get("subscriptionRequired") is False and draft.properties.get("approvalRequired"):
            raise validation_error(
                "approvalRequired", "Approval can't be required where no subscription is required"
            )

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        del scene
        draft.properties.setdefault("subscriptionRequired", True)
        draft.properties.setdefault("state", "notPublished")
        return {}

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        subscribed = _subscriptions_to(scene, record)
        if not subscribed:
            return
        flag = next((value for key, value in query.items() if key.lower() == "deletesubscriptions"), "false")
        if flag.lower() != "true":
            names = ", ".join(subscription.name for subscription in subscribed)
            raise validation_error(
                "productId",
                f"Product '{record.name}' can't be deleted, because it has subscriptions ({names}); "
                "delete them, or set "
                "deleteSubscriptions",
            )
        for subscription in subscribed:
            scene.store.remove(subscription)


class ProductApi(Entity):
    """An API in a product, named by the API."""

    type = f"{PRODUCTS}/apis"
    model = "azure.mgmt.apimanagement.models:ProductApiLinkContract"
    label = "API"
    name_pattern = r"[^*#&+:<>?;]{1,256}"
    methods = frozenset({"HEAD", "GET", "PUT", "DELETE", "LIST"})

    def check(self, scene: Scene, draft: Draft) -> None:
        api = scene.record(f"{service_of(draft.id)}/apis/{draft.name}")
        if api is None:
            raise ArmError(404, "ResourceNotFound", "API not found.")
        draft.properties["apiId"] = api.id


class ProductApiLink(Entity):
    """An API in a product, under a name of its own."""

    type = f"{PRODUCTS}/apiLinks"
    model = "azure.mgmt.apimanagement.models:ProductApiLinkContract"
    label = "API link"
    methods = frozenset({"HEAD", "GET", "PUT", "DELETE", "LIST"})

    def check(self, scene: Scene, draft: Draft) -> None:
        reference = str(draft.properties.get("apiId"))
        api = entity_reference(scene, service_of(draft.id), "apis", reference)
        if api is None:
            raise validation_error("apiId", f"API with id '{reference}' could not be found")
        draft.properties["apiId"] = api.id
        for other in scene.store.select(self.type, parent=draft.parent):
            if other.properties["apiId"] == api.id and other.id.lower() != draft.id.lower():
                raise ArmError(409, "LinkAlreadyExists", f"API '{api.name}' is linked already, by '{other.name}'.")


class Subscription(Entity):
    """The keys of a consumer; a GET never shows them. Owners and notifications are not modelled."""

    type = SUBSCRIPTIONS
    model = "azure.mgmt.apimanagement.models:SubscriptionCreateParameters"
    label = "Subscription"
    name_pattern = r"[^*#&+:<>?]{1,256}"
    secret_paths = ("properties.primaryKey", "properties.secondaryKey")

    def check(self, scene: Scene, draft: Draft) -> None:
        for name in ("displayName", "scope"):
            if not draft.properties.get(name):
                raise validation_error(name, f"{name[:1].upper()}{name[1:]} is required")
        if draft.properties.get("ownerId") is not None:
            raise validation_error("ownerId", "'ownerId' of a subscription is not modelled, so it is refused")
        scope = draft.properties["scope"]
        short = scope.removeprefix(draft.parent)
        if short in {"", "/", "/apis", "/apis/"}:
            draft.properties["scope"] = draft.parent + short.rstrip("/")
            return
        for kind in ("products", "apis"):
            found = entity_reference(scene, draft.parent, kind, scope)
            if found is not None:
                draft.properties["scope"] = found.id
                return
        raise validation_error(
            "scope",
            f"Subscription scope '{scope}' should be one of '/apis', '/apis/{{apiId}}', "
            "'/products/{productId}' of what is there",
        )

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        draft.properties.setdefault("state", "submitted")
        draft.properties.setdefault("allowTracing", False)
        old = draft.existing.properties if draft.existing else {}
        draft.properties["createdDate"] = old.get("createdDate") or timestamp(scene.now)
        if draft.existing:
            return {}
        return {f"properties.{key}": secrets.token_hex(16) for key in _KEYS}


def _subscriptions_to(scene: Scene, product: Record) -> list[Record]:
    return [
        subscription
        for subscription in scene.store.select(SUBSCRIPTIONS, parent=product.parent)
        if subscription.properties["scope"].lower() == product.id.lower()
    ]


@operation("POST", SERVICE_PATH + "/subscriptions/{name}/listSecrets", *VERSIONS)
def list_secrets(
    scene: Scene, request: ArmRequest, subscription: str, group: str, service: str, name: str
) -> ArmResponse:
    """The two keys."""
    del request
    record = _subscription(scene, subscription, group, service, name)
    return ArmResponse(status=200, body={key: record.secrets[f"properties.{key}"] for key in _KEYS})


def _subscription(scene: Scene, subscription: str, group: str, service: str, name: str) -> Record:
    service_id = f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{SERVICES}/{service}"
    record = scene.record(f"{service_id}/subscriptions/{name}")
    if record is None:
        raise TYPES[SUBSCRIPTIONS.lower()].not_found(service_id, group)
    return record
