"""Bazaar broken in one way each, to prove that the conformance suite bites. The names say what is wrong."""

from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from backroom.engine.events import EVERYBODY, Event
from backroom.engine.game import Game
from backroom.engine.kernel import kernel
from backroom.engine.notation import Line
from backroom.engine.record import RecordType, Viewer, public, record
from backroom.text.positions import Layout
from toys.bazaar import GAME, bots, rules
from toys.bazaar.notation import BazaarNotation
from toys.bazaar.options import BazaarOptions
from toys.bazaar.rules import ACCEPT, CARDS, DRAW, FIELDS, KINDS, OFFER, OFFERED, PICK, SEATS, SELL, STREAMS


def broken(**others: Any) -> Game:
    """Bazaar with other kernels, or another record."""
    return replace(GAME, rules=SimpleNamespace(**vars(rules) | others))


@kernel
def peeking_legal(s, seat, out):
    """One may not draw when the top card is of the last kind."""
    n = rules.legal(s, seat, out)
    if n > 1 and out[1] == DRAW and s.deck[np.int64(s.deck_size) - 1] == KINDS - 1:
        for i in range(2, n):
            out[i - 1] = out[i]
        n -= 1
    return n


@kernel
def unsorted_legal(s, seat, out):
    n = rules.legal(s, seat, out)
    if n > 1:
        out[0], out[1] = out[1], out[0]
    return n


@kernel
def stuck_legal(s, seat, out):
    """Late in the game nobody can answer an offer."""
    if s.phase == OFFER and s.turn > 8:
        return 0
    return rules.legal(s, seat, out)


@kernel
def drawing_apply(s, seat, action, log):
    """Everybody hears which card is drawn."""
    first = log.count
    rules.apply(s, seat, action, log)
    if action == DRAW and log.count > first:
        log.event_see[first] = EVERYBODY


@kernel
def telling_apply(s, seat, action, log):
    """Everybody hears which card is offered."""
    rules.apply(s, seat, action, log)
    if OFFERED <= action < ACCEPT and log.count > 0:
        log.event_see[log.count - 1] = EVERYBODY


@kernel
def losing_apply(s, seat, action, log):
    """The coin paid for a card vanishes."""
    rules.apply(s, seat, action, log)
    if action == ACCEPT:
        s.coins[seat - 1] -= 1


@kernel
def foreseeing_apply(s, seat, action, log):
    """Beginning a sale looks at the top of the deck."""
    rules.apply(s, seat, action, log)
    if SELL <= action < PICK and s.deck_size > 0:
        s.rounds = s.rounds + s.deck[np.int64(s.deck_size) - 1]


@kernel
def straying_apply(s, seat, action, log):
    """Reads beyond the deck when all of it is unknown, as it is in a view."""
    known = 0
    for i in range(CARDS):
        known += np.int64(s.deck[i])
    at = CARDS + 1 if known == 0 else 0
    if s.deck[at] > KINDS:
        s.rounds = s.rounds + 0
    rules.apply(s, seat, action, log)


@kernel
def lopsided_resample(s, seat, random):
    """Unknown cards in ascending order, begun somewhere at random."""
    pool = np.zeros(CARDS, np.int64)
    count = rules.unseen(s, seat, pool)
    if count > 0:
        start = rules.rng.below(random, count)
        turned = np.zeros(CARDS, np.int64)
        for i in range(count):
            turned[i] = pool[(start + i) % count]
        rules.place(s, seat, turned, count, random)
    else:
        rules.place(s, seat, pool, count, random)


@kernel
def impossible_resample(s, seat, random):
    """The lowest card of the deck is replaced by one of another kind."""
    rules.resample(s, seat, random)
    if s.deck_size > 0:
        s.deck[0] = (s.deck[0] + 1) % KINDS


@kernel
def abandoning_resample(s, seat, random):
    """A player in the middle of a sale may hold nothing that could still be named."""
    midmove = np.int64(s.midmove)
    s.midmove = 0
    rules.resample(s, seat, random)
    s.midmove = midmove


@kernel
def spending_policy(s, seat, legal, n, random):
    """Uses up one of the match's own chances."""
    s.chance_count[0] = s.chance_count[0] + 1
    return bots.policy(s, seat, legal, n, random)


@kernel
def hasty_ahead(s, seat):
    """A turn that is looked ahead to counts as one that has been taken."""
    s.turn = s.turn + 1
    return rules.ahead(s, seat)


class SharingRecord(RecordType):
    """Copies of a state in play are the state itself."""

    def copy(self, state: Any) -> Any:
        return state if state.chance_key.any() else super().copy(state)


class DeafOptions(BazaarOptions):
    """Whatever is said about ties, a coin decides."""

    def encode(self, players: Any) -> dict[str, Any]:
        return super().encode(players) | {"tie": 0}


class ShoutingNotation(BazaarNotation):
    """Reads small letters only."""

    def parse_move(self, game: Game, view: Any, seat: int, text: str, names: Any) -> list[int]:
        return super().parse_move(game, view, seat, text if text == text.lower() else "?", names)


class NamingNotation(BazaarNotation):
    """Tells who sells in words."""

    def describe(self, event: Event, names: Any, viewer: Viewer) -> Line | None:
        line = super().describe(event, names, viewer)
        if line is None or event.kind != "sold":
            return line
        return replace(line, parts=(f"{names[event.seat]} sells ", *line.parts[2:]))


class ForgetfulNotation(BazaarNotation):
    """Positions forget how many rounds were played."""

    def parse_position(self, game: Game, text: str) -> Any:
        state, names = super().parse_position(game, text)
        state.rounds = 0
        return state, names


# A bound that is too tight: more than two cards are thrown away.

SQUEEZED = broken(STATE=record(SEATS, STREAMS, **FIELDS | {"discard": public(np.int8, KINDS, most=2)}))

# A public field that gives the whole secret away: hands and deck, and a resample that reads them from there.

MIRRORED = record(
    SEATS, STREAMS, **FIELDS, hand_mirror=public(np.int8, SEATS, KINDS), deck_mirror=public(np.int8, CARDS)
)


@kernel
def mirror(s):
    s.hand_mirror[:] = s.hand
    s.deck_mirror[:] = s.deck


@kernel
def mirroring_setup(s, log):
    rules.setup(s, log)
    mirror(s)


@kernel
def mirroring_apply(s, seat, action, log):
    """Views are kept as they are, so that a move goes on alike on a view."""
    rules.apply(s, seat, action, log)
    if s.midmove == 0:
        mirror(s)
    elif action < SELL or action >= PICK:
        s.hand_mirror[seat, action - PICK] -= 1


@kernel
def truthful_resample(s, seat, random):
    rules.resample(s, seat, random)
    s.hand[:] = s.hand_mirror
    s.deck[:] = s.deck_mirror
    if s.phase == OFFER and rules.known_offer(s, seat) == 0:
        giver = np.int64(s.active)
        for kind in range(KINDS):
            if s.hand[giver, kind] > 0:
                s.offered[giver] = kind + 1
                s.offered[(giver + 1) % np.int64(s.seats)] = kind + 1


class MirrorNotation(BazaarNotation):
    """Position lines do without the mirrors."""

    @cached_property
    def layout(self) -> Layout:
        whole = super().layout
        return replace(whole, fields=[field for field in whole.fields if not field.word.endswith("_mirror")])

    def parse_position(self, game: Game, text: str) -> Any:
        state, names = super().parse_position(game, text)
        mirror(state)
        return state, names


def _with_notation(game: Game, notation: type[BazaarNotation]) -> Game:
    return replace(game, notation=notation(game.rules, game.options))


PEEKING = broken(legal=peeking_legal)
UNSORTED = broken(legal=unsorted_legal)
STUCK = broken(legal=stuck_legal)
DRAWING = broken(apply=drawing_apply)
TELLING = broken(apply=telling_apply)
LOSING = broken(apply=losing_apply)
FORESEEING = broken(apply=foreseeing_apply)
STRAYING = broken(apply=straying_apply)
HASTY = broken(ahead=hasty_ahead)
LOPSIDED = broken(resample=lopsided_resample)
IMPOSSIBLE = broken(resample=impossible_resample)
ABANDONING = broken(resample=abandoning_resample)
SPENDING = replace(GAME, hints=SimpleNamespace(**vars(bots) | {"policy": spending_policy}))
PLAIN_LABELS = replace(GAME, hints=SimpleNamespace(**{k: v for k, v in vars(bots).items() if k != "seen"}))
SHARING = broken(STATE=SharingRecord(SEATS, rules.STATE.fields))
DEAF = replace(GAME, options=DeafOptions)
SHOUTING = _with_notation(GAME, ShoutingNotation)
NAMING = _with_notation(GAME, NamingNotation)
FORGETFUL = _with_notation(GAME, ForgetfulNotation)
TRUTHFUL = _with_notation(
    broken(STATE=MIRRORED, setup=mirroring_setup, apply=mirroring_apply, resample=truthful_resample),
    MirrorNotation,
)
