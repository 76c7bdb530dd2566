"""Catham City as text: moves here, both ways; positions, the log and worked examples in the modules imported below."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backroom.engine.game import Game, Refusal, seats_in
from backroom.engine.names import seat_called, written
from backroom.engine.notation import Token
from backroom.engine.refusal import quoted
from backroom.games.catham.cards import (
    COST,
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LIMIT,
    MAFIA,
    MOST_HACKERS,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)  # fmt: skip
from backroom.games.catham.positions import parse_position, position
from backroom.games.catham.rules import ACTIONS, GIFT, LOSS, MATCH, SURPLUS, TURN
from backroom.games.catham.story import describe, preview
from backroom.games.catham.text import QUESTIONS, cards_of, either, number_of, tokens_left
from backroom.games.catham.worked import examples

__all__ = ["describe", "examples", "move_tokens", "parse_move", "parse_position", "position", "preview", "question"]

VERBS = {
    TURN: ("take", "play", "hack"),
    GIFT: ("give", "decline"),
    MATCH: ("match", "decline"),
    LOSS: ("discard", "lose"),
    SURPLUS: ("discard",),
}
ANSWERS = {
    TURN: "take F, take F xN or play ...",
    GIFT: "give F or decline",
    MATCH: "match or decline",
    LOSS: "discard F G or lose point",
    SURPLUS: "discard F xN ...",
}
WITH_EXTRA = (DETECTIVES, POLICE)
WITH_TARGET = (POLICE, HACKERS)


def question(view: Any, seat: int) -> str:
    """The word for what the seat is asked: turn, gift, match, mafia or limit; empty when it is not acting."""
    if seat < 0 or not int(view.acting) >> seat & 1:
        return ""
    return QUESTIONS[int(view.question)]


MOST = 10**6
"""A count that is too long to read counts as this many, as wrong as the whole of it."""


@dataclass(frozen=True)
class _Count:
    """So many cards, and the word for that."""

    number: int
    word: str

    def of(self, faction: int) -> str:
        """So many cards of a faction, with the word where it is not the usual one: 3 hackers; 'x003' of hackers."""
        usual = self.word.lower() in ("", f"x{self.number}") and self.number < MOST
        return number_of(faction, self.number) if usual else f"{quoted(self.word)} of {FACTIONS[faction].word}"


@dataclass
class _Written:
    """A move as it was written, before anything is looked up: the words for its verb, factions, counts and names."""

    word: str
    factions: list[tuple[str, _Count | None]] = field(default_factory=list)
    extra: str | None = None
    target: str | None = None

    @property
    def verb(self) -> str:
        return self.word.lower()


COUNT = re.compile(r"x0*(\d+)", re.IGNORECASE | re.ASCII)


class _Reader:
    """The words of a move, read from left to right."""

    def __init__(self, text: str) -> None:
        self.words = re.findall(r"[+>]|[^\s+>]+", text)
        self.at = 0

    def next(self) -> str | None:
        """The word that comes next, which stays."""
        return self.words[self.at] if self.at < len(self.words) else None

    def mark(self, sign: str) -> bool:
        """Whether the sign comes next; it is then read."""
        found = self.next() == sign
        self.at += found
        return found

    def count(self) -> _Count | None:
        """A count such as x3, if one comes next."""
        word = self.next() or ""
        found = COUNT.fullmatch(word)
        self.at += found is not None
        return _Count(int(found[1]) if len(found[1]) < 6 else MOST, word) if found else None

    def faction(self, after: str) -> str:
        """A faction word, known or not."""
        word = self.next()
        if word is None or word in "+>" or re.fullmatch(r"x\d+", word, re.IGNORECASE):
            found = "" if word is None else f", but {quoted(word)}"
            raise Refusal(
                "E_SYNTAX", f"no faction after '{after}'{found}; write one of its words, e.g. {after} scientists"
            )
        self.at += 1
        return word

    def name(self, after: str, counted: bool = False) -> str:
        """A player's name: any words up to a sign, or (``counted``) up to a count at the end."""
        found: list[str] = []
        while (word := self.next()) is not None and word not in "+>":
            if counted and found and self.at + 1 == len(self.words) and COUNT.fullmatch(word):
                break
            found.append(word)
            self.at += 1
        if not found:
            raise Refusal("E_SYNTAX", f"no player's name after '{after}'")
        return " ".join(found)

    def end(self) -> None:
        """Nothing more may come."""
        if self.next() is not None:
            raise Refusal("E_SYNTAX", f"cannot read {quoted(' '.join(self.words[self.at :]))} at the end of this move")


def _read(text: str) -> _Written:
    reader = _Reader(text)
    word = reader.next()
    if word is None:
        raise Refusal("E_SYNTAX", "an empty move; write e.g. take scientists x2")
    written = _Written(word)
    reader.at = 1
    if written.verb in ("take", "give"):
        faction = reader.faction(written.verb)
        written.factions = [(faction, reader.count() if written.verb == "take" else None)]
    elif written.verb == "play":
        _read_play(reader, written)
    elif written.verb == "hack":
        written.target = reader.name("hack", counted=True)
        written.factions = [("hackers", reader.count())]
    elif written.verb == "discard":
        while not written.factions or reader.next() is not None:
            faction = reader.faction("discard")
            written.factions.append((faction, reader.count()))
    elif written.verb == "lose":
        if (reader.next() or "").lower() != "point":
            raise Refusal("E_SYNTAX", f"cannot read {quoted(text.strip())}; write lose point")
        reader.at += 1
        if reader.next() is not None:
            written.factions = [(reader.faction("lose point"), None)]
    elif written.verb not in ("match", "decline", "pass"):
        raise Refusal(
            "E_SYNTAX",
            f"no move begins with {quoted(word)}; "
            "there are take, play, hack, give, match, decline, discard, lose point",
        )
    reader.end()
    return written


def _read_play(reader: _Reader, written: _Written) -> None:
    word = reader.faction("play")
    written.factions = [(word, reader.count())]
    if reader.mark("+"):
        written.extra = reader.faction("+")
    if reader.mark(">"):
        written.target = reader.name(">")
    faction = _known(word)
    if faction is not None and written.extra is not None and faction not in WITH_EXTRA:
        raise Refusal(
            "E_SYNTAX", f"{FACTIONS[faction].word} are played without another card; leave out + {quoted(written.extra)}"
        )
    if faction is not None and written.target is not None and faction not in WITH_TARGET:
        raise Refusal(
            "E_SYNTAX",
            f"{FACTIONS[faction].word} are not played against a player; leave out > {quoted(written.target)}",
        )


def _known(word: str) -> int | None:
    """The faction that a word or a prefix of it names; they all begin with different letters."""
    for number, faction in enumerate(FACTIONS):
        if faction.word.startswith(word.lower()):
            return number
    return None


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """The actions of a typed move, all legal for the seat; refusals in the order of the specification's section 6.

    E_OVER, E_ACTOR, E_SYNTAX, E_PASS, E_PHASE, E_FACTION, E_COUNT, E_EXTRA, E_HOLD or E_MARKET or E_POINTS, E_TARGET.
    """
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    acting = seats_in(int(view.acting))
    if seat not in acting:
        raise Refusal(
            "E_ACTOR", f"it is not this player's decision; waiting for {', '.join(names[other] for other in acting)}"
        )
    written = _read(text)
    if written.verb == "lose" and written.factions and not view.official_cards:
        raise Refusal("E_SYNTAX", "a point is lost as a token; write lose point alone")
    asked = int(view.question)
    if written.verb == "pass" and asked == TURN:
        raise Refusal("E_PASS", "there is no passing; take at least one card or play a faction")
    if written.verb not in VERBS[asked]:
        raise Refusal(
            "E_PHASE",
            f"{quoted(written.word)} does not answer this question ({QUESTIONS[asked]}); write {ANSWERS[asked]}",
        )
    factions = [_in_play(view, word) for word, _ in written.factions]
    extra = _in_play(view, written.extra) if written.extra is not None else None
    counts = [count for _, count in written.factions]
    if written.verb == "take":
        return [_take(view, factions[0], counts[0])]
    if written.verb in ("play", "hack"):
        return [_play(view, seat, factions[0], counts[0], extra, written.target, names)]
    if written.verb == "discard":
        return _discard(view, seat, factions, counts)
    if written.verb == "lose":
        return [_lose(view, seat, factions)]
    if written.verb == "give":
        return [_give(view, seat, factions[0])]
    if written.verb == "match":
        _hold(view, seat, int(view.extra), 1)
        return [ACTIONS.match.first]
    return [ACTIONS.decline.first]


def _in_play(view: Any, word: str) -> int:
    faction = _known(word)
    factions = [int(number) for number in view.factions]
    if faction is None or faction not in factions:
        what = "is no faction" if faction is None else f"stands for {FACTIONS[faction].word}, who are not in this game"
        raise Refusal(
            "E_FACTION", f"{quoted(word)} {what}; in play are {', '.join(FACTIONS[number].word for number in factions)}"
        )
    return faction


def _hold(view: Any, seat: int, faction: int, needed: int | _Count) -> None:
    held, count = int(view.hand[seat, faction]), needed if isinstance(needed, _Count) else _Count(needed, "")
    if held < count.number:
        raise Refusal("E_HOLD", f"this needs {count.of(faction)}, the hand has {held or 'none'}")


def _take(view: Any, faction: int, count: _Count | None) -> int:
    there = int(view.market[faction])
    if count is not None and not count.number:
        raise Refusal("E_COUNT", f"at least one card is taken; write x1 or more, not {quoted(count.word)}")
    taken = there if count is None else count.number
    if there < max(taken, 1):
        wanted = f", not {count.of(faction)}" if count is not None else ""
        raise Refusal("E_MARKET", f"the market has {number_of(faction, there)}{wanted}")
    return int(ACTIONS.take.encode(faction, taken - 1))


def _play(
    view: Any,
    seat: int,
    faction: int,
    typed: _Count | None,
    extra: int | None,
    target: str | None,
    names: Sequence[str],
) -> int:
    typed = _play_count(faction, typed)
    count = typed.number
    if faction in WITH_EXTRA:
        _check_extra(view, faction, extra)
    if faction in WITH_EXTRA and extra == faction:
        _hold(view, seat, faction, count + 1)
    else:
        _hold(view, seat, faction, typed)
        if extra is not None:
            _hold(view, seat, extra, 1)
    if faction == JOURNALISTS:
        return ACTIONS.journalists.first
    if faction == DETECTIVES:
        return int(ACTIONS.detectives.encode(extra))
    if faction == OFFICIALS:
        return int(ACTIONS.officials.encode(count - 1))
    if faction == SCIENTISTS:
        return ACTIONS.scientists.first
    if faction == ROBOCATS:
        return int(ACTIONS.robocats.encode(count // 2 - 1))
    if faction == MAFIA:
        return ACTIONS.mafia.first
    victim = _target(view, seat, target, names)
    if faction == POLICE:
        return int(ACTIONS.police.encode(count - 1, extra, victim))
    if int(view.hand_size[victim]) < count:
        raise Refusal(
            "E_TARGET", f"{names[victim]} has {cards_of(int(view.hand_size[victim]))}, too few for {typed.of(HACKERS)}"
        )
    return int(ACTIONS.hackers.encode(victim, count - 1))


def _play_count(faction: int, count: _Count | None) -> _Count:
    word = FACTIONS[faction].word
    typed = f", not {quoted(count.word)}" if count is not None else ""
    if faction == ROBOCATS:
        if count is None or count.number not in (2, 4):
            raise Refusal("E_COUNT", f"robocats are played as x2 or x4{typed}")
        return count
    if COST[faction]:
        if count is not None and count.number != COST[faction]:
            raise Refusal("E_COUNT", f"{word} are played as x{COST[faction]}, which may be left out{typed}")
        return _Count(COST[faction], "")
    if count is None or not count.number:
        raise Refusal("E_COUNT", f"say how many {word}, at least x1{typed}")
    if faction == HACKERS and count.number > MOST_HACKERS:
        raise Refusal("E_COUNT", f"hackers are played as x1 to x{MOST_HACKERS}{typed}")
    return count


def _check_extra(view: Any, faction: int, extra: int | None) -> None:
    if extra is None:
        what = "the extra card" if faction == DETECTIVES else "the wanted card"
        raise Refusal("E_EXTRA", f"{what} is missing; add e.g. + {FACTIONS[int(view.factions[0])].word}")
    if faction == POLICE and extra == POLICE:
        raise Refusal("E_EXTRA", "the wanted card must be of another faction than police")
    if faction == DETECTIVES and extra == DETECTIVES and view.detective_extra:
        raise Refusal("E_EXTRA", "in this game the extra card is of another faction than detectives")


def _target(view: Any, seat: int, target: str | None, names: Sequence[str]) -> int:
    others = [other for other in range(int(view.seats)) if other != seat]
    choices = either(names[other] for other in others)
    if target is None:
        if len(others) == 1:
            return others[0]
        raise Refusal("E_TARGET", f"say against whom: > {choices}")
    called = seat_called(target, names)
    if called is not None and called != seat:
        return called
    wrong = "you are no target of your own" if called == seat else f"nobody here is called {quoted(target)}"
    raise Refusal("E_TARGET", f"{wrong}; write {choices}")


def _give(view: Any, seat: int, faction: int) -> int:
    if not view.journalist_match:
        _hold(view, seat, faction, 2)
    elif faction == JOURNALISTS:
        _hold(view, seat, JOURNALISTS, 2)
    else:
        _hold(view, seat, faction, 1)
        _hold(view, seat, JOURNALISTS, 1)
    return int(ACTIONS.give.encode(faction))


def _discard(view: Any, seat: int, factions: list[int], counts: list[_Count | None]) -> list[int]:
    chosen: dict[int, int] = {}
    for faction, count in zip(factions, counts, strict=True):
        chosen[faction] = chosen.get(faction, 0) + (1 if count is None else count.number)
    needed = 2 if view.question == LOSS else int(view.hand_size[seat]) - LIMIT
    wrong = [count.word for count in counts if count is not None and not 0 < count.number <= needed]
    if sum(chosen.values()) != needed or wrong:
        named = quoted(wrong[0]) if wrong else sum(chosen.values())
        raise Refusal("E_COUNT", f"exactly {needed} {'card goes' if needed == 1 else 'cards go'}, this names {named}")
    for faction, number in sorted(chosen.items()):
        _hold(view, seat, faction, number)
    if view.question == LOSS:
        first, *rest = sorted(chosen)
        return [int(ACTIONS.throw.encode(first, rest[0] if rest else first))]
    return [int(ACTIONS.discard.encode(faction, number - 1)) for faction, number in sorted(chosen.items())]


def _lose(view: Any, seat: int, factions: list[int]) -> int:
    if view.points[seat] == 0:
        raise Refusal("E_POINTS", "there is no point to lose; write discard F G")
    if tokens_left(view, seat) > 0:
        if factions:
            raise Refusal("E_POINTS", "a token goes before a kept card; write lose point")
        return ACTIONS.lose.first
    kept = [faction for faction in range(len(FACTIONS)) if view.kept[seat, faction]]
    if not factions and len(kept) > 1:
        raise Refusal(
            "E_SYNTAX", f"no faction after 'lose point'; say which kept card: {either(FACTIONS[f].word for f in kept)}"
        )
    chosen = factions[0] if factions else kept[0]
    if chosen not in kept:
        raise Refusal("E_POINTS", f"no {FACTIONS[chosen].one} is kept; say {either(FACTIONS[f].word for f in kept)}")
    return int(ACTIONS.lose_kept.encode(chosen))


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """A legal action as the words it adds to its move. Cards of a discard stand in the order J D O S R M P H."""
    name = ACTIONS.family(action).name
    indices = ACTIONS.indices(action)
    if name == "take":
        whole = indices[1] + 1 == int(view.market[indices[0]])
        return (_verb("take"), _card(indices[0]), *([] if whole else [_count(indices[1] + 1)]))
    if name in ("journalists", "scientists", "mafia"):
        return (_verb("play"), _card({"journalists": JOURNALISTS, "scientists": SCIENTISTS, "mafia": MAFIA}[name]))
    if name == "detectives":
        return (_verb("play"), _card(DETECTIVES), _extra(indices[0]))
    if name == "officials":
        return (_verb("play"), _card(OFFICIALS), _count(indices[0] + 1))
    if name == "robocats":
        return (_verb("play"), _card(ROBOCATS), _count(2 * indices[0] + 2))
    if name == "police":
        count, wanted, victim = indices
        paid = (_card(POLICE), _count(count + 1), _extra(wanted))
        return (_verb("play"), *paid, _seat(victim, names))
    if name == "hackers":
        victim, count = indices
        return (_verb("play"), _card(HACKERS), _count(count + 1), _seat(victim, names))
    if name == "give":
        return (_verb("give"), _card(indices[0]))
    if name == "throw":
        first, second = indices
        return (_verb("discard"), _card(first), _count(2) if first == second else _card(second))
    if name == "lose":
        return (_verb("lose"), _verb("point"))
    if name == "lose_kept":
        return (_verb("lose"), _verb("point"), _card(indices[0]))
    if name == "discard":
        faction, count = indices
        begun = int(view.midmove) >> seat & 1
        words = [] if begun else [_verb("discard")]
        return (*words, _card(faction), *([_count(count + 1)] if count else []))
    return (_verb(name),)


def _verb(word: str) -> Token:
    return Token(word, "verb", word)


def _extra(faction: int) -> Token:
    return Token(f"+ {FACTIONS[faction].word}", "card", FACTIONS[faction].letter)


def _card(faction: int) -> Token:
    return Token(FACTIONS[faction].word, "card", FACTIONS[faction].letter)


def _count(count: int) -> Token:
    return Token(f"x{count}", "count", str(count))


def _seat(seat: int, names: Sequence[str]) -> Token:
    return Token(f"> {written(names[seat])}", "seat", str(seat))
