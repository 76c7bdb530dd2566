"""What lies open: the cards on offer, the dogs, the organisations."""

from typing import NamedTuple

from backroom.engine.names import written
from backroom.games.syndicats import cards, rules
from backroom.games.syndicats.cards import CARDS, DOG, SIDES
from backroom.games.syndicats.table.faces import Face, shown, sides_of
from backroom.games.syndicats.table.seen import Seen

__all__ = ["Gang", "Half", "Kennel", "Lying", "Offer", "Stage", "gangs", "kennel", "offers", "walk"]


class Half(NamedTuple):
    """A side of a card on offer, the text after a click on it, and whether it is chosen."""

    face: Face
    side: str
    click: str
    chosen: bool


class Offer(NamedTuple):
    """A card that can be taken: its sides, the coins on it, and whether it is the top of the deck."""

    key: str
    halves: tuple[Half, ...]
    coins: int
    top: bool


class Lying(NamedTuple):
    """A card in an organisation, the text after a click on it, whether it is chosen, and a word about it."""

    face: Face
    click: str
    chosen: bool
    note: str


class Gang(NamedTuple):
    """An organisation: its cards, its money (drawing, words, amount), and how near the Mogfather is (0: here)."""

    seat: int
    name: str
    note: str
    cards: tuple[Lying, ...]
    money: tuple[tuple[str, str, int], ...]
    near: int
    size: str


class Kennel(NamedTuple):
    """The dogs: how many are out, with how many it ends (0: not by them), how many there are, and that in words."""

    out: int
    ends: int
    all: int
    names: tuple[str, ...]
    said: str


class Stage(NamedTuple):
    """A stage of the pick: its title, what was done or can be, and its state: ok, now or empty for later."""

    title: str
    note: str
    state: str


def offers(at: Seen) -> list[Offer]:
    """The supply, then the top of the deck."""
    top = at.top
    found = [card for card in at.supply if card != top] + ([top] if top >= 0 else [])
    return [_offer(at, card, card == top) for card in found]


def _offer(at: Seen, card: int, top: bool) -> Offer:
    halves = []
    for side in sides_of(at.view, card):
        word = SIDES[side]
        text = _taking(at, card, side)
        halves.append(Half(shown(at.deck, at.view, card, side), word, text, bool(text) and at.draft.text == text))
    return Offer(at.id(card), tuple(halves), int(at.view.coins[card]), top)


def _taking(at: Seen, card: int, side: int) -> str:
    """The text that takes this side of a card: by the copycat that is named, else as the pick."""
    if not at.playing or at.phase != rules.PICK:
        return ""
    named = f"{at.id(card)} as {SIDES[side]}"
    if at.verb == "copycat" and len(at.typed) > 1:
        cat = at.deck.find(at.typed[1])
        return f"copycat {at.typed[1]} for {named}" if 0 <= cat < CARDS and rules.COPY + cat in at.legal else ""
    return f"take {named}" if rules.TAKE + card * 4 + side - 1 in at.legal else ""


def kennel(at: Seen) -> Kennel | None:
    """The dogs; None in a game without any."""
    view, count = at.view, int(at.view.dog_count)
    if view.end == rules.BY_DECK:
        return None
    out = int(view.dogs_out)
    names = tuple(at.deck.dogs[dog].name for dog in range(count) if view.place[DOG + dog] == cards.KENNEL)
    if at.end_at:
        left = at.end_at - out
        said = f"{out} of {at.end_at}"
        said += ": the last round" if left <= 0 else ": one more ends it" if left == 1 else ""
    else:
        funds = int(view.fund[: len(at.seats)].sum())
        said = f"{out} out, worth {out * int(view.dog_bite)} against funds of {funds}"
    return Kennel(out, at.end_at, count, names, said)


def gangs(at: Seen) -> list[Gang]:
    """Every organisation, the viewer's too, in the order of seats."""
    return [_gang(at, seat) for seat in at.seats]


def _gang(at: Seen, seat: int) -> Gang:
    held = tuple(_lying(at, seat, card) for card in at.held(seat))
    size = "few" if len(held) < 6 else "some" if len(held) < 9 else "many"
    return Gang(seat, at.call(seat), at.standing(seat), held, at.money(seat), int(rules.distance(at.view, seat)), size)


def _lying(at: Seen, seat: int, card: int) -> Lying:
    text, note = "", "out this round" if at.view.knocked[card] else ""
    if at.playing and at.phase == rules.PICK:
        text = _struck(at, seat, card) if at.verb == "attack" else _used(at, card) if seat == at.seat else ""
        if not note and card < CARDS and at.view.fresh[card]:
            note = "new"
        elif not note and card < CARDS + len(at.seats) and at.view.used[card]:
            note = "used"
    chosen = at.id(card) in at.typed[1:] and at.phase == rules.PICK
    return Lying(at.face(card), text, chosen, note)


def _struck(at: Seen, seat: int, card: int) -> str:
    """The text that attacks this card, with the cat that is named already, else the first that can."""
    if rules.ASSAULT + card not in at.legal:
        return ""
    able = weapons(at)
    named = at.deck.find(at.typed[at.typed.index("with") + 1]) if "with" in at.typed[:-1] else -1
    weapon = named if named in able else able[0]
    return f"attack {written(at.names[seat])} {at.id(card)} with {at.id(weapon)}"


def weapons(at: Seen) -> list[int]:
    """The cats with which the viewer can attack now; none where there is nothing to attack."""
    if at.legal.isdisjoint(range(rules.ASSAULT, rules.WEAPON)):
        return []
    attacking = [card for card in at.cats(at.seat) if int(rules.ability(at.view, card)) == cards.ATTACKING]
    return [card for card in attacking if rules.rested(at.view, at.seat, card)]


def _used(at: Seen, card: int) -> str:
    """The text that uses a special cat of one's own; a second click on a curiosity cat trades it in."""
    word = at.id(card)
    if at.view.kill_cat == card + 1 and rules.AGAIN in at.legal:
        return f"curiosity {word} again"
    can = [f"curiosity {word}"] if rules.CURIOUS + card in at.legal else []
    if card < CARDS and rules.COPY + card in at.legal:
        can.append(f"copycat {word}")
    if len(can) > 1 and at.draft.text == can[0]:
        return can[1]
    if can:
        return can[0]
    return "attack" if card in weapons(at) else ""


def walk(at: Seen) -> list[Stage]:
    """The stages of the pick, in their order; none where nobody picks."""
    if at.phase not in (rules.PICK, rules.SPEND):
        return []
    view = at.view
    titles = {rules.PAY_STAGE: "Pay", rules.SPECIAL_STAGE: "Specials", rules.TAKE_STAGE: "Take"}
    order = sorted(titles, key=lambda stage: int(rules.place_of(view, stage)))
    now = int(view.stage)
    preparing = {"pay": rules.PAY_STAGE, "take": rules.TAKE_STAGE}.get(at.verb, rules.SPECIAL_STAGE)
    if at.verb in ("pay", "take", "curiosity", "copycat", "attack") and at.playing:
        now = max(now, int(rules.place_of(view, preparing)))
    found = []
    for place, stage in enumerate(order):
        state = "ok" if place < now else "now" if place == now else ""
        found.append(Stage(f"{place + 1} {titles[stage]}", _note(at, stage, state), state))
    return found


def _note(at: Seen, stage: int, state: str) -> str:
    if stage == rules.PAY_STAGE:
        paid = int(at.view.paid)
        return f"{paid} paid in" if paid else "nothing paid in" if state == "ok" else "for the Mogfather"
    if stage == rules.TAKE_STAGE:
        return "one card, either side"
    if at.view.kill_cat:
        return f"{at.name(int(at.view.kill_cat) - 1)} may kill once more"
    return "if you paid" if at.view.gate == rules.BY_CONTRIBUTION and state != "ok" else "your special cats"
