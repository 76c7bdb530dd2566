"""What a browser is given for its record of a match that is over."""

import json

import pytest

from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.record import record_of
from backroom.web.table_page import render_table
from sittings import ANNA, EVE, Sitting, first_move, play, see_to_what_is_due


def test_it_is_for_who_played_and_tells_how_it_ended(tables: Tables) -> None:
    sitting = Sitting(tables, "corporation", ("Anna", "Ben", "Cleo"), target=10)
    assert record_of(tables.view(sitting.id, sitting.tokens[0])) == "", "it goes on"
    for seat, card in enumerate((1, 10, 1)):
        sitting.play(seat, f"card {card}")
    kept = json.loads(record_of(tables.view(sitting.id, sitting.tokens[0])))
    assert (kept["table"], kept["game"], kept["place"], kept["of"], kept["moves"]) == (
        sitting.id,
        "corporation",
        2,
        3,
        3,
    )
    assert [(other["name"], other["place"], other["level"]) for other in kept["others"]] == [
        ("Ben", 1, ""), ("Cleo", 2, ""),
    ]  # fmt: skip
    assert json.loads(record_of(tables.view(sitting.id, sitting.tokens[1])))["place"] == 1
    watching = tables.view(sitting.id, EVE)
    assert record_of(watching) == ""
    assert 'data-record=""' in render_table(watching)
    assert record_of(tables.view(sitting.id, sitting.tokens[0], 1, 1)) == "", "a replay from another chair"


@pytest.mark.usefixtures("asleep")
def test_bots_have_their_level_and_regulars_their_key_and_what_is_tried_out_does_not_count(tables: Tables) -> None:
    bots = [ChairRequest("bot", bot="lena:even"), ChairRequest("bot", "Max", bot="random")]
    table = tables.create(ANNA, "corporation", [ChairRequest("you", "Anna"), *bots], {"target": 10})

    def finish(table: str) -> str:
        while not (view := tables.view(table, ANNA)).over:
            if view.your_turn:
                play(tables, table, ANNA, first_move(view))
            see_to_what_is_due(tables)
        return record_of(view)

    tried = tables.play_on(table, ANNA, 0)
    assert finish(tried) == ""
    others = json.loads(finish(table))["others"]
    assert [(other["name"], other["level"], other["regular"]) for other in others] == [
        ("Lena", "even", "lena"), ("Max", "random", ""),
    ]  # fmt: skip
