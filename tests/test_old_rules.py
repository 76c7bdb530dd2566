"""Matches and tables of older rules: a finished one stays readable for ever, an unfinished one is read, left and ended.

What was recorded under earlier rules lies in ``fixtures/`` (`fixtures/record.py`). Here the rules of today are given
another version: either nothing else has changed, so that all replays, or no position is what it was (`otherwise`).
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backroom.engine.events import NOTHING
from backroom.engine.game import Game, find_game, game_names
from backroom.engine.notation import Line
from backroom.engine.record import SPECTATOR
from backroom.tables.rows import EntryRow
from backroom.tables.service import Tables
from backroom.tables.store import Transaction
from backroom.tables.story import ENDED, Story
from backroom.tables.views import TableView
from backroom.web.app import Settings, create_app
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text
from sittings import ANNA, BEN, CLEO, EVE, NEWER, Sitting, refused, wait_for

FIXTURES = Path(__file__).parent / "fixtures"
DATABASES = sorted(FIXTURES.glob("*/tables.sql"))
OTHERWISE = "Dark Sources open"
"""What recorded tables are called that the rules of today play otherwise: version 3 shows all swapped cards (D9)."""


def restored(dump: Path, tmp_path: Path) -> str:
    """The address of a database as it was recorded."""
    with sqlite3.connect(tmp_path / "old.sqlite3") as connection:
        connection.executescript(dump.read_text("utf-8"))
    connection.close()
    return f"sqlite:///{tmp_path / 'old.sqlite3'}"


def titled(url: str) -> dict[str, str]:
    """The tables of a recorded database by their titles; of those with the same, the first."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        rows = connection.execute("SELECT title, id FROM tables ORDER BY created DESC").fetchall()
    connection.close()
    return dict(rows)


@pytest.fixture
def as_recorded() -> Iterator[None]:
    """Has the rules of today pass for those that the databases were recorded under."""
    games = [find_game(name) for name in game_names()]
    versions = [game.version for game in games]
    for game in games:
        object.__setattr__(game, "version", "2")
    yield
    for game, version in zip(games, versions, strict=True):
        object.__setattr__(game, "version", version)


def chosen(url: str, *ends: str) -> dict[str, str]:
    """The recorded tables whose titles end so and that the rules of today play as they were played."""
    return {
        title: table for title, table in titled(url).items() if title.endswith(ends) and not title.startswith(OTHERWISE)
    }


def untold(tables: Tables) -> list[str]:
    """The titles of the finished tables of which no story is kept."""
    with tables.store.read() as t:
        return [t.table(table).title for table in t.untold()]


def unmarked(view: TableView) -> tuple[tuple[int, Line], ...]:
    """The log of a view without its events, which are not kept."""
    return tuple((move, replace(line, event=NOTHING)) for move, line in view.lines)


def told(view: TableView) -> dict[str, Any]:
    """What of a view has to stay as it was."""
    kept = ("names", "scores", "places", "standings", "seed", "moves", "link", "commitment", "over", "ended", "began",
            "late")  # fmt: skip
    return {"lines": unmarked(view)} | {name: getattr(view, name) for name in kept}


def pages(view: TableView) -> list[str]:
    """All that is served of a view."""
    return [render_table(view), render_text(view), view_model(view).model_dump_json()]


# Finished tables


def finished(tables: Tables) -> tuple[str, TableView]:
    """A match of people that is over, and how one of them saw its end."""
    sitting = Sitting(tables, "corporation", ["Anna", "Ben", "Cleo"], target=10)
    while not (view := tables.view(sitting.id, sitting.tokens[0])).over:
        for seat, card in enumerate(("card 10", "card 7", "card 5")):
            sitting.play(seat, card)
    return sitting.id, view


def test_the_story_of_a_match_is_kept_in_the_transaction_that_ends_it(tables: Tables) -> None:
    table, view = finished(tables)
    with tables.store.read() as t:
        kept = t.story(table)
        assert t.untold() == []
    assert kept is not None
    assert Story.read(kept).lines == unmarked(view)
    assert view.lines


@pytest.mark.parametrize("dump", DATABASES, ids=lambda dump: dump.parent.name)
@pytest.mark.parametrize("change", ["newer", "otherwise"])
def test_a_finished_table_stays_as_it_was_told(
    dump: Path, change: str, tmp_path: Path, still_clock: int, request: pytest.FixtureRequest
) -> None:
    url = restored(dump, tmp_path)
    first = Tables.open(url)
    wait_for(lambda: untold(first) == [f"{OTHERWISE}, finished"])
    done = chosen(url, "finished")
    assert len(done) == 6
    assert first.view(titled(url)[f"{OTHERWISE}, finished"], EVE).told
    holders = {table: ANNA if first.view(table, ANNA).you is not None else BEN for table in done.values()}
    before = {table: (first.view(table, token), first.export(table)) for table, token in holders.items()}
    earlier = {table: [first.view(table, EVE, 1, seat) for seat in (SPECTATOR, 0)] for table in done.values()}
    first.close()

    request.getfixturevalue(change)()
    again = Tables.open(url)
    for table, (view, file) in before.items():
        assert view.over
        token = holders[table]
        now = again.view(table, token)
        assert told(now) == told(view)
        assert again.export(table) == file
        assert now.stopped
        assert now.told == (change == "otherwise")
        for page in pages(now):
            assert view.lines[-1][1].text.split()[-1] in page
        if change == "newer":
            for was, seat in zip(earlier[table], (SPECTATOR, 0), strict=True):
                assert told(again.view(table, EVE, 1, seat)) == told(was)
            assert render_table(now) == render_table(view)
        else:
            refused("E_VERSION", again.view, table, token, 1, 0)
        refused("E_OVER", again.submit, table, token, "end", now.entry, "late")
        summary = next(summary for summary in again.mine(token) if summary.table == table)
        assert (summary.over, summary.stopped) == (True, False)
        again.follow(table, EVE, True)
    with_next = titled(url)["Catham, finished"]
    assert again.view(with_next, BEN).next_table
    new = again.rematch(titled(url)["Medici spy, finished"], BEN)
    assert again.view(new, BEN).rules == NEWER
    again.close()


@pytest.mark.parametrize("dump", DATABASES, ids=lambda dump: dump.parent.name)
def test_a_finished_table_that_left_no_story_and_does_not_replay_tells_its_record(
    dump: Path, tmp_path: Path, as_recorded: None, otherwise: Callable[[], None]
) -> None:
    url = restored(dump, tmp_path)
    first = Tables.open(url)
    done = chosen(url, "finished")
    files = {table: first.export(table) for table in done.values()}
    wait_for(lambda: untold(first) == [f"{OTHERWISE}, finished"])
    first.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("DELETE FROM stories")
    connection.close()

    otherwise()
    again = Tables.open(url)
    again.keep_stories()
    assert len(untold(again)) == len(done) + 1
    for table, file in files.items():
        assert again.export(table) == file
        data, view = json.loads(file), again.view(table, EVE)
        lines = [line.text for _, line in view.lines]
        moves = [f"{move['player']}: {move['move']}" for move in data["moves"]]
        assert lines[: len(moves)] == moves
        assert all(view.at)
        if len(lines) > len(moves):
            assert lines[len(moves)].startswith("Won by ")
            assert len(lines) == len(moves) + 1
        for page in pages(view):
            assert data["seed"] in page
    again.close()


def test_a_finished_table_whose_record_is_damaged_keeps_its_story(tables: Tables, url: str) -> None:
    table, view = finished(tables)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE entries SET link = 'x' WHERE number = 1")
    again = Tables.open(url)
    assert told(again.view(table, BEN)) == told(view)
    refused("E_RECORD", again.export, table)
    again.close()


def test_an_outcome_that_would_be_counted_otherwise_is_not_shown(
    tables: Tables, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The positions are the same, but who has won is for the rules to say: then what was told counts."""
    table, view = finished(tables)
    monkeypatch.setattr(Game, "outcome", lambda self, state: ([9, 9, 9], [1, 1, 1]))
    again = Tables.open(url)
    now = again.view(table, BEN)
    assert now.told
    assert told(now) == told(view)
    again.close()


# Unfinished tables


@pytest.fixture
def running(tmp_path: Path, as_recorded: None) -> tuple[str, dict[str, str], dict[str, TableView]]:
    """A database with running tables, these by title, and how Anna saw each under its own rules."""
    url = restored(DATABASES[0], tmp_path)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        # Bots of today would move on.
        connection.execute("UPDATE chairs SET bot = 'x' WHERE bot <> ''")
    connection.close()
    tables = Tables.open(url)
    found = chosen(url, "running", "asked")
    views = {title: tables.view(table, ANNA) for title, table in found.items()}
    tables.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE chairs SET bot = 'random' WHERE bot = 'x'")
    connection.close()
    assert len(found) == 6
    return url, found, views


def test_a_record_that_does_not_replay_is_read_once_for_all_who_look(
    running: tuple[str, dict[str, str], dict[str, TableView]],
    otherwise: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, found, _ = running
    otherwise()
    tables = Tables.open(url)
    read: list[str] = []
    entries = Transaction.entries

    def counted(t: Transaction, table: str, *bounds: Any, **named: Any) -> list[EntryRow]:
        read.append(table)
        return entries(t, table, *bounds, **named)

    monkeypatch.setattr(Transaction, "entries", counted)
    for table in found.values():
        views = [tables.view(table, token) for token in (ANNA, BEN, EVE, ANNA)]
        assert views[0].told
        assert views[0].lines == views[3].lines
        assert read.count(table) == 1
        with tables.store.read() as t:
            assert views[0].link == entries(t, table)[-1].link
    tables.close()


@pytest.mark.parametrize("change", ["newer", "otherwise"])
def test_an_unfinished_table_can_be_read_but_not_gone_on_with(
    running: tuple[str, dict[str, str], dict[str, TableView]], change: str, request: pytest.FixtureRequest
) -> None:
    url, found, views = running
    request.getfixturevalue(change)()
    tables = Tables.open(url)
    for title, table in found.items():
        before, view = views[title], tables.view(table, ANNA)
        assert (view.told, view.over, view.acting, view.seed) == (True, 0, (), "")
        assert f"rules {before.rules} of" in view.stopped
        assert view.moves == before.moves
        if change == "newer":
            assert view.lines == unmarked(before)
            assert view.position == before.position
            assert before.record is None or view.record.tobytes() == before.record.tobytes()
        else:
            assert view.record is None
            own = [line.text for _, line in view.lines]
            assert bool(own) == (before.seat is not None and not before.from_memory)
            assert all(line.startswith("Anna: ") for line in own)
            assert not any(line.startswith(("Anna: say", "Anna: ask", "Anna: claim")) for line in own)
        for page in pages(view):
            assert "cannot go on" in page
        holder = ANNA if view.you is not None else BEN
        with tables.store.read() as t:
            entries = t.entries(table)
        for call, *given in (
            (tables.submit, holder, "end", view.entry, "m"),
            (tables.draft, holder, "end", view.entry),
            (tables.plan, holder, "end", view.entry),
            (tables.undo, holder, view.entry, "u"),
            (tables.vote, holder, view.entry, True),
            (tables.complete, holder, ""),
            (tables.seat_bot, host_of(tables, table), 0, "random"),
            (tables.ask, EVE, True, "Eve"),
        ):
            assert "cannot go on here" in refused("E_VERSION", call, table, *given).message
        refused("E_EXPORT", tables.export, table)
        refused("E_VERSION", tables.view, table, holder, 1)
        with tables.store.read() as t:
            assert t.entries(table) == entries
        assert all(chair.until == 0 for chair in view.chairs)
        summary = next(summary for summary in tables.mine(holder) if summary.table == table)
        assert (summary.stopped, summary.your_turn, summary.waiting, summary.over) == (True, False, (), False)
    left = found["Medici spy, running"]
    assert not any(chair.held or chair.invite for chair in tables.view(left, ANNA).chairs if chair.name == "Dora")
    assert left not in [table.table for table in tables.open_tables(EVE)]
    tables.leave(left, CLEO)
    tables.talk(found["Corporation, running"], BEN, "What now?")
    assert tables.view(found["Corporation, running"], BEN).talk[-1].text == "What now?"
    tables.close()


def host_of(tables: Tables, table: str) -> str:
    holders = {"Anna": ANNA, "Ben": BEN, "Cleo": CLEO}
    return holders[next(chair.name for chair in tables.view(table, EVE).chairs if chair.host)]


@pytest.mark.parametrize("change", ["newer", "otherwise"])
def test_an_unfinished_table_is_ended_by_its_host_and_then_everything_is_open(
    running: tuple[str, dict[str, str], dict[str, TableView]],
    change: str,
    request: pytest.FixtureRequest,
    wait: Callable[[int], None],
) -> None:
    url, found, views = running
    tables = Tables.open(url)
    refused("E_GOING", tables.end, found["Dark Sources, running"], ANNA)
    tables.close()
    request.getfixturevalue(change)()
    tables = Tables.open(url)
    for title, table in found.items():
        host = host_of(tables, table)
        tables.pulse([table], host)
        refused("E_SEAT", tables.end, table, EVE)
        if title != "Medici, running":
            other = BEN if host == ANNA else ANNA
            assert not tables.view(table, other).may_end
            refused("E_HOST", tables.end, table, other)
            if title == "Dark Sources, running":
                wait(86400)
                assert tables.view(table, other).may_end
                host = other
        assert tables.end(table, host).status == "applied"
        assert tables.end(table, host).status == "already applied"
        view = tables.view(table, EVE)
        assert (view.over, view.told, len(view.seed)) == (ENDED, True, 64)
        data = json.loads(tables.export(table))
        assert data["seed"] == view.seed
        assert len(data["moves"]) == views[title].moves
        if change == "otherwise":
            assert [line.text for _, line in view.lines] == [f"{m['player']}: {m['move']}" for m in data["moves"]]
        refused("E_OVER", tables.submit, table, host, "end", view.entry, "after all")
        assert view.seed in render_table(view)
        assert tables.view(tables.rematch(table, host), host).rules == NEWER
    tables.close()
    again = Tables.open(url)
    assert again.view(found["Catham, running"], EVE).over == ENDED
    again.close()


@pytest.mark.parametrize("change", ["newer", "otherwise"])
def test_what_is_told_of_a_table_that_cannot_go_on_holds_no_secret(
    tables: Tables, url: str, still_clock: int, change: str, request: pytest.FixtureRequest
) -> None:
    """Two tables that differ in what one player alone knows are served alike to everybody else, replayed or not."""
    pair = []
    for card in ("card 10", "card 3"):
        sitting = Sitting(tables, "corporation", ["Anna", "Ben", "Cleo"])
        for other in range(3):
            sitting.play(other, "card 5")
        sitting.play(0, card)
        pair.append(sitting)
    request.getfixturevalue(change)()
    again = Tables.open(url)
    for sitting in pair:
        sitting.tables = again
    for viewer in (1, 2, SPECTATOR):
        assert pair[0].served(viewer) == pair[1].served(viewer)
    assert pair[0].served(0) != pair[1].served(0)
    again.close()


def test_tables_of_other_rules_over_http(
    running: tuple[str, dict[str, str], dict[str, TableView]], otherwise: Callable[[], None]
) -> None:
    url, found, _ = running
    otherwise()
    with TestClient(create_app(Settings(url)), follow_redirects=False) as client:
        client.cookies.set("backroom", "x" * 43)
        for title, table in titled(url).items():
            for way in ("", "/text", "/view.json", "/log.json"):
                answer = client.get(f"/t/{table}{way}", headers={"accept": "text/html"})
                assert answer.status_code == (303 if way == "/text" and "waiting" in title else 200), (title, way)
            if "waiting" not in title:
                assert client.get(f"/t/{table}?move=0").headers["location"] == f"/t/{table}"
                assert client.get(f"/t/{table}/view.json?move=0").json()["code"] == "E_VERSION"
            answer = client.get(f"/t/{table}/export.json")
            assert answer.status_code == (200 if "finished" in title and "next" not in title else 409), title
            if title in found:
                answer = client.post(f"/t/{table}/end", json={})
                assert (answer.status_code, answer.json()["code"]) == (403, "E_SEAT")
                assert client.get(f"/rules/catham?table={table}").status_code == 200
