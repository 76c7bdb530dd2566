"""What others did since one's last move: one deed a move, in order, and nothing that may not be told."""

import re

import pytest

from backroom.engine.game import find_game
from backroom.engine.match import Match
from backroom.web.page_check import table_view
from backroom.web.since import deeds, deeds_since, last_deeds
from backroom.web.table_page import render_table
from test_pages import random_match


@pytest.mark.parametrize("name", ["medici", "catham"])
def test_a_plate_tells_the_deed_and_not_what_came_of_it(name: str) -> None:
    """What a draw, a card put back or a forced discard follows is what the player did."""
    told = {line.deed for line in last_deeds(table_view(random_match(find_game(name), 5, 40), 0)).values()}
    assert told
    assert not any(deed.startswith(("drew", "put", "lacks")) for deed in told)


@pytest.mark.parametrize("name", ["medici", "catham", "corporation", "dark_sources"])
def test_a_move_has_one_deed_and_its_consequences(name: str) -> None:
    """Every line of a move is in the log's deeds once, in order, but for what was merely said."""
    view = table_view(random_match(find_game(name), 5, 40), 0)
    found = deeds(view)
    moves = [deed.move for deed in found]
    assert moves == sorted(set(moves))
    assert not any(deed.line.follows for deed in found)
    lines = [line for move, line in view.lines if move]
    assert sorted(map(id, lines)) == sorted(id(line) for deed in found for line in (deed.line, *deed.then))


def test_the_strip_has_what_others_did_since_ones_move() -> None:
    """Up to each decision of a match: after one's move nothing, then each deed of others once, the newest last."""
    game = find_game("catham")
    for ply in range(1, 30):
        match = random_match(game, 2, ply)
        if match.over:
            break
        for seat in range(len(match.names)):
            view = table_view(match, seat)
            own = max((number for number, move in enumerate(match.moves, 1) if move.seat == seat), default=0)
            told = [deed.move for deed in deeds_since(view)]
            assert told == [deed.move for deed in deeds(view) if deed.move > own]
            cells = [int(move) for move in re.findall(r'data-deed="(\d+)"', render_table(view))]
            assert cells == told


def test_where_all_decide_at_once_the_strip_begins_with_what_came_of_it() -> None:
    match = random_match(find_game("corporation"), 2, 9)
    told = deeds_since(table_view(match, 0))
    assert [deed.line.event.kind for deed in told][:1] == ["revealed"]
    assert {"scored"} <= {line.event.kind for line in told[0].then}


def test_talk_that_is_told_once_is_not_told_again() -> None:
    """With ``talk_log=once`` a claim is told until the next card is placed, out of sight and without a strip."""
    match = Match.new(find_game("corporation"), ["anna", "ben", "cleo"], {"talk_log": "once"}, 1)
    match.play(1, "claim 3")
    html = render_table(table_view(match, 0))
    assert "data-deed" in html
    assert re.search(r'class="sincebar[^>]* hidden', html)
    match.play(2, "card 1")
    match.play(0, "card 1")
    assert "data-deed" not in render_table(table_view(match, 0))


def test_a_swap_that_is_told_once_is_not_told_again() -> None:
    """With ``memory=play`` the last swap is there to be told, out of sight, and no older one."""
    game, seen = find_game("dark_sources"), 0
    for ply in range(1, 12):
        match = random_match(game, 4, ply, {"memory": "play"})
        if match.over:
            break
        for seat in range(len(match.names)):
            html = render_table(table_view(match, seat))
            cells = [int(move) for move in re.findall(r'data-deed="(\d+)"', html)]
            seen += len(cells)
            assert set(cells) <= {ply}
            assert not cells or re.search(r'class="sincebar[^>]* hidden', html)
    assert seen
