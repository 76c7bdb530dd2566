"""The rule switches of a game: each is declared once, and the state's fields and the kernels' constants follow."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic import Field as Declared

from backroom.engine import names
from backroom.engine.record import Field, public
from backroom.engine.refusal import Refusal, quoted

__all__ = ["Options", "switch", "who_begins"]


def switch(
    default: Any,
    *,
    description: str,
    source: str = "",
    title: str | None = None,
    rule: str = "",
    words: Mapping[str, str] | None = None,
    seats: Sequence[int] | None = None,
    needs: Mapping[str, Sequence[Any]] | None = None,
    by_seats: Mapping[int, Any] | None = None,
    suggestions: Sequence[str] | None = None,
    file: bool = False,
    ge: int | None = None,
    le: int | None = None,
) -> Any:
    """Declare one switch of an `Options`: ``tie: Literal["share", "more"] = switch("share", title=..., ...)``.

    Its type is bool, a Literal of words or of numbers, an int from ``ge`` to ``le``, or free text; each may allow None.

    ``title`` is a short label for people; ``words`` are how the values read after it, each by what is typed for it
    (``yes`` and ``no`` for a bool, ``none`` for None); ``suggestions`` are the values of free text that a form offers.
    ``source`` says where the rule comes from, ``rule`` which rule of the rulebook it changes. ``seats`` are the numbers
    of players that it matters for, where it does not for all, ``needs`` the values of other switches with which it can
    change anything; ``by_seats`` is what None means, by number of players. ``file``: it is the text of a file, and
    the command line takes the name of that; nobody else can have a file opened.
    """
    extra = {
        "source": source, "rule": rule, "words": words, "suggestions": suggestions, "seats": seats,
        "needs": needs, "by_seats": by_seats, "file": file or None,
    }  # fmt: skip
    told: Any = {name: value for name, value in extra.items() if value is not None and value != ""}
    return Declared(default, title=title, description=description, ge=ge, le=le, json_schema_extra=told)


def who_begins(*, description: str, source: str, rule: str = "") -> Any:
    """Declare the switch that says who begins, a ``str | None``: a player's name, ``random``, or None for the first.

    It has no field of its own: the state's ``rotation`` holds it, -1 where the set-up is to draw who begins.
    """
    words = {"none": "the first one named", "random": "drawn by lot"}
    declared = switch(None, title="who begins", description=description, source=source, rule=rule, words=words)
    declared.json_schema_extra["begins"] = True
    return declared


class Options(BaseModel):
    """Base of a game's rule switches: frozen, validated, every value plain (bool, int, None, a word from a Literal).

    Subclasses declare one field a switch (`switch`, `who_begins`). ``presets`` are named sets of values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    @property
    def from_memory(self) -> bool:
        """Whether the match is played from memory, so that players keep no notes while it goes on."""
        return False

    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    preset_lines: ClassVar[dict[str, str]] = {}
    """What a set of values makes of the game, in a line."""
    to_try: ClassVar[dict[str, Any]] = {}
    """House rules that a game without presets offers to be tried."""
    move_words: ClassVar[frozenset[str]] = frozenset()
    """Words of the game's moves, where a player may not be called like one of them."""
    simulation_only: ClassVar[frozenset[str]] = frozenset()
    """Switches that are program guards for simulations: no house rules, so no table of people has them."""
    refusal_codes: ClassVar[frozenset[str]] = frozenset({"E_SETUP"})
    """The codes by which values are refused: E_SETUP, and what a game's specification calls faults of a file in one."""

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        """Values that simulations use where none is given: program guards against endless games."""
        del seats
        return {}

    @classmethod
    def codes(cls, name: str) -> tuple[int, ...]:
        """The codes of the values that a switch's type lists, in order: constants that kernels compare its field with.

        The code of a word is its place, of a bool 0 or 1, of a number itself. None are listed for free text and for
        numbers of a range.
        """
        return tuple(place if isinstance(value, str) else int(value) for place, value in enumerate(cls._listed(name)))

    @classmethod
    def fields(cls) -> dict[str, Field]:
        """The state's public fields that hold the switches, by name in their order, to declare its record with.

        A switch of free text has none: its game declares what it needs and adds it to `encode`. Each field is of the
        smallest signed integer type that has room for all codes. ValueError: a number without a least or a greatest.
        """
        return {name: cls._field(name) for name in cls._held()}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        """The state's fields that hold these options, and ``rotation``: the player who begins, by number from 0.

        A ``rotation`` of -1 lets the set-up draw who begins. Refusal E_SETUP when nobody has the name that is to begin.
        """
        return {"rotation": self._rotation(players)} | {name: self.code(name, len(players)) for name in self._held()}

    def code(self, name: str, seats: int) -> int:
        """The code of one option in a match of so many players; None is -1 where nothing says what it means."""
        value = getattr(self, name)
        if value is None:
            value = self.extra(name).get("by_seats", {}).get(seats)
            if value is None:
                return -1
        return self._listed(name).index(value) if isinstance(value, str) else int(value)

    @classmethod
    def changed(cls, state: Any) -> dict[str, Any]:
        """The switches that a state holds otherwise than they are printed for its number of players: values by name."""
        seats = int(state.seats)
        values = {name: cls._value(name, int(getattr(state, name))) for name in cls._held()}
        return {name: value for name, value in values.items() if value != cls.printed(name, seats)}

    @classmethod
    def _value(cls, name: str, code: int) -> Any:
        """The value that a code stands for."""
        number = None if code == -1 and type(None) in cls._kinds(name) else code
        return dict(zip(cls.codes(name), cls._listed(name), strict=True)).get(code, number)

    def _rotation(self, players: Sequence[str]) -> int:
        for name in type(self).model_fields:
            wanted = getattr(self, name)
            if "begins" not in self.extra(name) or wanted is None:
                continue
            if wanted.lower() == "random":
                return -1
            seat = names.seat_called(wanted, players)
            if seat is None:
                raise Refusal("E_SETUP", f"{name}: nobody is called {wanted!r}; say one of {', '.join(players)}")
            return seat
        return 0

    @classmethod
    def _field(cls, name: str) -> Field:
        found = list(cls.codes(name))
        if not found:
            found = [end for end in cls.ends(name) if end is not None]
            if len(found) < 2:
                raise ValueError(
                    f"option {name}: a number is declared with ge and le, its least and its greatest value"
                )
        if type(None) in cls._kinds(name) and "by_seats" not in cls.extra(name):
            found.append(-1)
        least, most = min(found), max(found)
        sizes = (np.int8, np.int16, np.int32, np.int64)
        size = next(kind for kind in sizes if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max)
        return public(size, least=least, most=most)

    @classmethod
    def _held(cls) -> list[str]:
        """The switches that have a field."""
        return [name for name in cls.model_fields if str not in cls._kinds(name)]

    @classmethod
    def _kinds(cls, name: str) -> tuple[Any, ...]:
        """The types of a switch: its own, or each of a union."""
        annotation = cls.model_fields[name].annotation
        return (annotation,) if get_origin(annotation) is Literal else get_args(annotation) or (annotation,)

    @classmethod
    def _listed(cls, name: str) -> list[Any]:
        """The values that a switch's type lists, but for None."""
        kinds = cls._kinds(name)
        if bool in kinds:
            return [False, True]
        return [value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]

    @classmethod
    def ends(cls, name: str) -> tuple[int | None, int | None]:
        """The least and the greatest number that a switch may be; None where nothing bounds it."""
        limits = cls.model_fields[name].metadata
        least, most = (
            next((getattr(limit, end) for limit in limits if hasattr(limit, end)), None) for end in ("ge", "le")
        )
        return least, most

    @classmethod
    def choices(cls, name: str) -> list[Any]:
        """The values there are to choose from, in order; empty where a number, a text or None may be given."""
        return [] if type(None) in cls._kinds(name) else cls._listed(name)

    @classmethod
    def extra(cls, name: str) -> dict[str, Any]:
        """What a switch declares besides its type and default."""
        extra = cls.model_fields[name].json_schema_extra
        return extra if isinstance(extra, dict) else {}

    @classmethod
    def reserved(cls) -> frozenset[str]:
        """Words that no player is called: those of the options and their values, and of the moves where it matters."""
        found = {"random", "none", *cls.move_words, *cls.model_fields}
        for name in cls.model_fields:
            extra = cls.extra(name)
            found |= {str(value).lower() for value in (*cls.choices(name), *extra.get("words", ()))}
            found |= {str(value).lower() for value in extra.get("suggestions", ())}
        return frozenset(found)

    @classmethod
    def label(cls, name: str) -> str:
        """A switch's label for people."""
        return cls.model_fields[name].title or name.replace("_", " ")

    @classmethod
    def typed(cls, value: Any) -> str:
        """A value as it is typed: ``yes`` and ``no`` for a bool, ``none`` for None."""
        if value is None:
            return "none"
        return ("no", "yes")[value] if isinstance(value, bool) else str(value)

    @classmethod
    def in_words(cls, name: str, value: Any) -> str:
        """A switch's value for people, to be read after its label."""
        typed = cls.typed(value)
        return str(cls.extra(name).get("words", {}).get(typed, typed))

    @classmethod
    def applies(cls, name: str, seats: int) -> bool:
        """Whether a switch can change anything in a match of so many players."""
        return seats in cls.extra(name).get("seats", (seats,))

    def matters(self, name: str, seats: int) -> bool:
        """Whether a switch can change anything in a match of so many players with all others as they are."""
        needs = self.extra(name).get("needs", {})
        return self.applies(name, seats) and all(getattr(self, other) in values for other, values in needs.items())

    @classmethod
    def picks(cls, name: str) -> tuple[int, tuple[tuple[str, str], ...]]:
        """How many cards a switch of free text is chosen by, and of which, as in `cards_of`; mostly 0 of none."""
        del name
        return 0, ()

    @classmethod
    def picked(cls, name: str, keys: Sequence[str]) -> str:
        """The value of such a switch for cards that somebody picked, by their keys; valid or not."""
        del name
        return "".join(keys)

    @classmethod
    def printed(cls, name: str, seats: int) -> Any:
        """What a switch's default means in a match of so many players."""
        default = cls.model_fields[name].default
        return cls.extra(name).get("by_seats", {}).get(seats, default) if default is None else default

    def again(self, state: Any, names: Sequence[str], chairs: Sequence[str]) -> Self:
        """The options of a rematch: these, with what the match that is over hands on to it.

        ``state`` is its last and ``names`` are its players by seat; ``chairs`` who sits down again, in the new order,
        empty where somebody else may.
        """
        del state, names, chairs
        return self

    def cards_of(self, name: str) -> tuple[tuple[str, str], ...]:
        """The cards that a switch's value stands for, as (key, words) of things of kind ``card``; mostly none."""
        del name
        return ()

    @classmethod
    def _has_word(cls, name: str, word: str) -> bool:
        return name in cls.model_fields and word.lower() in cls.choices(name)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        """Options from a mapping (``preset`` names a set to start from). Refusal E_SETUP names what is wrong."""
        values = dict(values)
        preset = values.pop("preset", None)
        if preset is not None:
            if not isinstance(preset, str) or preset not in cls.presets:
                raise Refusal("E_SETUP", f"no preset {preset!r}; there are {', '.join(cls.presets) or 'none'}")
            values = cls.presets[preset] | values
        for name, value in values.items():
            if isinstance(value, str) and value.lower() == "none" and not cls._has_word(name, value):
                values[name] = None
        try:
            return cls(**values)
        except ValidationError as problem:
            raise Refusal("E_SETUP", cls._explain(problem)) from None

    @classmethod
    def _explain(cls, problem: ValidationError) -> str:
        first = problem.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"][:1])
        if not name:
            return str(first["msg"]).removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            return f"no option {name!r}; there are {', '.join(cls.model_fields)}"
        return f"option {name} = {quoted(first.get('input'))}: {first['msg'].removeprefix('Value error, ')}"
