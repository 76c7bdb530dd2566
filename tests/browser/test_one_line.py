"""All pages of a browser share one line to the server: who holds it, who takes over, and when it is dead."""

import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import APIRequestContext, Page, Route, expect

from servers import slowness

from .conftest import PATIENCE, Person, Server
from .steps import gather_people

REPLACED = 5.0
"""Seconds within which another page holds the line when the one that held it is gone, on a usual machine."""
NOTICED = 30.0
"""Seconds within which a dead line is noticed and replaced there."""
SLOW_TIMERS = """
for (const name of ["setTimeout", "setInterval"]) {
  const timer = window[name];
  window[name] = (call, wait, ...more) => timer(call, wait > 300 ? 60000 : wait, ...more);
}
"""
"""What Chromium does to the timers of a page that has been hidden for long."""


class Streams:
    """The streams that pages have opened, the newest last: the page and the tables it listens to."""

    def __init__(self) -> None:
        self.opened: list[tuple[Page, list[str]]] = []

    def of(self, page: Page) -> Page:
        def asked(url: str) -> None:
            if "/events" in url:
                self.opened.append((page, re.findall(r"table=(\w+)", url)))

        page.on("request", lambda request: asked(request.url))
        return page

    def wait_for(self, page: Page, met: Callable[[], bool], seconds: float = PATIENCE / 1000) -> None:
        end = time.monotonic() + seconds
        while not met():
            assert time.monotonic() < end, [tables for _, tables in self.opened]
            page.wait_for_timeout(50)


def waiting_table(host: APIRequestContext, url: str) -> tuple[str, list[str]]:
    """A table of four that waits for company; its address and its invitations."""
    chairs = [{"kind": "you", "name": "Anna"}, *[{"kind": "friend"}] * 3]
    made = host.post(f"{url}/tables", data={"game": "catham", "chairs": chairs}).json()
    view = host.get(f"{url}{made['url']}/view.json").json()
    return made["table"], [chair["invite"] for chair in view["chairs"][1:]]


def test_twelve_tables_share_a_line_and_the_page_that_holds_it_may_go(own_server: Server, person: Person) -> None:
    home, guest = person(), person()
    home.goto(own_server.url)
    url, streams = own_server.url, Streams()
    tables = dict(waiting_table(home.request, url) for _ in range(12))
    pages: dict[str, Page] = {}
    for table in tables:
        pages[table] = streams.of(home.context.new_page())
        pages[table].goto(f"{url}/t/{table}")
    streams.wait_for(home, lambda: len(streams.opened[-1][1]) == 12)
    holder = streams.opened[0][0]
    assert all(page is holder for page, _ in streams.opened), "one page holds the stream for all"

    def sit(name: str) -> None:
        for table in pages:
            sent = {"invite": tables[table].pop(0), "name": name}
            assert guest.request.post(f"{url}/t/{table}/sit", data=sent).ok
            guest.context.clear_cookies()  # a browser has one chair at a table
        for page in pages.values():
            expect(page.get_by_text(name, exact=True)).to_be_visible()
            expect(page.locator("[data-line]")).to_have_text(re.compile("here"))

    sit("Ben")
    closed = next(table for table, page in pages.items() if page is holder)
    before = len(streams.opened)
    slow = slowness()
    holder.close()
    gone = time.monotonic()
    del pages[closed]
    streams.wait_for(home, lambda: len(streams.opened) > before)
    took = time.monotonic() - gone
    assert took < REPLACED * max(slow, slowness())
    sit("Cleo")
    assert sorted(streams.opened[-1][1]) == sorted(pages), "a page that is closed is not at its table"
    assert len({id(page) for page, _ in streams.opened[before:]}) == 1


def test_a_page_that_hangs_while_it_holds_the_line_is_replaced(server: Server, person: Person) -> None:
    """It was in the background for long before that, and passed on what it heard all the same."""
    home, guest = person(), person()
    home.goto(server.url)
    streams = Streams()
    tables = dict(waiting_table(home.request, server.url) for _ in range(3))
    first, *others = pages = [streams.of(home.context.new_page()) for _ in tables]
    first.add_init_script(SLOW_TIMERS)
    for page, table in zip(pages, tables, strict=True):
        page.goto(f"{server.url}/t/{table}")
        streams.wait_for(home, lambda table=table: table in streams.opened[-1][1] if streams.opened else False)
    assert streams.opened[-1][0] is first

    def sit(name: str, listening: list[Page]) -> None:
        for table, page in zip(tables, pages, strict=True):
            if page in listening:
                sent = {"invite": tables[table].pop(0), "name": name}
                assert guest.request.post(f"{server.url}/t/{table}/sit", data=sent).ok
                guest.context.clear_cookies()
                expect(page.get_by_text(name, exact=True)).to_be_visible()

    sit("Ben", pages)
    before = len(streams.opened)
    held: list[Route] = []
    first.route("**/healthz?hang", lambda route: held.append(route))
    first.evaluate("""setTimeout(() => {
        const asked = new XMLHttpRequest();
        asked.open("GET", "/healthz?hang", false);
        asked.send();
    })""")
    streams.wait_for(home, lambda: len(streams.opened) > before, 2 * REPLACED * slowness())
    streams.wait_for(home, lambda: set(list(tables)[1:]) <= set(streams.opened[-1][1]))
    assert streams.opened[-1][0] in others
    sit("Cleo", others)
    for route in held:
        route.abort()


class Proxy:
    """Between a browser and a server; what is open can be forgotten, without a word to either side."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.forgotten: set[int] = set()
        self.most = sys.maxsize
        self.sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                number = len(self.sockets)
                self.sockets += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(one, other, number), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, number: int) -> None:
        passed, most = 0, self.most
        with suppress(OSError):
            while data := one.recv(65536):
                if most != self.most:
                    passed, most = 0, self.most
                if number not in self.forgotten:
                    other.sendall(data[: max(most - passed, 0)])
                passed += len(data)
            if number not in self.forgotten:
                other.shutdown(socket.SHUT_WR)

    def stop_answers_after(self, most: int) -> None:
        """From now on no more than so many bytes go through each connection, each way."""
        self.most = most

    def forget(self) -> None:
        """From now on nothing goes through what is open, not even its end."""
        self.forgotten = set(range(len(self.sockets)))

    def close(self) -> None:
        for each in (self.listener, *self.sockets):
            each.close()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    made = Proxy(server.port)
    yield made
    made.close()


def test_a_line_that_is_dead_without_being_closed_is_noticed(
    server: Server, proxy: Proxy, person: Person, shoot: Callable[[Page, str], None]
) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    anna.goto(anna.url.replace(str(server.port), str(proxy.port)))

    def talk(words: str) -> None:
        assert ben.request.post(f"{ben.url}/talk", data={"text": words}).ok

    talk("can you hear me")
    expect(anna.locator(".talk")).to_contain_text("can you hear me")
    badge = anna.locator("[data-line]")
    expect(badge).to_have_text(re.compile("here"))
    # The news comes through, and of the page that is fetched for it no more than the beginning.
    proxy.stop_answers_after(2000)
    with anna.expect_response(lambda answer: answer.url.split("?")[0] == anna.url):
        talk("and now")
    proxy.forget()
    proxy.stop_answers_after(sys.maxsize)
    slow = slowness()
    forgotten = time.monotonic()
    expect(badge).to_have_text(re.compile("looking|no line"))
    shoot(anna, "silent")
    expect(anna.locator(".talk")).to_contain_text("and now", timeout=2 * PATIENCE)
    expect(badge).to_have_text(re.compile("here"))
    took = time.monotonic() - forgotten
    assert took < NOTICED * max(slow, slowness())
    talk("back again")
    expect(anna.locator(".talk")).to_contain_text("back again")
