"""The log of Syndicats in words, and what a move in preparation will do."""

from collections.abc import Callable, Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.game import Game
from backroom.engine.notation import Part, Thing, play_on_view, player
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import (
    ATTACK,
    DEFENCE,
    HOUSE,
    SIDES,
    SPECIALS,
    Card,
    deck_of,
    event_thing,
    symbols_text,
)
from backroom.games.syndicats.positions import SIDE_WORDS
from backroom.games.syndicats.rules import ACTIONS
from backroom.text.english import counted, enumerated, listed
from backroom.text.log import Log, each

__all__ = ["card_thing", "cat_words", "describe", "house_words", "preview"]


def card_thing(thing: Any, side: int = 0) -> Thing:
    """A card as a piece of text, by its id; called by the name of its house side where that is up."""
    return Thing("card", thing.id, thing.called(side) if isinstance(thing, Card) else thing.name)


def _named(side: int) -> Callable[[int, Sequence[str]], Thing]:
    return lambda number, names: card_thing(event_thing(number)[0], side)


def _cards(numbers: Sequence[int], names: Sequence[str]) -> list[Part]:
    return enumerated([card_thing(event_thing(number)[0]) for number in numbers])


def _either(number: int, names: Sequence[str]) -> Thing:
    """A card that may be taken with either side up: Ginsu / Cheese Exchange."""
    thing = event_thing(number)[0]
    if not isinstance(thing, Card) or not thing.house:
        return card_thing(thing)
    cat = card_thing(thing)
    return Thing("card", thing.id, f"{cat.words} / {thing.house}" if thing.cat or thing.special else thing.house)


def _offered(numbers: Sequence[int], names: Sequence[str]) -> list[Part]:
    return enumerated([_either(number, names) for number in numbers])


def _coins(number: int, names: Sequence[str]) -> str:
    return counted(number, "coin")


def _dogs(number: int, names: Sequence[str]) -> str:
    return counted(number, "dog")


def _side(side: int) -> str:
    return {ATTACK: "an attack cat", DEFENCE: "a defence cat"}.get(side, f"a {SIDES[side]}")


def _showing(number: int, side: int) -> str:
    """A card that shows a side from now on, as a part of a template."""
    return f"{{{WITH_SIDE[side]}:{number}}} as {_side(side)}"


WITH_SIDE = {1: "card", HOUSE: "house", ATTACK: "card", DEFENCE: "defender_card"}
"""By side: the word of a template that calls a card by the name of that side."""


def _took(e: Event) -> str:
    coins = f"|, with {{coins:{e.args['coins']}}} on it." if e.args["coins"] else "."
    return f"{{seat}} <takes/take> {_showing(e.args['card'], e.args['side'])}{coins}"


def _copied(e: Event) -> str:
    gone = "joins the supply" if e.args["swapped"] else "is thrown away"
    verb = "<uses/use> {cat} to take" if e.kind == "copied" else "<trades/trade> {cat} in for"
    return f"{{seat}} {verb} {_showing(e.args['card'], e.args['side'])}|; {{cat}} {gone}."


def _bid(e: Event) -> str:
    return "{seat} <bids/bid> {pile}." if e.args["more"] else "{seat} <stands/stand> at {pile}."


def _paid(e: Event) -> str:
    verb = "<pays/pay> {amount} into the Mogfather's fund"
    if e.kind == "fed":
        verb = "<adds/add> {amount} to the Mogfather's fund"
    return f"{{seat}} {verb}|; the bank adds {{bonus}}." if e.args["bonus"] else f"{{seat}} {verb}."


def _filled(e: Event) -> str:
    verb = "<keeps/keep>" if e.kind == "kept" else "<trashes/trash>"
    cats = " with {cats}" if e.args["cats"] else ""
    return f"{{seat}} {verb} {{house:{e.args['card']}}}{cats}|, for {{amount}}."


def _house(text: str) -> Callable[[Event], str]:
    return lambda e: text.replace("HOUSE", f"{{house:{e.args['card']}}}")


def _whom(text: str) -> Callable[[Event], str]:
    """A line in which the event's player is not the one who does something."""
    return lambda e: text.replace("WHOM", f"{{whom:{e.seat}}}")


def _either_of(text: str) -> Callable[[Event], str]:
    return lambda e: text.replace("CARD", f"{{either:{e.args['card']}}}")


def _sides(e: Event) -> str:
    kitten, lair = (SIDE_WORDS[e.args[name]] for name in ("kitten", "lair"))
    return f"{{seat}} <has/have> chosen the {kitten} side of the kitten and the {lair} side of the lair."


def _fought(e: Event) -> str:
    guard = "; cats that defend add {defence}" if e.args["defence"] else ""
    return f"{{seat}} <spends/spend> {{attacker}}|, {{whom}} {{defender}}{guard}."


def _ended(e: Event) -> str:
    reasons = [words for bit, words in rules.ENDINGS.items() if e.args["reason"] & bit]
    return f"The game ends, as {listed(reasons)}. {{totals}}."


def _totals(totals: Sequence[int], names: Sequence[str]) -> list[Part]:
    return each((Thing("fund", str(total), str(total)) for total in totals), names)


FOLLOWING = frozenset(
    ("won", "fined", "tithed", "income", "upkeep", "dumped", "sides")
)  # fmt: skip
"""Events of a player that come of others: no deeds of their own."""

LOG = Log(
    {
        "keeper_drawn": ("S5", "{seat} <begins/begin> with the Mogfather."),
        "chose_sides": ("S3", "{seat} <has/have> chosen sides."),
        "sides": ("S3", _sides),
        "round": ("Y8", "Round {number} begins."),
        "dog": ("Y5", "{dog} comes sniffing: {dogs} in the kennel."),
        "refilled": ("Y34", "New in the supply: {cards}."),
        "top": ("Y5", _either_of("On top of the deck: CARD.")),
        "bid": ("Y15", _bid),
        "passed": ("Y16", "{seat} <passes/pass>."),
        "won": ("Y18", "{seat} <gets/get> pick {pick} for {amount}."),
        "paid": ("Y21", _paid),
        "killed": ("Y24", _either_of("{seat} <lets/let> {cat} be curious|; CARD goes to the discards.")),
        "copied": ("Y25", _copied),
        "traded": ("Y26", _copied),
        "attacked": ("Y27", "{seat} <attacks/attack> {card} of {owner} with {weapon}."),
        "spent": ("Y27", "{seat} <has/have> sealed a sum."),
        "fought": ("Y27", _fought),
        "knocked": ("Y50", _whom("WHOM's {card} is knocked out until the contracts are settled.")),
        "took": ("Y29", _took),
        "took_none": ("Y29", "{seat} <takes/take> nothing."),
        "fed": ("Y31", _paid),
        "cleared": ("Y32", "Nobody wanted these specials, and they leave: {cards}."),
        "coins": ("Y33", lambda e: "Each card left gets {coins}." if e.args["cards"] else ""),
        "mogfather": ("Y35", _whom("The Mogfather goes to WHOM.")),
        "funds": ("Y36", "Funds: {totals}."),
        "fined": ("Y37", "{seat} <pays/pay> a fine of one coin."),
        "tithed": ("Y38", "{seat} <gives/give> {amount} to the keeper's fund."),
        "ready": ("Y40", "{seat} <has/have> sealed the contracts."),
        "upkeep": ("Y51", "{seat} <pays/pay> {amount} of upkeep."),
        "dropped": ("Y51", "{seat} <drops/drop> {card}."),
        "income": ("Y49", "{seat} <has/have> an income of {amount}."),
        "kept": ("Y44", _filled),
        "trashed": ("Y45", _filled),
        "held": ("Y46", _house("{seat} <holds/hold> HOUSE.")),
        "retained": ("Y47", _house("{seat} <retains/retain> HOUSE for {amount}.")),
        "lapsed": ("Y48", _house("{seat} <lets/let> HOUSE go.")),
        "returned": ("Y50", _whom("WHOM's {card} is up again.")),
        "dumped": ("Y55", "{seat} <puts/put> the last {amount} into the fund."),
        "favour": ("Y55", _whom("The Mogfather goes to WHOM at last.")),
        "ended": ("Y56", _ended),
    },
    follows=lambda e: e.kind in FOLLOWING,
    takes=lambda e: e.kind in ("took", "copied", "traded"),
    card=_named(0), cat=_named(0), weapon=_named(0), dog=_named(0), house=_named(HOUSE),
    defender_card=_named(DEFENCE), cats=_cards, cards=_offered, either=_either, coins=_coins, amount=_coins,
    bonus=_coins, totals=_totals, whom=player, owner=player, dogs=_dogs,
)  # fmt: skip
"""What was bid, done and settled, each in one line."""

describe = LOG.describe


# What a move will do


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """What the move does as far as it follows from the view: the money, and what the contracts earn."""
    if not actions:
        return AIMS.get(int(view.phase), "")
    first = int(actions[0])
    if first >= rules.DROP:
        return _contracts_preview(game, view, seat, actions)
    name, indices = ACTIONS.family(first).name, ACTIONS.indices(first)
    said = WORDS.get(name)
    if said is not None:
        return said(view, seat, indices)
    if name == "copycat":
        gone = "joins the supply" if view.copycat == rules.COPY_SWAP else "is thrown away"
        more = f" {_joins(view, *ACTIONS.indices(int(actions[1])))}" if len(actions) > 1 else ""
        return f"{_words(view, indices[0])} {gone}.{more}"
    if int(rules.owner(view, indices[0])) == seat:
        return f"Your own {_words(view, indices[0])} is knocked out until the contracts are settled."
    return (
        f"You and {names[int(rules.owner(view, indices[0]))]} each seal a sum; the higher number, with 2 for each cat "
        "that defends, decides whether the card is knocked out."
    )


AIMS = {
    rules.SETUP: "Choose a side of your kitten and one of your lair.",
    rules.BID: "Say how large your pile shall be, or pass.",
    rules.PICK: "Your pick: contribute, use special cats, take a card.",
    rules.SPEND: "Seal what you spend; both sums are shown together.",
    rules.FEED: "Contribute once more, or 0.",
    rules.CONTRACTS: "Say which cats serve which houses. Houses that are not named go back to the supply.",
}


def _words(view: Any, number: int, side: int = 0) -> str:
    return card_thing(deck_of(view).thing(number), side).words


def _amount_preview(view: Any, seat: int, indices: Sequence[int]) -> str:
    amount, cash = indices[0], int(view.cash[seat])
    if view.phase == rules.BID:
        left = cash + int(view.pile[seat]) - amount
        return f"Your pile is {_coins(amount, ())}, and {left} cash is left. What is bid never comes back."
    if view.phase == rules.SPEND:
        return f"You spend {_coins(amount, ())}, whoever wins."
    return _pay_preview(view, seat, indices)


def _pay_preview(view: Any, seat: int, indices: Sequence[int]) -> str:
    amount = indices[0]
    bonus = max(0, int(view.early_boost) - int(view.dogs_out)) if amount else 0
    now = int(view.now[seat]) + amount + bonus
    return f"This round's fund becomes {now}, and {int(view.cash[seat]) - amount} cash is left."


def _take_preview(view: Any, seat: int, indices: Sequence[int]) -> str:
    return _joins(view, *indices)


def _joins(view: Any, card: int, place: int) -> str:
    """A card that is gained, with what its side can do."""
    side = place + 1
    name = _words(view, card, side)
    if side == HOUSE:
        return f"{name} joins your houses: {house_words(view, card)}."
    if side in (ATTACK, DEFENCE):
        return f"{name} joins your cats as {_side(side)}."
    return f"{name} joins your cats: {cat_words(view, card)}."


def cat_words(view: Any, card: int) -> str:
    """What a cat side gives: symbols and special, ``RGX`` or ``curiosity``."""
    special = SPECIALS[int(view.special[card])]
    return " ".join(filter(None, (symbols_text(view.symbols[card]), special))) or "no symbols"


def house_words(view: Any, card: int) -> str:
    """What a house asks and pays: ``keep RRX for 5, trash RR for 5``."""
    sides = []
    for verb, needs, pays in (("keep", view.keep_needs, view.keep_pays), ("trash", view.trash_needs, view.trash_pays)):
        if pays[card] >= 0:
            sides.append(f"{verb} {symbols_text(needs[card]) or 'nothing'} for {int(pays[card])}")
    return ", ".join(sides) or "it can only be held"


WORDS: dict[str, Callable[[Any, int, Sequence[int]], str]] = {
    "start": lambda view, seat, indices: "Your choice stays sealed until all have chosen, and for the whole game.",
    "amount": _amount_preview,
    "pay": _pay_preview,
    "no_bid": lambda view, seat, indices: "You are out of this auction; your pile stays for the next.",
    "curiosity": lambda view, seat, indices: _kill_preview(view),
    "again": lambda view, seat, indices: _kill_preview(view),
    "take": _take_preview,
    "take_none": lambda view, seat, indices: "You take no card.",
}


def _kill_preview(view: Any) -> str:
    gone = _words(view, int(view.top) - 1) if view.top else "The next cat of the deck"
    return f"{gone} goes to the discards, and what lies under it is seen."


def _contracts_preview(game: Game, view: Any, seat: int, actions: Sequence[int]) -> str:
    after = view
    for action in actions:
        if action != rules.DONE:
            after = play_on_view(game, after, seat, action)
    lost = [_words(view, card, HOUSE) for card in range(int(view.card_count)) if rules.undecided(after, seat, card)]
    cash = int(rules.balance(after, seat))
    earned = cash - int(view.cash[seat])
    told = f"You will have {_coins(cash, ())}, {abs(earned)} {'less' if earned < 0 else 'more'}."
    return f"{told} Back to the supply: {listed(lost)}." if lost else told
