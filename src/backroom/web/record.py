"""A match that is over as the browser of a player keeps it in its own record; the server keeps none."""

import json
from typing import Any

from backroom.bots.regulars import regular_of
from backroom.engine.game import FINISHED
from backroom.tables.views import Chair, TableView
from backroom.web.opponents import bot_words, face_of

__all__ = ["record_of"]


def record_of(view: TableView) -> str:
    """What is kept of a match, as JSON, by whoever played in it; empty for all others, and where nothing counts: a
    practice, what was tried out, a match that came to no end of its own."""
    counts = view.over == FINISHED and view.origin is None
    if view.you is None or view.seat != view.you.seat or not counts or not view.places:
        return ""
    kept = {
        "table": view.table,
        "game": view.game.name,
        "title": view.game.title,
        "ended": view.ended,
        "place": view.places[view.viewer],
        "of": len(view.places),
        "score": view.scores[view.viewer],
        "moves": view.moves,
        "others": [_other(view, chair) for chair in view.chairs if not chair.you],
    }
    return json.dumps(kept, ensure_ascii=False)


def _other(view: TableView, chair: Chair) -> dict[str, Any]:
    """Another player: a bot has a ``level``, and one of the regulars its key."""
    assert chair.seat is not None
    bot = chair.bot if chair.bot and not chair.held else ""
    level = bot_words(view.game).get(bot, bot)
    known = regular_of(bot) if bot else None
    return {
        "name": chair.name,
        "place": view.places[chair.seat],
        "score": view.scores[chair.seat],
        "level": level,
        "regular": known[0].key if known is not None and face_of(chair) else "",
    }
