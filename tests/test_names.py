"""Names of any script: who may be called what, how it stands in moves and positions, and that no deed goes to another.

The same match is played under plain names and under others, words of moves and of the log among them: it must be the
same match, told of the same seats, and its texts must read back as themselves.
"""

import random
import re
import unicodedata
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from backroom.conformance.play import PLAYERS, refusal_of
from backroom.engine import chance, names
from backroom.engine.facts import facts_of
from backroom.engine.game import Game, Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import complete, move_text
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.scenes.draft import Draft
from backroom.scenes.rows import table_rows
from backroom.tables.words import alike, check_name
from backroom.terminal import line_text
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text, table_module
from test_pages import GAMES, table_view

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
MOST_NAMES = 80
"""So many words of a game are tried as names in its log."""
LETTERS = st.characters(whitelist_categories=("Lu", "Ll", "Lo", "Lm", "Nd"), blacklist_characters=names.BLANK_LETTERS)
RANDOM = st.lists(st.text(LETTERS, min_size=1, max_size=5), min_size=1, max_size=3).map(lambda words: " ".join(words))
NAMES = st.one_of(st.sampled_from(LIKE_WORDS), st.sampled_from(OF_SCRIPTS), RANDOM.map(names.tidy)).filter(
    lambda name: not names.fault(name)
)


def seated(seats: int) -> st.SearchStrategy[list[str]]:
    return st.lists(NAMES, min_size=seats, max_size=seats, unique_by=names.key)


def read_back(match: Match, seat: int, actions: list[int], text: str) -> None:
    view, notation = match.view(seat), match.game.notation
    assert notation.parse_move(match.game, view, seat, text, match.names) == actions
    if all(names.key(name.upper()) == names.key(name) for name in match.names):  # there is no way back to a dotless i
        assert notation.parse_move(match.game, view, seat, text.upper(), match.names) == actions
    before, against, word = text.partition("> ")
    if against and (whom := names.seat_called(word, match.names)) is not None:
        assert notation.parse_move(match.game, view, seat, f"{before}> {match.names[whom]}", match.names) == actions
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
                state, found = game.notation.parse_position(game, line)
                assert found == tuple(map(names.written, match.names))
                assert game.notation.position(state, found, ALL_KNOWING) == line
            told, known = match.lines(viewer), plain.lines(viewer)
            assert [it.seat for _, it in told] == [it.seat for _, it in known]
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


@settings(deadline=None)
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


# Names that are words of a game


PLAIN = ("Qaxo", "Qexo", "Qixo", "Quxo")
"""Names that read like no word of any game."""


@cache
def played(game: Game) -> Match:
    """A whole match of players with plain names, who say something where talk is part of the rules."""
    options = {name: value for name, value in (facts_of(game).short or {}).items() if name != "seats"}
    match, draw = Match(game, game.options.build(options), PLAIN, chance.match_seed(1)), random.Random(1)
    while not match.over:
        seat = draw.choice(match.acting)
        if game.messages is not None and draw.random() < 0.3:
            refusal_of(lambda: match.play(*draw.choice(talk(match, match, draw))[:2]))
        match.play_actions(seat, one_move(match, seat, draw))
    return match


def renamed(match: Match, called: Sequence[str], moves: int) -> Match:
    """The same match of players with other names, as it was after so many moves."""
    found = copy(match)
    found.names = tuple(called)
    found.moves = [
        replace(move, text=as_called(move.text, list(map(names.written, called))), events=tuple(
            replace(event, args=event.args | {"text": as_called(event.args["text"], called)})
            if "text" in event.args else event
            for event in move.events
        ))
        for move in match.moves[:moves]
    ]  # fmt: skip
    found.chain, found._states = match.chain[: moves + 1], match._states[: moves + 1]
    found.state = found.at(moves)
    return found


def as_called(text: str, called: Sequence[str]) -> str:
    """What is told of players with plain names, as it is told of others."""
    for plain, name in zip(PLAIN, called, strict=True):
        text = text.replace(plain, name)
    return re.sub(r"’s\b", "’", text)  # Names that end in s have no other.


def told(match: Match) -> dict[str, str]:
    """All that is told of a match: its log with what the lines carry, and what decided each place."""
    found = {f"log {viewer}": str(match.lines(viewer)) for viewer in (ALL_KNOWING, 0)}
    verdicts = table_module(match.game).verdicts(match.state, 0, match.names, match.lines(ALL_KNOWING))
    return found | {"verdicts": str(list(verdicts))}


def shown(match: Match) -> dict[str, str]:
    """All pages of a match, one with a move in preparation that names somebody, and what a terminal shows."""
    found = {}
    mover = match.acting[0] if match.acting else 0
    for seat in (mover, None):
        view = table_view(match, seat)
        rows = table_rows(match.game, view.record, view.viewer, match.names)
        found |= {
            f"page {seat}": render_table(view),
            f"text {seat}": render_text(view),
            f"json {seat}": view_model(view).model_dump_json(),
            f"terminal {seat}": "\n".join(f"{row.heading}: {line_text(row.line, {}).markup}" for row in rows),
            f"terminal log {seat}": "\n".join(line_text(line, {}).markup for _, line in view.lines),
        }
        if view.your_turn:
            moves = match.game.legal(view.record, seat).tolist()
            naming = [it for it in moves if "seat" in kinds_of(match, seat, it)] or moves
            text = move_text(match.game, view.record, seat, naming[-1:], match.names)
            found[f"preparing {seat}"] = render_table(view, text)
    return found


def kinds_of(match: Match, seat: int, action: int) -> set[str]:
    return {token.kind for token in match.game.notation.move_tokens(match.view(seat), seat, action, match.names)}


@cache
def words_of(game: Game) -> tuple[list[str], list[str]]:
    """The words of a game's log, moves and pages, and rows of words of its log; as far as somebody may be called so."""
    match = played(game)
    pages = [told for moves in (match.ply // 2, match.ply) for told in shown(renamed(match, PLAIN, moves)).values()]
    lines = [line.text for _, line in match.lines(0)]
    text = " ".join([re.sub("<[^>]*>", " ", page) for page in pages] + [move.text for move in match.moves])
    rows = {row for line in lines for count in (2, 3) for row in re.findall(rf"(?=\b((?:[\w-]+ ){{{count}}}))", line)}
    found = ({*re.findall(r"[\w-]+", text)}, {row.strip() for row in rows})
    fit = ({w for w in words if not names.fault(w) and not any(name in w for name in PLAIN)} for words in found)
    words, rows = (sorted({names.key(word): word for word in sorted(words)}.values()) for words in fit)
    return words, rows


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_word_of_a_log_as_a_name_changes_what_it_tells(game: Game) -> None:
    match, (words, rows) = played(game), words_of(game)
    called = [*words, *rows]
    random.Random(1).shuffle(called)
    wanted = told(match)
    for start in range(0, min(len(called), MOST_NAMES) - len(PLAIN), len(PLAIN)):
        group = called[start : start + len(PLAIN)]
        assert told_alike(told(renamed(match, group, match.ply)), wanted, group) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@settings(
    max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)
@example(("New", "You", "The", "Scores"), 0)
@given(st.data(), st.integers(0, 9))
def test_no_word_of_a_page_as_a_name_changes_a_byte_of_it(game: Game, data: Any, cut: int) -> None:
    words = st.lists(st.sampled_from(words_of(game)[0]), min_size=4, max_size=4, unique_by=names.key)
    called = list(data) if isinstance(data, tuple) else data.draw(words)
    match = played(game)
    moves = match.ply - cut * match.ply // 10
    other = shown(renamed(match, called, moves))
    assert told_alike(other, shown(renamed(match, PLAIN, moves)), called) == []


def told_alike(found: dict[str, str], wanted: dict[str, str], called: Sequence[str]) -> list[str]:
    """Where what is told of players with other names differs, with the place."""
    differ = []
    for name, text in found.items():
        one, other = re.sub(r"’s\b", "’", text), as_called(wanted[name], called)
        if one != other:
            at = next(at for at in range(len(one) + 1) if one[:at] != other[:at])
            differ.append(f"{name} of {called}: ...{one[at - 80 : at + 80]!r} is not ...{other[at - 80 : at + 80]!r}")
    return differ
