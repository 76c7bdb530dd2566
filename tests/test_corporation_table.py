"""Corporation at a table: nobody's card, nor any trace of it, reaches anybody else before the reveal."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape

from backroom.engine.game import Refusal, find_game
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.games.corporation import table as page
from backroom.games.corporation.ledger import ledger, standings
from backroom.scenes.draft import Draft
from backroom.scenes.plot import step_plot
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from sittings import Sitting

NAMES = ("Anna", "Ben", "Cleo", "Dan")


@pytest.fixture
def tables(still_clock: int, tables: Tables) -> Tables:
    return tables


def sit(tables: Tables, **options: Any) -> Sitting:
    return Sitting(tables, "corporation", NAMES, **options)


def place(sitting: Sitting, *cards: int) -> None:
    """A round: all place in seat order."""
    for seat, card in enumerate(cards):
        sitting.play(seat, f"card {card}")


def test_no_trace_of_a_placed_card_is_served(tables: Tables) -> None:
    one, two = sit(tables), sit(tables)
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
    sitting = sit(tables)
    before = [sitting.served(viewer) for viewer in (1, 2, 3, SPECTATOR)]
    tables.draft(sitting.id, sitting.tokens[0], "card 7", 0)
    assert [sitting.served(viewer) for viewer in (1, 2, 3, SPECTATOR)] == before
    assert 'value="card 7"' in sitting.served(0)[0]


def test_placing_shows_that_it_was_done(tables: Tables) -> None:
    sitting = sit(tables)
    assert sitting.served(1)[0].count('aria-label="card placed"') == 0
    sitting.play(0, "card 7")
    for viewer in (0, 1, SPECTATOR):
        assert sitting.served(viewer)[0].count('aria-label="card placed"') == 1


def test_answers_that_cross_both_count(tables: Tables) -> None:
    """All decided after the same entry: a card placed meanwhile, or a message, makes nobody's card stale."""
    sitting = sit(tables)
    entry = tables.view(sitting.id, sitting.tokens[0]).entry
    tables.talk(sitting.id, sitting.tokens[3], "all together", "talk 1")
    for seat, token in enumerate(sitting.tokens):
        assert tables.submit(sitting.id, token, "card 7", entry, f"id {seat}").status == "applied"
    view = tables.view(sitting.id, sitting.tokens[0])
    assert view.record.table[:4].tolist() == [7, 7, 7, 7]
    with pytest.raises(Refusal, match="E_STALE"):
        tables.submit(sitting.id, sitting.tokens[0], "card 3", entry, "late")


def test_talk_is_a_message_of_the_match(tables: Tables) -> None:
    sitting = sit(tables, talk_limit=2)
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
    sitting = sit(tables)
    tables.talk(sitting.id, sitting.tokens[1], "<script>alert(1)</script> & {{ 7 }}", "a")
    for text in sitting.served(0)[:2]:
        assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; {{ 7 }}" in sitting.served(0)[0]


def test_no_talk_where_it_is_off(tables: Tables) -> None:
    sitting = sit(tables, talk="off")
    with pytest.raises(Refusal, match="E_TALK"):
        tables.talk(sitting.id, sitting.tokens[0], "psst", "a")
    html = sitting.served(0)[0]
    assert "Nobody talks at this table" in html
    assert 'value="claim 7"' not in html


def test_looking_back_is_free_but_for_what_was_said_once(tables: Tables) -> None:
    kept, once = sit(tables), sit(tables, talk_log="once")
    for sitting in (kept, once):
        sitting.play(0, "claim 7")
        sitting.play(0, "card 7")
    assert tables.view(kept.id, kept.tokens[1], 1).move == 1
    with pytest.raises(Refusal, match="E_PLY"):
        tables.view(once.id, once.tokens[1], 1)
    assert "claims 7" not in once.served(1)[0]
    assert "claims 7" in kept.served(1)[0]


def test_the_round_is_told_to_each_in_the_second_person(tables: Tables) -> None:
    sitting = sit(tables)
    for cards in ((5, 5, 1, 3), (7, 7, 7, 10)):
        for seat, card in enumerate(cards):
            sitting.play(seat, f"card {card}")
    game, match_view = find_game("corporation"), tables.view(sitting.id, sitting.tokens[2]).record
    scene = page.scene(match_view, 2, NAMES, Draft(game, match_view, 2, NAMES))
    assert scene.sentence.startswith("You spoilt it.")
    assert [step["line"].text for step in scene.drawn["story"]] == [
        "Anna and Ben both laid 7. So did you, from outside: no reward. It would have been 14 each.",
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
    assert [value for value, _ in crowd["ticks"]] == [0, 25, 50, 75, 100, 125, 150]
    assert ledger([0, 0, 0], [0, 0, 0], 10)["runs"][0]["seats"] == [0, 1, 2]
    beyond = ledger([160, 20, 20], [20, 20, 0], 150)
    assert beyond["runs"][-1]["at"] == "100.00%"
    assert beyond["ticks"][-1] == (150, "93.75%")
    for target in range(10, 1001):
        ticks = [value for value, _ in ledger([0, 0, 0], [0, 0, 0], target)["ticks"]]
        assert ticks == sorted(set(ticks))
        assert 3 <= len(ticks) <= 8


@pytest.mark.parametrize(
    "scores",
    [
        [40, 49, 55, 58, 62, 66, 71, 74, 83, 91],
        [20, 15, 20, 20, 20],
        [0] * 10,
        [150, 149, 150, 149, 148, 150, 147, 146, 150, 150],
        [0, 1, 0, 1, 0, 1, 0, 1, 2, 2],
    ],
)
def test_each_mark_stands_at_its_value_and_on_no_other(scores: list[int]) -> None:
    told = ledger(scores, [0] * len(scores), 150)
    assert sorted(seat for run in told["runs"] for seat in run["seats"]) == list(range(len(scores)))
    boxes = []
    for run in told["runs"]:
        at, half = float(run["at"].rstrip("%")), 3.5 * run["columns"]
        assert at == pytest.approx(100 * run["score"] / 150, abs=0.01)
        assert {scores[seat] for seat in run["seats"]} == {run["score"]}
        assert run["columns"] <= 2
        assert run["rows"] * run["columns"] >= len(run["seats"])
        top = run["skip"] + run["rows"]
        assert top <= told["below" if run["under"] else "above"]
        boxes.append((run["under"], at - half, at + half, run["skip"], top))
    for one, other in itertools.combinations(boxes, 2):
        apart = one[2] <= other[1] + 0.01 or other[2] <= one[1] + 0.01 or one[4] <= other[3] or other[4] <= one[3]
        assert one[0] is not other[0] or apart, (one, other)


@pytest.mark.parametrize(
    ("cards", "smalls"),
    [
        ((5, 5, 5, 1), ["all three on one other card, and nobody else: value × 3 each"]),
        ((5, 5, 7, 7, 1), ["value × 2 each", "value × 2 each"]),
        ((5, 5, 5, 1, 3, 7), ["value × 3 each"]),
    ],
)
def test_crowded_tables_are_short_of_words(cards: tuple[int, ...], smalls: list[str]) -> None:
    names = [f"p{seat}" for seat in range(len(cards))]
    match = Match.new("corporation", names, seed=1)
    for seat, card in enumerate(cards):
        match.play(seat, f"card {card}")
    view = match.view(0)
    firms = page.scene(view, 0, names, Draft(match.game, view, 0, names)).drawn["firms"]
    assert [firm["small"] for firm in firms if not firm["alone"]] == smalls


# What was said, and what may still be said


def told_said(html: str) -> dict[str, str]:
    """The table of what was said and played: the words by player."""
    return dict(re.findall(r'<tr><th scope="row"><svg[^>]*>.*?</svg>(\w+)</th><td>([^<]*)</td><td>\d+</td></tr>', html))


def test_asks_are_told_with_what_was_played(tables: Tables) -> None:
    sitting = sit(tables)
    sitting.play(1, "ask Cleo 7")
    place(sitting, 1, 3, 5, 7)
    assert told_said(sitting.served(0)[0]) == {
        "You": "nothing",
        "Ben": "asked Cleo for 7",
        "Cleo": "nothing",
        "Dan": "nothing",
    }
    assert told_said(sitting.served(2)[0])["Ben"] == "asked you for 7"
    sitting.play(0, "claim 10")
    sitting.play(0, "ask Dan 10")
    sitting.play(0, "ask Ben 3")
    sitting.play(0, "ask Ben 3")
    tables.talk(sitting.id, sitting.tokens[3], " asks Ben for 5", "typed")
    place(sitting, 10, 3, 5, 7)
    assert told_said(sitting.served(SPECTATOR)[0]) == {
        "Anna": "claimed 10, asked Dan for 10, asked Ben for 3",
        "Ben": "nothing",
        "Cleo": "nothing",
        "Dan": "nothing",
    }
    place(sitting, 5, 5, 3, 1)
    assert "What was said, what was played" not in sitting.served(0)[0]


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        (0, "no messages are allowed at this table (talk_limit = 0)"),
        (1, "you have had your one message of this round"),
        (2, "you have had your 2 messages of this round"),
    ],
)
def test_talk_that_is_not_possible_now_says_why(tables: Tables, limit: int, why: str) -> None:
    sitting = sit(tables, talk_limit=limit)
    for _ in range(limit):
        assert why not in sitting.served(0)[0]
        assert 'name="move" value="claim 7"' in sitting.served(0)[0]
        sitting.play(0, "claim 7")
    html = sitting.served(0)[0]
    assert f"Not now: {why}." in html
    for key in ("claim-7", "say"):
        assert re.search(rf'<button type="button"[^>]*aria-disabled="true"[^>]*data-key="{key}"', html)
    assert 'name="move" value="claim 7"' not in html
    assert 'data-key="ask"' not in html
    with pytest.raises(Refusal) as refused:
        sitting.play(0, "claim 7")
    assert refused.value.message == why
    place(sitting, 1, 3, 5, 7)
    assert (why in sitting.served(0)[0]) is (limit == 0)


def test_what_was_said_in_rounds_that_are_over_is_marked(tables: Tables) -> None:
    sitting = sit(tables)
    sitting.play(0, "claim 7")
    tables.talk(sitting.id, sitting.tokens[1], "hm", "hm")
    assert "<time>round" not in sitting.served(2)[0]
    place(sitting, 7, 7, 1, 3)
    sitting.play(1, "claim 10")
    said = re.findall(r'class="(claim)?( old)?"><svg.*?<b>(\w+)</b>(?:<time>(.*?)</time>)?', sitting.served(2)[0])
    assert said == [("claim", "", "Ben", ""), ("", " old", "Ben", "round 1"), ("claim", " old", "Anna", "round 1")]


def test_a_bot_with_a_card_that_nobody_has_is_refused(tables: Tables) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("bot", bot="fixed:4"), ChairRequest("friend")]
    with pytest.raises(Refusal, match="E_BOT: bot 'fixed:4': nobody has a 4; the cards are 1 3 5 7 10"):
        tables.create("anna", "corporation", chairs)
    with pytest.raises(Refusal, match="nobody has a 4; the cards are 1 2 3"):
        tables.create("anna", "corporation", chairs, {"cards": "ranks"})
    assert tables.create("anna", "corporation", [*chairs, ChairRequest("friend")], {"cards": "ranks"})
    table = tables.create("anna", "corporation", [chairs[0], chairs[2], chairs[2]])
    with pytest.raises(Refusal, match="nobody has a 4"):
        tables.seat_bot(table, "anna", 1, "fixed:4")
    assert tables.seat_bot(table, "anna", 1, "fixed:5").status == "applied"


def test_ones_own_turn_begins_the_title(tables: Tables) -> None:
    sitting = sit(tables)
    assert "<title>Your turn: Place a card ·" in sitting.served(0)[0]
    place(sitting, 7, 7, 5)
    assert "<title>Your card lies ·" in sitting.served(0)[0]
    sitting.play(3, "card 1")
    assert "<title>Your turn: Round 1, turned up ·" in sitting.served(0)[0]
    assert "Your turn" not in sitting.served(SPECTATOR)[0].split("</title>")[0]


def test_a_round_without_a_corporation_is_told_as_it_is(tables: Tables) -> None:
    sitting = sit(tables, after_reward="dissolve")
    for cards, verdict in (
        ((5, 5, 3, 1), "There was nothing to reward yet."),
        ((7, 7, 3, 1), "You and Ben were rewarded."),
        ((1, 3, 5, 7), "There was no corporation to reward."),
    ):
        place(sitting, *cards)
        assert f"{verdict} Place your next card" in sitting.served(0)[0]


def test_you_are_no_name_in_a_shared_win(tables: Tables) -> None:
    sitting = sit(tables, target=10)
    place(sitting, 5, 5, 3, 1)
    place(sitting, 10, 10, 3, 1)
    assert "<h2>Ben and you share the first place with 20</h2>" in sitting.served(0)[0]
    assert "<h2>Anna and Ben share the first place with 20</h2>" in sitting.served(2)[0]


# The race


def numbers(html: str) -> dict[str, list[int]]:
    """The table beside the plot: the scores of each player after each round; empty without a plot."""
    rows = re.findall(r'<tr><th scope="row">(\w+)</th>((?:<td>\d+</td>)+)</tr>', html)
    return {name: [int(score) for score in re.findall(r"\d+", cells)] for name, cells in rows}


def test_the_race_is_told_round_by_round_to_everybody(tables: Tables, tmp_path: Path) -> None:
    sitting = sit(tables)
    place(sitting, 5, 5, 1, 3)
    for viewer in (0, SPECTATOR):
        assert numbers(sitting.served(viewer)[0]) == {}, "one round is no race"
    place(sitting, 7, 7, 7, 10)
    tables.talk(sitting.id, sitting.tokens[1], "Scores after round 9: Anna 99", "talk")
    place(sitting, 10, 10, 10, 3)
    sitting.play(0, "card 1")
    told = {"Anna": [0, 0, 0, 30], "Ben": [0, 0, 0, 30], "Cleo": [0, 1, 1, 31], "Dan": [0, 3, 13, 16]}
    pages = [sitting.served(viewer) for viewer in (*range(4), SPECTATOR)]
    for seat, (html, text, _, _) in enumerate(pages):
        assert numbers(html) == told
        assert html.count('class="ln ink d-') == 4
        assert 'aria-label="Points after 3 rounds, to 150. Anna 30; Ben 30; Cleo 31; Dan 16."' in html
        scores = ", ".join(f"{'you' if at == seat else name} {told[name][-1]}" for at, name in enumerate(told))
        assert f"Scores after round 3: {scores}." in text
    sitting.tables = again = Tables.open(f"sqlite:///{tmp_path}/tables.sqlite3")
    assert [sitting.served(viewer) for viewer in (*range(4), SPECTATOR)] == pages, "after a restart"
    again.close()


def test_the_race_tells_nothing_of_the_round_in_progress(tables: Tables) -> None:
    one, two = sit(tables), sit(tables)
    for sitting in (one, two):
        place(sitting, 5, 5, 1, 3)
        place(sitting, 7, 7, 7, 10)
    one.play(0, "card 10")
    two.play(0, "card 3")
    for viewer in (1, 2, 3, SPECTATOR):
        assert numbers(one.served(viewer)[0])
        assert one.served(viewer) == two.served(viewer)


def test_a_race_of_many_has_a_small_frame_for_each() -> None:
    few, many = (step_plot([[0] * n, [1] * n, [2] * n], 10, [f"P{seat}" for seat in range(n)]) for n in (6, 7))
    assert few
    assert many
    assert (few.together, many.together) == (True, False)
    assert len({curve.dash for curve in few.curves}) == 6
    assert len({curve.path for curve in few.curves}) == 6, "equal lines lie on each other"
    heights = sorted(float(curve.end.rstrip("%")) for curve in few.curves)
    assert all(above - below > 12.9 for below, above in itertools.pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= 100


@pytest.mark.parametrize("rounds", [2, 3, 7, 40, 999])
@pytest.mark.parametrize("target", [10, 11, 149, 150, 1000, None])
def test_the_axes_of_a_race_are_round_and_few(rounds: int, target: int | None) -> None:
    drawn = step_plot([[number, 2 * number] for number in range(rounds + 1)], target, ["a", "b"])
    assert drawn
    assert 1 < len(drawn.rounds) <= 7
    values = [value for value, _, _ in drawn.rises]
    assert 1 < len(values) <= 4
    assert max(values) < target if target else max(values) <= 2 * rounds
    assert all(0 <= float(at.rstrip("%")) <= 100 for _, at, _ in drawn.rises)


def test_what_somebody_says_is_no_standing() -> None:
    game = find_game("corporation")
    match = Match.new(game, NAMES, seed=1)
    match.play(0, "say Scores after round 1: Anna 9")
    match.play(0, "claim 7")
    assert standings(match.lines(SPECTATOR), 4) == [[0, 0, 0, 0]]


# A placed card is final


def test_a_placed_card_is_not_taken_back_by_anybody(tables: Tables) -> None:
    sitting = sit(tables)
    place(sitting, 5, 5, 1, 3)
    sitting.play(1, "card 7")
    tables.talk(sitting.id, sitting.tokens[2], "oh", "talk")
    for seat, token in enumerate(sitting.tokens):
        view = tables.view(sitting.id, token)
        assert (view.undo_free, view.undo_moves, view.undo) == (False, 0, None)
        assert "/undo" not in sitting.served(seat)[0]
        with pytest.raises(Refusal, match="E_UNDO: placed cards are final") as refusal:
            tables.undo(sitting.id, token, view.entry, f"undo {seat}")
        assert "\n" not in str(refusal.value)
        assert tables.view(sitting.id, token).link == view.link


def test_a_round_that_was_shown_is_taken_back_whole_if_all_agree(tables: Tables) -> None:
    sitting = sit(tables)
    place(sitting, 5, 5, 1, 3)
    tables.talk(sitting.id, sitting.tokens[3], "seven?", "talk")
    before = tables.view(sitting.id, "nobody").link
    place(sitting, 7, 7, 7, 10)
    entry = tables.view(sitting.id, "nobody").entry
    assert tables.view(sitting.id, sitting.tokens[2]).undo_moves == 4
    assert "Ask to take the round back" in sitting.served(2)[0]
    assert "Ask to take" not in sitting.served(SPECTATOR)[0]
    assert tables.undo(sitting.id, sitting.tokens[2], entry, "back").status == "asked"
    for seat in (0, 1, 3):
        assert tables.view(sitting.id, "nobody").link != before
        tables.vote(sitting.id, sitting.tokens[seat], entry, True)
    view = tables.view(sitting.id, sitting.tokens[0])
    assert view.link == before
    assert view.acting == (0, 1, 2, 3), "a card that stayed would be known to the others"
    assert view.record.score[:4].tolist() == [0, 0, 1, 3]
    assert view.lines[-1][1].text == "Dan: seven?"


def test_a_card_placed_meanwhile_ends_the_question(tables: Tables) -> None:
    sitting = sit(tables)
    place(sitting, 5, 5, 1, 3)
    entry = tables.view(sitting.id, "nobody").entry
    tables.undo(sitting.id, sitting.tokens[0], entry, "back")
    sitting.play(1, "card 7")
    assert tables.view(sitting.id, sitting.tokens[2]).undo is None
    with pytest.raises(Refusal, match="E_UNDO"):
        tables.vote(sitting.id, sitting.tokens[2], entry, True)


# What is said is kept as typed

SAID = "two  blanks,\ta tab,   THREE  and <b>ünïcode</b> ✓"


def test_what_is_said_is_kept_as_typed_in_every_way(tables: Tables, tmp_path: Path) -> None:
    sitting = sit(tables)
    tables.talk(sitting.id, sitting.tokens[0], f"  {SAID} ", "a")
    sitting.play(1, f"  SAY   {SAID}  ")
    tables.talk(sitting.id, sitting.tokens[0], "claim   7", "b")
    sitting.play(2, "  claim    7 ")
    told = [f"Anna: {SAID}", f"Ben: {SAID}", "Anna: claim   7", "Cleo claims 7"]
    for viewer in (0, 3, SPECTATOR):
        html, text, json, _ = sitting.served(viewer)
        assert [line["text"] for line in json["lines"]] == [
            line.replace("Anna", "You") if viewer == 0 else line for line in told
        ]
        assert html.count(f'<q dir="auto">{escape(SAID)}</q>') == 2
        assert text.count(str(escape(SAID))) >= 2
    again = Tables.open(f"sqlite:///{tmp_path}/tables.sqlite3")
    assert [line.text for _, line in again.view(sitting.id, "nobody").lines] == told
    again.close()


def test_what_is_said_survives_a_match_file_and_an_example() -> None:
    game = find_game("corporation")
    match = Match.new(game, NAMES, seed=1)
    match.play(0, f"say {SAID}")
    again = Match.loads(match.dumps())
    assert again.chain == match.chain
    assert again.moves[0].text == f"say {SAID}"
    (example,) = game.notation.examples(game, "X1 | A:0 B:0 C:0\n! A say two  blanks, and  E_OVER as a word -\n")
    assert example.check() == []


@pytest.mark.parametrize("text", ["one\ntwo", "one\r\ntwo", "one\u2028two", "one\x0btwo"])
def test_a_message_is_one_line(tables: Tables, text: str) -> None:
    sitting = sit(tables)
    for say in (lambda: tables.talk(sitting.id, sitting.tokens[0], text, "a"), lambda: sitting.play(0, f"say {text}")):
        with pytest.raises(Refusal, match=r"E_SYNTAX|E_TEXT"):
            say()
    assert tables.view(sitting.id, "nobody").lines == ()
    with pytest.raises(Refusal, match="E_SYNTAX: a message is one line"):
        Match.new("corporation", NAMES, seed=1).play(0, f"say {text}")


def test_a_text_in_the_move_box_stays_as_it_is_while_it_cannot_be_read() -> None:
    game = find_game("corporation")
    view = Match.new(game, NAMES, seed=1).view(0)
    assert Draft(game, view, 0, NAMES, "say  two  blanks").text == "say  two  blanks"
    assert Draft(game, view, 0, NAMES, "card   7").text == "card 7"
