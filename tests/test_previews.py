"""What a preview says of a move is what then happens: every claim of it is held against the position after the move."""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from backroom.conformance.play import Setting, every_setting, play_on, random_move, sample
from backroom.engine.game import Game, find_game, game_names, seats_in
from backroom.engine.match import Match
from backroom.engine.record import ALL_KNOWING
from backroom.games.medici import rules as medici
from backroom.games.medici.cards import RANK_COUNT
from backroom.games.medici.notation import noble, zone_text
from backroom.games.syndicats import cards as syndicats_cards
from backroom.games.syndicats.cards import deck_of as syndicats_deck

WORTH = [*range(2, 11), 15, 0, 1, 1, 1, 0]
"""Influence by rank: 2 to 10, Duke, Minister, Lady, Jester, Spy, Bodyguard."""


def catham_claims(match: Match, seat: int, actions: Sequence[int], text: str) -> None:
    before, after = match.state, match.game.state.copy(match.state)
    log = match.game.events.new_log()
    for action in actions:
        match.game.apply(after, seat, action, log)
    events = match.game.events.read(log)
    names = list(match.names)
    if found := re.search(r"\+\d+ points?, (\d+) to (\d+)", text):
        assert (int(before.points[seat]), int(after.points[seat])) == (int(found[1]), int(found[2]))
    assert ("you win" in text) <= bool(after.over and after.winner == seat)
    if found := re.search(r"hold (\d+) cards?", text):
        assert int(after.hand_size[seat]) == int(found[1])
    if found := re.search(r"(\d+) cards? must go", text):
        assert int(after.hand_size[seat]) - 10 == int(found[1])
        assert seats_in(int(after.acting)) == [seat]
    if found := re.search(r"draw (\d+) cards?", text):
        assert [event.args["count"] for event in events if event.kind == "drew"][:1] == [int(found[1])]
    if found := re.search(r"^(\d+) cards? from the deck", text):
        assert len(next(event for event in events if event.kind == "opened").args["cards"]) == int(found[1])
    if found := re.search(r"lays out (\d+) random cards?", text):
        laid = next(event for event in events if event.kind in ("searched", "hacked"))
        assert len(laid.args["cards"]) == int(found[1])
    if found := re.search(r"Then (.+) may ", text):
        assert names[seats_in(int(after.acting))[0]] == re.split(", | and ", found[1])[0]
    elif re.match(r"\+[23] points, \d+ to \d+\.$", text):
        assert after.over or not after.question, "somebody is asked of whom nothing is said"
    if found := re.search(r"Then (.+) must discard 2 cards or lose a point", text):
        hit = re.split(", | and ", found[1])
        assert {names[p] for p in seats_in(int(after.acting)) if after.question} <= set(hit)
        lost = {names[event.seat] for event in events if event.kind in ("threw", "lost")}
        assert lost <= set(hit)
    if found := re.search(r"keep (\d+|no) points? and (\d+) cards?", text):
        kept = 0 if found[1] == "no" else int(found[1])
        assert (kept, int(found[2])) == (int(after.points[seat]), int(after.hand_size[seat]))
    if found := re.search(r"lose a point.*, (\d+) to (\d+)", text):
        assert (int(before.points[seat]), int(after.points[seat])) == (int(found[1]), int(found[2]))
    if "nothing to fill the market" in text:
        assert int(after.market.sum()) <= int(before.market.sum())


def corporation_claims(match: Match, seat: int, actions: Sequence[int], text: str) -> None:
    alone, together = re.search(r"Alone with the (\d+): \1 points?\.", text), re.search(r"nobody else: (\d+)", text)
    assert alone is not None
    state = match.state
    members = [p for p in range(int(state.seats)) if state.table[p] and state.table[p] == state.table[seat]]
    assert (together is not None) == bool(members)
    for agree in (False, True):
        other = Match.from_position(match.game, match.game.notation.position(state, match.names, ALL_KNOWING), seed=1)
        if len(other.acting) < len(match.names):
            return
        other.play_actions(seat, actions)
        for p in other.acting.copy():
            legal = [
                a for a in other.game.legal(other.state, p).tolist() if (a == actions[0]) == (agree and p in members)
            ]
            if not legal:
                return
            other.play_actions(p, legal[:1])
        expected = int(together[1]) if agree and together else int(alone[1])
        assert int(other.state.gain[seat]) == expected


def dark_sources_claims(match: Match, seat: int, actions: Sequence[int], text: str) -> None:
    before, after = match.view(seat), match.game.state.copy(match.state)
    match.game.apply(after, seat, actions[0], match.game.events.new_log())
    if text.startswith("Your row"):
        assert text == f"Your row lies face up: {' '.join(map(str, after.value[seat].tolist()))}."
        return
    assert ("the game ends" in text) == bool(after.over)
    assert ("nothing is turned" in text) == (int(before.up) == int(after.up))
    for place, shown in re.findall(r"([a-j][1-5]) \((\d+|\?)\)", text):
        value = int(before.shown["abcdefghij".index(place[0]), int(place[1]) - 1])
        assert shown == (str(value) if value else "?")
    assert text.count("?") == [int(value) for value in after.known].count(0)


def owner(match: Match, cards: Sequence[int]) -> int:
    """The controller of a stack by M40 to M43, Jesters at 1; -1: nobody."""
    houses = [(card - 1) // RANK_COUNT for card in cards]
    worth = dict.fromkeys(houses, 0)
    for card, house in zip(cards, houses, strict=True):
        worth[house] += WORTH[(card - 1) % RANK_COUNT]
    if len(worth) == 1:
        return houses[0]
    best = [house for house, value in worth.items() if value == max(worth.values())]
    if not match.state.control:
        return best[0] if 2 * worth[best[0]] > sum(worth.values()) else -1
    if len(best) == 1:
        return best[0]
    return next(house for house in reversed(houses) if house in best) if match.state.plurality_tie else -1


def stack_cards(state: Any, number: int) -> list[int]:
    k = int(medici.find_stack(state, number))
    return (
        [int(card) for card in state.court[int(state.stack_start[k]) : int(state.stack_start[k + 1])]] if k >= 0 else []
    )


def medici_claims(match: Match, seat: int, actions: Sequence[int], text: str) -> None:
    game, names = match.game, list(match.names)
    before, after, log = match.state, game.state.copy(match.state), game.events.new_log()
    for action in actions:
        game.apply(after, seat, action, log)
    asked = []
    while not after.over and int(after.phase) in (medici.GUARD, medici.SCAPEGOAT):
        asked.append("Bodyguard" if after.phase == medici.GUARD else "scapegoat")
        let = medici.NOGUARD if after.phase == medici.GUARD else medici.NOSCAPEGOAT
        game.apply(after, seats_in(int(after.acting))[0], let, log)
    events = game.events.read(log)
    inner, outer = zone_text(after, True), zone_text(after, False)

    def side(words: str) -> int:
        return seat if words == "your" else names.index(words.removesuffix("’s"))

    if found := re.match(r"S(\d+) will be worth (\d+)(?:, and (.+) controls? it)?", text):
        cards = stack_cards(after, int(found[1]))
        assert sum(WORTH[(card - 1) % RANK_COUNT] for card in cards) == int(found[2])
        if found[3]:
            who = owner(match, cards)
            assert found[3] == ("nobody" if who < 0 else "you" if who == seat else names[who])
    if found := re.match(r"The Lady separates S(\d+): (\d+) lone nobles", text):
        separated = next(event for event in events if event.kind == "separated").args["cards"]
        assert len(separated) == int(found[2])
        assert len(stack_cards(after, int(found[1]))) == 1
    if found := re.match(r"The Minister eliminates all (\d+) nobles of S(\d+)", text):
        assert len(next(event for event in events if event.kind == "eliminated").args["cards"]) == int(found[1])
        assert len(stack_cards(after, int(found[2]))) == 1
    if found := re.match(r"(\d+) (?:beats|equals) (\d+)", text):
        told = next(event for event in events if event.kind == "conspired")
        assert list(told.args["values"]) == [int(found[1]), int(found[2])]
        saves = re.search(r"unless (.+) saves", text)
        for reaction in ("Bodyguard", "scapegoat"):
            assert (saves is not None and reaction in saves[1]) == (reaction in asked), f"asked were {asked}"
        target = told.args["target"]
        onto = told.args["stack"]
        gone = not re.search(rf"\bS{target}\[", inner + " " + outer)
        if re.search(r"all of S\d+( and of every other stack worth as much)? is discarded", text):
            assert gone
        if "falls apart" in text:
            assert gone
            assert any(event.kind == "disbanded" for event in events)
        if where := re.search(r"all of S\d+ goes to the Outer Court, (.+?) side", text):
            cards = " ".join(re.findall(rf"S{target}\[([^\]]*)\]", zone_text(before, True)))
            assert f"S{target}[{cards}]@{'ABCD'[side(where[1])]}" in outer
        assert ("enters the Inner Circle" in text) == any(event.kind == "promoted" for event in events)
        if "enters the Inner Circle" in text:
            assert re.search(rf"\bS{onto}\[", inner)
        if alone := re.search(r"goes alone to the Outer Court, (.+?) side", text):
            demoted = next(event for event in events if event.kind == "demoted")
            (card,) = demoted.args["cards"]
            assert (card - 1) // RANK_COUNT == side(alone[1])
            assert noble(card, seat, names) in text
        if "fringe card, the" in text:
            assert any(event.kind == "fringe_hit" for event in events)
    if found := re.search(r"next fringe card, order value (\d+)", text):
        assert WORTH[int(actions[0] - medici.PUT_FIRST)] == int(found[1])


def syndicats_claims(match: Match, seat: int, actions: Sequence[int], text: str) -> None:
    game, before = match.game, match.state
    after, log = game.state.copy(before), game.events.new_log()
    for action in actions:
        game.apply(after, seat, action, log)
    events = {event.kind: event for event in game.events.read(log)}
    deck = syndicats_deck(before)

    if found := re.search(r"Your pile is (\d+|no) coins?, and (\d+) cash is left", text):
        pile, left = 0 if found[1] == "no" else int(found[1]), int(found[2])
        assert int(before.cash[seat] + before.pile[seat]) == pile + left
        if after.phase == before.phase:
            assert (int(after.pile[seat]), int(after.cash[seat])) == (pile, left)
    goes_on = after.phase == before.phase and not after.over
    if goes_on and (found := re.search(r"This round's fund becomes (\d+), and (\d+) cash is left", text)):
        assert (int(after.now[seat]), int(after.cash[seat])) == (int(found[1]), int(found[2]))
    if " joins your " in text:
        card, side = game.actions.indices(actions[-1])
        zone = "houses" if side + 1 == syndicats_cards.HOUSE else "cats"
        assert f"{deck.cards[card].called(side + 1)} joins your {zone}" in text
        assert int(after.place[card]) == syndicats_cards.HELD + seat
        assert int(after.side[card]) == side + 1
    if text == "You take no card.":
        assert "took_none" in events
    if found := re.match(r"(.+) goes to the discards, and what lies under it is seen", text):
        top = int(before.top) - 1
        assert "killed" in events
        assert (found[1] == "The next cat of the deck") == (top < 0)
        assert top < 0 or int(after.place[top]) == syndicats_cards.DISCARDS
    if found := re.match(r"You will have (\d+|no) coins?, (\d+) (less|more)", text):
        gain = int(found[2]) * (-1 if found[3] == "less" else 1)
        cash = 0 if found[1] == "no" else int(found[1])
        assert cash - int(before.cash[seat]) == gain
        if after.phase != before.phase and not after.over:
            assert int(after.cash[seat]) == cash


CLAIMS: dict[str, Callable[[Match, int, Sequence[int], str], None]] = {
    "catham": catham_claims,
    "corporation": corporation_claims,
    "dark_sources": dark_sources_claims,
    "medici": medici_claims,
    "syndicats": syndicats_claims,
}


def test_every_game_has_its_previews_checked() -> None:
    assert set(CLAIMS) == set(game_names())


MIXED = {
    "medici": [
        Setting(3, {"spy_defends": True, "control": "plurality", "plurality_tie": "top", "bodyguard_scope": "any"}),
        Setting(4, {"spy_defends": True, "fringe_refill": "reveal", "fringe_after_turn": "usable"}),
    ],
    "catham": [Setting(6, {"official_cards": "keep", "factions": "OSMHR", "advanced": True, "target": 30})],
}
"""Many switches together, besides pairs and each alone."""


@pytest.mark.parametrize(
    "tried", [sample, pytest.param(every_setting, marks=pytest.mark.long)], ids=["sample", "settings"]
)
@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_a_preview_claims_what_then_happens(name: str, tried: Callable[[Game], list[Setting]]) -> None:
    game: Game = find_game(name)
    claimed = 0
    for number, setting in enumerate([*tried(game), *MIXED.get(name, [])]):
        match, source = setting.match(game, number), random.Random(number)
        for _ in play_on(match, source, 60 if setting in MIXED.get(name, []) else 24, hinted=number % 2 == 1):
            if match.over:
                break
            for seat in match.acting[:1]:
                for _ in range(3):
                    actions = random_move(game, match.state, seat, source)
                    if actions is None:
                        continue
                    text = game.notation.preview(game, match.view(seat), seat, actions, match.names)
                    try:
                        CLAIMS[name](match, seat, actions, text)
                    except AssertionError as wrong:
                        position = game.notation.position(match.state, match.names, ALL_KNOWING)
                        raise AssertionError(f"{setting}: {position}\n{actions}: {text!r}\n{wrong}") from wrong
                    claimed += 1
    assert claimed > 300
