"""ip-filter: who may call, by address."""

import ipaddress
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class IpFilter(Policy):
    """Lets in, or keeps out, callers from the listed addresses."""

    names: ClassVar = ("ip-filter",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={"action": Attribute("text", required=True, choices=("allow", "forbid"))},
        children={
            "address": Shape(text=Text(), repeated=True),
            "address-range": Shape(
                attributes={"from": Attribute("text", required=True), "to": Attribute("text", required=True)},
                repeated=True,
            ),
        },
    )
    source = REFERENCE.format("ip-filter")
    assumed = ("A refused caller gets 403.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that refuses."""
        action = node.value("action")
        single = [address.text for address in node.all("address")]
        ranges = [(span.value("from"), span.value("to")) for span in node.all("address-range")]
        if not single and not ranges:
            node.refuse("needs an <address> or an <address-range>")
        for value in (*single, *(end for span in ranges for end in span)):
            if value.known and value.constant is not None and _address(value.constant) is None:
                node.refuse(f'has "{value.constant}", which is no IP address')

        def check(context: Context) -> None:
            caller = _address(context.original.client_ip)
            if caller is None:
                raise PolicyFailure("FailedToParseCallerIP", "the caller's IP address cannot be read", status=403)
            listed = any(_address(value.read(context)) == caller for value in single) or any(
                _inside(caller, low.read(context), high.read(context)) for low, high in ranges
            )
            if action.read(context) == "allow" and not listed:
                raise PolicyFailure(
                    "CallerIpNotAllowed", f"Caller IP address {caller} is not allowed.", status=403
                )
            if action.read(context) == "forbid" and listed:
                raise PolicyFailure("CallerIpBlocked", f"Caller IP address {caller} is blocked.", status=403)

        return Step(plain=check)


def _address(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text.strip())
    except ValueError:
        return None


def _inside(caller: Address, low: str, high: str) -> bool:
    first, last = _address(low), _address(high)
    if first is None or last is None or first.version != caller.version or last.version != caller.version:
        return False
    return int(first) <= int(caller) <= int(last)
