"""A real server process and a real Chromium.

The server runs the rules uncompiled (BACKROOM_JIT=0), so that it starts at once; compiled runs are equal to these
(`tests/conformance`). Screenshots go to BACKROOM_SHOTS, if that is set.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from servers import Server

PATIENCE = 30_000
"""Milliseconds that a page may take on a busy machine."""
expect.set_options(timeout=PATIENCE)

PLAIN_HOST = "backroom.test"
"""An address that is not this machine's own to a browser: over http, what needs a secure origin is missing there."""

HOW = "No Chromium found for the browser tests. Get it with: apt-get install chromium"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium_path() -> str:
    """Where the system's Chromium is. Without one the tests fail in CI, and are skipped elsewhere: both say why."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        found = shutil.which(name)
        if found:
            return found
    if os.environ.get("CI"):
        pytest.fail(HOW, pytrace=False)
    pytest.skip(HOW)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not kill it."""
    running = Server(tmp_path_factory.mktemp("browser") / "tables.sqlite3", compiled=False)
    running.start()
    yield running
    running.kill()


@pytest.fixture(params=["localhost", "plain"])
def origin(request: pytest.FixtureRequest, server: Server) -> str:
    """The address of that server: on this machine, or as a browser elsewhere in a plain network sees it."""
    return server.url if request.param == "localhost" else plain_url(server)


def plain_url(server: Server) -> str:
    """The address of a server as a browser elsewhere in a plain network sees it: http, and not a local name."""
    return f"http://{PLAIN_HOST}:{server.port}"


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test alone."""
    running = Server(tmp_path / "tables.sqlite3", compiled=False)
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    # Playwright keeps an event loop running, in which no later test could start its own: so it ends with this package.
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=[f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1"]
        )
        yield browser
        browser.close()


Person = Callable[..., Page]


class Browsers:
    """Browsers of people who know nothing of each other.

    A new one costs as much as three pages, so that one that was left as it came, at the server of all, is used again:
    without its cookies, what it stored, permissions and routes.
    """

    def __init__(self, chromium: Browser, server: Server) -> None:
        self.chromium = chromium
        self.home = server.url
        self.idle: list[Page] = []

    def take(self) -> Page:
        return self.idle.pop() if self.idle else self.new()

    def new(self, javascript: bool = True, touch: bool = False) -> Page:
        return self.chromium.new_context(java_script_enabled=javascript, has_touch=touch).new_page()

    def give_back(self, page: Page) -> None:
        """Take a page whose test has neither left a listener nor a script in it."""
        if page.is_closed() or PLAIN_HOST in page.url:  # at another site a page needs a process anew, as a new one does
            page.context.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.unroute_all()
        page.context.set_offline(False)
        page.context.clear_permissions()
        try:
            page.goto(f"{self.home}/healthz")
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
        except Error:  # something that the test began comes in between: it is not used again
            page.context.close()
            return
        page.context.clear_cookies()
        self.idle.append(page)


@pytest.fixture(scope="package")
def browsers(chromium: Browser, server: Server) -> Browsers:
    return Browsers(chromium, server)


@pytest.fixture
def person(browsers: Browsers) -> Iterator[Person]:
    """Makes browsers of different people: each call another one. A script error or a refused resource is a failure.

    ``alone`` is one that nobody uses afterwards: a test must ask for it that leaves a listener or a script in the page.
    ``touch`` has a screen that is touched.
    """
    lent: list[Page] = []
    own: list[BrowserContext] = []
    troubles: list[str] = []

    def on_error(error: Error) -> None:
        troubles.append(str(error))

    def on_console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            troubles.append(message.text)

    def open_browser(
        width: int = 1400,
        scheme: str = "light",
        motion: str = "reduce",
        javascript: bool = True,
        broken: str = "",
        alone: bool = False,
        touch: bool = False,
    ) -> Page:
        if alone or broken or touch or not javascript:
            page = browsers.new(javascript, touch)
            own.append(page.context)
        else:
            page = browsers.take()
            lent.append(page)
        page.set_viewport_size({"width": width, "height": 900 if width > 600 else 740})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        if broken:  # a script that makes the page's own fail
            page.add_init_script(broken)
        else:
            page.on("pageerror", on_error)
        page.on("console", on_console)
        return page

    yield open_browser
    for context in own:
        context.close()
    for page in lent:
        page.remove_listener("pageerror", on_error)
        page.remove_listener("console", on_console)
        browsers.give_back(page)
    assert not troubles


@pytest.fixture
def shoot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keeps a screenshot of a state for people to look at, where BACKROOM_SHOTS says so."""
    folder = os.environ.get("BACKROOM_SHOTS")

    def keep(page: Page, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(Path(folder) / f"{request.node.name}-{name}.png"), full_page=True)

    return keep
