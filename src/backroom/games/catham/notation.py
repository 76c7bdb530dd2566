"""Catham City as text: moves here, both ways; positions, the log and worked examples in the modules imported below."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from backroom.engine.game import Game, Refusal, seats_after, seats_in
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
    MOST_HACKERS,
    OFFICIALS,
    POLICE,
    ROBOCATS,
)  # fmt: skip
from backroom.games.catham.positions import parse_position, position
from backroom.games.catham.rules import ACTIONS, GIFT, LOSS, MATCH, SURPLUS, TURN
from backroom.games.catham.story import describe, preview
from backroom.games.catham.text import QUESTIONS, cards_in, cards_of, either, number_of, tokens_left
from backroom.games.catham.worked import examples

__all__ = ["describe", "examples", "move_tokens", "parse_move", "parse_position", "position", "preview", "question"]

ANSWERS = {
    TURN: (("take", "play", "hack"), "take F, take F xN or play ..."),
    GIFT: (("give", "decline"), "give F or decline"),
    MATCH: (("match", "decline"), "match or decline"),
    LOSS: (("discard", "lose"), "discard F G or lose point"),
    SURPLUS: (("discard",), "discard F xN ..."),
}
"""How each question is answered: the verbs, and the moves in short."""
WITH_EXTRA = (DETECTIVES, POLICE)
WITH_TARGET = (POLICE, HACKERS)


def question(view: Any, seat: int) -> str:
    """The word for what the seat is asked: turn, gift, match, mafia or limit; empty when it is not acting."""
    if seat < 0 or not int(view.acting) >> seat & 1:
        return ""
    return QUESTIONS[int(view.question)]


# Moves as they are typed

COUNT = "x[0-9]+"
MOST = 10**6
"""A count that is too long to read counts as this many, as wrong as the whole of it."""


class _Count(NamedTuple):
    """So many cards, and the word for that; empty where it was left out."""

    number: int
    word: str = ""

    def of(self, faction: int) -> str:
        """So many cards of a faction, with the word where it is not the usual one: 3 hackers; 'x003' of hackers."""
        usual = self.word.lower() in ("", f"x{self.number}") and self.number < MOST
        return number_of(faction, self.number) if usual else f"{quoted(self.word)} of {FACTIONS[faction].word}"


class _Written(NamedTuple):
    """A move as it was written, before anything is looked up: the words for its verb, factions, counts and names."""

    word: str
    factions: list[tuple[str, _Count | None]]
    extra: str | None = None
    target: str | None = None


class _Words:
    """The words of a move that are still to be read, from left to right."""

    def __init__(self, text: str) -> None:
        self.left = re.findall(r"[+>]|[^\s+>]+", text)

    def pop(self, pattern: str) -> str | None:
        """The next word, if it is such a one."""
        found = self.left and re.fullmatch(pattern, self.left[0], re.IGNORECASE)
        return self.left.pop(0) if found else None

    def count(self) -> _Count | None:
        """A count such as x3, if one comes next."""
        word = self.pop(COUNT)
        digits = (word or "").lstrip("xX0") or "0"
        return _Count(int(digits) if len(digits) < 6 else MOST, word) if word else None

    def faction(self, after: str) -> str:
        """A faction word, known or not."""
        word = self.pop(r"(?!x\d+$)[^+>]+")
        if word is None:
            found = f", but {quoted(self.left[0])}" if self.left else ""
            raise _unreadable(f"no faction after '{after}'{found}; write one of its words, e.g. {after} scientists")
        return word

    def name(self, after: str, counted: bool = False) -> str:
        """A player's name: any words up to a sign, or (``counted``) up to a count at the end."""
        end = next((place for place, word in enumerate(self.left) if word in "+>"), len(self.left))
        if counted and 1 < end == len(self.left) and re.fullmatch(COUNT, self.left[-1], re.IGNORECASE):
            end -= 1
        if not end:
            raise _unreadable(f"no player's name after '{after}'")
        name, self.left = self.left[:end], self.left[end:]
        return " ".join(name)


def _unreadable(why: str) -> Refusal:
    return Refusal("E_SYNTAX", why)


def _read(text: str) -> _Written:
    words = _Words(text)
    word = words.pop(".*")
    if word is None:
        raise _unreadable("an empty move; write e.g. take scientists x2")
    verb = word.lower()
    written = _Written(word, [])
    if verb in ("take", "give"):
        written.factions.append((words.faction(verb), words.count() if verb == "take" else None))
    elif verb == "play":
        written = _read_play(word, words)
    elif verb == "hack":
        written = _Written(word, [], target=words.name("hack", counted=True))
        written.factions.append(("hackers", words.count()))
    elif verb == "discard":
        while not written.factions or words.left:
            written.factions.append((words.faction("discard"), words.count()))
    elif verb == "lose":
        if not words.pop("point"):
            raise _unreadable(f"cannot read {quoted(text.strip())}; write lose point")
        if words.left:
            written.factions.append((words.faction("lose point"), None))
    elif verb not in ("match", "decline", "pass"):
        verbs = "take, play, hack, give, match, decline, discard, lose point"
        raise _unreadable(f"no move begins with {quoted(word)}; there are {verbs}")
    if words.left:
        raise _unreadable(f"cannot read {quoted(' '.join(words.left))} at the end of this move")
    return written


def _read_play(word: str, words: _Words) -> _Written:
    cards = words.faction("play"), words.count()
    extra = words.faction("+") if words.pop(r"\+") else None
    target = words.name(">") if words.pop(">") else None
    faction = _known(cards[0])
    if faction is not None and extra is not None and faction not in WITH_EXTRA:
        raise _unreadable(f"{FACTIONS[faction].word} are played without another card; leave out + {quoted(extra)}")
    if faction is not None and target is not None and faction not in WITH_TARGET:
        raise _unreadable(f"{FACTIONS[faction].word} are not played against a player; leave out > {quoted(target)}")
    return _Written(word, [cards], extra, target)


def _known(word: str) -> int | None:
    """The faction that a word or a prefix of it names; they all begin with different letters."""
    return next((number for number, it in enumerate(FACTIONS) if it.word.startswith(word.lower())), None)


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """The actions of a typed move, all legal for the seat; refusals in the order of the specification's section 6.

    E_OVER, E_ACTOR, E_SYNTAX, E_PASS, E_PHASE, E_FACTION, E_COUNT, E_EXTRA, E_HOLD or E_MARKET or E_POINTS, E_TARGET.
    """
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    acting = seats_in(int(view.acting))
    if seat not in acting:
        waiting = ", ".join(names[other] for other in acting)
        raise Refusal("E_ACTOR", f"it is not this player's decision; waiting for {waiting}")
    written = _read(text)
    verb, asked = written.word.lower(), int(view.question)
    if verb == "lose" and written.factions and not view.official_cards:
        raise _unreadable("a point is lost as a token; write lose point alone")
    if verb == "pass" and asked == TURN:
        raise Refusal("E_PASS", "there is no passing; take at least one card or play a faction")
    verbs, answers = ANSWERS[asked]
    if verb not in verbs:
        word = quoted(written.word)
        raise Refusal("E_PHASE", f"{word} does not answer this question ({QUESTIONS[asked]}); write {answers}")
    mover = _Mover(view, seat, names)
    cards = [(mover.in_play(word), count) for word, count in written.factions]
    extra = mover.in_play(written.extra) if written.extra is not None else None
    if verb == "take":
        return [mover.take(*cards[0])]
    if verb in ("play", "hack"):
        return [mover.play(*cards[0], extra, written.target)]
    if verb == "discard":
        return mover.discard(cards)
    if verb == "lose":
        return [mover.lose([faction for faction, _ in cards])]
    if verb == "give":
        return [mover.give(cards[0][0])]
    if verb == "match":
        mover.hold(int(view.extra), _Count(1))
    return [ACTIONS.match.first if verb == "match" else ACTIONS.decline.first]


class _Mover:
    """A player who answers: what is written as actions, and the refusals of what its view does not allow."""

    def __init__(self, view: Any, seat: int, names: Sequence[str]) -> None:
        self.view, self.seat, self.names = view, seat, names

    def in_play(self, word: str) -> int:
        faction = _known(word)
        factions = [int(number) for number in self.view.factions]
        if faction is None or faction not in factions:
            what = "is no faction"
            if faction is not None:
                what = f"stands for {FACTIONS[faction].word}, who are not in this game"
            there = ", ".join(FACTIONS[number].word for number in factions)
            raise Refusal("E_FACTION", f"{quoted(word)} {what}; in play are {there}")
        return faction

    def hold(self, faction: int, needed: _Count) -> None:
        held = int(self.view.hand[self.seat, faction])
        if held < needed.number:
            raise Refusal("E_HOLD", f"this needs {needed.of(faction)}, the hand has {held or 'none'}")

    def take(self, faction: int, count: _Count | None) -> int:
        there = int(self.view.market[faction])
        if count is not None and not count.number:
            raise Refusal("E_COUNT", f"at least one card is taken; write x1 or more, not {quoted(count.word)}")
        taken = there if count is None else count.number
        if there < max(taken, 1):
            wanted = f", not {count.of(faction)}" if count is not None else ""
            raise Refusal("E_MARKET", f"the market has {number_of(faction, there)}{wanted}")
        return int(ACTIONS.take.encode(faction, taken - 1))

    def play(self, faction: int, typed: _Count | None, extra: int | None, target: str | None) -> int:
        count = _play_count(faction, typed)
        number = count.number
        if faction in WITH_EXTRA:
            self._check_extra(faction, extra)
        self.hold(faction, _Count(number + 1) if extra == faction else count)
        if extra is not None and extra != faction:
            self.hold(extra, _Count(1))
        victim = self._target(target) if faction in WITH_TARGET else -1
        if faction == HACKERS and int(self.view.hand_size[victim]) < number:
            has = cards_of(int(self.view.hand_size[victim]))
            raise Refusal("E_TARGET", f"{self.names[victim]} has {has}, too few for {count.of(HACKERS)}")
        indices = {
            DETECTIVES: (extra,),
            OFFICIALS: (number - 1,),
            ROBOCATS: (number // 2 - 1,),
            POLICE: (number - 1, extra, victim),
            HACKERS: (victim, number - 1),
        }.get(faction, ())
        return int(getattr(ACTIONS, FACTIONS[faction].word).encode(*indices))

    def _check_extra(self, faction: int, extra: int | None) -> None:
        if extra is None:
            what = "the extra card" if faction == DETECTIVES else "the wanted card"
            raise Refusal("E_EXTRA", f"{what} is missing; add e.g. + {FACTIONS[int(self.view.factions[0])].word}")
        if faction == POLICE == extra:
            raise Refusal("E_EXTRA", "the wanted card must be of another faction than police")
        if faction == DETECTIVES == extra and self.view.detective_extra:
            raise Refusal("E_EXTRA", "in this game the extra card is of another faction than detectives")

    def _target(self, target: str | None) -> int:
        others = seats_after(self.seat, int(self.view.seats))
        choices = either(self.names[other] for other in sorted(others))
        if target is None and len(others) > 1:
            raise Refusal("E_TARGET", f"say against whom: > {choices}")
        called = others[0] if target is None else seat_called(target, self.names)
        if called is None or called == self.seat:
            wrong = f"nobody here is called {quoted(target)}" if called is None else "you are no target of your own"
            raise Refusal("E_TARGET", f"{wrong}; write {choices}")
        return called

    def give(self, faction: int) -> int:
        away = JOURNALISTS if self.view.journalist_match else faction
        for kind, number in Counter((faction, away)).items():
            self.hold(kind, _Count(number))
        return int(ACTIONS.give.encode(faction))

    def discard(self, cards: list[tuple[int, _Count | None]]) -> list[int]:
        chosen: Counter[int] = Counter()
        for faction, count in cards:
            chosen[faction] += 1 if count is None else count.number
        losing = self.view.question == LOSS
        needed = 2 if losing else int(self.view.hand_size[self.seat]) - LIMIT
        wrong = [quoted(count.word) for _, count in cards if count is not None and not 0 < count.number <= needed]
        if chosen.total() != needed or wrong:
            goes = "card goes" if needed == 1 else "cards go"
            raise Refusal("E_COUNT", f"exactly {needed} {goes}, this names {wrong[0] if wrong else chosen.total()}")
        for faction, number in sorted(chosen.items()):
            self.hold(faction, _Count(number))
        if losing:
            return [int(ACTIONS.throw.encode(*sorted(chosen.elements())))]
        return [int(ACTIONS.discard.encode(faction, number - 1)) for faction, number in sorted(chosen.items())]

    def lose(self, factions: list[int]) -> int:
        view, seat = self.view, self.seat
        if view.points[seat] == 0:
            raise Refusal("E_POINTS", "there is no point to lose; write discard F G")
        if tokens_left(view, seat) > 0:
            if factions:
                raise Refusal("E_POINTS", "a token goes before a kept card; write lose point")
            return ACTIONS.lose.first
        kept = [faction for faction, _ in cards_in(view.kept[seat])]
        choices = either(FACTIONS[faction].word for faction in kept)
        if not factions and len(kept) > 1:
            raise _unreadable(f"no faction after 'lose point'; say which kept card: {choices}")
        chosen = factions[0] if factions else kept[0]
        if chosen not in kept:
            raise Refusal("E_POINTS", f"no {FACTIONS[chosen].one} is kept; say {choices}")
        return int(ACTIONS.lose_kept.encode(chosen))


def _play_count(faction: int, count: _Count | None) -> _Count:
    word, number = FACTIONS[faction].word, count.number if count is not None else 0
    wanted = ""
    if faction == ROBOCATS and number not in (2, 4):
        wanted = "robocats are played as x2 or x4"
    elif COST[faction] and count is not None and number != COST[faction]:
        wanted = f"{word} are played as x{COST[faction]}, which may be left out"
    elif not COST[faction] and not number:
        wanted = f"say how many {word}, at least x1"
    elif faction == HACKERS and number > MOST_HACKERS:
        wanted = f"hackers are played as x1 to x{MOST_HACKERS}"
    if wanted:
        raise Refusal("E_COUNT", wanted + (f", not {quoted(count.word)}" if count is not None else ""))
    return _Count(COST[faction]) if count is None or COST[faction] else count


# Moves as they are written


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """A legal action as the words it adds to its move. Cards of a discard stand in the order J D O S R M P H."""
    name = ACTIONS.family(action).name
    first, second, third = (*ACTIONS.indices(action), 0, 0, 0)[:3]
    played = next((number for number, faction in enumerate(FACTIONS) if faction.word == name), None)
    verb = "play" if played is not None else {"throw": "discard", "lose_kept": "lose"}.get(name, name)
    words = [Token(verb, "verb", verb)] + ([_card(played)] if played is not None else [])
    match name:
        case "take":
            words += [_card(first)] + ([] if second + 1 == int(view.market[first]) else [_count(second + 1)])
        case "detectives":
            words += [_card(first, "+ ")]
        case "officials":
            words += [_count(first + 1)]
        case "robocats":
            words += [_count(2 * first + 2)]
        case "police":
            words += [_count(first + 1), _card(second, "+ "), _seat(third, names)]
        case "hackers":
            words += [_count(second + 1), _seat(first, names)]
        case "give":
            words += [_card(first)]
        case "throw":
            words += [_card(first), _count(2) if first == second else _card(second)]
        case "lose":
            words += [Token("point", "verb", "point")]
        case "lose_kept":
            words += [Token("point", "verb", "point"), _card(first)]
        case "discard":
            begun = int(view.midmove) >> seat & 1
            words = ([] if begun else words) + [_card(first)] + ([_count(second + 1)] if second else [])
    return tuple(words)


def _card(faction: int, sign: str = "") -> Token:
    return Token(sign + FACTIONS[faction].word, "card", FACTIONS[faction].letter)


def _count(count: int) -> Token:
    return Token(f"x{count}", "count", str(count))


def _seat(seat: int, names: Sequence[str]) -> Token:
    return Token(f"> {written(names[seat])}", "seat", str(seat))
