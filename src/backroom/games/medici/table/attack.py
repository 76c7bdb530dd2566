"""The question an attack puts to the viewer: spend the Bodyguard, give the fringe card, or neither."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.notation import Thing, player
from backroom.games.medici import rules
from backroom.games.medici.cards import BODYGUARD, INFLUENCE, rank_of
from backroom.games.medici.table.seen import Face, capital
from backroom.games.medici.table.turn import Turn
from backroom.scenes.scene import Answer, Ask

__all__ = ["ask", "fate", "fates", "threat"]


def ask(at: Turn) -> Ask:
    """The attack, its question, and the seats that answer it in order."""
    onto, target, prey = at.stack(at.attacking), at.stack(at.attacked), at.prey()
    struck: tuple[str | Thing, ...] = (at.tag(prey), f" in {target}") if prey else (f"all of {target}",)
    played = (player(at.active, [at.call(seat) for seat in at.seats]), f" conspired: {onto} against ", *struck)
    if at.guarding:
        zone = " in the Inner Circle" if at.demotes else ""
        question = f"Discard the Bodyguard, keep {at.noble(prey) if prey else 'one of them'}{zone}?"
        why = (
            f"Without control of {onto} one noble is struck. A Bodyguard in the same stack can take its place."
            if prey
            else f"{onto} is controlled, so all of {target} is hit. A Bodyguard can keep one other noble."
        )
    else:
        question = f"Give your fringe card for {at.noble(prey) if prey else 'one of your nobles'}?"
        why = (
            f"{target} is yours, so you may: the fringe card is discarded, and the noble becomes your new one. "
            "The order of this round does not change."
        )
    return Ask(at.active, played, question, why, _answers(at, prey))


def _answers(at: Turn, prey: int) -> tuple[Answer, ...]:
    """The attacker, then the owners of Bodyguards in the order they are asked, then the controller (M66, M67)."""
    done: tuple[str | Thing, ...] = ("strikes ", at.tag(prey)) if prey else ("strikes the whole stack",)
    found = [Answer(at.active, "done", done)]
    guards = [(at.active + step) % len(at.seats) for step in range(1, len(at.seats) + 1)]
    for place, seat in enumerate(guards):
        saves = bool(rules.guardable(at.view, seat))
        if _spent(at, seat):
            found.append(Answer(seat, "done", ("spent it",)))
        elif at.guarding and seat == at.seat:
            found.append(Answer(seat, "now", ("owner of the Bodyguard",)))
        elif at.view.asked >> seat & 1:
            found += [Answer(seat, "later", ("has a Bodyguard there",))] if saves else []
        elif saves or _saved_since(at, seat, guards[place + 1 :]):
            found.append(Answer(seat, "no", ("kept the Bodyguard",)))
    if not at.guarding:
        found.append(Answer(at.seat, "now", (f"controller of {at.stack(at.attacked)}",)))
    return tuple(found)


def _spent(at: Turn, seat: int) -> bool:
    """Whether this house's Bodyguard has been spent in the attack under way."""
    guard, target = int(rules.card_of(seat, BODYGUARD)), at.cards(at.attacked)
    return guard in target and bool(at.view.mark[target.index(guard)] == rules.SPENT)


def _saved_since(at: Turn, seat: int, later: Sequence[int]) -> bool:
    """Whether this owner of a Bodyguard, who can save nothing now, could when it was his turn.

    What a later one has saved lay open to him too. It was not his own Bodyguard: then nothing would be left to ask
    about. Of an own house's nobles nobody else takes one.
    """
    there = int(rules.card_of(seat, BODYGUARD)) in at.cards(at.attacked)
    return there and at.view.bodyguard_saves == rules.ANY_HOUSE and any(_spent(at, other) for other in later)


def fates(at: Turn) -> list[dict[str, Any]]:
    """What each answer leads to; none when nothing is asked."""
    if not at.asked:
        return []
    savable, struck = at.savable(), at.struck(start=True)
    found = []
    title, then, drawing = ("Spend it", _guarded, "defence") if at.guarding else ("Scapegoat", _replaced, "swap")
    for card, typed in savable.items():
        whom = f" for {at.noble(card)}" if len(savable) > 1 else ""
        found.append(fate(at, title + whom, f"{then(at, card)}.", drawing, typed))
    if at.guarding:
        text = f"{struck} goes to the {'Outer Court' if at.demotes else 'discards'}"
        text += "; the Bodyguard stays." if len(savable) == 1 else "."
    else:
        text = f"{struck} is lost. {capital(at.fringe_word)} stays your fringe card."
    title, typed, drawing = at.declined
    return [*found, fate(at, title, text, drawing, typed)]


def fate(at: Turn, title: str, text: str, drawing: str, click: str = "") -> dict[str, Any]:
    """What something leads to, with the move that does it, if one does."""
    return {"title": title, "text": text, "drawing": drawing, "click": click, "on": at.draft.text == click}


def _guarded(at: Turn, card: int) -> str:
    text = f"The Bodyguard goes to your discards. {at.noble(card, start=True)} stays where it is"
    return f"{text}: {INFLUENCE[rank_of(card)]} + 3 at the end" if at.demotes else text


def _replaced(at: Turn, card: int) -> str:
    permanent = at.view.fringe_place[at.seat] == rules.PERMANENT
    after = "is your permanent fringe card" if permanent else "lies on your deck; you draw it on your turn"
    return f"{capital(at.fringe_word)} is lost. {at.noble(card, start=True)} {after}"


def threat(at: Turn) -> list[Face]:
    """The two cards weighed against each other: the noble and what it would cost; none when nothing is asked."""
    if not at.asked:
        return []
    savable = at.savable()
    card = at.deed.at if at.deed.at in savable else next(iter(savable))
    cost = int(rules.card_of(at.seat, BODYGUARD)) if at.guarding else at.fringe_card
    return [at.face(card), at.face(cost)]
