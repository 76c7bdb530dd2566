"""The scene of a game that brings no page: rules, options and notation are enough to play it in the browser.

The plates are made from the fields of the record that are held by seat, the table from the others, or both from the
rows of the game's ``terminal`` module. Moves are made word by word, from what `Draft` says may come next.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from backroom.engine.game import Game, seats_after
from backroom.engine.notation import Line, Thing
from backroom.scenes.draft import Draft
from backroom.scenes.rows import Row, seat_facts, shared_rows, table_rows, terminal_module
from backroom.scenes.scene import Box, Choice, Emblem, Figure, Plate, Scene
from backroom.text.rulebook import passages

__all__ = ["DefaultTable", "about", "word_choices"]

DESCRIBED = 30
"""Up to so many first words are listed with what they do."""
NAMED = 6
"""Up to so many words that may follow are named."""
LONGEST = 139
"""Letters of a line for people who are asked to play."""


def about(game: Game) -> str:
    """The one line that says what a game is: the first of its package's docstring, else its title."""
    return (import_module(game.rules.__package__).__doc__ or game.title).strip().splitlines()[0]


def word_choices(draft: Draft) -> tuple[Choice, ...]:
    """What the first word of a move can be, each with what it does if it is a whole move, else with what may follow."""
    first = draft.begun("")
    return tuple(
        Choice(token.text, _effect(draft.begun(token.text)) if len(first.tokens) <= DESCRIBED else "", token.text)
        for token in first.tokens
    )


def _effect(draft: Draft) -> str:
    if draft.actions is not None:
        return draft.sentence
    words = [token.text for token in draft.tokens]
    return f"then {', '.join(words[:NAMED])}{' ...' if len(words) > NAMED else ''}"


class DefaultTable:
    """The `TableModule` of a game without one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.BOX = Box(
            hook=about(game),
            lasts="as long as it takes",
            cloth=game.name if game.file("cloth.css").is_file() else "home",
            emblem=Emblem("hand-card"),
            art=(
                Figure("card-back", 70, 32, 58, height=81.6, turn=-10),
                Figure("card-back", 132, 22, 58, height=81.6, turn=10),
                Figure("card-back", 101, 22, 58, height=81.6),
            ),
        )

    def scene(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
        """See `TableModule`. ``drawn``: rows of the table, own rows, and by seat the rows of what each held."""
        game, seats = self.game, range(len(names))
        facts: list[tuple[tuple[str, str], ...]] = [() for _ in seats]
        if terminal_module(game) is not None:
            found = table_rows(game, view, viewer, names)
            shared = [row for row in found if row.seat is None]
            held = [[row for row in found if row.seat == seat] for seat in seats]
            rows = [row for row in found if row.seat is None or row.seat != viewer]
        else:
            # What the plates say is not said again on the table.
            facts = [seat_facts(game, view, viewer, seat) for seat in seats]
            held = [[Row(fact, Line((value,))) for fact, value in it] for it in facts]
            rows = shared = shared_rows(game, view)
        question = game.notation.question(draft.view, viewer) if draft.acting else ""
        return Scene(
            heading=f"You are asked: {question}" if question not in ("", "turn") else "",
            plates=tuple(Plate(seat, facts=facts[seat]) for seat in seats_after(viewer, len(names))),
            counts=False,
            drawn={
                "rows": rows,
                "mine": held[viewer] if viewer >= 0 else [],
                "shared": shared,
                "held": held,
            },
        )

    def emblem(self, thing: Thing) -> Emblem | None:
        """Words are enough."""
        del thing
        return None

    def brief(self, options: Any, seats: int) -> tuple[Line, ...]:
        """The line that says what the game is, then how its rulebook begins."""
        del options, seats
        file = self.game.file("rulebook.md")
        rules = passages(file.read_text("utf-8")) if file.is_file() else []
        texts = [about(self.game), *(" ".join(" ".join(rule.wording).split()) for rule in rules if rule.rule)]
        return tuple(Line((_sentence(text.replace("*", "")),)) for text in texts[:3])

    def place(self, options: Any, seats: int, chair: int) -> str:
        """Which chair it is."""
        del options
        return f"chair {chair + 1} of {seats}"

    def verdicts(
        self, view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]
    ) -> Sequence[str]:
        """How far each is behind the first."""
        del viewer, names, lines
        scores, places = self.game.outcome(view)
        first = min(places)
        best = scores[places.index(first)]
        found = zip(scores, places, strict=True)
        return [_behind(abs(best - score)) if place > first else "" for score, place in found]


def _behind(points: int) -> str:
    return f"{points} behind" if points else "as many, but later in the order"


def _sentence(text: str) -> str:
    """As much of a text as a line holds, with a stop at its end."""
    if len(text) > LONGEST:
        text = text[: LONGEST - 3].rsplit(" ", 1)[0] + " ..."
    return text if text.endswith(".") else f"{text}."
