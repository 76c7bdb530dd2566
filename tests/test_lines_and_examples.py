"""What is written once for the text of all games: position lines, worked examples, English."""

from pathlib import Path

import pytest

from backroom.conformance.play import PLAYERS
from backroom.engine.events import Event
from backroom.engine.facts import facts_of
from backroom.engine.game import Game, Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import Thing, player
from backroom.engine.record import ALL_KNOWING, SPECTATOR, Viewer
from backroom.text.english import Reader, counted, does, listed, possessive, whose
from backroom.text.examples import run_examples
from backroom.text.log import Log, people

every_game = pytest.mark.parametrize("game", [find_game(name) for name in game_names()], ids=lambda game: game.name)


def line_of(game: Game) -> tuple[str, str]:
    """A position some moves into a game, and the sign between its parts."""
    short = dict(facts_of(game).short or {})
    match = Match.new(game, PLAYERS[: short.pop("seats", game.seats.start)], short, 1)
    for _ in range(5):
        seat = match.acting[0]
        match.play_actions(seat, match.default_actions(seat))
        if match.over:
            match.undo()
            break
    line = game.notation.position(match.state, match.names, ALL_KNOWING)
    return line, " ; " if " ; " in line else " | "


@every_game
def test_a_field_stands_once_and_is_known(game: Game) -> None:
    line, sign = line_of(game)
    game.notation.parse_position(game, line)
    for field in line.split(sign)[2:]:
        with pytest.raises(Refusal, match="E_POSITION: two fields"):
            game.notation.parse_position(game, line + sign + field)
        with pytest.raises(Refusal, match="E_POSITION: there is no field 'weather'"):
            game.notation.parse_position(game, line + sign + "weather fine")


@every_game
def test_a_field_that_says_nothing_sensible_is_refused(game: Game) -> None:
    line, sign = line_of(game)
    parts = line.split(sign)
    for place, part in enumerate(parts[2:], 2):
        word = part.partition(" ")[0]
        for nonsense in ("zz", "-7", "99999999999", "zz zz zz zz", "zz:9 zz:9"):
            with pytest.raises(Refusal) as refused:
                game.notation.parse_position(
                    game, sign.join([*parts[:place], f"{word} {nonsense}", *parts[place + 1 :]])
                )
            assert refused.value.code == "E_POSITION"


@pytest.mark.parametrize(
    ("name", "head", "step"),
    [
        ("catham", "X1 SRDMH | A:SSM/0 B:HH/0", "! zoe take s -"),
        ("catham", "X1 SRDMH | A:SSM/0 B:HH/0", "! anna take s E_MARKET"),
        ("corporation", "X1 | A:0 B:0 C:0", "! Z card 3 -"),
        ("dark_sources", "X1 | A:ASC B:ASC", "> Z swap a1 b1 => turn B"),
        ("medici", "ex X1 a game\nIC S1[A4] S2[B7] ; A hand=5,2", "do Z send 5"),
        ("medici", "ex X1 a game\nIC S1[A4] S2[B7] ; A hand=5,2", "err A send 5 -> E_CARD"),
        ("medici", "ex X1 a game\nIC S1[A4] S2[B7] ; A hand=5,2", "is Z hand=5"),
    ],
)
def test_an_example_names_the_step_that_is_wrong(tmp_path: Path, name: str, head: str, step: str) -> None:
    file = tmp_path / "one.txt"
    file.write_text(f"{head}\n{step}\n")
    (failed,) = run_examples(find_game(name), [file]).failed
    assert failed.id == "X1"
    (problem,) = failed.differences
    assert problem.startswith(f"{step}: ")


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("catham", "X1 SRDMH | A:SSM/0 B:HH/0\n! anna take hackers x9 E_MARKET\n! anna pass E_PASS"),
        ("corporation", "# a remark\nX1 | A:0 B:0 C:0   (from nothing)\n! A card 4 E_CARD\n! A card 3 -"),
    ],
)
def test_a_refused_move_is_written_alike(tmp_path: Path, name: str, file: str) -> None:
    path = tmp_path / "one.txt"
    path.write_text(file)
    assert run_examples(find_game(name), [path]).passed == ["X1"]


def test_a_log_is_made_of_templates() -> None:
    log = Log(
        {
            "drew": ("R1", "{seat} drew {card}| from a deck of {left}."),
            "met": ("R2", "{seat}'s friends {members} met."),
            "swore": ("R3", lambda e: f"{{seat}} swore on {{card:{e.args['left']}}}."),
        },
        card=lambda card, names: "a card" if card is None else Thing("card", str(card), f"the {card}"),
        members=people,
    )
    names, args = ("Anna {card}", "Ben"), {"card": None, "left": 3, "members": (1, 0)}
    kinds = ("drew", "met", "swore")
    told = {kind: log.describe(Event(kind, 0, args, -1, frozenset()), names, SPECTATOR) for kind in kinds}
    assert [(line.text, line.rule, line.seat, line.deed) for line in told.values() if line is not None] == [
        ("Anna {card} drew a card from a deck of 3.", "R1", 0, "drew a card"),
        ("Anna {card}'s friends Ben and Anna {card} met.", "R2", None, ""),
        ("Anna {card} swore on the 3.", "R3", 0, "swore on the 3"),
    ]
    assert log.describe(Event("silent", 0, {}, -1, frozenset()), names, 1) is None


def test_a_personal_log_calls_its_reader_you() -> None:
    log = Log(
        {
            "gave": (lambda e: f"R{e.args['cards']}", "{seat} gave {whom} {cards} cards."),
            "counted": ("R9", lambda e: "In all {cards}. {seat} began." if e.args["cards"] else ""),
        },
        whom=player,
    )
    names = ("Anna", "Ben")

    def told(kind: str, cards: int, viewer: Viewer) -> tuple[str, str] | None:
        line = log.describe(Event(kind, 0, {"whom": 1, "cards": cards}, -1, frozenset()), names, viewer)
        return None if line is None else (line.text, line.rule)

    assert told("gave", 2, 0) == ("You gave Ben 2 cards.", "R2")
    assert told("gave", 3, 1) == ("Anna gave you 3 cards.", "R3")
    assert told("gave", 3, SPECTATOR) == ("Anna gave Ben 3 cards.", "R3")
    assert told("counted", 4, 0) == ("In all 4. You began.", "R9")
    assert told("counted", 4, ALL_KNOWING) == ("In all 4. Anna began.", "R9")
    assert told("counted", 0, 0) is None


def test_english() -> None:
    names = ("Anna", "Max")
    assert [listed(names[:count]) for count in range(3)] == ["", "Anna", "Anna and Max"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert [counted(count, "card") for count in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [possessive(name) for name in names] == ["Anna’s", "Max’"]
    assert [whose(0, 0, names), whose(0, 0, names, start=True), whose(1, 0, names)] == ["your", "Your", "Max’"]
    assert [does(0, 0, names, "win", start=True), does(1, 0, names, "win")] == ["You win", "Max wins"]
    to = Reader(1, names)
    assert [to.people([0, 1]), to.people([1], start=False), to.whose(1), to.whose(0)] == [
        "You and Anna", "you", "your", "Anna’s",
    ]  # fmt: skip
    assert [to.do([0], "has", "have"), to.do([1], "has", "have"), to.do([0, 1], "has", "have")] == [
        "has", "have", "have",
    ]  # fmt: skip
