"""The client of a request, for everything that is limited by client: an address, since cookies are free.

``request.state.client`` is the client of a request (`client_of`). What a proxy says of it (``X-Forwarded-For``,
``X-Forwarded-Proto``) is believed only when the request itself comes from an address that the server's host has named.
"""

import ipaddress
from collections.abc import Sequence

from starlette.types import Scope

from backroom.engine.game import Refusal

__all__ = ["client_of", "trusted"]


def client_of(scope: Scope) -> str:
    """The client of a request: its IPv4 address, or the /64 of its IPv6 address, which one household has to itself.

    Empty where no address is known, as over a Unix socket.
    """
    try:
        address = ipaddress.ip_address(scope["client"][0])
    except (KeyError, TypeError, ValueError):
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), 64), strict=False))


def trusted(proxies: Sequence[str]) -> list[str]:
    """The addresses and networks of proxies that are believed, in every way in which a connection may tell them.

    Refusal E_PROXY for what is neither.
    """
    found = []
    for proxy in proxies:
        try:
            network = ipaddress.ip_network(proxy.strip())
        except ValueError:
            raise Refusal(
                "E_PROXY", f"a proxy is an address or a network, like 127.0.0.1 or 10.0.0.0/8, not {proxy[:60]!r}"
            ) from None
        found.append(str(network))
        if isinstance(network, ipaddress.IPv4Network):
            # What listens on :: sees IPv4 addresses like this.
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found
