"""The ticket: what is asked, the kinds of moves and what each does, and the move in preparation in words."""

from collections.abc import Iterator

from backroom.games.syndicats import cards, rules
from backroom.games.syndicats.cards import CARDS, COPYCAT, SIDES
from backroom.games.syndicats.positions import SIDE_WORDS
from backroom.games.syndicats.table.auction import ends
from backroom.games.syndicats.table.board import weapons
from backroom.games.syndicats.table.contracts import Contracts, said_plan
from backroom.games.syndicats.table.faces import sides_of
from backroom.games.syndicats.table.seen import Seen
from backroom.scenes.scene import Choice, Emblem
from backroom.text.english import counted, number_word

__all__ = ["choices", "commit", "lead", "missing", "say", "ticket"]

GOLD, WAIT, CROSS, HOUSE_ICON = Emblem("gold"), Emblem("hourglass"), Emblem("cross"), Emblem("house")


def ticket(at: Seen) -> tuple[str, str]:
    """Heading and sentence; empty: the words that all games share."""
    if at.over or at.watching:
        return "", ""
    if not at.playing:
        return "", _waiting(at)
    if at.phase == rules.BID:
        return "Your bid", _auction(at)
    if at.phase == rules.PICK:
        return "Your pick", _picking(at)
    if at.phase == rules.SPEND:
        if at.seat == at.picker:
            return "Your attack", f"Seal what you spend on it. {at.names[_defender(at)]} seals, too."
        return f"{at.names[at.picker]} attacks you", "Seal what you spend on the defence."
    if at.phase == rules.FEED:
        return "Pay in?", "A second chance to contribute, in the order of the picks."
    if at.phase == rules.SETUP:
        return "Choose your sides", "Plain or custom, for your kitten and your lair. All are shown together."
    others = [seat for seat in at.seats if seat != at.seat and at.view.acting >> seat & 1]
    waits = f"{at.people_of(others)} {at.do(others, 'is', 'are')} not." if others else "You are the last."
    return "Contracts", f"Everybody at once, unseen. {_ready(at, others)}{waits}"


def _ready(at: Seen, owing: list[int]) -> str:
    ready = [seat for seat in at.seats if seat != at.seat and seat not in owing]
    return f"{at.people_of(ready)} {at.do(ready, 'is', 'are')} ready; " if ready else ""


def _defender(at: Seen) -> int:
    return int(rules.owner(at.view, int(at.view.target) - 1))


def _auction(at: Seen) -> str:
    view, pile = at.view, int(at.view.pile[at.leader])
    if at.leader == at.seat:
        return f"You lead at {pile}: stand, or raise yourself." if pile else "You lead at 0: stand, or make them pay."
    equal = "Equal or top" if rules.may_equal(view, at.seat) else "Top"
    them = f"{at.names[at.leader]} leads with {pile}"
    return f"{them}. {equal} it, or pass."


def _picking(at: Seen) -> str:
    if at.view.kill_cat:
        return f"{at.name(int(at.view.kill_cat) - 1)} killed one card and may kill the next, too."
    if rules.stage_open(at.view, rules.PAY_STAGE):
        if at.view.gate == rules.BY_CONTRIBUTION and _specials(at):
            return "Pay in first if you want your specials to work; then choose a card."
        return "Pay in what you like, and choose a card and its side."
    return "Use your specials, then choose a card and the side it keeps."


def _specials(at: Seen) -> list[int]:
    """The viewer's cats that can do something in a pick."""
    able = (cards.COPYCAT, cards.CURIOSITY, cards.ATTACKING)
    view = at.view
    return [cat for cat in at.cats(at.seat) if int(rules.ability(view, cat)) in able or rules.copies(view, cat)]


def _waiting(at: Seen) -> str:
    view = at.view
    if at.phase == rules.BID:
        if view.picked >> at.seat & 1:
            return "You have picked this round."
        if at.seat == at.leader:
            return f"You lead with {int(view.pile[at.seat])}."
        return (
            "You have passed; you are in again for the next pick." if view.passed >> at.seat & 1 else "You may speak."
        )
    if at.phase == rules.PICK:
        return f"{at.names[at.picker]} picks a card."
    if at.phase == rules.SPEND:
        return f"{at.names[at.picker]} attacks {at.name(int(view.target) - 1)}."
    if at.phase == rules.CONTRACTS:
        return "Your contracts are sealed until all are ready." if _gave(at) else "You have nothing to decide."
    return ""


def _gave(at: Seen) -> bool:
    return bool(at.houses(at.seat))


# Choices


def choices(at: Seen, contracts: Contracts | None) -> Iterator[Choice]:
    """Every kind of move, with what it does."""
    if at.phase == rules.BID:
        yield from _bids(at)
    elif at.phase == rules.PICK:
        yield from _picks(at)
    elif at.phase in (rules.SPEND, rules.FEED):
        word, least, most = ends(at)
        title = "Seal" if word == "spend" else "Pay in"
        reach = f"{title} {least} to {most}" if most > least else f"{title} {least}"
        effect = "shown together with the other’s, and spent" if word == "spend" else "it counts for the Mogfather"
        yield Choice(reach, effect, f"{word} {least}", emblem=Emblem("defence") if word == "spend" else GOLD)
    elif at.phase == rules.SETUP:
        for kitten in SIDE_WORDS:
            for lair in SIDE_WORDS:
                effect = f"the kitten {kitten}, the lair {lair}"
                yield Choice(f"{kitten.capitalize()}, {lair}", effect, f"start {kitten} {lair}", emblem=HOUSE_ICON)
    elif contracts is not None:
        yield from _contracts(at, contracts)


def _bids(at: Seen) -> Iterator[Choice]:
    _, least, most = ends(at)
    pile = int(at.view.pile[at.seat])
    lies = f"{pile} of it lies there already" if pile else "what you bid never comes back"
    if least > most:
        yield Choice(f"Bid {least}", f"you can reach {most}", emblem=GOLD)
    elif at.leader == at.seat:
        yield Choice(f"Stand at {pile}", "if nobody tops it, the pick is yours", f"bid {pile}", emblem=GOLD)
        if most > pile:
            yield Choice(f"Raise to {pile + 1}–{most}", lies, f"bid {pile + 1}", emblem=GOLD)
    else:
        yield Choice(f"Bid {least} to {most}" if most > least else f"Bid {least}", lies, f"bid {least}", emblem=GOLD)
    if at.leader == at.seat:
        yield Choice("Pass", "the leader may not", emblem=WAIT)
    else:
        yield Choice("Pass", "out of this auction, in again for the next pick", "pass", emblem=WAIT)


def _picks(at: Seen) -> Iterator[Choice]:
    view = at.view
    if rules.stage_open(view, rules.PAY_STAGE):
        _, _, most = ends(at)
        effect = "score for you, and a bid for the Mogfather"
        words = f"pay {min(1, most)}"
        yield Choice(f"Pay in 0 to {most}" if most else "Pay in 0", effect, words, "Pay", GOLD)
    yield from _uses(at)
    for card in (card for card in range(view.card_count) if rules.available(view, card)):
        for side in sides_of(view, card):
            if rules.TAKE + card * 4 + side - 1 not in at.legal:
                continue
            found = at.face(card, side)
            pays = " or ".join(f"{deal.word} {deal.pays}" for deal in found.deals)
            effect = pays or found.special or found.said.partition(": ")[2]
            yield Choice(
                found.name, effect, f"take {at.id(card)} as {SIDES[side]}", "Take", Emblem(found.drawing), half=True
            )
    if rules.TAKE_NONE in at.legal:
        yield Choice("Take nothing", "the pile is spent all the same", "take none", "Take", CROSS)


def _uses(at: Seen) -> Iterator[Choice]:
    view = at.view
    if rules.AGAIN in at.legal:
        cat, top = int(view.kill_cat) - 1, at.top
        what = at.name(top, sides_of(view, top)[0]) if top >= 0 else "the next card"
        words = f"curiosity {at.id(cat)} again"
        yield Choice("Kill once more", f"{what} goes, too", words, "Specials", Emblem("curiosity"))
    for cat in _specials(at):
        word, name = at.id(cat), at.name(cat)
        found = False
        if rules.CURIOUS + cat in at.legal:
            yield Choice(
                f"{name}: kill", "the top of the deck goes", f"curiosity {word}", "Specials", Emblem("curiosity")
            )
            found = True
        if cat < CARDS and rules.COPY + cat in at.legal:
            title = f"{name}: copy" if int(rules.ability(view, cat)) == COPYCAT else f"{name}: trade in"
            yield Choice(title, "a card more for it", f"copycat {word}", "Specials", Emblem("copycat"))
            found = True
        if cat in weapons(at):
            yield Choice(f"{name}: attack", "knock out a card for the round", "attack", "Specials", Emblem("attack"))
            found = True
        if not found:
            yield Choice(name, _why_not(at, cat), group="Specials", emblem=Emblem("copycat"))


def _why_not(at: Seen, cat: int) -> str:
    view = at.view
    if view.knocked[cat]:
        return "knocked out this round"
    if not rules.gate_open(view, at.seat):
        return "pay in at least 1 first" if view.gate == rules.BY_CONTRIBUTION else "only with the Mogfather"
    if not rules.stage_open(view, rules.SPECIAL_STAGE):
        return "take a card first"
    if cat < CARDS and view.fresh[cat]:
        return "came this turn"
    return "used this turn" if view.used[cat] else "nothing to use it on"


def _contracts(at: Seen, found: Contracts) -> Iterator[Choice]:
    yield Choice(
        "Best for me now", "the most that your cats can earn", found.best, gain=f"+{found.best_earns}", emblem=GOLD
    )
    for job in found.jobs:
        for segment in job.segments:
            if segment.word == "lapse":
                continue
            title = f"{segment.word.capitalize()} {job.face.name}"
            pays = next((deal.pays for deal in job.face.deals if deal.word == segment.word), None)
            gain = f"+{pays}" if pays is not None and segment.click else ""
            effect = {
                "keep": "pays, and stays",
                "trash": "pays, then to the discards",
                "hold": "pays nothing, and stays",
            }
            can = effect.get(segment.word, "stays for the price")
            if not segment.click:
                can = "too few cats are idle"
            yield Choice(title, can, segment.click, "One by one", HOUSE_ICON, gain)
    yield Choice("Let all lapse", "the houses go to the supply", "contracts none", emblem=CROSS)


# The move in preparation


def say(at: Seen, contracts: Contracts | None) -> str:
    """The move in preparation as an order; empty: its text."""
    words = at.typed
    number = words[1] if len(words) == 2 and words[1].isdecimal() else ""
    if at.verb == "contracts" and contracts is not None:
        return said_plan(at, contracts.plan, contracts.tally.total)
    if at.verb == "bid" and number:
        pile = int(at.view.pile[at.seat])
        more = int(number) - pile
        return f"Stand at {number}" if more <= 0 else f"Bid {number}, {counted(more, 'coin')}{' more' if pile else ''}"
    if at.verb == "pass":
        return "Pass"
    if at.verb == "pay" and number:
        return f"Pay {number} in" if int(number) else "Pay nothing in"
    if at.verb == "spend" and number:
        return f"Seal {number}"
    if at.verb == "feed" and number:
        return f"Pay {number} in"
    if at.verb == "take" and words[1:] == ["none"]:
        return "Take nothing"
    if at.verb == "take" and len(words) == 4:
        return f"Take {_named(at, words[1], words[3])}, as {_a(words[3])}"
    if at.verb == "curiosity" and len(words) > 1:
        return f"{_cat(at, words[1])} kills the top card" + (", again" if len(words) > 2 else "")
    if at.verb == "copycat" and len(words) == 6:
        return f"{_cat(at, words[1])} for {_named(at, words[3], words[5])}, as {_a(words[5])}"
    if at.verb == "copycat" and len(words) > 1:
        return f"{_cat(at, words[1])} for another card"
    if at.verb == "attack":
        card = at.deck.find(words[2]) if len(words) > 2 else -1
        with_ = f" with {_cat(at, words[-1])}" if "with" in words[:-1] else ""
        return f"Attack {at.name(card)}{with_}" if 0 <= card < cards.OWN else "Attack a card"
    if at.verb == "start" and len(words) == 3:
        return f"The kitten {words[1]}, the lair {words[2]}"
    return ""


def _named(at: Seen, word: str, side: str) -> str:
    card = at.deck.find(word)
    return at.name(card, SIDES.index(side)) if 0 <= card < CARDS and side in SIDES else word


def _cat(at: Seen, word: str) -> str:
    card = at.deck.find(word)
    return at.name(card) if 0 <= card < cards.OWN else word


def _a(side: str) -> str:
    return f"an {side}" if side == "attack" else f"a {side}"


def missing(at: Seen, contracts: Contracts | None) -> str:
    """What the move in preparation lacks where its text alone would read as an error."""
    if at.draft.actions is not None:
        return ""
    if contracts is not None and at.verb == "contracts":
        return contracts.lacking
    return "Choose the card that is attacked." if at.verb == "attack" and len(at.typed) == 1 else ""


def commit(at: Seen) -> str:
    """The words on the amber button."""
    words = at.typed
    number = words[1] if len(words) == 2 else ""
    return {
        "bid": f"Bid {number}",
        "pass": "Pass",
        "pay": f"Pay {number} in" if number != "0" else "Pay nothing",
        "spend": f"Seal {number}",
        "feed": f"Pay {number} in",
        "take": "Take nothing" if number == "none" else "Take it",
        "curiosity": "Kill it",
        "copycat": "Swap it in",
        "attack": "Attack",
        "start": "These sides",
        "contracts": "I am ready",
    }.get(at.verb, "Do it")


def lead(at: Seen) -> str:
    """How far it is, for the line under the title."""
    round_ = int(at.view.turn)
    dogs = f", {number_word(int(at.view.dogs_out))} of {at.end_at} dogs" if at.end_at else ""
    return f"round {round_}{dogs}"
