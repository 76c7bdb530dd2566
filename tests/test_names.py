"""Names of any script: who may be called what, how it stands in moves and positions, and that no deed goes to another.

The same match is played under plain names and under others, words of moves and of the log among them: it must be the
same match, told of the same seats, and its texts must read back as themselves.
"""

import random
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from backroom.engine import chance, names
from backroom.engine.game import Game, Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import complete, move_text
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.scenes.scene import Draft
from backroom.tables.words import alike, check_name
from conformance.play import PLAYERS, refusal_of

LIKE_WORDS = (
    "take", "play", "hack", "x3", "police", "scientists", "robocats", "give", "discard", "say", "ask", "claims", "asks",
    "card", "swap", "row", "turn", "last", "over", "names", "active", "round", "placed", "New", "In", "The", "You",
    "you", "for", "with", "A", "a1", "S1", "Rewarded", "In play", "New in the market", "X played", "for 2", "a with b",
    "played x3", "_", "-", "10", "Order of this round",
)  # fmt: skip
OF_SCRIPTS = (
    "Jean Paul", "Zoë", "Łukasz", "Straße", "STRASSE", "Дмитрий", "Ελένη", "עִבְרִית", "ליאור כהן", "علی‌رضا", "محمد",
    "田中 太郎", "김 민수", "क्‍षमा", "जॉर्ज", "ปิยะ", "አበበ", "İpek", "ıpek", "葛\U000e0100城", "𐐀𐐨", "ﬁnn", "Ａnna",
)  # fmt: skip
LETTERS = st.characters(whitelist_categories=("Lu", "Ll", "Lo", "Lm", "Nd"), blacklist_characters=names.BLANK_LETTERS)
RANDOM = st.lists(st.text(LETTERS, min_size=1, max_size=5), min_size=1, max_size=3).map(lambda words: " ".join(words))
NAMES = st.one_of(st.sampled_from(LIKE_WORDS), st.sampled_from(OF_SCRIPTS), RANDOM.map(names.tidy)).filter(
    lambda name: not names.fault(name)
)


def seated(seats: int) -> st.SearchStrategy[list[str]]:
    return st.lists(NAMES, min_size=seats, max_size=seats, unique_by=names.key)


def read_back(match: Match, seat: int, actions: list[int], text: str) -> None:
    view, notation = match.view(seat), match.game.notation
    assert notation.parse_move(view, seat, text, match.names) == actions
    if all(names.key(name.upper()) == names.key(name) for name in match.names):  # there is no way back to a dotless i
        assert notation.parse_move(view, seat, text.upper(), match.names) == actions
    before, against, word = text.partition("> ")
    if against and (whom := names.seat_called(word, match.names)) is not None:
        assert notation.parse_move(view, seat, f"{before}> {match.names[whom]}", match.names) == actions
    found = complete(match.game, view, seat, text, match.names)
    assert list(found.actions or ()) == actions
    assert Draft(match.game, view, seat, match.names, text).text == text


def talk(match: Match, plain: Match, draw: random.Random) -> list[tuple[int, str, str]]:
    """Where talk is part of the rules, what each says, with the same under plain names: names written or as called."""
    said = []
    for seat in range(len(match.names)):
        whom = draw.choice([other for other in range(len(match.names)) if other != seat])
        name, known = match.names[whom], plain.names[whom]
        said += [
            (seat, *draw.choice([
                (f"ask {names.written(name)} 7", f"ask {known} 7"),
                (f"ask {name.upper() if name.isascii() else name}  7", f"ask {known} 7"),
                ("claim 3", "claim 3"),
                (f"say {name} 7", f"say {known} 7"),
            ]))
        ]  # fmt: skip
    return said


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@example(["Jean", "Jean Paul", "Paul Jean", "Jean-Paul"], 1)
@example(["New", "You", "The", "x3"], 2)
@example(["علی‌رضا", "क्‍षमा", "田中 太郎", "asks"], 3)
@given(seated(4), st.integers(0, 99))
def test_a_match_is_the_same_under_any_names(name: str, called: list[str], seed: int) -> None:
    game = find_game(name)
    draw = random.Random(seed)
    # Not by `Match.new`, which refuses words of the game: matches of before may have such names.
    options, key = game.options.build({}), chance.match_seed(seed)
    match, plain = (Match(game, options, players, key) for players in (called, PLAYERS[:4]))
    for _ in range(14):
        if match.over:
            break
        for seat, *texts in talk(match, plain, draw) if game.messages is not None else ():
            refused = [
                refusal_of(lambda it=it, t=t, seat=seat: it.play(seat, t))
                for it, t in zip((match, plain), texts, strict=True)
            ]
            assert [bool(it) for it in refused] in ([True, True], [False, False]), (texts, refused)
        seat = draw.choice(match.acting)
        actions = one_move(match, seat, draw)
        read_back(match, seat, actions, move_text(game, match.view(seat), seat, actions, match.names))
        plain.play_actions(seat, actions)
        match.play_actions(seat, actions)
        for viewer in (ALL_KNOWING, SPECTATOR, seat):
            line = game.notation.position(match.view(viewer), match.names, viewer)
            if viewer is ALL_KNOWING:
                state, found = game.notation.parse_position(line)
                assert found == tuple(map(names.written, match.names))
                assert game.notation.position(state, found, ALL_KNOWING) == line
            told, known = match.lines(viewer), plain.lines(viewer)
            assert [it.seat for _, it in told] == [it.seat for _, it in known]
            for _, it in told:
                assert it.seat is None or it.text.startswith(f"{it.doer} ")
                assert it.seat is None or it.doer in ("You", match.names[it.seat])
    assert match.state.tobytes() == plain.state.tobytes()
    assert [move.actions for move in match.moves] == [move.actions for move in plain.moves]
    again = Match.loads(match.dumps())
    assert again.chain == match.chain
    assert again.names == match.names


def one_move(match: Match, seat: int, draw: random.Random) -> list[int]:
    state, actions = match.game.state.copy(match.state), []
    while not actions or int(state.midmove) >> seat & 1:
        actions.append(int(draw.choice(match.game.legal(state, seat).tolist())))
        match.game.apply(state, seat, actions[-1], match.game.events.new_log(recording=False))
    return actions


@given(seated(3))
def test_every_player_is_found_by_name_and_as_written(called: list[str]) -> None:
    for seat, name in enumerate(called):
        for word in (name, names.written(name), name.upper(), name.casefold(), unicodedata.normalize("NFD", name)):
            if names.key(word) == names.key(name):
                assert names.seat_called(word, called) == seat
        assert names.seat_called(names.written(name), called) == seat


@given(st.from_regex(r"[A-Za-z0-9_-]{1,30}", fullmatch=True))
def test_names_of_before_keep_their_spelling(name: str) -> None:
    assert not names.fault(name)
    assert names.tidy(name) == name == names.written(name)
    assert names.key(name) == name.lower()


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_name_or_refused_in_one_line(text: str) -> None:
    problem = refusal_of(lambda: check_name(text))
    if problem is None:
        name = check_name(text)
        assert name == check_name(name)
        assert unicodedata.is_normalized("NFC", name)
        assert not any(it.isspace() for it in names.written(name))
        assert not set(name) & set("<>&\"'@:;|,+={}()")
    else:
        assert problem.code == "E_SETUP"
        assert problem.message.isprintable()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a name is needed"),
        (" \u3000", "a name is needed"),
        ("a\u202eb", "U+202E"),
        ("a\u200cb", "U+200C"),
        ("\u3164", "U+3164"),
        ("a,b", "U+002C (comma) as character 2"),
        ("x" + "\u0323\u0301\u0302\u0303\u0304", "marks on one letter"),
        ("\u0301a", "U+0301"),
        ("😀", "U+1F600"),
        ("x" * 25, "too long"),
        ("क" + "्क" * 24, "too long"),
        *((name, "nobody can be called You") for name in ("you", "Yоu", "уоu", "Y0U", "Υou", "ʏou", "ＹＯＵ", "𝐘ou")),
    ],
)
def test_what_nobody_can_be_called(name: str, why: str) -> None:
    problem = refusal_of(lambda: check_name(name))
    assert problem is not None
    assert why in problem.message


def test_marks_do_not_count_as_letters() -> None:
    assert check_name("क्षि" * 12) == "क्षि" * 12


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "ANNA"), ("Anna", "Аnna"), ("Otto", "0tto"), ("Al1", "All"), ("Ian", "lan"), ("Barn", "Bam"),
        ("Jean Paul", "jean_paul"), ("Straße", "STRASSE"), ("Ａnna", "Anna"), ("علی‌رضا", "علیرضا"), ("ρ", "p"),
        ("OTT0", "Otto"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_not_at_one_table(name: str, other: str) -> None:
    assert alike(name, other)
    assert alike(other, name)
    with pytest.raises(Refusal, match=r"already|looks like"):
        check_name(name, ["Vera", other])


@pytest.mark.parametrize(("name", "other"), [("Anna", "Anne"), ("Mina", "Nina"), ("Bot1", "Bot2"), ("田中", "由中")])
def test_names_that_differ_are(name: str, other: str) -> None:
    assert check_name(name, [other]) == name


def test_tables_of_before_may_have_names_that_look_alike() -> None:
    Match.new("dark_sources", ["anna0", "annaO"], seed=1)


def story(game: Game, players: list[str], seed: int) -> tuple[list[Any], list[str]]:
    """A whole match played by chance: who did what last, and the verdicts at its end."""
    from importlib import import_module

    match, draw = Match.new(game, players, seed=seed), random.Random(seed)
    while not match.over and match.ply < 400:
        seat = match.acting[0]
        match.play_actions(seat, one_move(match, seat, draw))
    module = import_module(f"{game.rules.__package__}.table")
    return [line.seat for _, line in match.lines(ALL_KNOWING)], list(
        module.verdicts(match.view(ALL_KNOWING), SPECTATOR, match.names, match.lines(ALL_KNOWING))
    )


@pytest.mark.parametrize("name", game_names())
def test_verdicts_credit_nobody_with_anothers_deeds(name: str) -> None:
    game = find_game(name)
    for seed in range(3):
        plain = story(game, ["anna", "ben", "cleo"], seed)
        assert story(game, ["Jean", "Jean played x3 for 2", "with a"], seed) == plain
