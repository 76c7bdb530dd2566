"""Tables of people and bots without HTTP: how one is made and played, and all that everybody is served."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import alembic.command
import alembic.config
import pytest
import sqlalchemy

from backroom.engine.game import Refusal
from backroom.engine.record import SPECTATOR
from backroom.tables import service
from backroom.tables.service import Tables
from backroom.tables.views import Answer, ChairRequest, TableView
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text

ANNA, BEN, CLEO, EVE = "token-of-anna", "token-of-ben", "token-of-cleo", "token-of-eve"
NEWER = "99"
"""A version of rules that no game has yet."""
NAMES = {ANNA: "Anna", BEN: "Ben", CLEO: "Cleo"}


def among_people(tables: Tables, *tokens: str, game: str = "lockbox", **settings: Any) -> str:
    """A started table of people, the first of them its host; ``settings`` as `Tables.create` takes them."""
    chairs = [ChairRequest("you", NAMES[tokens[0]]), *(ChairRequest("friend") for _ in tokens[1:])]
    table = tables.create(tokens[0], game, chairs, **settings)
    for token in tokens[1:]:
        invite = next(chair.invite for chair in tables.view(table, tokens[0]).chairs if chair.invite)
        tables.sit(table, token, invite, NAMES[token])
    return table


def with_bots(tables: Tables, game: str = "corporation", bots: int = 2) -> str:
    """A table of Anna and bots."""
    return tables.create(ANNA, game, [ChairRequest("you", "Anna"), *[ChairRequest("bot", bot="random")] * bots])


def play(tables: Tables, table: str, token: str, text: str, move_id: str = "") -> Answer:
    """Make a move that is decided on now."""
    entry = tables.view(table, token).entry
    return tables.submit(table, token, text, entry, move_id or f"{token} {entry}")


def wait_for(happens: Callable[[], Any], seconds: float = 60.0) -> None:
    """Wait until something is so that another thread brings about."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def take_back_to(file: Path, revision: str) -> None:
    """Give an SQLite database the schema that it had after an older migration."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(Path(service.__file__).parent / "migrations"))
    engine = sqlalchemy.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.downgrade(config, revision)
    engine.dispose()


def see_to_what_is_due(tables: Tables) -> None:
    """Do what is due now, one after the other, in this thread: when it returns, all is done.

    That holds only where nobody else does it, too: tables whose own thread looks may have claimed it, and do it still.
    """
    assert tables.looker._thread.ident is None, "ask for the fixture `asleep` first"
    while claimed := tables.looker.claim():
        for row in claimed:
            tables.looker.see_to(row)


def first_move(view: TableView, source: Random | None = None) -> str:
    """The first whole move in the order of what may come next, or one by lot."""
    draft = view.prepared
    text = ""
    while draft.actions is None:
        token = source.choice(draft.tokens) if source else draft.tokens[0]
        text = f"{text}{'' if token.glue or not text else ' '}{token.text}"
        draft = type(draft)(view.game, view.record, view.viewer, view.names, text)
    return draft.text


def finish(tables: Tables, table: str, token: str = ANNA) -> TableView:
    """Play a table against bots to its end."""
    while not (view := tables.view(table, token)).over:
        if view.your_turn:
            play(tables, table, token, first_move(view))
        else:
            time.sleep(0.002)
    return view


def refused(code: str, call: Callable[..., Any], *args: Any) -> Refusal:
    """Have a call be refused with that code, in one line."""
    with pytest.raises(Refusal) as caught:
        call(*args)
    assert caught.value.code == code
    assert "\n" not in caught.value.message
    return caught.value


def fingerprint(tables: Tables, table: str) -> list[Any]:
    """Everything the store holds of a table but signs of presence."""
    with tables.store.read() as t:
        chairs = [(c.number, c.name, c.token, c.bot, c.invite, c.draft, c.notes, c.plan) for c in t.chairs(table)]
        return [t.table(table), chairs, t.entries(table), t.talk(table)]


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
        entry = self.tables.view(self.id, self.tokens[seat]).entry
        self.moves += 1
        self.tables.submit(self.id, self.tokens[seat], text, entry, f"move {self.moves}")

    def served(self, viewer: int) -> tuple[Any, ...]:
        """All that a browser is served: page, text page, JSON, and what the stream tells."""
        token = self.tokens[viewer] if viewer != SPECTATOR else "nobody"
        view = self.tables.view(self.id, token)
        json = view_model(view).model_dump()
        # Different for each table whatever is played: its address, its secrets, and what is hashed with them.
        for name in ("table", "link", "commitment", "chairs"):
            del json[name]
        html = [text.replace(self.id, "TABLE") for text in (render_table(view), render_text(view))]
        return *html, json, self.tables.mark(self.id, token)
