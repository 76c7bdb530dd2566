"""The rules of Corporation, in the order of the specification (part K of the Change! games).

A card is its value; 0 is no card. V is the set of values everybody owns: 1 3 5 7 10, or 1 to n with ``cards=ranks``.
"""

from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.actions import actions, family
from backroom.engine.events import attach, emit, event, events
from backroom.engine.game import CAPPED, FINISHED, rank_seats
from backroom.engine.kernel import Int, kernel
from backroom.engine.record import owned, public, record
from backroom.games.corporation.options import CorporationOptions

__all__ = ["ACTIONS", "EVENTS", "MESSAGES", "SEATS", "STATE", "STREAMS", "TOP"]

SEATS = 10
TOP = 10
"""The highest value a card can have."""

FEWEST = 4
"""With fewer players the game works, but there is hardly an outsider: a warning (KR1)."""

CHANGE, RANKS = CorporationOptions.codes("cards")
REFORM, DISSOLVE = CorporationOptions.codes("after_reward")
SHARE, MORE = CorporationOptions.codes("tie")
OPEN, OFF = CorporationOptions.codes("talk")
KEEP, ONCE = CorporationOptions.codes("talk_log")
CHANGE_SET = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 10

STREAMS: tuple[str, ...] = ()
"""Nothing is drawn or shuffled: the game has no chance at all."""

STATE = record(
    SEATS,
    STREAMS,
    table=public(np.int8, SEATS, most=TOP),  # T: the card lying face up before each player, 0 for none
    placed=owned(np.int8, SEATS, most=TOP),  # c: the card placed this round, known to its player only
    last=public(np.int8, SEATS, most=TOP),  # the cards of the round before, all revealed
    before=public(np.int8, SEATS, most=TOP),  # what lay face up before each when they were turned
    gain=public(np.int16, SEATS, most=TOP * SEATS),  # points of the round before
    score=public(np.int32, SEATS, least=0),
    claim=public(np.int8, SEATS, most=TOP),  # what each says he will place this round, 0 for nothing said
    claimed=public(np.int8, SEATS, most=TOP),  # the same of the round before
    asked=public(np.int8, SEATS, SEATS, most=TOP),  # asked[p, q]: what p asked q to place this round
    said=public(np.int32, SEATS, least=0),  # messages this round
    broken=public(np.int16, SEATS, least=0),  # claims not kept so far: what anybody could note down
    strayed=public(np.int16, SEATS, least=0),  # rounds of a member that did not place his corporation's card
    **CorporationOptions.fields(),
)

ACTIONS = actions(card=family(TOP))
MESSAGES = actions(claim=family(TOP), ask=family(SEATS, TOP), say=family())

EVENTS = events(
    64,
    few=event("players"),
    placed=event(),
    said=event(),
    claimed=event("value"),
    asked=event("whom", "value"),
    revealed=event("round", listed="cards"),
    rewarded=event("old", "value", "each", listed="members"),
    failed=event("old", "left", "joined", listed="members"),
    profited=event("value"),
    formed=event("value", listed="members"),
    dissolved=event("value", listed="members"),
    scored=event("round", listed="scores"),
    ended=event("capped", listed="winners"),
)

FEW, PLACED = (EVENTS.number(kind) for kind in ("few", "placed"))
SAID, CLAIMED, ASKED = (EVENTS.number(kind) for kind in ("said", "claimed", "asked"))
REVEALED, REWARDED, FAILED = (EVENTS.number(kind) for kind in ("revealed", "rewarded", "failed"))
PROFITED, FORMED, DISSOLVED = (EVENTS.number(kind) for kind in ("profited", "formed", "dissolved"))
SCORED, ENDED = (EVENTS.number(kind) for kind in ("scored", "ended"))

card_action, card_value = ACTIONS.card.encode, ACTIONS.card.decode
claim_value, asked_parts = MESSAGES.claim.decode, MESSAGES.ask.decode
ASK_FIRST, SAY = MESSAGES.ask.first, MESSAGES.say.first


@kernel
def setup(s: Any, log: Any) -> None:
    """Everybody takes one set into the hand; scores 0, nothing on the table."""
    s.rotation = 0
    s.turn = 1
    s.acting = (1 << np.int64(s.seats)) - 1
    if s.seats < FEWEST:
        emit(log, FEW, -1, -1, s.seats)


@kernel
def values(s: Any) -> Int:
    """V as a bit set."""
    return (2 << np.int64(s.seats)) - 2 if s.cards == RANKS else CHANGE_SET


@kernel
def is_value(s: Any, value: Int) -> bool:
    """Whether a number is in V."""
    return 1 <= value <= TOP and values(s) >> np.int64(value) & 1 != 0


# K1, K2: hands and placing


@kernel
def hand(s: Any, p: Int) -> Int:
    """The cards p holds, as a bit set: all of V but the card lying on the table (K1)."""
    return values(s) & ~(1 << np.int64(s.table[p]))


@kernel
def in_hand(s: Any, p: Int, value: Int) -> bool:
    """Whether p holds this card."""
    return hand(s, p) >> np.int64(value) & 1 != 0


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    # Each card is written and then counted if it is in the hand: cheaper than a branch to guess wrong.
    n: Int = 0
    held = hand(s, seat)
    for value in range(1, TOP + 1):
        out[n] = card_action(value - 1)
        n += held >> value & 1
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    if s.talk_log == ONCE:
        forget_messages(s)
    s.placed[seat] = card_value(action) + 1
    s.acting = s.acting & ~(1 << seat)
    emit(log, PLACED, seat)
    if s.acting == 0:
        reveal(s, log)


# K3: reveal


@kernel
def reveal(s: Any, log: Any) -> None:
    """All cards are turned up together; rewards, profits and new corporations follow; then the end is checked."""
    groups, corporations = group_sizes(s), corporation_sizes(s)
    if log.recording:
        emit(log, REVEALED, -1, -1, s.turn)
        for p in range(s.seats):
            attach(log, s.placed[p])
    note_down(s)
    remember(s)
    rewarded = rewards(s, groups, corporations, log)
    profits(s, groups, log)
    new_corporations(s, groups, rewarded, log)
    score(s)
    forget_messages(s)
    if log.recording:
        emit(log, SCORED, -1, -1, s.turn)
        for p in range(s.seats):
            attach(log, s.score[p])
    check_end(s, log)


# Loops over all SEATS of the record, taken or not, are those that the compiler turns into a few wide moves.


@kernel
def remember(s: Any) -> None:
    """Everybody still sees the cards of this round in the next."""
    for p in range(SEATS):
        s.before[p] = s.table[p]
        s.claimed[p] = s.claim[p]
        s.last[p] = s.placed[p]


@kernel
def score(s: Any) -> None:
    """The points of the round are added, and the next one begins with nothing placed or said."""
    for p in range(SEATS):
        s.score[p] += s.gain[p]
        s.placed[p] = 0
        s.said[p] = 0


@kernel
def group_sizes(s: Any) -> Int:
    """How many placed each card: G(v), as four bits for each value. `of_value` reads it."""
    groups = np.int64(0)
    for p in range(s.seats):
        groups += 1 << 4 * np.int64(s.placed[p])
    return groups


@kernel
def of_value(packed: Int, value: Int) -> Int:
    """The four bits that belong to a value."""
    return packed >> 4 * np.int64(value) & 15


# K4: old corporations


@kernel
def corporation_sizes(s: Any) -> Int:
    """How many members each old corporation has: O(u), as four bits for each value; players in none count at 0."""
    corporations = np.int64(0)
    for p in range(s.seats):
        corporations += 1 << 4 * np.int64(s.table[p])
    return corporations


@kernel
def company(s: Any, p: Int) -> Int:
    """How many members p's old corporation has."""
    return of_value(corporation_sizes(s), s.table[p]) if s.table[p] > 0 else 0


@kernel
def is_member(s: Any, p: Int, q: Int) -> bool:
    """Whether q belongs to p's old corporation; no corporation has no members."""
    return s.table[p] > 0 and s.table[q] == s.table[p]


@kernel
def first_member(s: Any, p: Int) -> bool:
    """Whether p is the first member of his old corporation in seat order, so that each is looked at once."""
    for q in range(p):
        if is_member(s, p, q):
            return False
    return s.table[p] > 0


# K5: rewards


@kernel
def divided(s: Any) -> Int:
    """The old corporations whose members placed different cards: four bits for each value, 0 where they agreed."""
    some, not_all = np.int64(0), np.int64(0)
    for p in range(s.seats):
        card, at = np.int64(s.placed[p]), 4 * np.int64(s.table[p])
        some |= card << at
        not_all |= (15 ^ card) << at
    return some & not_all


@kernel
def rewards(s: Any, groups: Int, corporations: Int, log: Any) -> Int:
    """Each member of a rewarded corporation scores card times members. Returns the rewarded players as a bit set.

    A corporation is rewarded if all its members placed one card and nobody else did.
    """
    rewarded = np.int64(0)
    apart = divided(s)
    for p in range(s.seats):
        card, old = np.int64(s.placed[p]), s.table[p]
        members = of_value(corporations, old)
        alike = of_value(apart, old) == 0
        is_rewarded = np.int64((old > 0) & alike & (of_value(groups, card) == members))
        rewarded |= is_rewarded << p
        s.gain[p] = is_rewarded * card * members
    if log.recording:
        for p in range(s.seats):
            if first_member(s, p):
                tell_reward(s, p, rewarded, log)
    return rewarded


@kernel
def tell_reward(s: Any, p: Int, rewarded: Int, log: Any) -> None:
    if rewarded >> p & 1:
        emit(log, REWARDED, -1, -1, s.table[p], s.placed[p], s.gain[p])
    else:
        left, joined = 0, 0
        for q in range(s.seats):
            if is_member(s, p, q) and s.placed[q] != common_card(s, p):
                left += 1
            if not is_member(s, p, q) and s.placed[q] == common_card(s, p):
                joined += 1
        emit(log, FAILED, -1, -1, s.table[p], left, joined)
    for q in range(s.seats):
        if is_member(s, p, q):
            attach(log, q)


@kernel
def common_card(s: Any, p: Int) -> Int:
    """The card that most members of p's old corporation placed, the higher one of equals."""
    best, most = 0, 0
    for q in range(s.seats):
        if is_member(s, p, q):
            same = 0
            for r in range(s.seats):
                if is_member(s, p, r) and s.placed[r] == s.placed[q]:
                    same += 1
            if same > most or (same == most and s.placed[q] > best):
                best, most = s.placed[q], same
    return best


# K6: profits


@kernel
def profits(s: Any, groups: Int, log: Any) -> None:
    """A player alone with a card scores it."""
    for p in range(s.seats):
        card, gain = s.placed[p], s.gain[p]
        alone = of_value(groups, card) == 1
        s.gain[p] = card if alone else gain
        if log.recording and alone:
            emit(log, PROFITED, p, -1, card)


# K7, K8: new corporations


@kernel
def new_corporations(s: Any, groups: Int, rewarded: Int, log: Any) -> None:
    """Matching cards stay face up, all other cards return to their hands (K7); K8 with ``dissolve``."""
    dissolved = rewarded if s.after_reward == DISSOLVE else np.int64(0)
    for p in range(s.seats):
        card = s.placed[p]
        stays = (of_value(groups, card) > 1) & (dissolved >> p & 1 == 0)
        s.table[p] = card if stays else 0
    if log.recording:
        for p in range(s.seats):
            if dissolved >> p & 1 and first_of_card(s, p):
                tell_members(s, DISSOLVED, p, log)
            elif s.table[p] > 0 and first_of_card(s, p):
                tell_members(s, FORMED, p, log)


@kernel
def first_of_card(s: Any, p: Int) -> bool:
    for q in range(p):
        if s.placed[q] == s.placed[p]:
            return False
    return True


@kernel
def tell_members(s: Any, kind: Int, p: Int, log: Any) -> None:
    emit(log, kind, -1, -1, s.placed[p])
    for q in range(s.seats):
        if s.placed[q] == s.placed[p]:
            attach(log, q)


# K10, K11: the end


@kernel
def check_end(s: Any, log: Any) -> None:
    best = np.int64(0)
    for p in range(s.seats):
        best = max(best, np.int64(s.score[p]))
    if best >= s.target and (s.tie == SHARE or leads_alone(s, best)):
        s.over = FINISHED
    elif s.max_rounds > 0 and s.turn >= s.max_rounds:
        s.over = CAPPED
    else:
        s.turn += 1
        s.acting = (1 << np.int64(s.seats)) - 1
        return
    emit(log, ENDED, -1, -1, s.over == CAPPED)
    for p in range(s.seats):
        if s.score[p] == best:
            attach(log, p)


@kernel
def leads_alone(s: Any, best: Int) -> bool:
    """Whether only one player has the highest score."""
    leaders = np.int64(0)
    for p in range(s.seats):
        leaders += np.int64(s.score[p] == best)
    return leaders == 1


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """Ranking by points; equal points share a place."""
    for p in range(s.seats):
        scores[p] = s.score[p]
    rank_seats(s, scores, places)


# K12: table talk


@kernel
def talk(s: Any, seat: Int, message: Int, log: Any) -> None:
    """A message to all. `claim` and `ask` are kept for the round, so that bots can read them.

    With ``talk_log=once`` they are kept until the next card is placed only, whoever places it.
    """
    s.said[seat] += 1
    if message == SAY:
        emit(log, SAID, seat)
    elif message >= ASK_FIRST:
        whom, card = asked_parts(message)
        s.asked[seat, whom] = card + 1
        emit(log, ASKED, seat, -1, whom, card + 1)
    else:
        s.claim[seat] = claim_value(message) + 1
        emit(log, CLAIMED, seat, -1, s.claim[seat])


@kernel
def forget_messages(s: Any) -> None:
    for p in range(SEATS):
        s.claim[p] = 0
        for q in range(SEATS):
            s.asked[p, q] = 0


@kernel
def may_talk(s: Any, seat: Int) -> bool:
    """Whether the seat may still say something this round."""
    return s.talk == OPEN and (s.talk_limit < 0 or s.said[seat] < s.talk_limit) and s.over == 0


@kernel
def plan(s: Any, p: Int) -> Int:
    """The card p's corporation would place together, as everybody can work it out.

    That is what most members claim, else the highest card that is not on their table. Players in no corporation
    have no plan: 0.
    """
    if s.table[p] == 0:
        return 0
    votes = np.int64(0)
    for q in range(s.seats):
        if is_member(s, p, q) and s.claim[q] > 0 and s.claim[q] != s.table[p]:
            votes += 1 << 4 * np.int64(s.claim[q])
    if votes == 0:
        return highest_in_hand(s, p)
    best, most = 0, 0
    for value in range(1, TOP + 1):
        if of_value(votes, value) >= max(most, 1):
            best, most = value, of_value(votes, value)
    return best


@kernel
def highest_in_hand(s: Any, p: Int) -> Int:
    """p's highest card but the one on the table."""
    highest, second = (s.seats, s.seats - 1) if s.cards == RANKS else (10, 7)
    return second if s.table[p] == highest else highest


@kernel
def note_down(s: Any) -> None:
    """Count broken claims and members who did not keep to the plan, before the cards lose their meaning."""
    anything_claimed = False
    for p in range(SEATS):
        broken = (s.claim[p] > 0) & (s.claim[p] != s.placed[p])
        s.broken[p] += np.int64(broken)
        anything_claimed |= s.claim[p] > 0
    for p in range(s.seats):
        card = plan(s, p) if anything_claimed else highest_in_hand(s, p)
        s.strayed[p] += np.int64((s.table[p] > 0) & (card != s.placed[p]))


# For programs


@kernel
def default(s: Any, seat: Int) -> Int:
    """A seat that does not answer places its lowest card: the least harm to anybody."""
    for value in range(1, TOP + 1):
        if in_hand(s, seat, value):
            return card_action(value - 1)
    return -1


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Each other player who has placed may have placed any card of his hand, all alike."""
    if s.over:
        return
    for p in range(s.seats):
        if p != seat and not s.acting >> p & 1:
            held = 0
            for value in range(1, TOP + 1):
                if in_hand(s, p, value):
                    held += 1
            chosen = rng.below(random, held)
            for value in range(1, TOP + 1):
                if in_hand(s, p, value):
                    if chosen == 0:
                        s.placed[p] = value
                    chosen -= 1
