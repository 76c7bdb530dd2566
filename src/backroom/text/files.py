"""Files that somebody names: how a name is shown, and what is said when nothing can be done with it."""

from pathlib import Path

from backroom.engine.game import Refusal

__all__ = ["shown", "unusable"]


def shown(path: Path) -> str:
    """A file's name as a message shows it, on one line: quoted, if it holds what cannot be printed."""
    name = str(path)
    return name if name.isprintable() else repr(name)


def unusable(path: Path, what: str, problem: OSError | ValueError) -> Refusal:
    """Refusal E_FILE for a file with which that cannot be done (``what``: "be read").

    Python answers a name that no file can have with ValueError, one that this system cannot have with OSError.
    """
    reason = getattr(problem, "strerror", None) or str(problem)
    return Refusal("E_FILE", f"{shown(path)}: cannot {what} ({reason})")
