"""The regulars: specs that name a character and a level, their names and faces at tables, and what they are worth."""

import pytest

from backroom.bots import make_bot
from backroom.bots.bot import play_match
from backroom.bots.mixed import TASTES, TasteBot
from backroom.bots.regulars import LEVEL_WORDS, SITUATIONS, levels_of, regulars
from backroom.engine import chance, rng
from backroom.engine.game import Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.tables.chatter import last_words
from backroom.tables.making import bot_name
from backroom.tables.rows import ChairRow
from backroom.tables.service import Tables
from backroom.tables.views import Chair, ChairRequest
from backroom.web.lobby import chairs_wanted, lobby_context
from backroom.web.opponents import bot_words, company_of, face_of, strengths
from sittings import play

EVERY_SPEC = [f"{key}:{word}" for key in regulars() for word in LEVEL_WORDS]


def test_there_are_eight_with_something_to_say() -> None:
    assert len(regulars()) == 8
    for regular in regulars().values():
        assert regular.manner.endswith(".")
        assert regular.weakness.endswith(".")
        for situation in SITUATIONS:
            for sentence in regular.says[situation]:
                assert sentence.format(winner="Anna")
        assert regular.sentence("beaten", "seed", 3) == regular.sentence("beaten", "seed", 3)


@pytest.mark.parametrize("name", game_names())
def test_every_regular_is_a_bot_of_every_game_at_every_level(name: str) -> None:
    game = find_game(name)
    assert len(levels_of(game)) == len(LEVEL_WORDS)
    for spec in EVERY_SPEC:
        assert make_bot(game, spec).spec == spec
    assert make_bot(game, "lena").iterations == make_bot(game, "lena:even").iterations
    assert [word for _, word in strengths(game)][:4] == list(LEVEL_WORDS)
    for level in levels_of(game):
        assert level.line.endswith(".")
        if level.wins is not None and level.below is not None:
            assert level.wins[1] > level.below[2], f"{level.spec} is not clearly stronger than the level below"


@pytest.mark.parametrize("spec", ["lena:best", "otto:even:2", "Lena:even"])
def test_a_level_that_is_none_is_refused(spec: str) -> None:
    game = find_game("catham")
    with pytest.raises(Refusal, match="E_BOT"):
        make_bot(game, spec)


@pytest.mark.parametrize("name", ["catham", "corporation", "dark_sources", "medici"])
def test_tastes_choose_legal_moves_and_the_same_again(name: str) -> None:
    game = find_game(name)
    seats = max(3, game.seats.start)
    options = game.options.build(game.options.simulation_defaults(seats))
    match = Match(game, options, [f"p{seat}" for seat in range(seats)], bytes(32))
    seat = match.acting[0]
    view = match.view(seat)
    for word, taste in TASTES.items():
        bot = TasteBot(game, word, taste)
        chosen = [bot.decide(view, seat, rng.generator(5, word)) for _ in range(2)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in game.legal(view, seat)


def test_a_taste_is_for_what_it_says() -> None:
    scores, chances = [3, 9, 5], [0.2, 0.5, 0.3]
    assert TASTES["grab"](scores, chances, 2) == (5, 0.3)
    assert TASTES["save"](scores, chances, 2) == (-5, 0.3)
    assert TASTES["spoil"](scores, chances, 2) == (-9, -0.5), "the leader is hit"
    assert TASTES["spoil"](scores, chances, 1) == (-5, -0.3), "of the others, whoever leads"
    assert TASTES["deny"](scores, chances, 2) == (-12, 0.3)


def test_slips_make_a_bot_weaker() -> None:
    game = find_game("corporation")
    options = game.options.build(game.options.simulation_defaults(3))
    blank = game.blank(options, ["a", "b", "c"])
    bots = [make_bot(game, "greedy"), make_bot(game, "slip:1"), make_bot(game, "slip:1")]
    wins = 0
    for number in range(6):
        randoms = [rng.generator(number, seat) for seat in range(3)]
        state, _ = play_match(blank, chance.match_seed(number), bots, randoms)
        wins += game.outcome(state)[1][0] == 1
    assert wins >= 5


def test_names_are_the_regulars_own_and_apprentices_have_numbers() -> None:
    assert bot_name("lena:hard", ["Anna"]) == "Lena"
    assert bot_name("lena:hard", ["LENA"]) == "Lena2"
    assert bot_name("greedy", ["Anna", "Apprentice1"]) == "Apprentice2"


def chair(name: str, bot: str, held: bool = False) -> Chair:
    return Chair(0, name, 0, held, held, False, False, bot, "")


def test_a_face_is_a_bots_of_that_name_and_never_a_persons() -> None:
    assert face_of(chair("Lena", "lena:hard")) == "lena"
    assert face_of(chair("Lena2", "lena:hard")) == "lena"
    assert face_of(chair("Anna", "lena:hard")) == "", "she sits in for Anna, who left"
    assert face_of(chair("Lena", "lena:hard", held=True)) == "", "a person of that name is away"
    assert face_of(chair("Lena", "")) == "", "a person of that name"
    assert face_of(chair("Lena", "greedy")) == "", "an old table's bot"


def test_old_and_new_specs_make_tables_that_play(tables: Tables) -> None:
    asked = [ChairRequest("you", "Anna")] + [ChairRequest("bot", bot=spec) for spec in ("greedy", "mina:gentle")]
    table = tables.create("a" * 32, "catham", asked)
    assert [chair.name for chair in tables.view(table, "a" * 32).chairs] == ["Anna", "Apprentice1", "Mina"]


def test_the_lobby_seats_regulars_and_keeps_what_is_chosen() -> None:
    game = find_game("catham")
    fresh = chairs_wanted(game, {"name": "Anna", "chairs": "4"})
    assert [one.bot for one in fresh] == ["", "lena:even", "otto:even", "mina:even"]
    sent = {"name": "Anna", "chairs": "4", "chair1": "bot:otto", "level1": "hard", "chair2": "bot:greedy"}
    assert [one.bot for one in chairs_wanted(game, sent)] == ["", "otto:hard", "greedy", "lena:even"]
    context = lobby_context(game, [game], sent | {"was": "catham"})
    assert [one.title for one in context["chairs"]] == ["Otto", "Apprentice", "Lena"]
    assert context["chairs"][0].level == "hard"
    again = {f"chair{number}": f"bot:{one.bot}" for number, one in enumerate(fresh) if one.bot}
    assert [one.bot for one in chairs_wanted(game, {"name": "A", "chairs": "4", **again})] == [one.bot for one in fresh]
    many = chairs_wanted(find_game("corporation"), {"name": "Anna", "chairs": "10"})
    assert [one.bot for one in many[1:]] == [f"{key}:even" for key in regulars()] + ["greedy"]


def test_the_ticket_seats_whom_one_chooses() -> None:
    company = company_of("Otto", ["nora"], "hard", 3)
    assert company[0] == "nora:hard"
    assert len(set(company)) == 3
    assert "otto:hard" not in company_of("Otto", [""], "hard", 7), "nobody plays against a bot of the own name"
    assert company_of("Anna", [], "search:50", 2) == ["search:50", "search:50"]
    assert bot_words(find_game("catham"))["nora:hard"] == "hard"


def ended(name: str, seats: int) -> Match:
    game = find_game(name)
    options = game.options.build(game.options.simulation_defaults(seats))
    match = Match(game, options, [f"p{seat}" for seat in range(seats)], bytes(32))
    while not match.over:
        seat = match.acting[0]
        match.play_actions(seat, match.default_actions(seat))
    return match


def test_the_regulars_say_one_thing_when_it_is_over_and_nobody_else_does() -> None:
    match = ended("corporation", 4)
    chairs = [
        ChairRow("t", 0, "Anna", token="x"),
        ChairRow("t", 1, "Hugo", bot="hugo:even"),
        ChairRow("t", 2, "Ben", bot="nora:even"),
        ChairRow("t", 3, "Apprentice1", bot="greedy"),
    ]
    (line,) = last_words(match, "t", chairs, 7)
    assert (line.number, line.chair, line.name) == (7, 1, "Hugo")
    assert line.text == "I placed what I had claimed. I broke no claim."
    assert [again.text for again in last_words(match, "t", chairs, 7)] == [line.text]
    assert last_words(Match(match.game, match.options, match.names, bytes(32)), "t", chairs, 1) == [], "it goes on"


def test_corporations_regulars_keep_or_break_their_word_by_character() -> None:
    game = find_game("corporation")
    options = game.options.build({})
    names = ["Hugo", "Nora", "Otto"]
    match = Match(game, options, names, bytes(32))
    for _ in range(6):
        claims = {}
        for seat, key in enumerate(("hugo", "nora", "otto")):
            bot = make_bot(game, f"{key}:gentle")
            message = bot.say(match.view(seat), seat, rng.generator("say", match.ply, seat))
            if message >= 0:
                match.play(seat, game.talk_notation.talk_text(message, match.names))
                claims[seat] = int(match.state.claim[seat])
        assert 0 in claims, "the honest one says what it will place"
        assert 2 not in claims, "the silent one says nothing"
        for seat, key in enumerate(("hugo", "nora", "otto")):
            bot = make_bot(game, f"{key}:gentle")
            (action,) = bot.choose(match.view(seat), seat, rng.generator("play", match.ply, seat))
            match.play_actions(seat, [action])
        assert int(match.state.last[0]) == claims[0], "and places it"
    assert int(match.state.broken[0]) == 0


@pytest.mark.usefixtures("lockbox")
def test_last_words_stand_in_the_tables_talk_once_it_is_over(tables: Tables) -> None:
    anna = "a" * 32
    asked = [ChairRequest("you", "Anna"), ChairRequest("bot", bot="hugo:even"), ChairRequest("bot", bot="greedy")]
    table = tables.create(anna, "lockbox", asked)
    for move in ("take 2", "take 2", "take 2", "take 2", "take 1"):
        assert tables.view(table, anna).talk == ()
        play(tables, table, anna, move)
    view = tables.view(table, anna)
    assert view.over
    assert [(line.name, line.seat) for line in view.talk] == [("Hugo", 1)]
    assert "Anna" in view.talk[0].text
