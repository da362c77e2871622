"""Who may ask a server on loopback that people open in a browser: callers on this machine, and no other website.

A website that somebody visits can send requests to 127.0.0.1, and make a name of its own point there. So every
request must be for a local name, a call that changes something needs the header `x-sinbin` (a browser asks before
it sends that to another origin, and nobody answers), and what says that it comes from elsewhere is refused.
"""

import ipaddress
import re
from functools import lru_cache

from sinbin.local.http.messages import HttpRequest

HEADER = b"x-sinbin"
_LOOPBACK = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?")
_ORIGIN = re.compile(rb"https?://(\[[^]]*\]|[^:/]+)(?::\d+)?")
_OWN_SITE = (b"same-origin", b"none")
_READING = ("GET", "HEAD")


@lru_cache(maxsize=256)
def names_this_machine(host: bytes) -> bool:
    """Return whether a Host header is an address or a name of loopback, none that a website may have made."""
    name = re.sub(rb":\d*$", b"", host).lower()
    if name == b"localhost" or name.endswith(b".localhost"):
        return True
    try:
        ipaddress.ip_address(name.decode("ascii", "replace").strip("[]"))
    except ValueError:
        return False
    return True


def is_own_origin(origin: bytes) -> bool:
    """Return whether an Origin header is that of a page which a server on this machine gave out."""
    found = _ORIGIN.fullmatch(origin.lower())
    if found is None:
        return False
    host = found[1].decode("ascii", "replace")
    return host == "localhost" or host.endswith(".localhost") or is_loopback_address(host.strip("[]"))


def is_loopback_address(host: str) -> bool:
    """Return whether `host` is an address of loopback, written without brackets."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refusal(request: HttpRequest) -> str | None:
    """Return why `request` is not answered, None when it is."""
    host = request.header(b"host") or b""
    if not _LOOPBACK.fullmatch(host):
        return "this is for callers on this machine"
    origin = request.header(b"origin")
    if origin is not None and origin != b"http://" + host:
        return "this is for no page of another origin"
    if request.method in _READING:
        return None
    if request.header(b"sec-fetch-site") not in (None, *_OWN_SITE):
        return "this is for no page of another origin"
    if request.header(HEADER) is None:
        return "a call that changes something needs the header x-sinbin"
    return None
