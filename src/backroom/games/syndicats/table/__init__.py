"""How a seat sees Syndicats in the browser: the auction, the cards on offer, the organisations, the contracts.

Each module is named by what it shows. All are given what the viewer sees (`Seen`), the move it prepares included.
"""

from collections.abc import Sequence
from typing import Any

from backroom.engine.game import seats_after
from backroom.engine.notation import Thing
from backroom.games.syndicats import cards, rules
from backroom.games.syndicats.table.auction import dial, heading, lane
from backroom.games.syndicats.table.board import gangs, kennel, offers, walk
from backroom.games.syndicats.table.box import BOX, brief, place
from backroom.games.syndicats.table.contracts import contracts_of
from backroom.games.syndicats.table.duel import ask, duel
from backroom.games.syndicats.table.ended import verdicts
from backroom.games.syndicats.table.seen import Seen
from backroom.games.syndicats.table.sides import starting
from backroom.games.syndicats.table.ticket import choices, commit, lead, missing, say, ticket
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Emblem, Plate, Scene

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]

STEPS = ("Auctions and picks", "Refill from the deck", "The Mogfather moves", "Contracts: keep, trash")
"""The steps of a round, as the list beside the table names them."""


def emblem(thing: Thing) -> Emblem | None:
    """What the crib draws; cards in lines are called by their names, which say more than a drawing of their kind."""
    if thing.kind != "drawn":
        return None
    symbol, _, classes = thing.key.partition(" ")
    return Emblem(symbol, classes)


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    at = Seen(view, viewer, names, draft)
    title, sentence = ticket(at)
    contracts = contracts_of(at)
    everybody = gangs(at)
    return Scene(
        heading=title,
        sentence=sentence,
        aim=lead(at),
        plates=tuple(Plate(gang.seat, gang.note) for gang in everybody if gang.seat != viewer),
        choices=tuple(choices(at, contracts)) if draft.acting else (),
        ask=ask(at),
        say=say(at, contracts),
        missing=missing(at, contracts),
        commit=commit(at),
        counts=False,
        drawn={
            "phase": {
                rules.SETUP: "setup",
                rules.BID: "bid",
                rules.PICK: "pick",
                rules.SPEND: "spend",
                rules.FEED: "feed",
                rules.CONTRACTS: "contracts",
            }.get(at.phase, "over"),
            "gangs": everybody,
            "others": tuple(everybody[seat] for seat in seats_after(viewer, len(at.seats))),
            "mine": None if at.watching else everybody[viewer],
            "offers": tuple(offers(at)),
            "left": at.cards_left,
            "discards": sum(int(at.view.place[card]) == cards.DISCARDS for card in range(at.view.card_count)),
            "kennel": kennel(at),
            "lane": tuple(lane(at)),
            "heading": heading(at),
            "dial": dial(at),
            "walk": tuple(walk(at)),
            "duel": duel(at),
            "starting": tuple(starting(at)),
            "contracts": contracts,
            "aiming": at.verb == "attack" and at.playing,
            "steps": STEPS,
            "step": 0
            if at.phase in (rules.BID, rules.PICK, rules.SPEND, rules.SETUP)
            else 2
            if at.phase == rules.FEED
            else 3,
        },
    )
