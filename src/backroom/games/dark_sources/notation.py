"""Dark Sources as text: moves, positions, log lines, what shows on the table, worked examples."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from backroom.engine.events import Event
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, seats_in
from backroom.engine.names import written
from backroom.engine.notation import Thing, Token, player
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.engine.refusal import quoted
from backroom.games.dark_sources import rules
from backroom.games.dark_sources.options import DarkSourcesOptions
from backroom.games.dark_sources.rules import ACTIONS, SEATS, SLOTS, VALUES
from backroom.scenes.money import bill
from backroom.text.english import whose
from backroom.text.examples import Example, Trial, differs, headed_examples, stated
from backroom.text.log import Log, each
from backroom.text.positions import ROTATION, Field, Layout, Reading, end, entries, number, whole, wrong

__all__ = [
    "describe", "examples", "move_tokens", "parse_move", "parse_position", "position", "preview", "question", "recall",
    "slot_name", "table_text",
]  # fmt: skip

SEAT_LETTERS = "abcdefghij"
ROWS = [" ".join(map(str, order)) for order in permutations(VALUES)]
"""The orders of a row, by number."""
Place = tuple[int, int]
"""A card's seat and slot."""


def slot_name(seat: int, slot: int) -> str:
    """A slot as it is written: seat letter and number, ``a1``."""
    return f"{SEAT_LETTERS[seat]}{slot + 1}"


PLACES = {slot_name(seat, slot): (seat, slot) for seat in range(SEATS) for slot in range(SLOTS)}
"""Places by their names."""


def last_swap(view: Any) -> list[Place]:
    """The places of the two cards that were swapped last, the mover's first; none before the first swap."""
    mover, mine, other, theirs = view.swapped.tolist()
    return [(mover - 1, mine), (other - 1, theirs)] if mover else []


# Moves


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """``swap a3 b2`` or ``row 10 1 7 3 5``. Refusals with the codes of D-6 in their order."""
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    if not int(view.acting) >> seat & 1:
        raise Refusal("E_ACTOR", f"it is {names[seats_in(int(view.acting))[0]]}'s turn")
    typed = text.split()
    words = [word.lower() for word in typed]
    if words == ["pass"]:
        raise Refusal("E_PASS", "there is no passing; one swap a turn is compulsory")
    if re.fullmatch("swap( [a-z][0-9]+){2}", " ".join(words)):
        return [_swap(view, seat, typed[1:])]
    if re.fullmatch("row( [0-9]+)+", " ".join(words)):
        return [_row(view, seat, words[1:])]
    raise Refusal("E_SYNTAX", f"cannot read {quoted(text.strip())}; a move is swap a3 b2")


def _row(view: Any, seat: int, words: Sequence[str]) -> int:
    if view.laid[seat]:
        raise Refusal("E_PHASE", "the rows are laid already; swap cards now")
    row = " ".join(map(_digits, words))
    if row not in ROWS:
        raise Refusal("E_ROW", f"a row is each of {ROWS[0]} once, in any order, not {quoted(' '.join(words))}")
    return int(rules.row_action(ROWS.index(row)))


def _digits(word: str) -> str:
    """A number without the zeros that may stand before it."""
    return word.lstrip("0") or "0"


def _swap(view: Any, seat: int, words: Sequence[str]) -> int:
    if not view.laid[seat]:
        raise Refusal("E_PHASE", "lay your row first, e.g. row 1 3 5 7 10")
    found = [PLACES.get(word[0].lower() + _digits(word[1:]), (SEATS, 0)) for word in words]
    for word, (owner, _) in zip(words, found, strict=True):
        if owner >= view.seats:
            last = SEAT_LETTERS[int(view.seats) - 1]
            raise Refusal("E_SLOT", f"there is no slot {quoted(word)}; slots are a1 to {last}5")
    own, other = sorted(found, key=lambda place: place[0] != seat)
    if own[0] != seat or other[0] == seat:
        mine = SEAT_LETTERS[seat]
        raise Refusal("E_OWN", f"exactly one of the two cards must be your own ({mine}1 to {mine}5)")
    if rules.is_stalled(view) and not rules.turns_a_card(view, seat, own[1], *other):
        raise Refusal("E_STALL", f"{int(view.stalled)} swaps in a row turned no card; this one must turn one")
    return int(rules.swap_action(other[0], own[1], other[1]))


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """``swap``, the own slot, the other's slot; or ``row`` and the five values."""
    if action in ACTIONS.row:
        cards = ROWS[int(rules.row_order(action))].split()
        return Token("row", "verb", "row"), *(Token(value, "card", value) for value in cards)
    other, mine, theirs = (int(part) for part in rules.swap_parts(action))
    own, foreign = slot_name(seat, mine), slot_name(other, theirs)
    return Token("swap", "verb", "swap"), Token(own, "slot", own), Token(foreign, "slot", foreign)


def question(view: Any, seat: int) -> str:
    """``swap`` or ``row`` for the seat whose turn it is, else empty."""
    if view.over or not int(view.acting) >> seat & 1:
        return ""
    return "swap" if view.laid[seat] else "row"


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """Which cards change places and what lies face down then; a face-down card's value is never named."""
    if not actions:
        return "Swap one of your cards with one of another player's. Both end face down."
    action = actions[0]
    if action in ACTIONS.row:
        return f"Your row lies face up: {ROWS[int(rules.row_order(action))]}."
    other, mine, theirs = (int(part) for part in rules.swap_parts(action))
    own, foreign = (
        f"{slot_name(*place)} ({int(view.shown[place]) or '?'})" for place in ((seat, mine), (other, theirs))
    )
    text = f"Your {own} for {whose(other, seat, names)} {foreign}."
    turned = 2 - int(view.down[seat, mine]) - int(view.down[other, theirs])
    if turned == int(view.up):
        return f"{text} No card is face up then: the game ends."
    return f"{text} {'Both lie face down then.' if turned else 'Both stay face down: nothing is turned.'}"


# What the program shows


def table_text(view: Any) -> str:
    """The rows and the last swap as text (D9): ``#`` for a card that does not show."""
    rows = [
        f"{SEAT_LETTERS[p]}  {' '.join(_cards(view.shown[p], view.down[p] if not view.over else None, '#'))}"
        for p in range(int(view.seats))
        if view.laid[p]
    ]
    return "\n".join([*rows, *([f"last: {_last_text(view)}"] if view.swapped[0] else [])])


def _cards(values: Any, down: Any, mark: str) -> list[str]:
    """The cards of a row with a mark on those that lie face down; ``#`` for one that does not show."""
    marks = [mark if lies else "" for lies in down.tolist()] if down is not None else [""] * SLOTS
    return [f"{value}{lies}" if value else "#" for value, lies in zip(values.tolist(), marks, strict=True)]


def _last_text(view: Any) -> str:
    swapped = zip(last_swap(view), view.known.tolist(), strict=True)
    return " <-> ".join(f"{slot_name(*place)} ({value or '?'})" for place, value in swapped)


def _swapped(e: Event) -> str:
    own, theirs = slot_name(e.seat, e.args["slot"]), slot_name(e.args["other"], e.args["other_slot"])
    given, taken = [f" ({{card:{value}}})" for value in e.args["cards"]] or ("", "")
    return f"{{seat}} swapped {{place:{own}}}{given}| with {{other}}'s {{place:{theirs}}}{taken}."


def _ended(e: Event) -> str:
    totals = e.args["totals"]
    winners = [p for p, total in enumerate(totals) if total == max(totals)]
    verb = "<wins/win>" if len(winners) == 1 else "share the win"
    called = [f"{{{'other' if number else 'seat'}:{p}}}" for number, p in enumerate(winners)]
    return f"All cards are shown: {{totals}}. {' and '.join(called)} {verb}."


def _laid(e: Event) -> str:
    return f"{{seat}} laid {' '.join(f'{{card:{value}}}' for value in e.args['cards']) or 'a row'}."


LOG = Log(
    {
        "laid": ("D5", _laid),
        "swapped": ("D2", _swapped),
        "ended": ("D6", _ended),
    },
    card=bill, other=player, place=lambda name, names: Thing("slot", name, name),
    totals=lambda totals, names: each(map(str, totals), names),
)  # fmt: skip
"""A line for each event; values that are not known to the log are left out."""

describe = LOG.describe


def recall(state: Any, event: Event) -> Event | None:
    """What may be read again of an event during the game (D9): nothing, swaps without values, or everything."""
    if state.memory == rules.OPEN or event.kind == "ended":
        return event
    if state.memory == rules.PLAY:
        return None
    return replace(event, args=event.args | {"cards": ()})


# Positions


def _read_turn(at: Reading, text: str) -> None:
    name, turn = text.split()
    at.state.acting = 1 << at.names.index(name)
    at.state.turn = whole(turn, 1)


def _turn_text(s: Any, names: Sequence[str], viewer: Viewer) -> str | None:
    return f"{written(names[seats_in(int(s.acting))[0]])} {int(s.turn)}" if s.acting else None


def _read_last(at: Reading, text: str) -> None:
    found = re.fullmatch(r"([a-j][1-5]) \((\?|\d+)\) <-> ([a-j][1-5]) \((\?|\d+)\)", text)
    if found is None:
        raise ValueError(text)
    (mover, mine), (other, theirs) = PLACES[found[1]], PLACES[found[3]]
    at.state.swapped[:] = mover + 1, mine, other + 1, theirs
    at.state.known[:] = known = [0 if word == "?" else int(word) for word in (found[2], found[4])]
    if not set(known) <= {0, *VALUES}:
        raise ValueError(text)


def _read_finish(state: Any, text: str) -> None:
    state.turn = whole(text)
    if state.over == FINISHED:
        state.shown[:] = state.value


def _row_text(state: Any, p: int, viewer: Viewer) -> str:
    """``10d,3,#,7,10`` or ``-``: ``d`` marks a face-down card; what does not show is ``#`` for all but ALL_KNOWING."""
    if not state.laid[p]:
        return "-"
    values = state.value if viewer is ALL_KNOWING else state.shown
    return ",".join(_cards(values[p], state.down[p], "d"))


def _read_row(state: Any, p: int, found: re.Match[str]) -> None:
    state.turn, text = 1, found[2]
    if text != "-":
        cards = ROWS[0].split() if text == "ASC" else text.split(",")
        if len(cards) != SLOTS:
            raise wrong(f"a row has {SLOTS} cards", found.string)
        state.laid[p] = 1
        for slot, card in enumerate(cards):
            if card.rstrip("d") not in ROWS[0].split() or card.count("d") > 1:
                raise wrong(f"{card!r} is no card of {ROWS[0]}", found.string)
            state.value[p, slot], down = int(card.rstrip("d")), card.endswith("d")
            state.down[p, slot] = down
            state.up += not down
            state.shown[p, slot] = state.value[p, slot] if not down or state.memory == rules.OPEN else 0
    state.acting = 1 << int(np.sum(state.laid)) % int(state.seats)


LAYOUT = Layout(
    DarkSourcesOptions,
    (
        Field("turn", _read_turn, _turn_text),
        Field("last", _read_last, lambda s, names, viewer: _last_text(s) if s.swapped[0] else None),
        number("stalled", "stalled"),
        ROTATION,
        end(FINISHED, lambda s: str(int(s.turn)), _read_finish),
        end(CAPPED, lambda s: str(int(s.turn)), _read_finish),
    ),
    lambda state, p, viewer: f":{_row_text(state, p, viewer)}",
    _read_row,
    re.compile("([^:]*):?(.*)"),
    "NAME:ROW",
)
"""``{options} | anna:10d,3,5,7,10 ben:... | turn ben | last ... | ...``; see the specification, D-8."""

position = LAYOUT.write


def parse_position(game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the names from such a line, or from an example's head. Refusal E_POSITION or E_SETUP."""
    state, names = LAYOUT.parse(game, text, _set_aside)
    _check(state, text.split("|")[1])
    return state, names


def _set_aside(given: dict[str, str], names: Sequence[str], head: str) -> None:
    """Both are options of a set-up, which the rows stand in for: here they can only say again what these say."""
    if given.pop("owner", names[0]).casefold() != names[0].casefold():
        raise wrong("the owner is seat a, the first row", head)
    if not given.pop("seed", "0").isdecimal():
        raise wrong("a seed is a whole number", head)


def _check(state: Any, line: str) -> None:
    n = int(state.seats)
    sets = int(np.sum(state.laid))
    for value in VALUES:
        if int(np.sum(state.value[:n] == value)) != sets:
            raise wrong(f"{sets} cards of {value} must lie on the table, one for each row", line)
    if sets < n:
        if state.row != rules.CHOSEN or state.down.any() or not state.laid[:sets].all():
            raise wrong("rows are laid face up in turn, with row=chosen; - stands for one to come", line)
        if seats_in(int(state.acting)) != [sets]:
            raise wrong(f"the next row is for player {sets + 1} to lay", line)
    elif state.over != CAPPED and bool(state.up) == bool(state.over):
        raise wrong("the game is over exactly when no card is face up", line)
    swapped = last_swap(state)
    seats = {seat for seat, _ in swapped}
    if swapped and (len(seats) < 2 or max(seats) >= n or not all(state.down[place] for place in swapped)):
        raise wrong("the last swap leaves a card face down in a row of each of two players", line)


# Worked examples (D-8)

OURS = re.compile(r"^\w+\s*(\{[^}]*\})?\s*\|\s*[^\s:|]+:(ASC|-|\d+d?(,\d+d?)+)(\s|$)", re.MULTILINE)


def examples(game: Game, text: str) -> Iterable[Example]:
    """The examples of D-8, with steps such as ``> A swap a1 b5 => A:10d,3,5,7,10 B:1,3,5,7,1d; turn B``."""
    return headed_examples(game, text, OURS, _swap_line)


def _swap_line(trial: Trial, step: str) -> list[str]:
    move, _, facts = step[1:].partition("=>")
    name, *words = move.split() or [""]
    said, _, after = facts.partition(";")
    rows = {p: _row_text(trial.state, p, ALL_KNOWING) for p in range(len(trial.names))}
    trial.play(trial.seat(name), " ".join(words))
    named = {}
    for letter, row in entries(said):
        seat = trial.seat(letter)
        if seat in named:
            return [f"row {letter} is named twice"]
        named[seat] = row
    state = trial.state
    swapped = {seat for seat, _ in last_swap(state)} if words[0].lower() == "swap" else set()
    problems = [f"row {trial.names[p]} is swapped and missing" for p in sorted(swapped - set(named))]
    for p, row in (rows | named).items():
        problems += differs(f"row {trial.names[p]}", row, _row_text(state, p, ALL_KNOWING))
    turn = "".join(trial.names[seat] for seat in seats_in(int(state.acting)))
    totals = " ".join(map(str, trial.game.outcome(state)[0]))
    winners = "".join(trial.names[seat] for seat in trial.winners())

    def over(said: str) -> list[str]:
        scores, _, won = said.partition(" win ")
        return differs("totals", scores, totals) + differs("winners", won.replace(" ", ""), winners)

    checks = {"turn": lambda said: differs("turn", said, turn), "over": over}
    return problems + stated(after, checks, ["over" if state.over else "turn"])
