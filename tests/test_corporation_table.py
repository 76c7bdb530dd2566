"""Corporation at a table: nobody's card, nor any trace of it, reaches anybody else before the reveal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backroom.engine.game import Refusal, find_game
from backroom.engine.record import SPECTATOR
from backroom.engine.table import Draft
from backroom.games.corporation import table as page
from backroom.games.corporation.ledger import ledger
from backroom.tables.service import ChairRequest, Tables
from backroom.web.api import view_model
from backroom.web.table_page import render_table, render_text

NAMES = ("Anna", "Ben", "Cleo", "Dan")


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    opened = Tables.open(f"sqlite:///{tmp_path}/tables.sqlite3")
    yield opened
    opened.close()


class Sitting:
    """A table of people, each with a token."""

    def __init__(self, tables: Tables, **options: Any) -> None:
        self.tables = tables
        self.tokens = [f"{name}-{id(self)}" for name in NAMES]
        chairs = [ChairRequest("you", NAMES[0])] + [ChairRequest("friend")] * (len(NAMES) - 1)
        self.id = tables.create(self.tokens[0], "corporation", chairs, options, "", "")
        for number, name in enumerate(NAMES[1:], 1):
            invite = tables.view(self.id, self.tokens[0]).chairs[number].invite
            tables.sit(self.id, self.tokens[number], invite, name)
        self.moves = 0

    def play(self, seat: int, text: str) -> None:
        ply = self.tables.view(self.id, self.tokens[seat]).ply
        self.moves += 1
        self.tables.submit(self.id, self.tokens[seat], text, ply, f"move {self.moves}")

    def served(self, viewer: int) -> tuple[Any, ...]:
        """All that a browser is served: page, text page, JSON, and what the stream tells."""
        token = self.tokens[viewer] if viewer != SPECTATOR else "nobody"
        view = self.tables.view(self.id, token)
        json = view_model(view).model_dump()
        # Different for each table whatever is played: its address, its secrets, and what is hashed with them.
        for name in ("table", "link", "commitment", "chairs"):
            del json[name]
        html = [text.replace(self.id, "TABLE") for text in (render_table(view), render_text(view))]
        return *html, json, self.tables.pulse(self.id, token, present=False)


def test_no_trace_of_a_placed_card_is_served(tables: Tables) -> None:
    one, two = Sitting(tables), Sitting(tables)
    for seat, (first, second) in enumerate([("7", "10"), ("1", "1"), ("3", "5")]):
        one.play(seat, f"card {first}")
        two.play(seat, f"card {second}")
        for viewer in (*range(len(NAMES)), SPECTATOR):
            own = viewer in (0, 2) and viewer <= seat
            assert (one.served(viewer) == two.served(viewer)) is not own, f"viewer {viewer} after seat {seat}"
    one.play(3, "card 10")
    two.play(3, "card 10")
    assert one.served(1) != two.served(1)


def test_a_card_in_preparation_is_served_to_its_seat_alone(tables: Tables) -> None:
    sitting = Sitting(tables)
    before = [sitting.served(viewer) for viewer in (1, 2, 3, SPECTATOR)]
    tables.draft(sitting.id, sitting.tokens[0], "card 7")
    assert [sitting.served(viewer) for viewer in (1, 2, 3, SPECTATOR)] == before
    assert 'value="card 7"' in sitting.served(0)[0]


def test_placing_shows_that_it_was_done(tables: Tables) -> None:
    sitting = Sitting(tables)
    assert sitting.served(1)[0].count('aria-label="card placed"') == 0
    sitting.play(0, "card 7")
    for viewer in (0, 1, SPECTATOR):
        assert sitting.served(viewer)[0].count('aria-label="card placed"') == 1


def test_answers_that_cross_both_count(tables: Tables) -> None:
    """All decided at the same ply: a card placed meanwhile, or a message, makes nobody's card stale."""
    sitting = Sitting(tables)
    ply = tables.view(sitting.id, sitting.tokens[0]).ply
    tables.talk(sitting.id, sitting.tokens[3], "all together", "talk 1")
    for seat, token in enumerate(sitting.tokens):
        assert tables.submit(sitting.id, token, "card 7", ply, f"id {seat}").status == "applied"
    view = tables.view(sitting.id, sitting.tokens[0])
    assert view.record.table[:4].tolist() == [7, 7, 7, 7]
    with pytest.raises(Refusal, match="E_STALE"):
        tables.submit(sitting.id, sitting.tokens[0], "card 3", ply, "late")


def test_talk_is_a_message_of_the_match(tables: Tables) -> None:
    sitting = Sitting(tables, talk_limit=2)
    token = sitting.tokens[1]
    assert tables.talk(sitting.id, token, "Seven, anyone?", "a").message == "say Seven, anyone?"
    assert tables.talk(sitting.id, token, "Seven, anyone?", "a").status == "already applied"
    sitting.play(1, "claim 7")
    with pytest.raises(Refusal, match="E_TALK"):
        tables.talk(sitting.id, token, "too much", "b")
    told = [line.text for _, line in tables.view(sitting.id, "nobody").lines]
    assert told == ["Ben: Seven, anyone?", "Ben claims 7"]
    html = sitting.served(0)[0]
    assert "Seven, anyone?" in html
    assert "<b>claims 7</b>" in html


def test_what_is_said_is_never_markup(tables: Tables) -> None:
    sitting = Sitting(tables)
    tables.talk(sitting.id, sitting.tokens[1], "<script>alert(1)</script> & {{ 7 }}", "a")
    for text in sitting.served(0)[:2]:
        assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ 7 }}" in sitting.served(0)[0]


def test_no_talk_where_it_is_off(tables: Tables) -> None:
    sitting = Sitting(tables, talk="off")
    with pytest.raises(Refusal, match="E_TALK"):
        tables.talk(sitting.id, sitting.tokens[0], "psst", "a")
    html = sitting.served(0)[0]
    assert "Nobody talks at this table" in html
    assert 'value="claim 7"' not in html


def test_looking_back_is_free_but_for_what_was_said_once(tables: Tables) -> None:
    kept, once = Sitting(tables), Sitting(tables, talk_log="once")
    for sitting in (kept, once):
        sitting.play(0, "claim 7")
        sitting.play(0, "card 7")
    assert tables.view(kept.id, kept.tokens[1], 1).move == 1
    with pytest.raises(Refusal, match="E_PLY"):
        tables.view(once.id, once.tokens[1], 1)
    assert "claims 7" not in once.served(1)[0]
    assert "claims 7" in kept.served(1)[0]


def test_the_round_is_told_to_each_in_the_second_person(tables: Tables) -> None:
    sitting = Sitting(tables)
    for cards in ((5, 5, 1, 3), (7, 7, 7, 10)):
        for seat, card in enumerate(cards):
            sitting.play(seat, f"card {card}")
    game, match_view = find_game("corporation"), tables.view(sitting.id, sitting.tokens[2]).record
    scene = page.scene(match_view, 2, NAMES, Draft(game, match_view, 2, NAMES))
    assert scene.sentence.startswith("You spoilt it.")
    assert [step["text"] for step in scene.drawn["story"]] == [
        "Anna and Ben all laid 7. So did you, from outside: no reward. It would have been 14 each.",
        "Dan is the only one on 10.",
        "You, Anna and Ben met on 7: the corporation of the seven, worth up to 10 × 3 = 30 each next time.",
    ]
    assert [step["gain"] for step in scene.drawn["story"]] == ["0", "+10", "3"]
    assert [(group["title"], [note for _, _, note in group["people"]]) for group in scene.drawn["met"]] == [
        ("Three on 7", ["member", "member", "came along"]),
        ("Alone on 10", [""]),
    ]


def test_the_ledger_has_room_for_all() -> None:
    crowd = ledger([40, 49, 55, 58, 62, 66, 71, 74, 83, 91], [0] * 10, 150)
    places: dict[tuple[int, bool], float] = {}
    for run in crowd["runs"]:
        lane, at = (run["level"], run["up"]), float(run["at"].rstrip("%"))
        assert at - places.get(lane, -99) > 2.9, "two marks lie on each other"
        places[lane] = at
    assert [value for value, _ in crowd["ticks"]] == [0, 25, 50, 75, 100, 125, 150]
    assert ledger([0, 0, 0], [0, 0, 0], 10)["runs"][0]["seats"] == [0, 1, 2]
    beyond = ledger([160, 20, 20], [20, 20, 0], 150)
    assert beyond["runs"][-1]["at"] == "100.00%"
    assert beyond["ticks"][-1] == (150, "93.75%")
    for target in range(10, 1001):
        ticks = [value for value, _ in ledger([0, 0, 0], [0, 0, 0], target)["ticks"]]
        assert ticks == sorted(set(ticks))
        assert 3 <= len(ticks) <= 8
