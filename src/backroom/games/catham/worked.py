"""Worked examples of Catham City: a position line with an id, then moves with what must hold after each.

``> anna take scientists {shuf HMR} => A:SSSS/0; mkt DMRHDHM; turn B`` or ``> anna play mafia !! E_HOLD``: the grammar
of the specification's section 8. Beyond it the facts ``table``, ``known``, ``kept`` (whole) and ``unfinished`` can be
checked, as they are written in a position.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from backroom.engine.game import Refusal
from backroom.engine.names import seat_called
from backroom.games.catham.cards import LETTERS
from backroom.games.catham.positions import (
    next_text,
    parse_position,
    read_cards,
    read_hand,
    read_seat,
)  # fmt: skip
from backroom.games.catham.rules import ACTIONS, DECK, EVENTS, HACKERS_STREAM, POLICE_STREAM, RESHUFFLE_STREAM, STATE
from backroom.text.examples import Example

__all__ = ["examples"]

OURS = re.compile(
    rf"^\s*\S+[ \t]+[{LETTERS}]+[ \t]*(\{{.*\}}[ \t]*)?\||\|\s*[a-f]:\S*/|"
    r"^\s*>\s*\S+\s+(take|play|hack|give|match|decline|discard|lose)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A text meant for this game has faction letters after an id, a player with points, or a move of this game."""

MOST_SCRIPTS = 3
"""A lay-out, and a deck that runs out twice: in the effect, and with the cards of the effect in the refill."""


def examples(text: str) -> Iterator[Example]:
    """The examples in a text. A line that cannot be read fails its example, with the reason.

    A text without any sign of one, a block of something else, has none.
    """
    if not OURS.search(text):
        return
    head, moves = "", []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith(">"):
            moves.append(line)
            continue
        if head or moves:
            yield _example(head, moves)
        head, moves = line, []
    if head or moves:
        yield _example(head, moves)


def _example(head: str, moves: list[str]) -> Example:
    name, *rest = head.split(maxsplit=1) or ["(no position)"]
    place = re.sub(r"\s*\(.*\)\s*$", "", "".join(rest))
    return Example(name, lambda: _check(place, list(moves)))


def _check(place: str, moves: list[str]) -> list[str]:
    try:
        state, names = parse_position(place)
    except Refusal as problem:
        return [f"{place}: {problem}"]
    if not moves:
        return ["no move follows; a move line begins with >"]
    differences: list[str] = []
    for text in moves:
        line = _MoveLine(text)
        try:
            state = line.run(state, names)
        except Refusal as problem:
            line.differ(str(problem))
        differences += line.differences
        if line.differences:
            break  # what follows stands on this line
    return differences


@dataclass(frozen=True)
class _Script:
    """Scripted chance: ``lay`` or ``shuf``, and the cards."""

    word: str
    cards: list[int]


def _script(text: str) -> _Script:
    word, *cards = text.split()[:2] or [""]
    if word.lower() not in ("lay", "shuf") or len(text.split()) > 2:
        raise Refusal("E_POSITION", f"cannot read the chance {text.strip()!r}; write {{lay CARDS}} or {{shuf CARDS}}")
    found = read_cards("".join(cards))
    if len(found) > DECK:
        raise Refusal("E_POSITION", f"{len(found)} cards in {{{word} ...}}; a game has {DECK}")
    return _Script(word.lower(), found)


class _MoveLine:
    """One move line: what is tried and what is expected of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.differences: list[str] = []

    def differ(self, what: str) -> None:
        """Note a difference."""
        self.differences.append(f"{self.text}: {what}")

    def run(self, before: Any, names: Sequence[str]) -> Any:
        """The state after the line; differences are noted. Refusal when a position word in it cannot be read."""
        move, sign, expected = self._split()
        scripts = [_script(text) for text in re.findall(r"\{([^}]*)\}", move)]
        move = re.sub(r"\{[^}]*\}", " ", move)
        who, _, words = " ".join(move.removeprefix(">").split()).partition(" ")
        seat = seat_called(who, names)
        if seat is None:
            self.differ(f"nobody is called {who!r}")
            return before
        try:
            after, unused = self._play(before, seat, words, names, scripts)
        except Refusal as refusal:
            if sign != "!!":
                self.differ(f"refused: {refusal}")
            elif refusal.code != expected:
                self.differ(f"expected {expected}, got {refusal}")
            return before
        if sign == "!!":
            self.differ(f"expected {expected}, but the move was accepted")
            return before
        if unused:
            self.differ(f"scripted chance did not fit: {unused}")
        self._compare(before, after, expected)
        return after

    def _split(self) -> tuple[str, str, str]:
        parts = re.split(r"(=>|!!)", self.text)
        if len(parts) != 3:
            raise Refusal("E_POSITION", "a move line has => and facts, or !! and a code, once")
        return parts[0], parts[1], parts[2].strip()

    def _play(
        self, before: Any, seat: int, words: str, names: Sequence[str], scripts: list[_Script]
    ) -> tuple[Any, str]:
        # The game is found here, because it is made of this module.
        from backroom.games.catham import GAME

        state = STATE.copy(before)
        actions = GAME.notation.parse_move(STATE.view(state, seat), seat, words, names)
        log = EVENTS.new_log()
        laying = POLICE_STREAM if actions[0] in ACTIONS.police else HACKERS_STREAM
        segments = []
        for script in scripts:
            if script.word == "shuf":
                segments.append((RESHUFFLE_STREAM, script.cards[::-1]))
            else:
                segments.append((laying, script.cards))
        if len(segments) > MOST_SCRIPTS:
            raise Refusal("E_POSITION", f"{len(segments)} scripts of chance; a move needs {MOST_SCRIPTS} at most")
        EVENTS.write_script(log, segments)
        for action in actions:
            GAME.apply(state, seat, action, log)
        if log.script_bad:
            return state, "cards that were not there, or not so many"
        return state, "not all of it was needed" if log.script_used != log.script_length else ""

    def _compare(self, before: Any, after: Any, expected: str) -> None:
        named: set[int] = set()
        for fact in expected.split(";"):
            fact = " ".join(fact.split())
            if ":" in fact.partition(" ")[0]:
                named |= self._compare_players(after, fact.split())
            elif fact:
                self._compare_fact(after, fact)
        for seat in range(int(after.seats)):
            if seat not in named:
                was, now = _player(before, seat), _player(after, seat)
                if was != now:
                    self.differ(f"{'ABCDEF'[seat]} is not named, so {was} is expected; it is {now}")

    def _compare_players(self, after: Any, players: list[str]) -> set[int]:
        named = set()
        for text in players:
            letter, cards, points = read_hand(text)
            seat = read_seat(letter, int(after.seats))
            named.add(seat)
            now = _player(after, seat)
            if f"{_sorted(cards)}/{points}" != now:
                self.differ(f"expected {letter}:{_sorted(cards)}/{points}, it is {letter}:{now}")
        return named

    def _compare_fact(self, after: Any, fact: str) -> None:
        word, _, value = fact.partition(" ")
        value = value.strip()
        piles = {"mkt": after.market, "disc": after.discards, "table": after.table}
        if word in piles:
            self._same(word, _sorted(read_cards(value)), _sorted_counts(piles[word]))
        elif word == "deck" and value.isdecimal():
            self._same(word, value, str(int(after.deck_size)))
        elif word == "deckis":
            size = int(after.deck_size)
            self._same(word, _letters(read_cards(value)), _letters(after.deck[:size][::-1].tolist()))
        elif word in ("turn", "ask", "over", "unfinished"):
            self._same("next", " ".join(fact.split()), next_text(after))
        elif word in ("known", "kept") and value:
            wanted = {
                read_seat(part[0], int(after.seats)): _sorted(read_cards(part[2:]))
                for part in value.split()
                if part != "-"
            }
            now = {
                seat: _sorted_counts(after[word][seat]) for seat in range(int(after.seats)) if after[word][seat].any()
            }
            self._same(word, str(wanted), str(now))
        else:
            self.differ(f"cannot read the fact {fact!r}")

    def _same(self, what: str, expected: str, now: str) -> None:
        if expected != now:
            self.differ(f"{what}: expected {expected}, it is {now}")


def _letters(cards: Sequence[int]) -> str:
    return "".join(LETTERS[card] for card in cards) or "-"


def _sorted(cards: list[int]) -> str:
    return _letters(sorted(cards))


def _sorted_counts(counts: Any) -> str:
    return _letters([faction for faction, count in enumerate(counts) for _ in range(int(count))])


def _player(state: Any, seat: int) -> str:
    return f"{_sorted_counts(state.hand[seat])}/{int(state.points[seat])}"
