"""Clocks: who owes a decision since when, and what becomes of it when time runs out, on a clock that the test sets."""

import json
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import by_itself, clock, making, owed, thinking
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web import times
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text
from sittings import ANNA, BEN, CLEO, EVE, NAMES, among_people, play, see_to_what_is_due, take_back_to

START, PACE = 1_800_000_000, 36 * 3600

pytestmark = pytest.mark.usefixtures("lockbox")


class Hands:
    """The time for all that asks `clock.now`, set by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """Time stands still until the test moves it, and nothing runs out until the test has a look."""
    hands = Hands()
    monkeypatch.setattr(clock, "now", hands)
    monkeypatch.setattr(owed.Looker, "start", lambda self: None)
    return hands


@pytest.fixture
def tables(time: Hands, tables: Tables) -> Tables:
    return tables


def among(tables: Tables, *tokens: str, game: str = "lockbox", pace: int = PACE, out_of_time: str = "skip") -> str:
    return among_people(tables, *tokens, game=game, pace=pace, out_of_time=out_of_time)


def asked(tables: Tables, table: str) -> list[int]:
    """For each chair since how many seconds after the start it has been asked, -1: it is not."""
    return [chair.asked - START if chair.asked else -1 for chair in tables.view(table, ANNA).chairs]


def kinds(tables: Tables, table: str) -> list[tuple[str, int, str]]:
    with tables.store.read() as t:
        return [(entry.kind, entry.seat, entry.text) for entry in t.entries(table)]


# When a decision is owed


def test_a_clock_begins_when_one_is_asked_and_anew_after_each_decision_of_ones_own(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    assert asked(tables, table) == [0, -1]
    time.now += 50
    play(tables, table, ANNA, "take 1")
    assert asked(tables, table) == [50, -1]
    time.now += 50
    play(tables, table, ANNA, "end")
    assert asked(tables, table) == [-1, 100]
    assert [chair.until - START if chair.until else 0 for chair in tables.view(table, BEN).chairs] == [0, 100 + PACE]


def test_it_begins_when_the_last_chair_is_taken_not_when_the_table_is_made(tables: Tables, time: Hands) -> None:
    table = tables.create(ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("friend")], pace=PACE)
    assert asked(tables, table) == [-1, -1]
    time.now += 1000
    tables.sit(table, BEN, tables.view(table, ANNA).chairs[1].invite, "Ben")
    assert asked(tables, table) == [1000, -1]


def test_at_simultaneous_decisions_each_chair_has_its_own(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, CLEO, game="corporation")
    time.now += 10
    play(tables, table, BEN, "card 5")
    assert asked(tables, table) == [0, -1, 0]
    time.now += 10
    play(tables, table, ANNA, "say hurry up")
    play(tables, table, CLEO, "claim 7")
    assert asked(tables, table) == [0, -1, 0], "talk is no decision"
    time.now += 10
    play(tables, table, ANNA, "card 5")
    play(tables, table, CLEO, "card 5")
    assert asked(tables, table) == [30, 30, 30]
    # Anna lets the round run out; the others have placed.
    play(tables, table, BEN, "card 1")
    play(tables, table, CLEO, "card 1")
    time.now += PACE - 1
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 7
    time.now += 1
    see_to_what_is_due(tables)
    entries = kinds(tables, table)
    assert [(kind, seat) for kind, seat, _ in entries[7:]] == [("late", tables.view(table, ANNA).seat)]


def test_a_take_back_sets_it_anew_for_who_has_to_decide_again(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    time.now += 20
    play(tables, table, ANNA, "end")
    time.now += 20
    tables.undo(table, ANNA, 1, "back")
    tables.vote(table, BEN, 1, True)
    assert asked(tables, table) == [40, -1]
    table = among(tables, ANNA, BEN, CLEO, game="corporation")
    since = time.now - START
    time.now += 20
    for token in (ANNA, BEN, CLEO):
        play(tables, table, token, "card 5")
    time.now += 20
    tables.undo(table, ANNA, 3, "round")
    tables.vote(table, BEN, 3, True)
    tables.vote(table, CLEO, 3, True)
    assert asked(tables, table) == [since + 40] * 3, "the whole round has gone back"


def test_bots_owe_nothing_to_the_clock(tables: Tables, time: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables.by_itself, "bots_turn", lambda table: tables.mark(table, ANNA).revision)
    chairs = [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random")]
    table = tables.create(ANNA, "lockbox", chairs, pace=PACE, out_of_time="skip")
    play(tables, table, ANNA, "end")
    assert asked(tables, table) == [-1, -1]
    time.now += 2 * PACE
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 1


# When time runs out


@pytest.mark.parametrize("out_of_time", ["skip", "bot"])
def test_time_runs_out_exactly_when_it_is_due_and_once(tables: Tables, time: Hands, out_of_time: str) -> None:
    table = among(tables, ANNA, BEN, out_of_time=out_of_time)
    tables.draft(table, ANNA, "take", 0)
    time.now += PACE - 1
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 0
    time.now += 1
    see_to_what_is_due(tables)
    see_to_what_is_due(tables)
    view = tables.view(table, ANNA)
    entries = kinds(tables, table)
    assert [(kind, seat) for kind, seat, _ in entries] == [("late", 0)]
    assert (view.moves, view.late, view.draft, view.chairs[0].lost) == (1, (1,), "", 1)
    assert view.you is not None
    assert (view.you.name, view.you.bot) == ("Anna", ""), "the chair stays hers"
    if out_of_time == "skip":
        assert entries[0][2] == "end"
        assert view.acting == (1,)


def test_where_the_table_waits_it_is_only_shown(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, out_of_time="wait")
    time.now += PACE + 7200
    see_to_what_is_due(tables)
    view = tables.view(table, BEN)
    assert (view.moves, view.chairs[0].until) == (0, START + PACE)
    play(tables, table, ANNA, "end")
    assert tables.view(table, ANNA).late == ()


def test_a_table_without_a_pace_never_runs_out(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, pace=0, out_of_time="bot")
    time.now += 10 * 365 * 86400
    see_to_what_is_due(tables)
    view = tables.view(table, ANNA)
    assert (view.moves, view.chairs[0].until) == (0, 0)
    assert view.chairs[0].asked == START


def test_a_move_in_time_is_in_time_and_then_nothing_runs_out(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    time.now += PACE
    play(tables, table, ANNA, "end")  # a second late, but nobody has noticed before
    see_to_what_is_due(tables)
    assert kinds(tables, table) == [("move", 0, "end")]


def test_two_processes_let_it_run_out_once(tables: Tables, url: str, time: Hands) -> None:
    other = Tables.open(url)
    for round_number in range(5):
        table = among(tables, ANNA, BEN, out_of_time="bot")
        time.now += PACE
        start = threading.Barrier(4)

        def look(number: int, start: threading.Barrier = start) -> None:
            start.wait()
            see_to_what_is_due((tables, other)[number % 2])

        threads = [threading.Thread(target=look, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [kind for kind, _, _ in kinds(tables, table)] == ["late"], round_number
        assert tables.view(table, BEN).link == other.view(table, BEN).link
        play(tables, table, BEN if tables.view(table, BEN).your_turn else ANNA, "end")
    other.close()


def test_the_person_and_the_clock_at_once_make_one_move(tables: Tables, time: Hands) -> None:
    for number in range(8):
        table = among(tables, ANNA, BEN, out_of_time="skip")
        time.now += PACE
        start, told = threading.Barrier(2), []

        def person(table: str = table, start: threading.Barrier = start, told: list[str] = told) -> None:
            start.wait()
            try:
                told.append(tables.submit(table, ANNA, "end", 0, "mine").status)
            except Refusal as problem:
                told.append(problem.code)

        thread = threading.Thread(target=person)
        thread.start()
        start.wait()
        see_to_what_is_due(tables)
        thread.join()
        expected = [("move", 0, "end")] if told == ["applied"] else [("late", 0, "end")]
        assert kinds(tables, table) == expected, number
        assert told in (["applied"], ["E_STALE"])


def test_what_happens_while_the_bot_thinks_counts(tables: Tables, time: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the question to the bot and its answer others decide, or somebody else sits down on that chair."""
    meanwhile: dict[str, Any] = {}
    thought: list[int] = []

    def chosen(table: str, decision: Any, seconds: float) -> Any:
        thought.append(decision.entry)
        if table in meanwhile:
            meanwhile.pop(table)()
        return thinking.chosen(table, decision, seconds)

    monkeypatch.setattr(by_itself, "chosen", chosen)
    table = among(tables, ANNA, BEN, CLEO, game="corporation", out_of_time="bot")
    time.now += PACE
    meanwhile[table] = lambda: play(tables, table, CLEO, "card 5")
    see_to_what_is_due(tables)
    assert thought == [0, 1, 2], "it is asked again about the position as it is now"
    assert [kind for kind, _, _ in kinds(tables, table)] == ["move", "late", "late"]
    table = among(tables, ANNA, BEN, out_of_time="bot")

    def change_hands() -> None:
        tables.leave(table, ANNA)
        tables.sit(table, CLEO, tables.view(table, BEN).chairs[0].invite)

    time.now += PACE
    meanwhile[table] = change_hands
    see_to_what_is_due(tables)
    assert not meanwhile
    assert kinds(tables, table) == [], "who has just sat down has all the time"


def test_what_ran_out_while_no_server_ran_is_made_up_for_without_anybody_looking(url: str, time: Hands) -> None:
    first = Tables.open(url)
    table = among(first, ANNA, BEN)
    first.close()
    time.now += PACE + 5
    again = Tables.open(url)
    see_to_what_is_due(again)
    assert kinds(again, table) == [("late", 0, "end")]
    assert asked(again, table) == [-1, PACE + 5]
    again.close()


def test_the_thread_does_it_by_itself(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = Hands()
    monkeypatch.setattr(clock, "now", hands)
    monkeypatch.setattr(owed, "LOOK_SECONDS", 0.01)
    tables = Tables.open(url)
    done = threading.Event()
    monkeypatch.setattr(tables.publisher, "publish", lambda news, *_: done.set() if hands.now > START else None)
    chairs = [ChairRequest("you", "Anna"), *[ChairRequest("friend")] * 2]
    table = tables.create(ANNA, "corporation", chairs, pace=PACE, out_of_time="bot")
    for token, chair in ((BEN, 1), (CLEO, 2)):
        tables.sit(table, token, tables.view(table, ANNA).chairs[chair].invite, NAMES[token])
    hands.now += PACE
    assert done.wait(60), "nobody was told"
    assert kinds(tables, table)[0][0] == "late"
    tables.close()


def test_a_clock_set_back_hurries_and_stops_nobody(tables: Tables, time: Hands) -> None:
    time.now += 365 * 86400  # the machine thinks that it is next year
    table = among(tables, ANNA, BEN)
    time.now = START
    see_to_what_is_due(tables)
    assert asked(tables, table) == [0, -1], "it begins anew by the right time"
    time.now += PACE - 1
    see_to_what_is_due(tables)
    assert kinds(tables, table) == []
    time.now += 1
    see_to_what_is_due(tables)
    assert kinds(tables, table) == [("late", 0, "end")]


def test_a_broken_stand_in_plays_the_default(tables: Tables, time: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_itself, "chosen", lambda table, decision, seconds: [10**6])
    table = among(tables, ANNA, BEN, out_of_time="bot")
    time.now += PACE
    see_to_what_is_due(tables)
    assert kinds(tables, table) == [("late", 0, "end")]


def test_a_table_that_cannot_go_on_holds_up_no_other(tables: Tables, url: str, time: Hands) -> None:
    broken, sound = among(tables, ANNA, BEN), among(tables, ANNA, BEN)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE tables SET rules = 'of old' WHERE id = ?", (broken,))
    time.now += PACE
    again = Tables.open(url)
    see_to_what_is_due(again)
    assert kinds(again, sound) == [("late", 0, "end")]
    assert kinds(again, broken) == []
    again.close()


def test_a_late_move_replays_and_can_be_taken_back(tables: Tables, url: str, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    time.now += PACE
    see_to_what_is_due(tables)
    again = Tables.open(url)
    assert again.view(table, BEN).late == (1,)
    assert again.view(table, BEN).link == tables.view(table, BEN).link
    again.undo(table, ANNA, 1, "back")
    again.vote(table, BEN, 1, True)
    for opened in (tables, again):
        view = opened.view(table, ANNA)
        assert (view.moves, view.late, view.your_turn) == (0, (), True)
    play(again, table, ANNA, "take 1")
    assert [opened.view(table, ANNA).late for opened in (tables, again)] == [(), ()]
    again.close()


# Nobody there


def test_a_table_where_nobody_is_there_does_not_play_itself_to_its_end(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    for _ in range(6):
        time.now += PACE
        see_to_what_is_due(tables)
    assert [kind for kind, _, _ in kinds(tables, table)] == ["late", "late"]
    view = tables.view(table, ANNA)
    assert view.stands
    assert [chair.until for chair in view.chairs] == [0, 0]
    # Somebody looks in and moves: it goes on, and nobody is late for the time in which it stood.
    play(tables, table, ANNA, "end")
    assert asked(tables, table) == [-1, 6 * PACE]
    assert not tables.view(table, BEN).stands
    time.now += PACE - 1
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 3
    time.now += 1
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 4


def test_who_lost_a_move_and_is_back_need_not_wait_for_somebody_who_is_gone(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, game="catham")
    while not tables.view(table, ANNA).stands:
        time.now += PACE
        see_to_what_is_due(tables)
    owing = {view.seat: token for token in (ANNA, BEN) for view in [tables.view(table, token)]}
    gone, back = owing[tables.view(table, ANNA).acting[0]], owing[1 - tables.view(table, ANNA).acting[0]]
    time.now += 10 * PACE
    before = tables.view(table, back)
    for page in (render_table(before), render_text(before)):
        assert 'data-key="here"' in page
    assert 'data-key="here"' not in render_table(tables.view(table, CLEO))
    assert tables.sit(table, back).status == "applied"
    assert tables.sit(table, back).status == "already applied"
    view = tables.view(table, back)
    assert not view.stands
    assert 'data-key="here"' not in render_table(view)
    assert [chair.until for chair in view.chairs if chair.seat in view.acting] == [time.now + PACE]
    assert tables.view(table, gone).your_turn
    time.now += PACE
    see_to_what_is_due(tables)
    assert tables.view(table, back).moves == before.moves + 1


def test_when_it_goes_on_those_who_are_asked_together_get_their_time_again(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, CLEO, game="corporation")
    time.now += PACE
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).stands
    assert [kind for kind, _, _ in kinds(tables, table)] == ["late"] * 3
    time.now += 10 * PACE
    see_to_what_is_due(tables)
    play(tables, table, BEN, "card 5")
    assert asked(tables, table) == [11 * PACE, -1, 11 * PACE]
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).moves == 4


def test_who_let_three_decisions_be_made_counts_as_having_left(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    for lost in (1, 2, 3):
        play(tables, table, ANNA, "end")
        time.now += PACE
        tables.pulse([table], BEN)  # his page is open all the same
        see_to_what_is_due(tables)
        assert tables.view(table, ANNA).chairs[1].lost == lost
        if lost < 3:
            with pytest.raises(Refusal, match="E_CHAIR"):
                tables.seat_bot(table, ANNA, 1, "random")
    assert tables.seat_bot(table, ANNA, 1, "random").status == "applied"
    assert tables.sit(table, BEN).status == "applied"
    assert tables.view(table, BEN).chairs[1].lost == 0


def test_one_decision_of_ones_own_and_nothing_is_lost_any_more(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    time.now += PACE
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).chairs[0].lost == 1
    play(tables, table, BEN, "end")
    play(tables, table, ANNA, "end")
    assert tables.view(table, ANNA).chairs[0].lost == 0


def test_a_left_chair_goes_on_owing_and_who_takes_it_begins_anew(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "end")
    time.now += 100
    tables.leave(table, BEN)
    assert asked(tables, table) == [-1, 0, -1]
    time.now += 100
    given(tables, table)
    assert asked(tables, table) == [-1, 200, -1]
    tables.leave(table, EVE)
    time.now += PACE
    see_to_what_is_due(tables)
    assert [kind for kind, _, _ in kinds(tables, table)] == ["move", "late"]


def given(tables: Tables, table: str) -> str:
    """Have Anna and Cleo give Ben's chair to Eve; what she asked with."""
    tables.ask(table, EVE, True, "Eve")
    secret = tables.view(table, ANNA).askers[0].asks
    assert [tables.give(table, token, 1, secret).status for token in (ANNA, CLEO)] == ["asked", "applied"]
    return secret


def test_who_is_given_a_chair_has_the_whole_time(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "end")
    tables.leave(table, BEN)
    time.now += PACE - 1
    secret = given(tables, table)
    assert asked(tables, table) == [-1, PACE - 1, -1]
    time.now += 1
    assert tables.give(table, ANNA, 1, secret).status == "already applied"
    see_to_what_is_due(tables)
    assert [kind for kind, _, _ in kinds(tables, table)] == ["move"]
    assert asked(tables, table) == [-1, PACE - 1, -1]


def test_tables_from_before_there_were_clocks_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database as it was: its tables go on without a limit, and nothing at them is for anybody."""
    monkeypatch.setattr(making, "Match", partial(Match, form=1))
    file = tmp_path / "old.sqlite3"
    tables = Tables.open(f"sqlite:///{file}")
    table = among(tables, ANNA, BEN, game="catham", pace=0)
    tables.leave(table, BEN)
    over = among(tables, ANNA, BEN, pace=0)
    for text in ("take 2", "take 2", "take 2", "take 2", "take 1"):
        play(tables, over, ANNA, text)
    ended = tables.view(over, ANNA).ended
    tables.close()
    take_back_to(file, "0001")
    again = Tables.open(f"sqlite:///{file}")
    view = again.view(table, ANNA)
    assert (view.pace, view.out_of_time, view.stands) == (0, "wait", False)
    assert [(chair.asked, chair.until, chair.lost, chair.anybody) for chair in view.chairs] == [(0, 0, 0, False)] * 2
    assert again.open_tables(CLEO) == []
    assert view.chairs[1].invite == ""
    with again.store.read() as t:
        assert t.table(table).created > 0
        assert 0 <= ended - t.table(over).ended <= 1, "the time of the last entry"
    again.close()


# What everybody is told


def test_a_table_is_made_with_a_pace_and_a_rematch_keeps_it(tables: Tables, time: Hands) -> None:
    two = [ChairRequest("you", "Anna"), ChairRequest("friend")]
    for pace, out_of_time in ((5, "skip"), (-1, "skip"), (31 * 86400, "skip"), (PACE, "panic")):
        with pytest.raises(Refusal, match="E_SETUP"):
            tables.create(ANNA, "lockbox", two, pace=pace, out_of_time=out_of_time)
    table = among(tables, ANNA, BEN)
    invited = tables.create(ANNA, "lockbox", two, pace=PACE, out_of_time="bot")
    found = tables.invitation(tables.view(invited, ANNA).chairs[1].invite, CLEO)
    assert (found.pace, found.out_of_time) == (PACE, "bot")
    for text in ("take 2", "take 2", "take 2", "take 2", "take 1"):
        play(tables, table, ANNA, text)
    (old,) = (summary for summary in tables.mine(BEN) if summary.table == table)
    assert (old.over, old.winners, old.score, old.ended) == (True, ("Anna",), 9, START)
    new = tables.view(tables.rematch(table, BEN), BEN)
    assert (new.pace, new.out_of_time) == (PACE, "skip")
    assert new.chairs[0].asked == START


def test_the_list_says_how_long_and_how_long_yet(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN)
    time.now += 3600
    mine, theirs = tables.mine(ANNA)[0], tables.mine(BEN)[0]
    assert (mine.your_turn, mine.asked, mine.until) == (True, START, START + PACE)
    assert (theirs.waiting, theirs.asked, theirs.until) == (("Anna",), START, START + PACE)
    assert mine.table == table


def test_pages_and_json_tell_all_viewers_the_same_times(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, game="catham", out_of_time="bot")
    acting = tables.view(table, ANNA).acting[0]
    time.now += 2 * 3600 + 300
    for token in (ANNA, BEN, "nobody"):
        view = tables.view(table, token)
        told = json.loads(view_model(view).model_dump_json())
        assert (told["now"], told["pace"], told["out_of_time"], told["stands"]) == (time.now, PACE, "bot", False)
        assert [chair["until"] for chair in told["chairs"] if chair["seat"] == acting] == [START + PACE]
        page = render_table(view)
        assert f'data-until="{START + PACE}" data-word=" left">1 d 9 h left</span>' in page
        assert f'data-now="{time.now}"' in page
        text = render_text(view)
        assert "1 d 9 h left" in text
        assert ("to move" in text and ", 2 h 5 min" in text) is (view.seat != acting)
        # What counts is never inside what a screen reader is told of, but where it is marked as no news.
        status = page.split('id="status"')[1].split("</div>")[0]
        assert status.index('aria-live="off"') < status.index("data-until")
    time.now = START + PACE
    see_to_what_is_due(tables)
    for token in (ANNA, BEN, "nobody"):
        view = tables.view(table, token)
        assert "out of time</span>" in render_table(view)
        assert "(out of time)" in render_text(view)
        assert [line.out_of_time for line in view_model(view).lines if line.move == 1]
        assert all(line.out_of_time is (line.move == 1) for line in view_model(view).lines)


def test_pages_say_what_the_clock_has_done(tables: Tables, time: Hands) -> None:
    waiting = among(tables, ANNA, BEN, game="catham", out_of_time="wait")
    table = among(tables, ANNA, BEN, game="catham", out_of_time="skip")
    time.now += PACE + 7200
    for token in (ANNA, BEN):
        assert "2 h overdue" in render_table(tables.view(waiting, token))
    see_to_what_is_due(tables)
    host, other = (tables.view(table, token) for token in (ANNA, BEN))
    first = host if host.you is not None and host.you.lost else other
    assert "Your last move was made for you: time was over." in render_table(first)
    assert first.you is not None
    while not tables.view(table, ANNA).stands:
        time.now += PACE
        see_to_what_is_due(tables)
    page = render_table(tables.view(table, BEN))
    assert "The clock stands still" in page
    assert "data-until" not in page[page.index('id="status"') : page.index('aria-label="Help and records"')]
    with tables.store.write() as t:
        t.change_chair(table, 1, lost=3)
    tables.pulse([table], BEN)
    assert "let the clock decide 3 times in a row" in render_table(tables.view(table, ANNA))


def test_what_was_late_long_ago_is_not_told_where_looking_back_is_forbidden(tables: Tables, time: Hands) -> None:
    table = among(tables, ANNA, BEN, game="dark_sources")
    time.now += PACE
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).late == (1,)
    for _ in range(2):
        view: Any = tables.view(table, BEN)
        token = BEN if view.your_turn else ANNA
        draft = tables.view(table, token).prepared
        text = ""
        while draft.actions is None:
            text = f"{text} {draft.tokens[0].text}".strip()
            draft = tables.complete(table, token, text)
        play(tables, table, token, draft.text)
    view = tables.view(table, ANNA)
    if view.forgets:
        assert {move for move, _ in view.lines} >= set(view.late)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"), (0, "0 s"), (50, "50 s"), (60, "1 min"), (299, "4 min"), (3600, "1 h"), (12000, "3 h 20 min"),
        (86400, "1 d"), (100800, "1 d 4 h"), (86400 * 40 + 3599, "40 d"),
    ],
)  # fmt: skip
def test_lengths_of_time_in_words(seconds: int, words: str) -> None:
    assert times.duration(seconds) == words


def test_other_words_about_time() -> None:
    assert [times.time_left(START + n, START) for n in (60, 1, 0, -60)] == [
        "1 min left",
        "1 s left",
        "0 s overdue",
        "1 min overdue",
    ]
    assert [times.since(START - n, START, ", ") for n in (-9, 59, 60, 7260)] == ["", "", ", 1 min", ", 2 h 1 min"]
    assert [times.ago(START - n, START) for n in (0, 300, 7260, 90000, 4 * 86400 + 9999)] == [
        "just now", "5 min ago", "2 h ago", "yesterday", "4 d ago",
    ]  # fmt: skip
    assert [times.allowance(pace) for pace in (*times.PACES, 86460, 10)] == [
        "no limit", "5 minutes", "24 hours", "36 hours", "3 days", "1441 minutes", "10 seconds",
    ]  # fmt: skip
    assert [times.pace_word(pace) for pace in (0, 36 * 3600)] == ["live", "a move within 36 hours"]
