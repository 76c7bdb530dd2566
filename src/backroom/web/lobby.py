"""The lobby's form: chairs and house rules, from a game's options model to fields and back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticUndefined

from backroom.bots.regulars import LEVEL_WORDS, Regular, regular_of, regulars
from backroom.engine.game import Game
from backroom.tables.open_chairs import usual_chairs
from backroom.tables.views import ChairRequest
from backroom.web.house_rules import form_value
from backroom.web.opponents import next_regular, strengths
from backroom.web.rulebook import blocks
from backroom.web.table_page import box_of
from backroom.web.times import A_MOVE_A_DAY, PACES

__all__ = ["Switch", "chairs_wanted", "lobby_context", "options_wanted", "pace_wanted"]

SPEEDS = {"sitting": (0, "bot"), "day": (A_MOVE_A_DAY, "bot")}
"""What one sitting and a move a day mean: seconds for a decision, and what follows."""
FREE = {"friend": "whoever opens the link", "anybody": "whoever comes first"}
"""Chairs that a person is to have, and for whom."""
KEPT = ("name", "pace", "out_of_time", "speed")
"""Fields that have the same meaning for every game."""


@dataclass(frozen=True)
class Switch:
    """A house rule as a field: ``kind`` is choice (one of ``values``), number (from ``least`` to ``most``) or text.

    ``rule`` is the rule of the book that it changes or settles, or empty.
    """

    name: str
    title: str
    help: str
    rule: str
    kind: str
    values: tuple[tuple[str, str], ...]
    least: int | None
    most: int | None
    default: str
    printed: str
    value: str
    unclear: bool

    @property
    def changed(self) -> bool:
        """Whether the value differs from the printed rules."""
        return self.value != self.default


def _switch(game: Game, name: str, given: Mapping[str, str], preset: Mapping[str, Any], seats: int) -> Switch:
    field = game.options.model_fields[name]
    extra = game.options.extra(name)
    source = str(extra.get("source", ""))
    choices = game.options.choices(name)
    least, most = game.options.ends(name)
    suggestions = extra.get("suggestions", [])
    kind = "choice" if choices else "number" if least is not None else "text"
    values = choices or (list(suggestions) if isinstance(suggestions, list) else [])
    default = "" if field.default is PydanticUndefined else form_value(field.default)
    return Switch(
        name=name,
        title=sentence(game.options.label(name)),
        help=sentence(field.description or ""),
        rule=_rule(game, extra),
        kind=kind,
        values=tuple((form_value(value), game.options.in_words(name, value)) for value in values),
        least=least,
        most=most,
        default=default,
        printed=game.options.in_words(name, game.options.printed(name, seats)),
        value=given.get(f"option.{name}", form_value(preset[name]) if name in preset else default),
        unclear="ruling" in source,
    )


def _rule(game: Game, extra: Mapping[str, Any]) -> str:
    """The rule of the game's book that an option names, alone or in the words about its source."""
    known = {block.rule for block in blocks(game) if block.rule}
    named = re.findall(r"[A-Z]+\d+", f"{extra.get('rule', '')} {extra.get('source', '')}")
    return next((rule for rule in named if rule in known), "")


def sentence(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]


def _house_rules(game: Game, seats: int) -> list[str]:
    """The switches that can change something in a match of so many players."""
    options = game.options
    named = [name for name in options.model_fields if name not in options.simulation_only]
    return [name for name in named if options.applies(name, seats)]


def lobby_context(game: Game, games: Sequence[Game], values: Mapping[str, str], problem: str = "") -> dict[str, Any]:
    """What the lobby's template is given; ``values`` are the fields of the form as they were sent.

    ``preset`` among them fills the house rules in; fields that were sent for another game are forgotten.
    """
    sent = {key: value for key, value in values.items() if values.get("was", game.name) == game.name or key in KEPT}
    preset = sent.get("preset", "")
    given = {} if preset else sent
    base = game.options.presets.get(preset, {})
    count = _count(sent, usual_chairs(game)) + ("more" in sent) - ("fewer" in sent)
    count = min(max(count, game.seats.start), game.seats.stop - 1)
    switches = [_switch(game, name, given, base, count) for name in _house_rules(game, count)]
    pace, out_of_time = pace_wanted(sent)
    chairs = _seats(game, sent, count)
    return {
        "game": game,
        "games": games,
        "boxes": {other.name: box_of(other) for other in games},
        "box": box_of(game),
        "name": sent.get("name", ""),
        "title": sent.get("title", ""),
        "chairs": chairs,
        "kinds": [chair.chosen for chair in chairs],
        "level_words": LEVEL_WORDS,
        "count": count,
        "fewest": game.seats.start,
        "most": game.seats.stop - 1,
        "bots": strengths(game),
        "presets": list(game.options.presets),
        "preset": preset,
        "usual": [switch for switch in switches if not switch.unclear],
        "unclear": [switch for switch in switches if switch.unclear],
        "changed": sum(switch.changed for switch in switches),
        "pace": pace,
        "out_of_time": out_of_time,
        "paces": sorted({*PACES, pace}),
        "problem": problem,
    }


def _count(values: Mapping[str, str], usual: int) -> int:
    """How many chairs a form asks for."""
    wanted = values.get("chairs", "")
    return int(wanted) if wanted.isdecimal() and len(wanted) < 4 else usual


def chairs_wanted(game: Game, values: Mapping[str, str]) -> list[ChairRequest]:
    """The chairs of a sent form, yours first."""
    chairs = [ChairRequest("you", values.get("name", "").strip())]
    count = min(_count(values, game.seats.start), game.seats.stop)
    chosen = _chosen(values, count)
    for number in range(1, count):
        kind, _, spec = chosen[number - 1].partition(":")
        free = {"friend": ChairRequest("friend"), "anybody": ChairRequest("anybody")}
        chairs.append(free.get(kind) or ChairRequest("bot", bot=spec))
    return chairs


@dataclass(frozen=True)
class Seat:
    """A chair of the lobby besides one's own: what was ``chosen`` for it (friend, anybody, or ``bot:`` and a spec).

    ``title`` and ``small`` are what it says of that, ``regulars`` those that may sit there. Where one of them does,
    ``regular`` is which, ``level`` how strong in a word, ``weakness`` what one may learn about it at this game.
    """

    number: int
    chosen: str
    title: str
    small: str
    regulars: tuple[Regular, ...]
    regular: Regular | None = None
    level: str = ""
    weakness: str = ""

    @property
    def free(self) -> bool:
        """Whether a person is to sit there."""
        return self.chosen in FREE


def _chosen(values: Mapping[str, str], count: int) -> list[str]:
    """What the form says about each chair but one's own; where it says nothing, the next of the regulars sits down."""
    said = [values.get(f"chair{number}", "") for number in range(1, count)]
    keys = {choice[4:].partition(":")[0] for choice in said if choice.startswith("bot:")}
    found = []
    for number, choice in enumerate(said, 1):
        if not choice:
            regular = next_regular(keys)
            keys |= {regular.key} if regular is not None else set()
            choice = f"bot:{regular.key}:even" if regular is not None else "bot:greedy"
        elif choice[:4] == "bot:" and choice[4:] in regulars():
            choice = f"{choice}:{values.get(f'level{number}', 'even')}"
        found.append(choice)
    return found


def _seats(game: Game, values: Mapping[str, str], count: int) -> list[Seat]:
    """The chairs of the lobby besides one's own."""
    chosen = _chosen(values, count)
    sitting = [regular_of(choice[4:]) if choice.startswith("bot:") else None for choice in chosen]
    seats = []
    for number, (choice, found) in enumerate(zip(chosen, sitting, strict=True), 1):
        others = [other[0] for other in (*sitting[: number - 1], *sitting[number:]) if other is not None]
        free = tuple(regular for regular in regulars().values() if regular not in others)
        if found is None:
            title, small = ("Free chair", FREE[choice]) if choice in FREE else ("Apprentice", "plays at once")
            seats.append(Seat(number, choice, title, small, free))
        else:
            regular, level = found
            own = free if regular in free else (*free, regular)
            weakness = regular.at(game).weakness
            seats.append(Seat(number, choice, regular.name, regular.manner, own, regular, level, weakness))
    return seats


def pace_wanted(values: Mapping[str, str]) -> tuple[int, str]:
    """The pace of a sent form in seconds (0: no limit), and what follows when time runs out."""
    if values.get("speed") in SPEEDS:
        return SPEEDS[values["speed"]]
    pace = values.get("pace", "0")
    return int(pace) if pace.isdecimal() and len(pace) < 10 else 0, values.get("out_of_time", "bot")


def options_wanted(game: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """The options of a sent form that differ from the defaults, as the options model takes them."""
    wanted: dict[str, Any] = {}
    count = _count(values, game.seats.start)
    for name in _house_rules(game, count):
        switch = _switch(game, name, values, {}, count)
        if switch.value == switch.default:
            continue
        if switch.kind == "number":
            wanted[name] = int(switch.value) if re.fullmatch(r"-?\d{1,18}", switch.value) else switch.value
        elif game.options.choices(name) == [False, True]:
            wanted[name] = switch.value == "yes"
        else:
            wanted[name] = switch.value
    return wanted
