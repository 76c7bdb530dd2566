"""Syndicats as text: moves here, both ways; positions, the log and worked examples in the modules imported below."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from backroom.engine.game import Game, Refusal, seats_in
from backroom.engine.names import seat_called, written
from backroom.engine.notation import Token
from backroom.engine.refusal import quoted
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import ATTACKING, CARDS, COPYCAT, CURIOSITY, LAIR, OWN, SIDES, YARN, deck_of
from backroom.games.syndicats.positions import PHASES, SIDE_WORDS, card_id, parse_position, position
from backroom.games.syndicats.rules import ACTIONS
from backroom.games.syndicats.story import describe, preview
from backroom.games.syndicats.worked import examples

__all__ = ["describe", "examples", "move_tokens", "parse_move", "parse_position", "position", "preview", "question"]


def question(view: Any, seat: int) -> str:
    """What the seat is asked: setup, bid, pick, spend, feed or contracts; empty when it is not acting."""
    return PHASES[int(view.phase)] if seat >= 0 and int(view.acting) >> seat & 1 else ""


# Moves as they are typed

ID = "[a-z][a-z0-9_]*"
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
CLAUSE = rf"(?:(?:keep|trash) {ID}(?: with {ID}(?: \+ {ID})*)?|(?:hold|retain|drop) {ID})"
FORMS = {
    "start": (rules.SETUP, "start plain custom (kitten, lair)", r"(?P<kitten>plain|custom) (?P<lair>plain|custom)"),
    "bid": (rules.BID, "bid 3 (the new size of the pile)", rf"(?P<amount>{NUMBER})"),
    "pass": (rules.BID, "pass", ""),
    "pay": (rules.PICK, "pay 2", rf"(?P<amount>{NUMBER})"),
    "curiosity": (rules.PICK, "curiosity CAT, then curiosity CAT again", rf"(?P<cat>{ID})(?P<again> again)?"),
    "copycat": (
        rules.PICK,
        "copycat CAT for CARD as house (or cat, attack, defence)",
        rf"(?P<cat>{ID}) for (?P<card>{ID}) as (?P<side>cat|house|attack|defence)",
    ),
    "attack": (rules.PICK, "attack PLAYER CARD with CAT", rf"(?P<whom>\S+) (?P<card>{ID}) with (?P<cat>{ID})"),
    "take": (
        rules.PICK,
        "take CARD as cat (or house, attack, defence), or take none",
        rf"(?P<none>none)|(?P<card>{ID}) as (?P<side>cat|house|attack|defence)",
    ),
    "spend": (rules.SPEND, "spend 2", rf"(?P<amount>{NUMBER})"),
    "feed": (rules.FEED, "feed 1", rf"(?P<amount>{NUMBER})"),
    "contracts": (
        rules.CONTRACTS,
        "contracts keep HOUSE with CAT+CAT, trash HOUSE with CAT, hold HOUSE, retain HOUSE, drop CAT, or none",
        rf"(?P<none>none)|(?P<clauses>{CLAUSE}(?: , {CLAUSE})*)",
    ),
}
"""By the first word of a move: the phase it belongs to, how it is written, and the form of all that follows."""
SHORT = {
    rules.SETUP: "start SIDE SIDE",
    rules.BID: "bid N or pass",
    rules.PICK: "pay N, curiosity, copycat, attack, or take",
    rules.SPEND: "spend N",
    rules.FEED: "feed N",
    rules.CONTRACTS: "contracts ...",
}
"""The moves of a phase, in short."""


class _Typed(NamedTuple):
    """A move as it was typed: its verb, its words by name, and its cards as numbers."""

    verb: str
    said: dict[str, str]
    cards: dict[str, int]


def _syntax(text: str, why: str) -> Refusal:
    odd = next((word for word in text.split() if not re.fullmatch(r"[\w,+]{1,60}", word, re.ASCII)), text.strip())
    return Refusal("E_SYNTAX", f"{why} in {quoted(odd)}")


def _read(view: Any, text: str, names: Sequence[str]) -> _Typed:
    """A typed move. Refusal E_SYNTAX for what is none, or names a card that the deck file does not have."""
    words = re.findall(r"[^\s,+]+|[,+]", text)
    verb = words[0].lower() if words else ""
    if verb not in FORMS:
        raise _syntax(text, f"{SHORT.get(int(view.phase), 'bid, pay, take ...')} is expected, not {quoted(verb)}")
    found = re.fullmatch(FORMS[verb][2], " ".join(words[1:]), re.ASCII | re.IGNORECASE)
    if found is None:
        raise _syntax(text, f"{FORMS[verb][1]} is expected")
    said = {name: word.lower() for name, word in found.groupdict().items() if word}
    if "whom" in said and seat_called(said["whom"], names) is None:
        raise _syntax(text, f"nobody is called {quoted(found['whom'])}; there are {', '.join(names)}")
    cards: dict[str, int] = {name: _number(view, said[name], text) for name in ("cat", "card") if name in said}
    for word in re.findall(r"[a-z0-9_]+", said.get("clauses", "")):
        if word not in ("keep", "trash", "hold", "retain", "drop", "with"):
            cards[word] = _number(view, word, text)
    return _Typed(verb, said, cards)


def _number(view: Any, word: str, text: str) -> int:
    found = deck_of(view).find(word)
    if found < 0:
        raise _syntax(text, f"no card of the deck is called {quoted(word)}")
    return found


# Holding it against the position


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """The actions of a typed move. Refusals with the codes of section 6, the first that fits in its order."""
    move = _read(view, text, names)
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    phase, asked = FORMS[move.verb][0], int(view.phase)
    if phase != asked:
        raise Refusal("E_PHASE", f"{move.verb} belongs to another phase; this is {PHASES[asked]}: {SHORT[asked]} (Y8)")
    acting = seats_in(int(view.acting))
    if phase == rules.BID and int(view.passed) >> seat & 1:
        raise Refusal("E_PASSED", "you have passed in this auction; you are in again in the next (Y16)")
    if seat not in acting and phase in (rules.SETUP, rules.CONTRACTS):
        raise Refusal("E_READY", "you have sealed your choice already, or there is nothing for you to decide (Y40)")
    if seat not in acting:
        raise Refusal("E_TURN", f"{' and '.join(names[one] for one in acting)} must decide now (Y14, Y20)")
    if move.verb == "contracts":
        return _contracts(game, view, seat, move)
    if move.verb == "start":
        return [int(rules.start_number(move.said["kitten"] == "custom", move.said["lair"] == "custom"))]
    if phase == rules.PICK:
        return _pick(view, seat, move, names)
    if move.verb == "pass":
        if seat == int(rules.leader(view)):
            raise Refusal("E_LEADER", "you lead and may not pass; bid your pile or more (Y16, Y17)")
        return [rules.NO_BID]
    if move.verb == "bid":
        return [rules.AMOUNT + _bid(view, seat, move.said["amount"])]
    return [rules.AMOUNT + _amount(view, seat, move.said["amount"], move.verb == "feed")]


def _coins(word: str, most: int, rule: str) -> int:
    """A typed amount. Refusal E_AMOUNT unless it is a whole number from 0 to the most there is."""
    if not re.fullmatch("[0-9]+", word, re.ASCII):
        raise Refusal("E_AMOUNT", f"{quoted(word)} is no whole number from 0 ({rule})")
    digits = word.lstrip("0") or "0"
    amount = int(digits) if len(digits) < 10 else 10**9
    if amount > most:
        raise Refusal("E_AMOUNT", f"{quoted(word)} is more than the {most} there is ({rule})")
    if amount >= rules.AMOUNTS:
        raise Refusal("E_AMOUNT", f"{rules.AMOUNTS - 1} coins are the most that can be named, not {quoted(word)} (U80)")
    return amount


def _amount(view: Any, seat: int, word: str, gives: bool) -> int:
    """Money out of the cash. Refusal E_AMOUNT, and E_DOGS for a contribution that the last dog forbids."""
    amount = _coins(word, int(view.cash[seat]), "Y21" if gives else "Y27")
    if gives and amount and not rules.may_contribute(view):
        raise Refusal("E_DOGS", "the last dog is out; nobody may contribute more than 0 (Y57)")
    return amount


def _bid(view: Any, seat: int, word: str) -> int:
    amount = _coins(word, int(view.pile[seat]) + int(view.cash[seat]), "Y15")
    least, leads = int(rules.least_bid(view, seat)), seat == int(rules.leader(view))
    if amount < least:
        why = "your pile cannot shrink" if leads else "a bid must beat the leader's pile"
        raise Refusal("E_LOW", f"{why}; bid {least} or more, not {quoted(word)} (Y15, Y17)")
    return amount


STAGES = {
    "pay": rules.PAY_STAGE,
    "take": rules.TAKE_STAGE,
    "curiosity": rules.SPECIAL_STAGE,
    "copycat": rules.SPECIAL_STAGE,
    "attack": rules.SPECIAL_STAGE,
}


def _pick(view: Any, seat: int, move: _Typed, names: Sequence[str]) -> list[int]:
    verb, said, cards = move
    if not rules.stage_open(view, STAGES[verb]):
        order = "pay, specials, take" if view.pick_order == rules.PAY_FIRST else "take, specials, pay"
        raise Refusal("E_ORDER", f"{verb} comes too early or too late; the order is {order} (Y20)")
    if verb == "pay":
        return [rules.PAY + _amount(view, seat, said["amount"], True)]
    if verb == "take":
        if "none" in said:
            if view.must_take and (view.top or view.offer_count):
                raise Refusal("E_MUST", "a card must be taken while one is available (Y29)")
            return [rules.TAKE_NONE]
        return [int(rules.take_number(*_offer(view, cards["card"], said)))]
    if not rules.gate_open(view, seat):
        needs = "a coin paid in this turn" if view.gate == rules.BY_CONTRIBUTION else "the Mogfather"
        raise Refusal("E_GATE", f"specials need {needs} (Y22)")
    cat = cards["cat"]
    _ready_cat(view, seat, cat, verb, "again" in said)
    if verb == "curiosity":
        if not rules.killable(view):
            raise Refusal("E_DECK", "no card is left to kill (Y24)")
        return [rules.AGAIN if "again" in said else rules.CURIOUS + cat]
    if verb == "copycat":
        return [rules.COPY + cat, int(rules.gain_number(*_offer(view, cards["card"], said)))]
    target, whom = cards["card"], seat_called(said["whom"], names)
    if target >= OWN or int(rules.owner(view, target)) != whom:
        raise Refusal("E_CARD", f"{card_id(view, target)} is not in the organisation of {names[whom or 0]} (Y27)")
    if view.knocked[target]:
        raise Refusal("E_KNOCKED", f"{card_id(view, target)} is knocked out already (Y27)")
    return [rules.ASSAULT + target, rules.WEAPON + cat]


def _own_cat(view: Any, seat: int, cat: int) -> bool:
    return cat < LAIR and bool(rules.is_cat(view, seat, cat))


def _ready_cat(view: Any, seat: int, cat: int, verb: str, again: bool) -> None:
    """Refusal unless the cat can do it now: yours, not knocked out, fresh or used, able to, and within the limit."""
    name = card_id(view, cat)
    if not _own_cat(view, seat, cat):
        raise Refusal("E_CARD", f"{name} is no cat of yours (Y23)")
    if view.knocked[cat]:
        raise Refusal("E_KNOCKED", f"{name} is knocked out for this round (Y50)")
    if cat < CARDS and view.fresh[cat]:
        raise Refusal("E_FRESH", f"{name} was gained in this turn (Y23)")
    if again:
        if int(view.kill_cat) != cat + 1:
            raise Refusal("E_USED", f"no second kill of {name} is open (Y24)")
        return
    if view.used[cat]:
        raise Refusal("E_USED", f"{name} was used in this turn (Y23)")
    can = int(rules.ability(view, cat))
    able = can == {"curiosity": CURIOSITY, "attack": ATTACKING, "copycat": COPYCAT}[verb]
    if not (rules.copies(view, cat) if verb == "copycat" else able):
        raise Refusal("E_ABILITY", f"{name} cannot do that (Y24 to Y27)")
    if verb == "copycat" and not rules.may_copy(view):
        raise Refusal("E_LIMIT", "one copycat or trade in a turn (Y25)")


def _offer(view: Any, card: int, said: dict[str, str]) -> tuple[int, int]:
    """An available card and its side - 1. Refusal E_CARD, E_SIDE."""
    if card >= CARDS or not rules.available(view, card):
        raise Refusal("E_CARD", f"{card_id(view, card)} is not available (Y4)")
    side = SIDES.index(said["side"])
    if not int(view.sides[card]) >> side & 1:
        raise Refusal("E_SIDE", f"{card_id(view, card)} has no {said['side']} side (Y29)")
    return card, side - 1


# Contracts


def _contracts(game: Game, view: Any, seat: int, move: _Typed) -> list[int]:
    """The clauses in their canonical order. Refusals in the specification's: drops, the others, holds, costs."""
    clauses = [clause.split() for clause in move.said.get("clauses", "").split(" , ") if clause]
    drops: list[int] = []
    for verb, word, *_ in clauses:
        if verb == "drop":
            drops.append(_dropped(view, seat, move.cards[word], drops))
    taken: set[int] = set()
    fills: dict[int, list[int]] = {}
    others: dict[str, list[int]] = {"hold": [], "retain": []}
    for verb, word, *rest in clauses:
        if verb == "drop":
            continue
        house = move.cards[word]
        if house >= CARDS or not rules.is_house(view, seat, house):
            raise Refusal("E_CARD", f"{word} is no house of yours (Y40)")
        if view.knocked[house]:
            raise Refusal("E_KNOCKED", f"{word} is knocked out and neither pays nor lapses (Y50)")
        if house in taken:
            raise Refusal("E_TWICE", f"{word} is named twice (Y44 to Y47)")
        taken.add(house)
        if verb in others:
            others[verb].append(house)
            continue
        cats = [move.cards[cat] for cat in rest if cat not in ("with", "+")]
        for cat in cats:
            _serving(view, seat, cat, house, drops, taken)
            taken.add(cat)
        _check_filled(view, seat, verb, house, cats, drops)
        fills[house] = [getattr(ACTIONS, verb).first + house, *(rules.SERVE + cat for cat in sorted(cats))]
    actions = [rules.DROP + cat for cat in sorted(drops)]
    actions += [action for house in sorted(fills) for action in fills[house]]
    actions += [rules.HOLD + house for house in sorted(others["hold"])]
    actions += [rules.RETAIN + house for house in sorted(others["retain"])]
    _check_holds(view, seat, others)
    _check_costs(game, view, seat, actions, len(others["retain"]))
    return [*actions, rules.DONE]


def _dropped(view: Any, seat: int, cat: int, drops: Sequence[int]) -> int:
    name = card_id(view, cat)
    if not _own_cat(view, seat, cat) or cat in drops:
        raise Refusal("E_CARD", f"{name} is no cat of yours, or was dropped already (Y51)")
    if view.knocked[cat]:
        raise Refusal("E_KNOCKED", f"{name} is knocked out and owes nothing (Y50)")
    if cat >= CARDS or not rules.due(view, cat):
        raise Refusal("E_CARD", f"{name} owes no upkeep (Y51)")
    return cat


def _serving(view: Any, seat: int, cat: int, house: int, drops: Sequence[int], taken: set[int]) -> None:
    name = card_id(view, cat)
    if not _own_cat(view, seat, cat) or cat in drops:
        raise Refusal("E_CARD", f"{name} is no cat of yours, or is dropped (Y41)")
    if view.knocked[cat]:
        raise Refusal("E_KNOCKED", f"{name} is knocked out for this round (Y50)")
    if cat in taken:
        raise Refusal("E_TWICE", f"{name} serves two houses; a cat serves one (Y41)")
    if not rules.reaches(view, cat, house):
        raise Refusal("E_FAR", f"{name} raided district {int(view.mark[cat])} and cannot serve so far away (Y52)")


def _check_filled(view: Any, seat: int, verb: str, house: int, cats: Sequence[int], drops: Sequence[int]) -> None:
    balls = int(rules.yarn_balls(view, seat)) - sum(int(rules.ability(view, cat)) == YARN for cat in drops)
    have = sum(int(rules.gives(view, cat, balls)) for cat in cats)
    if not rules.demand_filled(view, house, rules.KEPT if verb == "keep" else rules.TRASHED, have):
        raise Refusal("E_FILL", f"the cats do not fill what {card_id(view, house)} needs to {verb} (Y43)")


def _check_holds(view: Any, seat: int, others: dict[str, list[int]]) -> None:
    if len(others["hold"]) > int(rules.holds_left(view, seat)):
        left = int(rules.holds_left(view, seat))
        raise Refusal("E_HOLD", f"{'no house' if left <= 0 else f'{left} at most'} may be held by you (Y46)")
    if others["retain"] and not view.retain_cost:
        raise Refusal("E_HOLD", "no house can be retained for coins in this game (Y47)")


def _check_costs(game: Game, view: Any, seat: int, actions: Sequence[int], retained: int) -> None:
    after = game.state.copy(view)
    for action in actions:
        rules.write_contract(after, seat, action)
    upkeep, cash = int(rules.upkeep_of(after, seat, CARDS)), int(view.cash[seat])
    if upkeep > cash:
        raise Refusal("E_AMOUNT", f"upkeep is {upkeep}, your cash {cash}; drop more cats (Y51)")
    costs = retained * int(view.retain_cost)
    there = int(rules.balance(after, seat)) + costs
    if costs > there:
        raise Refusal("E_AMOUNT", f"retaining costs {costs}, there will be {there} (Y47)")


# Moves as they are written


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """The words that an action adds to its move; signs stand without a blank (``scratch+persian, trash slink``)."""
    name, indices = ACTIONS.family(action).name, ACTIONS.indices(action)
    if name in ("drop", "keep", "trash", "serve", "hold", "retain", "done"):
        return _clause(view, seat, action, name, indices)
    if name == "amount":
        verb = {rules.BID: "bid", rules.SPEND: "spend", rules.FEED: "feed"}[int(view.phase)]
        return Token(verb, "verb", verb), Token(str(indices[0]), "count", str(indices[0]))
    if name == "pay":
        return Token("pay", "verb", "pay"), Token(str(indices[0]), "count", str(indices[0]))
    if name == "start":
        sides = [SIDE_WORDS[one] for one in indices]
        return Token("start", "verb", "start"), Token(sides[0], "kitten", sides[0]), Token(sides[1], "lair", sides[1])
    if name == "no_bid":
        return (Token("pass", "verb", "pass"),)
    if name == "take_none":
        return Token("take", "verb", "take"), Token("none", "card", "none")
    if name == "again":
        again = Token("again", "again", "again")
        return Token("curiosity", "verb", "curiosity"), _card(view, int(view.kill_cat) - 1), again
    if name in ("gain", "take"):
        card, side = indices[0], SIDES[indices[1] + 1]
        word = "take" if name == "take" else "for"
        return Token(word, "verb", word), _card(view, card), Token(f"as {side}", "side", side)
    if name == "weapon":
        return Token("with", "verb", "with"), _card(view, indices[0])
    if name == "attack":
        whom = int(rules.owner(view, indices[0]))
        return (
            Token("attack", "verb", "attack"),
            Token(written(names[whom]), "seat", str(whom)),
            _card(view, indices[0]),
        )
    return Token(name, "verb", name), _card(view, indices[0])


def _card(view: Any, number: int, glue: bool = False) -> Token:
    name = card_id(view, number)
    return Token(name, "card", name, glue)


def _clause(view: Any, seat: int, action: int, name: str, indices: tuple[int, ...]) -> tuple[Token, ...]:
    begun = bool(int(view.midmove) >> seat & 1)
    verb = Token("contracts", "verb", "contracts")
    if name == "done":
        return () if begun else (verb, Token("none", "verb", "none"))
    card = indices[0]
    if name == "serve" and int(view.latest[seat]) - 1 in ACTIONS.serve:
        return Token("+", "sign", "+", glue=True), _card(view, card, glue=True)
    if name == "serve":
        return Token("with", "verb", "with"), _card(view, card)
    head = (Token(",", "sign", ",", glue=True),) if begun else (verb,)
    return *head, Token(name, "verb", name), _card(view, card)
