"""From a request in the pipeline to a request on its way to a backend."""

from collections.abc import Iterable
from urllib.parse import quote_plus

from sinbin.gateway.backends import Refusal
from sinbin.gateway.configuration import Backend, Credentials
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.identity import managed_identity_token
from sinbin.gateway.messages import Headers, HttpRequest, json_response


def choose_backend(context: Context) -> Backend:
    """Return the backend for the next forward, chosen anew every time.

    A base URL that is the URL of a backend entity uses that entity, with its credentials and its breaker.
    Source: https://learn.microsoft.com/azure/api-management/backends, read 2026-11-29

    Raises:
        PolicyFailure: the breaker is open or the pool is emptied (503, also as `context.Response`), or there is no
            backend to send to.
    """
    target = context.target
    if target is None:
        return _by_url(context)
    table = context.instance.backends
    pool = table.pool(target)
    cookie = None if pool is None else pool.affinity_cookie
    sticky = None if cookie is None else _cookie(context.original.headers, cookie)
    try:
        choice = table.choose(target, context.now, context.rng, sticky)
    except KeyError as error:
        raise PolicyFailure("BackendNotFound", f'backend with id "{target}" could not be found') from error
    if isinstance(choice, Refusal):
        raise _refused(context, choice)
    if cookie is not None and choice.name != sticky:
        context.cookies = [f"{cookie}={choice.name}; Path=/; HttpOnly"]
    if context.trace is not None:
        out = ", ".join(f"{name} until {until:g}s" for name, until in table.sitting_out(context.now).items())
        context.note(f"{target} → {choice.name}" + (f" (sitting out: {out})" if out else ""))
    return choice


def outgoing(context: Context, backend: Backend) -> HttpRequest:
    """Return the request for `backend`: its URL, the operation's path and query, the backend's credentials."""
    request, credentials = context.request, backend.credentials
    url = backend.url.rstrip("/") + request.url.path_and_query
    if credentials is _NO_CREDENTIALS and "host" not in request.headers:
        headers = request.headers
        request.headers_shared = True
    else:
        headers = request.headers.copy()
        headers.remove("Host")
        url = _with_credentials(url, headers, credentials)
    return HttpRequest(request.method, url, headers, request.body, context.original.client_ip)


_NO_CREDENTIALS = Backend(name="", url="").credentials


def _with_credentials(url: str, headers: Headers, credentials: Credentials) -> str:
    for name, value in credentials.headers:
        headers.set(name, value)
    if credentials.managed_identity_resource is not None:
        headers.set("Authorization", f"Bearer {managed_identity_token(credentials.managed_identity_resource)}")
    if not credentials.query:
        return url
    return f"{url}{'&' if '?' in url else '?'}{'&'.join(_encoded(credentials.query))}"


def _encoded(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs)


def _by_url(context: Context) -> Backend:
    url = context.base_url
    if url is None:
        raise PolicyFailure(
            "BackendConnectionFailure", "no backend: the API has no service URL and no set-backend-service ran"
        )
    table = context.instance.backends
    for backend in table:
        if backend.url.rstrip("/") == url.rstrip("/"):
            choice = table.choose(backend.name, context.now, context.rng)
            if isinstance(choice, Refusal):
                raise _refused(context, choice)
            return choice
    return Backend(name="", url=url)


def _refused(context: Context, refusal: Refusal) -> PolicyFailure:
    """Return the failure of an open circuit; what the last reply said about coming back stays on the new one.

    Source for the kept Retry-After: Azure-Samples/Apim-Samples, observed there; read 2026-11-29
    """
    words = "every backend of the pool sits out" if refusal.reason == "PoolExhausted" else "its circuit is open"
    response = json_response(refusal.status, {"statusCode": refusal.status, "message": "Service unavailable"})
    if context.response is not None and (retry_after := context.response.headers.get("Retry-After")) is not None:
        response.headers.set("Retry-After", retry_after)
    context.response = response
    failure = PolicyFailure(
        refusal.reason,
        f'backend "{refusal.target}" is unavailable: {words}',
        status=refusal.status,
    )
    failure.keeps_response = True
    if context.trace is not None:
        context.note(f"{refusal.reason}: {failure.message}; first back at {refusal.frees_at:g}s")
    return failure


def _cookie(headers: Headers, name: str) -> str | None:
    for line in headers.values("Cookie"):
        for pair in line.split(";"):
            key, _, value = pair.strip().partition("=")
            if key == name:
                return value
    return None
