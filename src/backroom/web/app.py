"""The web application: one store, one set of tables, pages, JSON and event streams, and what guards them.

For routes: ``request.app.state.tables`` is the `Tables`, ``started`` there is new at each start, ``streams`` counts the
open event streams of each client; ``request.state.token`` is the browser's token (always there; a new browser is given
one in a cookie), ``request.state.known`` whether the request came with it, ``request.state.client`` whose address it
comes from (`backroom.web.client`). A Refusal raised anywhere becomes one line: a page for a request that accepts
``text/html``, JSON (`backroom.web.shapes.Problem`) otherwise.
"""

import logging
import os
import re
import secrets
import socket
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from backroom.engine.game import Refusal
from backroom.tables.live import Stale
from backroom.tables.mail import Relay
from backroom.tables.service import Tables
from backroom.tables.store import AWAY, is_away
from backroom.tables.thinking import LIMITS, Limits, Thinkers
from backroom.web import api, pages, sheets, stream
from backroom.web.asked import YEAR, status_of
from backroom.web.client import client_of, trusted

__all__ = ["Settings", "create_app", "default_database", "serve"]

COOKIE = "backroom"
MOST_BYTES = 100_000
"""The largest body of a request."""
TOO_LARGE = Refusal("E_SIZE", f"a request has at most {MOST_BYTES // 1000} kB")
DEFAULT_PORT = 8000
RETRY_SECONDS = 2
"""When to ask again while the store does not answer."""
PADDING = 256
"""A compressed answer to somebody is longer by up to so many bytes, drawn anew each time."""
LOG = logging.getLogger(__name__)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@dataclass(frozen=True)
class Settings:
    """How to run: ``database_url`` as SQLAlchemy takes it (``sqlite:///file``, ``postgresql+psycopg://...``).

    ``mail`` is the relay for mail as `Relay.parse` takes it, empty to send none. ``public_url`` begins the links that
    are sent to people; without it they begin with the address at which a request came. ``proxies`` are the addresses
    and networks from which ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed. ``limits`` bound
    what tables may ask of bots.
    """

    database_url: str
    mail: str = ""
    public_url: str = ""
    proxies: tuple[str, ...] = ()
    limits: Limits = LIMITS

    def site(self) -> str:
        """``public_url`` without a slash at its end. Refusal E_URL."""
        site = self.public_url.rstrip("/")
        if site and not re.fullmatch(r"https?://[\w.-]+(:\d+)?|https?://\[[\da-fA-F:.]+\](:\d+)?", site):
            raise Refusal(
                "E_URL", f"the public address is like https://games.example.org, not {self.public_url[:80]!r}"
            )
        return site


class Guard:
    """Around every request: who the browser is, whether the request is its own, and what its answer may load.

    A browser without a token is given one: HttpOnly, SameSite=Lax, Secure over https. A POST that another site has
    caused is refused.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        token = request.cookies.get(COOKIE, "")
        known = len(token) == 43 and token.replace("-", "").replace("_", "").isalnum()
        if not known:
            token = secrets.token_urlsafe(32)
        static = scope["path"].startswith("/static/")
        state = scope.setdefault("state", {})
        state["token"], state["known"], state["client"] = token, known, client_of(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = POLICY
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
                if not static and headers.get("Content-Encoding") == "gzip":
                    # A page has secrets beside what others say. How well it compresses tells whether the two are
                    # alike (BREACH), to whoever sees how long answers are; not when each is longer by chance.
                    headers["Padding"] = "-" * secrets.randbelow(PADDING)
                headers.setdefault("Cache-Control", sheets.kept(scope["path"]) if static else "no-store")
                if not known and not static:
                    secure = "; Secure" if scope["scheme"] == "https" else ""
                    cookie = f"{COOKIE}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
                    headers.append("Set-Cookie", cookie)
            await send(message)

        refusal = None
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not _same_site(request.headers):
            refusal = Refusal("E_ORIGIN", "this request comes from another site; use the table's own page")
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) > MOST_BYTES:
            refusal = TOO_LARGE
        if refusal is not None:
            await _refused(request, refusal)(scope, receive, guarded)
            return
        await self.app(scope, receive, guarded)


def _same_site(headers: Headers) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        return False


def _refused(request: Request, refusal: Refusal, status: int | None = None) -> Response:
    """One line for whoever asks: a page for people, JSON for programs."""
    status = status_of(refusal) if status is None else status
    # Messages may quote what was sent, which need not be text that can be written.
    message = " ".join(refusal.message.encode("utf-8", "replace").decode().split())[:500]
    if "text/html" in request.headers.get("accept", ""):
        return pages.problem_page(request, status, refusal.code, message)
    entry = refusal.entry if isinstance(refusal, Stale) else None
    kind = "stale" if isinstance(refusal, Stale) else "refused"
    return JSONResponse({"status": kind, "code": refusal.code, "message": message, "ply": entry}, status)


def _explain(problem: RequestValidationError) -> str:
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return f"{where}: {first['msg']}" if where else first["msg"]


def create_app(settings: Settings, thinkers: Thinkers | None = None) -> FastAPI:
    """The application over one database; opening it runs the migrations. Refusal E_STORE, E_MAIL, E_URL, E_PROXY.

    Bots think in ``thinkers``; None: in this process.
    """
    site, relay = settings.site(), Relay.parse(settings.mail) if settings.mail else None
    proxies = trusted(settings.proxies)
    tables = Tables.open(settings.database_url, relay, settings.limits, thinkers)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        tables.close()

    app = FastAPI(title="Backroom", version="1", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.tables = tables
    app.state.public_url = site
    app.state.started = secrets.token_hex(4)
    app.state.streams = Counter()
    app.add_middleware(GZipMiddleware, compresslevel=1)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MOST_BYTES)
    app.add_middleware(Guard)
    if proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)
    app.include_router(api.router)
    app.include_router(stream.router)
    app.include_router(pages.router, include_in_schema=False)
    app.include_router(sheets.router, include_in_schema=False)

    @app.exception_handler(Refusal)
    async def refused(request: Request, refusal: Refusal) -> Response:
        return _refused(request, refusal)

    @app.exception_handler(RequestValidationError)
    async def unreadable(request: Request, problem: RequestValidationError) -> Response:
        return _refused(request, Refusal("E_REQUEST", _explain(problem)))

    @app.exception_handler(HTTPException)
    async def failed(request: Request, problem: HTTPException) -> Response:
        if problem.status_code == 413:
            refusal = TOO_LARGE
        elif problem.status_code == 404:
            refusal = Refusal("E_PAGE", "there is no such page")
        else:
            refusal = Refusal("E_REQUEST", str(problem.detail))
        response = _refused(request, refusal, problem.status_code)
        response.headers.update(problem.headers or {})
        return response

    async def away(request: Request, problem: Exception) -> Response:
        if not is_away(problem):
            raise problem
        LOG.error("the database does not answer: %s", str(problem).splitlines()[0])
        refusal = Refusal("E_AWAY", "the server's database does not answer just now; please try again in a moment")
        response = _refused(request, refusal)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response

    for kind in AWAY:
        app.add_exception_handler(kind, away)

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, _problem: ClientDisconnect) -> Response:
        LOG.warning("%s %s: the client went away before all of it had come", request.method, request.url.path)
        return Response(status_code=400)  # nobody is there to read it

    @app.exception_handler(Exception)
    async def broken(request: Request, _problem: Exception) -> Response:
        # Starlette logs the traceback; whoever asked is told no more than that it is not their fault.
        refusal = Refusal("E_SERVER", "something went wrong on the server; nothing was changed. Please try again")
        return _refused(request, refusal, 500)

    return app


class _Server(uvicorn.Server):
    """Ends open event streams first, so that they do not hold up the end."""

    def __init__(self, config: uvicorn.Config, tables: Tables) -> None:
        super().__init__(config)
        self.tables = tables

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.tables.publisher.close()
        await super().shutdown(sockets)


def default_database() -> str:
    """Where tables are kept unless one says otherwise: a file in the user's data folder."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return f"sqlite:///{folder / 'backroom' / 'backroom.sqlite3'}"


def _address(host: str, port: int) -> str:
    """Where a browser finds a server that listens there: no browser need open the wildcard, so it is told in words."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    shown = f"http://[{here}]:{port}/" if ":" in here else f"http://{here}:{port}/"
    return shown if here == host else f"{shown} (from elsewhere: this machine's address, port {port})"


def _listen(host: str, ports: Sequence[int]) -> socket.socket:
    """A socket on the first of the ports that is free. Refusal E_PORT when none is."""
    reason = ""
    for port in ports:
        try:
            family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            # With the protocol named, asyncio sets TCP_NODELAY on what it accepts; else kept-alive answers wait 40 ms.
            listener = socket.socket(family, kind, socket.IPPROTO_TCP)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(address)
                listener.listen(100)  # now, so that another server that starts sees the port taken
            except OSError:
                listener.close()
                raise
            return listener
        except OSError as problem:
            reason = str(problem)
    where = f"port {ports[0]}" if len(ports) == 1 else f"the ports {ports[0]} to {ports[-1]}"
    raise Refusal("E_PORT", f"cannot listen on {where} of {host}: {reason}")


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    database_url: str | None = None,
    mail: str = "",
    public_url: str = "",
    proxies: Sequence[str] = (),
    limits: Limits = LIMITS,
    games: Sequence[str] = (),
) -> None:
    """Run the server until it is stopped (SIGTERM or Ctrl-C, at most five seconds later).

    Prints its address. Without ``port`` it is 8000, or the next that is free; 0 is any free one. ``mail``,
    ``public_url``, ``proxies`` and ``limits`` as in `Settings`. The bots' processes load ``games`` at once, others when
    a bot is first asked. Refusal E_PORT, E_STORE, E_MAIL, E_URL, E_PROXY.
    """
    listener = _listen(host, range(DEFAULT_PORT, DEFAULT_PORT + 20) if port is None else [port])
    thinkers = Thinkers(limits)
    app = create_app(Settings(database_url or default_database(), mail, public_url, tuple(proxies), limits), thinkers)
    taken = listener.getsockname()[1]
    if port is None and taken != DEFAULT_PORT:
        print(f"Port {DEFAULT_PORT} is taken on {host}, so another one is used.", flush=True)
    # uvicorn believes by itself whatever comes from this machine, and what stands in FORWARDED_ALLOW_IPS.
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3, lifespan="on", proxy_headers=False)
    print(f"Backroom is open at {_address(host, taken)}", flush=True)
    if mail and not public_url:
        print("Links in mail begin with the address a browser came by; --public-url gives them one.", flush=True)
    if games:
        thinkers.warm(games)  # not before the lines above: where they cannot be written, no process is left behind
    _Server(config, app.state.tables).run(sockets=[listener])
