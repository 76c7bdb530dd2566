"""The log in words: a game declares a template for each kind of event, and how each argument is written."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from string import Formatter
from typing import Any

from backroom.engine.events import Event
from backroom.engine.notation import Line, Part, Thing, deed, player
from backroom.engine.record import Viewer
from backroom.text.english import enumerated

__all__ = ["Log", "Template", "Words", "each", "people"]

Template = str | Callable[[Event], str]
"""A line with the names of the event's arguments in braces, or what makes one of an event: its words may hang on it.

``{seat} laid {cards}.`` tells what the event's player did: the stop at its end, or what follows a bar, is what came of
it (`backroom.engine.notation.deed`). ``{card:10}`` is written as the argument ``card`` would be if it were 10.
Whoever reads a line is you in it: of ``<lacks/lack>`` the second is taken after you, and ``{seat}'s`` becomes your.
An empty template is a silent event.
"""
Words = Callable[[Any, Sequence[str]], Part | Sequence[Part]]
"""How an argument (None where its viewer may not know it) is written, with the names of the players."""


def people(seats: Iterable[int], names: Sequence[str]) -> list[Part]:
    """Players in a row: Anna, Ben and Cleo."""
    return enumerated([player(seat, names) for seat in seats])


def each(things: Iterable[Part], names: Sequence[str]) -> list[Part]:
    """A thing of each player, by seat: Anna 7, Ben 5."""
    parts = [part for seat, thing in enumerate(things) for part in (", ", player(seat, names), " ", thing)]
    return parts[1:]


class Log:
    """A game's log: by kind of event its rule and a `Template`, and `Words` for arguments that are not mere numbers.

    The rule too may hang on the event. An event of another kind is silent. The seat that reads a line is called you.
    ``follows`` says which events come of an earlier one and are no deeds of their own, ``gain`` the points that one
    brought its player, ``takes`` by which ones things came to the player (`backroom.engine.notation.Line`).
    """

    def __init__(
        self,
        templates: Mapping[str, tuple[Template, Template]],
        follows: Callable[[Event], bool] = lambda event: False,
        gain: Callable[[Event], int] = lambda event: 0,
        takes: Callable[[Event], bool] = lambda event: False,
        **words: Words,
    ) -> None:
        self.templates = templates
        self.follows, self.gain, self.takes = follows, gain, takes
        self.words: dict[str, Words] = {"seat": player, **words}

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        """See `backroom.engine.notation.Notation`."""
        if event.kind not in self.templates:
            return None
        rule, text = (made if isinstance(made, str) else made(event) for made in self.templates[event.kind])
        if not text:
            return None
        line = self._line(rule, text, event, names, viewer)
        return replace(line, follows=self.follows(event), gain=self.gain(event), takes=self.takes(event))

    def _line(self, rule: str, text: str, event: Event, names: Sequence[str], viewer: Viewer) -> Line:
        called = [["You" if seat == viewer else name for seat, name in enumerate(names)]]
        called += [["you" if seat == viewer else name for seat, name in enumerate(names)]]
        acted = re.match(r"\{seat\}( |(?=\|))", text)
        if acted is None:
            parts = self._filled(text, event, viewer, *called)
            if isinstance(parts[0], Thing) and parts[0].key == str(viewer) and parts[0].kind == "seat":
                parts[0] = replace(parts[0], words=parts[0].words.capitalize())
            return Line(tuple(parts), rule)
        did, _, then = text[acted.end() :].partition("|")
        if did.endswith("."):
            did, then = did[:-1], "."
        doer = player(event.seat, called[0])
        did_parts, then_parts = (self._filled(part, event, viewer, *called) for part in (did, then))
        return deed(doer, did_parts, then_parts, rule)

    def _filled(
        self, text: str, event: Event, viewer: Viewer, doers: Sequence[str], others: Sequence[str]
    ) -> list[Part]:
        """The pieces of a template, with the names of players as its ``{seat}`` and elsewhere in it."""
        parts: list[Part] = []
        you = event.seat == viewer  # whether the player named last, whom a verb is about, reads it
        known = {"seat": event.seat, **event.args}
        for words, name, said, _ in Formatter().parse(text):
            named = parts[-1] if parts else ""
            if you and isinstance(named, Thing) and named.kind == "seat" and words.startswith("'s"):
                parts[-1], words = replace(named, words=f"{named.words}r"), words.removeprefix("'s")
            if "<" in words:
                words = re.sub(r"<(\w+)/(\w+)>", r"\2" if you else r"\1", words)
            parts += [words] if words else []
            if name is not None:
                value = known[name] if not said else int(said) if said.isdecimal() else said
                called = doers if name == "seat" else others
                made = self.words[name](value, called) if name in self.words else str(value)
                more = [made] if isinstance(made, str | Thing) else made
                seats = [part.key for part in more if isinstance(part, Thing) and part.kind == "seat"]
                you = seats[-1] == str(viewer) if seats else you
                parts += more
        return parts
