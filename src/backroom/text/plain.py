"""The notation of a game that has no words of its own: moves, positions and examples as they follow from its rules.

A move is the name of an action's family with its indices: ``bid 3``. A position has the switches, the players, and the
fields of the record that are not 0: ``{hands=1} | anna ben | acting anna | card 3 ? | stake 1 1``. A game begins with
this and replaces what people should read otherwise.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from backroom.engine.events import Event
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, seats_in
from backroom.engine.names import written
from backroom.engine.notation import Completion, Line, Token, complete, deed, player
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, RecordType, Viewer, Visibility
from backroom.engine.refusal import quoted
from backroom.text.examples import Example, Trial, differs, headed_examples, stated
from backroom.text.positions import Field, Layout, Reading, end, wrong

__all__ = ["PlainNotation"]

OURS = re.compile(r"^\w+ *(\{[^}]*\})? *\|[^|]+\| *acting ", re.MULTILINE)
UNWRITTEN = {"chance_key", "chance_count", "seats", "over"}
SETS = ("acting", "midmove")


class PlainNotation:
    """A `Notation` made from a game's ``rules`` (a module with STATE, ACTIONS, EVENTS and the kernels) and its options.

    Whole numbers alone are written; a number that is read must be within the bounds of its field.
    """

    def __init__(self, rules: Any, options: type[Options]) -> None:
        self.rules = rules
        self.options = options
        self.state: RecordType = rules.STATE

    def move_tokens(self, view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
        """See `Notation`: the family's name, then its indices."""
        indices = (Token(str(index), "count", str(index)) for index in self.rules.ACTIONS.indices(action))
        return Token(self.rules.ACTIONS.family(action).name, "verb"), *indices

    def parse_move(self, game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
        """See `Notation`: the words of `move_tokens`, in any case of letters. Refusal E_OVER, E_ACTOR, E_SYNTAX."""
        if view.over:
            raise Refusal("E_OVER", "the game is over")
        if not int(view.acting) >> seat & 1:
            raise Refusal("E_ACTOR", "it is not this player's turn")
        words = text.split()
        rest: list[str] = []
        while (found := _completed(game, view, seat, " ".join(words), names)) is None:
            if not words:
                raise Refusal("E_SYNTAX", "there is no move that this player could make")
            rest.insert(0, words.pop())
        if found.actions is not None and not rest:
            return list(found.actions)
        unread, after = quoted(" ".join(rest)), f" after {quoted(' '.join(words))}" if words else ""
        possible = ", ".join(sorted({token.text for token in found.tokens}))
        if found.tokens and not rest:
            raise Refusal("E_SYNTAX", f"the move is not whole{after}; possible next: {possible}")
        if found.tokens:
            raise Refusal("E_SYNTAX", f"cannot read {unread}{after}; possible here: {possible}")
        raise Refusal("E_SYNTAX", f"the move is whole before {unread}")

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        """See `Notation`: the event's name, and its arguments as far as the viewer may know them."""
        told = ", ".join(f"{name} {'?' if value is None else value}" for name, value in event.args.items())
        said = f"{event.kind}: {told}" if told else event.kind
        return Line((said,)) if event.seat < 0 else deed(player(event.seat, names), (said,))

    def preview(self, game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
        """See `Notation`: nothing is said."""
        return ""

    def question(self, view: Any, seat: int) -> str:
        """See `Notation`: it is the seat's turn, or not."""
        return "turn" if int(view.acting) >> seat & 1 else ""

    @cached_property
    def layout(self) -> Layout:
        """How a position is written, and its fields in their order."""
        found = [Field(name, partial(_read_set, name), partial(_tell_set, name)) for name in SETS]
        for name in self.state.fields:
            if name not in (*SETS, *UNWRITTEN, *self.options.model_fields):
                found.append(Field(name, partial(self._read, name), partial(self._tell, name)))
        return Layout(self.options, (*found, end(CAPPED), end(FINISHED)), between=", ")

    def _read(self, name: str, at: Reading, text: str) -> None:
        field = self.state.fields[name]
        rows = np.zeros(field.shape or (1,), np.int64)
        lines = rows.reshape(len(rows), -1)
        for place, word in enumerate(text.split()):
            lines[place] = np.array([int(number) for number in word.split(",")]).reshape(lines.shape[1])
        values = rows.reshape(field.shape)
        least, most = field.bounds
        if np.any(values < least) or np.any(values > most):
            raise ValueError(text)
        at.state[name] = values.astype(field.dtype)

    def _tell(self, name: str, state: Any, names: Sequence[str], viewer: Viewer) -> str | None:
        told = self._values(name, state, viewer)
        return told if re.search(r"[^0, ]", told) else None

    def _values(self, name: str, state: Any, viewer: Viewer) -> str:
        field = self.state.fields[name]
        rows = np.asarray(state[name]).astype(np.int64).reshape(field.shape[0] if field.shape else 1, -1)
        open_to_all = viewer is ALL_KNOWING or field.visibility is Visibility.PUBLIC
        # How many rows there are must not hang on what the viewer does not see in them.
        if len(rows) == self.state.seats and not (open_to_all and rows[int(state.seats) :].any()):
            rows = rows[: int(state.seats)]
        own = viewer if field.visibility is Visibility.OWNED else None
        return " ".join(
            ",".join(map(str, row)) if open_to_all or place == own else "?" for place, row in enumerate(rows.tolist())
        )

    def position(self, state: Any, names: Sequence[str], viewer: Viewer) -> str:
        """See `Notation`."""
        return self.layout.write(state, names, viewer)

    def parse_position(self, game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
        """See `Notation`."""
        state, names = self.layout.parse(game, text)
        if bool(state.over) == bool(state.acting) or int(state.midmove) & ~int(state.acting):
            raise wrong("somebody is acting, or the game is over", text)
        return state, names

    def examples(self, game: Game, text: str) -> Iterable[Example]:
        """See `Notation`: ``> anna bet, ben call => chips 2 -2; wins anna``, moves and then fields, or who wins."""
        return headed_examples(game, text, OURS, self._step)

    def _step(self, trial: Trial, step: str) -> list[str]:
        moves, _, text = step[1:].partition("=>")
        for move in moves.split(","):
            who, _, what = move.strip().partition(" ")
            trial.play(trial.seat(who), what)
        facts = {name: partial(self._differs, trial, name) for name in self.state.fields}
        return stated(text, facts | {"wins": partial(_winners_differ, trial)})

    def _differs(self, trial: Trial, name: str, said: str) -> list[str]:
        return differs(name, said, self._values(name, trial.state, ALL_KNOWING))


def _winners_differ(trial: Trial, said: str) -> list[str]:
    return differs("wins", said, " ".join(trial.names[seat] for seat in trial.winners()))


def _completed(game: Game, view: Any, seat: int, prefix: str, names: Sequence[str]) -> Completion | None:
    """What may follow a prefix; None when no legal move begins like that. Any begins with nothing at all."""
    try:
        return complete(game, view, seat, prefix, names)
    except Refusal:
        return None


def _read_set(name: str, at: Reading, text: str) -> None:
    at.state[name] = sum({1 << at.names.index(word) for word in text.split()})


def _tell_set(name: str, state: Any, names: Sequence[str], viewer: Viewer) -> str | None:
    return " ".join(written(names[seat]) for seat in seats_in(int(state[name]))) or None
