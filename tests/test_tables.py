"""Tables without HTTP: the record, late and doubled requests, take-backs, chairs, bots, and what nobody may see."""

import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import alembic.autogenerate
import alembic.migration
import pytest
import sqlalchemy

import toys_tables
from backroom.bots import Bot
from backroom.engine import rng
from backroom.engine.game import Refusal, find_game
from backroom.engine.match import Match, _packed
from backroom.engine.record import SPECTATOR
from backroom.engine.view import determinize
from backroom.tables import by_itself, clock, owed, sitting_in, talk
from backroom.tables.live import Stale
from backroom.tables.publisher import News, Publisher
from backroom.tables.rows import METADATA
from backroom.tables.service import Tables
from backroom.tables.store import Store, Transaction
from backroom.tables.views import ChairRequest, TableView
from backroom.web.shapes import view_model
from sittings import (
    ANNA,
    BEN,
    CLEO,
    EVE,
    Sitting,
    among_people,
    fingerprint,
    finish,
    play,
    refused,
    wait_for,
    with_bots,
)

pytestmark = pytest.mark.usefixtures("lockbox")


# The record


def test_migrations_make_exactly_the_schema_in_the_code(url: str) -> None:
    store = Store(url)
    with store.engine.connect() as connection:
        context = alembic.migration.MigrationContext.configure(connection)
        assert alembic.autogenerate.compare_metadata(context, METADATA) == []
        settings = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    assert settings == ["wal", 2]
    Store(url).close()  # opening it again migrates nothing
    store.close()


def test_a_database_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    refused("E_STORE", Store, "no url at all")
    newer = tmp_path / "newer.sqlite3"
    Store(f"sqlite:///{newer}").close()
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    refused("E_STORE", Store, f"sqlite:///{newer}")


def test_a_match_outlives_its_process(tables: Tables, url: str) -> None:
    table = among_people(tables, ANNA, BEN)
    for token, text in [(ANNA, "take 2"), (ANNA, "flip"), (ANNA, "end"), (BEN, "peek"), (BEN, "take 1")]:
        play(tables, table, token, text)
    tables.undo(table, BEN, 5, "back")
    before = [tables.view(table, token) for token in (ANNA, BEN, EVE)]
    again = Tables.open(url)
    for old, token in zip(before, (ANNA, BEN, EVE), strict=True):
        new = again.view(table, token)
        assert (new.link, new.position, new.entry, new.lines) == (old.link, old.position, old.entry, old.lines)
        assert new.record.tobytes() == old.record.tobytes()
    again.close()


def test_two_processes_on_one_store_see_each_others_moves(tables: Tables, url: str) -> None:
    table = among_people(tables, ANNA, BEN)
    other = Tables.open(url)
    play(tables, table, ANNA, "take 1")
    assert other.view(table, BEN).entry == 1
    play(other, table, ANNA, "end")
    assert tables.view(table, BEN).your_turn
    other.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET actions = '[1]' WHERE number = 2",
        "UPDATE entries SET actions = '[4, 4]' WHERE number = 2",
        "UPDATE entries SET seat = 1 WHERE number = 1",
        "UPDATE entries SET link = 'x' WHERE number = 3",
        "DELETE FROM entries WHERE number = 2",
        "UPDATE tables SET opening = 'x'",
    ],
)
def test_a_record_that_does_not_replay_is_stopped_with_one_line(tables: Tables, url: str, change: str) -> None:
    table = among_people(tables, ANNA, BEN)
    for text in ("take 1", "flip", "end"):
        play(tables, table, ANNA, text)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute(change)
    again = Tables.open(url)
    for call, args in [(again.view, ()), (again.submit, ("end", 3, "x")), (again.undo, (3, "y"))]:
        refused("E_RECORD", call, table, BEN, *args)
    again.close()


def test_a_match_under_other_rules_is_not_continued(tables: Tables, url: str) -> None:
    table = among_people(tables, ANNA, BEN)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE tables SET rules = 'of old'")
    again = Tables.open(url)
    view = again.view(table, ANNA)
    assert "of old" in view.stopped
    assert (view.told, view.record, view.your_turn) == (True, None, False)
    refused("E_VERSION", again.submit, table, ANNA, "end", 0, "x")
    assert [summary.table for summary in again.mine(ANNA)] == [table]
    again.close()


# One move, once


def test_a_table_that_waited_over_a_change_of_rules_starts_under_the_new_ones(tables: Tables, url: str) -> None:
    table = tables.create(ANNA, "catham", [ChairRequest("you", "Anna"), ChairRequest("anybody")])
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE tables SET rules = '0'")
    tables.sit(table, BEN, tables.open_tables(BEN)[0].invite, "Ben")
    view = tables.view(table, BEN)
    assert (view.started, view.rules) == (True, view.game.version)


def test_the_same_move_twice_is_made_once(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    assert tables.submit(table, ANNA, "take 1", 0, "one").status == "applied"
    before = fingerprint(tables, table)
    again = tables.submit(table, ANNA, "take 1", 0, "one")
    assert (again.status, again.entry) == ("already applied", 1)
    assert fingerprint(tables, table) == before


def test_of_two_clients_at_once_exactly_one_is_served(tables: Tables, url: str) -> None:
    other = Tables.open(url)
    for round_number in range(10):
        table = among_people(tables, ANNA, BEN)
        start, outcomes = threading.Barrier(4), []

        def send(number: int, table: str = table, start: Any = start, outcomes: list[str] = outcomes) -> None:
            start.wait()
            try:
                outcomes.append((tables, other)[number % 2].submit(table, ANNA, "take 1", 0, f"m{number}").status)
            except Stale as late:
                outcomes.append(f"{late.code} {late.entry}")

        threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["E_STALE 1"] * 3 + ["applied"], round_number
        assert tables.view(table, BEN).moves == 1
    other.close()


def test_the_same_move_id_at_once_is_made_once(tables: Tables, url: str) -> None:
    other = Tables.open(url)
    table = among_people(tables, ANNA, BEN)
    start, outcomes = threading.Barrier(4), []

    def send(number: int) -> None:
        start.wait()
        outcomes.append((tables, other)[number % 2].submit(table, ANNA, "flip", 0, "the same").status)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["already applied"] * 3 + ["applied"]
    other.close()


def test_sealed_choices_of_others_make_nobody_late(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO, game="corporation")
    assert tables.submit(table, ANNA, "card 3", 0, "a").entry == 1
    assert tables.submit(table, BEN, "card 5", 0, "b").entry == 2
    tables.submit(table, CLEO, "card 1", 0, "c")
    assert refused("E_STALE", tables.submit, table, BEN, "card 5", 2, "d").code == "E_STALE"
    assert tables.submit(table, BEN, "say late but said", 2, "e").status == "applied"
    # A claim and a request are about the round they were decided in.
    refused("E_STALE", tables.submit, table, BEN, "claim 10", 2, "f")
    refused("E_STALE", tables.submit, table, BEN, "ask Anna 10", 2, "g")
    assert tables.submit(table, BEN, "claim 10", 3, "h").status == "applied"


def test_refused_moves_change_nothing(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "take 1")
    before = fingerprint(tables, table)
    bad: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
        ("E_SYNTAX", tables.submit, (table, ANNA, "dance", 1, "x")),
        ("E_SYNTAX", tables.submit, (table, ANNA, "", 1, "x")),
        ("E_ACTOR", tables.submit, (table, BEN, "end", 1, "x")),
        ("E_SEAT", tables.submit, (table, EVE, "end", 1, "x")),
        ("E_STALE", tables.submit, (table, ANNA, "end", 0, "x")),
        ("E_STALE", tables.submit, (table, ANNA, "end", 2, "x")),
        ("E_ID", tables.submit, (table, ANNA, "end", 1, "")),
        ("E_ID", tables.submit, (table, ANNA, "end", 1, "x" * 101)),
        ("E_ID", tables.submit, (table, BEN, "end", 1, f"{ANNA} 0")),
        ("E_TEXT", tables.submit, (table, ANNA, "end" * 1000, 1, "x")),
        ("E_TEXT", tables.submit, (table, ANNA, "end\x00", 1, "x")),
        ("E_UNKNOWN", tables.submit, ("nowhere", ANNA, "end", 1, "x")),
        ("E_UNKNOWN", tables.view, ("no such/thing", ANNA)),
        ("E_PLY", tables.view, (table, ANNA, 2)),
        ("E_PLY", tables.view, (table, ANNA, -1)),
        ("E_UNDO", tables.undo, (table, BEN, 1, "x")),
        ("E_UNDO", tables.vote, (table, BEN, 1, True)),
        ("E_TEXT", tables.talk, (table, ANNA, "  ")),
        ("E_TEXT", tables.talk, (table, ANNA, "x" * 501)),
        ("E_TEXT", tables.note, (table, ANNA, "x" * 10_001)),
        ("E_SEAT", tables.talk, (table, EVE, "hello")),
        ("E_SEAT", tables.leave, (table, EVE)),
        ("E_CHAIR", tables.seat_bot, (table, BEN, 0, "random")),
        ("E_CHAIR", tables.seat_bot, (table, ANNA, 1, "random")),
        ("E_CHAIR", tables.seat_bot, (table, ANNA, 7, "random")),
        ("E_BOT", tables.seat_bot, (table, ANNA, 1, "a genius")),
        ("E_INVITE", tables.sit, (table, EVE, "guess", "Eve")),
        ("E_INVITE", tables.invitation, ("guess", EVE)),
        ("E_GOING", tables.rematch, (table, ANNA)),
        ("E_EXPORT", tables.export, (table,)),
    ]
    for code, call, args in bad:
        refused(code, call, *args)
        assert fingerprint(tables, table) == before, (code, args)


def test_a_finished_match_takes_no_move(tables: Tables) -> None:
    table = with_bots(tables)
    view = finish(tables, table)
    before = fingerprint(tables, table)
    refused("E_OVER", tables.submit, table, ANNA, "card 1", view.entry, "after the end")
    refused("E_OVER", tables.undo, table, ANNA, view.entry, "after the end")
    refused("E_OVER", tables.complete, table, ANNA, "")
    assert fingerprint(tables, table) == before
    assert Match.loads(tables.export(table)).chain[-1] == view.link
    assert view.seed == Match.loads(tables.export(table)).seed.hex()


@pytest.mark.parametrize(
    ("game", "options", "chairs", "code"),
    [
        ("nosuch", {}, [ChairRequest("you", "Anna"), ChairRequest("friend")], "E_SETUP"),
        ("corporation", {"nosuch": 1}, [ChairRequest("you", "Anna")] + [ChairRequest("friend")] * 2, "E_SETUP"),
        ("corporation", {"target": "lots"}, [ChairRequest("you", "Anna")] + [ChairRequest("friend")] * 2, "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna")] + [ChairRequest("friend")] * 3, "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna, B"), ChairRequest("friend")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", ""), ChairRequest("friend")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "x" * 25), ChairRequest("friend")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna"), ChairRequest("bot", "anna", "random")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna"), ChairRequest("bot", "Аnna", "random")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna"), ChairRequest("you", "Ben")], "E_SETUP"),
        ("lockbox", {}, [ChairRequest("you", "Anna"), ChairRequest("bot")], "E_BOT"),
        ("lockbox", {}, [ChairRequest("you", "Anna"), ChairRequest("bot", bot="a genius")], "E_BOT"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(
    tables: Tables, game: str, options: dict[str, Any], chairs: list[ChairRequest], code: str
) -> None:
    refused(code, tables.create, ANNA, game, chairs, options)
    assert tables.mine(ANNA) == []


def test_the_same_table_is_made_once(tables: Tables) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
    made = {tables.create(ANNA, "lockbox", chairs, create_id="once") for _ in range(3)}
    assert len(made) == 1
    assert (
        tables.create(BEN, "lockbox", [ChairRequest("you", "Ben"), ChairRequest("friend")], create_id="once")
        not in made
    )


# Between the commit and the telling


class DeafPublisher(Publisher):
    def publish(self, table: str, chair: int = -1) -> None:
        raise RuntimeError("nobody can be told")


def test_a_move_stands_although_nobody_could_be_told(url: str) -> None:
    tables = Tables(Store(url), DeafPublisher())
    table = among_people(tables, ANNA, BEN)
    assert tables.submit(table, ANNA, "take 1", 0, "one").status == "applied"
    assert tables.submit(table, ANNA, "take 1", 0, "one").status == "already applied"
    assert tables.view(table, BEN).entry == 1
    tables.close()


def test_nobody_is_told_before_the_commit(tables: Tables, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    table = among_people(tables, ANNA, BEN)
    path = url.removeprefix("sqlite:///")
    heard: list[int] = []

    def listen(_news: News, _due: bool = False) -> None:
        with sqlite3.connect(path) as connection:
            heard.append(connection.execute("SELECT COUNT(*) FROM entries").fetchone()[0])

    monkeypatch.setattr(tables.publisher, "publish", listen)
    play(tables, table, ANNA, "take 1")
    play(tables, table, ANNA, "take 1")
    assert heard == [1, 2]


def test_what_is_kept_stands_though_nobody_can_be_told(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = among_people(tables, ANNA, BEN)
    for name in ("publish", "publish_own", "publish_crowd"):
        away = sqlalchemy.exc.OperationalError("SELECT pg_notify", {}, Exception("the database is away\nfor a while"))
        monkeypatch.setattr(tables.publisher, name, Mock(side_effect=away))
    tables.pulse([table], EVE, "Eve")
    assert play(tables, table, ANNA, "take 1").status == "applied"
    assert tables.draft(table, ANNA, "take", 1).status == "applied"
    assert tables.talk(table, BEN, "hello").status == "applied"
    assert tables.unwatch(table, EVE).status == "applied"
    view = tables.view(table, ANNA)
    assert (view.entry, view.draft, view.talk[0].text, view.crowd.guests) == (1, "take", "hello", 0)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) >= 3
    for line in said:
        assert line.startswith(f"table {table}: not all open pages could be told of a change (OperationalError: ")
        assert "\n" not in line
    assert not any(record.exc_info for record in caplog.records)


def test_a_move_that_could_not_be_kept_was_not_made(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "take 1")
    before, link = fingerprint(tables, table), tables.view(table, ANNA).link
    told: list[str] = []
    monkeypatch.setattr(tables.publisher, "publish", lambda news, *_: told.append(news.table))
    with monkeypatch.context() as broken:
        broken.setattr(Transaction, "change_table", lambda *a, **k: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            tables.submit(table, ANNA, "flip", 1, "lost")
    assert (fingerprint(tables, table), told) == (before, [])
    assert tables.view(table, ANNA).link == link
    assert tables.submit(table, ANNA, "flip", 1, "lost").status == "applied"


# Taking back


def test_an_open_move_is_taken_back_freely(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    before = tables.view(table, ANNA)
    play(tables, table, ANNA, "take 2")
    assert tables.view(table, ANNA).undo_free
    assert not tables.view(table, BEN).undo_free
    assert tables.undo(table, ANNA, 1, "back").status == "applied"
    assert tables.undo(table, ANNA, 1, "back").status == "already applied"
    after = tables.view(table, ANNA)
    assert (after.entry, after.moves, after.link) == (2, 0, before.link)
    assert after.record.tobytes() == before.record.tobytes()
    refused("E_STALE", tables.submit, table, ANNA, "take 1", 0, "from before")


@pytest.mark.parametrize("text", ["peek", "flip", "end"])
def test_after_news_chance_or_the_turn_the_table_is_asked(tables: Tables, text: str) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    before = tables.view(table, ANNA).link
    play(tables, table, ANNA, text)
    assert not tables.view(table, ANNA).undo_free
    assert tables.undo(table, ANNA, 1, "back").status == "asked"
    assert tables.undo(table, ANNA, 1, "back").status == "asked"
    refused("E_UNDO", tables.vote, table, ANNA, 1, True)
    asked = tables.view(table, BEN).undo
    assert asked is not None
    assert (asked.name, asked.moves, asked.waiting, asked.yours) == ("Anna", 1, ("Ben", "Cleo"), True)
    assert tables.vote(table, BEN, 1, True).status == "applied"
    assert tables.view(table, BEN).moves == 1
    assert tables.vote(table, CLEO, 1, True).status == "applied"
    assert tables.vote(table, CLEO, 1, True).status == "already applied"
    view = tables.view(table, ANNA)
    assert (view.moves, view.link, view.undo) == (0, before, None)


def test_one_no_ends_it_and_so_does_a_move(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "end")
    tables.undo(table, ANNA, 1, "first")
    tables.vote(table, BEN, 1, False)
    assert tables.view(table, ANNA).undo is None
    tables.undo(table, ANNA, 1, "second")
    tables.vote(table, CLEO, 1, True)
    play(tables, table, BEN, "take 1")
    assert tables.view(table, ANNA).undo is None
    assert tables.view(table, ANNA).moves == 2
    refused("E_UNDO", tables.vote, table, CLEO, 2, True)


def test_a_bot_that_sits_in_for_who_was_asked_ends_it(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "flip")
    assert tables.undo(table, ANNA, 1, "u1").status == "asked"
    monkeypatch.setattr(sitting_in, "SIT_IN_SECONDS", 0)
    tables.seat_bot(table, ANNA, 1, "random")
    refused("E_UNDO", tables.vote, table, CLEO, 1, True)
    assert tables.undo(table, ANNA, 1, "u2").status == "asked"
    view = tables.view(table, ANNA)
    assert view.undo is not None
    assert view.undo.waiting == ("Cleo",)
    assert tables.vote(table, CLEO, 1, True).message == "Taken back."


def test_what_was_played_since_goes_back_too(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "take 1")
    play(tables, table, ANNA, "end")
    play(tables, table, BEN, "take 2")
    tables.undo(table, ANNA, 3, "back")
    tables.vote(table, BEN, 3, True)
    view = tables.view(table, ANNA)
    assert (view.moves, view.entry, view.your_turn) == (1, 4, True)


def test_against_bots_alone_nobody_can_be_asked(tables: Tables) -> None:
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "peek")
    refused("E_UNDO", tables.undo, table, ANNA, tables.view(table, ANNA).entry, "back")
    play(tables, table, ANNA, "take 1")
    assert tables.undo(table, ANNA, tables.view(table, ANNA).entry, "back").status == "applied"


# Chairs


def test_an_invitation_seats_one_friend_once(tables: Tables) -> None:
    table = tables.create(
        ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    )
    view = tables.view(table, ANNA)
    assert not view.started
    invites = [chair.invite for chair in view.chairs if chair.invite]
    assert len(set(invites)) == 2
    assert all(not chair.invite for chair in tables.view(table, EVE).chairs)
    refused("E_WAIT", tables.submit, table, ANNA, "end", 0, "x")
    assert tables.invitation(invites[0], BEN).host == "Anna"
    refused("E_SETUP", tables.sit, table, BEN, invites[0], "anna")
    refused("E_SETUP", tables.sit, table, BEN, invites[0], "")
    assert tables.sit(table, BEN, invites[0], "Ben").status == "applied"
    assert tables.sit(table, BEN, invites[0], "Ben").status == "already applied"
    refused("E_INVITE", tables.sit, table, CLEO, invites[0], "Cleo")
    refused("E_INVITE", tables.sit, table, BEN, invites[1], "Benjamin")
    tables.sit(table, CLEO, invites[1], "Cleo")
    view = tables.view(table, CLEO)
    assert view.started
    assert [chair.name for chair in view.chairs] == ["Anna", "Ben", "Cleo"]
    assert [summary.your_turn for summary in tables.mine(ANNA)] == [True]
    assert [summary.waiting for summary in tables.mine(CLEO)] == [("Anna",)]


def test_tokens_and_invitations_are_nowhere_in_clear(tables: Tables, url: str) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.note(table, ANNA, "mine")
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        dump = "\n".join(connection.iterdump())
    assert ANNA not in dump
    assert BEN not in dump


def test_who_leaves_can_be_replaced(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.note(table, BEN, "Ben's alone")
    play(tables, table, ANNA, "end")
    tables.leave(table, BEN)
    refused("E_SEAT", tables.submit, table, BEN, "end", 1, "x")
    chair = tables.view(table, ANNA).chairs[1]
    assert (chair.name, chair.held, chair.invite) == ("Ben", False, "")
    tables.ask(table, EVE, True, "Eve")
    secret = tables.view(table, ANNA).askers[0].asks
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    assert tables.give(table, CLEO, 1, secret).status == "applied"
    view = tables.view(table, EVE)
    assert (view.seat, view.your_turn, view.notes) == (1, True, "")
    assert view.names == ("Anna", "Ben", "Cleo")
    assert play(tables, table, EVE, "take 1").status == "applied"


def test_a_bot_sits_in_and_the_owner_comes_back(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "end")
    refused("E_CHAIR", tables.seat_bot, table, ANNA, 1, "random")
    later = clock.now() + sitting_in.SIT_IN_SECONDS
    monkeypatch.setattr(clock, "now", lambda: later)
    assert tables.seat_bot(table, ANNA, 1, "random").status == "applied"
    wait_for(lambda: tables.view(table, ANNA).your_turn or tables.view(table, ANNA).over)
    assert tables.sit(table, BEN).status == "applied"
    assert tables.view(table, BEN).chairs[1].bot == ""
    assert tables.sit(table, BEN).status == "already applied"


def test_a_free_chair_can_be_given_to_a_bot_before_the_start(tables: Tables) -> None:
    table = tables.create(ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("friend")])
    invite = tables.view(table, ANNA).chairs[1].invite
    tables.seat_bot(table, ANNA, 1, "random")
    assert tables.view(table, ANNA).started
    refused("E_INVITE", tables.invitation, invite, BEN)
    assert "has begun" in refused("E_INVITE", tables.sit, table, BEN, invite, "Ben").message


def test_who_leaves_before_the_start_takes_no_name_from_the_bot_that_sits_in(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs)
    invites = [chair.invite for chair in tables.view(table, ANNA).chairs]
    tables.sit(table, BEN, invites[1], "Ben")
    monkeypatch.setattr(sitting_in, "SIT_IN_SECONDS", 0)
    tables.seat_bot(table, ANNA, 1, "random")
    tables.leave(table, BEN)
    refused("E_SETUP", tables.sit, table, CLEO, invites[2], "ben")
    tables.sit(table, CLEO, invites[2], "Cleo")
    view = tables.view(table, CLEO)
    assert view.started
    assert [chair.name for chair in view.chairs] == ["Anna", "Ben", "Cleo"]


def test_the_host_passes_on(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.leave(table, ANNA)
    assert tables.view(table, BEN).chairs[1].host
    assert tables.seat_bot(table, BEN, 0, "random").status == "applied"


def test_talk_is_for_the_table_and_notes_for_one(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.talk(table, ANNA, "  <b>hello</b>\n there ", "t1")
    assert tables.talk(table, ANNA, "<b>hello</b>", "t1").status == "already applied"
    tables.note(table, BEN, "she bluffs")
    assert [line.text for line in tables.view(table, BEN).talk] == ["<b>hello</b> there"]
    assert tables.view(table, EVE).talk == ()
    assert [tables.view(table, token).notes for token in (ANNA, BEN, EVE)] == ["", "she bluffs", ""]


def test_a_line_of_talk_has_the_mark_of_its_seat_whatever_its_speaker_is_called(tables: Tables) -> None:
    for first in ("Anna", "Cleo"):
        sitting = Sitting(tables, "catham", ["Anna", "Ben", "Cleo"], first_player=first)
        for token in sitting.tokens:
            tables.talk(sitting.id, token, "hello", f"hello {token}")
        seats = [tables.view(sitting.id, token).seat for token in sitting.tokens]
        assert sorted(seat for seat in seats if seat is not None) == [0, 1, 2]
        html, _, json, _ = sitting.served(0)
        assert [line["seat"] for line in json["talk"]] == seats
        marks = re.findall(r'data-key="said-\d+"><svg class="mark".*?#seat-(.)"', html)
        assert ["ABC".index(letter) for letter in marks] == seats


@pytest.mark.parametrize("game", ["lockbox", "corporation"])
def test_nobody_fills_a_table_with_talk_or_silences_the_others(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    table = among_people(tables, ANNA, BEN, CLEO, game=game)
    monkeypatch.setattr(talk, "MOST_TALK", 3)
    for number in range(3):
        tables.talk(table, ANNA, "blah", f"blah {number}")
    assert tables.talk(table, ANNA, "blah", "blah 0").status == "already applied"
    refused("E_TEXT", tables.talk, table, ANNA, "blah", "more")
    assert tables.talk(table, BEN, "at last").status == "applied"
    if game == "corporation":
        for text in ("say blah", "claim 7", "ask Ben 7"):
            refused("E_TEXT", play, tables, table, ANNA, text)
        assert play(tables, table, ANNA, "card 7").status == "applied"
        assert play(tables, table, CLEO, "claim 7").status == "applied"


def test_a_move_in_preparation_is_kept_for_its_seat_alone(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.draft(table, ANNA, "take", 0)
    assert tables.view(table, ANNA).draft == "take"
    assert [token.text for token in tables.view(table, ANNA).prepared.tokens] == ["1", "2"]
    assert tables.view(table, BEN).draft == ""
    tables.talk(table, BEN, "hurry")
    assert tables.view(table, ANNA).draft == "take"
    play(tables, table, ANNA, "take 1")
    assert tables.view(table, ANNA).draft == ""


def test_what_was_prepared_for_a_settled_question_does_not_answer_the_next(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO, game="corporation")
    tables.draft(table, ANNA, "card 5", 0)
    play(tables, table, BEN, "card 5")
    # While it is still asked, nothing is late because somebody else was faster.
    assert tables.draft(table, ANNA, "card 7", 0).status == "applied"
    play(tables, table, ANNA, "card 7")
    # On a slow line the draft comes in after the move it became.
    refused("E_STALE", tables.draft, table, ANNA, "card 7", 0)
    refused("E_STALE", tables.draft, table, ANNA, "card 7", 1)
    play(tables, table, CLEO, "card 3")
    refused("E_STALE", tables.draft, table, ANNA, "card 7", 1)
    refused("E_STALE", tables.draft, table, ANNA, "", 4)
    assert tables.view(table, ANNA).draft == ""
    assert tables.draft(table, ANNA, "card 10", 3).status == "applied"


def test_a_rematch_moves_the_chairs_on_and_is_made_once(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    for _ in range(4):
        play(tables, table, ANNA, "take 2")
    play(tables, table, ANNA, "take 1")
    assert tables.view(table, BEN).places == (1, 2)
    new = tables.rematch(table, BEN)
    assert tables.rematch(table, ANNA) == new
    assert tables.view(table, ANNA).next_table == new
    view = tables.view(new, BEN)
    assert view.started
    assert [chair.name for chair in view.chairs] == ["Ben", "Anna"]
    assert view.chairs[0].host
    assert view.commitment != tables.view(table, BEN).commitment


# Bots


def test_bots_repeat_their_moves_after_a_restart(asleep: None, tables: Tables, url: str) -> None:
    table = with_bots(tables)
    with tables.lives.read(table) as change:
        (decision, *_), _ = tables.by_itself.bot_decisions(change)
    first = decision.bot.choose(decision.view, decision.seat, decision.random)
    again = Tables.open(url)
    with again.lives.read(table) as change:
        (repeated, *_), _ = again.by_itself.bot_decisions(change)
    assert repeated.bot.choose(repeated.view, repeated.seat, repeated.random) == first
    again.close()


def test_bots_speak_first_and_decide_when_the_people_have(tables: Tables) -> None:
    chairs = [ChairRequest("you", "Anna"), *[ChairRequest("bot", bot="cooperator")] * 2]
    table = tables.create(ANNA, "corporation", chairs)
    for round_number in range(1, 4):
        wait_for(lambda: sum(claim > 0 for claim in tables.view(table, ANNA).record.claim[1:3]) == 2)
        time.sleep(0.3)
        view = tables.view(table, ANNA)
        assert view.record.turn == round_number
        assert sorted(view.acting) == [0, 1, 2], "a bot that has placed cannot hear what is claimed now"
        tables.submit(table, ANNA, "claim 5", view.entry, f"claim {round_number}")
        play(tables, table, ANNA, "card 5")
        wait_for(lambda now=round_number: tables.view(table, ANNA).record.turn > now)


@pytest.mark.parametrize("answer", ["raises", "illegal", "nothing"])
def test_a_broken_bot_plays_the_default_and_blocks_nobody(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    class Broken(Bot):
        def prepare(self) -> None:
            raise NotImplementedError

        def _decide(self, *_: Any) -> int:
            raise NotImplementedError

        def choose(self, *_: Any) -> list[int]:
            if answer == "raises":
                raise RuntimeError("out of ideas")
            return [10**6] if answer == "illegal" else []

    monkeypatch.setattr(by_itself, "make_bot", lambda game, spec, *_: Broken(game, spec))
    table = with_bots(tables, "lockbox", 1)
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, ANNA).your_turn)
    assert [line.text for _, line in tables.view(table, ANNA).lines] == ["Anna ended.", "Apprentice1 ended."]


def test_bots_go_on_after_a_restart_without_anybody_looking(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as asleep:
        asleep.setattr(owed.Looker, "start", lambda self: None)
        tables = Tables.open(url)
        table = with_bots(tables, "lockbox", 1)
        play(tables, table, ANNA, "end")
        tables.close()
    tables = Tables.open(url)

    def moves() -> int:
        with tables.store.read() as t:
            return len(t.entries(table))

    wait_for(lambda: moves() >= 2)
    tables.close()


# What nobody may see


def texts(view: TableView) -> str:
    """What a script is given of a table, but for the two hashes that pledge the hidden rest."""
    told = view_model(view).model_dump(exclude={"commitment", "link"})
    assert {"state", "lines", "position", "prepared", "undo_free", "plan", "plan_told", "can_prepare"} <= set(told)
    assert {"now", "pace", "stands"} <= set(told)
    return json.dumps(told)


@pytest.mark.usefixtures("still_clock")
def test_twins_look_and_refuse_alike(tables: Tables) -> None:
    """Swap what a viewer may not know for something else that is possible: nothing it is told may differ."""
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "peek")
    play(tables, table, ANNA, "end")
    tables.plan(table, CLEO, "take 2", 2)
    live = tables.lives.at(table)
    assert live.match is not None
    truth = live.match.state
    varied = set()
    for viewer, token in [(0, ANNA), (1, BEN), (2, CLEO), (SPECTATOR, EVE)]:
        told = texts(tables.view(table, token))
        wrong = _refusals(tables, table, token)
        for number in range(5):
            game = toys_tables.GAME
            twin = determinize(game, game.state.view(truth, viewer), viewer, rng.generator("twin", number))
            varied.add(int(twin.box))
            live.match.state, kept = twin, live.match._states[-1]
            live.match._states[-1] = _packed(twin)
            try:
                assert texts(tables.view(table, token)) == told
                assert _refusals(tables, table, token) == wrong
            finally:
                live.match.state, live.match._states[-1] = truth, kept
    assert len(varied) > 5, "the twins differ in nothing"


def _refusals(tables: Tables, table: str, token: str) -> list[str]:
    found = []
    for text in ("take 7", "peak", "?", "end end"):
        for call in (partial(tables.submit, move_id="x", entry=2), partial(tables.plan, entry=2)):
            try:
                call(table, token, text)
            except Refusal as problem:
                found.append(str(problem))
        with suppress(Refusal):
            draft = tables.complete(table, token, text, prepare=True)
            found.append(f"{draft.text} {draft.sentence} {draft.problem} {draft.tokens}")
    return found


@pytest.mark.parametrize(
    ("game", "option", "off"),
    [("medici", "turn_cap", 0), ("catham", "max_actions", None), ("corporation", "max_rounds", None)],
)
def test_guards_of_simulations_are_refused_at_tables(tables: Tables, game: str, option: str, off: int | None) -> None:
    chairs = [ChairRequest("you", "Anna"), *[ChairRequest("friend")] * 2]
    with pytest.raises(Refusal, match=f"E_SETUP: option {option} is for simulations only"):
        tables.create(ANNA, game, chairs, {option: 5})
    assert tables.create(ANNA, game, chairs, {option: off})
    Match.new(find_game(game), ["Anna", "Ben", "Cleo"], {option: 5}, 1)
