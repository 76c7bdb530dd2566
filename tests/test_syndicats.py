"""Tests of Syndicats that its worked examples do not hold: decks, the keeper, limits, and whole games."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroom.cli import app
from backroom.engine.game import CAPPED, Refusal
from backroom.engine.match import Match
from backroom.engine.notation import play_on_view
from backroom.engine.record import ALL_KNOWING
from backroom.games.syndicats import GAME
from backroom.games.syndicats.cards import read_deck
from backroom.games.syndicats.facts import SMALL_DECK
from backroom.games.syndicats.sheet import sheet

NAMES = ("anna", "ben", "cleo")
PRINTED = Path(__file__).parents[1] / "src/backroom/games/syndicats/cards.toml"


def play_defaults(match: Match, moves: int) -> None:
    for _ in range(moves):
        if match.over:
            return
        seat = match.acting[0]
        match.play_actions(seat, match.default_actions(seat))


# Decks


FAULTS = {
    "an unknown letter": ('cat="R"', 'cat="Q"', r"card scratch, cat: 'Q'"),
    "a repeated id": ('id="twitch"', 'id="scratch"', "id scratch: stands twice"),
    "a negative number": ("place=2", "place=-2", "card twitch, place: -2"),
    "a missing field": (", upkeep=0", "", "card scratch: the field upkeep is missing"),
    "an unknown field": ("upkeep=0", "upkeep=0, colour=1", "there is no field 'colour'"),
    "no usable side": (
        'cat="R", special="", house="No. 7, This Street"',
        'cat="", special="", house=""',
        "card scratch",
    ),
    "an id with blanks": ('id="scratch"', 'id="scratch me"', "card 1, id: 'scratch me'"),
    "a word of moves": ('id="scratch"', 'id="none"', "'none'"),
    "a demand without arrow": ("XX->4", "XX-4", "card scratch, trash"),
    "a name that deceives": ("No. 7, This Street", "No. 7\\u202e", "card scratch, house: U\\+202E"),
    "a name with a line end": ("No. 7, This Street", "No. 7\\n", "card scratch, house"),
    "an unknown group": ('group="core"', 'group="cores"', "card scratch, group"),
    "an unknown special": ('special="copycat"', 'special="copy"', "card ditto, special"),
    "another schema": ("syndicats-deck/1", "syndicats-deck/2", "schema"),
    "another letter of colours": ('X="grey"', 'X="grey", Y="blue"', "colours"),
    "too many copies": ("place=1, upkeep=0}", "place=1, upkeep=0, copies=99}", "156 .*108"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_deck_with_a_fault_is_refused_with_its_line_and_field(fault: str) -> None:
    old, new, said = FAULTS[fault]
    text = PRINTED.read_text("utf-8")
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(Refusal, match=said) as problem:
        GAME.options.build({"deck": text.replace(old, new, 1)})
    assert problem.value.code == "E_DECK_FILE"
    assert "\n" not in problem.value.message
    if fault != "too many copies":
        assert f"line {line}, " in problem.value.message


def test_lines_are_found_where_rows_have_headings_of_their_own() -> None:
    inline, rest = SMALL_DECK.split("card = [\n")[0], SMALL_DECK.split("card = [\n")[1].split("]\n", 1)[1]
    row = '[[card]] # {\nid = "paw"\nname = "]{"\ngroup = "core"\ncat = "Q"\nspecial = ""\nhouse = ""\n'
    text = f'{inline}{rest}\n{row}trash = ""\nkeep = ""\nplace = 0\nupkeep = 0\n'
    with pytest.raises(Refusal) as problem:
        read_deck(text)
    assert problem.value.message.startswith(f"line {text[: text.index('[[card]]')].count(chr(10)) + 1}, card paw, cat")


def test_too_few_kittens_are_refused_for_more_players() -> None:
    text = SMALL_DECK.replace('  {id="dot"', '#  {id="dot"').replace('  {id="eve"', '#  {id="eve"')
    assert Match.new(GAME, NAMES, {"deck": text}).names == NAMES
    with pytest.raises(Refusal, match="E_DECK_FILE: kitten: 3 rows for 4 players"):
        Match.new(GAME, (*NAMES, "dan"), {"deck": text})


def test_the_name_of_a_file_is_no_deck() -> None:
    with pytest.raises(Refusal, match=r"E_DECK_FILE.*the text of a deck file is wanted, not its name"):
        GAME.options.build({"deck": str(PRINTED)})


ELSEWHERE = """
import json, sys
from backroom.engine.match import Match
from backroom.engine.notation import play_on_view
from backroom.engine.record import ALL_KNOWING
from backroom.games.syndicats import GAME

text, position = json.load(sys.stdin)
told = [line.text for _, line in Match.loads(text).lines(0)]
print(json.dumps([GAME.notation.position(*GAME.notation.parse_position(GAME, position), ALL_KNOWING), told]))
"""


def test_a_match_with_an_own_deck_replays_in_another_process() -> None:
    match = Match.new(GAME, NAMES, {"deck": SMALL_DECK}, seed=3)
    play_defaults(match, 30)
    position = GAME.notation.position(match.state, match.names, ALL_KNOWING)
    told = [line.text for _, line in match.lines(0)]
    assert any("Paw Shop" in line or "Tip Top" in line for line in told)
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=json.dumps([match.dumps(), position]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    assert json.loads(done.stdout) == [position, told]


@pytest.mark.parametrize("text", ["", SMALL_DECK, SMALL_DECK.replace('name="Paw"', 'name="Лапа"')])
def test_a_deck_is_printed_with_the_backs_of_each_page(text: str) -> None:
    pdf, pages, missing = sheet(text)
    deck = read_deck(text)
    cards = sum(map(len, (deck.cards, deck.dogs, deck.kittens, deck.lairs)))
    assert pdf.startswith(b"%PDF-")
    assert pages == 2 * -(-cards // 9) == len(re.findall(rb"/Type /Page\b", pdf))
    assert missing == (["Лапа"] if "Лапа" in text else [])


def test_the_command_line_opens_the_file_of_a_deck(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(SMALL_DECK, "utf-8")
    played = CliRunner().invoke(app, ["simulate", "syndicats", "--games", "3", "--workers", "1", "-o", f"deck={file}"])
    assert played.exit_code == 0, played.output
    assert f"deck=({len(SMALL_DECK)} characters)" in played.output
    done = CliRunner().invoke(app, ["cards", "syndicats", "--deck", str(file), "--out", str(tmp_path / "own.pdf")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "own.pdf").read_bytes().startswith(b"%PDF-")
    for arguments in (["simulate", "syndicats", "-o", f"deck={tmp_path}/none.toml"], ["cards", "catham", "--out", "x"]):
        assert isinstance(CliRunner().invoke(app, arguments).exception, Refusal)


# The keeper, limits, whole games


def test_a_rematch_begins_with_the_last_keeper_who_plays() -> None:
    match = Match.new(GAME, NAMES, {"keeper": "ben"}, seed=1)
    built, state = match.options, match.state
    assert built.again(state, NAMES, ("ben", "cleo", "anna")).keeper == "ben"
    # He has left: the next one clockwise who plays, by the chair as long as anybody may still leave.
    assert built.again(state, NAMES, ("", "cleo", "anna")).keeper == "B"
    assert built.again(state, NAMES, ("", "", "anna")).keeper == "C"
    assert built.again(state, NAMES, ("", "", "")).keeper is None


def test_the_keeper_is_who_the_option_says_or_drawn() -> None:
    assert int(Match.new(GAME, NAMES, {"keeper": "Cleo"}, seed=1).state.keeper) == 2
    assert int(Match.new(GAME, NAMES, {"keeper": "B"}, seed=1).state.keeper) == 1
    drawn = {
        int(Match.new(GAME, NAMES, {"keeper": word}, seed=n).state.keeper)
        for n in range(12)
        for word in (None, "random")
    }
    assert drawn == {0, 1, 2}
    with pytest.raises(Refusal, match="E_SETUP: keeper: nobody is called 'zoe'"):
        Match.new(GAME, NAMES, {"keeper": "zoe"})


def test_no_more_than_999_coins_can_be_named() -> None:
    line = "{} | anna ben | phase bid anna | round 2 | keeper anna | cash 5000 5"
    match = Match.from_position(GAME, line, seed=1)
    with pytest.raises(Refusal, match=r"E_AMOUNT.*999"):
        match.play(0, "bid 1000")
    match.play(0, "bid 999")
    assert int(match.state.cash[0]) == 4001


def test_a_capped_game_says_so() -> None:
    match = Match.new(GAME, NAMES, {"round_cap": 2}, seed=5)
    play_defaults(match, 200)
    assert match.state.over == CAPPED
    assert int(match.state.turn) == 2
    # Step 8 is played: cash joins the funds.
    assert not match.state.cash.any()
    assert match.state.fund.sum() == 3 * (5 + 2 * 2)


def test_a_cap_in_the_round_that_ends_anyway_is_no_cap() -> None:
    line = "{round_cap=1} | anna ben | phase contracts anna | round 1 | keeper anna | picked anna ben | kennel rex fang"
    match = Match.from_position(GAME, f"{line} growler biscuit tyke | houses anna:tango", seed=1)
    match.play(0, "contracts none")
    assert match.state.over == 1


def test_contracts_are_read_in_any_order_and_written_in_one() -> None:
    line = "{} | anna ben | phase contracts anna ben | round 1 | keeper anna | picked anna ben | "
    line += "cats anna:ripper+scratch+mumble | houses anna:tiger+lynx+tango ben:slink"
    match = Match.from_position(GAME, line, seed=1)
    move = match.play(0, "contracts hold tango, trash lynx with mumble , TRASH tiger with scratch+persian+ripper")
    assert move.text == "contracts trash tiger with scratch+ripper+persian, trash lynx with mumble, hold tango"
    again = Match.from_position(GAME, line, seed=1)
    assert again.play(0, move.text).actions == move.actions
    assert match.acting == [1]
    # Nobody sees them before all are in.
    assert not match.view(1).verdict.any()
    match.play(1, "contracts none")
    assert not match.state.verdict.any()


def test_the_position_after_the_last_dog_is_read_as_it_was_written() -> None:
    """Y57: what lies behind the dog that ended the game is not turned up, not by reading its line either."""
    line = "{last_dog=immediate,dog_margin=0} | anna ben | phase pick anna | round 1 | keeper anna | picked anna"
    line += " | kennel rex | supply scratch | removed rest | deck twitch fang mumble ginsu"
    match = Match.from_position(GAME, line, seed=1)
    match.play(0, "take twitch as cat")
    assert match.over
    assert match.state.deck_size == 2
    assert match.state.top == 0
    written = GAME.notation.position(match.state, match.names, ALL_KNOWING)
    state, _ = GAME.notation.parse_position(GAME, written)
    # The line has no seed, so the seats' views are compared.
    assert GAME.state.view(state, 0).tobytes() == match.view(0).tobytes()


def test_only_the_field_of_a_position_says_what_the_deck_began_with() -> None:
    line = "{{}} | {} ben | phase bid ben | supply scratch | deck ginsu rex velvet | removed rest"
    for first, field, began in (
        ("began", "", 3),
        ("anna", "", 3),
        ("anna", " | began 9", 9),
        ("anna", " | Began 9", 9),
    ):
        state, _ = GAME.notation.parse_position(GAME, line.format(first) + field)
        assert state.deck_began == began


@pytest.mark.parametrize("deck_top", [True, False])
def test_a_move_on_a_view_ends_where_the_deck_is_hidden(deck_top: bool) -> None:
    options = {"deck_top": deck_top, "gate": "none"}
    line = ",".join(f"{name}={value}" for name, value in options.items())
    line = f"{{{line}}} | anna ben | phase pick anna | round 2 | keeper anna | picked anna | cats anna:snoop+ditto"
    match = Match.from_position(GAME, f"{line} | supply scratch twitch mumble", seed=1)
    view = match.view(0)
    for action in GAME.legal(view, 0).tolist():
        play_on_view(GAME, view, 0, action)
