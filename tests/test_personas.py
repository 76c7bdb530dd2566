"""Named bots of Corporation and Dark Sources: habits, parameters, memory."""

from collections import Counter
from collections.abc import Sequence

import pytest

from backroom.bots import bot_specs, make_bot
from backroom.bots.bot import play_match
from backroom.bots.search import SearchBot
from backroom.engine import chance, rng
from backroom.engine.game import Refusal, find_game
from backroom.engine.match import Match


def shares(game_name: str, specs: Sequence[str], games: int) -> dict[str, float]:
    """Wins of each bot (shared ones split) over games in which the seats rotate."""
    game = find_game(game_name)
    options = game.options.build(game.options.simulation_defaults(len(specs)))
    wins: Counter[str] = Counter()
    for number in range(games):
        turn = number % len(specs)
        order = [*specs[turn:], *specs[:turn]]
        blank = game.blank(options, [f"p{seat}" for seat in range(len(specs))])
        randoms = [rng.generator(number, seat) for seat in range(len(specs))]
        state, _ = play_match(blank, chance.match_seed(number), [make_bot(game, spec) for spec in order], randoms)
        places = game.outcome(state)[1]
        for seat, place in enumerate(places):
            if place == 1:
                wins[order[seat]] += 1 / places.count(1)
    return dict(wins)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("corporation", ["loner", "cooperator", "defector", "grudger", "leader-breaker"]),
        ("dark_sources", ["memory", "perfect", "closer", "noisy"]),
    ],
)
def test_personas_are_offered(game: str, names: list[str]) -> None:
    assert set(names) < set(bot_specs(find_game(game)))


@pytest.mark.parametrize("spec", ["defector:2", "defector:nan", "defector:x", "loner:1", "grudger:-1"])
def test_a_wrong_parameter_is_refused(spec: str) -> None:
    with pytest.raises(Refusal) as refusal:
        make_bot(find_game("corporation"), spec)
    assert refusal.value.code == "E_BOT"


def test_four_cooperators_end_corporation_in_the_sixth_round() -> None:
    # HK4: seven and ten in turn, 4 players.
    game = find_game("corporation")
    blank = game.blank(game.options.build({}), ["a", "b", "c", "d"])
    bots = [make_bot(game, "cooperator")] * 4
    state, _ = play_match(blank, chance.match_seed(1), bots, [rng.generator(1, seat) for seat in range(4)])
    assert state.turn == 6
    assert game.outcome(state)[1] == [1, 1, 1, 1]


def test_cooperators_keep_what_they_claim_and_defectors_do_not() -> None:
    game = find_game("corporation")
    specs = ["cooperator", "cooperator", "cooperator", "defector:0.5"]
    blank = game.blank(game.options.build({}), ["a", "b", "c", "d"])
    bots = [make_bot(game, spec) for spec in specs]
    state, _ = play_match(blank, chance.match_seed(2), bots, [rng.generator(2, seat) for seat in range(4)])
    assert state.broken[3] > 0
    assert state.strayed[3] >= max(int(state.strayed[seat]) for seat in range(3))


def test_a_loner_wins_nothing_against_cooperators() -> None:
    assert shares("corporation", ["cooperator", "cooperator", "cooperator", "loner"], 8).get("loner", 0) < 1


def test_a_perfect_memory_beats_none_in_dark_sources() -> None:
    won = shares("dark_sources", ["greedy", "perfect"], 30)
    assert won["perfect"] > 0.8 * sum(won.values())


def test_the_more_is_forgotten_the_less_is_won() -> None:
    won = shares("dark_sources", ["noisy:0.9", "perfect"], 30)
    assert won["perfect"] > 0.7 * sum(won.values())


@pytest.mark.parametrize("spec", ["perfect", "memory:3", "noisy:0.4"])
def test_what_is_remembered_is_true_and_hangs_on_the_views_alone(spec: str) -> None:
    match = Match.new("dark_sources", ["anna", "ben", "cleo"], {"row": "shuffled", "stall_limit": 12}, seed=5)
    bots = [make_bot(match.game, spec)] * 3
    wrong = known = 0
    while not match.over:
        seat = match.acting[0]
        view = bots[seat].informed(match.views(seat), match.view(seat), seat)
        again = bots[seat].informed(match.views(seat), match.view(seat), seat)
        assert view.tobytes() == again.tobytes()
        held = view.value[:3] > 0
        wrong += int((view.value[:3][held] != match.state.value[:3][held]).sum())
        known += int(held.sum())
        match.play_actions(seat, bots[seat].choose(view, seat, rng.generator(1, seat, match.ply)))
    assert wrong == 0
    assert known > 0


def test_bots_talk_at_the_table_of_the_match() -> None:
    match = Match.new("corporation", ["anna", "ben", "cleo"], seed=1)
    bot = make_bot(match.game, "cooperator")
    message = bot.say(match.view(1), 1, rng.generator(1))
    match.play(1, match.game.notation.talk_text(message, match.names))
    assert match.moves[-1].text == f"claim {int(match.state.claim[1])}"
    assert bot.say(match.view(1), 1, rng.generator(1)) == -1


def test_search_leaves_little_to_a_fixed_card() -> None:
    """The best reply's gain in the first round of a 3-player game, in points, against the strategy of search."""
    match = Match.new("corporation", ["anna", "ben", "cleo"], seed=1)
    bot = make_bot(match.game, "search:1000")
    assert isinstance(bot, SearchBot)
    found = [bot.analyse(match.view(0), 0, rng.generator(seed)) for seed in range(12)]
    cards = [action + 1 for action in found[0].actions]
    strategy = [sum(analysis.probabilities[i] for analysis in found) / len(found) for i in range(len(cards))]
    alone = [card * (1 - strategy[i]) ** 2 for i, card in enumerate(cards)]
    gain = max(alone) - sum(share * points for share, points in zip(strategy, alone, strict=True))
    assert gain < 1.5, f"strategy {strategy} over {cards}: the best fixed card gains {gain:.2f} points"
    assert max(strategy) < 0.7
