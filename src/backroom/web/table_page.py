"""The table page: from what one browser may know (`TableView`) to HTML, for any game that brings a table.

What a game brings is written down in ``docs/pages.md``: ``table.py`` (`backroom.scenes.scene.TableModule`),
``table.html`` and ``table.css`` in its folder. A game without these has the page of `backroom.scenes.default`.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from backroom.engine.game import CAPPED, FINISHED, Game
from backroom.engine.names import written
from backroom.engine.notation import Line, Thing, Token, move_text, play_on_view
from backroom.scenes.default import DefaultTable, word_choices
from backroom.scenes.draft import Draft
from backroom.scenes.plot import Plot, step_plot
from backroom.scenes.rows import table_rows
from backroom.scenes.scene import Box, Choice, Emblem, Scene, TableModule, misfit
from backroom.scenes.teaching import Hint, Section, teaching_of
from backroom.tables.views import Chair, Invitation, SharedPosition, TableView
from backroom.text.english import ORDINALS, counted, does, listed, number_word, possessive
from backroom.web import times
from backroom.web.audience import audience_of
from backroom.web.decided import chance_plots, hint_of, turnings
from backroom.web.drawing import draw
from backroom.web.house_rules import house_rules, once_more
from backroom.web.opponents import bot_words, face_of, strengths
from backroom.web.record import record_of
from backroom.web.since import Deed, deeds_since, last_deeds

__all__ = [
    "box_of", "emblem_of", "house_context", "own_table", "render_position", "render_table", "render_text",
    "table_module",
]  # fmt: skip

LOG = logging.getLogger(__name__)
LOG_LINES = 300
"""The log on a page has its newest moves, with so many lines at least; the text page has all."""
JUST_LINES = 3
LISTED_MOVES = 400
"""Up to so many moves are listed in text mode."""
SHORT_LOG = 8
"""So many of the newest moves show in text mode; the older ones are folded away."""


# Games


@cache
def table_module(game: Game) -> TableModule:
    """A game's ``table`` module, or the one for games without a page of their own.

    One that cannot be used is an entry of the log: every game is on the front page, which must not fail by one.
    """
    try:
        return own_table(game) or DefaultTable(game)
    except Exception:
        LOG.exception("the page of %s cannot be used, so it has the default one", game.name)
        return DefaultTable(game)


def own_table(game: Game) -> TableModule | None:
    """The ``table`` module of a game that brings a page. Raises what is wrong with it: TypeError for its ``BOX``."""
    if not game.file("table.html").is_file():
        return None
    module = import_module(f"{game.rules.__package__}.table")
    wrong = misfit(module.BOX, Box, "BOX")
    if wrong:
        raise TypeError(f"{module.__file__}: {wrong}")
    return cast(TableModule, module)


def box_of(game: Game) -> Box:
    """What stands on the game's box."""
    return table_module(game).BOX


# What the templates are given


@dataclass(frozen=True)
class SeatModel:
    """A player on the rail: ``note`` is the last deed, from the log, and ``did`` the kind of its event; ``asked`` is
    since when a decision is owed (or 0). ``face`` is the regular's whose face it has (empty: none)."""

    name: str
    bot: bool
    face: str
    here: bool
    acting: bool
    note: str
    did: str
    asked: int


@dataclass(frozen=True)
class Rank:
    """A row of the ranking."""

    place: int
    seat: int
    name: str
    bot: bool
    face: str
    note: str
    score: int
    goal: int | None


@dataclass(frozen=True)
class Group:
    """Options under one heading: those over the whole width, then those two in a row."""

    name: str
    wide: list[Choice]
    half: list[Choice]


Entry = tuple[int, tuple[Line, ...]]
"""An entry of the log: the number of its first line, then that line, a deed, and those of what came of it."""


@dataclass(frozen=True)
class Page:
    """What the shared table page shows besides the view and the game's scene.

    ``state`` is your-turn, waiting, watching, over, or replay for an earlier position; ``lit`` says that the lamp is
    over this seat, ``preparing`` that it prepares a move for its turn meanwhile. ``plan_doubt`` says why, as things
    lie, what is prepared would not be played. ``until`` is when the decision that is waited for runs out (0: never),
    and ``until_words`` what else is to be said about the clock. ``seated`` says that the page is one screen, as it is
    while the match goes on; ``options`` is how many of the choices are possible. ``log`` are the newest
    moves of the log, newest first: the move, its entries in order. ``since`` is the
    viewer's last move, with newer ones above it (0: there is no such), ``news`` the deeds of others since then, oldest
    first. ``taught``: the aim is shown to whoever has not put it away; ``crib``, ``standing`` and ``hints`` are what
    the game teaches (`backroom.scenes.teaching`).
    ``wrong`` is what a practice says to a whole move in preparation that is not the one of its step. ``tried`` says
    where a table to try something out is from (empty: it is none).
    """

    state: str
    lit: bool
    preparing: bool
    plan_doubt: str
    lamp: str
    cloth: str
    heading: str
    sentence: str
    subtitle: str
    question: str
    past: bool
    seated: bool
    options: int
    until: int
    until_words: str
    just_late: bool
    seats: list[SeatModel]
    others: list[Chair]
    ranks: list[Rank]
    just: list[Line]
    just_seat: int | None
    just_things: list[Thing]
    choices: list[Group]
    nexts: list[tuple[Token, str]]
    say: str
    then: str
    tab: str
    log: list[tuple[int, tuple[Entry, ...]]]
    since: int
    news: list[Deed]
    points: Plot | None
    again: str
    came_back: bool
    can_undo: bool
    can_ask_undo: bool
    seed_fits: bool
    taught: bool
    crib: tuple[Section, ...]
    standing: Mapping[str, str]
    hints: tuple[Hint, ...]
    wrong: str
    tried: str


def _since(view: TableView) -> int:
    """The viewer's last move while the match goes on, if the log has newer ones, which are news to it; else 0."""
    if view.seat is None or view.over or view.move != view.moves:
        return 0
    own = next((move for move, line in reversed(view.lines) if line.seat == view.seat), 0)
    return own if own and view.lines[-1][0] > own else 0


def _just(view: TableView, scene: Scene) -> tuple[int, list[Line]]:
    """The move that matters now with its lines: the last one, or while something is asked the one that asks."""
    by_move: dict[int, list[Line]] = {}
    for move, line in view.lines:
        by_move.setdefault(move, []).append(line)
    for move in sorted(by_move, reverse=True):
        if scene.ask is None or by_move[move][0].seat == scene.ask.asker:
            return move, by_move[move][:JUST_LINES] if move else []
    return 0, []


def _log(lines: Sequence[tuple[int, Line]]) -> list[tuple[int, tuple[Entry, ...]]]:
    """The newest moves of the log, newest first, as `Page.log` has them."""
    found: list[tuple[int, tuple[Entry, ...]]] = []
    number = len(lines)
    for move, told in groupby(reversed(lines), key=itemgetter(0)):
        if len(lines) - number >= LOG_LINES:
            break
        newest_first = [line for _, line in told]
        number -= len(newest_first)
        found.append((move, tuple(_entries(number + 1, newest_first[::-1]))))
    return found


def _entries(first: int, lines: Sequence[Line]) -> Iterator[Entry]:
    """The lines of a move, the number of its first one given, in entries of one deed each."""
    starts = [at for at, line in enumerate(lines) if not (at and line.follows)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield first + start, tuple(lines[start:end])


def _things(line: Line) -> list[Thing]:
    """The things a line names; those that are several twice, as a sign of it."""
    return [part for part in line.parts if isinstance(part, Thing) for _ in range(min(part.count, 2))]


def _waiting_heading(view: TableView) -> str:
    names = [view.names[seat] for seat in view.acting]
    if len(names) > 3:
        return f"{len(names)} are thinking"
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} thinking"


def _ended_heading(view: TableView) -> str:
    if view.over == CAPPED:
        return "Stopped unfinished"
    winners = [seat for seat, place in enumerate(view.places) if place == 1]
    winners.sort(key=lambda seat: seat == view.seat)
    score = view.scores[winners[0]]
    if len(winners) > 1:
        together = listed(["you" if seat == view.seat else view.names[seat] for seat in winners])
        return f"{together} share the first place with {score}"
    return f"{does(winners[0], view.seat, view.names, 'win', start=True)} with {score}"


def _ranks(view: TableView, seats: list[SeatModel], scene: Scene) -> list[Rank]:
    module = table_module(view.game)
    verdicts = module.verdicts(view.record, view.viewer, view.names, view.lines)
    ranks = []
    for seat in sorted(range(len(view.names)), key=lambda seat: (view.places[seat], seat)):
        place = view.places[seat]
        if view.places.count(place) > 1:
            what = "the win" if place == 1 else ORDINALS[place - 1]
            notes = [f"{'you share' if seat == view.seat else 'shares'} {what}", verdicts[seat]]
        else:
            notes = [verdicts[seat] or ("the winner" if place == 1 else "")]
        note = "; ".join(filter(None, notes))
        ranks.append(
            Rank(place, seat, view.names[seat], seats[seat].bot, seats[seat].face, note, view.scores[seat], scene.goal)
        )
    return ranks


def _over_for(view: TableView) -> str:
    return f"over for {times.lasting(view.now - view.ended)}" if view.ended else "over"


def _subtitle(view: TableView, company: str, aim: str) -> str:
    title = f"{view.title} · " if view.title and view.title != view.game.title else ""
    return title + ", ".join(filter(None, [company, aim]))


def _drawn(view: TableView) -> str:
    """Where a table to try something out is from, or a position, in a sentence or two; empty for all others."""
    at = view.origin
    if at is None:
        return ""
    where = f"after move {at.move} of “{at.title}”" if at.move else f"at the beginning of “{at.title}”"
    if not at.drawn:
        return f"As it stood {where}: the same hands and the same deck."
    if not at.seen_by:
        return f"As a watcher saw it {where}; every hand and all that lies face down was drawn anew."
    who = "you" if view.you is not None and view.you.name == at.seen_by else at.seen_by
    return f"As {who} saw it {where}; what {who} could not know was drawn anew."


def _groups(choices: Sequence[Choice]) -> list[Group]:
    groups: dict[str, Group] = {}
    for choice in choices:
        group = groups.setdefault(choice.group, Group(choice.group, [], []))
        (group.half if choice.half else group.wide).append(choice)
    return list(groups.values())


def _nexts(draft: Draft, scene: Scene) -> list[tuple[Token, str]]:
    if not draft.text:
        return []
    texts = [(token, draft.settle(draft.append(draft.text, token), scene.counts)) for token in draft.tokens]
    return [(token, text) for token, text in texts if token.text]


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


def _planned(view: TableView) -> Draft:
    """What is prepared, as a move of the turn that would begin now."""
    assert view.plan is not None
    return Draft(view.game, view.ahead, view.viewer, view.names, view.plan.text)


def _plan_doubt(view: TableView) -> str:
    """Why what is prepared would not be played if nothing changed any more; empty when it would, or nothing is."""
    if view.plan is None or not view.can_prepare:
        return ""
    found = _planned(view)
    if found.actions is None:
        return f"As things lie, it cannot be played{': ' + found.problem[1] if found.problem else ''}."
    if view.plan.condition == "same" and found.sentence != view.plan.sentence:
        return f"As things lie, you would be asked, for now it means: {found.sentence}"
    return ""


def _clock(view: TableView) -> tuple[int, str]:
    """When the decision that is waited for runs out (0: never), and what else the ticket says about the clock."""
    owing = [chair for chair in view.chairs if chair.seat in view.acting and chair.until and not view.over]
    mine = [chair for chair in owing if chair.you]
    lost = "Your last move was made for you: time was over." if view.you and view.you.lost and not view.over else ""
    if view.stands:
        return 0, "The clock stands still, for nobody was here. It goes on when somebody moves or comes back."
    if not owing:
        return 0, lost
    if mine:
        then = "" if view.out_of_time == "wait" else f"; then {times.OUT_OF_TIME[view.out_of_time]}"
        return mine[0].until, " ".join(filter(None, [f"{then}.", lost]))
    first = min(chair.until for chair in owing)
    names = [chair.name for chair in owing if chair.until == first]
    whose = f" for {listed(names)}" if len(names) < len(view.acting) else ""
    return first, f"{whose}. {lost}".rstrip()


def _page(view: TableView, game: Game, scene: Scene, draft: Draft, preparing: bool) -> Page:
    chairs = {chair.seat: chair for chair in view.chairs}
    deeds = last_deeds(view)
    seats = [
        SeatModel(
            name, bool(chairs[seat].bot), face_of(chairs[seat]), chairs[seat].here, seat in view.acting,
            last.deed if last else "a bot" if chairs[seat].bot else "has not moved yet",
            last.event.kind if last else "", chairs[seat].asked,
        )
        for seat, name in enumerate(view.names)
        for last in [deeds.get(seat)]
    ]  # fmt: skip
    over = bool(view.over)
    past = view.still or view.move != view.moves
    lit = draft.acting and not preparing
    state = (
        "replay" if past else "over" if over else "watching" if view.seat is None else "your-turn" if lit else "waiting"
    )
    tried = _drawn(view)
    if view.still:
        heading, lamp, sentence = "A position", "hourglass", tried
    elif past:
        yours = view.you is not None and view.seat == view.you.seat
        saw = "a chair with no cards" if view.seat is None else "your chair" if yours else "that chair"
        whose = "your" if yours else possessive(view.names[view.viewer])
        place = "as a watcher" if view.seat is None else f"from {whose} chair"
        heading, lamp = f"Replay, {place}" if view.seed else "Looking back", "hourglass"
        sentence = f"After move {view.move} of {view.moves}. You see what {saw} saw then."
    elif over:
        told = [counted(view.moves, "move")]
        told += [times.lasting(view.ended - view.began)] if view.ended else []
        heading, sentence, lamp = _ended_heading(view), f"Everything is face up now. {', '.join(told)}.", "laurel"
    elif view.seat is None:
        heading, lamp = "You are watching", "keyhole"
        sentence = f"{_waiting_heading(view)}. You see what a chair with no cards sees."
    else:
        heading = scene.heading or ("Your turn" if lit else _waiting_heading(view))
        sentence, lamp = scene.sentence, "lamp-on" if lit else "lamp-off"
    company = f"{number_word(len(view.names))} at the table"
    teaching = teaching_of(game)
    say, then = _sayings(draft, scene)
    just_move, just = _just(view, scene)
    until, until_words = _clock(view) if not past else (0, "")
    choices = scene.choices or (word_choices(draft) if draft.acting else ())
    return Page(
        state=state,
        lit=lit,
        preparing=preparing,
        plan_doubt=_plan_doubt(view),
        lamp=lamp,
        cloth=box_of(game).cloth,
        heading=heading,
        sentence=sentence,
        subtitle=_subtitle(view, *((_over_for(view), "") if over else (company, scene.aim))),
        question=view.question_ahead if preparing else view.question,
        past=past,
        seated=state in ("your-turn", "waiting", "watching"),
        options=sum(bool(choice.words) for choice in choices),
        until=until,
        until_words=until_words,
        just_late=just_move in view.late,
        seats=seats,
        others=[chair for chair in view.chairs if not chair.you],
        ranks=_ranks(view, seats, scene) if over else [],
        just=just,
        just_seat=just[0].seat if just else None,
        just_things=_things(just[0]) if just else [],
        choices=_groups(choices),
        nexts=_nexts(draft, scene),
        say=say,
        then=then,
        tab="talk" if game.messages is not None and not past else "log",
        log=_log(view.lines),
        since=_since(view),
        news=deeds_since(view),
        points=step_plot(view.standings, scene.goal, view.names),
        again=once_more(view),
        came_back=view.you is not None and not over and (bool(view.you.bot) or view.stands),
        can_undo=view.undo_free,
        can_ask_undo=bool(view.undo_moves),
        seed_fits=bool(view.seed) and hashlib.sha256(bytes.fromhex(view.seed)).hexdigest() == view.commitment,
        taught=view.seat is not None and not past and not over and view.practice is None,
        crib=teaching.crib(view.options, len(view.names), view.record),
        standing=teaching.standing(view.record, view.viewer) if view.seat is not None and not over else {},
        hints=teaching.coach(view.record, view.viewer, view.names) if lit and view.practice is None else (),
        wrong=view.practice.said(draft) if view.practice is not None else "",
        tried=tried,
    )  # fmt: skip


@cache
def emblem_of(game: Game) -> Callable[[Thing | Token], Emblem | None]:
    """How a thing of a line, or a word of a move, is drawn."""
    module = table_module(game)

    def drawing(thing: Thing | Token) -> Emblem | None:
        words = thing.words if isinstance(thing, Thing) else thing.text
        return module.emblem(Thing(thing.kind, thing.key, words))

    return drawing


def house_context(at: TableView | Invitation) -> dict[str, Any]:
    """What a page is given to tell the house rules of a table, its chairs and the game's rules in three lines."""
    module = table_module(at.game)
    return {
        "changed": house_rules(at.options, len(at.chairs)),
        "brief": module.brief(at.options, len(at.chairs)),
        "place": partial(module.place, at.options, len(at.chairs)),
        "emblem_of": emblem_of(at.game),
    }


def _typed(view: TableView) -> list[str]:
    """The names, as they are typed and as they stand in moves, and the title that a table's page shows."""
    names = [*view.names, *(chair.name for chair in view.chairs), *view.crowd.names]
    names += [asker.name for asker in view.askers]
    return [view.title, *names, *map(written, names)]


def _prepared(view: TableView, text: str | None, preparing: bool) -> Draft:
    kept = view.plan.text if view.plan is not None else ""
    if preparing:
        text = kept if text is None else text
        return Draft(view.game, view.ahead, view.viewer, view.names, text, now=view.record)
    if kept and not view.your_turn:
        words = _planned(view).spelled if view.ahead is not None else ()
        return Draft(view.game, view.record, view.viewer, view.names, kept=kept, kept_words=words)
    if text is None or view.record is None or view.move != view.moves:
        return view.prepared
    return Draft(view.game, view.record, view.viewer, view.names, text)


def _context(view: TableView, text: str | None, origin: str, preparing: bool, plain: bool) -> dict[str, Any]:
    module = table_module(view.game)
    draft = _prepared(view, text, preparing)
    kept = view.drawn if not (draft.text or preparing) else {}
    if "scene" not in kept:
        kept["scene"] = module.scene(draft.view, view.viewer, view.names, draft)
    scene: Scene = kept["scene"]
    if preparing:
        waiting = module.scene(view.record, view.viewer, view.names, view.prepared)
        scene = replace(scene, heading=waiting.heading, sentence=waiting.sentence)
    return {
        "game": view.game,
        "table": view,
        "table_id": view.table,
        "audience": audience_of(view),
        "scene": scene,
        "draft": draft,
        "page": _page(view, view.game, scene, draft, preparing),
        "kept": kept,
        **house_context(view),
        "turnings": turnings(view),
        "record": record_of(view),
        "chances": chance_plots(view),
        "hinted": hint_of(view),
        "typed": _typed(view),
        "bots": strengths(view.game),
        "origin": origin,
        "fresh_id": f"form-{view.entry}-{view.revision}",
        "plain": plain,
    }


def render_table(
    view: TableView, text: str | None = None, origin: str = "", preparing: bool = False, plain: bool = False
) -> str:
    """The table page as one browser sees it; a function of its view alone.

    ``text`` is the move in preparation, None for the one that is kept; ``origin`` begins invite links. With
    ``preparing`` the move is one for this seat's turn, while others think (only where the view has ``can_prepare``).
    A ``plain`` page is without script.
    """
    if not view.started:
        return draw("chairs.html", _open_context(view, origin, plain))
    if view.told:
        return _render_story(view, plain)
    return draw(_template(view.game), _context(view, text, origin, preparing, plain))


def _template(game: Game) -> str:
    """The template of a game's table page."""
    return "default.html" if isinstance(table_module(game), DefaultTable) else f"games/{game.name}/table.html"


def render_position(shared: SharedPosition, origin: str, create_id: str, plain: bool = False) -> str:
    """The page of a position that was shared by a link; arguments as for `render_table`."""
    view = shared.view
    context = _context(view, None, origin, preparing=False, plain=plain)
    context |= {"like": _template(view.game), "position_id": shared.id, "create_id": create_id}
    return draw("position.html", context)


def _open_context(view: TableView, origin: str, plain: bool) -> dict[str, Any]:
    return {
        "game": view.game,
        "box": box_of(view.game),
        "table": view,
        "table_id": view.table,
        "typed": _typed(view),
        "audience": audience_of(view),
        "free": [chair for chair in view.chairs if not chair.name],
        "listed": [chair for chair in view.chairs if not chair.name and chair.anybody],
        "bots": strengths(view.game),
        "words": bot_words(view.game),
        "face_of": face_of,
        **house_context(view),
        "origin": origin,
        "plain": plain,
    }


def _render_story(view: TableView, plain: bool) -> str:
    """A match that cannot go on, or cannot be shown, in words: what is told of it."""
    if view.places:
        heading = _ended_heading(view)
    elif view.over in (FINISHED, CAPPED):
        heading = view.lines[-1][1].text if view.lines else "It is over"
    else:
        heading = "Ended unfinished" if view.over else "This match cannot go on"
    order = sorted(range(len(view.places)), key=lambda seat: (view.places[seat], seat))
    context = {
        "game": view.game,
        "box": box_of(view.game),
        "plain": plain,
        "table": view,
        "table_id": view.table,
        "typed": _typed(view),
        "audience": audience_of(view),
        "heading": heading,
        "rows": table_rows(view.game, view.record, view.viewer, view.names) if view.record is not None else [],
        "ranks": [(view.places[seat], view.names[seat], view.scores[seat]) for seat in order],
        "points": step_plot(view.standings, None, view.names) if view.standings else None,
        "log": list(zip(view.lines, view.at or (0,) * len(view.lines), strict=True)),
    }
    return draw("story.html", context)


def render_text(view: TableView, text: str | None = None, preparing: bool = False, plain: bool = False) -> str:
    """The table in words alone, with every move as it is typed; arguments as for `render_table`."""
    if view.told:
        return _render_story(view, plain)
    context = _context(view, text, "", preparing, plain)
    rows = table_rows(view.game, view.record, view.viewer, view.names)
    context["own"] = [row for row in rows if row.seat is not None and row.seat == view.seat]
    context["rows"] = [row for row in rows if row.seat is None or row.seat != view.seat]
    context["moves"], context["count"] = _moves(context["draft"]) if context["draft"].acting else ([], 0)
    context["most"] = LISTED_MOVES
    context["impossible"] = [choice for choice in context["scene"].choices if not choice.words]
    newest = [move for move, _ in view.lines][-SHORT_LOG:][:1]
    context["older"] = [(move, line) for move, line in view.lines if newest and move < newest[0]]
    return draw("text.html", context)


@dataclass(frozen=True)
class MoveGroup:
    """Moves that begin alike: the first as it is typed and what it does, what the others have in place of its end."""

    first: str
    others: tuple[str, ...]
    effect: str


def _moves(draft: Draft) -> tuple[list[MoveGroup], int]:
    """The legal moves, and how many there are: those with the same first two words together.

    Of moves of several steps only the first is known, all that have the same first word together.
    """
    game, view, seat = draft.game, draft.view, draft.seat
    legal = game.legal(view, seat).tolist()
    groups: dict[tuple[str, ...], list[tuple[int, tuple[Token, ...]]]] = {}
    for action in legal[:LISTED_MOVES]:
        tokens = game.notation.move_tokens(view, seat, action, draft.names)
        goes_on = int(play_on_view(game, view, seat, action).midmove) >> seat & 1
        words = tuple(token.text for token in tokens[: 1 if goes_on else 2])
        groups.setdefault((*words, "…") if goes_on else words, []).append((action, tokens))
    return [_move_group(draft, found, words[-1] == "…") for words, found in groups.items()], len(legal)


def _move_group(draft: Draft, found: list[tuple[int, tuple[Token, ...]]], goes_on: bool) -> MoveGroup:
    game, view, seat, names = draft.game, draft.view, draft.seat, draft.names
    found.sort(key=lambda move: len(move[1]))
    action = found[0][0]
    shared = 0
    while all(shared < len(tokens) and tokens[shared] == found[0][1][shared] for _, tokens in found):
        shared += 1
    return MoveGroup(
        move_text(game, view, seat, [action], names) + (" …" if goes_on else ""),
        tuple(Draft.joined(tokens[shared:]) for _, tokens in found[1:]),
        "the first part of a move." if goes_on else game.notation.preview(game, view, seat, [action], names),
    )
