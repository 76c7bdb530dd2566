"""The web application: one store, one set of tables, pages, JSON and event streams, and what guards them.

For routes: ``request.app.state.tables`` is the `Tables`, ``request.state.token`` the browser's token (always there; a
new browser is given one in a cookie). A Refusal raised anywhere becomes one line: a page for a request that accepts
``text/html`` and asks with GET or a form, JSON (`backroom.web.api.Problem`) otherwise.
"""

from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from backroom.tables.service import Tables
from backroom.web import pages

__all__ = ["Settings", "create_app", "serve"]


@dataclass(frozen=True)
class Settings:
    """How to run: ``database_url`` as SQLAlchemy takes it (``sqlite:///file``, ``postgresql+psycopg://...``)."""

    database_url: str


def create_app(settings: Settings) -> FastAPI:
    """The application over one database. Migrations run when it starts."""
    app = FastAPI(title="Backroom", docs_url=None, redoc_url=None)
    app.state.tables = Tables()
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    app.include_router(pages.router)
    return app


def serve(host: str = "127.0.0.1", port: int = 8000, database_url: str | None = None) -> None:
    """Run the server until it is stopped. Takes the next free port if ``port`` is taken, and prints its address."""
    raise NotImplementedError
