"""Events: what happened in a move, with who may see each argument.

A game declares its kinds of event once (`events`, `event`). Rules append rows to the log record with `emit` and
`attach`; `EventTypes.read` turns them into `Event` values, and `Event.seen_by` blanks what a viewer may not know, so
that all text is made per viewer from what that viewer may see.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numba
import numpy as np

from backroom.engine.kernel import Int, kernel
from backroom.engine.record import ALL_KNOWING, Viewer

__all__ = ["EVERYBODY", "NOTHING", "Event", "EventKind", "EventTypes", "attach", "emit", "event", "events"]

EVERYBODY = -1
"""The bit set of all viewers, spectators too."""


@dataclass(frozen=True)
class EventKind:
    """A declared kind: names of up to four arguments, the name of its list (or none), which of these are private."""

    name: str
    args: tuple[str, ...]
    listed: str | None
    private: frozenset[str]


@dataclass(frozen=True)
class Event:
    """One thing that happened. ``args`` maps names to numbers, lists to tuples; None where the viewer may not know.

    ``see`` is the bit set of seats that may see the private arguments (EVERYBODY: all).
    """

    kind: str
    seat: int
    args: dict[str, Any]
    see: int
    private: frozenset[str]

    def seen_by(self, viewer: Viewer) -> "Event":
        """The event as ``viewer`` (a seat, SPECTATOR or ALL_KNOWING) may know it."""
        if viewer is ALL_KNOWING or self.see == EVERYBODY or (viewer >= 0 and self.see >> viewer & 1):
            return replace(self, see=EVERYBODY, private=frozenset())
        blanked = {name: None if name in self.private else value for name, value in self.args.items()}
        return replace(self, args=blanked, see=EVERYBODY, private=frozenset())


NOTHING = Event("", -1, {}, EVERYBODY, frozenset())
"""The event of a text that is no news of a match."""


def event(*args: str, listed: str | None = None, private: tuple[str, ...] = ()) -> EventKind:
    """Declare a kind of event: named arguments (at most four), a list, and the private ones among them."""
    if len(args) > 4:
        raise ValueError("an event has at most four named arguments")
    unknown = set(private) - set(args) - {listed}
    if unknown:
        raise ValueError(f"private arguments that the event does not have: {sorted(unknown)}")
    return EventKind("", args, listed, frozenset(private))


class EventTypes:
    """A game's kinds of event, in order, and the layout of its log record. Made by `events`.

    Each kind's number is an attribute: ``EVENTS.number("took")``.
    """

    def __init__(self, capacity: int, longest: int, kinds: dict[str, EventKind]) -> None:
        self.kinds = [replace(kind, name=name) for name, kind in kinds.items()]
        self.numbers = {kind.name: number for number, kind in enumerate(self.kinds)}
        layout = [
            ("event_args", np.int32, (capacity, 4 + longest)),
            ("event_see", np.int32, (capacity,)),
            ("chance_words", np.uint32, (16,)),  # the block in use, and what it is: see `backroom.engine.chance`
            ("chance_key", np.uint32, (8,)),
            ("chance_shared", np.int32),
            ("chance_use", np.int32),
            ("chance_stream", np.int32),
            ("chance_block", np.int32),
            ("chance_position", np.int32),
            ("chance_end", np.int32),
            ("script_length", np.int32),
            ("script_used", np.int32),
            ("count", np.int32),
            ("lost", np.int32),
            ("event_kind", np.int16, (capacity,)),
            ("script", np.int16, (SCRIPT,)),
            ("event_length", np.int16, (capacity,)),
            ("event_seat", np.int8, (capacity,)),
            ("script_bad", np.int8),
            ("recording", np.int8),
        ]
        self.dtype: np.dtype[Any] = np.dtype((np.record, np.dtype(layout, align=True)))

    def number(self, name: str) -> int:
        """The kind's number, for use in kernels."""
        return self.numbers[name]

    @cached_property
    def numba_type(self) -> Any:
        """The Numba type of the log record."""
        return numba.from_dtype(self.dtype)

    def new_log(self, recording: bool = True) -> Any:
        """An empty log record. Without ``recording`` events cost nothing and are not kept."""
        log = np.zeros(1, self.dtype)[0]
        log.recording = recording
        log.chance_shared = -1  # no block is in use
        return log

    def read(self, log: Any) -> list[Event]:
        """The events in a log record, in order. RuntimeError when there were more than it can hold."""
        if log.lost:
            raise RuntimeError(f"{log.lost} events did not fit into the log; raise the capacity in the game's events()")
        result = []
        for row in range(log["count"]):
            kind = self.kinds[log.event_kind[row]]
            numbers = log.event_args[row, : log.event_length[row]].tolist()
            args: dict[str, Any] = dict(zip(kind.args, numbers[:4], strict=False))
            if kind.listed:
                args[kind.listed] = tuple(numbers[4:])
            result.append(Event(kind.name, int(log.event_seat[row]), args, int(log.event_see[row]), kind.private))
        return result

    def write_script(self, log: Any, segments: list[tuple[int, list[int]]]) -> None:
        """Script chance for the next decision: (stream, values) in the order in which they happen."""
        flat = [number for stream, values in segments for number in (stream, len(values), *values)]
        if len(flat) > SCRIPT:
            raise ValueError(f"a script holds at most {SCRIPT} numbers, this one has {len(flat)}")
        log.script[: len(flat)] = flat
        log.script_length = len(flat)
        log.script_used = 0
        log.script_bad = 0


SCRIPT = 256


def events(capacity: int = 64, longest: int = 20, **kinds: EventKind) -> EventTypes:
    """Declare a game's kinds of event.

    ``capacity`` is the most events one move can bring, ``longest`` the longest list an event carries.
    """
    return EventTypes(capacity, longest, kinds)


@kernel
def emit(log: Any, kind: Int, seat: Int, see: Int = EVERYBODY, a: Int = 0, b: Int = 0, c: Int = 0, d: Int = 0) -> None:
    """Append an event; ``see`` is the bit set of seats that may see its private arguments."""
    if log.recording == 0:
        return
    row = log.count
    if row >= log.event_kind.shape[0]:
        log.lost = log.lost + 1
        return
    log.count = row + 1
    log.event_kind[row] = kind
    log.event_seat[row] = seat
    log.event_see[row] = see
    log.event_length[row] = 4
    log.event_args[row, 0] = a
    log.event_args[row, 1] = b
    log.event_args[row, 2] = c
    log.event_args[row, 3] = d


@kernel
def attach(log: Any, value: Int) -> None:
    """Append a number to the list of the event emitted last."""
    if log.recording == 0 or log.count == 0 or log.lost > 0:
        return
    row = log.count - 1
    length = log.event_length[row]
    if length >= log.event_args.shape[1]:
        log.lost = log.lost + 1
        return
    log.event_args[row, length] = value
    log.event_length[row] = length + 1
