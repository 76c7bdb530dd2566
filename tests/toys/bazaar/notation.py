"""Bazaar as text: plain notation (`backroom.text.plain`), but that cards are the letters a to d and the log is told."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from backroom.engine.events import Event
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import Line, Part, Thing, Token, player
from backroom.engine.record import Viewer
from backroom.text.examples import Example
from backroom.text.log import Log
from backroom.text.plain import PlainNotation
from toys.bazaar.rules import ACTIONS

CARD = "abcd"
QUESTIONS = ("turn", "offer", "auction")


def card(number: int | None, names: Sequence[str]) -> Part:
    return "a card" if number is None else Thing("card", CARD[number], CARD[number])


LOG = Log(
    {
        "dealt": ("B1", "{cards} cards each"),
        "drew": ("B2", "{seat} <draws/draw> {card}"),
        "sold": ("B3", "{seat} <sells/sell> {card}"),
        "offered": ("B4", "{seat} <offers/offer> {taker} {card}"),
        **{kind: ("B4", f"{{seat}} {kind}") for kind in ("stayed", "accepted", "declined")},
        "bid": ("B5", lambda e: "{seat}: bid" + ("" if e.args["coins"] is None else " {coins}")),
        "revealed": ("B5", lambda e: "the bids stay sealed" if e.args["bids"] is None else "bids: {bids}"),
        "won": ("B5", "{seat}: won {coins}"),
        "ended": ("B6", "ended"),
    },
    card=card, taker=player, bids=lambda bids, names: " ".join(map(str, bids)),
)  # fmt: skip


class BazaarNotation(PlainNotation):
    """The notation of a game with these rules and options."""

    def move_tokens(self, view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
        family, indices = ACTIONS.family(action).name, ACTIONS.indices(action)
        if family == "sell":
            return Token("sell", "verb"), Token(f"x{indices[0] + 1}", "count")
        cards = [Token(CARD[index], "card", CARD[index]) for index in indices]
        if family == "pick":
            return tuple(cards)
        return (Token("offer", "verb"), *cards) if family == "offer" else super().move_tokens(view, seat, action, names)

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        return LOG.describe(event, names, viewer)

    def preview(self, game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
        return "then: " + ", ".join(ACTIONS.family(action).name for action in actions)

    def question(self, view: Any, seat: int) -> str:
        return QUESTIONS[int(view.phase)] if int(view.acting) >> seat & 1 else ""

    def examples(self, game: Game, text: str) -> Iterable[Example]:
        """Whole matches, so that the deal is checked too.

        Blocks: ``id seed N name name ...``, then ``> name move`` lines and ``= field number`` facts.
        """
        for block in text.strip().split("\n\n"):
            lines = block.splitlines()
            yield Example(lines[0].split()[0], lambda lines=lines: self._check(game, lines))

    def _check(self, game: Game, lines: list[str]) -> list[str]:
        _, _, seed, *names = lines[0].split()
        match = Match.new(game, names, seed=int(seed))
        differences = []
        for line in lines[1:]:
            mark, name, rest = line.split(" ", 2)
            if mark == ">":
                match.play(match.seat_of(name), rest)
            elif str(np.asarray(match.state[name]).tolist()) != rest:
                differences.append(
                    f"{lines[0].split()[0]}: {name} is {np.asarray(match.state[name]).tolist()}, not {rest}"
                )
        return differences
