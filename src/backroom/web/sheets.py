"""What every page loads of all games together, as two files: their emblems, and their cloths.

A game's folder may hold ``emblems.svg``, symbols that stand after the house's, and ``cloth.css``, rules for its cloth
that stand after the house's tokens.
"""

import logging
import re
from functools import cache
from hashlib import sha256
from importlib import resources

from fastapi import APIRouter, Request, Response

from backroom.engine.game import installed_games
from backroom.web.asked import known_tags

__all__ = ["cloths", "emblems", "router"]

router = APIRouter()
LOG = logging.getLogger(__name__)

SYMBOL = re.compile(r"<symbol\b.*?</symbol>", re.DOTALL)
NAME = re.compile(r"""\bid=["']([^"']+)["']""")


def _house(name: str) -> str:
    return (resources.files("backroom.web") / "static" / name).read_text("utf-8")


def _brought(name: str) -> list[tuple[str, str]]:
    """The files of this name that installed games bring, with the games' names, which are in order."""
    files = [(game.name, game.file(name)) for game in installed_games()]
    return [(game, file.read_text("utf-8")) for game, file in files if file.is_file()]


@cache
def emblems() -> str:
    """The sheet of emblems: the house's symbols and those of all installed games.

    A name that is taken already is left out, so that no game changes another's drawings, and the log says so.
    """
    sheet = _house("emblems.svg")
    taken = set(NAME.findall(sheet))
    added = []
    for game, text in _brought("emblems.svg"):
        for symbol in SYMBOL.findall(text):
            names = set(NAME.findall(symbol))
            if names & taken:
                LOG.error("emblems of %s are left out: the names %s are taken", game, ", ".join(sorted(names & taken)))
                continue
            taken |= names
            added.append(f"{symbol}\n")
    house, end, after = sheet.rpartition("</svg>")
    return "".join([house, *added, end, after])


@cache
def cloths() -> str:
    """The tokens of the house, then the cloths of all installed games."""
    return "".join([_house("tokens.css"), *(text for _, text in _brought("cloth.css"))])


@cache
def _tag(text: str) -> str:
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def _sheet(request: Request, text: str, media_type: str) -> Response:
    tag = _tag(text)
    # A proxy that compresses makes the tag a weak one.
    if tag in [known.removeprefix("W/") for known in known_tags(request)]:
        return Response(status_code=304, headers={"ETag": tag})
    return Response(text, media_type=media_type, headers={"ETag": tag})


@router.get("/static/emblems.svg")
def emblem_sheet(request: Request) -> Response:
    """Every drawing, in one request that browsers keep."""
    return _sheet(request, emblems(), "image/svg+xml")


@router.get("/static/tokens.css")
def token_sheet(request: Request) -> Response:
    """Every colour and size."""
    return _sheet(request, cloths(), "text/css")
