"""Records: a game's state as one NumPy record, with who may see each field declared where the field is declared.

The default is nobody. A view is the record with every byte zeroed that its seat may not see (`RecordType.view`); JSON
and tensors are derived from the same declaration.
"""

import math
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.engine.kernel import Int, kernel
from backroom.engine.refusal import checked_seat

__all__ = [
    "ALL_KNOWING", "AllKnowing", "Field", "RecordType", "SPECTATOR", "Viewer", "Visibility", "checked_viewer",
    "copy_view", "opened", "owned", "public", "read", "record", "secret",
]  # fmt: skip

SPECTATOR = -1
"""The viewer who holds no seat: sees public fields only."""


class AllKnowing(Enum):
    """The type of `ALL_KNOWING`. It is no int, so that no number from outside can ever stand for it."""

    ALL_KNOWING = "all-knowing"


ALL_KNOWING: Final = AllKnowing.ALL_KNOWING
"""The viewer from whom nothing is hidden: who reads the record of a match that is over, or writes a position down."""

Viewer: TypeAlias = int | AllKnowing
"""A viewer: a seat, SPECTATOR or ALL_KNOWING. It is always named; the lack of one never means all-knowing."""


def checked_viewer(seats: int, viewer: int) -> int:
    """A viewer of a match with ``seats`` seats, as an int. Refusal E_ACTOR unless it is one of them or SPECTATOR."""
    watches = isinstance(viewer, int | np.integer) and viewer == SPECTATOR
    return SPECTATOR if watches else checked_seat(seats, viewer)


read = np.void.__getitem__
"""One field of a record by name: a tenth of what asking for it as an attribute takes."""


def opened(record: Any) -> SimpleNamespace:
    """The fields of a record, each read once: single values as int or bool, arrays as arrays that share its memory.

    Plain Python that looks at many fields takes this in place of the record, as rules do that are not compiled. Of what
    is opened already it gives another with the same values, so that they can be replaced.
    """
    if isinstance(record, SimpleNamespace):
        return SimpleNamespace(**vars(record))
    fields = ((name, read(record, name)) for name in record.dtype.names)
    return SimpleNamespace(**{name: value if isinstance(value, np.ndarray) else value.item() for name, value in fields})


class Visibility(Enum):
    SECRET = "secret"
    OWNED = "owned"
    PUBLIC = "public"


Bound: TypeAlias = int | tuple[int, ...] | None
"""The least or greatest value of a field's elements: one for all, or one for each place of its last axis."""


@dataclass(frozen=True)
class Field:
    """One declared field: who sees it, its element type, its shape (``()`` for a single value) and its bounds.

    No value between two decisions is below ``least`` or above ``most``. None: whatever the element type can hold, but
    with a ``most`` the least is 0. ValueError when there is no such range of that type, or no such shape.
    ``by_seat`` says whether the first axis is the seat; None: it is where it is as long as there are seats.
    """

    visibility: Visibility
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    least: Bound = None
    most: Bound = None
    by_seat: bool | None = None

    def __post_init__(self) -> None:
        low, high = self.bounds
        if np.any(low > high) or np.any(low < self._held[0]) or np.any(high > self._held[1]):
            raise ValueError(f"no values of {self.dtype} are from {self.least} to {self.most}")

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    @property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The least and the greatest value of each element, two arrays of the field's shape."""
        least = (self._held[0] if self.most is None else 0) if self.least is None else self.least
        most = self._held[1] if self.most is None else self.most
        return (
            np.broadcast_to(np.asarray(least, np.float64), self.shape),
            np.broadcast_to(np.asarray(most, np.float64), self.shape),
        )

    @property
    def _held(self) -> tuple[float, float]:
        """The least and the greatest value of the element type."""
        if self.dtype.kind == "b":
            return 0, 1
        if self.dtype.kind in "iu":
            return np.iinfo(self.dtype).min, np.iinfo(self.dtype).max
        return -math.inf, math.inf


def secret(dtype: Any, *shape: int) -> Field:
    """A field nobody may see."""
    return Field(Visibility.SECRET, np.dtype(dtype), shape)


def owned(dtype: Any, *shape: int, least: Bound = None, most: Bound = None) -> Field:
    """A field whose first axis is the seat that sees it; each seat sees its own part only."""
    return Field(Visibility.OWNED, np.dtype(dtype), shape, least, most, by_seat=True)


def public(dtype: Any, *shape: int, least: Bound = None, most: Bound = None, by_seat: bool | None = None) -> Field:
    """A field everybody may see, spectators too.

    ``by_seat`` is said where the length of the first axis is that of the seats by accident: what is drawn without the
    game's own words would else be told of the players.
    """
    return Field(Visibility.PUBLIC, np.dtype(dtype), shape, least, most, by_seat)


def _header(seats: int, streams: int) -> dict[str, Field]:
    everybody = 2**seats - 1
    return {
        "chance_key": secret(np.uint32, 8),
        "chance_count": secret(np.int32, max(streams, 1)),
        "acting": public(np.int32, most=everybody),
        "midmove": public(np.int32, most=everybody),
        "turn": public(np.int32, least=0),
        "seats": public(np.int8, least=1, most=seats),
        "rotation": public(np.int8, least=-1, most=seats - 1),
        "over": public(np.int8, most=2),
    }


class RecordType:
    """The layout of a game's state. Made by `record`.

    ``dtype`` is the NumPy dtype, ``fields`` the declared fields (the engine's header first), ``masks`` an array of
    uint8, shape (seats + 1, itemsize): 255 where a seat may see that byte, else 0; the last row is the spectator's,
    so that ``masks[SPECTATOR]`` is right.
    """

    def __init__(self, seats: int, fields: dict[str, Field]) -> None:
        self.seats = seats
        self.fields = fields
        # Largest elements first: every field is then aligned without hidden padding bytes.
        order = sorted(fields, key=lambda name: -fields[name].dtype.itemsize)
        layout: list[Any] = [(name, fields[name].dtype, fields[name].shape) for name in order]
        used = sum(fields[n].dtype.itemsize * int(np.prod(fields[n].shape, dtype=np.int64)) for n in order)
        if used % 8:
            layout.append(("padding", np.uint8, (8 - used % 8,)))
        self.dtype: np.dtype[Any] = np.dtype((np.record, np.dtype(layout, align=True)))
        self.masks = self._masks()

    def _masks(self) -> NDArray[np.uint8]:
        masks = np.zeros((self.seats + 1, self.dtype.itemsize), np.uint8)
        assert self.dtype.fields is not None
        for name, field in self.fields.items():
            offset = self.dtype.fields[name][1]
            width = field.dtype.itemsize * int(np.prod(field.shape, dtype=np.int64))
            if field.visibility is Visibility.PUBLIC:
                masks[:, offset : offset + width] = 255
            elif field.visibility is Visibility.OWNED:
                part = width // self.seats
                for seat in range(self.seats):
                    masks[seat, offset + seat * part : offset + (seat + 1) * part] = 255
        masks.flags.writeable = False
        return masks

    @property
    def itemsize(self) -> int:
        """Bytes of one state."""
        return self.dtype.itemsize

    @cached_property
    def numba_type(self) -> Any:
        """The Numba type of one record of this layout."""
        return numba.from_dtype(self.dtype)

    def new(self) -> Any:
        """A record of zeros."""
        return self.new_array(1)[0]

    def new_array(self, count: int) -> NDArray[Any]:
        """``count`` records of zeros, as an array whose elements are records that share its memory."""
        return np.zeros(count, self.dtype)

    def from_bytes(self, data: bytes) -> Any:
        """The record whose memory is ``data`` (a copy). ValueError when the length is wrong."""
        if len(data) != self.itemsize:
            raise ValueError(f"a state of this game has {self.itemsize} bytes, not {len(data)}")
        return np.frombuffer(bytearray(data), self.dtype)[0]

    def copy(self, state: Any) -> Any:
        """A copy that shares no memory with ``state``."""
        return self.from_bytes(state.tobytes())

    def view(self, state: Any, viewer: Viewer) -> Any:
        """What ``viewer`` (a seat, SPECTATOR or ALL_KNOWING) may know: a copy, every other byte zeroed.

        Refusal E_ACTOR when there is no such seat.
        """
        if viewer is ALL_KNOWING:
            return self.copy(state)
        viewer = checked_viewer(state.seats, viewer)
        memory = np.frombuffer(state.tobytes(), np.uint8) & self.masks[viewer]
        return np.frombuffer(bytearray(memory.tobytes()), self.dtype)[0]

    def to_json(self, state: Any, viewer: int) -> dict[str, Any]:
        """The view as plain values by field name. Hidden fields and hidden rows of owned fields are None."""
        viewer = checked_viewer(state.seats, viewer)
        result: dict[str, Any] = {}
        for name, field in self.fields.items():
            if field.visibility is Visibility.SECRET:
                result[name] = None
            elif field.visibility is Visibility.PUBLIC:
                result[name] = np.asarray(state[name]).tolist()
            else:
                rows = np.asarray(state[name]).tolist()
                result[name] = [row if seat == viewer else None for seat, row in enumerate(rows)]
        return result

    @cached_property
    def tensor_size(self) -> int:
        """Length of the vector `to_tensor` gives."""
        return self._tensor_places.shape[1]

    def to_tensor(self, state: Any, viewer: int, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """The view as float32 numbers: public fields, then the viewer's own row of owned ones (a spectator: zeros).

        ``out`` is where they are written (float32, shape (tensor_size,)), none: a new array. Refusal E_ACTOR when there
        is no such seat.
        """
        viewer = checked_viewer(int(read(state, "seats")), viewer)
        memory, start = state.tobytes(), 0
        numbers = np.empty(self._parts[-1].stop + 1, np.float32)
        for part in self._parts:
            numbers[start : part.stop] = np.frombuffer(memory, part.dtype, part.stop - start, part.offset)
            start = part.stop
        numbers[start] = 0.0
        return numbers.take(self._tensor_places[viewer], out=out, mode="clip")

    def tensor_bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the greatest value of each number that `to_tensor` gives to any viewer, in its order.

        Two arrays of float32, shape (tensor_size,). A row of an owned field may be the spectator's, so its bounds
        enclose 0.
        """
        least: list[NDArray[np.float64]] = []
        most: list[NDArray[np.float64]] = []
        for field in self.fields.values():
            low, high = field.bounds
            if field.visibility is Visibility.SECRET:
                continue
            if field.visibility is Visibility.OWNED:
                low, high = np.minimum(low.min(axis=0), 0), np.maximum(high.max(axis=0), 0)
            least.append(low.ravel())
            most.append(high.ravel())
        return np.concatenate(least).astype(np.float32), np.concatenate(most).astype(np.float32)

    @cached_property
    def _parts(self) -> list["_Part"]:
        """The memory of a record as rows of equal elements, one after the other."""
        parts: list[_Part] = []
        for name, field in sorted(self.fields.items(), key=lambda item: self._offset(item[0])):
            before = parts[-1].stop if parts else 0
            if parts and parts[-1].dtype == field.dtype:
                parts[-1] = parts[-1]._replace(stop=before + field.count)
            else:
                parts.append(_Part(field.dtype, self._offset(name), before + field.count))
        return parts

    @cached_property
    def _tensor_places(self) -> NDArray[np.intp]:
        """By viewer (the last row is the spectator's), which elements of `_parts` a tensor holds; -1 is a zero."""
        first: dict[str, int] = {}
        for name in sorted(self.fields, key=self._offset):
            first[name] = sum(self.fields[other].count for other in first)
        rows = []
        for viewer in [*range(self.seats), SPECTATOR]:
            row: list[int] = []
            for name, field in self.fields.items():
                if field.visibility is Visibility.PUBLIC:
                    row += range(first[name], first[name] + field.count)
                elif field.visibility is Visibility.OWNED:
                    width = field.count // self.seats
                    own = first[name] + viewer * width
                    row += range(own, own + width) if viewer != SPECTATOR else [self._parts[-1].stop] * width
            rows.append(row)
        return np.array(rows, np.intp)

    def _offset(self, name: str) -> int:
        assert self.dtype.fields is not None
        return self.dtype.fields[name][1]


class _Part(NamedTuple):
    """A row of elements of one type in a record's memory: where it begins (bytes), and how many there are up to it."""

    dtype: np.dtype[Any]
    offset: int
    stop: int


def record(seats: int, streams: tuple[str, ...] = (), **fields: Field) -> RecordType:
    """Declare a game's state.

    ``seats`` is the largest number of seats; ``streams`` names the sources of chance (`backroom.engine.chance`).
    The engine adds its header: ``chance_key``, ``chance_count`` (secret), ``acting`` and ``midmove`` (bit sets of
    seats), ``turn``, ``seats``, ``rotation``, ``over`` (public).

    ValueError: a name that NumPy's scalars use themselves (``size``, ``T`` ...) and would silently read instead of
    the field, a name of the header, or an owned field whose first axis is not ``seats``.
    """
    header = _header(seats, len(streams))
    for name, field in fields.items():
        if hasattr(np.record, name):
            raise ValueError(f"field {name!r}: NumPy's record has an attribute of that name; choose another name")
        if name in header or name == "padding":
            raise ValueError(f"field {name!r}: the engine's header has a field of that name; choose another name")
        if field.visibility is Visibility.OWNED and (not field.shape or field.shape[0] != seats):
            raise ValueError(f"field {name!r}: the first axis of an owned field is the seat, so it must be {seats}")
    return RecordType(seats, header | fields)


@kernel
def copy_view(source: Any, masks: Any, viewer: Int, target: Any) -> None:
    """Compiled `RecordType.view`: bytes of one state to another; ``viewer`` may be SPECTATOR.

    ``source`` and ``target`` are the states' memory as uint8 arrays, ``masks`` the layout's masks.
    """
    row = viewer if viewer >= 0 else masks.shape[0] - 1
    for i in range(source.shape[0]):
        target[i] = source[i] & masks[row, i]
