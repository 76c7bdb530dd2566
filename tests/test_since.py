"""What others did since one's last move: one deed a move, in order, and nothing that may not be told."""

import pytest

from backroom.engine.game import find_game
from backroom.web.page_check import table_view
from backroom.web.since import deeds, last_deeds
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
