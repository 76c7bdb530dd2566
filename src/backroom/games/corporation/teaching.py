"""What Corporation tells somebody who is new to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from backroom.engine.notation import Thing
from backroom.games.corporation import rules
from backroom.games.corporation.options import CorporationOptions
from backroom.scenes.scene import Figure
from backroom.scenes.teaching import Explained, Hint, Picture, Section
from backroom.text.english import listed

__all__ = ["PICTURES", "coach", "crib", "standing"]

CLOSE = 40
"""So many points from the target somebody is close to it: a good round."""

PICTURES = (
    Picture(
        tuple(Figure("card-back", x, 20, 56, height=78.75, turn=turn) for x, turn in ((30, -6), (102, 0), (174, 6))),
        "Lay one card",
        "Everybody holds 1, 3, 5, 7 and 10, talks, and lays one of them face down.",
    ),
    Picture(
        (
            Figure("money-7", 22, 22, 56, height=78.75, turn=-4),
            Figure("money-5", 116, 20, 56, height=78.75),
            Figure("money-5", 182, 22, 56, height=78.75, turn=4),
        ),
        "All are turned up",
        "Nobody else laid the 7: it pays 7. The two 5s pay nothing yet, but those two are a corporation now.",
    ),
    Picture(
        (
            Figure("money-7", 22, 22, 56, height=78.75, turn=-4),
            Figure("money-7", 88, 20, 56, height=78.75),
            Figure("arrow", 154, 44, 30),
            Figure("coin-7", 192, 30, 58),
        ),
        "Partners agree, or not",
        "If both lay a 7 next, and nobody else does, each is paid 7 times two members: 14. If one strays, neither is.",
    ),
)
"""See `backroom.scenes.teaching.Teaching`."""


def crib(options: CorporationOptions, seats: int, view: Any | None) -> tuple[Section, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del seats, view
    if options.after_reward == "dissolve":
        after = "Then it is dissolved."
    else:
        after = "The new card stays up, so it can be paid again."
    paid = [
        Explained(
            ("card",),
            "A card nobody else laid",
            "Profit. It goes back to your hand.",
            Thing("card", "7", "7"),
            "7",
            "for a 7",
            "K6",
        ),
        Explained(
            ("match",),
            "A card somebody else laid, too",
            "Nothing now. All who laid it are a corporation; the card stays up before you and is not in your hand.",
            None,
            "0",
            "",
            "K7",
        ),
        Explained(
            ("corporation",),
            "A corporation that agrees",
            f"All its members lay the same card and nobody else does: value times members, for each. {after}",
            Thing("card", "7", "7"),
            "21",
            "a 7, three of you",
            "K5",
        ),
        Explained(
            ("broken",),
            "One member strays, or an outsider joins in",
            "Nobody of that corporation is rewarded.",
            None,
            "0",
            "",
            "K5",
        ),
    ]
    talk = Explained(("talk",), "Talk", "Say anything, true or not, to all at once. Nothing binds.", rule="K12")
    return (Section("What a card pays", tuple(paid)), *((Section("And", (talk,)),) if options.talk == "open" else ()))


def standing(view: Any, seat: int) -> Mapping[str, str]:
    """See `backroom.scenes.teaching.Teaching`."""
    mine = int(view.table[seat])
    if not mine:
        return {"card": "You hold all your cards."}
    partners = sum(1 for value in view.table[: int(view.seats)].tolist() if value == mine)
    return {
        "card": f"The {mine} lies up before you, so you cannot lay it now.",
        "corporation": f"You stand on the {mine}, {partners} of you: the same card of all pays its value "
        f"times {partners}.",
    }


def coach(view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    table = view.table[: len(names)].tolist()
    found = []
    if table[seat]:
        others = [names[other] for other, value in enumerate(table) if value == table[seat] and other != seat]
        count = len(others) + 1
        found.append(
            Hint(
                "partners",
                f"{listed(others)} and you are a corporation. If all of you lay the same card now, and nobody else "
                f"does, each is paid its value times {count}.",
            )
        )
    if any(value and value != table[seat] for value in table):
        found.append(
            Hint(
                "spoil",
                "You can spoil a corporation: lay the card on which its members will agree, and none of them is paid.",
            )
        )
    ahead = max(range(len(names)), key=lambda other: int(view.score[other]))
    if int(view.score[ahead]) >= int(view.target) - CLOSE:
        leader = "You have" if ahead == seat else f"{names[ahead]} has"
        found.append(
            Hint(
                "close",
                f"{leader} {int(view.score[ahead])} of {int(view.target)}. After the round in "
                f"which somebody gets there the highest score wins.",
            )
        )
    if int(view.turn) == 1:
        found.append(
            Hint(
                "first",
                "Nobody has a partner yet. A card that nobody else lays pays its value; the same card makes partners.",
                "card",
            )
        )
    if int(view.talk) == rules.OPEN:
        found.append(
            Hint("talk", "Say what you will lay, or ask somebody for a card, under Talk. Nobody has to keep to it.")
        )
    return tuple(found)
