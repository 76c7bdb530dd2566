"""What pages load: the house's files, a game's own style, and of all games together their emblems and their cloths.

A game's folder may hold ``emblems.svg``, symbols that stand after the house's, and ``cloth.css``, rules for its cloth
that stand after the house's tokens. All of it is sent from a folder that is named by what is in it, so that a browser
may keep it for a year: when a file changes, the pages name another folder.
"""

import gzip
import logging
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request, Response

from backroom.engine.game import Game, Refusal, installed_games
from backroom.web.asked import YEAR, known_tags, offered

__all__ = ["cloths", "emblems", "folder", "kept", "router"]

router = APIRouter()
LOG = logging.getLogger(__name__)

HOUSE = Path(__file__).parent / "static"
MEDIA = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
SCRIPT_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
SYMBOL = re.compile(r"<symbol\b.*?</symbol>", re.DOTALL)
NAME = re.compile(r"""\bid=["']([^"']+)["']""")


def _brought(name: str) -> list[tuple[str, str]]:
    """The files of this name that installed games bring, with the games' names, which are in order."""
    return [(game.name, _of(game, name)) for game in installed_games() if game.file(name).is_file()]


def _of(game: Game, name: str) -> str:
    """A file of a game's folder as it is sent; empty if it brings none."""
    file = game.file(name)
    return _sent(name, file.read_text("utf-8")) if file.is_file() else ""


@cache
def emblems() -> str:
    """The sheet of emblems: the house's symbols and those of all installed games.

    A name that is taken already is left out, so that no game changes another's drawings, and the log says so.
    """
    sheet = _houses()["emblems.svg"]
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
    return "".join([_houses()["tokens.css"], *(text for _, text in _brought("cloth.css"))])


@cache
def folder() -> str:
    """The path under which all these files stand, ``/static/`` and the digest of them all."""
    texts = sorted(_houses().items())
    texts += [("emblems.svg", emblems()), ("tokens.css", cloths()), *_brought("table.css")]
    return f"/static/{sha256(repr(texts).encode()).hexdigest()[:16]}"


def kept(path: str) -> str:
    """How long a browser may keep what stands at this path under ``/static/``, as `Cache-Control` has it.

    A page that was open when the server was renewed asks by the old name, and is given what there is now.
    """
    return f"public, max-age={YEAR}, immutable" if path.startswith(f"{folder()}/") else "max-age=300"


@cache
def _tag(text: str) -> str:
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


@cache
def _packed(text: str) -> bytes:
    """As small as it gets: it is made once and sent often. What changes with each request is packed in haste."""
    return gzip.compress(text.encode(), mtime=0)


def _sent(name: str, text: str) -> str:
    """A file as it is sent: without the comments that stand on lines of their own in scripts, and those of styles."""
    if name.endswith(".css"):
        return STYLE_COMMENT.sub("", text)
    return SCRIPT_COMMENT.sub("", text) if name.endswith(".js") else text


@cache
def _houses() -> dict[str, str]:
    """The house's files by name."""
    return {file.name: _sent(file.name, file.read_text("utf-8")) for file in HOUSE.iterdir()}


def _sheet(request: Request, text: str, media_type: str) -> Response:
    tag = _tag(text)
    # A proxy that compresses makes the tag a weak one.
    if tag in [known.removeprefix("W/") for known in known_tags(request)]:
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_packed(text), media_type=media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(text, media_type=media_type, headers=headers)


@router.get("/static/{mark}/emblems.svg")
def emblem_sheet(request: Request) -> Response:
    """Every drawing, in one request that browsers keep."""
    return _sheet(request, emblems(), "image/svg+xml")


@router.get("/static/{mark}/tokens.css")
def token_sheet(request: Request) -> Response:
    """Every colour and size."""
    return _sheet(request, cloths(), "text/css")


@router.get("/static/{mark}/games/{game}/table.css")
def table_style(request: Request, game: str) -> Response:
    """A game's own style sheet."""
    return _sheet(request, _of(offered(game), "table.css"), "text/css")


@router.get("/static/{mark}/{name}")
def house_file(request: Request, name: str) -> Response:
    """One of the house's files as it is."""
    if name not in _houses():
        raise Refusal("E_PAGE", f"there is no file {name!r} here")
    return _sheet(request, _houses()[name], MEDIA[name.rpartition(".")[2]])
