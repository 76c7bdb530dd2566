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
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, check_players
from backroom.engine.names import written
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.games.catham import rules
from backroom.games.catham.cards import COPIES, IN_PLAY, LETTERS, LIMIT, MARKET, letters_of
from backroom.games.catham.options import CathamOptions
from backroom.games.catham.rules import GIFT, LOSS, MATCH, SEATS, SURPLUS, TURN
from backroom.games.catham.text import QUESTIONS
from backroom.text import positions
from backroom.text.positions import ROTATION, Field, Reading, end, entries, number, wrong

__all__ = [
    "NAMES", "SEAT_LETTERS", "cards_text", "next_text", "parse_position", "position", "read_cards", "read_hand",
    "read_seat",
]  # fmt: skip

NAMES = ("anna", "ben", "cleo", "dan", "eve", "finn")
"""Players of a position that names none, by seat."""
SEAT_LETTERS = "ABCDEF"

Counts = NDArray[np.int8]


# Pieces


def read_cards(text: str) -> list[int]:
    """Faction numbers of cards written as letters, in order; ``-`` is none. Refusal E_POSITION for other signs."""
    if text == "-":
        return []
    try:
        found = letters_of(text)
    except KeyError as problem:
        hidden = "hidden cards (?) make no whole position"
        hint = hidden if "?" in text else f"cards are the letters {LETTERS}, or - for none"
        raise wrong(f"{problem.args[0]!r} in {text!r} is no card; {hint}") from None
    if not found:
        raise wrong("no cards written; write - for none")
    return found


def _counts(cards: Sequence[int]) -> Counts:
    return np.bincount(np.asarray(cards, np.int64), minlength=rules.KINDS).astype(np.int8)


def cards_text(s: Any, counts: Any) -> str:
    """Cards by number as letters, in the order of the game's factions."""
    return "".join(LETTERS[faction] * int(counts[faction]) for faction in s.factions) or "-"


def read_seat(text: str, seats: int) -> int:
    """The seat of a letter A to F. Refusal E_POSITION when there is no such seat."""
    seat = SEAT_LETTERS.find(text.upper()) if len(text) == 1 else -1
    if not 0 <= seat < seats:
        raise wrong(f"{text!r} is no seat; there are {', '.join(SEAT_LETTERS[:seats])}")
    return seat


def read_hand(text: str) -> tuple[str, list[int], int]:
    """``B:HAND/POINTS`` as letter, cards and points. Refusal E_POSITION otherwise."""
    found = re.fullmatch(r"([A-Za-z]):([^/:\s]+)/(\d{1,3})", text)
    if not found:
        raise wrong(f"cannot read {text!r}; a player is written as A:HAND/POINTS, e.g. A:SSM/0 or B:-/3")
    return found[1].upper(), read_cards(found[2]), int(found[3])


# Fields


def _pile(word: str, name: str, always: bool = True) -> Field:
    """Cards that lie open: the field is left out where there are none, unless it is written ``always``."""

    def read(at: Reading, text: str) -> None:
        at.state[name][:] = _counts(read_cards(text))

    return Field(word, read, lambda s, names, viewer: cards_text(s, s[name]) if always or s[name].any() else None)


def _piles(word: str) -> Field:
    """Cards of some players."""

    def read(at: Reading, text: str) -> None:
        for letter, cards in entries(text):
            at.state[word][read_seat(letter, len(at.names))] = _counts(read_cards(cards or "?"))

    def tell(s: Any, names: Sequence[str], viewer: Viewer) -> str | None:
        some = [seat for seat in range(int(s.seats)) if s[word][seat].any()]
        return " ".join(f"{SEAT_LETTERS[seat]}:{cards_text(s, s[word][seat])}" for seat in some) or None

    return Field(word, read, tell)


def _deck_text(s: Any, names: Sequence[str], viewer: Viewer) -> str:
    size = int(s.deck_size)
    deck = "".join(LETTERS[card] for card in s.deck[:size][::-1]) or "-"
    return deck if viewer is ALL_KNOWING or not size else f"?{size}"


def _active_text(s: Any) -> str:
    return f"{SEAT_LETTERS[int(s.active)]}{'2' if s.second else ''}"


def _read_active(at: Reading, text: str) -> None:
    found = re.fullmatch(r"([A-Fa-f])(2?)", text)
    if not found:
        raise wrong(f"{text!r} is nobody's action; write e.g. turn B, with advanced also turn B2")
    active, second = read_seat(found[1], len(at.names)), found[2] == "2"
    if second and not at.state.advanced:
        raise wrong("a second action needs the option advanced")
    if not at.state.acting or at.state.question != TURN:  # else a turn has said it already
        at.state.active, at.state.second = active, second


def _read_turn(at: Reading, text: str) -> None:
    _read_active(at, text)
    at.state.acting = 1 << int(at.state.active)


def _read_ask(at: Reading, text: str) -> None:
    seat, _, word = text.partition(" ")
    if word not in QUESTIONS[1:]:
        raise wrong(f"nobody is asked {word!r}; write ask B and one of {', '.join(QUESTIONS[1:])}")
    at.state.acting = 1 << read_seat(seat, len(at.names))
    at.state.question = QUESTIONS.index(word)


def _ask_text(s: Any, names: Sequence[str], viewer: Viewer) -> str | None:
    asked = not s.over and s.question != TURN
    return f"{SEAT_LETTERS[_asked(s)]} {QUESTIONS[int(s.question)]}" if asked else None


def _asked(s: Any) -> int:
    return int(s.acting).bit_length() - 1


def _read_winner(state: Any, text: str) -> None:
    state.winner = read_seat(text, int(state.seats))


def _read_extra(at: Reading, text: str) -> None:
    (at.state.extra,) = read_cards(text)


def _read_names(at: Reading, text: str) -> None:
    names = tuple(text.split())
    if len(names) != len(at.names):
        raise wrong(f"{len(names)} names for {len(at.names)} players")
    try:
        check_players(names, range(2, SEATS + 1))
    except Refusal as problem:
        raise wrong(problem.message) from None
    at.names = names


def _names_text(s: Any, names: Sequence[str], viewer: Viewer) -> str | None:
    return None if tuple(names) == NAMES[: int(s.seats)] else " ".join(map(written, names))


NEXT = (
    Field("turn", _read_turn, lambda s, names, viewer: None if s.over or s.question != TURN else _active_text(s)),
    Field("ask", _read_ask, _ask_text),
    end(FINISHED, lambda s: SEAT_LETTERS[int(s.winner)], _read_winner),
    end(CAPPED),
)
"""What comes next: one of these."""
FIELDS = (
    _pile("mkt", "market"),
    Field("deck", lambda at, text: None, _deck_text),
    Field("top", lambda at, text: None),
    _pile("disc", "discards"),
    _pile("table", "table", always=False),
    _piles("known"),
    _piles("kept"),
    *NEXT,
    Field("active", _read_active, lambda s, names, viewer: _active_text(s) if s.over or s.question != TURN else None),
    Field("extra", _read_extra, lambda s, names, viewer: LETTERS[int(s.extra)] if s.extra >= 0 else None),
    number("turns", "turn", usual=1),
    number("actions", "actions_made"),
    ROTATION,
    Field("names", _read_names, _names_text),
)


# Lines


def parse_position(game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the players' names from a position line (module docstring). Refusal E_POSITION otherwise.

    The chance key is 0 and no stream has been used.
    """
    head, players, *rest = positions.split(text)
    s = rules.STATE.new()
    s.turn, s.extra, s.winner = 1, -1, -1
    _read_players(s, players.split())
    _read_head(s, head)
    said = positions.fields_of(rest, [field.word for field in FIELDS])
    coming = [field.word for field in NEXT if field.word in said]
    if len(coming) > 1:
        raise wrong(f"{' and '.join(coming)} cannot both come next")
    if "deck" in said and "top" in said:
        raise wrong("both deck and top; write one")
    at = Reading(s, NAMES[: int(s.seats)], said if coming else said | {"turn": "A"})
    positions.read_fields(FIELDS, at)
    _lay_out_rest(s, said)
    for why in _faults(s):
        raise wrong(why)
    return s, at.names


def _read_players(s: Any, players: Sequence[str]) -> None:
    if not 2 <= len(players) <= SEATS:
        raise wrong(f"{len(players)} players in the second part; 2 to {SEATS} are needed, as A:HAND/POINTS")
    s.seats = len(players)
    for seat, player in enumerate(players):
        letter, cards, points = read_hand(player)
        if letter != SEAT_LETTERS[seat]:
            raise wrong(f"player {letter} at seat {SEAT_LETTERS[seat]}; seats are written in order A, B, ...")
        if points > rules.MOST_POINTS:
            raise wrong(f"{points} points are more than a game can bring")
        s.hand[seat], s.hand_size[seat], s.points[seat] = _counts(cards), len(cards), points


def _read_head(s: Any, text: str) -> None:
    found = re.fullmatch(r"(\w+)\s*(?:\{([^{}]*)\})?", text)
    if not found:
        raise wrong(f"cannot read {text!r}; write five faction letters and options first, e.g. SRDMH {{advanced}}")
    factions = read_cards(found[1])
    if len(factions) != IN_PLAY or len(set(factions)) != IN_PLAY:
        raise wrong(f"{found[1]!r} are not {IN_PLAY} different factions")
    given = positions.switches(found[2] or "")
    for name in ("first_player", "factions", "preset"):
        if name in given:
            raise wrong(f"{name} is no option of a position")
    try:
        options = CathamOptions.build(given)
    except Refusal as problem:
        raise wrong(problem.message) from None
    for name, value in (options.encode(NAMES[: int(s.seats)]) | {"factions": factions}).items():
        s[name] = value


def _lay_out_rest(s: Any, said: Mapping[str, str]) -> None:
    """The cards that are named nowhere: they fill the market and lie in the deck, where these are not given."""
    top = read_cards(said.get("deck", said.get("top", "-")))
    named = s.hand.sum(0) + s.kept.sum(0) + s.market + s.discards + s.table + _counts(top)
    in_play = np.zeros(rules.KINDS, np.int64)
    in_play[s.factions] = COPIES
    rest = in_play - named
    for faction in range(rules.KINDS):
        if rest[faction] < 0:
            raise wrong(f"{named[faction]} cards {LETTERS[faction]}; there are {in_play[faction]} in this game")
    order = [int(f) for turn in range(COPIES) for f in s.factions if turn < rest[f]]
    if "mkt" not in said:
        s.market[:] = _counts(order[:MARKET])
        order = order[MARKET:]
    cards = top if "deck" in said else top + order
    s.deck[: len(cards)] = cards[::-1]
    s.deck_size = len(cards)


def _faults(s: Any) -> Iterator[str]:
    """Why play cannot go on from a position."""
    asked, question = _asked(s), int(s.question)
    who = SEAT_LETTERS[asked]
    if not s.over and question in (GIFT, MATCH, LOSS) and asked == s.active:
        yield f"{who} is the active player and is not asked {QUESTIONS[question]}; say whose action it is"
    for seat, letter in enumerate(SEAT_LETTERS[: int(s.seats)]):
        points, held = int(s.points[seat]), int(s.hand_size[seat])
        over_limit = seat == asked if question == SURPLUS else seat == s.active and question != TURN
        most = LIMIT + rules.SURPLUS_MOST if over_limit or s.over else LIMIT
        if held > most:
            yield f"{letter} holds {held} cards; {most} at most now"
        if (s.known[seat] > s.hand[seat]).any():
            yield f"{letter} is known to hold cards that are not in the hand"
        if s.kept[seat].sum() > points or (s.kept[seat].any() and not s.official_cards):
            yield f"{letter} keeps more cards than there are points, or the game keeps none"
        if not s.over and points >= s.target and (not s.end_check or question in (TURN, SURPLUS)):
            yield f"{letter} has won with {points} points; write over {letter}"
    if s.market.sum() > MARKET:
        yield f"{int(s.market.sum())} cards in the market; {MARKET} at most"
    if s.over == FINISHED and s.points[s.winner] < s.target:
        yield f"{SEAT_LETTERS[int(s.winner)]} cannot have won with {int(s.points[s.winner])} points"
    if (s.extra >= 0) != (question == MATCH) or (question == MATCH and s.extra not in s.factions):
        yield "extra F, a faction in play, belongs to the question match and to no other"
    if s.over:
        return
    if 0 <= s.max_actions <= s.actions_made:
        yield f"{int(s.actions_made)} actions made; the game stops after {int(s.max_actions)}"
    if question == TURN and s.table.any():
        yield "no card lies on the table when an action begins"
    if question == SURPLUS and s.table.any():
        s.midmove = s.acting
    if rules.legal(s, asked, np.empty(rules.ACTIONS.count, np.int32)) == 0:
        yield f"{who} has no answer to {QUESTIONS[question]} here"


def next_text(s: Any) -> str:
    """What comes next: ``turn B2``, ``ask C match``, ``over B`` or ``unfinished``."""
    return positions.telling(NEXT, s, (), ALL_KNOWING)[0]


def position(state: Any, names: Sequence[str], viewer: Viewer) -> str:
    """The position as one line; cards that are hidden from the viewer as ``?7``, seven cards."""
    s = state
    head = "".join(LETTERS[faction] for faction in s.factions)
    options = CathamOptions.changed(s)
    if options:
        numbers_last = sorted(options, key=lambda name: name in ("target", "max_actions"))
        switched = ", ".join(name if options[name] is True else f"{name}={options[name]}" for name in numbers_last)
        head += f" {{{switched}}}"
    hands = []
    for seat in range(int(s.seats)):
        hidden = viewer not in (ALL_KNOWING, seat) and s.hand_size[seat]
        hand = f"?{int(s.hand_size[seat])}" if hidden else cards_text(s, s.hand[seat])
        hands.append(f"{SEAT_LETTERS[seat]}:{hand}/{int(s.points[seat])}")
    return " | ".join([head, " ".join(hands), *positions.telling(FIELDS, s, names, viewer)])
