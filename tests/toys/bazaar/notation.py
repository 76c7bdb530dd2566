"""Bazaar as text. Cards are the letters a to d; a position is a row of ``field=numbers``."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from backroom.engine.events import Event
from backroom.engine.game import Game, Refusal, check_players, seats_in
from backroom.engine.match import Match
from backroom.engine.notation import Line, Thing, Token, deed, play_on_view, player
from backroom.engine.record import ALL_KNOWING, RecordType, Viewer, Visibility
from backroom.text.examples import Example
from toys.bazaar.rules import ACTIONS, SEATS

CARD = "abcd"
QUESTIONS = ("turn", "offer", "auction")


class BazaarNotation:
    """The notation of a game with this state; ``game`` is set by `toys.bazaar` when the game is made."""

    game: Game
    unwritten = frozenset({"chance_key", "chance_count"})
    """Fields that position lines leave out."""

    def __init__(self, state: RecordType) -> None:
        self.state = state

    def move_tokens(self, view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
        family, indices = ACTIONS.family(action).name, ACTIONS.indices(action)
        if family == "sell":
            return Token("sell", "verb"), Token(f"x{indices[0] + 1}", "count")
        if family == "pick":
            return (Token(CARD[indices[0]], "card", CARD[indices[0]]),)
        if family == "offer":
            return Token("offer", "verb"), Token(CARD[indices[0]], "card", CARD[indices[0]])
        if family == "bid":
            return Token("bid", "verb"), Token(str(indices[0]), "count")
        return (Token(family, "verb"),)

    def parse_move(self, game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
        if view.over:
            raise Refusal("E_OVER", "the game is over")
        if not int(view.acting) >> seat & 1:
            raise Refusal("E_ACTOR", "it is not this player's decision")
        words = text.lower().split()
        actions: list[int] = []
        while words:
            for action in game.legal(view, seat).tolist():
                tokens = [token.text for token in self.move_tokens(view, seat, action, names)]
                if words[: len(tokens)] == tokens:
                    words = words[len(tokens) :]
                    actions.append(action)
                    view = play_on_view(game, view, seat, action)
                    break
            else:
                raise Refusal("E_SYNTAX", f"{words[0]!r} cannot stand here")
            if not view.midmove:
                break
        if words or not actions or view.midmove:
            raise Refusal("E_COUNT", "too many or too few words")
        return actions

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        card = event.args.get("card")
        thing: str | Thing = "a card" if card is None else Thing("card", CARD[card], CARD[card])
        if event.kind == "dealt":
            return Line((f"{event.args['cards']} cards each",), "B1")
        if event.kind == "revealed":
            bids = event.args["bids"]
            return Line(("the bids stay sealed" if bids is None else f"bids: {' '.join(map(str, bids))}",), "B5")
        if event.seat < 0:
            return Line((event.kind,), "B6" if event.kind == "ended" else "B4")
        who = player(event.seat, names)
        if event.kind == "drew":
            return deed(who, ("draws ", thing), (), "B2")
        if event.kind == "sold":
            return deed(who, ("sells ", thing), (), "B3")
        if event.kind == "offered":
            return deed(who, ("offers ", player(event.args["taker"], names), " ", thing), (), "B4")
        if event.kind in ("bid", "won"):
            coins = event.args["coins"]
            return Line((who, f": {event.kind}" + ("" if coins is None else f" {coins}")), "B5")
        return deed(who, (event.kind,), (), "B6" if event.kind == "ended" else "B4")

    def preview(self, game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
        return "then: " + ", ".join(ACTIONS.family(action).name for action in actions)

    def question(self, view: Any, seat: int) -> str:
        return QUESTIONS[int(view.phase)] if int(view.acting) >> seat & 1 else ""

    def position(self, state: Any, names: Sequence[str], viewer: Viewer) -> str:
        words = ["names=" + ",".join(names)]
        for name, field in self.state.fields.items():
            if name in self.unwritten:
                continue
            rows = np.asarray(state[name]).reshape(field.shape[0] if field.shape else 1, -1)
            shown = []
            for index, row in enumerate(rows.tolist()):
                own = field.visibility is Visibility.OWNED and index == viewer
                known = viewer is ALL_KNOWING or own or field.visibility is Visibility.PUBLIC
                shown.append(".".join(map(str, row)) if known else "?")
            words.append(f"{name}={','.join(shown)}")
        return " ".join(words)

    def parse_position(self, game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
        parts = dict(word.split("=", 1) for word in text.split() if "=" in word)
        state = self.state.new()
        wanted = [name for name in self.state.fields if name not in self.unwritten]
        if set(parts) != {"names", *wanted} or len(text.split()) != len(parts):
            raise Refusal("E_POSITION", f"a position has names and {', '.join(wanted)}, each once")
        names = tuple(parts["names"].split(","))
        for name in wanted:
            field = self.state.fields[name]
            try:
                values = [int(number) for row in parts[name].split(",") for number in row.split(".")]
                numbers = np.array(values, np.int64).reshape(field.shape)
                state[name] = numbers.astype(field.dtype)
            except (ValueError, OverflowError):
                raise Refusal("E_POSITION", f"{name}: numbers in the shape {field.shape} were expected") from None
            limits = np.iinfo(field.dtype)
            if numbers.size and (numbers.min() < limits.min or numbers.max() > limits.max):
                raise Refusal("E_POSITION", f"{name}: a number is out of range")
        try:
            check_players(names, range(2, SEATS + 1))
        except Refusal as problem:
            raise Refusal("E_POSITION", problem.message) from None
        if len(names) != int(state.seats) or any(seat >= len(names) for seat in seats_in(int(state.acting))):
            raise Refusal("E_POSITION", "seats and names differ")
        return state, names

    def examples(self, game: Game, text: str) -> Iterable[Example]:
        """Blocks: ``id seed N name name ...``, then ``> name move`` lines and ``= field number`` facts."""
        for block in text.strip().split("\n\n"):
            lines = block.splitlines()
            yield Example(lines[0].split()[0], lambda lines=lines: self._check(lines))

    def _check(self, lines: list[str]) -> list[str]:
        _, _, seed, *names = lines[0].split()
        match = Match.new(self.game, names, seed=int(seed))
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
