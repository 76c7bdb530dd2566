"""A game's ``rulebook.md`` cut into passages: plain Markdown, in which rules are found by their ids."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backroom.text.markdown import fences, lines_of

__all__ = ["Passage", "passages"]

RULE = re.compile(
    r"^(?:[ \t]*(?:[-*|]|#+)[ \t]+|#+[ \t]+)?(?:<a [^>]*>(?:</a>)?)?[*`]*([A-Z]{1,3}\d+)\b[*`:.)]*[ \t]*[—–|-]*[ \t]*"
)
HEADING = re.compile(r"(#+)\s")


@dataclass(frozen=True)
class Passage:
    """A piece of a rulebook with its lines as they are written: a rule, a heading of its own, or other text.

    ``rule`` is the rule's id, else empty; ``level`` is the heading's (1 for ``#``), else 0.
    """

    rule: str
    level: int
    lines: Sequence[str]

    @property
    def wording(self) -> list[str]:
        """The lines without the rule's id and the marks before it."""
        begins = RULE.match(self.lines[0]) if self.rule else None
        return [self.lines[0][begins.end() :], *self.lines[1:]] if begins else list(self.lines)


def passages(rulebook: str) -> list[Passage]:
    """The rulebook in pieces, in order; nothing is left out.

    A rule begins on a line whose first word, past heading and list marks and emphasis, is its id (``C3``, ``CR12``),
    and ends before the next rule or heading. In fenced blocks neither begins.
    """
    found: list[Passage] = []
    lines: list[str] = []
    fenced = {number for fence in fences(rulebook) for number in fence.lines}
    for number, line in enumerate(lines_of(rulebook)):
        begins = None if number in fenced else RULE.match(line)
        heading = None if number in fenced or begins else HEADING.match(line)
        if begins or heading or not found or found[-1].level:
            lines = [line]
            found.append(Passage(begins[1] if begins else "", len(heading[1]) if heading else 0, lines))
        else:
            lines.append(line)
    return found
