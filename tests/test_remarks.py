"""What the regulars say between their moves: when, about what, in whose words, and that nothing hidden is in it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from backroom.bots import make_bot
from backroom.bots.regulars import OCCASIONS, regulars
from backroom.bots.remarks import REST, ROLES, TRIES, about_the_table, remarks_of, time_to_speak
from backroom.engine import rng
from backroom.engine.game import Game, find_game, game_names
from backroom.engine.match import Match
from backroom.tables.chatter import remark
from backroom.tables.rows import ChairRow, TalkRow
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.tables.words import MOST_TALK
from backroom.text.harmless import deceives
from sittings import play

SILENT = {"corporation": "talk is part of the rules", "dark_sources": "it is played from memory"}
OPEN = {"dark_sources": {"memory": "open"}}
"""Options under which a game's bots chat."""


def match_of(name: str, seats: int = 3, seed: bytes = bytes(32), **options: object) -> Match:
    game = find_game(name)
    values = {**game.options.simulation_defaults(seats), **OPEN.get(name, {}), **options}
    return Match(game, game.options.build(values), [f"p{seat}" for seat in range(seats)], seed)


def moves(match: Match, most: int) -> Iterator[int]:
    """Play on with random moves; after each the seat that made it."""
    bot = make_bot(match.game, "random")
    while not match.over and match.ply < most:
        seat = match.acting[0]
        match.play_actions(seat, bot.choose(match.view(seat), seat, rng.generator("remarks", match.ply)))
        yield seat


def words_of(game: Game) -> Iterator[tuple[str, str, str, Sequence[str]]]:
    for kind, roles in remarks_of(game).items():
        for role, by_regular in roles.items():
            for key, sentences in by_regular.items():
                yield kind, role, key, sentences


def test_everybody_has_something_of_their_own_to_say() -> None:
    every = [text for one in regulars().values() for texts in one.remarks.values() for text in texts]
    assert len(set(every)) == len(every)
    for regular in regulars().values():
        assert set(regular.remarks) == set(OCCASIONS)
        for occasion, sentences in regular.remarks.items():
            assert len(sentences) > 1, f"{regular.key} says the same whenever it is {occasion}"
            for text in sentences:
                check_sentence(text, other=occasion not in ("paid", "ahead"))


def check_sentence(text: str, other: bool) -> None:
    assert re.findall(r"\{[^}]*\}", text) in ([], ["{other}"]), text
    assert other or "{other}" not in text, text
    assert len(text) < 80
    assert text[-1] in ".!?"
    assert not deceives(text)


@pytest.mark.parametrize("name", game_names())
def test_what_is_said_of_a_games_events_is_about_events_that_it_has(name: str) -> None:
    game = find_game(name)
    for kind, role, key, sentences in words_of(game):
        assert kind in game.events.numbers, kind
        assert role in ROLES, role
        assert key in {"all", *regulars()}, key
        for text in sentences:
            check_sentence(text, other=True)


@pytest.mark.parametrize("seats", [2, 4])
def test_one_thing_in_ten_turns_of_ones_own_at_most(seats: int) -> None:
    """In a stretch it speaks once at most, and from the end of one to the next there are ten turns."""
    compared = 0
    for number in range(12):
        match = match_of("medici", seats, rng.generator(number).tobytes())
        turns: set[int] = set()
        stretches: dict[int, list[int]] = {}
        turn = 0
        for seat in moves(match, 400):
            begun, turn = turn, int(match.at(match.ply - 1).turn)
            if seat == 1 and turn != begun:
                turns.add(turn)
            stretch = time_to_speak(match, 1) if seat == 1 else None
            if stretch is not None:
                stretches.setdefault(stretch, []).append(len(turns))
        for one, next_one in pairwise(stretches.values()):
            assert next_one[0] - one[-1] >= REST
            compared += 1
        assert all(len(set(found)) <= TRIES + 1 for found in stretches.values())
    assert compared > 5, "no match was long enough, so nothing was tested"


def test_two_matches_that_are_the_same_hear_the_same() -> None:
    for name in ("catham", "medici", "dark_sources"):
        heard = []
        for _ in range(2):
            match, told = match_of(name), []
            for seat in moves(match, 40):
                if not match.over:
                    told += [about_the_table(match, seat, regular, []) for regular in regulars().values()]
            heard.append(told)
        assert heard[0] == heard[1]
        assert len({text for text in heard[0] if text}) > 5, f"{name}: hardly anything is said"


def test_it_is_about_what_has_just_happened() -> None:
    """Who was hacked speaks of that; who hacked does; and of who is named."""
    game = find_game("catham")
    lena, vera = regulars()["lena"], regulars()["vera"]
    said: set[str] = set()
    for number in range(40):
        match = match_of("catham", 3, rng.generator("hack", number).tobytes())
        for seat in moves(match, 80):
            hacks = [event for event in match.moves[-1].events if event.kind == "hacked"]
            for event in hacks:
                if match.over:
                    continue
                victim = event.args["victim"]
                text = about_the_table(match, seat, lena, [])
                assert text in filled(game, "hacked", "own", "lena", match.names[victim])
                text = about_the_table(match, victim, vera, [])
                assert text in filled(game, "hacked", "me", "vera", match.names[seat])
                said.add(text)
                again = about_the_table(match, victim, vera, [text])
                assert again != text, "nothing is said twice"
    assert said


def filled(game: Game, kind: str, role: str, key: str, other: str) -> list[str]:
    by_regular = remarks_of(game)[kind][role]
    return [text.format(other=other) for text in by_regular.get(key) or by_regular["all"]]


def regular(key: str, number: int = 1) -> ChairRow:
    return ChairRow("t", number, regulars()[key].name, bot=f"{key}:even")


def first_remark(match: Match, chair: ChairRow, talk: Sequence[TalkRow] = ()) -> TalkRow | None:
    for seat in moves(match, 300):
        if seat == 1:
            line = remark(match, "t", chair, seat, lambda: talk)
            if line is not None:
                return line
    return None


@pytest.mark.parametrize("name", ["catham", "medici", "dark_sources"])
def test_a_remark_is_a_line_of_its_chair_and_said_once(name: str) -> None:
    match = match_of(name, 4, b"r" * 32)
    line = first_remark(match, regular("otto"))
    assert line is not None
    assert (line.chair, line.name, line.number) == (1, "Otto", 1)
    assert remark(match, "t", regular("otto"), 1, lambda: [line]) is None, "another server has said it"


def test_nobody_speaks_who_may_not() -> None:
    never = regular("otto")
    person = ChairRow("t", 1, "Otto", token="x", bot="otto:even")
    other = ChairRow("t", 1, "Anna", bot="otto:even")
    apprentice = ChairRow("t", 1, "Apprentice1", bot="greedy")
    for chair in (person, other, apprentice):
        assert first_remark(match_of("medici", 4, b"r" * 32), chair) is None, "it sits in, or is nobody"
    for name in SILENT:
        assert first_remark(match_of(name, 4, b"r" * 32, **{"memory": "play"} if name in OPEN else {}), never) is None
    full = [TalkRow("t", n, 1, "Otto", "So.", f"said {n}", 0) for n in range(MOST_TALK)]
    assert first_remark(match_of("medici", 4, b"r" * 32), never, full) is None, "it has said all that a table keeps"


ANNA = "a" * 32


def seated(tables: Tables, quiet: bool = False) -> str:
    asked = [
        ChairRequest("you", "Anna"),
        ChairRequest("bot", bot="hugo:gentle"),
        ChairRequest("bot", bot="mina:gentle"),
    ]
    return tables.create(ANNA, "lockbox", asked, quiet=quiet)


@pytest.mark.usefixtures("lockbox")
def test_a_quiet_table_is_quiet_to_the_end(tables: Tables) -> None:
    table = seated(tables, quiet=True)
    assert tables.view(table, ANNA).quiet
    for move in ("take 2", "take 2", "take 2", "take 2", "take 1"):
        play(tables, table, ANNA, move)
    view = tables.view(table, ANNA)
    assert view.over
    assert view.talk == ()


@pytest.mark.usefixtures("lockbox")
def test_whoever_sits_at_a_table_may_hush_its_bots(tables: Tables) -> None:
    table = seated(tables)
    view = tables.view(table, ANNA)
    assert (view.chatting, view.quiet) == (True, False)
    assert tables.hush(table, ANNA, True).status == "applied"
    assert tables.hush(table, ANNA, True).status == "already applied"
    after = tables.view(table, ANNA)
    assert after.quiet
    assert after.mark.revision > view.mark.revision, "pages are told"
    assert tables.hush(table, ANNA, False).status == "applied"
    with pytest.raises(Exception, match="E_SEAT"):
        tables.hush(table, "b" * 32, True)
