"""Templates and how a page is drawn from one; fragments that all pages share are drawn once.

A template is given ``p``: the macros of ``parts.html``, which may use whatever the page was given, and those of
``fragments.html`` and of the file of that name in the game's folder, which are functions of their arguments alone. What
one of these has drawn is kept and used again by every page, whoever looks: its arguments are the key, so nothing that
is not in them can be in it.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined

from backroom.engine.game import Game, find_game
from backroom.text.english import listed, number_word
from backroom.web import sheets, times
from backroom.web.bidi import isolated

__all__ = ["draw", "environment", "game_fragments"]

MOST_FRAGMENTS = 8192
"""So many results of each macro are kept, those used last."""


def _game_template(name: str) -> tuple[str, str, None] | None:
    """The text of a template in a game's folder, and its path, which the trace of an error in it names."""
    found = re.fullmatch(r"games/([\w-]+)/([\w-]+\.html)", name)
    if not found:
        return None
    file = find_game(found[1]).file(found[2])
    return file.read_text("utf-8"), str(file), None


@cache
def environment() -> Environment:
    """The templates: the shared ones, and those of a game's folder, as ``games/NAME/table.html``."""
    loader = ChoiceLoader([PackageLoader("backroom.web"), FunctionLoader(_game_template)])
    made = Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.globals |= {
        "time_left": times.time_left, "time_since": times.since, "time_ago": times.ago, "number_word": number_word,
        "listed": listed, "allowance": times.allowance, "pace_word": times.pace_word, "OUT_OF_TIME": times.OUT_OF_TIME,
        "static": sheets.folder(),
    }  # fmt: skip
    made.globals |= _fragments(made, "fragments.html")
    return made


@cache
def game_fragments(game: Game) -> Mapping[str, Callable[..., str]]:
    """The macros of the ``fragments.html`` in a game's folder, if it has one."""
    if not game.file("fragments.html").is_file():
        return {}
    return _fragments(environment(), f"games/{game.name}/fragments.html")


def _fragments(templates: Environment, name: str) -> dict[str, Callable[..., str]]:
    """The macros of a template, each remembering what it has drawn."""
    macros = vars(templates.get_template(name).module)
    # By type too: markup and text that read alike are not drawn alike.
    return {
        name: lru_cache(MOST_FRAGMENTS, typed=True)(macro) for name, macro in macros.items() if not name.startswith("_")
    }


def draw(template: str, context: Mapping[str, Any]) -> str:
    """A page from a template and what it is given.

    Where that has ``emblem_of`` (of a table, or of a game's rules), `p.parts` draws lines with it; where it has
    ``game`` and ``table_id`` too, `p.why` links to a rule and from there back to the table, and `p.told` draws the log.
    ``typed`` are the texts in it that people have typed (names, titles), which are isolated (`web/bidi.py`).
    """
    templates = environment()
    given = dict(context)
    p = SimpleNamespace(**templates.globals)
    if "game" in given:
        vars(p).update(game_fragments(given["game"]))
    if "emblem_of" in given:
        p.parts = partial(p.line_parts, given["emblem_of"])
        if "table_id" in given:
            back = given["game"].name, given["table_id"]
            p.why, p.told = partial(p.rule_link, *back), partial(p.move_lines, given["emblem_of"], *back)
    vars(p).update(vars(templates.get_template("parts.html").make_module(given)))
    return isolated(templates.get_template(template).render(given, p=p), given.get("typed", ()))
