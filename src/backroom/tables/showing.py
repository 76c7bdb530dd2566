"""What a look at a table shows of its match: the fields of a `TableView` that follow from it."""

from typing import Any

from backroom.engine.game import Refusal, seats_in
from backroom.engine.match import Match
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.tables import plans
from backroom.tables.live import Change
from backroom.tables.story import Story

__all__ = ["position", "recorded"]

LATER_LINES = 6
"""Lines of the log after an earlier position that a replay shows ahead."""

NOTHING_SHOWN: dict[str, Any] = {
    "record": None, "names": (), "move": 0, "moves": 0, "acting": (), "question": "", "position": "", "lines": (),
    "over": 0, "scores": (), "places": (), "forgets": False, "standings": (), "ahead": None, "no_plan": "",
    "whole": False, "later": (),
}  # fmt: skip
"""Their values where there is no match."""


def recorded(change: Change, seat: int | None) -> dict[str, Any]:
    """The fields where a match cannot go on and no game's page can show it: what is told of it (`Story`).

    While it is not over that is what the seat may know, with its view of the position if the match has replayed.
    """
    row, match = change.row, change.live.match
    viewer = SPECTATOR if seat is None else seat
    story = change.story(ALL_KNOWING if row.over else viewer)
    shown = {**NOTHING_SHOWN, **vars(story), "move": story.moves, "viewer": viewer, "over": row.over, "told": True}
    if match is not None and not row.over:
        shown["record"] = match.view(viewer)
    return shown


def position(
    match: Match | None, seat: int | None, move: int | None, whole: bool, story: Story | None = None
) -> dict[str, Any]:
    """The fields at the position after so many moves (None: now), from what its viewer may know and nothing else.

    ``whole`` says that all is shown when the match is over, else what that seat saw then: position and log have the
    same viewer. How a match that is over ended is in ``story``, if that was kept; its log is told anew, since pages
    want to know what the lines tell.
    """
    viewer = SPECTATOR if seat is None else seat
    if match is None:
        return {"viewer": viewer, **NOTHING_SHOWN}
    game = match.game
    shown = match.ply if move is None else move
    state = match.at(shown)
    if shown < match.ply and match.keeps_back():
        raise Refusal("E_PLY", "the rules forbid looking back while the match goes on")
    whole = whole and match.over
    record = state if whole else game.state.view(state, viewer)
    if story is None and match.over:
        story = Story.of(match, ALL_KNOWING)
    lines = match.lines(ALL_KNOWING if whole else viewer)
    scores, places = (story.scores, story.places) if story is not None and state.over else ((), ())
    ahead, no_plan = None, ""
    if seat is not None and shown == match.ply:
        try:
            ahead = plans.look_ahead(match, seat)
        except Refusal as refusal:
            no_plan = refusal.message
    return {
        "viewer": viewer,
        "record": record,
        "names": match.names,
        "move": shown,
        "moves": match.ply,
        "acting": tuple(seats_in(int(record.acting))) if not record.over else (),
        "question": game.notation.question(record, seat) if seat is not None else "",
        "position": game.notation.position(record, match.names, ALL_KNOWING if whole else viewer),
        "whole": whole,
        "lines": tuple(lines) if shown == match.ply else tuple(pair for pair in lines if pair[0] <= shown),
        "later": tuple((ply, line) for ply, line in lines if ply > shown)[:LATER_LINES] if match.over else (),
        "over": int(record.over),
        "scores": scores,
        "places": places,
        "forgets": match.keeps_back(),
        "standings": story.standings if story is not None and record.over else (),
        "ahead": ahead,
        "no_plan": no_plan,
        "drawn": {},
    }
