"""What a browser has to fetch: little at first, the same file never twice."""

import re

from playwright.sync_api import Page

from .conftest import Person, Server
from .steps import sit_down_against_bots, wait_until_asked

FIRST_PAGE = 90_000
FIRST_TABLE = 70_000


class Fetched:
    """The bytes that came over the line, headers too, by address, since the last look."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.addresses: dict[str, str] = {}
        self.came: list[tuple[str, int]] = []
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._begun)
        session.on("Network.loadingFinished", self._whole)
        session.send("Network.enable")

    def _begun(self, told: dict) -> None:
        self.addresses[told["requestId"]] = told["response"]["url"]

    def _whole(self, told: dict) -> None:
        self.came.append((self.addresses.get(told["requestId"], "?"), int(told["encodedDataLength"])))

    def look(self) -> list[tuple[str, int]]:
        self.page.wait_for_load_state("networkidle") if "/t/" not in self.page.url else self.page.wait_for_timeout(1500)
        came, self.came = [(address, size) for address, size in self.came if size], []
        return came


def test_pages_are_light_and_no_file_comes_twice(server: Server, person: Person) -> None:
    page = person(alone=True)
    fetched = Fetched(page)
    page.goto(server.url)
    home = fetched.look()
    assert any("emblems.svg" in address for address, _ in home)
    assert sum(size for _, size in home) < FIRST_PAGE, home
    sit_down_against_bots(page, server.url)
    assert wait_until_asked(page) == "your-turn"
    table = fetched.look()
    # Sitting down begins at the front page; the table is fetched again after each move of a bot.
    first = {address: size for address, size in reversed(table) if address.rstrip("/") != server.url.rstrip("/")}
    assert sum(first.values()) < FIRST_TABLE, table
    assert not {address for address, _ in home if "/static/" in address} & {address for address, _ in table}
    page.reload()
    again = fetched.look()
    assert not [address for address, _ in again if "/static/" in address]
    # The page itself, and nothing of it a second time as long as nobody has moved.
    assert len([address for address, _ in again if re.search(r"/t/[\w-]+(\?|$)", address)]) == 1, again
