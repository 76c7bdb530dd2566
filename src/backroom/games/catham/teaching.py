"""What Catham City tells somebody who is new to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from backroom.engine.notation import Thing
from backroom.games.catham import rules
from backroom.games.catham.cards import (
    COPIES,
    COST,
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LETTERS,
    LIMIT,
    MAFIA,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)
from backroom.games.catham.options import CathamOptions
from backroom.scenes.scene import Figure
from backroom.scenes.teaching import Explained, Hint, Picture, Section
from backroom.text.english import number_word

__all__ = ["PICTURES", "coach", "crib", "standing"]

LEAST = (2, 4, 1, 3, 2, 4, 2, 1)
"""The smallest hand that can play each faction; detectives and police need a card of another kind as well."""
OWN = (2, 3, 1, 3, 2, 4, 1, 1)
"""How many of these are of the faction itself."""
FOUR = 4
CLOSE = 3
"""So many points from the goal somebody is close to it."""

PICTURES = (
    Picture(
        (
            Figure("cat-r", 14, 24, 66, "f-r"),
            Figure("cat-r", 50, 18, 72, "f-r"),
            Figure("arrow", 134, 44, 34),
            Figure("hand-card", 182, 28, 62),
        ),
        "Take",
        "All you like of one faction from the market, here two Robocats. The gaps are filled from the deck.",
    ),
    Picture(
        (
            Figure("cat-d", 4, 26, 66, "f-d"),
            Figure("cat-d", 48, 18, 72, "f-d"),
            Figure("cat-d", 96, 18, 72, "f-d"),
            Figure("cat-s", 180, 30, 60, "f-s"),
        ),
        "Or lay down",
        "One faction, for what it does. Three Detectives and any other card are spent, and you have 3 points more.",
    ),
    Picture(
        (
            Figure("cat-m", 4, 26, 64, "f-m"),
            Figure("cat-m", 44, 18, 70, "f-m"),
            Figure("cat-m", 90, 18, 70, "f-m"),
            Figure("cat-m", 134, 26, 64, "f-m"),
            Figure("crown", 202, 36, 48),
        ),
        "Watch the others",
        "Four Mafia make everybody else pay. Who collects them? The first to 13 points wins on the spot, 16 among two "
        "or three.",
    ),
)
"""See `backroom.scenes.teaching.Teaching`."""


def crib(options: CathamOptions, seats: int, view: Any | None) -> tuple[Section, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del seats
    extra = "of any faction" if options.detective_extra == "any" else "of another faction"
    twin = "its twin" if options.journalist_match == "gift" else "a journalist"
    told = {
        JOURNALISTS: (
            f"Lay 2. The others may each give you a card and throw away {twin}, for a point.",
            "+2",
            "",
            "C20",
        ),
        DETECTIVES: (
            f"Lay 3 and one card more, {extra}. The others may each match that card for a point.",
            "+3",
            "",
            "C21",
        ),
        OFFICIALS: (
            "Lay any number and turn up as many cards of the deck. Each different faction pays.",
            "+1",
            "each",
            "C22",
        ),
        SCIENTISTS: ("Lay 3. Draw two cards that only you see.", "+2", "", "C23"),
        ROBOCATS: ("Lay 2 and draw five cards. Or lay 4 for points.", "+3", "for four", "C24"),
        MAFIA: ("Lay 4. Everybody else throws away two cards or loses a point.", "+2", "", "C25"),
        POLICE: (
            "Lay any number and one wanted card of another faction. As many cards of one hand are laid out: each of "
            "the wanted faction pays.",
            "+1",
            "each",
            "C26",
        ),
        HACKERS: (
            "Slip 1 to 4 into a hand; as many cards of it are laid out. Each hacker among "
            "them pays, the rest is yours.",
            "+1",
            "each",
            "C27",
        ),
    }
    if view is None:
        named = [LETTERS.index(letter) for letter, _ in options.cards_of("factions")] or range(len(FACTIONS))
    else:
        named = view.factions.tolist()
    entries = tuple(
        Explained(
            (FACTIONS[kind].letter,),
            FACTIONS[kind].word.capitalize(),
            told[kind][0],
            Thing("card", FACTIONS[kind].letter, FACTIONS[kind].word),
            *told[kind][1:],
        )
        for kind in named
    )
    return (Section(f"The {number_word(len(entries))} factions", entries),)


def standing(view: Any, seat: int) -> Mapping[str, str]:
    """See `backroom.scenes.teaching.Teaching`."""
    found = {}
    size = int(view.hand_size[seat])
    for kind in view.factions.tolist():
        held = int(view.hand[seat][kind])
        if held >= OWN[kind] and size >= LEAST[kind]:
            then = "Enough to be laid."
        else:
            then = f"It takes {number_word(OWN[kind])}{' and a card more' if LEAST[kind] > OWN[kind] else ''}."
        found[FACTIONS[kind].letter] = f"You hold {held or 'none'} of {COPIES}. {then}"
    return found


READY = (
    (MAFIA, "You have four mafia: +2, and everybody else pays, with two cards or a point."),
    (
        DETECTIVES,
        "Three detectives and one card more are 3 points. Whoever has the like of that "
        "fourth card may lay it off for a point, so choose one that is rare.",
    ),
    (ROBOCATS, "Four robocats are 3 points. Two of them would draw five cards, and no points."),
    (SCIENTISTS, "Three scientists are 2 points, and bring two cards to go on with."),
    (JOURNALISTS, "Two journalists are 2 points. The others may then hand you a card for a point of their own."),
    (
        HACKERS,
        "Hackers go into another hand, and as many cards as you gave are laid out: in a "
        "small hand they are found more often.",
    ),
    (
        POLICE,
        "Police look for one faction in one hand. Take it where you know what was "
        "recruited: the log says who took what.",
    ),
    (OFFICIALS, "Officials turn up as many cards as you lay. Each different faction among them is a point."),
)


def _turn(view: Any, seat: int, names: Sequence[str]) -> list[Hint]:
    hand, size = view.hand[seat].tolist(), int(view.hand_size[seat])
    playing = view.factions.tolist()
    found = []
    for kind, text in READY:
        needed = FOUR if kind == ROBOCATS else OWN[kind]
        if kind in playing and hand[kind] >= needed and size >= LEAST[kind]:
            found.append(Hint(f"ready-{FACTIONS[kind].letter}", text, FACTIONS[kind].letter))
    for kind in (MAFIA, ROBOCATS, DETECTIVES, SCIENTISTS):
        lies, needed = int(view.market[kind]), FOUR if kind == ROBOCATS else COST[kind]
        if kind in playing and 0 < hand[kind] < needed <= hand[kind] + lies:
            many, with_yours = FACTIONS[kind].cards(needed - hand[kind]), number_word(hand[kind])
            found.append(
                Hint(
                    "completes",
                    f"Take {number_word(needed - hand[kind])} {many} from the market: with the {with_yours} you hold "
                    f"they can be laid on your next turn.",
                    FACTIONS[kind].letter,
                )
            )
            break
    ahead = max(range(len(names)), key=lambda other: (other != seat, int(view.points[other])))
    if int(view.target) - int(view.points[ahead]) <= CLOSE:
        found.append(
            Hint(
                "close",
                f"{names[ahead]} needs {int(view.target) - int(view.points[ahead])} more, and the "
                f"game ends in that moment.",
            )
        )
    if size >= LIMIT - 1:
        found.append(
            Hint("limit", "Ten cards at most when an action is done. What is over you throw away, as you choose.")
        )
    found.append(
        Hint(
            "turn",
            "One thing a turn: take any number of one faction from the market, or lay one "
            "faction down. What has a ring can be used now.",
        )
    )
    return found


ANSWERS = {
    rules.GIFT: Hint(
        "gift", "A gift costs two cards of one faction, brings you a point, and the card is theirs. You need not."
    ),
    rules.MATCH: Hint("match", "A match costs you one card and brings you a point. You need not."),
    rules.LOSS: Hint("loss", "Two cards or a point, your choice. What you throw away everybody sees."),
    rules.SURPLUS: Hint(
        "surplus", "More than ten cards: throw away down to ten, before the market is filled up again."
    ),
}


def coach(view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    question = int(view.question)
    return tuple(_turn(view, seat, names)) if question == rules.TURN else (ANSWERS[question],)
