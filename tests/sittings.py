"""Tables of people without HTTP, and all that each of them is served."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.record import SPECTATOR
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.api import view_model
from backroom.web.table_page import render_table, render_text


class Sitting:
    """A table of people, each with a token; ``options`` are the game's."""

    def __init__(self, tables: Tables, game: str, names: Sequence[str], **options: Any) -> None:
        self.tables = tables
        self.tokens = [f"{name}-{id(self)}" for name in names]
        chairs = [ChairRequest("you", names[0])] + [ChairRequest("friend")] * (len(names) - 1)
        self.id = tables.create(self.tokens[0], game, chairs, options, "", "")
        for number, name in enumerate(names[1:], 1):
            invite = tables.view(self.id, self.tokens[0]).chairs[number].invite
            tables.sit(self.id, self.tokens[number], invite, name)
        self.moves = 0

    def play(self, seat: int, text: str) -> None:
        ply = self.tables.view(self.id, self.tokens[seat]).ply
        self.moves += 1
        self.tables.submit(self.id, self.tokens[seat], text, ply, f"move {self.moves}")

    def served(self, viewer: int) -> tuple[Any, ...]:
        """All that a browser is served: page, text page, JSON, and what the stream tells."""
        token = self.tokens[viewer] if viewer != SPECTATOR else "nobody"
        view = self.tables.view(self.id, token)
        json = view_model(view).model_dump()
        # Different for each table whatever is played: its address, its secrets, and what is hashed with them.
        for name in ("table", "link", "commitment", "chairs"):
            del json[name]
        html = [text.replace(self.id, "TABLE") for text in (render_table(view), render_text(view))]
        return *html, json, self.tables.pulse(self.id, token, present=False)
