"""A game: its record, options, actions, events and kernels under one name, and the registry of all installed games."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module, metadata, resources
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from backroom.engine import chance, names, rng
from backroom.engine.actions import Actions
from backroom.engine.events import EventTypes
from backroom.engine.kernel import FLOAT, INT, INTS, LONGS, VOID, Float, Int, function_type, kernel, specialise
from backroom.engine.options import Options
from backroom.engine.record import RecordType, read
from backroom.engine.refusal import Refusal, checked_seat, quoted

if TYPE_CHECKING:
    from backroom.engine.notation import Notation, TalkNotation

__all__ = [
    "CAPPED", "FINISHED", "GOING", "Game", "Memory", "Parameter", "Persona", "Refusal", "check_players",
    "find_game", "game_names", "installed_games", "rank_seats", "seats_after", "seats_in", "uniform_policy",
]  # fmt: skip

LOG = logging.getLogger(__name__)

GOING, FINISHED, CAPPED = 0, 1, 2
"""Values of a state's ``over``: still going, ended by the rules, stopped by a program guard (``unfinished``)."""


@dataclass(frozen=True)
class Parameter:
    """What may follow a persona's name and a colon: a number from ``low`` to ``high``.

    ``default`` is what the name alone means; ``whole`` numbers have no fraction.
    """

    default: float
    low: float = 0
    high: float = 0
    whole: bool = False

    def read(self, text: str) -> float | None:
        """The number a text gives, None when it is not one of these."""
        if not re.fullmatch(r"[0-9]{1,9}" if self.whole else r"[0-9]{1,9}(\.[0-9]{1,9})?|\.[0-9]{1,9}", text, re.ASCII):
            return None
        number = int(text) if self.whole else float(text)
        return number if self.low <= number <= self.high else None

    @property
    def words(self) -> str:
        """The allowed values in words, for a refusal."""
        return f"a {'whole ' if self.whole else ''}number from {self.low} to {self.high}"


@dataclass(frozen=True)
class Memory:
    """What a persona remembers: a row of ``size`` numbers (int64), all 0 before the match, which its views change.

    Both kernels are called ``(view, row, seat, parameter)``. ``remember`` takes in a view: each that the seat has had,
    in order, one at the opening and one after every move. ``recollect`` writes what is remembered into the view that
    the bot decides on, where a resampled state keeps it. The row follows from the views alone, so a program that starts
    again remembers the same.
    """

    size: int
    remember: Any
    recollect: Any


@dataclass(frozen=True)
class Persona:
    """A player with a habit of its own, as a game's hints offer it in ``PERSONAS`` by name.

    ``make(parameter)`` gives its policy kernel, or the spec of the bot it plays like; ``parameter`` is None
    for a persona without one. ``chatter`` says what it says, as the hint of that name. ``unfit(parameter, options,
    seats)`` says why a parameter that was given means nothing in such a match, or nothing (empty) if it does.
    """

    make: Callable[[float], Any]
    parameter: Parameter | None = None
    chatter: Any = None
    memory: Memory | None = None
    unfit: Callable[[float, Any, int], str] | None = None


@dataclass(frozen=True)
class Level:
    """A strength of the bots at tables: a bot's spec, a line about how it plays, and how strong it was measured to be.

    ``wins`` is the share of games (0 to 1, then the ends of its 95 % interval) that one of this level wins alone among
    players of the level below, ``below`` what one of those wins alone among players of this level: both by ``backroom
    ladder`` with so many ``games`` at tables of ``seats``, seed 1. Below the lowest level is ``random``. None where
    nobody has measured it.
    """

    spec: str
    line: str
    wins: tuple[float, float, float] | None = None
    below: tuple[float, float, float] | None = None
    seats: int = 3
    games: int = 0


@dataclass(frozen=True)
class Habit:
    """What one of the regulars (`backroom.bots.regulars`) is like at a game, as its hints offer it in ``HABITS``.

    In a ``share`` (0 to 1) of its moves it plays as the bot of ``spec`` would. ``weakness`` is what somebody who plays
    against it can learn, in a line. ``chatter`` says what it says where talk is part of the rules, and ``promise`` the
    action that its word binds it to, or -1 (both kernels ``(s, seat, rng)``). ``motive(s, seat)`` is what it says it
    was up to when the match is over.
    """

    spec: str = ""
    share: float = 0.0
    weakness: str = ""
    chatter: Any = None
    promise: Any = None
    motive: Callable[[Any, int], str] | None = None


def check_players(players: Sequence[str], seats: range) -> None:
    """Refusal E_SETUP unless there are as many distinct names (`backroom.engine.names`) as the game takes."""
    if len(players) not in seats:
        raise Refusal("E_SETUP", f"{len(players)} players: this game takes {seats.start} to {seats.stop - 1}")
    for name in players:
        if wrong := names.fault(name):
            raise Refusal("E_SETUP", wrong)
    if len({names.key(name) for name in players}) < len(players):
        raise Refusal(
            "E_SETUP", "two players have the same name (upper and lower case count as equal, so do _ and blanks)"
        )


def seats_in(bits: int) -> list[int]:
    """The seats in a bit set such as ``acting``, ascending."""
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]


def seats_after(seat: int, seats: int) -> list[int]:
    """The other seats of so many, in turn order from the next one on. After SPECTATOR: all of them."""
    return [*range(seat + 1, seats), *range(seat)]


@kernel
def uniform_policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """The policy of a game that offers none: each legal action with the same probability."""
    return np.int64(legal[rng.below(random, n)])


@kernel
def rank_seats(s: Any, scores: Any, places: Any) -> None:
    """Write the seats' places by their scores: the highest is 1, equal ones share a place, for `outcome`.

    ``scores`` and ``places`` are int32, shape (seats,) or longer. What breaks ties goes into the scores as their lowest
    digits, and is taken out of them afterwards.
    """
    for seat in range(s.seats):
        places[seat] = 1
        for other in range(s.seats):
            places[seat] += np.int64(scores[other] > scores[seat])


@kernel
def _even_evaluate(s: Any, seat: Int) -> Float:
    return 1.0 / s.seats


@kernel
def _no_talk(s: Any, seat: Int, message: Int, log: Any) -> None:
    pass


@kernel
def _silence(s: Any, seat: Int, random: Any) -> Int:
    return -1


@kernel
def _none_sealed(s: Any) -> Int:
    return 0


@kernel
def _no_ahead(s: Any, seat: Int) -> Int:
    return 0


@kernel
def _consider_all(s: Any, seat: Int, legal: Any, n: Int) -> Int:
    return n


@kernel
def _plain_seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    return action


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the layers above know of a game.

    ``rules`` is the module of its STATE, STREAMS, ACTIONS and EVENTS, and of its kernels:
    ``setup(s, log)``, ``legal(s, seat, out) -> n``, ``apply(s, seat, action, log)``, ``default(s, seat) -> action``,
    ``resample(s, seat, rng)``, ``outcome(s, scores, places)``. ``hints`` may have ``evaluate(s, seat) -> float``,
    ``policy(s, seat, legal, n, rng) -> action``, ``seen(s, seat, action, viewer) -> label`` and
    ``sealed(s) -> bit set`` of the seats whose secret choice in the present round is made but not shown. At a table
    such a choice is final; a search sets the seats' ``acting`` bits so that they choose anew, since it must not care
    who has answered already. ``consider(s, seat, legal, n) -> n`` is for decisions at which many actions do nearly the
    same (sums of money): it leaves in the list, ascending, those that a search tells apart. ``greedy`` is a policy like
    ``policy`` for the bot of that name, in a game that has too many whole moves to compare. ``notation`` is the module
    of its text (`backroom.engine.notation.Notation`). ``version`` changes with every change of behaviour.

    A game in which players take turns may have the kernel ``ahead(s, seat) -> 0 or 1`` in its rules, so that a seat can
    prepare a move while others think. Between two moves it makes of a position, or of a seat's *view* of it, the one it
    would be if the seat's ordinary turn began now and nothing else had changed: a question that is being answered is
    set aside. 0 (and then the record is of no use): not from here, because the seat is asked something else first, or
    something unknown is revealed to all before its turn.

    The MESSAGES of its rules number what may be said where talk is part of them: part of the match, never owed, said by
    any seat whether it is acting or not. Such rules have ``talk(s, seat, message, log)``, and its hints may have
    ``chatter(s, seat, rng) -> message or -1``, asked of a bot before each of its decisions.

    TURN_IS_ROUND = True in its rules says that the header's ``turn`` counts rounds, not the turns of players, for
    whatever tells rounds (`backroom.engine.match.Match.round_at`).
    """

    name: str
    title: str
    version: str
    seats: range
    options: type[Options]
    rules: Any
    notation: "Notation"
    hints: Any = None

    @cached_property
    def state(self) -> RecordType:
        """The record of a position: STATE of the rules."""
        return cast("RecordType", self.rules.STATE)

    @cached_property
    def streams(self) -> tuple[str, ...]:
        """The names of the streams of chance, in the order of the record's counters: STREAMS of the rules."""
        return cast("tuple[str, ...]", self.rules.STREAMS)

    @cached_property
    def actions(self) -> Actions:
        """What may be decided: ACTIONS of the rules."""
        return cast("Actions", self.rules.ACTIONS)

    @cached_property
    def events(self) -> EventTypes:
        """What may happen: EVENTS of the rules."""
        return cast("EventTypes", self.rules.EVENTS)

    @cached_property
    def messages(self) -> Actions | None:
        """What may be said: MESSAGES of the rules of a game in which talk is part of them; None otherwise."""
        return cast("Actions | None", getattr(self.rules, "MESSAGES", None))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by name: another process finds its own. PicklingError for a game that is not installed."""
        if self.name not in game_names() or find_game(self.name) is not self:
            raise PicklingError(f"game {self.name!r} is not the installed one, so no other process would find it")
        return find_game, (self.name,)

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self

    @property
    def talk_notation(self) -> "TalkNotation":
        """The same ``notation``, of a game that has ``messages``: it reads and writes them too."""
        return cast("TalkNotation", self.notation)

    @cached_property
    def signatures(self) -> dict[str, Any]:
        """Numba signature of each kernel of this game. ``S`` is the state's type, ``L`` the log's."""
        s, log = self.state.numba_type, self.events.numba_type
        return {
            "setup": VOID(s, log),
            "legal": INT(s, INT, INTS),
            "apply": VOID(s, INT, INT, log),
            "default": INT(s, INT),
            "resample": VOID(s, INT, LONGS),
            "outcome": VOID(s, INTS, INTS),
            "evaluate": FLOAT(s, INT),
            "policy": INT(s, INT, INTS, INT, LONGS),
            "seen": INT(s, INT, INT, INT),
            "consider": INT(s, INT, INTS, INT),
            "ahead": INT(s, INT),
            "sealed": INT(s),
            "talk": VOID(s, INT, INT, log),
            "chatter": INT(s, INT, LONGS),
        }

    def kernel_type(self, name: str) -> Any:
        """The Numba type of a kernel passed as an argument, for `backroom.engine.kernel.specialise`."""
        return function_type(self.signatures[name])

    def function(self, name: str) -> Any:
        """One kernel as it is written: this game's, or what serves where it has none of that name."""
        plain = {
            "talk": _no_talk, "evaluate": _even_evaluate, "policy": uniform_policy, "seen": _plain_seen,
            "sealed": _none_sealed, "chatter": _silence, "ahead": _no_ahead, "consider": _consider_all,
        }  # fmt: skip
        return getattr(self.rules, name, None) or getattr(self.hints, name, None) or plain[name]

    def compiled(self, name: str) -> Any:
        """One kernel, compiled for its signature (from the cache on disk where it is there)."""
        return specialise(self.function(name), self.signatures[name])

    @cached_property
    def kernels(self) -> dict[str, Any]:
        """All kernels by name, compiled."""
        return {name: self.compiled(name) for name in self.signatures}

    def check_name(self, name: str) -> None:
        """Refusal E_SETUP when a name that is given means something else here: a word of an option or of a move.

        It is asked when names are given, not when a match is read: older ones may have such a name.
        """
        if names.key(name) in self.options.reserved():
            raise Refusal(
                "E_SETUP",
                f"player {quoted(name)}: that is a word of an option or a move of {self.title}; choose another",
            )

    def blank(self, options: Options, players: Sequence[str]) -> Any:
        """A state that holds the options and nothing else: what ``setup`` starts from, but for the chance key.

        Refusal E_SETUP for a wrong number or name of players.
        """
        check_players(players, self.seats)
        state = self.state.new()
        state.seats = len(players)
        for name, value in options.encode(players).items():
            state[name] = value
        return state

    def opening(
        self, options: Options, players: Sequence[str], seed: bytes, script: list[tuple[int, list[int]]] | None = None
    ) -> tuple[Any, list[Any]]:
        """The opening position and the events of the set-up. Refusal E_SETUP for a wrong number or name of players.

        ``script`` decides chance where its segments fit (`EventTypes.write_script`).
        """
        state = self.blank(options, players)
        chance.set_key(state, seed)
        log = self.events.new_log()
        if script:
            self.events.write_script(log, script)
        self.kernels["setup"](state, log)
        return state, self.events.read(log)

    @cached_property
    def tensor_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the greatest value of each number of `RecordType.to_tensor`, for a learner to scale by.

        Two arrays of float32, shape (state.tensor_size,), the same for every viewer. They follow from what the fields
        declare; where one says nothing they are those of the element type.
        """
        bounds = self.state.tensor_bounds()
        for bound in bounds:
            bound.flags.writeable = False
        return bounds

    def legal(self, state: Any, seat: int, out: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
        """The seat's legal actions, ascending; empty when it is not acting. Accepts a view as well as a state.

        ``out`` (contiguous, with room for ``actions.count``) is where they are written, none: a new array. Refusal
        E_ACTOR when there is no such seat.
        """
        if out is None:
            out = np.empty(self.actions.count, np.int32)
        elif out.shape[0] < self.actions.count:
            raise ValueError(f"out has room for {out.shape[0]} actions; this game has {self.actions.count}")
        acting = int(read(state, "acting"))
        if type(seat) is not int or seat < 0 or not acting >> seat & 1:
            seat = checked_seat(int(read(state, "seats")), seat)
            if not acting >> seat & 1:
                return out[:0]
        return out[: self.kernels["legal"](state, seat, out)]

    def apply(self, state: Any, seat: int, action: int, log: Any) -> None:
        """Apply one decision in place.

        Refusal E_ILLEGAL when it is none of the seat's legal actions, E_ACTOR when there is no such seat.
        """
        if action not in self.legal(state, seat):
            raise Refusal("E_ILLEGAL", f"action {action} is not legal for seat {seat} now")
        self.kernels["apply"](state, seat, action, log)

    @property
    def looks_ahead(self) -> bool:
        """Whether players take turns that can be prepared, so that `ahead` may give something."""
        return hasattr(self.rules, "ahead")

    def ahead(self, view: Any, seat: int) -> Any:
        """The view as it would be if the seat's ordinary turn began now; None when that cannot be told from here.

        Refusal E_ACTOR when there is no such seat.
        """
        seat = checked_seat(view.seats, seat)
        found = self.state.copy(view)
        return found if self.kernels["ahead"](found, seat) else None

    def outcome(self, state: Any) -> tuple[list[int], list[int]]:
        """Scores and places by seat; place 1 is the best, equal places are shared."""
        scores, places = np.zeros(self.state.seats, np.int32), np.zeros(self.state.seats, np.int32)
        self.kernels["outcome"](state, scores, places)
        n = int(state.seats)
        return scores[:n].tolist(), places[:n].tolist()

    def file(self, name: str) -> Any:
        """A file of the game's folder (``rulebook.md``, ``examples.txt`` ...), as an importlib resource."""
        return resources.files(self.rules.__package__) / name


@cache
def game_names() -> list[str]:
    """Names of all installed games, sorted (entry point group ``backroom.games``)."""
    return sorted({point.name for point in metadata.entry_points(group="backroom.games")})


@cache
def _loaded(name: str) -> Game | None:
    """The game of that name; None when its package fails, which is one entry of the log. Refusal E_SETUP: no such."""
    for point in metadata.entry_points(group="backroom.games", name=name):
        module, _, attribute = point.value.partition(":")
        try:
            found = getattr(import_module(module), attribute)
            if not isinstance(found, Game):
                raise TypeError(f"{point.value} is not a Game")
        except Exception:
            LOG.exception("game %s cannot be loaded and is left out", name)
            return None
        return found
    raise Refusal("E_SETUP", f"no game {name!r}; there are {', '.join(game_names())}")


def find_game(name: str) -> Game:
    """The game of that name. Refusal E_SETUP lists the games there are, or says that its package cannot be loaded."""
    found = _loaded(name)
    if found is None:
        raise Refusal("E_SETUP", f"the package of the game {name!r} cannot be loaded; the log says why")
    return found


def installed_games() -> tuple[Game, ...]:
    """All installed games, by name; those whose packages cannot be loaded are left out, and the log says why."""
    return tuple(filter(None, map(_loaded, game_names())))
