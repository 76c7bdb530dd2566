"""Named bots of Corporation and Dark Sources: habits, parameters, memory."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from backroom.bots import bot_specs, make_bot
from backroom.bots.bot import play_match
from backroom.bots.search import SearchBot
from backroom.engine import chance, rng
from backroom.engine.game import Game, Refusal, find_game, game_names
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


WRONG = ["", "x", "nan", "inf", "-1", " 1", "1 ", "1_0", "0x1", "1e0", "²", "99999999999", "1:2"]
"""Wrong for every parameter, in whatever range."""


def refused(game: Game, spec: str, right: str) -> None:
    with pytest.raises(Refusal) as refusal:
        make_bot(game, spec)
    assert refusal.value.code == "E_BOT"
    assert right in refusal.value.message
    assert "\n" not in refusal.value.message


@pytest.mark.parametrize("name", game_names())
def test_personas_take_what_they_declare_and_nothing_else(name: str) -> None:
    game = find_game(name)
    for persona, made in getattr(game.hints, "PERSONAS", {}).items():
        make_bot(game, persona)
        takes = made.parameter
        if takes is None:
            for given in ("", "0", "1"):
                refused(game, f"{persona}:{given}", f"{persona} has no parameter")
            continue
        make_bot(game, f"{persona}:{takes.default}")
        for given in WRONG:
            refused(game, f"{persona}:{given}", f"the parameter of {persona} is {takes.words}")
        beyond = [f"{takes.low - 1}", f"{takes.high + 1}"]
        for given in [*beyond, *(["1.5", "1.0"] if takes.whole else [])]:
            refused(game, f"{persona}:{given}", takes.words)


@pytest.mark.parametrize(
    ("game", "spec", "right"),
    [
        ("corporation", "grudger:1.5", "a whole number from 0 to 1000"),
        ("corporation", "fixed:2.7", "a whole number from 1 to 10"),
        ("corporation", "fixed:11", "a whole number from 1 to 10"),
        ("corporation", "defector:2", "a number from 0 to 1"),
        ("corporation", "loner:", "write loner alone"),
        ("dark_sources", "memory:2.5", "a whole number from 0 to 1000000"),
        ("dark_sources", "closer:1.5", "a whole number from 1 to 1000000"),
        ("dark_sources", "noisy:1.1", "a number from 0 to 1"),
        ("dark_sources", "memory:", "without one 4"),
    ],
)
def test_a_wrong_parameter_is_told_what_would_be_right(game: str, spec: str, right: str) -> None:
    refused(find_game(game), spec, right)


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


@pytest.mark.parametrize("swaps", [0, 1, 3, 8])
def test_a_short_memory_has_what_the_last_swaps_showed(swaps: int) -> None:
    """The same from the other end: a player who was not there before the last swaps remembers as much."""
    match = Match.new("dark_sources", ["anna", "ben", "cleo"], {"row": "shuffled", "stall_limit": 12}, seed=6)
    short, perfect = make_bot(match.game, f"memory:{swaps}"), make_bot(match.game, "perfect")
    compared = 0
    while not match.over:
        seat = match.acting[0]
        view = match.view(seat)
        late = list(match.views(seat))[-swaps - 1 :]
        # Nobody has seen a swap that is over before he came, though its cards are told until the next one.
        late[0].swapped[:] = 0
        late[0].known[:] = 0
        known = short.informed(match.views(seat), view, seat)
        assert known.value.tolist() == perfect.informed(late, view, seat).value.tolist()
        compared += int((known.value != known.shown).sum())
        match.play_actions(seat, short.choose(view, seat, rng.generator(1, seat, match.ply)))
    assert compared > 0 or swaps == 0


def test_bots_talk_at_the_table_of_the_match() -> None:
    match = Match.new("corporation", ["anna", "ben", "cleo"], seed=1)
    bot = make_bot(match.game, "cooperator")
    message = bot.say(match.view(1), 1, rng.generator(1))
    match.play(1, match.game.notation.talk_text(message, match.names))
    assert match.moves[-1].text == f"claim {int(match.state.claim[1])}"
    assert bot.say(match.view(1), 1, rng.generator(1)) == -1


VALUES = (1, 3, 5, 7, 10)
TABLES = [
    (0, 0, 0),
    *[
        tuple(value if corporation >> p & 1 else 0 for p in range(3))
        for value in VALUES
        for corporation in (7, 3, 5, 6)
    ],
]
"""All that may lie on the table in Corporation with three seats: nothing, or one corporation of three or of two."""


def mixtures(bot: SearchBot, searches: int) -> dict[tuple[int, ...], dict[int, float]]:
    """How two of a bot mix their cards, by (own card on the table, lower and higher card before the others)."""
    match, found = Match.new("corporation", ["anna", "ben", "cleo"], seed=1), {}
    for table in TABLES:
        key = (table[0], *sorted(table[1:]))
        if key in found:
            continue
        view = match.view(0)
        for p, card in enumerate(table):
            view.table[p], view.score[p] = card, 50
        analyses = [bot.analyse(view, 0, rng.generator(seed, *key)) for seed in range(searches)]
        mean = [sum(row) / searches for row in zip(*[analysis.probabilities for analysis in analyses], strict=True)]
        found[key] = {action + 1: share for action, share in zip(analyses[0].actions, mean, strict=True)}
    return found


def lead_per_round(found: dict[tuple[int, ...], dict[int, float]], card: int | None) -> float:
    """How many points a round a lone player gets ahead of the mean of two others who mix like this.

    He always places this card, or his highest when it lies before him; with None the best reply to what lies on the
    table. Exact but for the end of the game.
    """
    game = find_game("corporation")
    blank = Match.new("corporation", ["anna", "ben", "cleo"], seed=1).state
    log = game.events.new_log(recording=False)
    outcomes: dict[tuple[int, ...], dict[int, list[tuple[float, float, tuple[int, ...]]]]] = {}
    for table in TABLES:
        hands = [[value for value in VALUES if value != lies] for lies in table]
        second, third = (found[(table[p], *sorted(table[q] for q in range(3) if q != p))] for p in (1, 2))
        outcomes[table] = {own: [] for own in hands[0]}
        for cards in product(*hands):
            state = game.state.copy(blank)
            for p in range(3):
                state.table[p] = table[p]
            for p in range(3):
                game.apply(state, p, cards[p] - 1, log)
            gain, left = state.gain[:3].tolist(), tuple(state.table[:3].tolist())
            chance_of = second[cards[1]] * third[cards[2]]
            outcomes[table][cards[0]].append((chance_of, gain[0] - (gain[1] + gain[2]) / 2, left))
    worth, rounds = dict.fromkeys(TABLES, 0.0), 24
    for played in range(rounds):
        if played == rounds // 2:
            halfway = worth[0, 0, 0]
        after = {}
        for table in TABLES:
            leads = {own: sum(c * (lead + worth[t]) for c, lead, t in rows) for own, rows in outcomes[table].items()}
            after[table] = max(leads.values()) if card is None else leads[card if card in leads else max(leads)]
        worth = after
    return (worth[0, 0, 0] - halfway) / (rounds - rounds // 2)


def test_search_leaves_nothing_to_a_fixed_card_in_corporation() -> None:
    """Two searches against a lone fixed card over whole games, computed: no luck of the cards is in it."""
    bot = make_bot(find_game("corporation"), "search:1000")
    assert isinstance(bot, SearchBot)
    found = mixtures(bot, searches=30)
    leads = {card: lead_per_round(found, card) for card in VALUES}
    best = lead_per_round(found, None)
    print("points a round ahead of two searches:", {card: round(lead, 2) for card, lead in leads.items()}, "best", best)
    assert max(leads.values()) < 0.1, leads
    assert best < 1.0
