"""A client is an address, and nobody can pretend to be another."""

import asyncio
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Scope

from backroom.engine.game import Refusal
from backroom.web.app import Settings, create_app
from backroom.web.client import client_of, trusted
from servers import Server


def told(path: Path, address: str, headers: Sequence[tuple[str, str]], proxies: Sequence[str] = ()) -> tuple[str, str]:
    """The client of a request from that address as the application sees it, and the scheme."""
    app = create_app(Settings(f"sqlite:///{path / 'tables.sqlite3'}", proxies=tuple(proxies)))
    seen: list[Scope] = []

    @app.get("/who")
    async def who() -> str:
        return ""

    scope = {
        "type": "http", "method": "GET", "path": "/who", "raw_path": b"/who", "query_string": b"", "scheme": "http",
        "http_version": "1.1", "client": (address, 4000), "server": ("games", 80), "state": {},
        "headers": [(b"host", b"games"), *((name.encode(), value.encode()) for name, value in headers)],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        seen.append(scope)

    asyncio.run(app(scope, receive, send))
    app.state.tables.close()
    return seen[0]["state"]["client"], seen[0]["scheme"]


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("/run/socket", ""),
    ],
)
def test_a_client_is_an_address_or_its_network_of_64_bits(address: str, client: str) -> None:
    assert client_of({"client": (address, 1)}) == client


def test_a_forwarded_address_is_believed_from_named_proxies_only(tmp_path: Path) -> None:
    forged = [("x-forwarded-for", "198.51.100.9"), ("x-forwarded-proto", "https")]
    assert told(tmp_path, "127.0.0.1", forged) == ("127.0.0.1", "http")
    assert told(tmp_path, "203.0.113.5", forged, ["127.0.0.1"]) == ("203.0.113.5", "http")
    assert told(tmp_path, "127.0.0.1", forged, ["127.0.0.1"]) == ("198.51.100.9", "https")
    assert told(tmp_path, "::ffff:10.1.2.3", forged, ["10.0.0.0/8"]) == ("198.51.100.9", "https")
    # What was there before the proxy wrote is the client's own invention.
    chain = [("x-forwarded-for", "1.2.3.4, 198.51.100.9, 10.0.0.2")]
    assert told(tmp_path, "10.0.0.1", chain, ["10.0.0.0/8"]) == ("198.51.100.9", "http")
    assert told(tmp_path, "::1", [("x-forwarded-for", "2001:db8:1:2::5")], ["::1"])[0] == "2001:db8:1:2::/64"


@pytest.mark.parametrize("proxy", ["*", "localhost", "10.0.0.1/8", "", "10.0.0.0/33"])
def test_a_proxy_that_is_no_address_is_refused_with_what_would_be(proxy: str) -> None:
    with pytest.raises(Refusal, match=r"an address or a network, like 127\.0\.0\.1") as refused:
        trusted([proxy])
    assert refused.value.code == "E_PROXY"


def test_a_server_believes_nothing_of_its_own_machine_that_it_was_not_told_to(tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.sqlite3", compiled=False)
    server.start()
    try:
        answer = httpx.get(f"{server.url}/healthz", headers={"X-Forwarded-Proto": "https"})
        assert "Secure" not in answer.headers["Set-Cookie"]
    finally:
        server.stop()
