"""Moves prepared while others think: kept for one chair alone, and played when its turn comes, once, or not at all."""

import threading
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest

from backroom.engine.game import Game, Refusal
from backroom.engine.match import _packed
from backroom.engine.notation import move_text, play_on_view
from backroom.engine.record import SPECTATOR
from backroom.tables import clock, owed, sitting_in
from backroom.tables.service import Tables
from backroom.tables.views import Plan, TableView
from sittings import ANNA, BEN, CLEO, EVE, Sitting, among_people, fingerprint, play, refused, wait_for

pytestmark = pytest.mark.usefixtures("lockbox")


def kept(view: TableView) -> tuple[str, str, str]:
    """What a chair sees of its plan: its text, why one was not played, its move in preparation."""
    return view.plan.text if view.plan else "", view.plan_told, view.draft


def moves(tables: Tables, table: str) -> list[str]:
    """The texts of all moves made, take-backs as ``undo``."""
    with tables.store.read() as t:
        return [entry.text or entry.kind for entry in t.entries(table)]


# What may be prepared


def test_a_whole_move_can_be_prepared_by_who_waits(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    assert tables.view(table, BEN).can_prepare
    assert not tables.view(table, ANNA).can_prepare
    assert not tables.view(table, EVE).can_prepare
    assert tables.plan(table, BEN, " TAKE   2 ", 0).status == "applied"
    assert tables.plan(table, BEN, "take 2", 0).status == "already applied"
    assert tables.view(table, BEN).plan == Plan("take 2", "same", "take 2, with 9 in the pile")
    assert tables.plan(table, BEN, "take 2", 0, "legal").status == "applied"
    assert tables.plan(table, BEN, "flip", 0).status == "applied"
    assert tables.view(table, BEN).plan == Plan("flip", "same", "flip, with 9 in the pile")
    assert tables.plan(table, BEN, "  ", 0).status == "applied"
    assert tables.plan(table, BEN, "", 0).status == "already applied"
    assert tables.view(table, BEN).plan is None
    assert [token.text for token in tables.complete(table, BEN, "take", prepare=True).tokens] == ["1", "2"]
    refused("E_ACTOR", tables.complete, table, BEN, "take")
    refused("E_ACTOR", tables.complete, table, ANNA, "take", True)


def test_what_cannot_be_prepared_is_refused_and_changes_nothing(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "take 1")
    tables.plan(table, BEN, "flip", 1)
    before = fingerprint(tables, table)
    bad: list[tuple[str, tuple[Any, ...]]] = [
        ("E_SYNTAX", (table, BEN, "dance", 1)),
        ("E_SYNTAX", (table, BEN, "take", 1)),
        ("E_SYNTAX", (table, BEN, "take 1 flip", 1)),
        ("E_STALE", (table, BEN, "take 1", 0)),
        ("E_STALE", (table, BEN, "take 1", 2)),
        ("E_ACTOR", (table, ANNA, "take 1", 1)),
        ("E_SEAT", (table, EVE, "take 1", 1)),
        ("E_TEXT", (table, BEN, "take 1" * 1000, 1)),
        ("E_TEXT", (table, BEN, "take\x00 1", 1)),
    ]
    for code, args in bad:
        refused(code, tables.plan, *args)
        assert fingerprint(tables, table) == before, (code, args)


def test_games_and_times_without_a_turn_to_prepare(tables: Tables) -> None:
    together = among_people(tables, ANNA, BEN, CLEO, game="corporation")
    refused("E_PLAN", tables.plan, together, BEN, "card 5", 0)
    assert not tables.view(together, BEN).can_prepare
    memory = Sitting(tables, "dark_sources", ["Anna", "Ben"])
    refused("E_NOTES", tables.plan, memory.id, memory.tokens[1], "swap b1 a1", 0)
    # A player who has played in this round of Fringe Powers plays again when all fringe cards have been turned up.
    fringe = Sitting(tables, "medici", ["Anna", "Ben", "Cleo"])
    first = tables.view(fringe.id, fringe.tokens[0]).acting[0]
    for question in ("play", "put"):
        view = tables.view(fringe.id, fringe.tokens[first])
        assert view.question == question
        assert (view.game.ahead(view.record, first) is None) == (question == "put")
        fringe.play(first, some_move(view.game, view.record, first, view.names))
    assert "turned up" in tables.view(fringe.id, fringe.tokens[first]).no_plan
    refused("E_PLAN", tables.plan, fringe.id, fringe.tokens[first], "send 5", 2)


def some_move(game: Game, view: Any, seat: int, names: Sequence[str]) -> str:
    """A whole move as it is typed, of the first actions there are."""
    actions = [int(game.legal(view, seat)[0])]
    state = play_on_view(game, view, seat, actions[0])
    while int(state.midmove) >> seat & 1:
        actions.append(int(game.legal(state, seat)[0]))
        state = play_on_view(game, state, seat, actions[-1])
    return move_text(game, view, seat, actions, names)


def test_nothing_is_prepared_when_it_is_over_or_while_a_bot_sits_in(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 1", 0)
    later = clock.now() + sitting_in.SIT_IN_SECONDS
    monkeypatch.setattr(clock, "now", lambda: later)
    tables.seat_bot(table, ANNA, 1, "random")
    assert tables.view(table, BEN).plan is None
    assert not tables.view(table, BEN).can_prepare
    refused("E_PLAN", tables.plan, table, BEN, "take 1", 0)
    tables.sit(table, BEN)
    tables.plan(table, BEN, "take 1", 0)
    for _ in range(4):
        play(tables, table, ANNA, "take 2")
    play(tables, table, ANNA, "take 1")
    assert tables.view(table, BEN).over
    assert tables.view(table, BEN).plan is None
    refused("E_OVER", tables.plan, table, BEN, "take 1", 5)


# Its turn comes


def test_it_is_played_once_when_its_turn_comes(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 2", 0)
    tables.plan(table, CLEO, "flip", 0, "legal")
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, BEN).moves == 2)
    assert tables.view(table, BEN).your_turn
    assert kept(tables.view(table, BEN)) == ("", "", "")
    play(tables, table, BEN, "end")
    wait_for(lambda: tables.view(table, BEN).moves == 4)
    assert moves(tables, table) == ["end", "take 2", "end", "flip"]
    play(tables, table, CLEO, "end")
    play(tables, table, ANNA, "end")
    assert tables.view(table, BEN).moves == 6


def test_it_is_not_played_when_it_would_do_something_else(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 2", 0)
    play(tables, table, ANNA, "take 1")
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, BEN).plan is None)
    told = "Not played, take 2: it would now do something else. take 2, with 8 in the pile"
    assert kept(tables.view(table, BEN)) == ("", told, "take 2")
    assert tables.view(table, BEN).moves == 2
    play(tables, table, BEN, "take 2")
    assert kept(tables.view(table, BEN)) == ("", "", "")


def test_it_is_played_whatever_it_does_if_that_was_said(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 2", 0, "legal")
    play(tables, table, ANNA, "take 1")
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, BEN).moves == 3)
    assert moves(tables, table) == ["take 1", "end", "take 2"]


def test_what_cannot_be_played_any_more_is_dropped(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 2", 0, "legal")
    for _ in range(4):
        play(tables, table, ANNA, "take 2")
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, BEN).plan is None)
    assert kept(tables.view(table, BEN))[1].startswith("Not played, take 2: ")
    assert tables.view(table, BEN).moves == 5


def test_a_reaction_in_between_leaves_it_alone(tables: Tables) -> None:
    sitting = Sitting(tables, "catham", ["Anna", "Ben", "Cleo"])
    position(tables, sitting, "SRDMH | A:DDDM/0 B:MSS/0 C:MRR/0 | mkt SSRRRHH | turn A")
    ben = sitting.tokens[1]
    tables.plan(sitting.id, ben, "take hackers", 0, "legal")
    sitting.play(0, "play detectives + mafia")
    view = tables.view(sitting.id, ben)
    assert (view.question, view.your_turn, kept(view)) == ("match", True, ("take hackers", "", ""))
    refused("E_ACTOR", tables.plan, sitting.id, ben, "take hackers", view.entry)
    sitting.play(1, "match")
    assert kept(tables.view(sitting.id, ben)) == ("take hackers", "", "")
    sitting.play(2, "decline")
    wait_for(lambda: tables.view(sitting.id, ben).moves == 4)
    assert moves(tables, sitting.id)[-1] == "take hackers"


def position(tables: Tables, sitting: Sitting, text: str) -> None:
    """Have a table of Catham City stand at another position."""
    tables.view(sitting.id, sitting.tokens[0])
    match = tables.lives.at(sitting.id).match
    assert match is not None
    state, _ = match.game.notation.parse_position(match.game, text)
    state.chance_key[:] = match.state.chance_key
    match.state, match._states[-1] = state, _packed(state)


@pytest.mark.usefixtures("asleep")
def test_ones_own_move_made_first_wins(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.plan(table, BEN, "take 2", 0)
    play(tables, table, ANNA, "end")
    play(tables, table, BEN, "take 1")
    assert tables.view(table, BEN).plan is None
    tables.by_itself.play_plan(table)
    assert moves(tables, table) == ["end", "take 1"]


@pytest.mark.usefixtures("asleep")
def test_two_processes_at_once_play_it_once(tables: Tables, url: str) -> None:
    other = Tables.open(url)
    table = among_people(tables, ANNA, BEN)
    for number in range(6):
        tables.plan(table, BEN, "flip", tables.view(table, BEN).entry)
        play(tables, table, ANNA, "end")
        start = threading.Barrier(4)

        def make(each: Tables, start: Any = start) -> None:
            start.wait()
            each.by_itself.play_plan(table)

        threads = [threading.Thread(target=make, args=((tables, other)[place % 2],)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert moves(tables, table)[3 * number :] == ["end", "flip"]
        play(tables, table, BEN, "end")
    other.close()


def test_it_outlives_the_server_and_needs_nobody_to_look(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as asleep:
        asleep.setattr(owed.Looker, "start", lambda self: None)
        tables = Tables.open(url)
        table = among_people(tables, ANNA, BEN)
        tables.plan(table, BEN, "take 2", 0)
        play(tables, table, ANNA, "end")
        tables.close()
    again = Tables.open(url)
    wait_for(lambda: moves(again, table) == ["end", "take 2"])
    again.close()


# Taking back, leaving


def test_after_a_take_back_nothing_is_played_for_whose_turn_it_becomes(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, CLEO, "flip", 0)
    play(tables, table, ANNA, "end")
    tables.plan(table, ANNA, "take 2", 1)
    tables.undo(table, ANNA, 1, "back")
    tables.vote(table, BEN, 1, True)
    tables.vote(table, CLEO, 1, True)
    view = tables.view(table, ANNA)
    assert (view.your_turn, view.moves) == (True, 0)
    assert kept(view) == ("", "Dropped, take 2: a move was taken back since you prepared it", "")
    # What was prepared before the move that is taken back still makes sense.
    assert kept(tables.view(table, CLEO)) == ("flip", "", "")
    play(tables, table, ANNA, "end")
    assert kept(tables.view(table, ANNA)) == ("", "", "")
    assert tables.view(table, BEN).moves == 1


def test_what_was_prepared_on_moves_that_stand_no_more_is_dropped(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "take 1")
    tables.plan(table, CLEO, "flip", 1, "legal")
    tables.undo(table, ANNA, 1, "back")
    text, told, _ = kept(tables.view(table, CLEO))
    assert text == ""
    assert told.startswith("Dropped, flip: ")


def test_a_move_played_for_somebody_can_be_taken_back_and_stays_so(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.plan(table, BEN, "take 2", 0)
    play(tables, table, ANNA, "end")
    wait_for(lambda: tables.view(table, BEN).moves == 2)
    assert tables.undo(table, BEN, 2, "back").status == "applied"
    tables.by_itself.play_plan(table)
    assert moves(tables, table) == ["end", "take 2", "undo"]


def test_it_goes_with_whoever_leaves(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.plan(table, BEN, "take 2", 0)
    tables.leave(table, BEN)
    tables.ask(table, "eve", True, "Eve")
    secret = tables.view(table, ANNA).askers[0].asks
    for token in (ANNA, CLEO):
        tables.give(table, token, 1, secret)
    assert tables.view(table, "eve").seat == 1
    assert tables.view(table, "eve").plan is None
    play(tables, table, ANNA, "end")
    tables.by_itself.play_plan(table)
    assert moves(tables, table) == ["end"]


# What nobody may see


@pytest.mark.usefixtures("still_clock")
@pytest.mark.parametrize(("game", "options"), [("catham", {}), ("medici", {}), ("dark_sources", {"memory": "notes"})])
def test_others_cannot_tell_that_something_is_prepared(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any]
) -> None:
    sitting = Sitting(tables, game, ["Anna", "Ben", "Cleo"], **options)
    told: list[str] = []
    monkeypatch.setattr(tables.publisher, "publish", lambda news, *_: told.append(news.table))
    monkeypatch.setattr(tables.publisher, "publish_own", lambda table, holder, *_: told.append(holder))
    views = [tables.view(sitting.id, token) for token in sitting.tokens]
    seat = next(seat for seat, view in enumerate(views) if view.can_prepare)
    chair = views[seat].you
    assert chair is not None
    others = [viewer for viewer in (*range(3), SPECTATOR) if viewer != seat]
    before, own = [sitting.served(viewer) for viewer in others], sitting.served(seat)
    words = some_move(views[seat].game, views[seat].ahead, seat, views[seat].names)
    with pytest.raises(Refusal):
        tables.plan(sitting.id, sitting.tokens[seat], "dance", 0)
    tables.plan(sitting.id, sitting.tokens[seat], words, 0)
    assert [sitting.served(viewer) for viewer in others] == before
    assert sitting.served(seat)[:3] != own[:3]
    assert sitting.served(seat)[3].own != own[3].own
    assert told == [sha256(sitting.tokens[seat].encode()).hexdigest()], (
        "its own browsers alone hear that they shall look"
    )
    tables.plan(sitting.id, sitting.tokens[seat], "", 0)
    assert sitting.served(seat) == own
