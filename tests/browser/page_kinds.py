"""Every kind of page that the site has, in one list: `make shots` draws them, and axe looks at them (test_axe.py).

A new kind of page is added here, and both have it.
"""

import json
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import patch
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Page

from backroom.bots import make_bot
from backroom.bots.regulars import regulars
from backroom.engine.game import Game, Refusal, installed_games
from backroom.engine.notation import move_text
from backroom.engine.rng import generator
from backroom.lab.decisive import EFFORT, HINT, decisive, hint
from backroom.tables import findings
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest, TableView
from backroom.web.app import Settings, create_app
from backroom.web.since import deeds_since
from backroom.web.table_page import table_module
from sittings import first_move

NAMES = ("Anna", "Ben Maximilian Anderson", "Cleo", "Dan", "Eve", "Frederick", "Gus", "Hannah", "Ian", "Josephine")
WATCHER, NEWCOMER = "w" * 43, "n" * 43
QUICK = {
    "look": 60, "sifted": 4, "sift": 2, "sift_iterations": 60, "confirmed": 2, "repeats": 5, "iterations": 60,
    "strategies": 200,
}  # fmt: skip
"""What is found by search is looked for so thoroughly: pages are to be looked at, not to be believed."""

HEIGHTS = {360: 740, 1400: 900}
WIDTHS = tuple(HEIGHTS)
QUIET = {"quiet": True}
"""Nothing that is told at the first time is told."""


@dataclass(frozen=True)
class PageKind:
    """A page by a name, as the browser that has ``token`` sees it at ``path``.

    ``taught`` is what it has been taught already, ``sheet`` the one that lies over the cloth (on a desk: the tab at the
    side), ``widths`` where it is a page of its own, ``plain`` a page without script, ``game`` whose it is (empty: all
    games').
    """

    name: str
    path: str
    token: str = NEWCOMER
    game: str = ""
    taught: dict[str, object] | None = None
    sheet: str = ""
    widths: tuple[int, ...] = WIDTHS
    plain: bool = False

    def open(self, page: Page, url: str, width: int, scheme: str) -> None:
        """Show it in a browser, which is that of the person who sees it; the site is at ``url``."""
        page.goto(f"{url}/healthz")
        cookies = {"backroom": self.token} | ({"plain": "1"} if self.plain else {})
        page.context.clear_cookies()
        page.context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])
        taught = json.dumps(QUIET | {self.game: {"aim": True}} if self.taught is None else self.taught)
        page.evaluate("taught => { localStorage.clear(); localStorage.setItem('taught', taught) }", taught)
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(url + self.path)
        if self.sheet:
            page.evaluate(
                """name => [`s-${name}`, `t-${name}`].forEach(id => {
                  const found = document.getElementById(id);
                  if (found) found.checked = true;
                })""",
                self.sheet,
            )
        page.evaluate("document.activeElement.blur()")
        page.evaluate("document.fonts.ready")


def token(seat: int) -> str:
    """The cookie of a player's browser."""
    return "abcdefghij"[seat] * 43


class _Tables:
    """Makes the tables that the pages are of."""

    def __init__(self, tables: Tables, game: Game) -> None:
        self.tables, self.game = tables, game

    def of_people(self, count: int, title: str = "", free: int = 0, **options: object) -> str:
        """A table of people, of whose chairs so many last ones are free still."""
        chairs = [ChairRequest("you", NAMES[0])] + [ChairRequest("friend")] * (count - 1)
        table = self.tables.create(token(0), self.game.name, chairs, options, title, pace=86400 * 3)
        for number in range(1, count - free):
            self.tables.sit(table, token(number), self.invite(table, number), NAMES[number])
        return table

    def many_of_people(self, count: int) -> Iterator[str]:
        """Tables of people, of which a match by lot may be too short."""
        while True:
            yield self.of_people(count, "Thursday night")

    def invite(self, table: str, number: int) -> str:
        return self.tables.view(table, token(0)).chairs[number].invite

    def of_bots(self, count: int) -> str:
        """A table of Anna and regulars, when she is asked."""
        chairs = [ChairRequest("you", NAMES[0])]
        chairs += [ChairRequest("bot", bot=f"{key}:gentle") for key in [*regulars()][: count - 1]]
        table = self.tables.create(token(0), self.game.name, chairs)
        self.wait(lambda: self.tables.view(table, token(0)).your_turn)
        return table

    @staticmethod
    def wait(happens: Callable[[], bool]) -> None:
        end = monotonic() + 120
        while not happens():
            assert monotonic() < end, "waited in vain"
            sleep(0.02)

    def acting(self, table: str) -> tuple[str, TableView]:
        """The token of the first of the seats that must decide, and what it sees."""
        view = self.tables.view(table, WATCHER)
        number = next(chair.number for chair in view.chairs if chair.seat == view.acting[0])
        return token(number), self.tables.view(table, token(number))

    def play(self, table: str, most: int = 400, until: Callable[[TableView], bool] | None = None) -> bool:
        """Make moves by lot, until what the next one sees is such; whether that came before so many, or the end."""
        for number in range(most):
            if self.tables.view(table, WATCHER).over:
                return False
            who, view = self.acting(table)
            if until is not None and until(view):
                return True
            seat = view.viewer
            actions = make_bot(view.game, "random").choose(view.record, seat, generator(self.game.name, number))
            text = move_text(view.game, view.record, seat, actions, view.names)
            self.tables.submit(table, who, text, view.entry, f"move {number}")
        return until is None

    def talk(self, table: str) -> None:
        for number, words in enumerate(("Shall we?", "I will not be the first this time, whatever you say.")):
            try:
                self.tables.talk(table, token(number), words)
            except Refusal:  # its rules have talk closed
                return
        self.tables.note(table, token(0), "Ben has two of them. Do not trust Cleo after the third round.")


def _asked(view: TableView) -> bool:
    scene = table_module(view.game).scene(view.record, view.viewer, view.names, view.prepared)
    return scene.ask is not None


def _all_at_once(view: TableView) -> bool:
    return view.moves > 0 and 1 < len(view.names) == len(view.acting)


def _kinds_of(tables: Tables, game: Game, brief: bool) -> Iterator[PageKind]:
    make, name = _Tables(tables, game), game.name
    usual = min(max(4, game.seats.start), game.seats.stop - 1)

    def kind(what: str, path: str, who: str = NEWCOMER, **more: object) -> PageKind:
        return PageKind(f"{name}-{what}", path, who, name, **more)  # type: ignore[arg-type]

    def well_under_way(view: TableView) -> bool:
        """Others have moved since, and somebody waits."""
        return view.moves > 2 * usual and bool(deeds_since(view)) and len(view.acting) < usual

    yield kind("lobby", f"/new?game={name}")
    if not brief:
        yield kind("home", f"/games/{name}")
        yield kind("rules", f"/rules/{name}?q=card")
        waiting = make.of_people(usual, free=1)
        yield kind("join", f"/join/{make.invite(waiting, usual - 1)}")
        yield kind("chairs", f"/t/{waiting}", token(0))
        yield kind("practice", f"/t/{tables.practise(token(0), name, NAMES[0])}", token(0))
        bots = make.of_bots(usual)
        yield kind("first", f"/t/{bots}", token(0), taught={})
        yield kind("coach", f"/t/{bots}", token(0), taught={name: {"aim": True}})
        tables.hint(bots, token(0))
        make.wait(lambda: tables.view(bots, token(0)).hint.found is not None)  # type: ignore[union-attr]
        yield kind("hint", f"/t/{bots}", token(0), sheet="moves")

    going = next(table for table in make.many_of_people(usual) if make.play(table, until=well_under_way))
    make.talk(going)
    mover, view = make.acting(going)
    other = next(token(chair.number) for chair in view.chairs if chair.seat not in view.acting)
    table = f"/t/{going}"
    yield kind("turn", table, mover)
    yield kind("chosen", f"{table}?draft={quote(first_move(view))}", mover)
    yield kind("others", table, other)
    yield kind("watching", table, WATCHER)
    yield kind("sheet-rules", table, mover, sheet="rules")
    yield kind("text", f"{table}/text", mover)
    if not brief:
        yield kind("unreadable", f"{table}?draft={quote('no such move')}", mover)
        yield kind("sheet-log", table, mover, sheet="log")
        yield kind("sheet-talk", table, mover, sheet="talk")
        yield kind("sheet-moves", table, mover, sheet="moves", widths=WIDTHS[:1])
        yield kind("sheet-more", table, mover, sheet="more", widths=WIDTHS[:1])
        yield kind("plain", table, mover, plain=True)
        if not view.forgets:
            yield kind("past", f"{table}?move=3", mover)
        if tables.view(going, other).can_prepare:
            yield kind("prepare", f"{table}?prepare=1", other)
    for what, most, until in (("question", 150, _asked), ("together", 20, _all_at_once)):
        table = make.of_people(usual)
        if make.play(table, most, until):
            asked, view = make.acting(table)
            yield kind(what, f"/t/{table}", asked)
            yield kind(f"{what}-chosen", f"/t/{table}?draft={quote(first_move(view))}", asked)
    over = make.of_people(max(2, game.seats.start))
    make.play(over)
    yield kind("ended", f"/t/{over}", token(0))
    yield kind("replay", f"/t/{over}?move=4&seat=1", token(0))
    if not brief:
        yield kind("ended-text", f"/t/{over}/text", token(0))
        tables.look_back(over)
        make.wait(lambda: tables.view(over, WATCHER).decided.found is not None)  # type: ignore[union-attr]
        yield kind("analysis", f"/t/{over}", token(0))


def _house_kinds(tables: Tables, game: Game) -> Iterator[PageKind]:
    used = _Tables(tables, game)
    table = used.of_people(2, free=1)
    invite = used.invite(table, 1)
    tables.sit(table, token(1), invite, NAMES[1])
    yield PageKind("home-new", "/")
    yield PageKind("home", "/", token(0))
    yield PageKind("record", "/record", token(0))
    yield PageKind("error-device", f"/device/{'d' * 43}")
    yield PageKind("error-unknown", "/t/nowhere")
    yield PageKind("error-used", f"/join/{invite}")
    yield PageKind("error-request", "/new?game=nosuchgame")
    yield PageKind("mail", f"/mail/{'m' * 43}")


@contextmanager
def _served(app: FastAPI) -> Iterator[str]:
    """A server of this process; its address."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        app.state.tables.publisher.close()  # its streams end
        server.should_exit = True
        thread.join()


@contextmanager
def page_kinds(folder: Path, games: Sequence[Game], brief: bool = False) -> Iterator[tuple[str, Iterator[PageKind]]]:
    """The site's address and the kinds of page it has, whose tables (in ``folder``) are made meanwhile.

    Those of these games and of the house; ``brief``: only those that a game's own folder draws a part of. The same in
    every run.
    """
    count = 0

    def seed(size: int) -> str:
        nonlocal count
        count += 1
        return sha256(f"page kinds {count}".encode()).hexdigest()[: 2 * size]

    app = create_app(Settings(f"sqlite:///{folder / 'pages.sqlite3'}"))
    tables: Tables = app.state.tables

    def kinds() -> Iterator[PageKind]:
        for game in games:
            yield from _kinds_of(tables, game, brief)
        if not brief:
            yield from _house_kinds(tables, installed_games()[0])

    with (
        patch.object(secrets, "token_hex", seed),
        patch.object(findings, "decisive", partial(decisive, effort=replace(EFFORT, **QUICK))),
        patch.object(findings, "hint", partial(hint, effort=replace(HINT, **QUICK))),
        _served(app) as url,
    ):
        yield url, kinds()
