"""What a game teaches: every card is explained, every rule named is there, each decision has a word for it."""

import random

import pytest

from backroom.conformance.play import play_on
from backroom.engine.game import Game, installed_games
from backroom.engine.match import Match
from backroom.engine.notation import Thing
from backroom.scenes.teaching import Section, teaching_of
from backroom.text.rulebook import passages
from backroom.web.table_page import table_module

GAMES = installed_games()
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")


def cribs(game: Game) -> list[tuple[int, str, tuple[Section, ...]]]:
    """The crib of every preset at the fewest and the most seats."""
    found = []
    for seats in (game.seats[0], game.seats[-1]):
        for preset in [None, *game.options.presets]:
            options = game.options(**(game.options.presets[preset] if preset else {}))
            found.append((seats, preset or "", teaching_of(game).crib(options, seats, None)))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_crib_is_short_names_its_rules_and_explains_a_thing_once(game: Game) -> None:
    rules = {passage.rule for passage in passages(game.file("rulebook.md").read_text("utf-8"))}
    module = table_module(game)
    for seats, preset, sections in cribs(game):
        entries = [entry for section in sections for entry in section.entries]
        assert entries, (seats, preset)
        keys = [key for entry in entries for key in entry.about]
        assert len(keys) == len(set(keys)), keys
        for entry in entries:
            assert entry.text.endswith("."), entry
            assert len(entry.text) <= 140, "a line or two of the crib"
            assert not entry.rule or entry.rule in rules, entry
            if entry.thing is not None:
                assert module.emblem(Thing(entry.thing.kind, entry.thing.key, entry.thing.words)) is not None, entry


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_at_each_decision_there_is_a_word_for_who_is_new(game: Game) -> None:
    """Whole matches at each number of seats: hints and standings are sentences, and speak of what the crib explains."""
    teaching = teaching_of(game)
    keys: set[str] = set()
    for seats in game.seats:
        match = Match.new(game, NAMES[:seats], seed=seats)
        sections = teaching.crib(match.options, seats, match.view(0))
        explained = {key for section in sections for entry in section.entries for key in entry.about}
        for at in play_on(match, random.Random(seats), 120, hinted=True):
            for seat in at.acting:
                view = at.view(seat)
                hints = teaching.coach(view, seat, NAMES[:seats])
                assert hints
                assert len({hint.key for hint in hints}) == len(hints)
                for hint in hints:
                    assert hint.text.endswith("."), hint
                    assert not hint.about or hint.about in explained, hint
                keys |= {hint.key for hint in hints}
                for key, words in teaching.standing(view, seat).items():
                    assert key in explained, key
                    assert words.endswith("."), words
    assert len(keys) >= 3, keys
