"""Writes a small complete game as a package of its own, to begin another game with.

The game is the folder ``template``. It is the one of docs/adding_a_game.md, too.
"""

import keyword
import re
import shutil
import sys
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from backroom.engine.game import Refusal, game_names
from backroom.engine.refusal import quoted
from backroom.text.files import unusable

__all__ = ["template_files", "write_game"]


def template_files(name: str = "kuhn") -> dict[str, str]:
    """The files of the package by their path in it, with the game called ``name``."""
    title = "Kuhn poker" if name == "kuhn" else name.replace("_", " ").capitalize()
    prefix = "".join(word.capitalize() for word in name.split("_"))

    def renamed(text: str) -> str:
        text = text.replace("Kuhn poker", title)
        text = re.sub(r"\bKuhn(?=[A-Z])", prefix, text)
        return re.sub(r"\bkuhn\b", name, text)

    folder = resources.files(__name__) / "template"
    return {
        path.replace("kuhn", name): renamed(file.read_text("utf-8")) for path, file in sorted(_below(folder).items())
    }


def _below(folder: Traversable, path: str = "") -> dict[str, Traversable]:
    found: dict[str, Traversable] = {}
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            found |= _below(entry, f"{path}{entry.name}/")
        elif entry.is_file():
            found[path + entry.name] = entry
    return found


def write_game(name: str, parent: Path) -> Path:
    """Write the package into a new folder of that name in ``parent``, and give the folder.

    Refusal: E_USAGE for what is no name of a package, E_SETUP for one that is taken, E_FILE where it cannot be written.
    Then nothing is left behind.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise Refusal("E_USAGE", f"{quoted(name)} is no name of a package; it has small letters, digits and _")
    if name in game_names():
        raise Refusal("E_SETUP", f"there is a game {name} already; choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise Refusal("E_SETUP", f"Python has a package {name} already; choose another name")
    folder = parent / name
    try:
        folder.mkdir()
    except OSError as problem:
        raise unusable(folder, "be made", problem) from None
    try:
        for path, text in template_files(name).items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, "utf-8")
    except BaseException as problem:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(problem, OSError):
            raise unusable(folder, "be written", problem) from None
        raise
    return folder
