"""What tables owe by themselves: written with the move, claimed by one server, done once, in fair turns, at no cost."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from backroom.engine.game import Refusal
from backroom.tables import by_itself, owed, sitting_in, store
from backroom.tables.rows import OwedRow, Owing
from backroom.tables.service import Tables
from backroom.tables.thinking import Limits
from backroom.tables.views import ChairRequest
from servers import slowness
from sittings import ANNA, BEN, among_people, play, see_to_what_is_due, take_back_to, wait_for, with_bots

pytestmark = pytest.mark.usefixtures("lockbox")


def owes(tables: Tables, table: str) -> dict[str, OwedRow]:
    with tables.store.read() as t:
        return t.owed(table)


def moves(tables: Tables, table: str) -> int:
    with tables.store.read() as t:
        return len(t.entries(table))


# When something is owed


def test_what_is_owed_is_written_with_the_move_that_makes_it_so(asleep: None, tables: Tables) -> None:
    people = among_people(tables, ANNA, BEN)
    assert owes(tables, people) == {}
    table = with_bots(tables, "lockbox", 1)
    assert owes(tables, table) == {}
    play(tables, table, ANNA, "end")
    (row,) = owes(tables, table).values()
    assert (row.kind, row.entry, row.claim, row.tries) == ("bot", 1, "", 0)
    see_to_what_is_due(tables)
    assert moves(tables, table) > 1
    assert owes(tables, table) == {}
    tables.plan(people, BEN, "take 2", 0)
    assert owes(tables, people) == {}
    play(tables, people, ANNA, "end")
    assert owes(tables, people).keys() == {"plan"}
    see_to_what_is_due(tables)
    assert moves(tables, people) == 2
    assert owes(tables, people) == {}
    paced = among_people(tables, ANNA, BEN, pace=60, out_of_time="skip")
    assert owes(tables, paced)["clock"].due == tables.view(paced, ANNA).chairs[0].until
    for _ in range(4):
        play(tables, paced, ANNA, "take 2")
    play(tables, paced, ANNA, "take 1")
    assert tables.view(paced, ANNA).over
    assert owes(tables, paced) == {}


def test_a_move_that_is_not_kept_makes_nothing_owed(
    asleep: None, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_bots(tables, "lockbox", 1)
    with monkeypatch.context() as broken:
        broken.setattr("backroom.tables.mail.queue_turn_mail", lambda *_: 1 / 0)
        broken.setattr(tables.lives, "mails", True)
        with pytest.raises(ZeroDivisionError):
            play(tables, table, ANNA, "end")
    assert (moves(tables, table), owes(tables, table)) == (0, {})


def test_a_bot_that_sits_in_is_asked_and_one_that_gets_up_is_not(
    asleep: None, tables: Tables, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "end")
    wait(sitting_in.SIT_IN_SECONDS)
    tables.seat_bot(table, ANNA, 1, "random")
    assert owes(tables, table).keys() == {"bot"}
    tables.sit(table, BEN)
    assert owes(tables, table) == {}


def test_where_a_bot_waits_for_people_nothing_is_done_until_they_have_decided(asleep: None, tables: Tables) -> None:
    """At a talking table bots decide last: looking once is enough, and what people do makes it due anew."""
    table = with_bots(tables, "corporation", 2)
    see_to_what_is_due(tables)
    assert (moves(tables, table), owes(tables, table)) == (0, {})
    play(tables, table, ANNA, "card 5")
    assert owes(tables, table).keys() == {"bot"}
    see_to_what_is_due(tables)
    assert moves(tables, table) == 3


def test_talk_does_not_have_a_bot_think_anew(asleep: None, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever goes on talking keeps a bot that thinks long from ever deciding."""
    table = with_bots(tables, "corporation", 2)
    play(tables, table, ANNA, "card 5")
    thought: list[int] = []

    def think(_table: str, decision: Any, seconds: float) -> Any:
        thought.append(decision.entry)
        if len(thought) == 1:
            play(tables, table, ANNA, "say still here?")
        return decision.bot.choose(decision.view, decision.seat, decision.random)

    monkeypatch.setattr(by_itself, "chosen", think)
    see_to_what_is_due(tables)
    assert thought == [1, 3]
    with tables.store.read() as t:
        record = [(entry.seat, entry.text.split()[0]) for entry in t.entries(table)]
    assert sorted(record) == [(0, "card"), (0, "say"), (1, "card"), (2, "card")]


# Claims


def test_what_is_claimed_is_left_alone_until_the_claim_runs_out(
    asleep: None, tables: Tables, url: str, wait: Callable[[int], None]
) -> None:
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "end")
    (row,) = tables.looker.claim()
    other = Tables.open(url)
    assert other.looker.claim() == []
    # The server that thinks renews it ...
    wait(owed.LEASE_SECONDS - 1)
    tables.looker._renewed = -owed.LEASE_SECONDS
    tables.looker._renew()
    wait(owed.LEASE_SECONDS - 1)
    assert other.looker.claim() == []
    # ... until it is killed.
    wait(1)
    (again,) = other.looker.claim()
    assert (again.table_id, again.kind, again.entry) == (table, "bot", 1)
    assert again.claim != row.claim
    with tables.lives.read(table) as change:
        (decision, *_), _ = tables.by_itself.bot_decisions(change)
    other.looker.see_to(again)
    made = moves(tables, table)
    tables.by_itself.bot_move(table, decision, decision.bot.choose(decision.view, decision.seat, decision.random))
    assert moves(tables, table) == made == 2, "both have thought about it, and it was made once"
    other.close()


def test_a_server_that_thinks_long_keeps_its_claim(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owed, "LEASE_SECONDS", 2)
    monkeypatch.setattr(owed, "RENEW_SECONDS", 0.2)
    thought, enough = [], threading.Event()

    def think(table: str, decision: Any, seconds: float) -> Any:
        thought.append(decision.entry)
        assert enough.wait(60)
        return decision.bot.choose(decision.view, decision.seat, decision.random)

    monkeypatch.setattr(by_itself, "chosen", think)
    tables, other = Tables.open(url), Tables.open(url)
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "end")
    wait_for(lambda: thought)
    time.sleep(4.5)
    assert thought == [1], "somebody else thinks about it, too"
    enough.set()
    wait_for(lambda: moves(tables, table) > 1)
    tables.close()
    other.close()


def test_what_fails_is_tried_again_after_growing_pauses_and_at_once_by_a_new_server(
    asleep: None, tables: Tables, url: str, wait: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "end")
    with monkeypatch.context() as broken:
        broken.setattr(tables.by_itself, "bots_turn", lambda table: 1 / 0)
        for pause in (1, 2, 4, 8):
            see_to_what_is_due(tables)
            wait(pause - 1)
            assert tables.looker.claim() == []
            wait(1)
        see_to_what_is_due(tables)
        assert owes(tables, table)["bot"].tries == 5
    other = Tables.open(url)
    assert other.looker.claim() == []
    with other.store.write() as t:
        t.retry_owed(owed.clock.now())
    see_to_what_is_due(other)
    assert moves(tables, table) > 1
    other.close()


def test_a_table_that_cannot_go_on_rests(asleep: None, tables: Tables, url: str, wait: Callable[[int], None]) -> None:
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "end")
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE entries SET link = 'damaged'")
    other = Tables.open(url)
    see_to_what_is_due(other)
    wait(owed.REST_SECONDS - 1)
    assert other.looker.claim() == []
    wait(1)
    assert other.looker.claim()
    other.close()


@pytest.mark.parametrize("kind", ["bot", "clock"])
def test_what_a_table_of_other_rules_owes_is_left_to_a_server_that_has_them(
    asleep: None, tables: Tables, url: str, wait: Callable[[int], None], kind: str
) -> None:
    """While servers are updated one after the other, old and new ones are on one database."""
    if kind == "bot":
        table = with_bots(tables, "lockbox", 1)
        play(tables, table, ANNA, "end")
    else:
        table = among_people(tables, ANNA, BEN, pace=60, out_of_time="skip")
        wait(60)
    before, made = owes(tables, table), moves(tables, table)

    def set_rules(rules: str) -> None:
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            connection.execute("UPDATE tables SET rules = ?", (rules,))

    set_rules("of old")
    other = Tables.open(url)
    see_to_what_is_due(other)
    other.talk(table, ANNA, "What now?")
    wait(1)
    assert other.looker.claim() == []
    assert other.looker._wait == owed.LOOK_SECONDS, "it costs nothing"
    assert owes(tables, table).keys() == before.keys()
    assert moves(tables, table) == made
    set_rules("1")
    see_to_what_is_due(tables)
    assert moves(tables, table) > made
    other.close()


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Somebody else has the database."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    yield
    connection.execute("ROLLBACK")
    connection.close()


@pytest.mark.parametrize(("away", "patience"), [(4, 1.5), pytest.param(14, 5.0, marks=pytest.mark.long)])
def test_bots_go_on_when_the_database_was_away(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, away: int, patience: float
) -> None:
    """It was away for longer than one waits for it, twice."""
    monkeypatch.setattr(store, "PATIENCE", patience)
    with pytest.MonkeyPatch.context() as asleep:
        asleep.setattr(owed.Looker, "start", lambda self: None)
        tables = Tables.open(url)
        made = [with_bots(tables, "lockbox", 1) for _ in range(5)]
        for table in made:
            play(tables, table, ANNA, "end")
    with locked(url):
        tables.looker.start()
        time.sleep(away)
    begun = time.monotonic()
    wait_for(lambda: all(moves(tables, table) > 1 for table in made))
    took = time.monotonic() - begun
    assert took < 30 * slowness()
    wait_for(lambda: all((view := tables.view(table, ANNA)).your_turn or view.over for table in made))
    for table in made:
        with tables.store.read() as t:
            record = [entry.number for entry in t.entries(table)]
        assert record == list(range(1, len(record) + 1))
    tables.check()
    assert sum("the store does not answer" in record.message for record in caplog.records) == 1, "one line, not many"
    tables.close()


# Fair turns


def due_of(tables: Tables, client: str, **settings: Any) -> str:
    """A table of two bots, made from an address; the first owes its decision."""
    chairs = [ChairRequest("bot", bot="random")] * 2
    return tables.create(f"token of {client}", "lockbox", chairs, client=client, **settings)


def order(tables: Tables, count: int) -> list[str]:
    """The clients for whose tables bots think, as long as each needs as long as all others."""
    found = []
    for _ in range(count):
        (row,) = tables.looker.claim()
        with tables.store.read() as t:
            found.append(t.table(row.table_id).client)
        tables.looker._do = lambda row: None  # type: ignore[method-assign]
        with tables.store.write() as t:
            t.owe_nothing(row.table_id, row.kind)
        tables.looker.see_to(row)
    return found


def test_clients_take_turns_and_tables_where_people_wait_come_first(
    asleep: None, url: str, wait: Callable[[int], None]
) -> None:
    tables = Tables.open(url, limits=Limits(at_once=1, for_client=1))
    many = [due_of(tables, "many") for _ in range(20)]
    wait(owed.HERE_SECONDS + 1)  # those who made them are not there any more
    few = [due_of(tables, "few") for _ in range(2)]
    wait(owed.HERE_SECONDS + 1)
    people = tables.create(
        ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random")], client="p"
    )
    play(tables, people, ANNA, "end")
    wait(owed.HERE_SECONDS - 1)
    assert order(tables, 6) == ["p", "many", "few", "many", "few", "many"]
    assert len({*many, *few}) == 22
    tables.close()


def test_an_open_page_makes_a_table_one_where_people_wait(asleep: None, url: str, wait: Callable[[int], None]) -> None:
    tables = Tables.open(url, limits=Limits(at_once=1, for_client=1))
    made = []
    for client in ("long ago", "there"):
        table = tables.create(
            client, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random")], client=client
        )
        play(tables, table, client, "end")
        made.append(table)
    wait(10 * owed.HERE_SECONDS)
    with tables.store.write() as t:
        t.change_chair(made[1], 0, seen=owed.clock.now())
    assert order(tables, 2) == ["there", "long ago"]
    tables.close()


def test_as_many_think_at_once_as_the_host_allows_for_a_client_and_the_server(asleep: None, url: str) -> None:
    tables = Tables.open(url, limits=Limits(at_once=3, for_client=2))
    for client in ("many", "other"):
        for _ in range(5):
            due_of(tables, client)

    def clients() -> list[str]:
        with tables.store.read() as t:
            return sorted(t.table(row.table_id).client for row in claimed)

    claimed = [row for _ in range(3) for row in tables.looker.claim()]
    assert len(claimed) == 3
    assert sorted({*clients()}) == ["many", "other"]
    tables.close()
    alone = Tables.open(url, limits=Limits(at_once=3, for_client=1))
    claimed = [row for _ in range(3) for row in alone.looker.claim()]
    assert clients() == ["many", "other"], "one each, though a third could think"
    alone.close()


def test_what_takes_no_thinking_does_not_wait_for_bots(asleep: None, url: str, wait: Callable[[int], None]) -> None:
    tables = Tables.open(url, limits=Limits(at_once=1, for_client=1))
    for _ in range(3):
        due_of(tables, "many")
    table = among_people(tables, ANNA, BEN, pace=60, out_of_time="skip")
    assert [row.kind for row in tables.looker.claim()] == ["bot"]
    wait(60)
    assert [(row.kind, row.table_id) for row in tables.looker.claim() if row.kind == "clock"] == [("clock", table)]
    tables.close()


# What it costs


def test_tables_that_owe_nothing_cost_one_query_in_ten_seconds(
    asleep: None, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert owed.LOOK_SECONDS == 10
    crowd(tables, 1000)
    asked: list[str] = []

    @sql.event.listens_for(tables.store.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    assert tables.looker.claim() == []
    assert len(asked) == 1
    assert tables.looker._wait == owed.LOOK_SECONDS
    # The thread asks no more than that.
    asked.clear()
    monkeypatch.setattr(owed, "LOOK_SECONDS", 0.3)
    looks: list[float] = []
    claim = tables.looker.claim

    def look() -> list[OwedRow]:
        looks.append(time.monotonic())
        return claim()

    monkeypatch.setattr(tables.looker, "claim", look)
    tables.looker._thread.start()
    wait_for(lambda: len(looks) >= 5)
    tables.looker.close()
    assert len(asked) <= len(looks) + 1  # the first is what a new server tries anew
    assert looks[-1] - looks[0] > 0.25 * (len(looks) - 1)


def crowd(tables: Tables, count: int) -> None:
    """Many tables of people, all of whom have all the time."""
    table = among_people(tables, ANNA, BEN)
    with tables.store.read() as t:
        row, chairs = t.table(table), t.chairs(table)
    with tables.store.write() as t:
        for number in range(count - 1):
            t.add(replace(row, id=f"copy{number}", create_id=f"copy{number}"))
            for chair in chairs:
                t.add(replace(chair, table_id=f"copy{number}"))


def test_it_looks_when_the_next_thing_is_due(asleep: None, tables: Tables, wait: Callable[[int], None]) -> None:
    among_people(tables, ANNA, BEN, pace=60, out_of_time="skip")
    assert tables.looker.claim() == []
    assert tables.looker._wait == owed.LOOK_SECONDS
    wait(57)
    assert tables.looker.claim() == []
    assert tables.looker._wait == 3


# A database as it was


def test_what_was_owed_before_is_owed_by_the_migration(asleep: None, tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite3"
    tables = Tables.open(f"sqlite:///{file}")
    bots, people, told = (
        with_bots(tables, "lockbox", 1),
        among_people(tables, ANNA, BEN),
        among_people(tables, ANNA, BEN),
    )
    paced, nothing = among_people(tables, ANNA, BEN, pace=60, out_of_time="skip"), among_people(tables, ANNA, BEN)
    open_yet = tables.create(ANNA, "lockbox", [ChairRequest("bot", bot="random"), ChairRequest("friend")])
    play(tables, bots, ANNA, "end")
    tables.plan(people, BEN, "take 2", 0)
    play(tables, people, ANNA, "end")
    with tables.store.write() as t:
        t.change_chair(told, 0, plan=json.dumps({"text": "", "told": "Not played"}))
    all_of_them = (bots, people, told, paced, nothing, open_yet)
    before = [owes(tables, table) for table in all_of_them]
    assert [[*rows] for rows in before] == [["bot"], ["plan"], [], ["clock"], [], []]
    tables.close()
    take_back_to(file, "0005")
    again = Tables.open(f"sqlite:///{file}")
    after = [owes(again, table) for table in all_of_them]
    for old, new in zip(before, after, strict=True):
        assert [(row.kind, row.entry) for row in old.values()] == [(row.kind, row.entry) for row in new.values()]
    assert after[3]["clock"].due == before[3]["clock"].due
    see_to_what_is_due(again)
    assert [moves(again, table) for table in (people, nothing)] == [2, 0]
    assert moves(again, bots) > 1
    again.close()


# Bounds of the host


def test_a_bot_that_asks_for_too_much_is_refused_at_every_door(
    asleep: None, url: str, wait: Callable[[int], None]
) -> None:
    tables = Tables.open(url, limits=Limits(iterations=500))
    you = ChairRequest("you", "Anna")
    too_much = r"501 iterations a decision; this server allows at most 500, like search:500"
    with pytest.raises(Refusal, match=too_much) as refused:
        tables.create(ANNA, "catham", [you, ChairRequest("bot", bot="search:501")])
    assert refused.value.code == "E_BOT"
    with pytest.raises(Refusal, match="1000 iterations"):
        tables.create(ANNA, "catham", [you, ChairRequest("bot", bot="search")])
    table = tables.create(ANNA, "catham", [you, ChairRequest("bot", bot="search:500")])
    with pytest.raises(Refusal, match=too_much):
        tables.seat_bot(table, ANNA, 1, "search:501")
    tables.close()


def test_a_bot_that_sits_there_already_is_cut(asleep: None, url: str) -> None:
    tables = Tables.open(url)
    table = tables.create(ANNA, "dark_sources", [ChairRequest("bot", bot="search:20000")] * 2)
    tables.close()
    again = Tables.open(url, limits=Limits(iterations=50))
    with again.lives.read(table) as change:
        (decision, *_), _ = again.by_itself.bot_decisions(change)
    assert (decision.bot.iterations, decision.bot.spec) == (50, "search:20000")
    see = again.looker.claim()
    again.looker.see_to(see[0])
    assert moves(again, table) == 1
    again.close()


def test_groups_are_what_they_say(asleep: None, tables: Tables) -> None:
    table = due_of(tables, "one")
    now = owed.clock.now()
    with tables.store.read() as t:
        assert t.owing(now, now - 90, 60, (), mail=True) == [Owing(True, "one", True, owes(tables, table)["bot"].due)]
