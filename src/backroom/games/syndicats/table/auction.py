"""The auction: who has bid what, who may still speak, and the dial for every amount that can be named."""

from typing import NamedTuple

from backroom.games.syndicats import rules
from backroom.games.syndicats.table.seen import Seen

__all__ = ["Dial", "Place", "dial", "heading", "lane"]

SHOWN = 12
"""So many coins of a pile are drawn one by one."""


class Place(NamedTuple):
    """A player's place in the auction: ``kind`` is done, out, lead or in; ``more`` are coins that a bid would add."""

    seat: int
    name: str
    kind: str
    note: str
    pile: int
    coins: int
    more: int
    acting: bool


class Dial(NamedTuple):
    """An amount to be named: what for, how much it is now, whether that is chosen, and the texts of its buttons.

    ``others`` are what else can be chosen there: label, text, whether it is chosen.
    """

    label: str
    value: int
    chosen: bool
    text: str
    less: str
    more: str
    others: tuple[tuple[str, str, bool], ...]


def heading(at: Seen) -> tuple[str, str]:
    """Which pick it is about, and of how many."""
    words = ("First", "Second", "Third", "Fourth", "Fifth")
    count = int(at.view.picks) + (at.phase == rules.BID)
    return f"{words[max(0, min(count, 5) - 1)]} pick", f"{count} of {len(at.seats)}"


def lane(at: Seen) -> list[Place]:
    """Everybody's place in the auction, in the order of seats; none where no round is on."""
    if at.phase not in (rules.BID, rules.PICK, rules.SPEND):
        return []
    bid = at.amount("bid")
    found = []
    for seat in at.seats:
        pile, adds = int(at.view.pile[seat]), 0
        if bid is not None and seat == at.seat:
            adds = max(0, bid - pile)
        kind, note = _standing(at, seat)
        name = at.call(seat)
        found.append(Place(seat, name, kind, note, pile, min(pile, SHOWN), adds, at.acts(seat)))
    return found


def _standing(at: Seen, seat: int) -> tuple[str, str]:
    view = at.view
    if at.phase != rules.BID and seat == at.picker:
        return "lead", "picks now"
    if view.picked >> seat & 1:
        return "done", "has picked"
    equal = at.phase == rules.BID and rules.may_equal(view, seat)
    passed = bool(view.passed >> seat & 1)
    if at.phase != rules.BID:
        return "in", "picks later"
    if seat == at.leader:
        return "lead", "leads"
    if passed:
        return "out", "passed"
    if at.acts(seat):
        return "in", "may equal" if equal else "to speak"
    return "in", "may equal" if equal else "may speak"


def ends(at: Seen) -> tuple[str, int, int]:
    """The word of the amount to be named now, the least and the most of it; an empty word where there is none."""
    view, cash = at.view, int(at.view.cash[at.seat])
    if at.phase == rules.BID:
        return "bid", int(rules.least_bid(view, at.seat)), int(view.pile[at.seat]) + cash
    if at.phase == rules.SPEND:
        return "spend", 0, cash
    may = cash if rules.may_contribute(view) else 0
    if at.phase == rules.FEED:
        return "feed", 0, may
    if at.phase == rules.PICK and rules.stage_open(view, rules.PAY_STAGE):
        return "pay", 0, may
    return "", 0, 0


def dial(at: Seen) -> Dial | None:
    """The amount that can be named now, if one can."""
    if not at.playing:
        return None
    word, least, most = ends(at)
    most = min(most, rules.AMOUNTS - 1)
    if not word:
        return None
    passing = ("Pass", "pass", at.verb == "pass")
    if least > most:  # nothing is left to bid with
        return Dial("Bid", least, False, "", "", "", (passing,))
    named = at.amount(word)
    value = min(max(least if named is None else named, least), most)
    chosen = named == value
    others = []
    if word == "bid" and at.seat != at.leader:
        others.append(passing)
    elif word == "pay":
        others.append(("Nothing", "pay 0", at.typed == ["pay", "0"]))
        if not chosen:
            value = min(1, most)
    elif most > least:
        others.append((f"All {most}", f"{word} {most}", named == most))
    label = {"bid": "Bid", "spend": "Seal", "feed": "Pay in", "pay": "Pay in"}[word]
    return Dial(
        label,
        value,
        chosen,
        f"{word} {value}",
        f"{word} {value - 1}" if value > least else "",
        f"{word} {value + 1}" if value < most else "",
        tuple(others),
    )
