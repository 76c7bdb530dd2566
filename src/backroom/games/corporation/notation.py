"""Corporation as text: moves and messages, positions, log lines, worked examples."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from backroom.engine import chance
from backroom.engine.events import Event
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, find_game
from backroom.engine.match import Match
from backroom.engine.names import seat_called, written
from backroom.engine.notation import Line, Part, Thing, Token, deed, enumerated, player
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.engine.refusal import quoted
from backroom.games.corporation import rules
from backroom.games.corporation.options import CorporationOptions
from backroom.games.corporation.rules import MESSAGES, TOP
from backroom.text.examples import Example

__all__ = [
    "describe", "examples", "move_tokens", "parse_move", "parse_position", "parse_talk", "position", "preview",
    "question", "recall", "spent", "talk_text",
]  # fmt: skip

LETTERS = "ABCDEFGHIJ"


def _game() -> Game:
    return find_game("corporation")


def values(view: Any) -> list[int]:
    """The cards everybody owns, ascending (V)."""
    return [value for value in range(1, TOP + 1) if rules.is_value(view, value)]


# Moves


def _number(word: str) -> int:
    if not re.fullmatch(r"[0-9]+", word, re.ASCII):
        raise Refusal("E_SYNTAX", f"{quoted(word)} is not a number; a card is written as its value, e.g. card 7")
    digits = word.lstrip("0") or "0"
    return int(digits) if len(digits) < 6 else 10**6


def _check_card(view: Any, value: int, word: str) -> None:
    if value not in values(view):
        raise Refusal("E_CARD", f"there is no {quoted(word)}; the cards are {' '.join(map(str, values(view)))}")


def parse_move(view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """``card V``. Refusal E_OVER, E_SYNTAX, E_ALREADY, E_CARD or E_TABLE."""
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    words = text.split()
    if len(words) != 2 or words[0].lower() != "card":
        said = "say TEXT, claim V, ask NAME V" if view.talk == rules.OPEN else "there is no talk at this table"
        raise Refusal("E_SYNTAX", f"cannot read {quoted(text.strip())}; a move is card V ({said})")
    value = _number(words[1])
    if not int(view.acting) >> seat & 1:
        raise Refusal("E_ALREADY", "your card of this round lies already; a placed card is final")
    _check_card(view, value, words[1])
    if int(view.table[seat]) == value:
        raise Refusal("E_TABLE", f"your {value} lies face up on the table; play another card")
    return [int(rules.card_action(value - 1))]


def parse_talk(view: Any, seat: int, text: str, names: Sequence[str]) -> tuple[int, str] | None:
    """``say TEXT``, ``claim V``, ``ask NAME V``; None for anything else. Refusals in the specification's order."""
    verb, rest = [*text.split(maxsplit=1), "", ""][:2]
    verb, rest = verb.lower(), rest.strip()
    if verb not in ("say", "claim", "ask"):
        return None
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    message, words, value, whom = int(MESSAGES.say.encode()), rest, None, -1
    if verb == "say":
        if not rest:
            raise Refusal("E_SYNTAX", "say what? The text is missing")
        if rest.splitlines() != [rest]:
            raise Refusal("E_SYNTAX", "a message is one line; say the rest in another")
    elif verb == "claim":
        value = _number(rest)
        words = str(value)
    else:
        whom, value = _read_ask(seat, rest, names)
        words = f"{written(names[whom])} {value}"
    if view.talk == rules.OFF:
        raise Refusal("E_TALK", "nobody talks at this table (talk = off)")
    if value is not None:
        _check_card(view, value, rest.split()[-1])
        if verb == "claim":
            message = int(MESSAGES.claim.encode(value - 1))
        else:
            message = int(MESSAGES.ask.encode(whom, value - 1))
    if not rules.may_talk(view, seat):
        raise Refusal("E_TALK", spent(view))
    return message, f"{verb} {words}"


def spent(view: Any) -> str:
    """Why a seat that has used up its messages may say nothing more."""
    limit = int(view.talk_limit)
    if not limit:
        return "no messages are allowed at this table (talk_limit = 0)"
    return f"you have had your {f'{limit} messages' if limit > 1 else 'one message'} of this round"


def talk_text(message: int, names: Sequence[str]) -> str:
    """``claim V`` or ``ask NAME V``."""
    family, indices = MESSAGES.family(message).name, MESSAGES.indices(message)
    if family == "claim":
        return f"claim {indices[0] + 1}"
    return f"ask {written(names[indices[0]])} {indices[1] + 1}"


def _read_ask(seat: int, rest: str, names: Sequence[str]) -> tuple[int, int]:
    """Whom, and for which card."""
    *called, number = rest.split() or [""]
    if not called:
        raise Refusal("E_SYNTAX", "ask NAME V, e.g. ask ben 7")
    whom = seat_called(" ".join(called), names)
    if whom is None:
        raise Refusal("E_SYNTAX", f"nobody here is called {quoted(' '.join(called))}; there are {', '.join(names)}")
    if whom == seat:
        raise Refusal("E_SYNTAX", "one asks another player, not oneself")
    return whom, _number(number)


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """``card`` and the value."""
    value = int(rules.card_value(action)) + 1
    return Token("card", "verb", "card"), Token(str(value), "card", str(value))


def question(view: Any, seat: int) -> str:
    """``card`` while the seat still has to place, else empty."""
    return "card" if not view.over and int(view.acting) >> seat & 1 else ""


def preview(view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """What the card can bring, as far as it does not hang on the cards of others."""
    if not actions:
        return "Place one card face down. All cards are turned up together."
    value = int(rules.card_value(actions[0])) + 1
    text = f"Alone with the {value}: {value} point{'s' if value > 1 else ''}."
    members = int(rules.company(view, seat))
    if members:
        text += f" Together with all of your corporation and nobody else: {value * members} points."
    return text


# Log


def _card(value: int) -> Thing:
    return Thing("money", str(value), str(value))


def _people(seats: Sequence[int], names: Sequence[str]) -> list[Part]:
    return enumerated([player(seat, names) for seat in seats])


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def _each(names: Sequence[str], things: Iterable[Thing]) -> list[Part]:
    """A thing for each player: Anna 7, Ben 5."""
    pairs = [(", ", player(seat, names), " ", thing) for seat, thing in enumerate(things)]
    return [part for pair in pairs for part in pair][1:]


def _failed(e: Event, names: Sequence[str]) -> Sequence[Part]:
    left, joined = e.args["left"], e.args["joined"]
    reasons = [f"{left} of them placed another card"] if left else []
    reasons += [f"{joined} from outside placed the same"] if joined else []
    start = ("No reward for the ", _card(e.args["old"]), " corporation of ")
    return (*start, *_people(e.args["members"], names), f": {' and '.join(reasons)}.")


def _scored(e: Event, names: Sequence[str]) -> Sequence[Part]:
    scores = _each(names, (Thing("score", str(score), str(score)) for score in e.args["scores"]))
    return (f"Scores after round {e.args['round']}: ", *scores, ".")


def _ended(e: Event, names: Sequence[str]) -> Sequence[Part]:
    winners = _people(e.args["winners"], names)
    if e.args["capped"]:
        return ("Stopped unfinished after the last round allowed; ", *winners, " in front.")
    return ("The game is over: ", *winners, " wins." if len(e.args["winners"]) == 1 else " share the win.")


STORIES: dict[str, tuple[str, Callable[[Event, Sequence[str]], Sequence[Part]]]] = {
    "few": ("KR1", lambda e, _: (
        f"Only {e.args['players']} players: it can be played, but {rules.FEWEST} or more are better.",
    )),
    "revealed": ("K3", lambda e, n: (f"Round {e.args['round']}: ", *_each(n, map(_card, e.args["cards"])), ".")),
    "rewarded": ("K5", lambda e, n: (
        "Rewarded: ", *_people(e.args["members"], n), " all placed ", _card(e.args["value"]),
        f" and nobody else did, {_points(e.args['each'])} each.",
    )),
    "failed": ("K5", _failed),
    "formed": ("K7", lambda e, n: (
        *_people(e.args["members"], n), " form a corporation with ", _card(e.args["value"]), ".",
    )),
    "dissolved": ("K8", lambda e, n: (*_people(e.args["members"], n), " take both their cards back.")),
    "scored": ("K10", _scored),
    "ended": ("K11", _ended),
}  # fmt: skip

DEEDS: dict[str, tuple[str, Callable[[Event, Sequence[str]], tuple[Sequence[Part], Sequence[Part]]]]] = {
    "said": ("K12", lambda e, _: ((), (": ", e.args["text"].partition(" ")[2]))),
    "claimed": ("K12", lambda e, _: (("claims ", _card(e.args["value"])), ())),
    "asked": ("K12", lambda e, n: (("asks ", player(e.args["whom"], n), " for ", _card(e.args["value"])), ())),
    "profited": ("K6", lambda e, _: (
        ("alone with ", _card(e.args["value"])), (f": {_points(e.args['value'])}.",),
    )),
}  # fmt: skip
"""What one player did or said, and what came of it."""


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    """A line for messages, and for what a reveal brought and how all stand then; placing a card has none."""
    if event.kind in STORIES:
        rule, story = STORIES[event.kind]
        return Line(tuple(story(event, names)), rule)
    if event.kind not in DEEDS:
        return None
    rule, done = DEEDS[event.kind]
    return deed(player(event.seat, names), *done(event, names), rule)


def recall(state: Any, event: Event) -> Event | None:
    """With ``talk_log=once`` a message is shown until the next card is placed."""
    return None if state.talk_log and event.kind in ("said", "claimed", "asked") else event


# Positions

CARD_ROWS = ("last", "before", "claim", "claimed")
ROWS = (*CARD_ROWS, "gain", "said", "broken", "strayed")
"""Fields with a number for each player, written in a position when any is not 0."""


def position(state: Any, names: Sequence[str], viewer: Viewer) -> str:
    """One line: ``{options} | anna:SCORE@T ... | round N | placed anna:7 ben:? | ...``; see the specification, K-8."""
    n, names = int(state.seats), [written(name) for name in names]
    seats = []
    for p in range(n):
        table = f"@{int(state.table[p])}" if state.table[p] else ""
        seats.append(f"{names[p]}:{int(state.score[p])}{table}")
    parts = [_options_text(state), " ".join(seats), f"round {int(state.turn)}"]
    hidden = range(n) if viewer is ALL_KNOWING else [viewer]
    placed = [p for p in range(n) if not state.over and not int(state.acting) >> p & 1]
    if placed:
        shown = (f"{names[p]}:{int(state.placed[p]) if p in hidden else '?'}" for p in placed)
        parts.append("placed " + " ".join(shown))
    for word in ROWS:
        row = [int(number) for number in state[word][:n]]
        if any(row):
            parts.append(f"{word} {' '.join(map(str, row))}")
    asks = [
        f"{names[p]}>{names[q]}:{int(state.asked[p, q])}" for p in range(n) for q in range(n) if int(state.asked[p, q])
    ]
    if asks:
        parts.append("asked " + " ".join(asks))
    if state.over:
        parts.append("unfinished" if state.over == CAPPED else "over")
    return " | ".join(parts)


def _options_text(state: Any) -> str:
    return "{" + ",".join(f"{name}={value}" for name, value in CorporationOptions.changed(state).items()) + "}"


def _bad(text: str, why: str) -> Refusal:
    return Refusal("E_POSITION", f"{why} in {quoted(text.strip())}")


def _read_options(text: str) -> CorporationOptions:
    given = {}
    for part in filter(None, (part.strip() for part in text.strip().strip("{}").split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name in given:
            raise _bad(text, f"two values for {name}")
        given[name] = value or "true"
    return CorporationOptions.build(given)


def parse_position(text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the names from such a line; also from the examples' shorter form. Refusal E_POSITION, E_SETUP."""
    fields = [part.strip() for part in text.split("|")]
    if len(fields) < 2:
        raise _bad(text, "options and players, split by |, are missing")
    pattern = re.compile(r"([^:@>|]+):([0-9]{1,9})(?:@([0-9]{1,2}))?")
    players = [pattern.fullmatch(word) for word in fields[1].split()]
    if not players or None in players:
        raise _bad(fields[1], "players are written NAME:SCORE or NAME:SCORE@T")
    found = [match for match in players if match is not None]
    names = tuple(match[1] for match in found)
    state, _ = _game().opening(_read_options(fields[0]), names, chance.match_seed(0))
    for p, match in enumerate(found):
        state.score[p] = int(match[2])
        state.table[p] = _card_of(state, match[3] or "0", text, none=True)
    for extra in fields[2:]:
        _read_extra(state, names, extra)
    for p in range(len(names)):
        if state.table[p] and rules.company(state, p) < 2:
            raise _bad(fields[1], f"{names[p]} cannot be a corporation alone")
        if state.placed[p] and state.placed[p] == state.table[p]:
            raise _bad(text, f"{names[p]} cannot have placed the card that lies face up before him")
    if not state.over and not int(state.acting):
        raise _bad(text, "all have placed; the cards would have been turned up")
    best = state.score.max()
    won = best >= state.target and (state.tie == rules.SHARE or sum(state.score == best) == 1)
    if state.over != CAPPED and bool(state.over) != bool(won):
        raise _bad(text, f"the game is over exactly when somebody has won with {int(state.target)} points")
    return state, names


def _card_of(state: Any, word: str, text: str, none: bool = False) -> int:
    value = int(word)
    if value not in values(state) and not (none and value == 0):
        raise _bad(text, f"there is no card {value}")
    return value


def _read_extra(state: Any, names: Sequence[str], text: str) -> None:
    word, *rest = text.split() or [""]
    try:
        if word == "round":
            (state.turn,) = (int(number) for number in rest)
            if state.turn < 1:
                raise ValueError
        elif word == "placed":
            for entry in rest:
                name, _, value = entry.partition(":")
                seat = names.index(name)
                state.placed[seat] = _card_of(state, value, text)
                state.acting = int(state.acting) & ~(1 << seat)
        elif word in ROWS:
            state[word][: len(names)] = numbers = [int(number) for number in rest]
            if len(numbers) != len(names) or min(numbers) < 0:
                raise ValueError
            if word in CARD_ROWS:
                for number in rest:
                    _card_of(state, number, text, none=True)
        elif word == "asked":
            for entry in rest:
                pair, _, value = entry.partition(":")
                asker, _, whom = pair.partition(">")
                state.asked[names.index(asker), names.index(whom)] = _card_of(state, value, text)
        elif word in ("over", "unfinished"):
            state.over = FINISHED if word == "over" else CAPPED
            state.acting = 0
        else:
            raise _bad(text, f"{word!r} is no part of a position")
    except (ValueError, OverflowError) as problem:
        if isinstance(problem, Refusal):
            raise
        raise _bad(text, f"cannot read {word!r}") from None


# Worked examples (K-8)

HEAD = re.compile(r"(\w+)\s*(\{[^}]*\})?\s*\|(.*)")
FACTS = ("+", "corp", "score")
"""What every round of an example says, in any order; ``over`` only the last of a game."""


def examples(text: str) -> Iterable[Example]:
    """The examples of K-8: a head line, then rounds (``>``) and single moves (``!``). Other games' blocks have none."""
    if not re.search(r"^\w+\s*(\{[^}]*\})?\s*\|\s*[\w-]+:\d+(@\d+)?(\s|$)", text, re.MULTILINE):
        return
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.strip().startswith((">", "!")):
            if not blocks:
                raise Refusal("E_FILE", f"a step before any example: {quoted(line.strip())}")
            blocks[-1].append(line.strip())
        elif HEAD.match(line.strip()):
            blocks.append([line.strip()])
        elif line.strip():
            raise Refusal("E_FILE", f"neither an example's head nor a step: {quoted(line.strip())}")
    for block in blocks:
        yield Example(block[0].split()[0], lambda block=block: _check(block))  # type: ignore[misc]


def _check(block: list[str]) -> list[str]:
    head = HEAD.match(block[0])
    assert head is not None
    players = re.sub(r"\(.*\)\s*$", "", head[3])
    match = Match.from_position(_game(), f"{head[2] or ''} | {players}", seed=0)
    found = [] if block[1:] else ["no step follows; one begins with > or !"]
    for step in block[1:]:
        found += [f"{step}\n    {problem}" for problem in (_round if step[0] == ">" else _single)(match, step[1:])]
    return found


def _single(match: Match, step: str) -> list[str]:
    words = re.fullmatch(r"\s*(\S+)\s(.*)\s(\S+)\s*", step)
    if words is None:
        return ["a ! line is a player, a move and a code or -"]
    before = match.chain[-1]
    try:
        match.play(0 if match.over else match.seat_of(words[1]), words[2])
        code = "-"
    except Refusal as refusal:
        code = refusal.code
    problems = [] if code == words[3] else [f"expected {words[3]}, got {code}"]
    if code != "-" and match.chain[-1] != before:
        problems.append("a refused move changed the state")
    return problems


def _round(match: Match, step: str) -> list[str]:
    cards, _, facts = step.partition("=>")
    placed = cards.split()
    if len(placed) != len(match.names):
        return [f"{len(match.names)} cards are needed, one for each player"]
    before = [int(number) for number in match.state.score]
    due = match.acting
    for seat, value in enumerate(placed):
        if seat not in due and str(match.state.placed[seat]) != value:
            return [f"{match.names[seat]} has placed {int(match.state.placed[seat])}, not {value}"]
    if not due:
        return ["the game is over; no round follows"]
    try:
        for seat in due:
            match.play(seat, f"card {placed[seat]}")
    except Refusal as refusal:
        return [f"refused: {refusal}"]
    problems = []
    said = []
    for fact in (part.strip() for part in (facts.split(";") if facts.strip() else ())):
        word, *rest = ["+", *fact[1:].split()] if fact.startswith("+") else fact.split() or [""]
        problem = _fact(match, before, word, rest)
        if word in said:
            problem = "is said twice"
        said.append(word)
        if problem:
            problems.append(f"{fact}: {problem}")
    missing = [fact for fact in FACTS if fact not in said]
    if missing:
        problems.append(f"each round says {', '.join(FACTS)}; missing: {', '.join(missing)}")
    if match.over and "over" not in said:
        problems.append("the game is over, which the line does not say")
    return problems


def _fact(match: Match, before: list[int], word: str, rest: list[str]) -> str:
    n = len(match.names)
    scores = [int(number) for number in match.state.score[:n]]
    if word == "+":
        gained = [after - old for after, old in zip(scores, before, strict=False)]
        return "" if rest == [str(number) for number in gained] else f"gained {gained}"
    if word == "score":
        return "" if rest == [str(number) for number in scores] else f"score is {scores}"
    if word == "corp":
        groups: dict[int, str] = {}
        for p in range(n):
            if match.state.table[p]:
                groups[int(match.state.table[p])] = groups.get(int(match.state.table[p]), "") + match.names[p]
        there = sorted(f"{''.join(sorted(members))}@{value}" for value, members in groups.items()) or ["-"]
        return "" if there == sorted(map(_sorted_members, rest)) else f"corporations are {' '.join(there)}"
    if word == "over":
        places = _game().outcome(match.state)[1]
        winners = [match.names[p] for p in range(n) if places[p] == 1] if match.over else []
        right = bool(winners) and sorted("".join(rest)) == sorted("".join(winners))
        return "" if right else f"winners are {' '.join(winners) or 'none yet'}"
    return f"no such fact as {word!r}"


def _sorted_members(entry: str) -> str:
    members, at, value = entry.partition("@")
    return f"{''.join(sorted(members))}{at}{value}"
