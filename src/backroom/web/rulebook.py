"""A game's ``rulebook.md`` as a page: headings, rules with their ids as anchors, and a search over them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from backroom.engine.game import Game
from backroom.text.rulebook import passages

__all__ = ["Block", "Hit", "Part", "blocks", "hits", "parts"]

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def _table_open(_renderer: Any, tokens: Sequence[Token], at: int, *_given: Any) -> str:
    """A table that is wider than the page scrolls by itself; it is called by what stands at the head of its columns."""
    head = takewhile(lambda token: token.type != "thead_close", tokens[at:])
    columns = [token.content.strip("`") for token in head if token.type == "inline"]
    name = escape(f"Table: {', '.join(columns)}")
    return f'<div class="wide" data-scroll tabindex="0" role="region" aria-label="{name}"><table>'


def _table_close(*_given: Any) -> str:
    return "</table></div>"


MARKDOWN.add_render_rule("table_open", _table_open)
MARKDOWN.add_render_rule("table_close", _table_close)


@dataclass(frozen=True)
class Block:
    """A piece of the rulebook: a heading (``level`` from 1), a rule (``rule`` is its id) or plain text."""

    anchor: str
    level: int
    rule: str
    title: str
    html: Markup
    text: str


@dataclass(frozen=True)
class Part:
    """A part of the rulebook: its heading, and the first and last rule in it (empty: none)."""

    title: str
    anchor: str
    rules: str


@dataclass(frozen=True)
class Hit:
    """A rule or paragraph in which the words were found, with the words marked."""

    anchor: str
    rule: str
    html: Markup


def _slug(title: str) -> str:
    return "part-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _plain(markdown: str) -> str:
    return " ".join(re.sub(r"[*`#>|]+|-{3,}|^\s*[-+]\s", " ", markdown, flags=re.M).split())


@cache
def blocks(game: Game) -> list[Block]:
    """The rulebook in pieces, in order; empty when the game has none."""
    file = game.file("rulebook.md")
    if not file.is_file():
        return []
    found: list[Block] = []
    for passage in passages(file.read_text("utf-8")):
        if passage.level:
            title = _plain(passage.lines[0])
            found.append(Block(_slug(title), passage.level, "", title, Markup(""), title))
            continue
        first, *more = passage.wording
        if passage.rule:
            # A rule's own heading is its title; emphasis that began before the id has lost its opening marks.
            titled = passage.lines[0].lstrip().startswith("#") and first
            first = f"**{first}**\n" if titled else f"**{first}" if first.count("**") % 2 else first
        source = "\n".join([first, *more]).strip("\n")
        if source.strip():
            rule = passage.rule
            found.append(Block(rule, 0, rule, "", Markup(MARKDOWN.render(source)), _plain(source)))
    return found


def parts(game: Game) -> list[Part]:
    """The contents: headings of the second level."""
    found: list[Part] = []
    ids: list[str] = []
    for block in [*blocks(game), Block("", 2, "", "", Markup(""), "")]:
        if block.level == 2:
            if found and ids:
                found[-1] = replace(found[-1], rules=ids[0] if len(ids) == 1 else f"{ids[0]}–{ids[-1]}")
            ids = []
            if block.title:
                found.append(Part(block.title, block.anchor, ""))
        elif block.rule:
            ids.append(block.rule)
    return found


def hits(game: Game, words: str) -> list[Hit]:
    """Rules and paragraphs that hold all the words, case ignored; at most 30."""
    wanted = [word.lower() for word in words.split()]
    if not wanted:
        return []
    pattern = re.compile("|".join(map(re.escape, wanted)), re.IGNORECASE)
    found = []
    anchor = "text"
    for block in blocks(game):
        anchor = block.anchor or anchor
        if block.level or not all(word in block.text.lower() for word in wanted):
            continue
        first = pattern.search(block.text)
        start = max(0, (first.start() if first else 0) - 60)
        shown = (
            ("… " if start else "") + block.text[start : start + 160] + (" …" if start + 160 < len(block.text) else "")
        )
        pieces = re.split(f"({pattern.pattern})", shown, flags=re.IGNORECASE)
        marked = Markup("").join(
            Markup("<mark>{}</mark>").format(piece) if number % 2 else escape(piece)
            for number, piece in enumerate(pieces)
        )
        found.append(Hit(anchor, block.rule, marked))
    return found[:30]
