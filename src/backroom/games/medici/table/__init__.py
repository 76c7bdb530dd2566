"""How a seat sees Court of the Medici in the browser: the court, what a conspiracy could reach, and what a move does.

Each module is named by what it shows. All are given a `Turn`: what the viewer sees, and the move it prepares.
"""

from collections.abc import Sequence
from typing import Any

from backroom.engine.notation import Thing
from backroom.games.medici import rules
from backroom.games.medici.cards import HOUSES, RANKS, house_of, rank_of, rank_word, read_card
from backroom.games.medici.table.attack import ask, fates, threat
from backroom.games.medici.table.box import BOX, brief, place
from backroom.games.medici.table.conspiracy import dials, singles, spy
from backroom.games.medici.table.court import CROWD, lanes, stacks, sway
from backroom.games.medici.table.ended import held, lost, verdicts
from backroom.games.medici.table.hand import fates_of_put, hand, own_fringe
from backroom.games.medici.table.plates import plates
from backroom.games.medici.table.ticket import aim, choices, commit, hint, instead, missing, say, ticket
from backroom.games.medici.table.turn import Turn
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Emblem, Scene

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]


def emblem(thing: Thing) -> Emblem | None:
    """Cards of the table as a tag: rank, crest and colour of the house."""
    card = read_card(thing.key) if thing.kind in ("card", "noble") else 0
    if not card:
        return None
    house, rank = HOUSES[house_of(card)], rank_of(card)
    label = f"{rank_word(rank)} of house {house}" if thing.words == thing.key else ""
    return Emblem(f"seat-{house}", f"n-{house.lower()} tag r-{RANKS[rank]}", chip=True, label=label)


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    at = Turn(view, viewer, names, draft)
    heading, sentence = ticket(at)
    return Scene(
        heading=heading,
        sentence=sentence,
        aim=aim(at),
        coloured=True,
        choices=tuple(choices(at)) if draft.acting else (),
        ask=ask(at) if at.asked else None,
        say=say(at),
        missing=missing(at),
        commit=commit(at),
        instead=instead(at),
        drawn={
            "fringe": at.fringe,
            "order": plates(at),
            "circle": stacks(at, rules.INNER),
            "lanes": lanes(at),
            "crowd": CROWD,
            "sway": sway(at),
            "hand": hand(at),
            "own_fringe": own_fringe(at),
            "dials": dials(at),
            "singles": singles(at),
            "spy": spy(at),
            "fates": fates_of_put(at) if at.putting else fates(at),
            "threat": threat(at),
            "hint": hint(at),
            "lost": lost(at),
            "held": held(at) if at.over else {},
        },
    )
