"""The label of the game's box, and the rules in brief for an invitation."""

from backroom.engine.notation import Line, Thing
from backroom.games.syndicats.options import SyndicatsOptions
from backroom.scenes.scene import Box, Emblem, Figure

__all__ = ["BOX", "brief", "place"]

BOX = Box(
    hook="Hire kittens, rob a museum, pay the Mogfather's pension.",
    lasts="45 minutes",
    cloth="syndicats",
    emblem=Emblem("mogfather"),
    art=(
        Figure("kitten-claws", 6, 24, 92, "t-r"),
        Figure("kitten-purr", 162, 24, 92, "t-b"),
        Figure("mogfather", 74, 4, 114, "mogart"),
    ),
)


def brief(options: SyndicatsOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    ends = {
        "dogs": f"When {seats + options.dog_margin} dogs are out, the biggest fund wins.",
        "deck": "When the deck is used up, the biggest fund wins.",
        "dogs-vs-fund": "When the dogs outweigh all funds, the biggest fund wins.",
    }[options.end]
    bids = (
        Thing("word", "", "Bid"),
        " for the next pick, and what you bid is gone. Each pick is a card: a cat, or on its other side a house.",
    )
    works = (
        "Cats work in houses when the round ends: ",
        Thing("word", "", "keep"),
        " one and it pays again, ",
        Thing("word", "", "trash"),
        " it and it pays once.",
    )
    pays = (
        "What you pay the Mogfather is your score; he sits with the best payer, who wins ties. ",
        ends,
    )
    return Line(bids), Line(works), Line(pays)


def place(options: SyndicatsOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    del seats, chair
    if options.keeper is None or options.keeper.lower() == "random":
        return "who has the Mogfather first is drawn by lot"
    return f"{options.keeper} has the Mogfather first"
