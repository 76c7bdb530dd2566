"""Court of the Medici as text: moves, positions, log lines, worked examples."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from backroom.engine.events import Event
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, seats_in
from backroom.engine.names import written
from backroom.engine.notation import Line, Part, Thing, Token, play_on_view, player
from backroom.engine.record import ALL_KNOWING, Viewer, opened
from backroom.engine.refusal import quoted
from backroom.games.medici import rules
from backroom.games.medici.cards import (
    BASE_COPIES,
    FRINGE_COPIES,
    HOUSES,
    INFLUENCE,
    JESTER,
    LADY,
    MINISTER,
    RANK_COUNT,
    RANKS,
    card_text,
    house_of,
    rank_of,
    rank_word,
    read_card,
)  # fmt: skip
from backroom.games.medici.options import MediciOptions
from backroom.games.medici.rules import ACTIONS
from backroom.text.english import does, whose
from backroom.text.examples import Example, Trial, differs, taken
from backroom.text.log import Log, each
from backroom.text.positions import assigned, fields_of, readable, split, wrong

__all__ = [
    "describe", "examples", "move_tokens", "noble", "parse_move", "parse_position", "position", "preview", "question",
]  # fmt: skip

PHASES = {rules.PLAY: "play", rules.GUARD: "guard", rules.SCAPEGOAT: "scapegoat", rules.PUT: "put"}


def stack_name(view: Any, k: int) -> str:
    """A stack's id as it is written, ``S7``."""
    return f"S{int(view.stack_id[k])}"


def cards_of(view: Any, k: int) -> list[int]:
    """The cards of a stack, bottom to top."""
    found: list[int] = view.court[view.stack_start[k] : view.stack_start[k + 1]].tolist()
    return found


# Reading a move

STACK = "s[0-9]+"
CARD = r"(?P<card>\S+)"
AIMED = rf"{CARD} > (?P<onto>{STACK}) x (?P<target>{STACK}|f[a-d])"
VALUES = rf"(?P<values>(?: {STACK} = -?[0-9]+(?: , -?[0-9]+)*)+)"
FORMS = {
    "send": ("play", "send R", CARD),
    "plan": ("play", "plan R", CARD),
    "ally": ("play", "ally R > S, with a stack such as S4,", rf"{CARD} > (?P<onto>{STACK})"),
    "conspire": (
        "play",
        "conspire R > S x T, with stacks such as S4 (T also FB) and then at CARD, j S3=7,1 and nospy if needed,",
        rf"{AIMED}(?: at (?P<at>\S+))?(?: j{VALUES})?(?P<nospy> nospy)?",
    ),
    "put": ("put", "put R", CARD),
    "guard": ("guard", "guard CARD", CARD),
    "noguard": ("guard", "noguard alone", ""),
    "scapegoat": ("scapegoat", "scapegoat CARD", CARD),
    "noscapegoat": ("scapegoat", "noscapegoat alone", ""),
}
"""By the first word of a move: the question it answers, how it is written, and the form of all that follows."""
BASE_CONSPIRE = (
    "play",
    "conspire R > S x T, with stacks such as S4 and then j S3=7,1 if needed,",
    f"{AIMED}(?: j{VALUES})?",
)


def _syntax(text: str, why: str) -> Refusal:
    return Refusal("E_SYNTAX", f"{why} in {quoted(text.strip())}")


def _read_rank(view: Any, word: str, text: str) -> int:
    ranks = RANKS[:13] if view.game == rules.BASE else RANKS
    if word.upper() not in ranks:
        raise _syntax(text, f"{quoted(word)} is no card of this game ({' '.join(ranks)})")
    return ranks.index(word.upper())


def _read_table_card(view: Any, word: str, text: str) -> int:
    card = read_card(word)
    if not card or house_of(card) >= view.seats:
        raise _syntax(text, f"{quoted(word)} is no card of a house here; on the table a card is house and rank, as B9")
    _read_rank(view, word[1:], text)
    return card


def _number(digits: str) -> int:
    """A whole number as typed, with zeros before it or not; what is too long for any here is none: -1."""
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) < 10 else -1


def _read_move(view: Any, text: str) -> tuple[str, str, dict[str, Any]]:
    """The verb of a typed move, the question it answers and its other words. Refusal E_SYNTAX: none of this game.

    ``card`` and ``at`` are read already, ``house`` is that of a fringe card that is the target, -1: it is a stack.
    """
    words = re.findall(r"[^\s,=>]+|[,=>]", text)
    verb, base = words[0].lower() if words else "", view.game == rules.BASE
    if verb not in FORMS:
        raise _syntax(text, "send R, ally R > S, plan R or conspire R > S x T is expected, or an answer")
    asked, written, pattern = BASE_CONSPIRE if base and verb == "conspire" else FORMS[verb]
    if base and asked != "play":
        raise _syntax(text, f"there is no {verb} in the 2-player game")
    found = re.fullmatch(pattern, " ".join(words[1:]), re.ASCII | re.IGNORECASE)
    if found is None:
        raise _syntax(text, f"{written} is expected")
    said: dict[str, Any] = {"house": -1} | found.groupdict()
    if said.get("card"):
        read = _read_table_card if asked in ("guard", "scapegoat") else _read_rank
        said["card"] = read(view, said["card"], text)
    if said.get("at"):
        said["at"] = _read_table_card(view, said["at"], text)
    target = said.get("target", "")
    if target[:1] in ("F", "f"):
        said["house"] = HOUSES.index(target[1].upper())
        if base or said["house"] >= view.seats:
            raise _syntax(text, f"there is no fringe card {target} in this game")
    return verb, asked, said


# Holding it against the position


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """The actions of a typed move. Refusals with the codes of section 6, the first fitting one."""
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    verb, answers, said = _read_move(view, text)
    if not int(view.acting) >> seat & 1:
        raise Refusal("E_TURN", f"{names[seats_in(int(view.acting))[0]]} must decide now")
    asked = PHASES[int(view.phase)]
    if answers != asked:
        raise Refusal("E_PHASE", f"{verb} does not answer the question; asked is {asked}")
    if asked == "play":
        return _play(game, view, seat, verb, said)
    action: int = getattr(ACTIONS, verb).first
    if verb == "put":
        _need_card(view, seat, said["card"])
        return [action + said["card"]]
    if "card" in said:
        action += said["card"] - 1
        if action not in game.legal(view, seat):
            code = "E_GUARD" if verb == "guard" else "E_SCAPE"
            raise Refusal(code, f"{card_text(said['card'])} cannot be saved so")
    return [action]


def _need_card(view: Any, seat: int, rank: int) -> None:
    if not view.hand[seat, rank]:
        raise Refusal("E_CARD", f"you hold no {RANKS[rank]}")


def _need_stack(view: Any, word: str) -> int:
    k = int(rules.find_stack(view, _number(word[1:])))
    if k < 0:
        raise Refusal("E_STACK", f"there is no stack {quoted(word)}")
    return k


def _play(game: Game, view: Any, seat: int, verb: str, said: dict[str, Any]) -> list[int]:
    rank, house = said["card"], said["house"]
    onto = _need_stack(view, said["onto"]) if "onto" in said else -1
    target = _need_stack(view, said["target"]) if "target" in said and house < 0 else -1
    if house >= 0 and not view.fringe_up[house]:
        raise Refusal("E_FRINGE", f"house {HOUSES[house]} has no face-up fringe card")
    if verb == "conspire" and target == onto:
        raise Refusal("E_TARGET", "a conspiracy cannot be its own target")
    if verb == "plan" and not rules.has_deck(view, seat):
        raise Refusal("E_PLAN", "there is no deck to plan into")
    _need_card(view, seat, rank)
    if not rules.within_limit(view, seat, rank):
        raise Refusal("E_LIMIT", f"a {RANKS[rank]} is above your limit of {int(view.limit[seat])}")
    actions = [getattr(ACTIONS, verb).first + rank, *([rules.ONTO + onto] if onto >= 0 else [])]
    if verb != "conspire":
        return actions
    actions.append(rules.TARGET + target if house < 0 else rules.TARGET_FRINGE + house)
    return _conspire(game, view, seat, said, actions, (onto, target))


def _conspire(
    game: Game, view: Any, seat: int, said: dict[str, Any], actions: list[int], stacks: tuple[int, int]
) -> list[int]:
    """The actions with what the move names besides. Refusal where the conspiracy would not succeed so."""
    named = _values(view, seat, said, stacks)
    state = _prepared(view, [*actions, *named])
    value, against, spy, real, parts = worth(state, seat)
    nospy = bool(said.get("nospy"))
    if nospy and (not spy or real):
        raise Refusal("E_NOSPY", "nospy needs your own Spy there, and that you lack real control")
    if value != against if state.game == rules.BASE else value <= against:
        rule = "equal" if state.game == rules.BASE else "lower"
        raise Refusal("E_VALUE", f"the conspiracy is worth {value}, the target {against}; it must be {rule}")
    at = said.get("at") or 0
    controlled = real or (spy and not nospy)
    if at and (controlled or said["house"] >= 0):
        raise Refusal("E_AT", "no noble is singled out here")
    if at and int(rules.position_in(state, stacks[1], at)) < 0:
        raise Refusal("E_AT", f"{card_text(at)} is not in the target")
    if parts and not controlled:
        if not at:
            raise Refusal("E_AT", "you do not control the conspiracy: single out one noble with at CARD")
        actions = [*actions, rules.SINGLE_OUT + at - 1]
    return _finished(game, view, seat, [*actions, *named], rules.NOSPY if nospy else rules.DONE)


def _values(view: Any, seat: int, said: dict[str, Any], stacks: tuple[int, int]) -> list[int]:
    """The actions that name the Jesters' values: first the conspiracy's, then the target's. Refusal E_JESTER."""
    found: dict[int, list[int]] = {}
    for stack, typed in re.findall(rf"({STACK}) = ([-0-9 ,]+)", said.get("values") or "", re.IGNORECASE):
        k = int(rules.find_stack(view, _number(stack[1:])))
        if k < 0 or k not in stacks or k in found:
            raise Refusal("E_JESTER", f"j names stacks of this conspiracy, each once; not {quoted(stack)}")
        words = typed.replace(",", " ").split()
        plays = k == stacks[0] and said["card"] == JESTER
        count = int(view.stack_jesters[k]) + plays
        if len(words) != count:
            raise Refusal("E_JESTER", f"Jesters in {stack}: {count}; values named: {', '.join(words)}")
        found[k] = [_number(word) if word[0] != "-" else -1 for word in words]
        for value, word in zip(found[k], words, strict=True):
            if not 1 <= value <= 10:
                raise Refusal("E_JESTER", f"a Jester's value is 1 to 10, not {quoted(word)}")
        if plays and found[k][-1] > int(rules.played_top(view, seat, JESTER)):
            raise Refusal(
                "E_JESTER",
                f"a Jester you play may not be named {quoted(words[-1])}, above your limit of {int(view.limit[seat])}",
            )
    return [rules.JESTER_VALUE + 10 * which + value - 1 for which, k in enumerate(stacks) for value in found.get(k, ())]


def _finished(game: Game, view: Any, seat: int, actions: list[int], last: int) -> list[int]:
    """The actions with the last one, which ends the move where it does not end by itself."""
    after = view
    for action in [*actions, last]:
        if action == last and not int(after.midmove) >> seat & 1:
            return actions
        if action not in game.legal(after, seat):
            raise Refusal("E_VALUE", "such a conspiracy cannot succeed")
        after = play_on_view(game, after, seat, action)
    return [*actions, last]


class Worth(NamedTuple):
    """A conspiracy in preparation: its value, the target's, whether the seat has its Spy in it, and control of it.

    ``parts`` says whether the target has several nobles, of whom one is struck where there is no control.
    """

    value: int
    against: int
    spy: bool
    control: bool
    parts: bool


def worth(state: Any, seat: int) -> Worth:
    """What such a conspiracy is worth. Jesters that are not named count 10 in it and 1 in the target."""
    _, highs, counts, spy, _, _ = rules.values(state, seat, 0)
    against = int(rules.target_range(state)[0]) if state.target or state.target_fringe else 0
    control = rules.can_control(state, seat, highs, highs, counts, -1)
    return Worth(int(rules.total(highs)), against, bool(spy), bool(control), bool(rules.wants_single(state)))


def controller(view: Any, seat: int, k: int, rank: int, values: Iterable[int], struck: bool = False) -> int:
    """The house that controls a stack with these values of its Jesters, bottom to top (M40 to M43); -1: nobody.

    With a rank that is not -1 the seat's card of that rank lies on top. A Spy counts as a defender only in a stack that
    is ``struck``, a conspiracy's target (M44).
    """
    state, named = opened(view), list(values)
    changed = ["naming", "named"]
    if rank >= 0:
        changed += ["court", "stack_start", "stack_length", "stack_value", "stack_jesters"]
    for name in changed:
        setattr(state, name, getattr(state, name).copy())
    if rank >= 0:
        rules.put_on_top(state, k, rules.card_of(seat, rank))
    if not struck:
        state.spy_defends = 0
    state.target, state.naming[1] = k + 1, len(named)
    state.named[1, : len(named)] = named
    return int(rules.controller_of_target(state))


# Writing a move


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """The tokens an action adds: verb and card, ``> S4``, ``x S7``, ``at B9``, ``j S4=7,1``, ``nospy``."""
    name, indices = ACTIONS.family(action).name, ACTIONS.indices(action)
    if name == "done":
        return ()
    if name == "jester":
        return _jester_tokens(view, *indices)
    if name in ("onto", "target"):
        sign, kind = (">", "stack") if name == "onto" else ("x", "target")
        stack = stack_name(view, indices[0])
        return (Token(f"{sign} {stack}", kind, stack),)
    if name == "target_fringe":
        house = HOUSES[indices[0]]
        return (Token(f"x F{house}", "fringe", house),)
    verb = Token(name, "verb", name)
    if len(indices) == 2:
        card = card_text(indices[0] * RANK_COUNT + indices[1] + 1)
        return (Token(f"at {card}", "noble", card),) if name == "single" else (verb, Token(card, "noble", card))
    return verb, *(Token(RANKS[rank], "card", RANKS[rank]) for rank in indices)


def _jester_tokens(view: Any, which: int, value: int) -> tuple[Token, ...]:
    number = Token(str(value + 1), "value", str(value + 1), glue=True)
    if view.naming[which]:
        return Token(",", "sign", ",", glue=True), number
    stack = stack_name(view, int(view.onto if which == 0 else view.target) - 1)
    head = (Token(stack, "stack", stack), Token("=", "sign", "=", glue=True), number)
    return head if which == 1 and view.naming[0] else (Token("j", "verb", "j"), *head)


def question(view: Any, seat: int) -> str:
    """``play``, ``guard``, ``scapegoat`` or ``put`` for the seat that must decide, else empty."""
    return "" if view.over or not int(view.acting) >> seat & 1 else PHASES[int(view.phase)]


def _prepared(view: Any, actions: Sequence[int]) -> Any:
    """The view with a conspiracy's clauses filled in and its Jesters' values settled, but not declared."""
    state = rules.STATE.copy(view)
    for action in actions:
        family, (index, *more) = ACTIONS.family(action).name, (*ACTIONS.indices(action), 0)
        if family == "conspire":
            state.use, state.played = rules.CONSPIRE, index + 1
        elif family in ("onto", "target", "target_fringe"):
            state[family] = index + 1
        elif family == "single":
            state.single = int(rules.position_in(state, int(state.target) - 1, action - rules.SINGLE_OUT + 1)) + 1
        elif family == "jester":
            state.named[index, int(state.naming[index])] = more[0] + 1
            state.naming[index] += 1
    return state


def noble(card: int, reader: int, names: Sequence[str], start: bool = False) -> str:
    """A card on the table as it is said to the reader's seat: ``Cleo’s 6``, ``your Jester``; ``start``: see `whose`."""
    return f"{whose(house_of(card), reader, names, start)} {rank_word(rank_of(card))}"


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """What the move will do, up to the reactions of others and the cards that will be drawn."""
    if not actions:
        return _asked(view)
    verb, indices = ACTIONS.family(actions[0]).name, ACTIONS.indices(actions[0])
    if verb == "send":
        return f"Your {rank_word(indices[0])} goes to the Outer Court as a lone noble on your side."
    if verb == "plan":
        return f"Your {rank_word(indices[0])} goes face down under your deck."
    if verb == "put":
        return f"Your {rank_word(indices[0])} is your next fringe card, order value {INFLUENCE[indices[0]]}."
    if verb == "ally":
        return _preview_ally(view, seat, indices[0], actions[1:], names)
    if verb == "conspire":
        return _preview_conspiracy(game, view, seat, actions, names)
    if verb in ("guard", "scapegoat"):
        saved = noble(indices[0] * RANK_COUNT + indices[1] + 1, seat, names)
        price = "your Bodyguard goes to the discards" if verb == "guard" else "your fringe card goes to the discards"
        return f"{saved[0].upper()}{saved[1:]} is saved; {price}."
    return "Nothing is saved."


def _asked(view: Any) -> str:
    return {
        rules.PLAY: "Play one card: send, ally, conspire or plan.",
        rules.GUARD: "Your Bodyguard can save a noble.",
        rules.SCAPEGOAT: "Your fringe card can take a noble’s place.",
        rules.PUT: "Put one card face down on your deck: your next fringe card.",
    }.get(int(view.phase), "")


def _preview_ally(view: Any, seat: int, rank: int, rest: Sequence[int], names: Sequence[str]) -> str:
    if not rest:
        return f"Your {rank_word(rank)} joins a stack."
    k = ACTIONS.indices(rest[0])[0]
    stack, count = stack_name(view, k), int(view.stack_length[k])
    if rank == LADY:
        return f"The Lady separates {stack}: {count + 1} lone nobles."
    if rank == MINISTER and count > 1:
        return f"The Minister eliminates all {count} nobles of {stack} and stays alone."
    text = f"{stack} will be worth {int(view.stack_value[k]) + INFLUENCE[rank]}"
    if view.game == rules.BASE:
        return f"{text}."
    jesters = int(view.stack_jesters[k]) + (rank == JESTER)
    house = controller(view, seat, k, rank, [1] * jesters)
    who = does(house, seat, names, "control") if house >= 0 else "nobody controls"
    return f"{text}, and {who} it."


def _preview_conspiracy(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    state = _prepared(view, actions)
    text = f"Your {rank_word(int(state.played) - 1)} conspires"
    if not state.onto:
        return f"{text}: choose the stack it joins."
    onto = stack_name(view, int(state.onto) - 1)
    value, against, spy, control, _ = worth(state, seat)
    if not state.target and not state.target_fringe:
        return f"{text} with {onto}, {value} in all: choose its target."
    text = f"{value} {'equals' if value == against else 'beats' if value > against else 'is less than'} {against}"
    if state.target_fringe:
        house = int(state.target_fringe) - 1
        card = rank_word(int(view.fringe_up[house]) - 1)
        return f"{text}: {whose(house, seat, names)} fringe card, the {card}, is discarded."
    k = int(state.target) - 1
    target = stack_name(view, k)
    if state.game == rules.BASE:
        too = " and of every other stack worth as much" if state.base_conspire == rules.CONSPIRE_ALL else ""
        return f"{text}: all of {target}{too} is discarded."
    if control or (spy and rules.NOSPY not in actions):
        rule = f"and you control {onto}" if control else f"and your Spy rules {onto}"
        saved = _saved(game, view, seat, actions, "one of them")
        promoted = not view.stack_side[k] and view.stack_side[int(state.onto) - 1]
        enters = f"; {onto} enters the Inner Circle" if promoted else ""
        return f"{text}, {rule}: {_whole_hit(state, seat, names)}{saved}{enters}."
    single = cards_of(view, k)[max(int(state.single) - 1, 0)]
    named = bool(state.single) or int(view.stack_length[k]) == 1
    struck = noble(single, seat, names) if named else f"one noble of {target} that you choose"
    fate = "is discarded"
    if not view.stack_side[k]:
        side = f"{whose(house_of(single), seat, names)} side" if named else "its owner’s side"
        fate = f"goes alone to the Outer Court, {side}"
    return f"{text}, but you do not control {onto}: {struck} {fate}{_saved(game, view, seat, actions, 'it')}."


def _whole_hit(state: Any, seat: int, names: Sequence[str]) -> str:
    target = stack_name(state, int(state.target) - 1)
    if state.stack_side[int(state.target) - 1]:
        return f"all of {target} is discarded"
    controller = int(rules.controller_of_target(state))
    if controller < 0:
        return f"nobody controls {target}, so it falls apart in the Outer Court"
    return f"all of {target} goes to the Outer Court, {whose(controller, seat, names)} side"


def _saved(game: Game, view: Any, seat: int, actions: Sequence[int], what: str) -> str:
    """The seats that may react to the complete move, in order; this follows from public cards (M04)."""
    state = view
    for action in actions:
        state = play_on_view(game, state, seat, action)
    who = []
    if state.phase == rules.GUARD:
        who.append("a Bodyguard")
    while state.phase == rules.GUARD:
        state = play_on_view(game, state, seats_in(int(state.acting))[0], rules.NOGUARD)
    if state.phase == rules.SCAPEGOAT:
        who.append("a scapegoat")
    return f", unless {' or '.join(who)} saves {what}" if who else ""


# Log


def _thing(card: int) -> Thing:
    return Thing("card", card_text(card), card_text(card))


def _conspired(e: Event) -> str:
    value, against = e.args["values"]
    target = "{fringe}'s fringe card" if e.args["fringe"] else "S{target}"
    return f"{{seat}} conspired|: {{card}} on S{{stack}}, {value} against {target}, {against}."


def _revealed(e: Event) -> str:
    return f"Fringe cards: {', '.join(f'{{house:{p}}} {{card:{card}}}' for p, card in enumerate(e.args['cards']))}."


def _card(card: int | None, names: Sequence[str]) -> Part:
    return _thing(card) if card else "a card" if card is None else "none"


def _cards(cards: Sequence[int] | None, names: Sequence[str]) -> Sequence[Part]:
    return [part for card in cards for part in (" ", _thing(card))][1:] if cards else ("a card",)


LOG = Log(
    {
        "order": ("M32", "Order of this round: {seats}."),
        "revealed": ("M31", _revealed),
        "sent": ("M12", "{seat} sent {card} to court|, S{stack}."),
        "allied": ("M13", "{seat} allied {card}| with S{stack}."),
        "separated": ("M14", "The Lady separated {cards}."),
        "eliminated": ("M15", "The Minister eliminated {cards}."),
        "planned": ("M16", "{seat} planned {card}| for the future."),
        "conspired": ("M50", _conspired),
        "singled": ("M58", "{seat} <lacks/lack> control and singled out {card}."),
        "demoted": ("M56", "{cards} left S{stack} for the Outer Court, {side}'s side."),
        "disbanded": ("M57", "S{stack} was disbanded: {cards}."),
        "discarded": ("M59", "Discarded: {cards}."),
        "promoted": ("M55", "S{stack} entered the Inner Circle."),
        "fringe_hit": ("M61", "{house}'s fringe card {card} was discarded."),
        "fringe_refilled": ("M61", "{seat}'s next fringe card is {card}."),
        "guarded": ("M65", "{seat}'s Bodyguard saved {card}."),
        "scapegoat": ("M67", "{seat} saved {card} by a scapegoat|, {spent}."),
        "drew": ("M35", "{seat} drew {cards}."),
        "put": ("M35", "{seat} put {card} on the deck|, the next fringe card."),
        "last_card": ("M70", "{seat}'s last card is {card}; limit {limit} from now on."),
        "stuck": ("M80", "{seat} can play no card."),
        "ended": ("M82", "The game is over: {reason}. {scores}."),
    },
    follows=lambda e: (
        e.kind not in ("sent", "allied", "planned", "conspired", "guarded", "scapegoat", "stuck", "ended")
    ),
    card=_card,
    spent=_card,
    cards=_cards,
    house=player,
    fringe=lambda fringe, names: player(fringe - 1, names),
    side=lambda side, names: player(side - 1, names),
    seats=lambda seats, names: [part for seat in seats for part in (", ", player(seat, names))][1:],
    reason=lambda reason, names: " and ".join(text for bit, text in rules.ENDINGS.items() if reason & bit),
    scores=lambda scores, names: each(map(str, scores), names),
)


BASE_RULES = {"drew": "M21", "last_card": "M26", "stuck": "M27", "conspired": "M23", "discarded": "M23"}
"""Where the game for two has a rule of its own."""


def _rule(event: Event, players: int) -> str:
    """The rule an event follows in the game for two, or in an attack on one noble; else empty: that of its line."""
    kind = event.kind
    if players == 2:
        if kind == "ended":
            return "M25" if event.args["reason"] & rules.BY_EMPTY_HOUSE else "M27"
        return BASE_RULES.get(kind, "")
    if kind == "singled":
        return "M60" if event.args["side"] != rules.INNER else "M58"
    if kind in ("demoted", "discarded") and event.args["single"]:
        return "M58" if kind == "demoted" else "M60"
    return ""


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    """A line for each event; a card its viewer may not know is ``a card``."""
    if event.kind in ("disbanded", "discarded", "demoted") and not event.args["cards"]:
        return None
    line, special = LOG.describe(event, names, viewer), _rule(event, len(names))
    return replace(line, rule=special) if line and special else line


# Positions

ATTACKS = {
    rules.DEMOTE_ALL: "demote_all", rules.DISCARD_ALL: "discard_all",
    rules.DEMOTE_ONE: "demote_one", rules.DISCARD_ONE: "discard_one",
}  # fmt: skip


def _ranks(cards: Iterable[int]) -> str:
    return ",".join(RANKS[rank] for rank in cards) or "-"


def _counts(row: Any) -> str:
    return _ranks(rank for rank in range(RANK_COUNT) for _ in range(int(row[rank])))


def _fringe_text(state: Any, p: int, hidden: bool) -> str:
    place = int(state.fringe_place[p])
    if place == rules.FACE_DOWN:
        return "(?)" if hidden else f"({RANKS[int(state.fringe_down[p]) - 1]})"
    if place == rules.NO_FRINGE:
        return "-"
    return RANKS[int(state.fringe_up[p]) - 1] + ("*" if place == rules.PERMANENT else "")


def _deck(state: Any, p: int) -> list[int]:
    """The deck's ranks, top first."""
    return [int(card) - 1 for card in state.deck[p, : int(state.deck_size[p])][::-1]]


def zone_text(state: Any, inner: bool) -> str:
    """The stacks of a zone as they are written: ``S1[A4 B6]``, in the Outer Court with their side."""
    found = []
    for k in range(int(state.stacks)):
        side = int(state.stack_side[k])
        if (side == rules.INNER) == inner:
            cards = " ".join(card_text(card) for card in cards_of(state, k))
            found.append(f"{stack_name(state, k)}[{cards}]" + ("" if inner else f"@{HOUSES[side - 1]}"))
    return " ".join(found)


def _player_text(state: Any, p: int, viewer: Viewer) -> str:
    hidden = viewer not in (ALL_KNOWING, p)
    hand = f"?{int(state.hand_size[p])}" if hidden else _counts(state.hand[p])
    planned = int(state.bottom_size[p])
    if viewer is ALL_KNOWING:
        deck = _ranks(_deck(state, p))
    else:
        known = [] if hidden else [RANKS[int(card) - 1] for card in state.bottom[p, :planned][::-1]]
        deck = ",".join([f"?{int(state.deck_size[p]) - len(known)}", *known])
    limit = "none" if state.limit[p] == rules.NO_LIMIT else str(int(state.limit[p]))
    text = f"{HOUSES[p]} hand={hand} fringe={_fringe_text(state, p, hidden)} deck={deck}"
    text += f" disc={_counts(state.discard[p])} limit={limit}"
    if planned:
        text += f" planned={planned}"
    seen, drawn = _counts(state.known[p]), "-"
    if not hidden:
        drawn = _ranks(int(card) - 1 for card in state.drawn[p] if card)
    text += f" known={seen}" if seen != "-" else ""
    return f"{text} drawn={drawn}" if drawn != "-" else text


def position(state: Any, names: Sequence[str], viewer: Viewer) -> str:
    """One line: the statements of the examples' positions, all fields given, and what else a position needs.

    Cards that are hidden from the viewer are counted: ``hand=?5``.
    """
    state = opened(state)
    n = state.seats
    order = [HOUSES[seat] for seat in state.order[:n].tolist()]
    parts = [_options_text(state), f"names {' '.join(map(written, names))}", f"IC {zone_text(state, True)}".strip()]
    parts += [f"OC {zone_text(state, False)}".strip()]
    parts += [_player_text(state, p, viewer) for p in range(n)]
    parts += [f"order {' '.join(order)}", f"turn {order[int(state.step)] if state.step < n else order[-1]}"]
    parts.append(f"count {int(state.turn)} {int(state.next_id)} {HOUSES[int(state.first)]} {int(state.step)}")
    if state.stuck:
        parts.append(f"stuck {' '.join(HOUSES[p] for p in seats_in(int(state.stuck)))}")
    if state.over:
        parts.append(f"over {int(state.ending)}")
    elif state.phase != rules.PLAY:
        asked = HOUSES[seats_in(int(state.acting))[0]]
        parts.append(f"phase {PHASES[int(state.phase)]} {asked}")
    if state.attack:
        parts.append(_attack_text(state))
    return " ; ".join(parts)


def _attack_text(state: Any) -> str:
    k = int(state.target) - 1
    marks = ",".join(str(int(mark)) for mark in state.mark[: int(state.stack_length[k])])
    controller = HOUSES[int(state.target_controller) - 1] if state.target_controller else "-"
    owners = "".join(HOUSES[p] for p in seats_in(int(state.asked))) or "-"
    onto = stack_name(state, int(state.onto) - 1)
    return (
        f"attack {ATTACKS[int(state.attack)]} {onto} {stack_name(state, k)} "
        f"single={int(state.single)} controller={controller} asked={owners} marks={marks} "
        f"worth={int(state.worth[0])},{int(state.worth[1])}"
    )


def _options_text(state: Any) -> str:
    words = [f"opt game={'fringe' if state.game == rules.FRINGE else 'base'} players={int(state.seats)}"]
    words += [f"{name}={str(value).lower()}" for name, value in MediciOptions.changed(state).items()]
    return " ".join(words)


# Reading positions: the statements are shared with the worked examples

EXAMPLE_DEFAULTS: dict[int, list[dict[str, str]]] = {
    rules.FRINGE: [
        {"fringe": "8", "deck": "3,4,6"},
        *({"hand": "2,4", "fringe": fringe, "deck": "3,8,10"} for fringe in ("7", "6", "5")),
    ],
    rules.BASE: [{"deck": "3,6"}, {"hand": "2,8", "deck": "4,5"}],
}
STATEMENTS = (
    "opt", "names", "ic", "oc", "a", "b", "c", "d", "order", "turn", "coin", "start", "count", "stuck", "over", "phase",
    "attack",
)  # fmt: skip


def parse_position(game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the names from a line of statements. Refusal E_POSITION or E_SETUP says what is wrong."""
    state, names, _ = read_position(game, [part for part in split(text, ";", 1) if part])
    return state, names


def read_position(game: Game, statements: Sequence[str]) -> tuple[Any, tuple[str, ...], list[int]]:
    """A state, the names and the coin's ranking from position statements (section 8)."""
    found = fields_of(statements, STATEMENTS)
    seats, options = _read_options(found.get("opt", ""))
    names = tuple(found["names"].split()) if "names" in found else tuple(HOUSES[:seats])
    if len(names) != seats:
        raise Refusal("E_SETUP", f"{len(names)} names for {seats} players")
    state = game.blank(options, names)
    state.next_id, state.limit[:seats] = 1, rules.NO_LIMIT
    with readable("a value", " ; ".join(statements)):
        coin = [HOUSES.index(word.upper()) for word in found.get("coin", "").split()]
        absent = [house for house in HOUSES[seats:] if house.lower() in found]
        if absent:
            raise wrong(f"there is no player {absent[0]} in this game", f"{absent[0]} {found[absent[0].lower()]}")
        if "start" in found:
            _start(state, found, coin)
        else:
            _fill(state, found, coin)
    return state, names, coin


def _read_options(text: str) -> tuple[int, MediciOptions]:
    given: dict[str, Any] = _fields(text)
    # The seed of all chance is the match's, not the position's.
    given.pop("seed", None)
    game = given.pop("game", "fringe")
    players = str(given.pop("players", "2" if game == "base" else "3"))
    if game not in ("base", "fringe") or players not in (("2",) if game == "base" else ("3", "4")):
        raise Refusal("E_SETUP", f"game={game} players={players}: base is for 2 players, fringe for 3 or 4")
    return int(players), MediciOptions.build(given | {"game": game})


def _list(text: str) -> list[int]:
    return [] if text in ("-", "") else [RANKS.index(word.upper()) for word in text.split(",")]


def _fields(text: str) -> dict[str, str]:
    return assigned(text.split())


def _start(state: Any, found: dict[str, str], coin: Sequence[int]) -> None:
    for p in range(int(state.seats)):
        fields = _fields(found.get(HOUSES[p].lower(), ""))
        cards = [*_list(fields.pop("ic", "")), *_list(fields.pop("deck", ""))]
        if fields or len(cards) < 9:
            raise wrong("start needs ic= and deck= with enough cards", found.get(HOUSES[p].lower()))
        _set_deck(state, p, cards)
        for rank in cards:
            state.in_game[p, rank] += 1
    rules.deal(state, _coin_log(state, coin))


def _coin_log(state: Any, coin: Sequence[int]) -> Any:
    """A log for the next decision, its chance scripted by the coin."""
    log = rules.EVENTS.new_log(recording=False)
    rules.EVENTS.write_script(log, coin_script(state, coin))
    return log


def coin_script(state: Any, coin: Sequence[int]) -> list[tuple[int, list[int]]]:
    """The scripted chance of a coin that ranks tied players."""
    if not coin:
        return []
    if state.game == rules.BASE:
        return [(rules.FIRST, [coin[0]])]
    return [(rules.ORDER, [*coin, *(p for p in range(int(state.seats)) if p not in coin)])]


def _set_deck(state: Any, p: int, top_first: Sequence[int]) -> None:
    state.deck[p, : len(top_first)] = [rank + 1 for rank in reversed(top_first)]
    state.deck_size[p] = len(top_first)


def _fill(state: Any, found: dict[str, str], coin: Sequence[int]) -> None:
    n = int(state.seats)
    _read_zone(state, found.get("ic", ""), found.get("oc", ""))
    for p in range(n):
        fields = _fields(found.get(HOUSES[p].lower(), ""))
        if fields.get("fringe", "").endswith("*"):
            fields.setdefault("deck", "-")
        _read_player(state, p, EXAMPLE_DEFAULTS[int(state.game)][p] | fields)
    order = [HOUSES.index(word) for word in found.get("order", " ".join(HOUSES[:n])).split()]
    if sorted(order) != list(range(n)):
        raise wrong("the order names every player once", found.get("order"))
    state.order[:n] = order
    state.first = order[0]
    state.step = order.index(HOUSES.index(found.get("turn", HOUSES[order[0]])))
    state.phase, state.turn = rules.PLAY, int(state.step) + 1
    state.acting = 1 << order[int(state.step)]
    if "count" in found:
        turn, following, first, step = found["count"].split()
        state.turn, state.next_id = int(turn), int(following)
        state.first, state.step = HOUSES.index(first), int(step)
    for word in found.get("stuck", "").split():
        state.stuck = int(state.stuck) | 1 << HOUSES.index(word)
    if "phase" in found:
        asked, who = found["phase"].split()
        state.phase = next(number for number, name in PHASES.items() if name == asked)
        state.acting = 1 << HOUSES.index(who)
    if "attack" in found:
        _read_attack(state, found["attack"])
    if "over" in found:
        state.ending = int(found["over"])
        state.over = CAPPED if state.ending == rules.BY_CAP else FINISHED
        state.acting, state.phase = 0, 0
    _check_copies(state)
    if state.phase == rules.PLAY and not rules.can_play(state, order[int(state.step)]):
        # His turn has come and he can play no card: he is stuck (M80), or the game is over (M27).
        log = _coin_log(state, coin)
        state.turn -= 1
        rules.next_turn(state, log)
        if state.ending:
            rules.finish(state, log)


def _read_zone(state: Any, inner: str, outer: str) -> None:
    pattern = re.compile(r"S([0-9]{1,4})\[([^\]]+)\](?:@([A-D]))?", re.ASCII)
    stacks = []
    for text, where in ((inner, "IC"), (outer, "OC")):
        found = pattern.findall(text)
        if pattern.sub("", text).strip():
            raise wrong("stacks are written S1[A4 B6], in the Outer Court with @A", text)
        for number, cards, side in found:
            if bool(side) != (where == "OC"):
                raise wrong("only stacks of the Outer Court have a side", text)
            stacks.append((int(number), cards.split(), HOUSES.index(side) + 1 if side else 0))
    for number, cards, side in sorted(stacks):
        numbers = [read_card(card) for card in cards]
        if not all(0 < card <= state.seats * RANK_COUNT for card in numbers) or side > state.seats:
            raise wrong("a card on the table is house and rank, as B9, of a house that plays", inner + outer)
        if number < state.next_id:
            raise wrong(f"S{number} stands twice", inner + outer)
        state.next_id = number
        k = rules.new_stack(state, numbers[0], side)
        for card in numbers[1:]:
            rules.put_on_top(state, k, card)


def _read_player(state: Any, p: int, fields: dict[str, str]) -> None:
    unknown = set(fields) - {"hand", "fringe", "deck", "disc", "limit", "planned", "known", "drawn"}
    if unknown:
        raise wrong(f"no field {sorted(unknown)[0]!r} of a player", " ".join(fields))
    for rank in _list(fields.get("hand", "-")):
        rules.into_hand(state, p, rank)
    for name, row in (("disc", state.discard), ("known", state.known)):
        for rank in _list(fields.get(name, "-")):
            row[p, rank] += 1
    for place, rank in enumerate(_list(fields.get("drawn", "-"))):
        state.drawn[p, place] = rank + 1
    deck = _list(fields.get("deck", "-"))
    _set_deck(state, p, deck)
    planned = int(fields.get("planned", "0"))
    state.bottom_size[p] = planned
    state.bottom[p, :planned] = state.deck[p, :planned]
    fringe = fields.get("fringe", "-")
    if fringe.startswith("("):
        state.fringe_down[p] = RANKS.index(fringe.strip("()").upper()) + 1
        state.fringe_place[p] = rules.FACE_DOWN
    elif fringe != "-":
        state.fringe_up[p] = RANKS.index(fringe.rstrip("*").upper()) + 1
        state.fringe_place[p] = rules.PERMANENT if fringe.endswith("*") else rules.FACE_UP
    limit = fields.get("limit", "none")
    state.limit[p] = rules.NO_LIMIT if limit == "none" else int(limit)


def _read_attack(state: Any, text: str) -> None:
    kind, onto, target, *rest = text.split()
    fields = _fields(" ".join(rest))
    state.attack = next(number for number, name in ATTACKS.items() if name == kind)
    state.onto = int(rules.find_stack(state, int(onto[1:]))) + 1
    state.target = int(rules.find_stack(state, int(target[1:]))) + 1
    if not state.onto or not state.target:
        raise wrong("no such stack", text)
    state.single = int(fields["single"])
    state.target_controller = 0 if fields["controller"] == "-" else HOUSES.index(fields["controller"]) + 1
    for letter in fields["asked"].strip("-"):
        state.asked = int(state.asked) | 1 << HOUSES.index(letter)
    for i, mark in enumerate(fields["marks"].split(",")):
        state.mark[i] = int(mark)
    # A line that does not say what Jesters were named has them unnamed (M06).
    unnamed = f"{int(rules.highest(state, int(state.onto) - 1))},{int(state.stack_value[int(state.target) - 1])}"
    state.worth[:] = [int(value) for value in fields.get("worth", unnamed).split(",")]


def _check_copies(state: Any) -> None:
    """Count what is in the game; no house has more copies of a card than the box holds."""
    copies = BASE_COPIES if state.game == rules.BASE else FRINGE_COPIES
    for p in range(int(state.seats)):
        at_court = [rank_of(card) + 1 for card in state.court.tolist() if card and house_of(card) == p]
        cards = [*state.deck[p].tolist(), int(state.fringe_up[p]), int(state.fringe_down[p]), *at_court]
        for rank in range(RANK_COUNT):
            count = int(state.hand[p, rank]) + int(state.discard[p, rank]) + cards.count(rank + 1)
            state.in_game[p, rank] = count
            if count > copies[rank]:
                raise wrong(f"{count} copies where the box holds {copies[rank]}", f"{HOUSES[p]}{RANKS[rank]}")


# Worked examples (section 8)

CHECKS = ("do", "err", "ask", "is", "going", "end")


def examples(game: Game, text: str) -> Iterable[Example]:
    """The examples of section 8: ``ex`` with id and title, position statements, then moves and checks."""
    blocks: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.split()[:1] == ["ex"] and len(line.split()) > 1:
            blocks.append((line.split()[1], []))
        elif blocks:
            blocks[-1][1].extend(part for part in split(line, ";", 1) if part)
        elif line.strip():
            return
    for name, statements in blocks:
        yield Example(name, partial(_run, game, statements))


def _run(game: Game, statements: list[str]) -> list[str]:
    first = next((i for i, text in enumerate(statements) if text.split()[0] in CHECKS), len(statements))
    state, _, coin = read_position(game, statements[:first])
    trial = Trial(game, state, HOUSES[: int(state.seats)])
    return taken(trial, statements[first:], partial(_step, coin=coin))


def _step(trial: Trial, statement: str, coin: Sequence[int]) -> list[str]:
    word, _, rest = (part.strip() for part in statement.partition(" "))
    state = trial.state
    if word == "do":
        who, _, move = rest.partition(" ")
        trial.play(trial.seat(who), move, coin_script(state, coin))
        return []
    if word == "err":
        move, _, code = (part.strip() for part in rest.partition("->"))
        return trial.refused(*move.partition(" ")[::2], code)
    if word == "ask":
        acting = seats_in(int(state.acting))
        return differs("asked", rest.split(), [HOUSES[acting[0]], question(state, acting[0])] if acting else ["over"])
    if word == "going":
        return ["the game has ended"] if state.over else []
    if word == "end":
        return _check_end(trial, rest)
    return _check_is(state, rest) if word == "is" else [f"no such statement as {word!r}"]


def _check_end(trial: Trial, text: str) -> list[str]:
    if not trial.state.over:
        return ["the game goes on"]
    scores = trial.game.outcome(trial.state)[0]
    there = {HOUSES[p]: str(score) for p, score in enumerate(scores)}
    there["win"] = ",".join(HOUSES[p] for p in trial.winners())
    said = _fields(text)
    said["win"] = ",".join(sorted(said.get("win", "").split(",")))
    return differs("scores", said, there)


def _check_is(state: Any, text: str) -> list[str]:
    word, _, rest = text.partition(" ")
    if word in ("IC", "OC"):
        there, said = (re.findall(r"S\d+\[[^\]]*\]\S*", row) for row in (zone_text(state, word == "IC"), rest))
        return differs(word, sorted(said), sorted(there))
    if word == "order":
        return differs(word, rest.split(), [HOUSES[int(seat)] for seat in state.order[: int(state.seats)]])
    if word == "first":
        return differs(word, rest.strip(), HOUSES[int(state.first)])
    if not word or word not in HOUSES:
        raise wrong(f"there is nothing called {word!r}")
    now, found = _fields(_player_text(state, HOUSES.index(word), ALL_KNOWING).partition(" ")[2]), []
    for name, value in _fields(rest).items():
        order = sorted if name in ("hand", "disc") else list
        found += differs(name, order(value.split(",")), order(now.get(name, "-").split(",")))
    return found
