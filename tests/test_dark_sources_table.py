"""Dark Sources at a table: with ``memory=play`` nothing older than the last swap is served in any way."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from backroom.bots.bot import READ_SECONDS
from backroom.engine.game import Refusal
from backroom.engine.record import SPECTATOR
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from sittings import Sitting, see_to_what_is_due

NAMES = ("Anna", "Ben", "Cleo")
ONE = ("a1 b5", "b5 c1", "c1 a1", "a2 b4")
TWO = ("a1 c1", "b5 a1", "c1 b5", "a2 b4")
"""Two pasts after which the same cards show and the last swap is the same, but other cards lie face down."""


class Swapping(Sitting):
    """A table of three people who swap in turn."""

    def swap(self, *swaps: str) -> None:
        for swap in swaps:
            seat = self.tables.view(self.id, "nobody").acting[0]
            self.play(seat, f"swap {swap}")


def sit(tables: Tables, **options: Any) -> Swapping:
    return Swapping(tables, "dark_sources", NAMES, **options)


@pytest.mark.usefixtures("still_clock")
def test_twins_with_different_pasts_are_served_the_same(tables: Tables) -> None:
    one, two = sit(tables), sit(tables)
    one.swap(*ONE)
    two.swap(*TWO)
    for viewer in (0, 1, 2, SPECTATOR):
        assert one.served(viewer) == two.served(viewer)


@pytest.mark.usefixtures("still_clock")
@pytest.mark.parametrize("memory", ["notes", "open"])
def test_the_other_modes_do_tell_them_apart(tables: Tables, memory: str) -> None:
    one, two = sit(tables, memory=memory), sit(tables, memory=memory)
    one.swap(*ONE)
    two.swap(*TWO)
    for viewer in (0, 1, 2, SPECTATOR):
        assert one.served(viewer) != two.served(viewer)


def test_only_the_last_swap_is_in_the_log_of_everybody(tables: Tables) -> None:
    sitting = sit(tables)
    sitting.swap("a1 b5", "b1 c5")
    told = {1: "You swapped b1 (1) with Cleo's c5 (10).", 2: "Ben swapped b1 (1) with your c5 (10)."}
    for seat, token in enumerate((*sitting.tokens, "nobody")):
        for _ in range(2):  # looking again shows no more and no less
            view = tables.view(sitting.id, token)
            assert [line.text for _, line in view.lines] == [told.get(seat, "Ben swapped b1 (1) with Cleo's c5 (10).")]


def test_notes_list_earlier_swaps_by_their_slots(tables: Tables) -> None:
    sitting = sit(tables, memory="notes")
    sitting.swap("a1 b5", "b1 c5")
    told = [line.text for _, line in tables.view(sitting.id, sitting.tokens[2]).lines]
    assert told[-2:] == ["Anna swapped a1 with Ben's b5.", "Ben swapped b1 (1) with your c5 (10)."]


@pytest.mark.parametrize(("memory", "free"), [("play", False), ("notes", False), ("open", True)])
def test_earlier_positions_are_shown_where_everything_is_open(tables: Tables, memory: str, free: bool) -> None:
    sitting = sit(tables, memory=memory)
    sitting.swap("a1 b5", "b1 c5")
    if free:
        assert tables.view(sitting.id, sitting.tokens[0], 1).move == 1
    else:
        with pytest.raises(Refusal, match="E_PLY"):
            tables.view(sitting.id, sitting.tokens[0], 1)
    with pytest.raises(Refusal, match="E_EXPORT"):
        tables.export(sitting.id)


@pytest.mark.parametrize(("memory", "free"), [("play", False), ("notes", False), ("open", True)])
def test_a_swap_is_taken_back_only_where_the_one_before_it_may_be_shown_again(
    tables: Tables, memory: str, free: bool
) -> None:
    sitting = sit(tables, memory=memory)
    sitting.swap("a1 b5", "b1 c5")
    view = tables.view(sitting.id, sitting.tokens[1])
    assert (view.undo_moves == 1) == free
    assert not view.undo_free
    if free:
        assert tables.undo(sitting.id, sitting.tokens[1], view.entry, "back").status == "asked"
    else:
        with pytest.raises(Refusal, match=r"E_UNDO.*looking back"):
            tables.undo(sitting.id, sitting.tokens[1], view.entry, "back")
        assert tables.view(sitting.id, sitting.tokens[0]).undo is None


def test_everything_is_open_at_the_end(tables: Tables) -> None:
    sitting = sit(tables)
    sitting.swap("a1 b5", "b1 c5", "c1 a5", "a2 b4", "b2 c4", "c2 a4", "a3 b3", "b5 c3")
    for viewer in (0, SPECTATOR):
        view = tables.view(sitting.id, sitting.tokens[0] if viewer == 0 else "nobody")
        assert view.over
        assert len(view.lines) == 3 + 8 + 1
        html = sitting.served(viewer)[0]
        assert "Where the tens went" in html
        assert html.count('class="card bill v') == 15
        assert tables.view(sitting.id, sitting.tokens[0], 1).move == 1
    assert "Ben gave Cleo a 1, face down since swap 1, and took a 5. The log" in sitting.served(0)[0]
    assert "You gave Cleo a 1, face down since swap 1, and took a 5. The log" in sitting.served(1)[0]
    assert "<b>Anna’s 10</b> from a5 to c1 on swap 3, and stayed with Cleo." in sitting.served(1)[0]
    assert "<b>Your 10</b> from a5 to c1 on swap 3, and stayed with Cleo." in sitting.served(0)[0]


def test_no_notes_where_memory_is_the_game(tables: Tables) -> None:
    sitting = sit(tables)
    for _ in range(2):  # before the first move and after it
        assert "memory is the game" in sitting.served(0)[0]
        assert 'id="notes"' not in sitting.served(0)[0]
        with pytest.raises(Refusal, match="E_NOTES: no notes at this table") as refusal:
            tables.note(sitting.id, sitting.tokens[0], "the 10 of b5 lies at a1")
        assert "\n" not in str(refusal.value)
        assert tables.view(sitting.id, sitting.tokens[0]).notes == ""
        # Talk would be a page of notes, too, and so would a move "in preparation" of who is not to move.
        assert not re.search(r'id="say"|action="/t/TABLE/talk"', "".join(sitting.served(0)[:2]))
        with pytest.raises(Refusal, match="E_NOTES: no written talk at this table"):
            tables.talk(sitting.id, sitting.tokens[0], "memo: a1 is the 10")
        idle = next(seat for seat in range(3) if seat not in tables.view(sitting.id, "nobody").acting)
        with pytest.raises(Refusal, match="E_ACTOR"):
            tables.draft(sitting.id, sitting.tokens[idle], "swap a1=10 memo", sitting.moves)
        sitting.swap("a1 b5")
    sitting.swap("c1 a5", "a2 b4", "b2 c4", "c2 a4", "a3 b3", "b1 c3", "c5 a1")
    assert tables.view(sitting.id, "nobody").over
    assert tables.note(sitting.id, sitting.tokens[0], "well played").status == "applied"
    assert tables.talk(sitting.id, sitting.tokens[0], "well played").status == "applied"


@pytest.mark.parametrize("memory", ["notes", "open"])
def test_notes_are_kept_where_the_table_plays_with_them(tables: Tables, memory: str) -> None:
    sitting = sit(tables, memory=memory)
    assert tables.note(sitting.id, sitting.tokens[0], "the 10 of b5 lies at a1").status == "applied"
    assert 'id="notes"' in sitting.served(0)[0]
    assert "lies at a1" in sitting.served(0)[0]
    assert "lies at a1" not in sitting.served(1)[0]


def test_a_table_waiting_for_people_takes_no_notes_either(tables: Tables) -> None:
    table = tables.create("anna", "dark_sources", [ChairRequest("you", "Anna"), ChairRequest("friend")], {}, "", "")
    with pytest.raises(Refusal, match="E_NOTES"):
        tables.note(table, "anna", "for later")


def test_the_page_says_when_it_must_not_be_kept(tables: Tables) -> None:
    for memory, kept in (("play", False), ("notes", False), ("open", True)):
        sitting = sit(tables, memory=memory)
        assert all('data-forgets=""' in html for html in sitting.served(0)[:2])
        sitting.swap("a1 b5")
        for viewer in (0, SPECTATOR):
            assert all(('data-forgets=""' in html) is kept for html in sitting.served(viewer)[:2])


def test_face_down_cards_are_all_alike(tables: Tables) -> None:
    sitting = sit(tables)
    sitting.swap(*ONE)
    html = sitting.served(0)[0]
    backs = {
        part.split("aria-label")[0].split("data-key")[0] for part in html.split('<span class="card bill back"')[1:]
    }
    assert len(backs) <= 1
    assert "a1, face down" in html


def test_bots_leave_a_swap_on_the_table_long_enough_to_be_read(
    asleep: None, tables: Tables, wait: Callable[[int], None]
) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random"), ChairRequest("bot", bot="random")]
    table = tables.create("anna", "dark_sources", chairs, {}, "", "")
    tables.submit(table, "anna", "swap a1 b5", 0, "move")
    for moves in (1, 2):
        for seconds in (0, READ_SECONDS - 1):
            wait(seconds)
            see_to_what_is_due(tables)
            assert tables.view(table, "anna").moves == moves, "somebody still reads it"
        wait(1)
        see_to_what_is_due(tables)
    assert tables.view(table, "anna").moves == 3
