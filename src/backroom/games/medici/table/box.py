"""The label of the game's box, and the rules in brief for an invitation."""

from backroom.engine.notation import Line
from backroom.games.medici.options import MediciOptions
from backroom.scenes.scene import Box, Emblem, Figure

__all__ = ["BOX", "brief", "place"]

BOX = Box(
    hook="Stack nobles, conspire, be seen in the right circle.",
    lasts="40 minutes",
    cloth="medici",
    emblem=Emblem("rank-M", "n-a"),
    art=(
        Figure("rank-J", 6, 18, 102, "f-m"),
        Figure("rank-L", 156, 18, 102, "f-h", mirrored=True),
        Figure("rank-D", 76, 6, 114),
    ),
)


def brief(options: MediciOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    stands = Line(
        ("Your nobles stand at court in stacks, mixed with those of the other houses. Each turn you play one card.",)
    )
    if seats == 2:
        struck = "every other stack" if options.base_conspire == "all" else "another stack"
        return (
            stands,
            Line((f"Send it alone, let it join a stack, or let it join one and strike {struck} of equal worth.",)),
            Line(("When somebody cannot play, or has nobody left in the Inner Circle, the most influence wins.",)),
        )
    return (
        stands,
        Line(("Send it alone, let it join a stack, or let it join one and strike another that is worth less.",)),
        Line(
            (
                "A player who controls the striking stack hits all of the other; any other player hits one noble. ",
                "Influence at court wins.",
            )
        ),
    )


def place(options: MediciOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    del options, chair
    return "whose turn is when, the fringe cards say" if seats > 2 else "the stronger Inner Circle begins"
