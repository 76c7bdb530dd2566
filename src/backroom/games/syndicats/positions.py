"""Syndicats positions as one line, both ways.

``{unbought_coin=1} | anna ben | phase bid anna | round 2 | keeper ben | cash 5 3 | ... | deck ginsu rex velvet``: the
switches that are not at their defaults (a designer's deck packed into one word), the players by seat, then fields in
any order, each only when it has something to tell:

- ``phase`` with who is asked: ``bid anna``, ``pick ben``, ``spend anna ben``, ``feed``, ``contracts``, ``setup``; or
  ``over`` and ``unfinished`` with why, as a number
- ``round``, ``keeper``; ``cash``, ``pile``, ``now`` and ``fund`` by seat
- ``supply``, ``discards``, ``kennel``, ``deck`` (top first; left out: all cards not named elsewhere, as in the file),
  ``began`` (the size of the deck when the round began); ``removed``: cards of the game that are out of it, or ``rest``
- ``cats anna:scratch+mangonel/attack``, ``houses anna:tango``; the starting cards are where they belong, with ``sides
  anna:custom/plain`` if not both plain; ``knocked``, ``fresh``, ``used`` cards; ``mark scratch:3``, ``coins scratch:1``
- ``passed``, ``spoken``, ``picked`` names (those in the order of their picks), ``speaker``, ``feeds``, ``stage``,
  ``paid``, ``copied``, ``killer`` (whose second kill is open), ``aim`` (target and weapon of an attack)
- ``sealed anna:2 ben:?`` sums, ``chosen anna:custom/plain`` sides, ``contracts
  anna:keep/tango/scratch+persian,hold/ginsu``

In a view hidden things are ``?``, of a deck ``?12``; such a line is for reading and describes no whole position.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from backroom.engine.game import CAPPED, FINISHED, Game, seats_in
from backroom.engine.names import written
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import (
    ATTACK,
    CARDS,
    CAT,
    DECK,
    DEFENCE,
    DISCARDS,
    DOG,
    DOGS,
    HELD,
    HOUSE,
    KENNEL,
    KITTEN,
    LAIR,
    OWN,
    REMOVED,
    SIDES,
    SUPPLY,
    deck_of,
)  # fmt: skip
from backroom.games.syndicats.options import SyndicatsOptions
from backroom.text.positions import Field, Layout, Reading, end, entries, held, number, row, whole, wrong

__all__ = [
    "PHASES",
    "SIDE_WORDS",
    "VERDICTS",
    "card_id",
    "in_game",
    "lying",
    "parse_position",
    "position",
    "read_card",
    "settle_deck",
]

PHASES = ("over", "setup", "bid", "pick", "spend", "feed", "contracts")
"""The word for each value of the state's ``phase``."""
VERDICTS = ("", "keep", "trash", "hold", "retain", "drop")
"""The word for each value of its ``verdict``."""
SIDE_WORDS = ("plain", "custom")
"""The word for each side of a starting card."""

Names = Sequence[str]


# Pieces


def card_id(state: Any, number: int) -> str:
    """A card as it is written."""
    return deck_of(state).thing(number).id


def read_card(state: Any, word: str) -> int:
    """The number of a card. Refusal E_POSITION for a word that is none of the deck."""
    found = deck_of(state).find(word)
    if found < 0:
        raise wrong(f"no card of the deck is called {word!r}")
    return found


def lying(state: Any, place: int) -> list[int]:
    """The cards at a place, ascending."""
    return [int(card) for card in np.flatnonzero(state.place == place)]


def held_text(state: Any, card: int) -> str:
    """A card of an organisation, with its side where that is not told by lying among cats or houses."""
    side = int(state.side[card])
    return card_id(state, card) + (f"/{SIDES[side]}" if side in (ATTACK, DEFENCE) else "")


def place_card(state: Any, card: int, place: int, side: int = 0) -> None:
    """Put a card that is not lying anywhere yet to its place. Refusal E_POSITION for one that is, or a wrong side."""
    fits = (card >= DOG) == (place == KENNEL) or place == REMOVED
    if not fits or (KITTEN <= card < DOG):
        raise wrong(f"{card_id(state, card)} cannot lie there")
    if place >= HELD and not int(state.sides[card]) >> side & 1:
        raise wrong(f"{card_id(state, card)} has no side {SIDES[side]}")
    if state.place[card] != DECK:
        raise wrong(f"{card_id(state, card)} lies in two places, or is not in this game")
    state.place[card] = place
    if card < OWN:
        state.side[card] = side


def settle_deck(state: Any, cards: Iterable[int]) -> None:
    """Lay the deck, its top first; with deck_top a cat on top is open."""
    order = list(cards)
    state.deck[:] = 0
    state.deck[: len(order)] = [card + 1 for card in reversed(order)]
    state.deck_size = len(order)
    state.top = order[0] + 1 if order and state.deck_top and order[0] < DOG else 0


# Fields

REST = "rest"
"""Removed are all cards of the game that the line does not name."""


def _pile_of_cards(word: str, place: int) -> Field:
    def read(at: Reading, text: str) -> None:
        for name in text.split() if text != REST else ():
            place_card(at.state, read_card(at.state, name), place)

    def tell(s: Any, names: Names, viewer: Viewer) -> str | None:
        there = lying(s, place)
        if place == REMOVED:
            dogs = range(DOG, DOG + int(s.dog_count)) if s.end != rules.BY_DECK else ()
            there = [card for card in there if card in (*in_game(s), *dogs)]
        return " ".join(card_id(s, card) for card in there) or None

    return Field(word, read, tell)


def in_game(s: Any) -> list[int]:
    """The cards that the switches put into this game, without dogs."""
    counts = {"copycat": s.copycats, "curiosity": s.curiosities, "catapult": s.catapults, "yarn": s.yarn}
    return deck_of(s).used({name: int(count) for name, count in counts.items()} | {"territory": int(s.territories)})


def _organisation(word: str, houses: bool) -> Field:
    def read(at: Reading, text: str) -> None:
        for name, what in entries(text):
            for one in what.split("+"):
                card, slash, side = one.partition("/")
                shown = HOUSE if houses else SIDES.index(side) if slash else CAT
                place_card(at.state, read_card(at.state, card), HELD + at.names.index(name), shown)

    def tell(s: Any, names: Names, viewer: Viewer) -> str | None:
        told = []
        for seat, name in enumerate(names):
            cards = [c for c in lying(s, HELD + seat) if c < CARDS and (s.side[c] == HOUSE) == houses]
            if cards:
                told.append(f"{written(name)}:{'+'.join(held_text(s, card) for card in cards)}")
        return " ".join(told) or None

    return Field(word, read, tell)


def _flags(word: str, name: str) -> Field:
    """Cards that are marked in a field of the state."""

    def read(at: Reading, text: str) -> None:
        for one in text.split():
            card = read_card(at.state, one)
            if card >= len(at.state[name]) or at.state.place[card] < HELD:
                raise wrong(f"{one} cannot be {word}")
            at.state[name][card] = 1

    def tell(s: Any, names: Names, viewer: Viewer) -> str | None:
        return " ".join(card_id(s, int(card)) for card in np.flatnonzero(s[name])) or None

    return Field(word, read, tell)


def _numbers(word: str, fits: Callable[[Any, int, int], bool]) -> Field:
    """A number on some cards, in the field of that name."""

    def read(at: Reading, text: str) -> None:
        for one, what in entries(text):
            card, count = read_card(at.state, one), whole(what, 1)
            if card >= len(at.state[word]) or not fits(at.state, card, count):
                raise wrong(f"{one} has no {word} of {count}")
            at.state[word][card] = count

    def tell(s: Any, names: Names, viewer: Viewer) -> str | None:
        return " ".join(f"{card_id(s, int(card))}:{int(s[word][card])}" for card in np.flatnonzero(s[word])) or None

    return Field(word, read, tell)


def _set(word: str) -> Field:
    def read(at: Reading, text: str) -> None:
        at.state[word] = sum({1 << at.names.index(name) for name in text.split()})

    def tell(s: Any, names: Names, viewer: Viewer) -> str | None:
        return " ".join(written(names[seat]) for seat in seats_in(int(s[word]))) or None

    return Field(word, read, tell)


def _read_picked(at: Reading, text: str) -> None:
    seats = [at.names.index(name) for name in text.split()]
    if len(set(seats)) < len(seats):
        raise wrong("nobody picks twice in a round", text)
    at.state.order[: len(seats)] = [seat + 1 for seat in seats]
    at.state.picks, at.state.picked = len(seats), sum(1 << seat for seat in seats)


def _tell_picked(s: Any, names: Names, viewer: Viewer) -> str | None:
    return " ".join(written(names[int(seat) - 1]) for seat in s.order[: int(s.picks)]) or None


def _read_phase(at: Reading, text: str) -> None:
    word, *who = text.split()
    at.state.phase = PHASES.index(word, 1)
    at.state.acting = sum({1 << at.names.index(name) for name in who})


def _tell_phase(s: Any, names: Names, viewer: Viewer) -> str | None:
    who = " ".join(written(names[seat]) for seat in seats_in(int(s.acting)))
    return None if s.over else f"{PHASES[int(s.phase)]} {who}"


def _read_keeper(at: Reading, text: str) -> None:
    at.state.keeper = at.names.index(text)


def _seat_field(word: str) -> Field:
    def read(at: Reading, text: str) -> None:
        at.state[word] = at.names.index(text) + 1

    return Field(word, read, lambda s, names, viewer: written(names[int(s[word]) - 1]) if s[word] else None)


def _sides_text(sides: int) -> str:
    """Sides of the starting cards, 1 for the custom kitten and 2 for the custom lair: ``custom/plain``."""
    return f"{SIDE_WORDS[sides & 1]}/{SIDE_WORDS[sides >> 1]}"


def _sides_of(text: str) -> int:
    kitten, lair = (SIDE_WORDS.index(word) for word in text.split("/"))
    return kitten + 2 * lair


def _tell_sides(s: Any, seat: int, viewer: Viewer) -> str | None:
    up, usual = int(s.kitten_side[seat]) + 2 * int(s.lair_side[seat]), 3 if s.start_sides == rules.CUSTOM else 0
    return None if up == usual else _sides_text(up)


def _read_deck(at: Reading, text: str) -> None:
    s, cards = at.state, [read_card(at.state, word) for word in text.split()]
    if at.said.get("removed") == REST:
        s.place[[card for card in lying(s, DECK) if card not in cards]] = REMOVED
    if len(set(cards)) < len(cards) or any(s.place[card] != DECK for card in cards):
        raise wrong("a card of the deck stands twice, lies elsewhere, or is not in this game", text)
    if len(cards) != len(lying(s, DECK)):
        raise wrong("cards of this game stand nowhere; name them as removed", text)
    settle_deck(s, cards)


def _tell_deck(s: Any, names: Names, viewer: Viewer) -> str:
    size = int(s.deck_size)
    if viewer is ALL_KNOWING:
        return " ".join(card_id(s, int(card) - 1) for card in s.deck[:size][::-1])
    top = [card_id(s, int(s.top) - 1)] if s.top else []
    return " ".join([*top, *([f"?{size - len(top)}"] if size > len(top) else [])])


def _read_killer(at: Reading, text: str) -> None:
    card = read_card(at.state, text)
    if card >= LAIR or not at.state.used[card]:
        raise wrong(f"{text} has not been used")
    at.state.kill_cat = card + 1


def _read_aim(at: Reading, text: str) -> None:
    target, weapon = (read_card(at.state, word) for word in text.split())
    if target >= OWN or weapon >= LAIR or at.state.place[target] < HELD or at.state.place[weapon] < HELD:
        raise wrong("an attack has a target and a weapon in organisations", text)
    at.state.target, at.state.weapon = target + 1, weapon + 1


def _tell_aim(s: Any, names: Names, viewer: Viewer) -> str | None:
    return f"{card_id(s, int(s.target) - 1)} {card_id(s, int(s.weapon) - 1)}" if s.target else None


def _sealed(
    word: str, phase: int, tell_one: Callable[[Any, int], str], read_one: Callable[[Any, int, str], None]
) -> Field:
    """What players have sealed in a phase: each sees its own."""

    def tell(s: Any, seat: int, viewer: Viewer) -> str | None:
        if s.phase != phase or int(s.acting) >> seat & 1 or not _seals(s, seat):
            return None
        return tell_one(s, seat) if viewer in (ALL_KNOWING, seat) else "?"

    return held(word, tell, lambda s, seat, what, text: read_one(s, seat, what))


def _seals(s: Any, seat: int) -> bool:
    """Whether the seat is one of those who choose in this phase."""
    if s.phase == rules.SPEND:
        return seat in (int(rules.picker(s)), int(rules.owner(s, int(s.target) - 1)))
    return s.phase == rules.SETUP or bool(rules.owes(s, seat))


def _read_spend(s: Any, seat: int, text: str) -> None:
    s.sealed[seat] = whole(text, 0, min(int(s.cash[seat]), rules.AMOUNTS - 1) + 1) + 1


def _read_choice(s: Any, seat: int, text: str) -> None:
    s.start_choice[seat] = 1 + _sides_of(text)


def _tell_contracts(s: Any, seat: int) -> str:
    clauses = []
    for card in np.flatnonzero(s.verdict[seat]):
        cats = [card_id(s, int(cat)) for cat in np.flatnonzero(s.serves[seat] == card + 1)]
        words = [VERDICTS[int(s.verdict[seat, card])], card_id(s, int(card)), *(["+".join(cats)] if cats else [])]
        clauses.append("/".join(words))
    return ",".join(clauses) or "none"


def _read_contracts(s: Any, seat: int, text: str) -> None:
    """The actions of what is written, in their order, each of which must be legal."""
    actions = []
    for clause in text.split(",") if text != "none" else ():
        verb, card, *cats = clause.split("/")
        house = read_card(s, card)
        if len(cats) > 1 or (cats and verb not in ("keep", "trash")) or house >= CARDS:
            raise wrong("a contract is written as keep/tango/scratch+persian, hold/ginsu, drop/tiger", clause)
        row_of = [read_card(s, cat) for cats_text in cats for cat in cats_text.split("+")]
        order = {"drop": 0, "keep": 1, "trash": 1, "hold": 2, "retain": 3}[verb]
        first = getattr(rules.ACTIONS, verb).first
        actions.append((order, house, [first + house, *(rules.SERVE + cat for cat in sorted(row_of))]))
    rules.list_cards(s)
    out = np.empty(rules.ACTION_COUNT, np.int32)
    for action in [*(one for _, _, row_of in sorted(actions) for one in row_of), rules.DONE]:
        if action not in out[: rules.legal_contracts(s, seat, out)]:
            raise wrong("such contracts cannot have been sealed", text)
        if action != rules.DONE:
            rules.write_contract(s, seat, action)
    s.latest[seat] = 0


def _read_ending(state: Any, text: str) -> None:
    state.ending = whole(text, 1, 32)
    state.phase = 0


FIELDS = (
    Field("phase", _read_phase, _tell_phase),
    number("round", "turn", usual=None, least=1),
    Field("keeper", _read_keeper, lambda s, names, viewer: written(names[int(s.keeper)])),
    *(row(word) for word in ("cash", "pile", "now", "fund")),
    _pile_of_cards("supply", SUPPLY),
    _pile_of_cards("discards", DISCARDS),
    _pile_of_cards("kennel", KENNEL),
    _pile_of_cards("removed", REMOVED),
    _organisation("cats", False),
    _organisation("houses", True),
    Field("deck", _read_deck, _tell_deck),
    number("began", "deck_began", usual=None),
    held("sides", _tell_sides, lambda s, seat, what, text: rules.turn_up(s, seat, _sides_of(what))),
    _flags("knocked", "knocked"),
    _flags("fresh", "fresh"),
    _flags("used", "used"),
    _numbers("mark", lambda s, card, count: s.place[card] >= HELD and s.side[card] != HOUSE and count <= 6),
    _numbers("coins", lambda s, card, count: s.place[card] == SUPPLY),
    _set("passed"),
    _set("spoken"),
    Field("picked", _read_picked, _tell_picked),
    _seat_field("speaker"),
    number("feeds", "feeds"),
    number("stage", "stage"),
    number("paid", "paid"),
    number("copied", "copied"),
    Field("killer", _read_killer, lambda s, names, viewer: card_id(s, int(s.kill_cat) - 1) if s.kill_cat else None),
    Field("aim", _read_aim, _tell_aim),
    _sealed("sealed", rules.SPEND, lambda s, seat: str(int(s.sealed[seat]) - 1), _read_spend),
    _sealed("chosen", rules.SETUP, lambda s, seat: _sides_text(int(s.start_choice[seat]) - 1), _read_choice),
    _sealed("contracts", rules.CONTRACTS, _tell_contracts, _read_contracts),
    end(CAPPED, lambda s: str(int(s.ending)), _read_ending),
    end(FINISHED, lambda s: str(int(s.ending)), _read_ending),
)


UNSAID = -1
"""``deck_began`` of a line that does not say it."""


def _read_player(state: Any, seat: int, found: re.Match[str]) -> None:
    """All that stands at the opening: the money and the starting cards of a player."""
    if seat == 0:
        state.turn, state.keeper = 1, 0
        rules.lay_out(state)
        state.deck[:], state.deck_size, state.cash[:] = 0, 0, 0
        state.deck_began = UNSAID


LAYOUT = Layout(SyndicatsOptions, FIELDS, read=_read_player)

position = LAYOUT.write


def parse_position(game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the players' names from a position line (module docstring). Refusal E_POSITION, E_SETUP otherwise."""
    s, names = LAYOUT.parse(game, text)
    if s.deck_size == 0:
        settle_deck(s, sorted(lying(s, DECK)))
    if s.deck_began == UNSAID:
        s.deck_began = s.deck_size
    s.dogs_out = len(lying(s, KENNEL))
    rules.list_cards(s)
    if s.phase == rules.SETUP:
        s.top = 0
    if s.over and s.last_dog == rules.IMMEDIATE and rules.last_dog_out(s):
        s.top = 0  # Y57: the game is over before what lies behind the last dog is turned up
    for why in _faults(s):
        raise wrong(why, text)
    return s, names


def _faults(s: Any) -> Iterable[str]:
    """Why play cannot go on from a position."""
    acting, phase = seats_in(int(s.acting)), int(s.phase)
    everybody = set(range(int(s.seats)))
    if s.over:
        if acting or phase:
            yield "nobody acts once the game is over"
        return
    if phase == 0 or not acting:
        yield "say whose turn it is, as phase bid anna"
        return
    for name in ("stage", "copied", "feeds", "ending", "dogs_out"):
        least, most = rules.STATE.fields[name].bounds
        if not least <= s[name] <= most:
            yield f"{name} cannot be {int(s[name])}"
    if np.any(s.pile >= rules.AMOUNTS):
        yield f"a pile is less than {rules.AMOUNTS}"
    if not 0 <= s.deck_began <= CARDS + DOGS:
        yield "the deck cannot have begun with so many cards"
    if s.top == 0 and s.deck_top and s.deck_size and phase != rules.SETUP:
        yield "a dog lies on top of the deck; it belongs into the kennel"
    if phase == rules.SETUP and (s.start_sides != rules.CHOICE or lying(s, SUPPLY)):
        yield "sides are chosen before anything is dealt, with start_sides=choice"
    if s.copied and s.copy_limit == rules.UNLIMITED and phase not in (rules.PICK, rules.SPEND):
        yield "copied belongs to a pick"
    if phase in (rules.PICK, rules.SPEND, rules.FEED) and not s.picks:
        yield "somebody has picked; say who in picked"
    yield from _acting_faults(s, set(acting), phase, everybody)


def _acting_faults(s: Any, acting: set[int], phase: int, everybody: set[int]) -> Iterable[str]:
    """Who can be asked in a phase."""
    if phase == rules.BID:
        waiting = set(seats_in(int(rules.eligible(s)) & ~int(s.passed)))
        (asked, *more) = sorted(acting)
        leader = int(rules.leader(s))
        if more or asked not in waiting or waiting == {leader} or leader not in waiting:
            yield "one player who may speak is asked to bid"
        elif asked == leader and int(s.spoken) >> asked & 1:
            yield "the leader has spoken and is not asked again"
    elif phase == rules.PICK and acting != {int(rules.picker(s))}:
        yield "the last of those who picked is asked to pick"
    elif phase == rules.SPEND:
        if not s.target or int(s.place[int(s.target) - 1]) - HELD not in everybody:
            yield "an attack has an aim"
            return
        parties = {int(rules.picker(s)), int(rules.owner(s, int(s.target) - 1))}
        sealed = {seat for seat in everybody if s.sealed[seat]}
        if len(parties) < 2 or acting | sealed != parties or acting & sealed:
            yield "attacker and defender spend, each once"
    elif phase == rules.FEED:
        fed = int(s.feeds)
        if int(s.picks) != len(everybody) or fed >= len(everybody) or acting != {int(s.order[fed]) - 1}:
            yield "all have picked, and feed in that order"
    elif phase in (rules.CONTRACTS, rules.SETUP):
        deciding = {seat for seat in everybody if phase == rules.SETUP or rules.owes(s, seat)}
        if not acting <= deciding:
            yield "somebody who has nothing to decide is asked"
        ready = deciding - acting
        if phase == rules.SETUP and ready != {seat for seat in everybody if s.start_choice[seat]}:
            yield "whoever is not asked has chosen sides"
    if phase == rules.PICK and s.pick_order == rules.PAY_FIRST and s.stage == 0 and s.paid:
        yield "who has paid is past that stage"
