"""What Court of the Medici tells somebody who is new to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from backroom.games.medici import rules
from backroom.games.medici.cards import BODYGUARD, DUKE, JESTER, LADY, MINISTER, RANKS, SPY, house_of, rank_word
from backroom.games.medici.options import MediciOptions
from backroom.scenes.scene import Figure
from backroom.scenes.teaching import Explained, Hint, Picture, Section

__all__ = ["PICTURES", "coach", "crib", "standing"]

INNER = 0
"""The side of a stack in the Inner Circle."""

PICTURES = (
    Picture(
        (Figure("rank-5", 28, 22, 82, "f-m"), Figure("arrow", 118, 46, 30), Figure("flag", 170, 32, 58)),
        "Send",
        "Play one of your nobles. It stands alone in the Outer Court, a new stack of your house.",
    ),
    Picture(
        (Figure("rank-4", 22, 22, 82, "f-h"), Figure("arrow", 114, 46, 30), Figure("rank-9", 152, 14, 92)),
        "Or ally",
        "It joins any stack, also in the Inner Circle and on nobles of the others: the worth of the stack is the sum.",
    ),
    Picture(
        (Figure("rank-D", 14, 10, 100), Figure("swords", 112, 40, 40), Figure("rank-8", 164, 22, 82, "f-m")),
        "Or conspire",
        "It joins a stack and strikes another: of the same worth when two play, one worth less when more do.",
    ),
)
"""See `backroom.scenes.teaching.Teaching`."""


def crib(options: MediciOptions, seats: int, view: Any | None) -> tuple[Section, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del view
    base = seats == 2
    struck = (
        "Then all other stacks of exactly the same value are"
        if options.base_conspire == "all"
        else ("Then another stack of exactly the same value is")
    )
    strike = (
        f"Put it on a stack. {struck} thrown out whole."
        if base
        else "Put it on a stack and strike another that is worth less: all of it if you control yours, else one noble."
    )
    uses = (
        Explained(("send",), "Send", "It stands alone in the Outer Court.", rule="M12"),
        Explained(("ally",), "Ally", "It goes on any stack, in the Inner Circle, too.", rule="M13"),
        Explained(("conspire",), "Conspire", strike, rule="M23" if base else "M51"),
        Explained(("plan",), "Plan", "It goes under your deck, face down, while you have one.", rule="M16"),
    )
    cards = [
        Explained(RANKS[:9], "2 to 10", "Worth what is printed.", None, "2–10", "", "M05"),
        Explained(("D",), "Duke (D)", "One of him in each house.", None, "15", "", "M05"),
        Explained(
            ("M",),
            "Minister (M)",
            "By ally: throws out all others of the stack he joins.",
            None,
            "0",
            "",
            "M15",
        ),
        Explained(
            ("L",),
            "Lady-in-Waiting (L)",
            "By ally: breaks the stack up, each noble for itself.",
            None,
            "1",
            "",
            "M14",
        ),
        Explained(
            ("J",),
            "Jester (J)",
            "In a conspiracy worth what you name, 1 to 10.",
            None,
            "1",
            "",
            "M06",
        ),
    ]
    if not base:
        cards += [
            Explained(
                ("S",),
                "Spy (S)",
                "In your conspiracy your own Spy counts as control of it.",
                None,
                "1",
                "",
                "M44",
            ),
            Explained(
                ("G",),
                "Bodyguard (G)",
                "Beside a noble that is singled out: give him up and it stays.",
                None,
                "0",
                "",
                "M65",
            ),
        ]
    sections = [Section("One card a turn", uses), Section("What it is worth", tuple(cards))]
    if not base:
        least = "more than half of its value" if options.control == "majority" else "the highest sum in it"
        rest = (
            Explained(("control",), "Control", f"A stack is the house’s with {least}.", rule="M40"),
            Explained(
                ("inner",),
                "The Inner Circle",
                "Each noble of yours there counts 3 more at the end.",
                None,
                "+3",
                "each",
                "M83",
            ),
            Explained(
                ("fringe",), "The fringe card", "Fixes when you move; it can be struck, or be a scapegoat.", rule="M36"
            ),
        )
        sections.append(Section("Power", rest))
    return tuple(sections)


def standing(view: Any, seat: int) -> Mapping[str, str]:
    """See `backroom.scenes.teaching.Teaching`."""
    hand = view.hand[seat].tolist()
    found = {}
    for rank in (DUKE, MINISTER, LADY, JESTER, SPY, BODYGUARD):
        left, gone = int(view.in_game[seat][rank]), int(view.discard[seat][rank])
        if left:
            held = f"You hold {hand[rank]}." if hand[rank] else "You hold none now."
            found[RANKS[rank]] = f"{held} {gone} of your {left} lie in the discards." if gone else held
    total = sum(hand[: RANKS.index("D")])
    found[RANKS[0]] = f"You hold {total} of these."
    return found


SPECIALS = (
    (
        MINISTER,
        "By ally the Minister throws everybody else out of the stack he joins. Choose one where none of yours stands.",
    ),
    (LADY, "By ally the Lady breaks a stack up: a strong alliance of others becomes lone nobles."),
    (JESTER, "In a conspiracy you name what your Jester is worth, 1 to 10. Everywhere else it is 1."),
    (SPY, "With your Spy in the conspiracy you strike as if you controlled it."),
    (
        BODYGUARD,
        "Your Bodyguard saves a noble beside him that is singled out. He does nothing when a whole stack is hit.",
    ),
    (
        DUKE,
        "The Duke is worth 15. In the Outer Court he is safe only while nobody has a conspiracy that is worth more.",
    ),
)


def coach(view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del names
    phase, base = int(view.phase), int(view.game) == rules.BASE
    if phase == rules.GUARD:
        return (Hint("guard", "Your Bodyguard can save that noble: he is thrown away, the noble stays where it is."),)
    if phase == rules.SCAPEGOAT:
        return (
            Hint(
                "scapegoat",
                "One of yours can be saved: your fringe card is thrown away for it, and the noble takes its place.",
            ),
        )
    if phase == rules.PUT:
        return (
            Hint(
                "put",
                "What you put back is your next fringe card: a high one moves early, but it can "
                "be struck and it is not in your hand.",
            ),
        )
    found = []
    hand = view.hand[seat].tolist()
    for rank, text in SPECIALS:
        if hand[rank] and not (base and rank in (SPY, BODYGUARD)):
            if base and rank == DUKE:
                text = "The Duke is worth 15: few stacks can be made exactly as much, so he is hard to hit."
            found.append(Hint(f"card-{rank_word(rank)}", text, RANKS[rank]))
    mine = _inside(view, seat)
    if base and mine == 1:
        found.insert(
            0,
            Hint(
                "last-inside",
                "You have one noble left in the Inner Circle. When a house has none there, the game is over.",
            ),
        )
    if view.limit[seat] >= 0:
        found.append(Hint("limit", f"Your deck is out: you may play no card above {int(view.limit[seat])} any more."))
    if not base:
        found.append(
            Hint(
                "inside",
                "Nobles in the Inner Circle count 3 more each at the end. Ally is the way in for a single card.",
            )
        )
    found.append(
        Hint(
            "turn",
            "One card a turn: send it, ally it, plan it, or conspire with it. Take a card and see where it can go.",
        )
    )
    return tuple(found)


def _inside(view: Any, house: int) -> int:
    """How many nobles of a house stand in the Inner Circle."""
    count = 0
    for stack in range(int(view.stacks)):
        if int(view.stack_side[stack]) == INNER:
            cards = view.court[view.stack_start[stack] : view.stack_start[stack + 1]].tolist()
            count += sum(house_of(card) == house for card in cards)
    return count
