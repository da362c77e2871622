"""What expressions see of the configuration (made once per part), and what a request is for."""

import re

from sinbin.csharp import context as cs
from sinbin.csharp.certificates import read_certificate
from sinbin.gateway.configuration import Api, GatewayConfiguration, Operation, Product, Subscription, User
from sinbin.gateway.context import Context

_IN_PATH = re.compile(r"/deployments/([^/?]+)/")


def requested_deployment(context: Context) -> str | None:
    """Return the model deployment that a request names: in its path, else as `model` in its JSON body."""
    found = _IN_PATH.search(context.original_url.path)
    if found is not None:
        return found[1]
    model = context.request_object().get("model")
    return model if isinstance(model, str) else None


def subscription(own: Subscription) -> cs.Subscription:
    """Return a subscription as expressions see it."""
    keys = (*own.keys, "", "")
    return cs.Subscription(
        id=own.id, name=own.display_name, key=keys[0], primary_key=keys[0], secondary_key=keys[1]
    )


def user(own: User) -> cs.User:
    """Return the owner of a subscription as expressions see it."""
    return cs.User(id=own.id, email=own.email, first_name=own.first_name, last_name=own.last_name)


def product(own: Product) -> cs.Product:
    """Return a product as expressions see it."""
    return cs.Product(id=own.name, name=own.display_name or own.name)


def api(own: Api) -> cs.Api:
    """Return an API as expressions see it."""
    url = None if own.service_url is None else cs.Url(own.service_url)
    return cs.Api(id=own.name, name=own.display_name or own.name, path=own.path, service_url=url)


def operation(own: Operation) -> cs.Operation:
    """Return an operation as expressions see it."""
    return cs.Operation(
        id=own.name, name=own.display_name or own.name, method=own.method, url_template=own.url_template
    )


def deployment(own: GatewayConfiguration) -> cs.Deployment:
    """Return the service itself as expressions see it."""
    shown = {name: read_certificate(text) for name, text in own.certificates}
    name = own.service_name
    return cs.Deployment(region=own.region, service_name=name, service_id=name, certificates=shown)
