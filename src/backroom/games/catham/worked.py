"""Worked examples of Catham City: a position line with an id, then moves with what must hold after each.

``> anna take scientists {shuf HMR} => A:SSSS/0; mkt DMRHDHM; turn B`` or ``> anna play mafia !! E_HOLD``: the grammar
of the specification's section 8. Beyond it the facts ``table``, ``known``, ``kept`` (whole) and ``unfinished`` can be
checked, as they are written in a position.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.game import Game
from backroom.games.catham.cards import LETTERS
from backroom.games.catham.positions import SEAT_LETTERS, next_text, read_cards, read_hand, read_seat
from backroom.games.catham.rules import DECK, HACKERS_STREAM, POLICE_STREAM, RESHUFFLE_STREAM
from backroom.text.examples import Example, Trial, differs, headed_examples
from backroom.text.positions import entries, wrong

__all__ = ["examples"]

OURS = re.compile(
    rf"^\s*\S+[ \t]+[{LETTERS}]+[ \t]*(\{{.*\}}[ \t]*)?\||\|\s*[a-f]:\S*/|"
    r"^\s*>\s*\S+\s+(take|play|hack|give|match|decline|discard|lose)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A text meant for this game has faction letters after an id, a player with points, or a move of this game."""

MOST_SCRIPTS = 3
"""A lay-out, and a deck that runs out twice: in the effect, and with the cards of the effect in the refill."""


def examples(game: Game, text: str) -> Iterable[Example]:
    """The examples in a text. A line that cannot be read fails its example, with the reason."""
    return headed_examples(game, text, OURS, _step)


def _step(trial: Trial, text: str) -> list[str]:
    found = re.fullmatch(r">\s*(\S+)(.*?)(=>|!!)(.*)", text)
    if found is None or re.search(r"=>|!!", found[4]):
        raise wrong("a move line has a player, a move and => and facts, or !! and a code, once")
    who, move, sign, expected = (piece.strip() for piece in found.groups())
    script = [_script(chance, move) for chance in re.findall(r"\{([^}]*)\}", move)]
    if len(script) > MOST_SCRIPTS:
        raise wrong(f"{len(script)} scripts of chance; a move needs {MOST_SCRIPTS} at most")
    move = re.sub(r"\{[^}]*\}", " ", move)
    if sign == "!!":
        return trial.refused(who, move, expected)
    before = trial.state
    log = trial.play(trial.seat(who), move, script)
    problems = []
    if log.script_bad:
        problems.append("scripted chance did not fit: cards that were not there, or not so many")
    elif log.script_used != log.script_length:
        problems.append("scripted chance did not fit: not all of it was needed")
    return problems + _compare(before, trial.state, expected)


def _script(text: str, move: str) -> tuple[int, list[int]]:
    """Scripted chance: the stream that is used, and its cards."""
    word, *cards = text.split() or [""]
    word = word.lower()
    if word not in ("lay", "shuf") or len(cards) > 1:
        raise wrong(f"cannot read the chance {text.strip()!r}; write {{lay CARDS}} or {{shuf CARDS}}")
    found = read_cards("".join(cards))
    if len(found) > DECK:
        raise wrong(f"{len(found)} cards in {{{word} ...}}; a game has {DECK}")
    if word == "shuf":
        return RESHUFFLE_STREAM, found[::-1]
    return POLICE_STREAM if re.match(r"play\s+p", move, re.IGNORECASE) else HACKERS_STREAM, found


def _compare(before: Any, after: Any, expected: str) -> list[str]:
    found: list[str] = []
    named: set[int] = set()
    for fact in (" ".join(fact.split()) for fact in expected.split(";")):
        if ":" in fact.partition(" ")[0]:
            for text in fact.split():
                letter, cards, points = read_hand(text)
                seat = read_seat(letter, int(after.seats))
                named.add(seat)
                found += differs(letter, f"{_sorted(cards)}/{points}", _player(after, seat))
        elif fact:
            found += _compare_fact(after, fact)
    for seat in set(range(int(after.seats))) - named:
        found += differs(f"{SEAT_LETTERS[seat]}, who is not named", _player(before, seat), _player(after, seat))
    return found


def _compare_fact(after: Any, fact: str) -> list[str]:
    word, _, value = fact.partition(" ")
    piles = {"mkt": after.market, "disc": after.discards, "table": after.table}
    size = int(after.deck_size)
    if word in piles:
        return differs(word, _sorted(read_cards(value)), _sorted_counts(piles[word]))
    if word == "deck" and value.isdecimal():
        return differs(word, value, str(size))
    if word == "deckis":
        return differs(word, _letters(read_cards(value)), _letters(after.deck[:size][::-1].tolist()))
    if word in ("turn", "ask", "over", "unfinished"):
        return differs("next", fact, next_text(after))
    if word in ("known", "kept") and value:
        seats = range(int(after.seats))
        wanted = {read_seat(who, len(seats)): _sorted(read_cards(cards)) for who, cards in entries(value) if who != "-"}
        now = {seat: _sorted_counts(after[word][seat]) for seat in seats if after[word][seat].any()}
        return differs(word, wanted, now)
    return [f"cannot read the fact {fact!r}"]


def _letters(cards: Sequence[int]) -> str:
    return "".join(LETTERS[card] for card in cards) or "-"


def _sorted(cards: list[int]) -> str:
    return _letters(sorted(cards))


def _sorted_counts(counts: Any) -> str:
    return _letters([faction for faction, count in enumerate(counts) for _ in range(int(count))])


def _player(state: Any, seat: int) -> str:
    return f"{_sorted_counts(state.hand[seat])}/{int(state.points[seat])}"
