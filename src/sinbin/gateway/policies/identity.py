"""authentication-managed-identity and authentication-basic: what the gateway shows a backend."""

import base64
from typing import ClassVar

from sinbin.gateway.blocks import Step, calling
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.identity import managed_identity_token
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

MANAGED_IDENTITY_SHAPE = Shape(
    attributes={
        "resource": Attribute("text", required=True),
        "client-id": Attribute("text", expression=False),
        "output-token-variable-name": Attribute("text", expression=False),
        "ignore-error": Attribute("boolean", default=False, note="Getting a token never fails."),
    }
)


class ManagedIdentity(Policy):
    """Puts a token of the gateway's managed identity into Authorization, or into a variable."""

    names: ClassVar = ("authentication-managed-identity",)
    sections = frozenset({"inbound"})
    scopes = ("global", "product", "api", "operation")
    shape = MANAGED_IDENTITY_SHAPE
    source = REFERENCE.format("authentication-managed-identity")
    assumed = ("With a variable for the token, Authorization stays as it was.",)
    differs = ("The token is a stand-in that names the resource and the identity.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sets the token."""
        client, variable = node.constant("client-id"), node.constant("output-token-variable-name")

        def authenticate(context: Context, resource: str) -> None:
            token = managed_identity_token(resource, client)
            if variable:
                context.variables[variable] = token
            else:
                context.writable_headers().set("Authorization", f"Bearer {token}")

        return calling(authenticate, node.value("resource"))


class Basic(Policy):
    """Puts user name and password into Authorization."""

    names: ClassVar = ("authentication-basic",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={"username": Attribute("text", required=True), "password": Attribute("text", required=True)}
    )
    source = REFERENCE.format("authentication-basic")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sets the header."""
        username, password = node.value("username").read, node.value("password").read

        def authenticate(context: Context) -> None:
            pair = f"{username(context)}:{password(context)}".encode()
            context.writable_headers().set("Authorization", f"Basic {base64.b64encode(pair).decode()}")

        return Step(plain=authenticate)
