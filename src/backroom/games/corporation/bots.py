"""Hints for bots that play Corporation, and personas: players with one habit each.

A persona is asked like any bot, on its seat's view. Its parameter is a chance or a number of rounds (`Persona`).
"""

from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import Habit, Level, Parameter, Persona
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.corporation import rules
from backroom.games.corporation.options import CorporationOptions
from backroom.games.corporation.rules import MESSAGES, TOP, highest_in_hand, in_hand, is_member, may_talk, plan
from backroom.text.english import counted

__all__ = ["CUTOFF", "HABITS", "LEVELS", "PERSONAS", "evaluate", "sealed", "seen"]

CUTOFF = 1
"""Placings after which a search values the position: what happens in later rounds hides what this one brings."""

LEVELS = (
    Level(
        "slip:0.8", "Places any card in four rounds of five, else the one that looks best.",
        (0.535, 0.459, 0.611), (0.115, 0.071, 0.159), 4, 400,
    ),
    Level(
        "slip:0.45", "Places the card that looks best, but any card in nearly every second round.",
        (0.623, 0.547, 0.698), (0.075, 0.036, 0.114), 4, 400,
    ),
    Level(
        "slip:0.2", "Places the card that looks best, but any card in one round of five.",
        (0.410, 0.342, 0.478), (0.150, 0.103, 0.197), 4, 400,
    ),
    Level(
        "greedy", "Places the card that looks best, always.",
        (0.445, 0.373, 0.518), (0.092, 0.054, 0.129), 4, 400,
    ),
)  # fmt: skip
"""Each beats the one below it, the lowest random play; docs/levels.md has the commands."""

card_action = rules.card_action
claim_message, ask_message = MESSAGES.claim.encode, MESSAGES.ask.encode


@kernel
def evaluate(s: Any, seat: Int) -> Float:
    """Win share guessed from the distance to the target: each player's chance falls with the points he lacks.

    Corporations count for nothing: their worth depends on whether their members can be relied on.
    """
    total, own = 0.0, 0.0
    for p in range(s.seats):
        weight = np.exp(8.0 * min(s.score[p] / s.target, 1.0))
        total += weight
        if p == seat:
            own = weight
    return own / total


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """A placed card is face down: others see that something was placed."""
    return action if seat == viewer else 0


@kernel
def sealed(s: Any) -> Int:
    """The players who have placed already: what they chose shows at the reveal only."""
    return 0 if s.over else ((1 << np.int64(s.seats)) - 1) & ~np.int64(s.acting)


@kernel
def leader(s: Any) -> Int:
    """The seat with most points, the first of equals."""
    best = 0
    for p in range(1, s.seats):
        if s.score[p] > s.score[best]:
            best = p
    return best


@kernel
def any_card(s: Any, seat: Int, random: Any) -> Int:
    """A card of the hand, all alike."""
    held = 0
    for value in range(1, TOP + 1):
        if in_hand(s, seat, value):
            held += 1
    chosen = rng.below(random, held)
    for value in range(1, TOP + 1):
        if in_hand(s, seat, value):
            if chosen == 0:
                return card_action(value - 1)
            chosen -= 1
    return -1


@kernel
def plan_is_known(s: Any, seat: Int, card: Int) -> bool:
    """Whether some other player is expected to place this card: by his claim, or by his corporation's plan."""
    for p in range(s.seats):
        if p != seat and (s.claim[p] == card or (s.claim[p] == 0 and plan(s, p) == card)):
            return True
    return False


@kernel
def alone(s: Any, seat: Int, random: Any) -> Int:
    """The highest card that nobody is expected to place, now and then a lower one so as not to be guessed."""
    for value in range(TOP, 0, -1):
        if in_hand(s, seat, value) and not plan_is_known(s, seat, value) and rng.below(random, 3) > 0:
            return card_action(value - 1)
    return any_card(s, seat, random)


@kernel
def meeting_card(s: Any, seat: Int) -> Int:
    """Where players without a corporation meet: the card most of them claim, else a low one that is free for all."""
    best, most = 0, 0
    for value in range(1, TOP + 1):
        if in_hand(s, seat, value):
            claims = 0
            for p in range(s.seats):
                if s.table[p] == 0 and s.claim[p] == value:
                    claims += 1
            if claims > most:
                best, most = value, claims
    if best > 0:
        return best
    for value in range(2, TOP + 1):
        if in_hand(s, seat, value) and not plan_is_known(s, seat, value):
            return value
    return 1


@kernel
def together(s: Any, seat: Int) -> Int:
    """The card of the common plan: one's corporation's, or the one where newcomers meet."""
    card = plan(s, seat)
    if card > 0 and in_hand(s, seat, card):
        return card_action(card - 1)
    return card_action(meeting_card(s, seat) - 1)


@kernel
def loner(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Plays for profits alone: a high card that nobody else is expected to place."""
    return alone(s, seat, random)


@kernel
def cooperator(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Keeps to the plan it claims aloud."""
    return together(s, seat)


@kernel
def announce(s: Any, seat: Int, random: Any) -> Int:
    """Claims the card of the plan, once a round."""
    if s.claim[seat] > 0 or not may_talk(s, seat):
        return np.int64(-1)
    return claim_message(together(s, seat) - card_action(0))


def defector(chance: float) -> Any:
    """Keeps to the plan, but leaves it with this chance a round for the highest card nobody is expected to place."""
    threshold = int(chance * 4294967296)

    @kernel
    def policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
        if rng.next_word(random) < threshold:
            return alone(s, seat, random)
        return together(s, seat)

    return policy


def grudger(patience: float) -> Any:
    """Keeps to the plan until a member of its corporation has strayed or lied more often than this; then alone."""
    limit = int(patience)

    @kernel
    def policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
        for p in range(s.seats):
            if p != seat and is_member(s, seat, p) and s.broken[p] + s.strayed[p] > limit:
                return alone(s, seat, random)
        return together(s, seat)

    return policy


def fixed(card: float) -> Any:
    """Places the same card whenever it can, else the highest other: what a mixed strategy must not lose to."""
    wanted = int(card)

    @kernel
    def policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
        if in_hand(s, seat, wanted):
            return card_action(wanted - 1)
        return np.int64(legal[n - 1])

    return policy


def no_such_card(card: float, options: CorporationOptions, seats: int) -> str:
    """Why nobody could place that card in such a match; empty when somebody can."""
    cards = (1, 3, 5, 7, 10) if options.cards == "change" else range(1, seats + 1)
    return "" if card in cards else f"nobody has a {int(card)}; the cards are {' '.join(map(str, cards))}"


@kernel
def leader_breaker(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Works against whoever leads: leaves his corporation, or crashes it by placing the card it plans."""
    first = leader(s)
    if first == seat or s.score[first] == 0 or s.table[first] == 0:
        return together(s, seat)
    if is_member(s, seat, first):
        return alone(s, seat, random)
    card = plan(s, first)
    return card_action(card - 1) if in_hand(s, seat, card) else together(s, seat)


PERSONAS = {
    "loner": Persona(lambda _: loner),
    "cooperator": Persona(lambda _: cooperator, chatter=announce),
    "defector": Persona(defector, parameter=Parameter(0.25, 0, 1), chatter=announce),
    "grudger": Persona(grudger, parameter=Parameter(0, 0, 1000, whole=True), chatter=announce),
    "fixed": Persona(fixed, parameter=Parameter(10, 1, TOP, whole=True), unfit=no_such_card),
    "leader-breaker": Persona(lambda _: leader_breaker, chatter=announce),
}


# The regulars: what they say before they place a card, and what their word is worth


@kernel
def bluff(s: Any, seat: Int, random: Any) -> Int:
    """Claims the highest card of the hand, once a round, so that others keep away from it or come to meet it."""
    if s.claim[seat] > 0 or not may_talk(s, seat):
        return np.int64(-1)
    return claim_message(highest_in_hand(s, seat) - 1)


@kernel
def urge(s: Any, seat: Int, random: Any) -> Int:
    """Asks the first other member of its corporation for the card of the plan, once a round; alone it is silent."""
    card = plan(s, seat)
    if card == 0 or not may_talk(s, seat):
        return np.int64(-1)
    for p in range(s.seats):
        if s.asked[seat, p] > 0:
            return np.int64(-1)
    for p in range(s.seats):
        if p != seat and is_member(s, seat, p):
            return ask_message(p, card - 1)
    return np.int64(-1)


@kernel
def let_down(s: Any, seat: Int) -> bool:
    """Whether some member of the seat's corporation has broken more than one claim."""
    for p in range(s.seats):
        if p != seat and is_member(s, seat, p) and s.broken[p] > 1:
            return True
    return False


@kernel
def announce_to_the_true(s: Any, seat: Int, random: Any) -> Int:
    """Claims the card of the plan, unless a member of the corporation has let it down."""
    return np.int64(-1) if let_down(s, seat) else announce(s, seat, random)


def word(chance: float) -> Any:
    """A promise: with this chance the card that was claimed, if it is in the hand."""
    threshold = int(chance * 4294967296)

    @kernel
    def promise(s: Any, seat: Int, random: Any) -> Int:
        if s.claim[seat] > 0 and in_hand(s, seat, s.claim[seat]) and rng.next_word(random) < threshold:
            return card_action(s.claim[seat] - 1)
        return np.int64(-1)

    return promise


def said(words: str) -> Any:
    """A motive in so many words, with how often the seat has broken a claim."""

    def motive(s: Any, seat: int) -> str:
        broken = int(s.broken[seat])
        return f"{words} I broke {'no claim' if broken == 0 else counted(broken, 'claim')}."

    return motive


HABITS = {
    "lena": Habit(
        "loner", 0.2, "Claims the plan, and leaves it as soon as another card pays more.", announce,
        motive=said("I said what would suit us all, and placed what paid me."),
    ),
    "otto": Habit(
        "cooperator", 0.2, "Says nothing. He keeps to his corporation longer than others would.",
        motive=lambda s, seat: "I said nothing, so nobody could hold me to it. I stayed with my corporation.",
    ),
    "mina": Habit(
        "leader-breaker", 0.25, "Asks her corporation for the card of the plan, and places another if it leads.", urge,
        motive=lambda s, seat: "I asked you to keep together, and left whenever the leader was among us.",
    ),
    "rolf": Habit(
        "", 0.0, "Keeps his word to whoever keeps theirs. Break two claims, and he never talks to you again.",
        announce_to_the_true, word(1.0), said("My word was good for as long as yours was."),
    ),
    "vera": Habit(
        "loner", 0.25, "Claims nothing and asks for nothing. She goes alone oftener than she ought to.",
        motive=lambda s, seat: "I told you nothing. You were free to guess.",
    ),
    "hugo": Habit(
        "", 0.0, "Places what he claims, always. Everybody can count on that, you too.", announce, word(1.0),
        said("I placed what I had claimed."),
    ),
    "nora": Habit(
        "random", 0.16, "Claims her highest card, whatever she is about to place. Do not believe it.", bluff,
        motive=said("I was bluffing, of course."),
    ),
    "emil": Habit(
        "random", 0.2, "Means what he says, and forgets it every third round.", announce, word(0.67),
        said("I meant to keep my word."),
    ),
}  # fmt: skip
