"""Facts about a game that the conformance suite needs: ``facts.py`` in its folder, with ``FACTS``.

Nothing but the suite loads it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from backroom.engine.game import Game

__all__ = ["Facts", "Perft", "Symmetry", "Uniform", "facts_of"]


@dataclass(frozen=True)
class Perft:
    """Node counts of the tree of actions below a position: ``counts[d]`` nodes after d + 1 actions.

    Where several seats act, the lowest acts first; chance is that of an all-zero key.
    """

    position: str
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Uniform:
    """A position and a viewer for whom resampling must follow ``weights`` (up to scale) of ``project(state)``."""

    position: str
    viewer: int
    project: Callable[[Any], Any]
    weights: Mapping[Any, float]


@dataclass(frozen=True)
class Symmetry:
    """How a state is relabelled when seats are: ``rotations`` of the seats, or ``all`` permutations.

    ``numbers`` are fields that hold a seat, ``sets`` bit sets of seats, ``rows`` public or secret fields whose first
    axis is the seat (owned fields have it anyway).
    ``actions`` maps a family to which of its indices are seats.
    """

    kind: str
    numbers: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    actions: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Facts:
    """Facts that only a game's author can state.

    - ``conserved(state)``: totals by name that no action may change (cards by kind, money with the bank)
    - ``defaults``: every option as the printed rules have it
    - ``values``: values to try for options whose type does not list them
    - ``contexts``: for an option, other options under which it matters (``seats`` may fix the number of seats)
    - ``shown_by``: options that change nothing in a state, and the test that shows what they do (``file::name``)
    - ``reveals``: kinds of event by which hidden things become known without staying visible in the state
    - ``open_when``: options under which nothing is hidden, so that resampling has nothing to vary
    - ``open_at_first``: hidden fields that everybody can work out at the opening
    - ``phrases``: messages to say now and then in random play, where talk is part of the rules
    - ``short``: options (and ``seats``) under which a match is clicked to its end in a browser in about twenty moves
    - ``longest``: most moves a random game with the options of simulations may take
    - ``rules``: for ids of the rulebook that no event of an example carries, the example or test that shows the rule
    - ``remarks``: ids of the rulebook under which nothing stands that a program could do
    """

    conserved: Callable[[Any], dict[str, Any]] | None = None
    perft: tuple[Perft, ...] = ()
    uniform: tuple[Uniform, ...] = ()
    symmetry: Symmetry | None = None
    defaults: Mapping[str, Any] | None = None
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    contexts: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    shown_by: Mapping[str, str] = field(default_factory=dict)
    reveals: frozenset[str] = frozenset()
    open_when: Mapping[str, Any] = field(default_factory=dict)
    open_at_first: frozenset[str] = frozenset()
    phrases: tuple[str, ...] = ()
    short: Mapping[str, Any] | None = None
    longest: int = 5000
    rules: Mapping[str, str] = field(default_factory=dict)
    remarks: frozenset[str] = frozenset()


def facts_of(game: Game) -> Facts:
    """The game's facts; those of a game that states none are empty."""
    name = f"{game.rules.__package__}.facts"
    if find_spec(name) is None:
        return Facts()
    found: Facts = import_module(name).FACTS
    return found
