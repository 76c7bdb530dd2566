"""A match is data: game, rules version, options, seed and the list of moves. Its state is the fold of these."""

import hashlib
import json
import operator
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, SupportsIndex

from backroom.engine import chance, names
from backroom.engine.events import Event
from backroom.engine.game import Game, Refusal, find_game, game_names, seats_in
from backroom.engine.notation import Line, move_text
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, Viewer, checked_viewer
from backroom.engine.refusal import checked_seat

__all__ = ["FORMAT", "FORMATS", "MAX_FILE", "Match", "Move", "Recorded", "file_text", "read_json", "recorded_moves"]

FORMAT = 2
"""Version of the export file of new matches. One of version 1 differs in how names enter the hash of its opening."""
FORMATS = 1, FORMAT
MAX_FILE = 8_000_000
"""Most bytes of a match file that import accepts."""


@dataclass(frozen=True)
class Move:
    """One accepted move: who, which actions, how it reads, and the events it brought.

    A message (``message`` is its number, ``actions`` is empty) is an entry like any other, in games where talk is
    part of the rules.
    """

    seat: int
    actions: tuple[int, ...]
    text: str
    events: tuple[Event, ...]
    message: int | None = None
    told: dict[tuple[Viewer, tuple[str, ...]], tuple[Line, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The lines already made, by viewer and names: every look at the log asks for them again."""


class Recorded(NamedTuple):
    """The version of the rules that a match began under, and the options by name as they were then."""

    rules: str
    options: Mapping[str, Any]


def _packed(state: Any) -> bytes:
    """A position as a match keeps it: a server has those of hundreds of matches, and most of their bytes are 0."""
    return zlib.compress(state.tobytes(), 1)


class Match:
    """A match in progress or finished.

    ``players`` are the names in the order given, ``names`` the same by seat (the set-up may rotate them), ``state``
    the position now, ``chain`` the hash chain: one SHA-256 (hex) for the opening and one for each move, each over the
    one before, the move and the whole state. ``form`` is the version of the match file (FORMATS) that it was begun
    under, and keeps.

    ``under`` is what it was begun under. Where that is other rules than the game's of today, the match is there to be
    replayed (`repeat`) and looked at: when all its hashes are as they were recorded, so is all that it shows. Nothing
    is played on in it.

    A copy (`copy.copy`, `copy.deepcopy`) is a match of its own that can be played on. A match of an installed game can
    be pickled; the pickle holds the seed.
    """

    def __init__(
        self,
        game: Game,
        options: Options,
        players: Sequence[str],
        seed: bytes,
        position: str | None = None,
        form: int = FORMAT,
        under: Recorded | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.under = under or Recorded(game.version, options.model_dump())
        self.players = tuple(players)
        self.seed = seed
        self.state, opening = game.opening(options, players, seed)
        self.position = position
        if position is not None:
            self.state, found = game.notation.parse_position(game, position)
            chance.set_key(self.state, seed)
            # A line has names as they are written in notation, with _ for a blank; who is meant is spelt as given.
            spelt = {names.key(player): player for player in players}
            self.players, opening = tuple(spelt.get(names.key(name), name) for name in found), []
        turn = 0 if position is not None else int(self.state.rotation)
        self.names = self.players[turn:] + self.players[:turn]
        # Where all decide together a round is one turn.
        together = getattr(game.rules, "TURN_IS_ROUND", False) or len(seats_in(int(self.state.acting))) > 1
        self._turns = 1 if together else len(self.names)
        self.opening_events: tuple[Event, ...] = tuple(opening)
        self.moves: list[Move] = []
        self._states = [_packed(self.state)]
        self.form = form
        self.chain = [self._link("", f"{game.name} {self.under.rules} {self._options_text()} {self._names_text()}")]

    @classmethod
    def new(
        cls,
        game: Game | str,
        players: Sequence[str],
        options: Mapping[str, Any] | None = None,
        seed: int | str | bytes | None = None,
    ) -> "Match":
        """A match from names, option values and a seed (none: drawn from the system). Refusal E_SETUP otherwise."""
        if isinstance(game, str):
            game = find_game(game)
        for name in players:
            game.check_name(name)
        return cls(game, game.options.build(options or {}), players, chance.match_seed(seed))

    @classmethod
    def from_position(cls, game: Game, position: str, seed: int | str | bytes | None = None) -> "Match":
        """A match that begins at a position line instead of the set-up. Refusal E_POSITION or E_SETUP otherwise."""
        _, names = game.notation.parse_position(game, position)
        return cls(game, game.options.build({}), names, chance.match_seed(seed), position)

    def __getstate__(self) -> dict[str, Any]:
        # Lists are the match's own, also where a copy is a shallow one; the position now is the last of its states.
        kept = {name: value[:] if isinstance(value, list) else value for name, value in vars(self).items()}
        del kept["state"]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.state = self.at(self.ply)

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed (hex), to be shown from the start."""
        return chance.commitment(self.seed)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.moves)

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or by a program guard."""
        return bool(self.state.over)

    @property
    def acting(self) -> list[int]:
        """The seats that owe a decision now."""
        return seats_in(int(self.state.acting))

    def seat_of(self, name: str) -> int:
        """The seat of a player by name (`backroom.engine.names`). Refusal E_ACTOR when nobody has that name."""
        seat = names.seat_called(name, self.names)
        if seat is not None:
            return seat
        raise Refusal("E_ACTOR", f"nobody here is called {name!r}; there are {', '.join(self.names)}")

    def view(self, viewer: Viewer) -> Any:
        """What a viewer (a seat, SPECTATOR or ALL_KNOWING) may know of the position now.

        Refusal E_ACTOR when there is no such seat.
        """
        return self.game.state.view(self.state, viewer)

    def views(self, viewer: Viewer) -> Iterator[Any]:
        """All views a viewer has had, from the opening to the position now."""
        for ply in range(self.ply + 1):
            yield self.game.state.view(self.at(ply), viewer)

    def round_at(self, ply: int) -> int:
        """The number of the round after so many moves, from 0.

        A round is over when everybody has had a turn: at once where all decide together. In a game whose rules have
        TURN_IS_ROUND the header's ``turn`` is its number.
        """
        return self._round(self.at(ply))

    def _round(self, state: Any) -> int:
        return max(int(state.turn) - 1, 0) // self._turns

    def standings(self) -> list[list[int]]:
        """The scores by seat at the opening, after each round and now."""
        found: list[list[int]] = []
        told = -1
        for ply in range(self.ply + 1):
            state = self.at(ply)
            number = self._round(state)
            if number != told or ply == self.ply:
                found.append(self.game.outcome(state)[0])
            told = number
        return found

    def at(self, ply: int) -> Any:
        """A copy of the state after ``ply`` moves (0: the opening)."""
        if not 0 <= ply <= self.ply:
            raise Refusal("E_PLY", f"there is no ply {ply}; this match has plies 0 to {self.ply}")
        return self.game.state.from_bytes(zlib.decompress(self._states[ply]))

    def _player(self, seat: int) -> int:
        """Check that a seat may speak now. Refusal E_OVER, or E_ACTOR for a seat that does not exist."""
        if self.over:
            raise Refusal("E_OVER", "the game is over")
        return checked_seat(self.state.seats, seat)

    def _asked(self, seat: int) -> int:
        """Check that a seat owes a decision. Refusal E_OVER or E_ACTOR for every other seat."""
        seat = self._player(seat)
        if seat not in self.acting:
            waited = ", ".join(self.names[other] for other in self.acting)
            raise Refusal("E_ACTOR", f"it is not this player's decision; waiting for {waited}")
        return seat

    def play(self, seat: int, text: str) -> Move:
        """Make a typed move, or say something where talk is part of the game.

        Refusal with the game's code when it cannot be read or is illegal, E_ACTOR when there is no such seat, E_VERSION
        in a match of other rules; then nothing changed.
        """
        seat = self._player(seat)
        self.refuse_other_rules()
        if self.game.messages is not None:
            said = self.game.talk_notation.parse_talk(self.view(seat), seat, text, self.names)
            if said is not None:
                return self._say(seat, *said)
        move = " ".join(text.split())
        return self.play_actions(
            seat, self.game.notation.parse_move(self.game, self.view(seat), seat, move, self.names)
        )

    def play_actions(self, seat: int, actions: Iterable[SupportsIndex]) -> Move:
        """Make a move given as actions (whole numbers, Python's or NumPy's), accepted whole or not at all.

        Refusal E_VERSION (a match of other rules), E_OVER, E_ACTOR, E_ILLEGAL (an action that is not legal) or E_COUNT
        (actions missing or too many).
        """
        self.refuse_other_rules()
        return self._play_actions(self._asked(seat), _whole_numbers(actions))

    def repeat(self, seat: int, actions: Sequence[int], text: str) -> Move:
        """Make a move again as it was recorded, in a match of any rules; ``actions`` is empty for a message.

        Refusal as of `play` and `play_actions`, E_ILLEGAL for what is no action or no message. The caller compares the
        hash.
        """
        if actions or self.game.messages is None:
            if not all(0 <= action < self.game.actions.count for action in actions):
                raise Refusal("E_ILLEGAL", f"{self.game.name} has no such action")
            return self._play_actions(self._asked(seat), tuple(actions))
        seat = self._player(seat)
        said = self.game.talk_notation.parse_talk(self.view(seat), seat, text, self.names)
        if said is None:
            raise Refusal("E_ILLEGAL", f"{text[:40]!r} is no message")
        return self._say(seat, *said)

    @property
    def outdated(self) -> bool:
        """Whether it was begun under other rules than the game's of today."""
        return self.under.rules != self.game.version

    def refuse_other_rules(self) -> None:
        """Refusal E_VERSION in a match of other rules, which cannot be gone on with."""
        if self.outdated:
            raise Refusal(
                "E_VERSION",
                f"begun under rules {self.under.rules} of {self.game.title}; under {self.game.version} it can be read, "
                "but not gone on with",
            )

    def _play_actions(self, seat: int, numbers: tuple[int, ...]) -> Move:
        if not numbers:
            raise Refusal("E_COUNT", "a move has at least one action")
        state, log = self.game.state.copy(self.state), self.game.events.new_log()
        for number, action in enumerate(numbers):
            if number and not int(state.midmove) >> seat & 1:
                raise Refusal("E_COUNT", f"the move is complete after {number} of its {len(numbers)} actions")
            self.game.apply(state, seat, action, log)
        if int(state.midmove) >> seat & 1:
            raise Refusal("E_COUNT", "the move is not complete")
        text = move_text(self.game, self.view(seat), seat, numbers, self.names)
        return self._append(Move(seat, numbers, text, tuple(self.game.events.read(log))), state)

    def _say(self, seat: int, message: int, text: str) -> Move:
        state, log = self.game.state.copy(self.state), self.game.events.new_log()
        self.game.kernels["talk"](state, seat, message, log)
        events = tuple(replace(event, args=event.args | {"text": text}) for event in self.game.events.read(log))
        return self._append(Move(seat, (), text, events, message), state)

    def _append(self, move: Move, state: Any) -> Move:
        self.state = state
        self.moves.append(move)
        self._states.append(_packed(state))
        self.chain.append(self._link(self.chain[-1], f"{move.seat} {move.actions} {move.text}"))
        return move

    def still_asked(self, seat: int, ply: int) -> bool:
        """Whether a decision asked of the seat at ``ply`` still stands: since then it has neither moved nor been free.

        So two players may answer at once, and nobody's answer is stale because somebody else spoke.
        """
        seat = checked_seat(self.state.seats, seat)
        if not 0 <= ply <= self.ply or any(move.seat == seat and move.message is None for move in self.moves[ply:]):
            return False
        return all(int(self.at(number).acting) >> seat & 1 for number in range(ply, self.ply + 1))

    def same_turn(self, ply: int) -> bool:
        """Whether the turn (where all decide at once: the round) that was going on at ``ply`` still is."""
        return 0 <= ply <= self.ply and int(self.at(ply).turn) == int(self.state.turn)

    def default_actions(self, seat: int) -> list[int]:
        """The move made for a seat that does not answer: its declared defaults until the move is complete.

        Refusal E_OVER or E_ACTOR when nothing is asked of the seat.
        """
        seat = self._asked(seat)
        state, log = self.game.state.copy(self.state), self.game.events.new_log(recording=False)
        actions: list[int] = []
        while not actions or int(state.midmove) >> seat & 1:
            action = int(self.game.kernels["default"](state, seat))
            self.game.apply(state, seat, action, log)
            actions.append(action)
        return actions

    def undo(self) -> Move:
        """Take back the last move and return it; whether one may, the table says. Refusal E_PLY at the opening."""
        if not self.moves:
            raise Refusal("E_PLY", "no move has been made yet")
        self._states.pop()
        self.chain.pop()
        move = self.moves.pop()
        self.state = self.at(self.ply)
        return move

    def lines(self, viewer: Viewer, since: int = 0, looked: int | None = None) -> list[tuple[int, Line]]:
        """The log as a viewer may read it: (ply, line) for every event that has one, set-up first (ply 0).

        A move is made at ply 1, 2, ...; ``since`` leaves out plies before it. What a message said is in its event's
        ``text``. While a match goes on, a game's ``recall`` may keep events back that are no news: those before the
        last decision, but for a viewer who has only seen the log up to ply ``looked`` those until then. From
        ALL_KNOWING nothing is kept back.
        """
        viewer = viewer if viewer is ALL_KNOWING else checked_viewer(self.state.seats, viewer)
        recall = None if self.over or viewer is ALL_KNOWING else getattr(self.game.notation, "recall", None)
        # Messages since the last decision are news as that decision is.
        old = next((ply for ply in range(self.ply, 0, -1) if self.moves[ply - 1].message is None), 0) - 1
        old = old if looked is None else min(looked, old)
        found: list[tuple[int, Line]] = []
        for ply in range(since, self.ply + 1):
            kept = recall if ply <= old else None
            found += [(ply, line) for line in self._told(ply, viewer, kept)]
        return found

    def _told(self, ply: int, viewer: Viewer, recall: Callable[[Any, Event], Event | None] | None) -> Iterable[Line]:
        """The lines of one ply; ``recall`` says what may be told of an event that is no news, if the rules do."""
        move = self.moves[ply - 1] if ply else None
        told = move.told.get((viewer, self.names)) if move is not None and recall is None else None
        if told is not None:
            return told
        happened: Iterable[Event | None] = move.events if move is not None else self.opening_events
        if recall is not None:
            happened = (recall(self.state, event) for event in happened if event is not None)
        seen = (event.seen_by(viewer) for event in happened if event is not None)
        lines = ((self.game.notation.describe(event, self.names, viewer), event) for event in seen)
        found = tuple(replace(line, event=event) for line, event in lines if line is not None)
        if move is None:  # The set-up is nobody's deed.
            return tuple(replace(line, seat=None, deed="") for line in found)
        if recall is None:
            move.told[viewer, self.names] = found
        return found

    def keeps_back(self, since: int = 0) -> bool:
        """Whether the rules forbid, while the match goes on, telling some of what followed ply ``since`` again."""
        recall = getattr(self.game.notation, "recall", None)
        if recall is None or self.over:
            return False
        return any(recall(self.state, event) != event for move in self.moves[since:] for event in move.events)

    def refuse_looking_back(self) -> None:
        """Refusal E_UNDO where taking a move back would show an older one that the rules forbid to tell again."""
        if self.keeps_back():
            raise Refusal("E_UNDO", "the rules forbid looking back while the match goes on, so nothing is taken back")

    def _options_text(self) -> str:
        return json.dumps(self.under.options, sort_keys=True)

    def _names_text(self) -> str:
        """The names as they are hashed: what is joined by blanks names nobody once there are blanks in names."""
        if self.form > 1:
            return json.dumps(self.names)
        if not all(names.PLAIN.fullmatch(name) for name in self.names):
            raise Refusal("E_SETUP", "in a match of format 1 a name is one word of ASCII letters, digits, _ and -")
        return " ".join(self.names)

    def _link(self, before: str, text: str) -> str:
        return hashlib.sha256(f"{before} {text} ".encode() + self.state.tobytes()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The match as one JSON value, seed included: never to be shown to players before the end."""
        return {
            "backroom": self.form,
            "game": self.game.name,
            "rules": self.under.rules,
            "players": list(self.players),
            "options": dict(self.under.options),
            **({} if self.position is None else {"position": self.position}),
            "seed": self.seed.hex(),
            "commitment": self.commitment,
            "opening": self.chain[0],
            "moves": [
                {"player": self.names[move.seat], "move": move.text, "actions": list(move.actions), "hash": link}
                for move, link in zip(self.moves, self.chain[1:], strict=True)
            ],
        }

    @classmethod
    def from_json(cls, data: Any) -> "Match":
        """Replay an exported match, checking commitment and hash after every move.

        One that was recorded under other rules is replayed under those of today. When every hash is as recorded, that
        proves every position of it, and it can be read like any other (`outdated`). Refusal E_FILE (not such a file, or
        edited), E_VERSION (of other rules, and it does not replay), E_SETUP, or a move's own code; the message says
        where.
        """
        game, under, players, seed = cls._read_head(data)
        if data.get("commitment") != chance.commitment(seed):
            raise Refusal("E_FILE", "the seed does not match its commitment; the file was edited")
        moves = data.get("moves")
        if not isinstance(moves, list):
            raise Refusal("E_FILE", "'moves' must be a list")
        try:
            return cls._replayed(game, under, players, seed, data, moves)
        except Refusal as problem:
            if under.rules == game.version:
                raise
            raise Refusal(
                "E_VERSION",
                f"recorded under rules {under.rules!r}; it does not replay under {game.name} {game.version} "
                f"({problem.message}); `backroom replay FILE --log` prints its moves as they were recorded",
            ) from None

    @classmethod
    def _replayed(
        cls, game: Game, under: Recorded, players: list[str], seed: bytes, data: Mapping[str, Any], moves: list[Any]
    ) -> "Match":
        options = game.options.build(under.options)
        try:
            match = cls(game, options, players, seed, data.get("position"), data["backroom"], under)
        except Refusal as problem:
            raise Refusal("E_FILE", f"the set-up in the file is refused: {problem}") from None
        if data.get("opening") != match.chain[0]:
            raise Refusal("E_FILE", "the opening position differs from the one recorded; the file was edited")
        for ply, entry in enumerate(moves, 1):
            match._replay(ply, entry)
        return match

    def _replay(self, ply: int, entry: Any) -> None:
        if not isinstance(entry, dict) or not isinstance(entry.get("player"), str):
            raise Refusal("E_FILE", f"move {ply}: an object with player, move, actions and hash was expected")
        actions = entry.get("actions")
        if not isinstance(actions, list) or not all(
            type(a) is int and 0 <= a < self.game.actions.count for a in actions
        ):
            raise Refusal("E_FILE", f"move {ply}: 'actions' must be a list of action numbers of {self.game.name}")
        try:
            move = self.repeat(self.seat_of(entry["player"]), actions, str(entry.get("move")))
        except Refusal as problem:
            raise Refusal(problem.code, f"move {ply} ({entry.get('move')}): {problem.message}") from None
        if entry.get("hash") != self.chain[-1] or entry.get("move") != move.text:
            raise Refusal(
                "E_FILE", f"move {ply} ({move.text}): text or hash differ from the record; the file was edited"
            )

    @classmethod
    def _read_head(cls, data: Any) -> tuple[Game, Recorded, list[str], bytes]:
        if not isinstance(data, dict) or type(data.get("backroom")) is not int or data["backroom"] not in FORMATS:
            raise Refusal("E_FILE", f"not a Backroom match file of format {' or '.join(map(str, FORMATS))}")
        name, players, options, seed = (data.get(key) for key in ("game", "players", "options", "seed"))
        if not isinstance(name, str) or name not in game_names():
            raise Refusal("E_FILE", f"unknown game {name!r}; there are {', '.join(game_names())}")
        game = find_game(name)
        if not isinstance(data.get("rules"), str):
            raise Refusal("E_FILE", "'rules' must be the version of the rules")
        if "sealed" in data and data["rules"] == game.version:
            raise Refusal(
                "E_FILE",
                "the match goes on and its rules forbid looking back; `backroom play --resume` goes on with it",
            )
        if "sealed" in data:
            raise Refusal(
                "E_VERSION",
                f"begun under rules {data['rules']!r}; it cannot go on under {name} {game.version}; "
                "`backroom replay FILE --log` prints its moves as they were recorded",
            )
        if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
            raise Refusal("E_FILE", "'players' must be a list of names")
        if not isinstance(data.get("position"), str | None):
            raise Refusal("E_FILE", "'position' must be a position line")
        if not isinstance(options, dict):
            raise Refusal("E_FILE", "'options' must be an object")
        try:
            key = bytes.fromhex(seed) if isinstance(seed, str) else b""
        except ValueError:
            key = b""
        if len(key) != 32:
            raise Refusal("E_FILE", "'seed' must be 64 hexadecimal digits")
        return game, Recorded(data["rules"], options), players, key

    def dumps(self) -> str:
        """`to_json` as text, one move a line."""
        return file_text(self.to_json())

    @classmethod
    def loads(cls, text: str | bytes) -> "Match":
        """A match from the text of an export. Refusal E_FILE when it is no JSON, truncated, or larger than 8 MB."""
        return cls.from_json(read_json(text))


def _whole_numbers(actions: Iterable[SupportsIndex]) -> tuple[int, ...]:
    """Actions as plain integers. Refusal E_ILLEGAL where something is none: a bool, a float, a text."""
    try:
        given = tuple(actions)
    except TypeError:
        raise Refusal("E_ILLEGAL", f"a move is a sequence of action numbers, not {type(actions).__name__}") from None
    for action in given:
        # That a plain number is one is known by its type; asking for its methods costs more than the move.
        if type(action) is not int and (isinstance(action, bool) or not isinstance(action, SupportsIndex)):
            raise Refusal("E_ILLEGAL", f"an action is a whole number, not {type(action).__name__}")
    try:
        return tuple(operator.index(action) for action in given)
    except TypeError:  # an array of more than one number
        raise Refusal("E_ILLEGAL", "a move is one row of action numbers") from None


def file_text(data: dict[str, Any]) -> str:
    """A match (`Match.to_json`) as the text of its file, one move a line."""
    head = json.dumps({key: value for key, value in data.items() if key != "moves"}, ensure_ascii=False)[:-1]
    rows = ",\n".join(json.dumps(move, ensure_ascii=False) for move in data["moves"])
    return f'{head}, "moves": [\n{rows}\n]}}\n'


def recorded_moves(data: Any) -> list[tuple[str, str]]:
    """The mover and text of each move of a match file, as recorded: nothing of it is verified. Refusal E_FILE."""
    moves = data.get("moves") if isinstance(data, dict) else None
    if not isinstance(moves, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("player"), str) and isinstance(entry.get("move"), str)
        for entry in moves
    ):
        raise Refusal("E_FILE", "'moves' must be a list of objects with player, move, actions and hash")
    return [(entry["player"], entry["move"]) for entry in moves]


def read_json(text: str | bytes) -> Any:
    """The JSON value in a match file, with or without a byte order mark. Refusal E_FILE as `Match.loads`."""
    if len(text) > MAX_FILE:
        raise Refusal("E_FILE", f"the file is larger than {MAX_FILE // 1_000_000} MB")
    try:
        return json.loads(text.removeprefix("\ufeff") if isinstance(text, str) else text)
    except (ValueError, RecursionError) as problem:
        raise Refusal("E_FILE", f"no readable JSON ({problem}); was the file cut off?") from None
