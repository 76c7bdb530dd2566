"""Fenced blocks of Markdown, as CommonMark has them: one reader for worked examples and for rulebooks.

They are of backticks or tildes, in a list or a quotation too, and one that is left open goes to the end of what it
stands in.
"""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

__all__ = ["Fence", "fences", "lines_of"]

MARKDOWN = MarkdownIt("commonmark")


@dataclass(frozen=True)
class Fence:
    """A fenced block: the lines it takes up, fences included (from 0, the end left out), and its content."""

    lines: range
    content: str


def fences(text: str) -> list[Fence]:
    """The fenced blocks of a text, in order."""
    found = []
    for token in MARKDOWN.parse(text):
        if token.type == "fence" and token.map is not None:
            found.append(Fence(range(*token.map), token.content))
    return found


def lines_of(text: str) -> list[str]:
    """The lines that `Fence.lines` counts: nothing but line feeds and carriage returns ends one."""
    found = re.split(r"\r\n|\r|\n", text)
    return found[:-1] if found[-1] == "" else found
