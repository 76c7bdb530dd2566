"""The table page: from what one browser may know (`TableView`) to HTML, for any game that brings a table.

What a game brings is written down in ``docs/pages.md``: ``table.py`` (`backroom.engine.table.TableModule`),
``table.html`` and ``table.css`` in its folder.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module, util
from typing import Any, cast

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from backroom.bots import bot_specs
from backroom.engine.game import CAPPED, Game, find_game, game_names
from backroom.engine.notation import Line, Thing, Token, move_text, play_on_view
from backroom.engine.table import Box, Choice, Draft, Emblem, Scene, TableModule
from backroom.tables.views import Chair, TableView
from backroom.web.audience import audience_of
from backroom.web.rulebook import Part
from backroom.web.rulebook import parts as rule_parts

__all__ = ["box_of", "environment", "offered_games", "render_table", "render_text", "strengths", "table_module"]

LOG_LINES = 300
"""Newest lines of the log on a page; the text page has all."""
JUST_LINES = 3
LISTED_MOVES = 60
"""Up to so many moves are listed with their effects in text mode."""

STRENGTHS = (("random", "gentle"), ("greedy", "even"), ("search", "hard"))
"""Bots that every game has, and what they are called."""


# Games


@cache
def table_module(game: Game) -> TableModule | None:
    """A game's ``table`` module, or None when it brings no page of its own."""
    name = f"{game.rules.__package__}.table"
    if not util.find_spec(name) or not game.file("table.html").is_file():
        return None
    module: TableModule = cast(TableModule, import_module(name))
    return module


def offered_games() -> list[Game]:
    """The games that can be played in the browser."""
    games = [find_game(name) for name in game_names()]
    return [game for game in games if table_module(game) is not None]


def box_of(game: Game) -> Box:
    """What stands on the game's box."""
    module = table_module(game)
    assert module is not None
    return module.BOX


def strengths(game: Game) -> list[tuple[str, str]]:
    """Bots of a game as (spec, word): three strengths, then the game's own characters."""
    known = {spec for spec, _ in STRENGTHS} | {"search:N"}
    own = [(spec, spec.replace("_", " ")) for spec in bot_specs(game) if spec not in known]
    return [*((spec, word) for spec, word in STRENGTHS if spec in bot_specs(game)), *own]


# Templates


def _game_template(name: str) -> str | None:
    found = re.fullmatch(r"games/([\w-]+)/([\w-]+\.html)", name)
    return find_game(found[1]).file(found[2]).read_text("utf-8") if found else None


@cache
def environment() -> Environment:
    """The templates: the shared ones, and those of a game's folder, as ``games/NAME/table.html``."""
    loader = ChoiceLoader([PackageLoader("backroom.web"), FunctionLoader(_game_template)])
    return Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )


# What the templates are given


@dataclass(frozen=True)
class SeatModel:
    """A player on the rail: ``note`` is the last deed, from the log."""

    name: str
    bot: bool
    here: bool
    acting: bool
    note: str


@dataclass(frozen=True)
class Rank:
    """A row of the ranking."""

    place: int
    seat: int
    name: str
    bot: bool
    note: str
    score: int
    goal: int | None


@dataclass(frozen=True)
class Group:
    """Options under one heading: those over the whole width, then those two in a row."""

    name: str
    wide: list[Choice]
    half: list[Choice]


@dataclass(frozen=True)
class Page:
    """What the shared table page shows besides the view and the game's scene.

    ``state`` is your-turn, waiting, watching, over, or replay for an earlier position; ``lit`` says that the lamp is
    over this seat.
    """

    state: str
    lit: bool
    lamp: str
    cloth: str
    heading: str
    sentence: str
    subtitle: str
    question: str
    past: bool
    seats: list[SeatModel]
    others: list[Chair]
    free: list[Chair]
    away: list[Chair]
    ranks: list[Rank]
    just: list[Line]
    just_seat: int | None
    just_things: list[Thing]
    choices: list[Group]
    nexts: list[tuple[Token, str]]
    say: str
    then: str
    tab: str
    lines: list[tuple[int, Line]]
    can_undo: bool
    can_ask_undo: bool
    seed_fits: bool
    rule_parts: list[Part]
    seat_by_name: dict[str, int]


def _listed(names: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _starts_with(line: Line, name: str) -> bool:
    return line.text.startswith(f"{name} ")


def _doer(line: Line, view: TableView) -> int | None:
    """The seat whose deed a line tells: its first word is a name, or You."""
    first = line.text.split(" ", 1)[0]
    if first == "You" and view.seat is not None:
        return view.seat
    return next((seat for seat, name in enumerate(view.names) if name == first), None)


def _last_deeds(view: TableView) -> dict[int, str]:
    """What each player did last, without the name and what came of it."""
    deeds: dict[int, str] = {}
    for move, line in reversed(view.lines):
        seat = _doer(line, view)
        if move and seat is not None and seat not in deeds:
            deed = line.text.split(" ", 1)[1]
            deeds[seat] = re.split(r"[.:;,]| for | with | and (?:turned|drew|discarded|opened)", deed)[0]
    return deeds


def _just(view: TableView, scene: Scene) -> list[Line]:
    """The lines of the move that matters now: the last one, or while something is asked the one that asks."""
    by_move: dict[int, list[Line]] = {}
    for move, line in view.lines:
        by_move.setdefault(move, []).append(line)
    for move in sorted(by_move, reverse=True):
        if scene.ask is None or _doer(by_move[move][0], view) == scene.ask.asker:
            return by_move[move][:JUST_LINES] if move else []
    return []


def _things(line: Line) -> list[Thing]:
    """The things a line names; those with a number before them twice, as a sign of several."""
    found: list[Thing] = []
    before: str | Thing = ""
    for part in line.parts:
        if isinstance(part, Thing):
            several = isinstance(before, str) and re.search(r"\b([2-9]|\d\d+) $", before)
            found += [part, part] if several else [part]
        before = part
    return found


def _waiting_heading(view: TableView) -> str:
    names = [view.names[seat] for seat in view.acting]
    if len(names) > 3:
        return f"{len(names)} are thinking"
    return f"{_listed(names)} {'is' if len(names) == 1 else 'are'} thinking"


def _ended_heading(view: TableView) -> str:
    if view.over == CAPPED:
        return "Stopped unfinished"
    winners = [seat for seat, place in enumerate(view.places) if place == 1]
    names = ["You" if seat == view.seat else view.names[seat] for seat in winners]
    names.sort(key=lambda name: name == "You")
    score = view.scores[winners[0]]
    if len(winners) > 1:
        together = _listed(["you" if name == "You" else name for name in names])
        return f"{together} share the first place with {score}"
    return f"You win with {score}" if names == ["You"] else f"{names[0]} wins with {score}"


def _ranks(view: TableView, seats: list[SeatModel], scene: Scene) -> list[Rank]:
    goals = {plate.seat: plate.goal for plate in (*scene.plates, *([scene.own] if scene.own else []))}
    ranks = []
    for seat in sorted(range(len(view.names)), key=lambda seat: (view.places[seat], seat)):
        place = view.places[seat]
        sharing = [view.names[other] for other, same in enumerate(view.places) if same == place and other != seat]
        note = f"shares with {_listed(sharing)}" if sharing else "the winner" if place == 1 else ""
        ranks.append(
            Rank(place, seat, view.names[seat], seats[seat].bot, note, view.scores[seat], goals.get(seat))
        )  # fmt: skip
    return ranks


def _subtitle(view: TableView, company: str, aim: str) -> str:
    title = f"{view.title} · " if view.title and view.title != view.game.title else ""
    return title + ", ".join(filter(None, [company, aim]))


def _groups(choices: Sequence[Choice]) -> list[Group]:
    groups: dict[str, Group] = {}
    for choice in choices:
        group = groups.setdefault(choice.group, Group(choice.group, [], []))
        (group.half if choice.half else group.wide).append(choice)
    return list(groups.values())


def _token_choices(draft: Draft) -> list[Choice]:
    """For a game that lists no choices of its own: what the first word of a move can be."""
    first = Draft(draft.game, draft.view, draft.seat, draft.names)
    return [Choice(token.text, "", token.text) for token in first.tokens]


def _nexts(draft: Draft) -> list[tuple[Token, str]]:
    if not draft.text:
        return []
    return [(token, draft.settle(draft.append(draft.text, token))) for token in draft.tokens if token.text]


def _sayings(draft: Draft, scene: Scene) -> tuple[str, str]:
    """The move in preparation as a sentence, and what will follow it."""
    if not draft.text:
        return "Nothing chosen yet", "Choose a thing on the table, or one of the options."
    say = scene.say or draft.text
    if scene.missing:
        return say, scene.missing
    if draft.problem:
        return draft.text, ""
    if draft.actions is not None:
        return say, draft.sentence
    return f"{say} …", "Not finished: choose what comes next."


def _page(view: TableView, game: Game, scene: Scene, draft: Draft) -> Page:
    chairs = {chair.seat: chair for chair in view.chairs}
    deeds = _last_deeds(view)
    seats = [
        SeatModel(
            name, bool(chairs[seat].bot), chairs[seat].here, seat in view.acting,
            deeds.get(seat, "a bot" if chairs[seat].bot else "has not moved yet"),
        )
        for seat, name in enumerate(view.names)
    ]  # fmt: skip
    over = bool(view.over)
    past = view.move != view.moves
    lit = draft.acting
    state = (
        "replay" if past else "over" if over else "watching" if view.seat is None else "your-turn" if lit else "waiting"
    )
    if past:
        heading, lamp = "Looking back", "hourglass"
        saw = "a chair with no cards" if view.seat is None else "your chair"
        sentence = f"After move {view.move} of {view.moves}. You see what {saw} saw then."
    elif over:
        moves = f"{view.moves} move{'s' if view.moves != 1 else ''}"
        heading, sentence, lamp = _ended_heading(view), f"Everything is face up now. {moves}.", "laurel"
    elif view.seat is None:
        heading, lamp = "You are watching", "keyhole"
        sentence = f"{_waiting_heading(view)}. You see what a chair with no cards sees."
    else:
        heading = scene.heading or ("Your turn" if lit else _waiting_heading(view))
        sentence, lamp = scene.sentence, "lamp-on" if lit else "lamp-off"
    count = len(view.names)
    word = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}.get(count, str(count))
    say, then = _sayings(draft, scene)
    just = _just(view, scene)
    choices = list(scene.choices) or (_token_choices(draft) if lit else [])
    return Page(
        state=state,
        lit=lit,
        lamp=lamp,
        cloth=box_of(game).cloth,
        heading=heading,
        sentence=sentence,
        subtitle=_subtitle(view, f"{word} at the table", scene.aim),
        question=view.question,
        past=past,
        seats=seats,
        others=[chair for chair in view.chairs if not chair.you],
        free=[chair for chair in view.chairs if chair.invite],
        away=[chair for chair in view.chairs if chair.held and not chair.here and not chair.you and not chair.bot],
        ranks=_ranks(view, seats, scene) if over else [],
        just=just,
        just_seat=_doer(just[0], view) if just else None,
        just_things=_things(just[0]) if just else [],
        choices=_groups(choices),
        nexts=_nexts(draft),
        say=say,
        then=then,
        tab="talk" if game.messages is not None else "log",
        lines=list(reversed(view.lines[-LOG_LINES:])),
        can_undo=view.undo_free,
        can_ask_undo=bool(view.undo_moves),
        seed_fits=bool(view.seed) and hashlib.sha256(bytes.fromhex(view.seed)).hexdigest() == view.commitment,
        rule_parts=rule_parts(game),
        seat_by_name={name: seat for seat, name in enumerate(view.names)},
    )  # fmt: skip


def _bold_names(names: Sequence[str]) -> Any:
    """A filter that sets the players' names in bold: nothing else in a line's text is ever taken for markup."""
    words = sorted(map(re.escape, [*names, "You"]), key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(words)})\b(?!-)")

    def bold(text: str) -> Markup:
        pieces = pattern.split(text)
        return Markup("").join(
            Markup("<b>{}</b>").format(piece) if number % 2 else escape(piece) for number, piece in enumerate(pieces)
        )

    return bold


def _prepared(view: TableView, text: str | None) -> Draft:
    if text is None or view.record is None or view.move != view.moves:
        return view.prepared
    return Draft(view.game, view.record, view.viewer, view.names, text)


def _context(view: TableView, text: str | None, origin: str) -> dict[str, Any]:
    module = table_module(view.game)
    assert module is not None
    draft = _prepared(view, text)
    scene = module.scene(view.record, view.viewer, view.names, draft)

    def emblem_of(thing: Thing | Token) -> Emblem | None:
        words = thing.words if isinstance(thing, Thing) else thing.text
        return module.emblem(Thing(thing.kind, thing.key, words))

    return {
        "game": view.game,
        "table": view,
        "table_id": view.table,
        "audience": audience_of(view),
        "scene": scene,
        "draft": draft,
        "page": _page(view, view.game, scene, draft),
        "emblem_of": emblem_of,
        "bold": _bold_names(view.names),
        "bots": strengths(view.game),
        "origin": origin,
        "fresh_id": f"form-{view.ply}-{view.revision}",
    }


def render_table(view: TableView, text: str | None = None, origin: str = "") -> str:
    """The table page as one browser sees it; a function of its view alone.

    ``text`` is the move in preparation, None for the one that is kept; ``origin`` begins invite links.
    """
    name = f"games/{view.game.name}/table.html" if view.started else "chairs.html"
    if not view.started:
        return environment().get_template(name).render(_open_context(view, origin))
    return environment().get_template(name).render(_context(view, text, origin))


def _open_context(view: TableView, origin: str) -> dict[str, Any]:
    return {
        "game": view.game,
        "box": box_of(view.game),
        "table": view,
        "table_id": view.table,
        "audience": audience_of(view),
        "free": [chair for chair in view.chairs if not chair.name],
        "bots": strengths(view.game),
        "words": dict(strengths(view.game)),
        "changed": changed_options(view),
        "origin": origin,
    }


def changed_options(view: Any) -> list[tuple[str, str]]:
    """The options of a table (or an invitation) that differ from the printed rules, as name and value."""
    options = view.options
    return [
        (name.replace("_", " "), {True: "yes", False: "no", None: "as printed"}.get(value, value))
        for name, value in options.model_dump().items()
        if value != type(options).model_fields[name].default
    ]


def render_text(view: TableView, text: str | None = None) -> str:
    """The table in words alone, with every move as it is typed."""
    context = _context(view, text, "")
    context["rows"] = _rows(view)
    context["moves"] = _moves(view, context["draft"]) if context["draft"].acting else []
    context["impossible"] = [choice for choice in context["scene"].choices if not choice.words]
    return environment().get_template("text.html").render(context)


def _rows(view: TableView) -> list[tuple[str, Line]]:
    """The table in rows, as the game's ``terminal`` module gives them."""
    name = f"{view.game.rules.__package__}.terminal"
    if not util.find_spec(name):
        return []
    rows: list[tuple[str, Line]] = import_module(name).table(view.record, view.viewer, view.names)
    return rows


def _moves(view: TableView, draft: Draft) -> list[tuple[str, str]]:
    """Legal moves and what they do; for moves of several steps, what their first step is."""
    game, seat, found = view.game, view.viewer, []
    for action in game.legal(view.record, seat).tolist()[:LISTED_MOVES]:
        text = move_text(game, view.record, seat, [action], view.names)
        after = play_on_view(game, view.record, seat, action)
        if int(after.midmove) >> seat & 1:
            found.append((f"{text} …", "the first part of a move"))
        else:
            found.append((text, game.notation.preview(view.record, seat, [action], view.names)))
    return found
