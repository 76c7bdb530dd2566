"""Nothing that a person can type makes a page scroll sideways, with the longest of everything in one word."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Route

from backroom.bots import make_bot
from backroom.engine.game import Game, installed_games
from backroom.engine.notation import move_text
from backroom.engine.rng import generator
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.app import Settings, create_app

from .steps import overflow

GAMES = installed_games()
WIDTHS = (320, 360)
LONG = 24
NAMES = ["W" * LONG, "界" * LONG, *(letter * (LONG - 1) + "W" for letter in "MABCDEFG"), "Q" * LONG]
MAIL = "smtp://127.0.0.1:9?from=room@example.org"
TITLE, TALK, WORD = "W" * 80, "M" * 500, "W" * 1000
WATCHER = "w" * 43


def token(seat: int) -> str:
    """The cookie of a player's browser."""
    return "abcdefghij"[seat] * 43


@dataclass(frozen=True)
class Long:
    """The site, with tables of people whose names are as long as names may be: open, going on and over, by game."""

    site: TestClient
    open: dict[str, str]
    going: dict[str, str]
    over: dict[str, str]


def company(game: Game) -> int:
    """As many chairs as fit on a phone worst, but a table of ten plays long."""
    return min(max(4, game.seats.start), game.seats.stop - 1)


def set_table(tables: Tables, game: Game, chairs: int) -> str:
    wanted = [ChairRequest("you", NAMES[0]), *[ChairRequest("anybody")] * (chairs - 1)]
    options = {"memory": "notes"} if game.name == "dark_sources" else {}
    return tables.create(token(0), game.name, wanted, options, TITLE, pace=86400 * 3)


def fill(tables: Tables, table: str) -> None:
    for chair in tables.view(table, token(0)).chairs:
        if not chair.held:
            invite = tables.view(table, token(0)).chairs[chair.number].invite
            tables.sit(table, token(chair.number), invite, NAMES[chair.number])


def play(tables: Tables, table: str, moves: int) -> None:
    """Make moves as a bot would, until the match is over or so many are made."""
    for number in range(moves):
        view = tables.view(table, WATCHER)
        if view.over:
            return
        chair = next(chair for chair in view.chairs if chair.seat == view.acting[0])
        mine = tables.view(table, token(chair.number))
        seat = mine.viewer
        actions = make_bot(view.game, "random").choose(mine.record, seat, generator(table, number))
        text = move_text(view.game, mine.record, seat, actions, mine.names)
        tables.submit(table, token(chair.number), text, mine.entry, f"move {number}")


def talk(tables: Tables, table: str) -> None:
    for chair in tables.view(table, token(0)).chairs:
        if chair.held:
            tables.talk(table, token(chair.number), TALK)
            tables.note(table, token(chair.number), WORD)
    tables.pulse([table], WATCHER, name=NAMES[-1])
    tables.ask(table, WATCHER, True, NAMES[-1])


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Long]:
    app = create_app(Settings(f"sqlite:///{tmp_path_factory.mktemp('long') / 'tables.sqlite3'}", MAIL))
    tables: Tables = app.state.tables
    with TestClient(app, "http://long.test", follow_redirects=True) as site:
        made = Long(site, {}, {}, {})
        for game in GAMES:
            made.open[game.name] = set_table(tables, game, company(game))
            made.going[game.name] = set_table(tables, game, company(game))
            made.over[game.name] = set_table(tables, game, max(2, game.seats.start))
            for table, moves in ((made.going[game.name], 12), (made.over[game.name], 400)):
                fill(tables, table)
                talk(tables, table)
                play(tables, table, moves)
        yield made


OPEN = """tab => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const found = tab && document.getElementById(tab);
  if (found) found.checked = true;
}"""
Visit = Callable[[str], str]


@pytest.fixture
def visitor(chromium: Browser, long: Long) -> Iterator[Callable[[str], Visit]]:
    """Opens pages as somebody, with all that can be unfolded, at both widths; all that is too wide is said at the end.

    The browser is real, and so are pages and style sheets; they come from the application without a server between.
    """
    context = chromium.new_context(viewport={"width": WIDTHS[0], "height": 740}, java_script_enabled=False)
    page = context.new_page()
    wrong: list[tuple[int, str, list[str]]] = []
    cookie = ""

    def serve(route: Route) -> None:
        asked = urlsplit(route.request.url)
        headers = {
            "Accept": route.request.headers.get("accept", "*/*"),
            "Cookie": f"backroom={cookie}",
        }
        answer = long.site.get(f"{asked.path}?{asked.query}", headers=headers)
        kept = {"content-type": answer.headers["content-type"]}
        route.fulfill(status=answer.status_code, headers=kept, body=answer.content)

    page.route("**/*", serve)

    def visiting(token: str) -> Visit:
        def visit(path: str) -> str:
            nonlocal cookie
            cookie = token
            page.goto(f"http://long.test{path}")
            for tab in ("", "t-talk", "t-notes") if "t-talk" in page.content() else ("",):
                page.evaluate(OPEN, tab)
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 740})
                    if found := overflow(page):
                        wrong.append((width, f"{path[:50]} {tab}", found))
            return page.content()

        return visit

    yield visiting
    context.close()
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_tables_with_the_longest_names_titles_and_talk_fit_on_a_phone(
    game: Game, long: Long, visitor: Callable[[str], Visit]
) -> None:
    going, over, waiting = long.going[game.name], long.over[game.name], long.open[game.name]
    acting = long.site.get(f"/t/{going}/view.json").json()["acting"][0]
    chairs = long.site.get(f"/t/{going}/view.json").json()["chairs"]
    mover = next(chair["number"] for chair in chairs if chair["seat"] == acting)
    visit = visitor(token(mover))
    visit(f"/t/{going}")
    assert "refused" in visit(f"/t/{going}?draft={WORD}")
    assert WORD in visit(f"/t/{going}/text?draft={WORD}")
    visit = visitor(token((mover + 1) % company(game)))
    visit(f"/t/{going}")
    if game.looks_ahead:
        assert WORD in visit(f"/t/{going}?prepare=1&draft={WORD}")
    visit = visitor(token(0))
    assert TALK in visit(f"/t/{going}" + ("?move=3" if game.name != "dark_sources" else ""))
    assert "Wind back" in visit(f"/t/{over}?move=3&seat=0")
    assert "How it ended" in visit(f"/t/{over}")
    visit(f"/t/{over}/text")
    visit(f"/t/{waiting}")
    visit(f"/rules/{game.name}?table={going}&q={'W' * 100}")
    watch = visitor(WATCHER)
    watch(f"/t/{going}")
    watch(f"/t/{waiting}")
    watch(f"/new?game={game.name}&name={NAMES[0]}&title={TITLE}")


def test_the_other_pages_fit_with_the_longest_of_everything(long: Long, visitor: Callable[[str], Visit]) -> None:
    assert TITLE in visitor(token(0))("/")
    assert TITLE in visitor(token(0))("/games/catham")
    visit = visitor("s" * 43)
    assert TITLE in visit("/")
    assert TITLE in visit("/games/catham")
    with_invite = long.site.get(
        f"/t/{long.open['catham']}/view.json", headers={"Cookie": f"backroom={token(0)}"}
    ).json()
    assert NAMES[0] in visit(f"/join/{with_invite['chairs'][1]['invite']}")
    for path in ("/t/", "/", "/rules/", "/mail/", "/join/", "/new?game=", "/rules/catham?at=W&q=x+"):
        visit(path + WORD[:100])
    assert "E_" in visit(f"/t/{long.going['catham']}?move={'9' * 300}")
    assert quote(TITLE) in visit(f"/new?game=catham&title={TITLE}&name={NAMES[0]}")
