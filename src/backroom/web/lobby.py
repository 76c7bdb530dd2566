"""The lobby's form: chairs and house rules, from a game's options model to fields and back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticUndefined

from backroom.bots.regulars import LEVEL_WORDS, Regular, regular_of, regulars
from backroom.engine.game import Game, Refusal
from backroom.engine.notation import Thing
from backroom.scenes.scene import Emblem
from backroom.scenes.teaching import Section, teaching_of
from backroom.tables.open_chairs import usual_chairs
from backroom.tables.views import ChairRequest
from backroom.web.asked import PICK
from backroom.web.house_rules import form_value
from backroom.web.opponents import next_regular, strengths
from backroom.web.rulebook import blocks
from backroom.web.table_page import box_of, emblem_of, table_module
from backroom.web.times import A_MOVE_A_DAY, PACES

__all__ = ["Switch", "chairs_wanted", "lobby_context", "options_wanted", "pace_wanted", "quiet_wanted"]

SPEEDS = {"sitting": (0, "bot"), "day": (A_MOVE_A_DAY, "bot")}
"""What one sitting and a move a day mean: seconds for a decision, and what follows."""
FREE = {"friend": "whoever opens the link", "anybody": "whoever comes first"}
"""Chairs that a person is to have, and for whom."""
KEPT = ("name", "pace", "out_of_time", "speed", "quiet")
"""Fields that have the same meaning for every game."""


@dataclass(frozen=True)
class Pick:
    """A card that is in or out, or (without ``emblem``) what may be had in place of all: its key, words and drawing."""

    key: str
    words: str
    emblem: Emblem | None
    on: bool


@dataclass(frozen=True)
class Preset:
    """A ready-made set: name, title, a line about it, drawings of its cards; ``active`` is what is on the form."""

    name: str
    title: str
    line: str
    emblems: tuple[Emblem, ...]
    active: bool


@dataclass(frozen=True)
class Switch:
    """A house rule as a field: ``kind`` is choice (one of ``values``), number (``least`` to ``most``), cards, text or
    file (a text of many lines).

    Of ``picks``, its cards, ``most`` are to be in. ``rule`` is the rule of the book that it changes or settles.
    ``base`` is its value in the ready-made set that is on the form. With ``decides`` others hang on it.
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
    base: str
    unclear: bool
    picks: tuple[Pick, ...]
    decides: bool

    @property
    def changed(self) -> bool:
        """Whether the value differs from that of the set on the form: mostly the printed rules."""
        return self.value != self.base


def _switch(game: Game, name: str, given: Mapping[str, str], preset: Mapping[str, Any], seats: int) -> Switch:
    field = game.options.model_fields[name]
    extra = game.options.extra(name)
    source = str(extra.get("source", ""))
    choices = game.options.choices(name)
    least, most = game.options.ends(name)
    suggestions = extra.get("suggestions", [])
    count, cards = game.options.picks(name)
    kind = "choice" if choices else "number" if least is not None else "cards" if cards else "text"
    kind = "file" if extra.get("file") else kind
    values = choices or (list(suggestions) if isinstance(suggestions, list) else [])
    default = "" if field.default is PydanticUndefined else form_value(field.default)
    base = form_value(preset[name]) if name in preset else default
    value = _given(game, name, given, base)
    title, words = sentence(game.options.label(name)), [game.options.in_words(name, one) for one in values]
    return Switch(
        name=name,
        title=title,
        help=""
        if cards or _says_nothing_new(field.description or "", title, *words)
        else sentence(field.description or ""),
        rule=_rule(game, extra),
        kind=kind,
        values=tuple((form_value(value), word) for value, word in zip(values, words, strict=True)),
        least=least,
        most=count or most,
        default=default,
        printed=game.options.in_words(name, game.options.printed(name, seats)),
        value=value,
        base=base,
        unclear="ruling" in source,
        picks=_picks(game, name, cards, value, values),
        decides=bool(cards) or any(name in game.options.extra(other).get("needs", ()) for other in _names(game)),
    )


def _given(game: Game, name: str, sent: Mapping[str, str], otherwise: str) -> str:
    """The value of an option in a form: as text, or by the cards that are picked."""
    picked = sent.get(f"{PICK}{name}")
    if picked is not None:
        return game.options.picked(name, picked.split())
    return sent.get(f"option.{name}", otherwise)


def _says_nothing_new(text: str, *said: str) -> bool:
    """Whether all words of a text but the smallest stand in what is said beside it anyway."""
    known = set(re.findall(r"\w+", " ".join(said).casefold()))
    return set(re.findall(r"\w{4,}", text.casefold())) <= known


def _cards_of(game: Game, name: str, value: Any) -> tuple[tuple[str, str], ...] | None:
    """The cards that a value of an option stands for; None if it is no value."""
    try:
        return game.options.build({name: value}).cards_of(name)
    except Refusal:
        return None


def _picks(
    game: Game, name: str, cards: Sequence[tuple[str, str]], value: str, named: Sequence[str]
) -> tuple[Pick, ...]:
    if not cards:
        return ()
    known = _cards_of(game, name, value)
    on = [key for key, _ in known] if known is not None else list(value.upper())
    draw = table_module(game).emblem
    found = [Pick(key, words, draw(Thing("card", key, words)), key in on) for key, words in cards]
    instead = [other for other in named if _cards_of(game, name, other) == ()]
    return (*found, *(Pick(other, game.options.in_words(name, other), None, other == value) for other in instead))


def _presets(game: Game, active: str) -> list[Preset]:
    draw, found = table_module(game).emblem, []
    for name, values in game.options.presets.items():
        options = game.options.build(values)
        cards = [card for option in game.options.model_fields for card in options.cards_of(option)]
        drawn = [draw(Thing("card", key, words)) for key, words in cards]
        emblems = tuple(emblem for emblem in drawn if emblem is not None)
        title, line = sentence(name.replace("_", " ")), game.options.preset_lines.get(name, "")
        found.append(Preset(name, title, line, emblems, name == active))
    return found


def _rule(game: Game, extra: Mapping[str, Any]) -> str:
    """The rule of the game's book that an option names, alone or in the words about its source."""
    known = {block.rule for block in blocks(game) if block.rule}
    named = re.findall(r"[A-Z]+\d+", f"{extra.get('rule', '')} {extra.get('source', '')}")
    return next((rule for rule in named if rule in known), "")


def sentence(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]


def _names(game: Game) -> list[str]:
    """The switches that are house rules."""
    return [name for name in game.options.model_fields if name not in game.options.simulation_only]


def _house_rules(game: Game, seats: int, given: Mapping[str, str], preset: Mapping[str, Any]) -> list[Switch]:
    """The switches that can change something in a match of so many players with the others as they are in the form."""
    named = [name for name in _names(game) if game.options.applies(name, seats)]
    switches = [_switch(game, name, given, preset, seats) for name in named]
    try:
        options = game.options.build(_wanted(game, switches))
    except Refusal:
        return switches
    return [switch for switch in switches if options.matters(switch.name, seats)]


def lobby_context(game: Game, games: Sequence[Game], values: Mapping[str, str], problem: str = "") -> dict[str, Any]:
    """What the lobby's template is given; ``values`` are the fields of the form as they were sent.

    ``preset`` among them fills the house rules in; fields that were sent for another game are forgotten.
    """
    sent = {key: value for key, value in values.items() if values.get("was", game.name) == game.name or key in KEPT}
    presets = game.options.presets
    preset, printed = sent.get("preset", ""), next((name for name, set_ in presets.items() if not set_), "")
    given = {} if preset or "printed" in sent else sent
    active = printed if "printed" in sent else preset or sent.get("set", "")
    active = active if active in presets else printed
    base = presets.get(active, {})
    count = _count(sent, usual_chairs(game)) + ("more" in sent) - ("fewer" in sent)
    count = min(max(count, game.seats.start), game.seats.stop - 1)
    switches = _house_rules(game, count, given, base)
    pace, out_of_time = pace_wanted(sent)
    chairs = _seats(game, sent, count)
    own = [switch for switch in switches if switch.kind == "file" and switch.value]
    shown: tuple[Section, ...] = ()
    if own and not problem:
        try:
            shown = teaching_of(game).crib(game.options.build(_wanted(game, switches)), count, None)[-1:]
        except Refusal as refusal:
            problem = refusal.message
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
        "presets": _presets(game, active),
        "active": active,
        "picked": [switch for switch in switches if switch.picks],
        "usual": [switch for switch in switches if not (switch.unclear or switch.picks)],
        "unclear": [switch for switch in switches if switch.unclear],
        "changed": sum(switch.changed for switch in switches),
        "pace": pace,
        "out_of_time": out_of_time,
        "paces": sorted({*PACES, pace}),
        "chatting": any(chair.regular for chair in chairs),
        "quiet": quiet_wanted(sent),
        "problem": problem,
        "shown": shown,
        "emblem_of": emblem_of(game),
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


def quiet_wanted(values: Mapping[str, str]) -> bool:
    """Whether a sent form wants bots that do not chat."""
    return values.get("quiet") == "1"


def options_wanted(game: Game, values: Mapping[str, str]) -> dict[str, Any]:
    """The options of a sent form that differ from the defaults, as the options model takes them."""
    count = _count(values, game.seats.start)
    return _wanted(game, _house_rules(game, count, values, {}))


def _wanted(game: Game, switches: Sequence[Switch]) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    for switch in switches:
        name = switch.name
        if switch.value == switch.default:
            continue
        if switch.kind == "number":
            wanted[name] = int(switch.value) if re.fullmatch(r"-?\d{1,18}", switch.value) else switch.value
        elif game.options.choices(name) == [False, True]:
            wanted[name] = switch.value == "yes"
        else:
            wanted[name] = switch.value
    return wanted
