"""Catham City positions as one line, both ways: fields split by bars, letters for seats and for cards.

``SRDMH {advanced} | A:SSM/0 B:HH/3 | mkt SSSDMRH | deck RDM.. | disc RR | turn B2``: the five factions with options
that are not at their defaults, the players by seat as HAND/POINTS, and then in any order:

- ``mkt``, ``disc``, ``table``: market, discards, cards on the table; ``deck``: the whole deck, top first; or ``top``:
  its first cards, all cards not named anywhere lying below. Without ``mkt`` seven of the cards not named, without
  ``deck`` and ``top`` all of them. ``-`` is no card.
- ``known A:SS ..``, ``kept A:SO ..``: cards everybody knows to be in a hand; kept as points (official_cards=keep).
- ``turn B``, ``turn B2`` (second action), ``ask C gift`` (match, mafia, limit), ``over B``, ``unfinished``: what comes
  next.
- ``active A``, ``active A2``: whose action it is, where that is not said by ``turn``; ``extra M``: the card to match.
- ``turns``, ``actions``: turns begun (1 at first), actions made; ``rotation``: place of seat A in the list of players.
- ``names``: by seat; without it anna, ben, cleo, dan, eve, finn.

In a view hidden cards are ``?7``, seven cards; such a line is for reading and describes no whole position.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine.game import CAPPED, FINISHED, Refusal, check_players
from backroom.engine.names import written
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.games.catham.cards import COPIES, IN_PLAY, LETTERS, LIMIT, MARKET, letters_of
from backroom.games.catham.options import CathamOptions
from backroom.games.catham.rules import (
    ACTIONS,
    GIFT,
    KINDS,
    LOSS,
    MATCH,
    MOST_POINTS,
    SEATS,
    STATE,
    SURPLUS,
    SURPLUS_MOST,
    TURN,
    legal,
)
from backroom.games.catham.text import QUESTIONS

__all__ = ["NAMES", "cards_text", "next_text", "parse_position", "position", "read_cards", "read_hand", "read_seat"]

NAMES = ("anna", "ben", "cleo", "dan", "eve", "finn")
"""Players of a position that names none, by seat."""
SEAT_LETTERS = "ABCDEF"

Counts = NDArray[np.int8]


def _wrong(message: str) -> Refusal:
    return Refusal("E_POSITION", message)


# Reading pieces


def read_cards(text: str) -> list[int]:
    """Faction numbers of cards written as letters, in order; ``-`` is none. Refusal E_POSITION for other signs."""
    if text == "-":
        return []
    try:
        found = letters_of(text)
    except KeyError as problem:
        hint = (
            "hidden cards (?) make no whole position"
            if "?" in text
            else f"cards are the letters {LETTERS}, or - for none"
        )
        raise _wrong(f"{problem.args[0]!r} in {text!r} is no card; {hint}") from None
    if not found:
        raise _wrong("no cards written; write - for none")
    return found


def _counts(cards: Sequence[int]) -> Counts:
    return np.bincount(np.asarray(cards, np.int64), minlength=KINDS).astype(np.int8)


def read_seat(text: str, seats: int) -> int:
    """The seat of a letter A to F. Refusal E_POSITION when there is no such seat."""
    seat = SEAT_LETTERS.find(text.upper()) if len(text) == 1 else -1
    if not 0 <= seat < seats:
        raise _wrong(f"{text!r} is no seat; there are {', '.join(SEAT_LETTERS[:seats])}")
    return seat


def read_hand(text: str) -> tuple[str, list[int], int]:
    """``B:HAND/POINTS`` as letter, cards and points. Refusal E_POSITION otherwise."""
    found = re.fullmatch(r"([A-Za-z]):([^/:\s]+)/(\d{1,3})", text)
    if not found:
        raise _wrong(f"cannot read {text!r}; a player is written as A:HAND/POINTS, e.g. A:SSM/0 or B:-/3")
    return found[1].upper(), read_cards(found[2]), int(found[3])


def _number(name: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text):
        raise _wrong(f"{name} {text!r} is no number")
    return int(text)


# Reading a line


class _Line:
    """A position line being read: the state so far and which facts it has named."""

    def __init__(self, text: str) -> None:
        head, *rest = [part.strip() for part in text.split("|")]
        if not rest:
            raise _wrong("write e.g. SRDMH | A:SSM/0 B:HH/0, fields split by |")
        self.state = STATE.new()
        self.names: tuple[str, ...] = ()
        self.named: dict[str, str] = {}
        self.top: list[int] = []
        self._players(rest[0])
        self._head(head)
        for part in rest[1:]:
            word, _, value = part.partition(" ")
            word = word.lower()
            if word not in _FIELDS:
                raise _wrong(f"unknown field {part!r}; there are {', '.join(_FIELDS)}")
            if word in self.named:
                raise _wrong(f"two fields {word!r}; write one")
            self.named[word] = value.strip()

    def _players(self, text: str) -> None:
        players = text.split()
        if not 2 <= len(players) <= SEATS:
            raise _wrong(f"{len(players)} players in the second field; 2 to {SEATS} are needed, as A:HAND/POINTS")
        self.state.seats = len(players)
        for seat, player in enumerate(players):
            letter, cards, points = read_hand(player)
            if letter != SEAT_LETTERS[seat]:
                raise _wrong(f"player {letter} at seat {SEAT_LETTERS[seat]}; seats are written in order A, B, ...")
            if points > MOST_POINTS:
                raise _wrong(f"{points} points are more than a game can bring")
            self.state.hand[seat] = _counts(cards)
            self.state.hand_size[seat] = len(cards)
            self.state.points[seat] = points

    def _head(self, text: str) -> None:
        found = re.fullmatch(r"(\w+)\s*(?:\{([^{}]*)\})?", text)
        if not found:
            raise _wrong(
                f"cannot read {text!r}; the first field is five faction letters and options, e.g. SRDMH {{advanced}}"
            )
        factions = read_cards(found[1])
        if len(factions) != IN_PLAY or len(set(factions)) != IN_PLAY:
            raise _wrong(f"{found[1]!r} are not {IN_PLAY} different factions")
        options = _read_options(found[2] or "")
        coded = options.encode(NAMES[: int(self.state.seats)])
        coded["factions"] = factions
        for name, value in coded.items():
            self.state[name] = value

    def whole(self) -> tuple[Any, tuple[str, ...]]:
        """The state and the names, checked."""
        s = self.state
        s.turn, s.extra, s.winner = 1, -1, -1
        self.names = NAMES[: int(s.seats)]
        turn, acting = (
            self.named.get("turn"),
            [word for word in ("turn", "ask", "over", "unfinished") if word in self.named],
        )
        if len(acting) > 1:
            raise _wrong(f"{' and '.join(acting)} cannot both come next")
        if turn is None and not acting:
            self.named["turn"] = "A"
        for word, reader in _FIELDS.items():
            if word in self.named:
                reader(self, self.named[word])
        self._lay_out_rest()
        _check(s)
        return s, self.names

    def _lay_out_rest(self) -> None:
        s = self.state
        named = s.hand.sum(0) + s.kept.sum(0) + s.market + s.discards + s.table + _counts(self.top)
        in_play = np.zeros(KINDS, np.int64)
        in_play[s.factions] = COPIES
        rest = in_play - named
        for faction in range(KINDS):
            if rest[faction] < 0:
                raise _wrong(f"{named[faction]} cards {LETTERS[faction]}; there are {in_play[faction]} in this game")
        order = [int(f) for turn in range(COPIES) for f in s.factions if turn < rest[f]]
        if "mkt" not in self.named:
            s.market[:] = _counts(order[:MARKET])
            order = order[MARKET:]
        cards = self.top if "deck" in self.named else self.top + order
        s.deck[: len(cards)] = cards[::-1]
        s.deck_size = len(cards)

    # One method a field

    def cards(self, name: str, text: str) -> None:
        self.state[name][:] = _counts(read_cards(text))

    def deck(self, text: str) -> None:
        if "deck" in self.named and "top" in self.named:
            raise _wrong("both deck and top; write one")
        self.top = read_cards(text)

    def by_seat(self, name: str, text: str) -> None:
        for part in text.split():
            letter, _, cards = part.partition(":")
            self.state[name][read_seat(letter, int(self.state.seats))] = _counts(read_cards(cards or "?"))

    def active(self, text: str) -> None:
        s = self.state
        found = re.fullmatch(r"([A-Fa-f])(2?)", text)
        if not found:
            raise _wrong(f"{text!r} is nobody's action; write e.g. turn B, with advanced also turn B2")
        s.active = read_seat(found[1], int(s.seats))
        s.second = found[2] == "2"
        if s.second and not s.advanced:
            raise _wrong("a second action needs the option advanced")

    def turn(self, text: str) -> None:
        self.active(text)
        self.state.acting = 1 << int(self.state.active)

    def ask(self, text: str) -> None:
        seat, _, word = text.partition(" ")
        if word not in QUESTIONS[1:]:
            raise _wrong(f"nobody is asked {word!r}; write ask B and one of {', '.join(QUESTIONS[1:])}")
        self.state.acting = 1 << read_seat(seat, int(self.state.seats))
        self.state.question = QUESTIONS.index(word)

    def over(self, text: str) -> None:
        self.state.over = FINISHED
        self.state.winner = read_seat(text, int(self.state.seats))

    def unfinished(self, text: str) -> None:
        if text:
            raise _wrong("unfinished stands alone")
        self.state.over = CAPPED

    def extra(self, text: str) -> None:
        cards = read_cards(text)
        if len(cards) != 1:
            raise _wrong("extra names one card")
        self.state.extra = cards[0]

    def number(self, name: str, text: str) -> None:
        self.state[name] = _number(name, text)

    def rotation(self, text: str) -> None:
        self.state.rotation = number = _number("rotation", text)
        if number >= self.state.seats:
            raise _wrong(f"rotation {number}; it is below the number of players")

    def name_players(self, text: str) -> None:
        self.names = tuple(text.split())
        if len(self.names) != self.state.seats:
            raise _wrong(f"{len(self.names)} names for {int(self.state.seats)} players")
        try:
            check_players(self.names, range(2, SEATS + 1))
        except Refusal as problem:
            raise _wrong(problem.message) from None


_FIELDS: dict[str, Callable[[_Line, str], None]] = {
    "mkt": lambda line, text: line.cards("market", text),
    "deck": _Line.deck,
    "top": _Line.deck,
    "disc": lambda line, text: line.cards("discards", text),
    "table": lambda line, text: line.cards("table", text),
    "known": lambda line, text: line.by_seat("known", text),
    "kept": lambda line, text: line.by_seat("kept", text),
    "active": _Line.active,
    "turn": _Line.turn,
    "ask": _Line.ask,
    "over": _Line.over,
    "unfinished": _Line.unfinished,
    "extra": _Line.extra,
    "turns": lambda line, text: line.number("turn", text),
    "actions": lambda line, text: line.number("actions_made", text),
    "rotation": _Line.rotation,
    "names": _Line.name_players,
}
"""The fields after the players, in the order in which they are printed and looked at."""


def _read_options(text: str) -> CathamOptions:
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not name:
            continue
        if name in ("first_player", "factions", "preset"):
            raise _wrong(f"{name} is no option of a position")
        if name in values:
            raise _wrong(f"two values for {name}; write one")
        if equals:
            values[name] = value
        elif CathamOptions.choices(name) == [False, True] if name in CathamOptions.model_fields else False:
            values[name] = True
        else:
            raise _wrong(f"option {name!r} needs a value, as {name}=...")
    try:
        return CathamOptions.build(values)
    except Refusal as problem:
        raise _wrong(problem.message) from None


def _check(s: Any) -> None:
    """Refusal E_POSITION for a position that play cannot go on from."""
    asked = int(s.acting).bit_length() - 1
    question = int(s.question)
    n = int(s.seats)
    if not s.over and question in (GIFT, MATCH, LOSS) and asked == s.active:
        raise _wrong(
            f"{SEAT_LETTERS[asked]} is the active player and is not asked {QUESTIONS[question]}; say whose action it is"
        )
    for seat in range(n):
        over_limit = seat == asked if question == SURPLUS else seat == s.active and question != TURN
        most = LIMIT + SURPLUS_MOST if over_limit or s.over else LIMIT
        if s.hand_size[seat] > most:
            raise _wrong(f"{SEAT_LETTERS[seat]} holds {int(s.hand_size[seat])} cards; {most} at most now")
        if (s.known[seat] > s.hand[seat]).any():
            raise _wrong(f"{SEAT_LETTERS[seat]} is known to hold cards that are not in the hand")
        if s.kept[seat].sum() > s.points[seat] or (s.kept[seat].any() and not s.official_cards):
            raise _wrong(f"{SEAT_LETTERS[seat]} keeps more cards than there are points, or the game keeps none")
        if not s.over and s.points[seat] >= s.target and (not s.end_check or question in (TURN, SURPLUS)):
            raise _wrong(
                f"{SEAT_LETTERS[seat]} has won with {int(s.points[seat])} points; write over {SEAT_LETTERS[seat]}"
            )
    if s.market.sum() > MARKET:
        raise _wrong(f"{int(s.market.sum())} cards in the market; {MARKET} at most")
    if s.over == FINISHED and s.points[s.winner] < s.target:
        raise _wrong(f"{SEAT_LETTERS[int(s.winner)]} cannot have won with {int(s.points[s.winner])} points")
    if (s.extra >= 0) != (question == MATCH) or (question == MATCH and s.extra not in s.factions):
        raise _wrong("extra F, a faction in play, belongs to the question match and to no other")
    if s.over:
        return
    if 0 <= s.max_actions <= s.actions_made:
        raise _wrong(f"{int(s.actions_made)} actions made; the game stops after {int(s.max_actions)}")
    if question == TURN and s.table.any():
        raise _wrong("no card lies on the table when an action begins")
    if question == SURPLUS and s.table.any():
        s.midmove = s.acting
    if legal(s, asked, np.empty(ACTIONS.count, np.int32)) == 0:
        raise _wrong(f"{SEAT_LETTERS[asked]} has no answer to {QUESTIONS[question]} here")


def parse_position(text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the players' names from a position line (module docstring). Refusal E_POSITION otherwise.

    The chance key is 0 and no stream has been used.
    """
    return _Line(text).whole()


# Printing


def cards_text(s: Any, counts: Any) -> str:
    """Cards by number as letters, in the order of the game's factions."""
    return "".join(LETTERS[faction] * int(counts[faction]) for faction in s.factions) or "-"


def next_text(s: Any) -> str:
    """What comes next: ``turn B2``, ``ask C match``, ``over B`` or ``unfinished``."""
    if s.over == FINISHED:
        return f"over {SEAT_LETTERS[int(s.winner)]}"
    if s.over:
        return "unfinished"
    asked = SEAT_LETTERS[int(s.acting).bit_length() - 1]
    if s.question != TURN:
        return f"ask {asked} {QUESTIONS[int(s.question)]}"
    return f"turn {asked}{'2' if s.second else ''}"


def position(state: Any, names: Sequence[str], viewer: Viewer) -> str:
    """The position as one line; cards that are hidden from the viewer as ``?7``, seven cards."""
    s = state
    n = int(s.seats)
    hands = []
    for seat in range(n):
        hidden = viewer not in (ALL_KNOWING, seat) and s.hand_size[seat]
        hand = f"?{int(s.hand_size[seat])}" if hidden else cards_text(s, s.hand[seat])
        hands.append(f"{SEAT_LETTERS[seat]}:{hand}/{int(s.points[seat])}")
    size = int(s.deck_size)
    deck = "".join(LETTERS[card] for card in s.deck[:size][::-1]) or "-"
    fields = [_head_text(s), " ".join(hands), f"mkt {cards_text(s, s.market)}"]
    fields.append(f"deck {deck if viewer is ALL_KNOWING or not size else f'?{size}'}")
    fields.append(f"disc {cards_text(s, s.discards)}")
    if s.table.any():
        fields.append(f"table {cards_text(s, s.table)}")
    for word in ("known", "kept"):
        if s[word].any():
            fields.append(
                word + "".join(f" {SEAT_LETTERS[i]}:{cards_text(s, s[word][i])}" for i in range(n) if s[word][i].any())
            )
    fields.append(next_text(s))
    if s.over or s.question != TURN:
        fields.append(f"active {SEAT_LETTERS[int(s.active)]}{'2' if s.second else ''}")
    if s.extra >= 0:
        fields.append(f"extra {LETTERS[int(s.extra)]}")
    for word, value, usual in (("turns", s.turn, 1), ("actions", s.actions_made, 0), ("rotation", s.rotation, 0)):
        if value != usual:
            fields.append(f"{word} {int(value)}")
    if tuple(names) != NAMES[:n]:
        fields.append(f"names {' '.join(map(written, names))}")
    return " | ".join(fields)


def _head_text(s: Any) -> str:
    changed = CathamOptions.changed(s)
    numbers_last = sorted(changed, key=lambda name: name in ("target", "max_actions"))
    options = [name if changed[name] is True else f"{name}={changed[name]}" for name in numbers_last]
    letters = "".join(LETTERS[faction] for faction in s.factions)
    return f"{letters} {{{', '.join(options)}}}" if options else letters
