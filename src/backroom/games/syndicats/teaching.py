"""What Syndicats tells somebody who is new to it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from backroom.engine.notation import Thing
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import CARDS, CURIOSITY, HELD, HOUSE, REMOVED, Deck, deck_of, read_deck
from backroom.games.syndicats.options import SyndicatsOptions
from backroom.games.syndicats.table.faces import Face, face, shown, sides_of
from backroom.scenes.scene import Figure
from backroom.scenes.teaching import Explained, Hint, Picture, Section
from backroom.text.english import counted

__all__ = ["PICTURES", "coach", "crib", "standing"]

PICTURES = (
    Picture(
        (
            Figure("gold", 16, 34, 62),
            Figure("arrow", 96, 44, 34),
            Figure("kitten-claws", 146, 16, 92, "t-r"),
        ),
        "Bid for a pick",
        "The highest pile picks first. What you bid stays on your pile for the round and is gone when you have picked.",
    ),
    Picture(
        (
            Figure("kitten-tail", 8, 22, 84, "t-g"),
            Figure("swap", 104, 42, 40),
            Figure("house", 158, 18, 84, "t-l"),
        ),
        "A cat or a house",
        "Every card is a cat on one side and a house on the other. Cats that fill a house’s symbols keep it, which "
        "pays each round, or trash it, which pays once.",
    ),
    Picture(
        (
            Figure("dog", 4, 44, 62),
            Figure("mogfather", 78, 4, 112, "mogart"),
            Figure("dog", 196, 44, 62),
        ),
        "Feed the Mogfather",
        "What you pay into his pension is your score. He sits with the best payer, who wins ties and keeps houses for "
        "nothing, until the dogs come.",
    ),
)
"""See `backroom.scenes.teaching.Teaching`."""


def crib(options: SyndicatsOptions, seats: int, view: Any | None) -> tuple[Section, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del seats
    deck = deck_of(view) if view is not None else read_deck(options.deck)
    numbers = range(len(deck.cards))
    cards = tuple(_card(deck, view, it) for it in numbers if view is None or view.place[it] != REMOVED)
    own = tuple(
        Explained((thing.id,), thing.name, text, Thing("drawn", drawing, thing.name))
        for rows, text, drawing in (
            (deck.kittens, "Your shadow kitten. It works like any cat and is never traded in.", "kitten t-x"),
            (deck.lairs, "Your lair. It pays every round and asks for nothing.", "lair t-l"),
        )
        for thing in rows
    )
    return (
        Section("A round", tuple(_steps(options))),
        Section("Money", _MONEY),
        Section("Specials", tuple(_specials(options))),
        Section("Starting cards", own),
        Section(f"The deck: {counted(len(cards), 'card')}", cards),
    )


_MONEY = (
    Explained(
        ("fund",), "Fund", "What you paid the Mogfather: the score.", Thing("drawn", "mogfather mogart", ""), rule="Y1"
    ),
    Explained(
        ("cash",), "Cash", "What you can bid and pay with; at the end it goes into the fund.",
        Thing("drawn", "gold", ""), rule="Y55",
    ),
    Explained(
        ("pile",), "Pile", "What you have bid this round. It stays for the next pick and is spent with yours.",
        Thing("drawn", "part", ""), rule="Y15",
    ),
)  # fmt: skip


def _steps(options: SyndicatsOptions) -> Iterator[Explained]:
    yield Explained(
        ("bid",), "Bid", "Top the leader’s pile, or pass. The player nearest to the Mogfather may equal it.", rule="Y15"
    )
    paid = "Pay into your fund, use special cats, take a card" if options.pick_order == "pay-special-take" else (
        "Take a card, use special cats, pay into your fund"
    )  # fmt: skip
    yield Explained(("pick",), "Pick", f"{paid}: in that order.", rule="Y20")
    yield Explained(
        ("mogfather",),
        "The Mogfather moves",
        "To whoever paid most in the round; the nearest wins the tie.",
        rule="Y35",
    )
    if options.tithe:
        yield Explained(
            ("tithe",), "Tithe", f"Everybody else gives his host {counted(options.tithe, 'coin')}.", rule="Y38"
        )
    yield Explained(
        ("contracts",),
        "Contracts",
        "All send cats to houses, unseen. Keep: paid, and it stays. Trash: paid, and it goes. The others lapse, or the "
        "Mogfather holds them.",
        rule="Y40",
    )


def _specials(options: SyndicatsOptions) -> Iterator[Explained]:
    needs = {
        "none": "They need nothing.",
        "contribution": "They need at least 1 coin paid in.",
        "mogfather": "They need the Mogfather.",
    }[options.gate]
    yield Explained(
        ("curiosity",), "Curiosity", f"Kills the top of the deck, and the next if you like. {needs}",
        Thing("drawn", "curiosity", ""), rule="Y24",
    )  # fmt: skip
    gone = "is thrown away" if options.copycat == "discard" else "joins the supply"
    yield Explained(
        ("copycat",), "Copycat", f"Takes one card more for you; the copycat {gone}. {needs}",
        Thing("drawn", "copycat", ""), rule="Y25",
    )  # fmt: skip
    if options.trade_in:
        yield Explained(
            ("trade",), "Trade in", "Any other special cat can be used up as a copycat.", Thing("drawn", "swap", ""),
            rule="Y26",
        )  # fmt: skip
    if options.catapults or options.start_sides != "plain":
        yield Explained(
            ("attack",), "Attack", "Knocks a card out for the round, if you spend more than its owner. Both are spent.",
            Thing("drawn", "attack", ""), rule="Y27",
        )  # fmt: skip
        yield Explained(
            ("defence",), "Defence", "Adds 2 when you are attacked, always.", Thing("drawn", "defence", ""), rule="Y28"
        )
    if options.yarn:
        yield Explained(
            ("yarn",),
            "Yarn",
            "Each ball has as many symbols as you have balls.",
            Thing("drawn", "yarn", ""),
            rule="Y42",
        )


def _card(deck: Deck, view: Any | None, number: int) -> Explained:
    """A card with both its sides."""
    card = deck.cards[number]
    if view is None:
        faces = [face(deck, number, side) for side in card.sides]
    else:
        faces = [shown(deck, view, number, side)._replace(out=False) for side in sides_of(view, number)]
    title = " / ".join(found.name for found in faces)
    pays = max((deal.pays for found in faces for deal in found.deals), default=0)
    told = ". ".join(f"{_role(found)}: {found.said.partition(': ')[2]}" for found in faces)
    first = faces[0]
    thing = Thing("drawn", f"{first.drawing} t-{first.tint}", title)
    return Explained((card.id,), title, f"{told}.", thing, str(pays) if pays else "")


def _role(found: Face) -> str:
    return "House" if found.kind == "house" else "Cat"


def standing(view: Any, seat: int) -> Mapping[str, str]:
    """See `backroom.scenes.teaching.Teaching`."""
    deck, found = deck_of(view), {}
    for house in range(int(view.card_count)):
        if not rules.is_house(view, seat, house):
            continue
        have = rules.idle(view, seat, house, 0)
        can = [word for word, verdict in (("keep", rules.KEPT), ("trash", rules.TRASHED))
               if rules.demand_filled(view, house, verdict, have)]  # fmt: skip
        all_cats = "All your cats together can"
        found[deck.cards[house].id] = f"{all_cats} {' or '.join(can)} it." if can else f"{all_cats}not fill it yet."
    return found


def coach(view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    phase = int(view.phase)
    if phase == rules.BID:
        return tuple(_bidding(view, seat, names))
    if phase == rules.PICK:
        return tuple(_picking(view, seat))
    told = {
        rules.SPEND: Hint(
            "spend", "Both spend what they seal, win or lose. A number that cannot be reached is wasted."
        ),
        rules.FEED: Hint("feed", "A second chance: what you pay in counts for the Mogfather of this round."),
        rules.CONTRACTS: Hint(
            "contracts",
            "Choose what becomes of each house; the cats for it go by themselves, and you may move them. “Best for me "
            "now” finds the most coins. Nobody sees it before all are ready.",
        ),
        rules.SETUP: Hint("sides", "The sides that you choose now stay for the whole game."),
    }
    return (told[phase],) if phase in told else ()


def _bidding(view: Any, seat: int, names: Sequence[str]) -> Iterator[Hint]:
    leader = int(rules.leader(view))
    if rules.may_equal(view, seat) and leader != seat:
        yield Hint("equal", "You are nearest to the Mogfather, so you need only equal the best bid, not top it.")
    if leader == seat:
        yield Hint("stand", "You lead and cannot pass: stand, or raise to make the others pay more.")
    if int(view.pile[seat]):
        yield Hint("pile", "Your pile stays for the next pick of this round. Who loses now leads the next auction.")
    yield Hint(
        "bid",
        f"{names[leader]} leads. Every bid is spent in the end, even the loser’s: everybody picks one card a round.",
    )


def _picking(view: Any, seat: int) -> Iterator[Hint]:
    able = [
        card
        for card in range(CARDS)
        if view.place[card] == HELD + seat and view.side[card] != HOUSE and view.special[card] == CURIOSITY
    ]
    if able and not rules.gate_open(view, seat):
        yield Hint("gate", "Pay in a coin first: without it your special cats stay asleep.")
    if rules.stage_open(view, rules.PAY_STAGE):
        yield Hint(
            "pay",
            "What you pay in is your score, and the Mogfather goes to whoever pays most in a round. Money kept back "
            "can bid first next time.",
        )
    yield Hint("take", "The upper half of a card is a cat, the lower one a house. The other side is lost to you.")
