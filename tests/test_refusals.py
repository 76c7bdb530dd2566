"""Refusals say what was typed, as it was typed: not the number a program made of it, nor a word in other letters."""

import random

import pytest

from backroom.conformance.play import Setting, play_on, random_move, refusal_of
from backroom.engine.game import Game, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import move_text
from backroom.engine.record import ALL_KNOWING
from backroom.engine.refusal import MOST_SHOWN

WRONG = (
    "x0", "X000", "x77", "x1000000", "X123456789012345678901", "0", "00", "77", "1000000", "123456789012345678901",
    "-1", "Zz9q", "S77", "s00077", "S123456789012345678901", "A99", "b77", "é", "quIte-a-LOng-word-but-still-SHOrt",
    "Ñ" * 300,
)  # fmt: skip
"""Tokens that are wrong nearly everywhere."""
ELSEWHERE = ("E_PHASE", "E_ALREADY", "E_TALK", "E_AT", "E_VALUE", "E_HOLD", "E_OWN")
"""Codes of refusals that need not depend on the token put in, since it made another move of the text."""


def refused_tokens(game: Game, setting: Setting, seed: int) -> tuple[list[str], int]:
    """Of legal moves in which one token was replaced: what is refused without naming it, and how many are refused."""
    silent, asked = [], 0
    source, match = random.Random(seed), setting.match(game, seed)
    for _ in play_on(match, source, 60, hinted=True):
        if match.over or source.random() < 0.6:
            continue
        for seat in match.acting[:1]:
            actions = random_move(game, match.state, seat, source)
            assert actions is not None
            words = move_text(game, match.view(seat), seat, actions, match.names).split()
            if game.messages is not None and source.random() < 0.5:
                words = source.choice((["claim", "7"], ["ask", match.names[seat - 1], "7"]))
            at = source.choice([i for i, word in enumerate(words) if word not in ("+", ">")])
            token = source.choice(WRONG)
            text = " ".join([*words[:at], token, *words[at + 1 :]])
            trial = Match.from_position(game, game.notation.position(match.state, match.names, ALL_KNOWING), seed=1)
            problem = refusal_of(lambda trial=trial, seat=seat, text=text: trial.play(seat, text))
            if problem is None or problem.code in ELSEWHERE:
                continue
            asked += 1
            assert len(problem.message) < 4 * MOST_SHOWN + 120
            if token[: MOST_SHOWN // 2] not in problem.message:
                silent.append(f"{text!r}: {problem}")
    return silent, asked


@pytest.mark.parametrize("name", game_names())
def test_a_refusal_names_the_token_that_was_typed(name: str) -> None:
    game = find_game(name)
    found, total = [], 0
    for seed in range(16):
        silent, asked = refused_tokens(game, Setting(game.seats[seed % len(game.seats)]), seed)
        found += silent
        total += asked
    assert not found, "\n".join(found)
    assert total > 60


CATHAM = "SRDMH | A:SSSRRRDDMH/2 B:HH/1 C:SS/3 | mkt SSSDMRH"
SURPLUS = f"{CATHAM} | ask A limit".replace("DDMH", "DDDMMH")
CORPORATION = "{} | A:0@3 B:0@3 C:0"
DARK = "{} | A:ASC B:ASC"
MEDICI = "IC S1[B9 CS] S2[C4] S3[AJ] ; A hand=2,5,J"


@pytest.mark.parametrize(
    ("name", "position", "text", "code", "shown"),
    [
        ("catham", SURPLUS, "discard scientists x0 mafia x2", "E_COUNT", "'x0'"),
        ("catham", SURPLUS, "discard s X99999999999999999999", "E_COUNT", "'X99999999999999999999'"),
        ("catham", SURPLUS, "discard s x1000000", "E_COUNT", "'x1000000'"),
        ("catham", CATHAM, "take s x1000000000", "E_MARKET", "'x1000000000'"),
        ("catham", CATHAM, "take s x00", "E_COUNT", "'x00'"),
        ("catham", CATHAM, "hack ben x0005", "E_COUNT", "'x0005'"),
        ("catham", CATHAM, "play robocats x003", "E_COUNT", "'x003'"),
        ("catham", CATHAM, "play DoGs", "E_FACTION", "'DoGs'"),
        ("catham", CATHAM, "play hackers x1 > ZOE", "E_TARGET", "'ZOE'"),
        ("catham", CATHAM, "DANCE", "E_SYNTAX", "'DANCE'"),
        ("corporation", CORPORATION, "card 1000001", "E_CARD", "'1000001'"),
        ("corporation", CORPORATION, "card 00000000000004", "E_CARD", "'00000000000004'"),
        ("corporation", CORPORATION, "claim 1000001", "E_CARD", "'1000001'"),
        ("corporation", CORPORATION, "ask B 99999999999999999999", "E_CARD", "'99999999999999999999'"),
        ("corporation", CORPORATION, "ask Zoe 7", "E_SYNTAX", "'Zoe'"),
        ("corporation", CORPORATION, "card Seven", "E_SYNTAX", "'Seven'"),
        ("dark_sources", DARK, "swap A99999999999999999999 b1", "E_SLOT", "'A99999999999999999999'"),
        ("dark_sources", DARK, "swap a1 Z1", "E_SLOT", "'Z1'"),
        ("dark_sources", "{row=chosen} | A:- B:-", "row 1 3 5 7 1000000", "E_ROW", "1000000"),
        ("medici", MEDICI, "ally 2 > s1000000000000", "E_STACK", "'s1000000000000'"),
        ("medici", MEDICI, "conspire 5 > S2 x S3 j S3=-1", "E_JESTER", "'-1'"),
        ("medici", MEDICI, "conspire 5 > S2 x S3 j S3=00011", "E_JESTER", "'00011'"),
        ("medici", MEDICI, "conspire 5 > S2 x S3 j S3=10000000000", "E_JESTER", "'10000000000'"),
        ("medici", MEDICI, "send 12", "E_SYNTAX", "'12'"),
    ],
)
def test_numbers_and_words_are_repeated_as_typed(name: str, position: str, text: str, code: str, shown: str) -> None:
    match = Match.from_position(find_game(name), position, seed=1)
    problem = refusal_of(lambda: match.play(0, text))
    assert problem is not None
    assert problem.code == code, problem
    assert shown in problem.message, problem


@pytest.mark.parametrize("name", game_names())
def test_nobody_is_called_like_a_word_of_the_game(name: str) -> None:
    """`random` would be a player and a draw by lot; what is read, not given, is taken as it was."""
    game = find_game(name)
    words = {"random", "none", *game.options.move_words, *game.options.model_fields}
    for word in words:
        for written in (word, word.upper()):
            players = ["anna", "ben", "cleo"][: game.seats.start - 1]
            problem = refusal_of(lambda players=players, written=written: Match.new(game, [*players, written], seed=1))
            assert problem is not None, f"somebody may be called {written}"
            assert problem.code == "E_SETUP"
            assert written in problem.message
    for players in (["anna", "ben", "nonesuch"], ["Random1", "cleo", "randomly"]):
        assert refusal_of(lambda players=players: Match.new(game, players[: game.seats.start], seed=1)) is None
    old = Match(game, game.options.build({}), ["anna", "random", "cleo"][: game.seats.start], bytes(32))
    assert Match.loads(old.dumps()).names == old.names


def test_words_of_moves_and_values() -> None:
    for name, words in (
        ("corporation", ("card", "say", "CLAIM", "ask", "keep", "once", "ranks")),
        ("dark_sources", ("swap", "row", "Pass", "open", "notes", "shuffled")),
    ):
        for word in words:
            problem = refusal_of(lambda name=name, word=word: Match.new(name, ["anna", "ben", word], seed=1))
            assert problem is not None
            assert problem.code == "E_SETUP"
    # By the specification a faction's word or a verb is a name where a name stands.
    assert refusal_of(lambda: Match.new("catham", ["d", "hack"], seed=1)) is None
