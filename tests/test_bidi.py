"""What is typed from right to left stands isolated on every page, so that it moves nothing beside it."""

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from fastapi.testclient import TestClient

from backroom.engine.facts import facts_of
from backroom.engine.game import Game, find_game, game_names
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.app import Settings, create_app
from backroom.web.bidi import isolated
from sittings import first_move

GAMES = [find_game(name) for name in game_names()]
RTL = re.compile("[\u0590-\u08ff]")
NAMES = ["דוד 1", "דוד 2", "دينا 3", "לאה 4"]
WATCHER = "נועה 5"
TITLE, TALK, NOTES, WORD = "מועדון 18 & Cats", "5 מה שלומך, Ben? 6", "כרטיס 3 > 4", "זזז"
WHOLE = [*NAMES, WATCHER, "מועדון 18 & Cats"]
"""Texts that stand on a page as a whole or not at all; in moves a blank is an underscore."""
VOID = {"br", "hr", "img", "input", "link", "meta", "use", "path", "source", "wbr"}
TYPED_HERE = {"email", "search", "text"}


class Isolation(HTMLParser):
    """Reads a page as a browser does, and collects what runs from right to left and is not isolated."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.wrong: list[str] = []
        self.unit: list[str] = []
        self.seen = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        alone = tag == "bdi" or found.get("dir") == "auto"
        self.seen += len(RTL.findall(found.get("value", "")))
        for name, value in found.items():
            if name in ("value", "href", "action", "data-draft", "data-key", "data-record", "content"):
                continue  # for the server and the script; what a field holds is seen to below
            self.check(value, f"{tag} {name}")
        visible = tag == "textarea" or (tag == "input" and found.get("type", "text") in TYPED_HERE)
        # A move is words of the game first of all, whichever names follow; house rules and addresses are not words.
        words = found.get("name") not in ("move", "address") and not found.get("name", "").startswith("option.")
        if visible and words and "readonly" not in found and found.get("id") != "mv" and not alone:
            self.wrong.append(f"a field for typing without dir=auto: {found}")
        if tag not in VOID:
            self.open.append((tag, alone))
            self.unit.append("")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        name, alone = self.open.pop()
        text = self.unit.pop()
        if name == "option" != tag:
            self.handle_endtag(tag)  # an option may end where its list does
            return
        assert name == tag, f"</{tag}> closes <{name}>"
        if alone and RTL.search(text) and not any(whole in (text, text.replace("_", " ")) for whole in WHOLE):
            # It is one of the other texts, alone in its element, and no part of a name or title.
            for whole in WHOLE:
                assert not text or text == whole or text not in whole, f"{text!r} is only a part of {whole!r}"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.unit[-1] += data
        if any(alone for _, alone in self.open):
            self.seen += len(RTL.findall(data))
        else:
            self.check(data, " ".join(tag for tag, _ in self.open[-3:]))

    def check(self, text: str, where: str) -> None:
        self.seen += len(RTL.findall(text))
        for apart in re.findall("\u2068([^\u2069]*)\u2069", text):
            for whole in WHOLE:
                if apart != whole and apart in whole:
                    self.wrong.append(f"{where}: {apart!r} is only a part of {whole!r}")
        if RTL.search(re.sub("\u2068[^\u2069]*\u2069", "", text)):
            self.wrong.append(f"{where}: {text.strip()[:120]!r}")


class Visitor:
    """Opens pages as one browser after the other and looks at each."""

    def __init__(self, site: TestClient) -> None:
        self.site = site
        self.wrong: list[str] = []

    def look(self, token: str, path: str, form: dict[str, str] | None = None, status: int = 200) -> str:
        headers = {"Cookie": f"backroom={token}", "Accept": "text/html"}
        ask = self.site.get if form is None else self.site.post
        answer = ask(path, headers=headers, **({} if form is None else {"data": form}))
        assert answer.status_code == status, (path, answer.status_code)
        page = Isolation()
        page.feed(answer.text)
        page.close()
        assert page.seen, f"{path} has nothing that was typed, so nothing was tested"
        self.wrong += [f"{path}: {wrong}" for wrong in page.wrong]
        return answer.text


@pytest.fixture
def site(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(f"sqlite:///{tmp_path / 'tables.sqlite3'}", "smtp://127.0.0.1:9?from=room@example.org"))
    with TestClient(app, follow_redirects=True) as client:
        yield client


def token(number: int) -> str:
    return "abcdef"[number] * 43


LOOKER = "w" * 43


def set_table(tables: Tables, game: Game, count: int, sit: bool = True) -> str:
    options = {name: value for name, value in (facts_of(game).short or {}).items() if name != "seats"}
    chairs = [ChairRequest("you", NAMES[0]), *[ChairRequest("anybody")] * (count - 1)]
    table = tables.create(token(0), game.name, chairs, options, TITLE, pace=86400 * 3)
    for number in range(1, count if sit else 1):
        invite = tables.view(table, token(0)).chairs[number].invite
        tables.sit(table, token(number), invite, NAMES[number])
    return table


def play(tables: Tables, table: str, moves: int) -> None:
    for number in range(moves):
        view = tables.view(table, LOOKER)
        if view.over:
            return
        mover = next(chair.number for chair in view.chairs if chair.seat == view.acting[0])
        mine = tables.view(table, token(mover))
        tables.submit(table, token(mover), first_move(mine, Random(number)), mine.entry, f"move {number}")


def talk(tables: Tables, table: str, count: int) -> None:
    for number in range(count if not tables.view(table, LOOKER).from_memory else 0):
        tables.talk(table, token(number), TALK)
        tables.note(table, token(number), NOTES)
    tables.pulse([table], LOOKER, name=WATCHER)
    tables.ask(table, LOOKER, True, WATCHER)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_is_typed_is_isolated_at_the_tables_of_every_game(
    game: Game, site: TestClient, newer: Callable[[], None]
) -> None:
    tables: Tables = site.app.state.tables  # type: ignore[attr-defined]
    count = min(max(3, game.seats.start), game.seats.stop - 1)
    waiting, going = set_table(tables, game, count, sit=False), set_table(tables, game, count)
    talk(tables, going, count)
    tables.ask(waiting, LOOKER, True, WATCHER)
    play(tables, going, 7)
    visitor = Visitor(site)
    acting = tables.view(going, LOOKER).acting
    mover = next(chair.number for chair in tables.view(going, LOOKER).chairs if chair.seat == acting[0])
    for number in range(count):
        for page in ("", "/text"):
            html = visitor.look(token(number), f"/t/{going}{page}")
            assert TITLE.partition(" & ")[0] in html
            assert WATCHER in html
    visitor.look(token(mover), f"/t/{going}?draft={WORD}")
    visitor.look(token(mover), f"/t/{going}/text?draft={WORD}")
    for token_ in tables.view(going, token(mover)).prepared.tokens:
        visitor.look(token(mover), f"/t/{going}?draft={token_.text}")
    visitor.look(token((mover + 1) % count), f"/t/{going}?prepare=1&draft={WORD}")
    if not tables.view(going, token(0)).forgets:
        visitor.look(token(0), f"/t/{going}?move=3")
    visitor.look(LOOKER, f"/t/{going}")
    visitor.look(LOOKER, f"/t/{going}/text")
    visitor.look(token(0), f"/t/{waiting}")
    visitor.look(LOOKER, f"/t/{waiting}")
    visitor.look(LOOKER, f"/rules/{game.name}?table={going}&q={WORD}")
    over = set_table(tables, game, max(2, game.seats.start))
    talk(tables, over, 2)
    play(tables, over, 600)
    assert tables.view(over, LOOKER).over
    for page in ("", "/text", "?move=2&seat=0"):
        visitor.look(token(0), f"/t/{over}{page}")
    visitor.look(LOOKER, f"/t/{over}")
    visitor.look(token(0), "/")
    newer()
    stopped = Visitor(site)
    stopped.look(token(0), f"/t/{going}")
    stopped.look(token(0), "/")
    assert not visitor.wrong + stopped.wrong, "\n".join(visitor.wrong + stopped.wrong)


def test_what_is_typed_is_isolated_on_the_other_pages(site: TestClient) -> None:
    tables: Tables = site.app.state.tables  # type: ignore[attr-defined]
    game = find_game("catham")
    waiting = set_table(tables, game, 3, sit=False)
    invite = tables.view(waiting, token(0)).chairs[1].invite
    visitor = Visitor(site)
    visitor.look(token(0), "/")
    visitor.look("s" * 43, "/")
    visitor.look("s" * 43, f"/join/{invite}")
    visitor.look("s" * 43, f"/join/{invite}", {"name": NAMES[0]}, 422)
    visitor.look("s" * 43, f"/join/{invite}", {"name": f"{WORD}😀"}, 422)
    visitor.look("s" * 43, f"/new?game=catham&name={NAMES[0]}&title=מועדון")
    form = {"game": "catham", "was": "catham", "name": NAMES[0], "title": TITLE, "chair1": f"bot:{WORD}", "chairs": "2"}
    visitor.look("s" * 43, "/new", form, 422)
    rules = {"game": "catham", "was": "catham", "name": NAMES[0], "chairs": "3", "option.factions": WORD}
    visitor.look("s" * 43, "/new", rules, 422)
    visitor.look("s" * 43, f"/new?game={WORD}", status=404)
    assert not visitor.wrong, "\n".join(visitor.wrong)


def test_a_text_is_isolated_where_it_stands_and_left_alone_where_it_must_not_change() -> None:
    page = (
        '<title>{0}</title><p title="{0} wins">{0}, 7</p>'
        '<input value="{0}"><textarea>{0}</textarea><q dir="auto">{0}</q>'
    )
    assert isolated(page.format("דוד 1"), ["דוד 1", "Ben"]) == (
        '<title>\u2068דוד 1\u2069</title><p title="\u2068דוד 1\u2069 wins"><bdi>דוד 1</bdi>, 7</p>'
        '<input value="דוד 1"><textarea>דוד 1</textarea><q dir="auto">דוד 1</q>'
    )
    assert isolated("<p>'שלום עולם' 7</p>") == "<p>'<bdi>שלום עולם</bdi>' 7</p>"
    assert isolated("<p>דודה דוד</p>", ["דוד"]) == "<p><bdi>דודה דוד</bdi></p>", "no word is torn"
    assert isolated("<p>R&amp;D דוד 7</p>", ["R&D דוד"]) == "<p><bdi>R&amp;D דוד</bdi> 7</p>"
    plain = "<p>Ben’s 7 · 田中 é</p>"
    assert isolated(plain, ["Ben"]) is plain
