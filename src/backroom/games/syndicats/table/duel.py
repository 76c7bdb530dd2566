"""An attack: who strikes what, what each may seal, and the question to whoever is attacked."""

from typing import NamedTuple

from backroom.engine.notation import player
from backroom.games.syndicats import cards, rules
from backroom.games.syndicats.table.faces import Face
from backroom.games.syndicats.table.seen import Seen
from backroom.scenes.scene import Answer, Ask
from backroom.text.english import counted

__all__ = ["Duel", "Side", "ask", "duel"]


class Side(NamedTuple):
    """One of the two: its cards, how much it may seal, what is added, and the amount if its reader may know it.

    ``state`` is sealed, now or later.
    """

    seat: int
    title: str
    cards: tuple[Face, ...]
    most: int
    adds: int
    amount: int | None
    state: str


class Duel(NamedTuple):
    """The attack under way, and who wins a tie."""

    sides: tuple[Side, Side]
    tie: str
    reach: str


def duel(at: Seen) -> Duel | None:
    """The attack that waits for what both seal; None when there is none."""
    if at.phase != rules.SPEND:
        return None
    target, weapon = int(at.view.target) - 1, int(at.view.weapon) - 1
    attacker, defender = at.picker, int(rules.owner(at.view, target))
    guards = [card for card in at.cats(defender) if int(rules.ability(at.view, card)) == cards.DEFENDING]
    guards = [card for card in guards if not at.view.knocked[card] and card != target]
    strikes = _side(at, attacker, "attacker", [weapon], 0)
    holds = _side(at, defender, "defender", [target, *guards], int(rules.defence(at.view, defender)))
    keeper = at.keeper in (attacker, defender)
    winner = at.keeper if keeper else attacker
    why = "has the Mogfather" if winner != at.seat else "have the Mogfather"
    tie = f"A tie is {at.whose(winner)}{'s' if winner == at.seat else ''}: "
    tie += f"{at.call(winner, start=False)} {why}." if keeper else "nobody here has the Mogfather."
    return Duel((strikes, holds), tie, _reach(at, strikes, holds))


def _side(at: Seen, seat: int, role: str, shown: list[int], adds: int) -> Side:
    amount = None
    if seat == at.seat:
        sealed = int(at.view.sealed[seat]) - 1
        amount = sealed if sealed >= 0 else at.amount("spend")
    state = "sealed" if not at.acts(seat) else "now" if seat == at.seat else "later"
    faces = tuple(map(at.face, shown))
    return Side(seat, f"{at.call(seat)}, {role}", faces, int(at.view.cash[seat]), adds, amount, state)


def _reach(at: Seen, strikes: Side, holds: Side) -> str:
    """What the amount in preparation is good for."""
    mine, other = (strikes, holds) if strikes.seat == at.seat else (holds, strikes)
    if mine.seat != at.seat or mine.amount is None:
        return ""
    ties = at.keeper == mine.seat or (mine is strikes and at.keeper != other.seat)
    best = mine.amount + mine.adds - other.adds - (0 if ties else 1)
    verb = "wins" if mine is strikes else "holds"
    if best >= other.most:
        return f"{mine.amount} {verb} whatever {at.names[other.seat]} seals"
    if best < 0:
        return f"{mine.amount} is too little whatever {at.names[other.seat]} seals"
    return f"{mine.amount} {verb} against 0–{best}" if best else f"{mine.amount} {verb} against 0 only"


def ask(at: Seen) -> Ask | None:
    """The question to the player who is attacked."""
    found = duel(at)
    if found is None or not at.playing or at.seat == at.picker:
        return None
    strikes, holds = found.sides
    target = holds.cards[0].name
    answers = tuple(
        Answer(
            side.seat,
            "done" if side.state == "sealed" else side.state,
            ("has sealed",) if side.state == "sealed" else ("to seal",),
        )
        for side in found.sides
    )
    played = (player(at.picker, at.names), f" sends {strikes.cards[0].name} against {target}")
    adds = f" Your defence adds {holds.adds}." if holds.adds else ""
    why = (
        f"Both amounts are shown together, and both are spent, win or lose.{adds} {found.tie} "
        f"If {at.names[at.picker]} wins, {target} is out until the end of the round."
    )
    return Ask(at.picker, played, f"How much is it worth to you? You have {counted(holds.most, 'coin')}.", why, answers)
