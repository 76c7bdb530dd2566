"""The check of `backroom.conformance` for which pages are needed: everything a game shows in a browser can be drawn."""

import html
import re
from typing import Any

from backroom.conformance.play import Setting, positions
from backroom.conformance.suite import Check
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import Line
from backroom.scenes.draft import Draft
from backroom.scenes.practice import practice_of
from backroom.scenes.scene import Scene, misfit
from backroom.tables import showing
from backroom.tables.views import Chair, TableView
from backroom.web.table_page import own_table, render_table, render_text, table_module

__all__ = ["PAGES", "offered", "table_view"]

CLICKS = 3
"""So many clicks are followed on a page."""
READ = 10
"""Of about so many of the other things that can be clicked, the text is read."""


def check_pages(game: Game, setting: Setting) -> None:
    """A page of its own gives what `TableModule` says; every position can be drawn, and every click begins a move."""
    practice_of(game)
    own_table(game)  # what is wrong with it is raised here; a server goes on with the default page
    match = setting.match(game, 60)
    _check_words(game, match)
    for match in positions(game, setting, 60, 4):
        for seat in [*match.acting[:1], int(match.state.seats) - 1, None]:
            _check_page(game, match, seat)
        if match.over:
            module, view = table_module(game), table_view(match, 0)
            said = module.verdicts(view.record, 0, match.names, view.lines)
            _fits(tuple(said), tuple[str, ...], "verdicts(view, viewer, names, lines)")
            assert len(said) == len(match.names), f"verdicts gave {len(said)} texts for {len(match.names)} seats"


def _check_words(game: Game, match: Match) -> None:
    module, seats = table_module(game), len(match.names)
    _fits(module.brief(match.options, seats), tuple[Line, ...], "brief(options, seats)")
    for chair in range(seats):
        _fits(module.place(match.options, seats, chair), str, f"place(options, seats, {chair})")


def _check_page(game: Game, match: Match, seat: int | None) -> None:
    view = table_view(match, seat)
    draft = Draft(game, view.record, view.viewer, match.names)
    scene = table_module(game).scene(view.record, view.viewer, match.names, draft)
    _fits(scene, Scene, f"scene(view, {view.viewer}, names, draft)")
    page = render_table(view)
    render_text(view)
    if not draft.acting:
        return
    for click in range(CLICKS):
        texts = sorted(offered(page))
        assert texts, "nothing can be clicked by a seat that is asked; Choice.words and p.clicks(text) make it so"
        for text in texts[:: max(len(texts) // READ, 1)]:
            begun = draft.begun(text)
            unread = (
                begun.problem and not table_module(game).scene(view.record, view.viewer, match.names, begun).missing
            )
            assert not unread, f"a click gives the text {text!r}, but {begun.problem and begun.problem[1]}"
        page = render_table(view, texts[click % len(texts)])


def _fits(value: Any, wanted: Any, where: str) -> None:
    wrong = misfit(value, wanted, where)
    assert not wrong, wrong


def offered(page: str) -> set[str]:
    """The texts that a move may have after a click on this page."""
    return {html.unescape(text) for text in re.findall(r'name="draft"[^>]*? value="([^"]+)"', page)}


def table_view(match: Match, seat: int | None, move: int | None = None, whole: bool = True) -> TableView:
    """A table over this match as the browser of a seat (None: a spectator) sees it, now or after ``move`` moves."""
    chairs = tuple(
        Chair(
            number, name, number, True, True, number == seat, number == 0, "", "", number == 1,
            *((1000, 90_000) if number in match.acting else (0, 0)), lost=number % 4,
        )
        for number, name in enumerate(match.names)
    )  # fmt: skip
    return TableView(
        table="test", title="", game=match.game, options=match.options, rules=match.game.version, chairs=chairs,
        started=True, entry=match.ply, revision=match.ply, commitment=match.commitment,
        you=None if seat is None else chairs[seat], seat=seat, **showing.position(match, seat, move, whole), draft="",
        undo_free=False,
        undo=None, talk=(), notes="", link="", seed=match.seed.hex() if match.over else "", next_table="",
        now=2000, pace=89_000, out_of_time="bot", late=(match.ply,),
    )  # fmt: skip


PAGES = Check(check_pages, "table.py table.html practice.toml")
