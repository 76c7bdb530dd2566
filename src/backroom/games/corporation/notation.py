"""Corporation as text: moves and messages, positions, log lines, worked examples."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from backroom.engine.events import Event
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, seats_in
from backroom.engine.names import seat_called, written
from backroom.engine.notation import Thing, Token, player
from backroom.engine.record import ALL_KNOWING, Viewer
from backroom.engine.refusal import quoted
from backroom.games.corporation import rules
from backroom.games.corporation.options import CorporationOptions
from backroom.games.corporation.rules import MESSAGES, TOP
from backroom.scenes.money import bill
from backroom.text.english import counted
from backroom.text.examples import Example, Trial, differs, headed_examples, stated
from backroom.text.log import Log, each, people
from backroom.text.positions import Field, Layout, Reading, end, entries, held, number, row, wrong

__all__ = [
    "describe", "examples", "move_tokens", "parse_move", "parse_position", "parse_talk", "position", "preview",
    "question", "recall", "spent", "talk_text",
]  # fmt: skip


def groups(cards: Sequence[int]) -> dict[int, list[int]]:
    """Players by card, most players first, then the higher card; players with no card (0) are left out."""
    found: dict[int, list[int]] = {}
    for seat, card in enumerate(cards):
        if card:
            found.setdefault(card, []).append(seat)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), -pair[0])))


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


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    """``card V``. Refusal E_OVER, E_SYNTAX, E_ALREADY, E_CARD or E_TABLE."""
    if view.over:
        raise Refusal("E_OVER", "the game is over")
    words = text.split()
    if len(words) != 2 or words[0].lower() != "card":
        said = "say TEXT, claim V, ask NAME V" if view.talk == rules.OPEN else "there is no talk at this table"
        raise Refusal("E_SYNTAX", f"cannot read {quoted(text.strip())}; a move is card V ({said})")
    value = _number(words[1])
    if not int(view.acting) >> seat & 1:
        raise Refusal("E_ALREADY", "you have placed your card of this round; a placed card is final")
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
    if verb == "say" and not rest:
        raise Refusal("E_SYNTAX", "say what? The text is missing")
    if verb == "say" and rest.splitlines() != [rest]:
        raise Refusal("E_SYNTAX", "a message is one line; say the rest in another")
    *called, word = [rest] if verb == "claim" else rest.split() or [""]
    whom = _asked(seat, " ".join(called), names) if verb == "ask" else -1
    value = _number(word) if verb != "say" else 0
    if view.talk == rules.OFF:
        raise Refusal("E_TALK", "nobody talks at this table (talk = off)")
    if verb != "say":
        _check_card(view, value, rest.split()[-1])
    if not rules.may_talk(view, seat):
        raise Refusal("E_TALK", spent(view))
    if verb == "say":
        return rules.SAY, f"say {rest}"
    claim, ask = MESSAGES.claim.encode, MESSAGES.ask.encode
    message = int(claim(value - 1) if verb == "claim" else ask(whom, value - 1))
    return message, talk_text(message, names)


def _asked(seat: int, called: str, names: Sequence[str]) -> int:
    """Whom a player asks."""
    if not called:
        raise Refusal("E_SYNTAX", "ask NAME V, e.g. ask ben 7")
    whom = seat_called(called, names)
    if whom is None:
        raise Refusal("E_SYNTAX", f"nobody here is called {quoted(called)}; there are {', '.join(names)}")
    if whom == seat:
        raise Refusal("E_SYNTAX", "ask another player, not yourself")
    return whom


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


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    """``card`` and the value."""
    value = int(rules.card_value(action)) + 1
    return Token("card", "verb", "card"), Token(str(value), "card", str(value))


def question(view: Any, seat: int) -> str:
    """``card`` while the seat still has to place, else empty."""
    return "card" if not view.over and int(view.acting) >> seat & 1 else ""


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """The card's possible results, as far as they do not depend on the cards of others."""
    if not actions:
        return "Place one card face down. All cards are turned up together."
    value = int(rules.card_value(actions[0])) + 1
    text = f"Alone with the {value}: {counted(value, 'point')}."
    members = int(rules.company(view, seat))
    if members:
        text += f" Together with all of your corporation and nobody else: {value * members} points."
    return text


# Log


def _failed(e: Event) -> str:
    left, joined = e.args["left"], e.args["joined"]
    reasons = [f"{left} of them placed another card"] if left else []
    reasons += [f"{joined} from outside placed the same"] if joined else []
    return f"No reward for the {{old}} corporation of {{members}}: {' and '.join(reasons)}."


def _ended(e: Event) -> str:
    if e.args["capped"]:
        return "Stopped unfinished after the last round allowed; {winners} in front."
    return "The game is over: {winners}" + (" <wins/win>." if len(e.args["winners"]) == 1 else " share the win.")


def _points(number: int, names: Sequence[str]) -> str:
    return counted(number, "point")


LOG = Log(
    {
        "few": ("KR1", f"Only {{players}} players: it can be played, but {rules.FEWEST} or more are better."),
        "said": ("K12", "{seat}|: {text}"),
        "claimed": ("K12", "{seat} <claims/claim> {value}"),
        "asked": ("K12", "{seat} <asks/ask> {whom} for {value}"),
        "revealed": ("K3", "Round {round}: {cards}."),
        "rewarded": ("K5", "Rewarded: {members} all placed {value} and nobody else did, {each} each."),
        "failed": ("K5", _failed),
        "profited": ("K6", lambda e: f"{{seat}} alone with {{value}}|: {{each:{e.args['value']}}}."),
        "formed": ("K7", "{members} form a corporation with {value}."),
        "dissolved": ("K8", "{members} take both their cards back."),
        "scored": ("K10", "Scores after round {round}: {scores}."),
        "ended": ("K11", _ended),
    },
    follows=lambda e: e.kind in ("rewarded", "failed", "profited", "formed", "dissolved", "scored"),
    gain=lambda e: e.args["value"] if e.kind == "profited" else 0,
    text=lambda text, names: text.partition(" ")[2],
    value=bill, old=bill, cards=lambda cards, names: each(map(bill, cards), names),
    scores=lambda scores, names: each((Thing("score", str(score), str(score)) for score in scores), names),
    whom=player, members=people, winners=people, each=_points,
)  # fmt: skip
"""Messages, and what a reveal brought and how all stand then; placing a card has no line."""

describe = LOG.describe


def recall(state: Any, event: Event) -> Event | None:
    """With ``talk_log=once`` a message is shown until the next card is placed."""
    return None if state.talk_log and event.kind in ("said", "claimed", "asked") else event


# Positions


def _card_of(state: Any, word: str, text: str) -> int:
    value = int(word)
    if value not in values(state):
        raise wrong(f"there is no card {value}", text)
    return value


def _card_or_none(state: Any, word: str, text: str) -> int:
    return _card_of(state, word, text) if int(word) else 0


def _placed_text(s: Any, p: int, viewer: Viewer) -> str | None:
    if s.over or int(s.acting) >> p & 1:
        return None
    return str(int(s.placed[p])) if viewer in (ALL_KNOWING, p) else "?"


def _read_placed(s: Any, p: int, word: str, text: str) -> None:
    s.placed[p] = _card_of(s, word, text)
    s.acting = int(s.acting) & ~(1 << p)


def _asked_text(s: Any, names: Sequence[str], viewer: Viewer) -> str | None:
    pairs = zip(*np.nonzero(s.asked), strict=True)
    return " ".join(f"{written(names[p])}>{written(names[q])}:{s.asked[p, q]}" for p, q in pairs) or None


def _read_asked(at: Reading, text: str) -> None:
    for pair, word in entries(text):
        asker, _, whom = pair.partition(">")
        at.state.asked[at.names.index(asker), at.names.index(whom)] = _card_of(at.state, word, text)


def _player_text(s: Any, p: int, viewer: Viewer) -> str:
    return f":{s.score[p]}" + (f"@{s.table[p]}" if s.table[p] else "")


def _read_player(s: Any, p: int, found: re.Match[str]) -> None:
    s.turn, s.acting = 1, int(s.acting) | 1 << p
    s.score[p], s.table[p] = int(found[2]), _card_or_none(s, found[3] or "0", found.string)


LAYOUT = Layout(
    CorporationOptions,
    (
        number("round", "turn", usual=None, least=1),
        held("placed", _placed_text, _read_placed),
        *(row(word, read=_card_or_none) for word in ("last", "before", "claim", "claimed")),
        *(row(word) for word in ("gain", "said", "broken", "strayed")),
        Field("asked", _read_asked, _asked_text),
        end(CAPPED),
        end(FINISHED),
    ),
    _player_text,
    _read_player,
    re.compile(r"([^:@>|]+):([0-9]{1,9})(?:@([0-9]{1,2}))?"),
    "NAME:SCORE or NAME:SCORE@T",
)
"""``{options} | anna:SCORE@T ... | round N | placed anna:7 ben:? | ...``; see the specification, K-8."""

position = LAYOUT.write


def parse_position(game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
    """A state and the names from such a line; also from the examples' shorter form. Refusal E_POSITION, E_SETUP."""
    state, names = LAYOUT.parse(game, text)
    for p, name in enumerate(names):
        if state.table[p] and rules.company(state, p) < 2:
            raise wrong(f"{name} cannot be a corporation alone", text.split("|")[1])
        if state.placed[p] and state.placed[p] == state.table[p]:
            raise wrong(f"{name} cannot have placed the card that lies face up before him", text)
    if not state.over and not int(state.acting):
        raise wrong("all have placed; the cards would have been turned up", text)
    best = state.score.max()
    won = best >= state.target and (state.tie == rules.SHARE or sum(state.score == best) == 1)
    if state.over != CAPPED and bool(state.over) != bool(won):
        raise wrong(f"the game is over exactly when somebody has won with {int(state.target)} points", text)
    return state, names


# Worked examples (K-8)

OURS = re.compile(r"^\w+\s*(\{[^}]*\})?\s*\|\s*[\w-]+:\d+(@\d+)?(\s|$)", re.MULTILINE)


def examples(game: Game, text: str) -> Iterable[Example]:
    """The examples of K-8, in which a step is a round: ``> 3 3 7 => +0 0 7; corp AB@3; score 0 0 7``."""
    return headed_examples(game, text, OURS, _round)


def _round(trial: Trial, step: str) -> list[str]:
    cards, _, facts = step[1:].partition("=>")
    placed, names, state = cards.split(), trial.names, trial.state
    if len(placed) != len(names):
        return [f"{len(names)} cards are needed, one for each player"]
    before, due = state.score.copy(), seats_in(int(state.acting))
    for seat, value in enumerate(placed):
        if seat not in due and str(state.placed[seat]) != value:
            return [f"{names[seat]} has placed {int(state.placed[seat])}, not {value}"]
    if not due:
        return ["the game is over; no round follows"]
    for seat in due:
        trial.play(seat, f"card {placed[seat]}")
    after = trial.state
    gained, scores = (" ".join(map(str, row[: len(names)].tolist())) for row in (after.score - before, after.score))
    stands = {value: "".join(names[p] for p in seats) for value, seats in groups(after.table.tolist()).items()}
    corporations = sorted(f"{''.join(sorted(members))}@{value}" for value, members in stands.items()) or ["-"]
    winners = "".join(names[p] for p in trial.winners())
    checks = {
        "+": lambda said: differs("gains", said, gained),
        "corp": lambda said: differs("corporations", sorted(map(_sorted_members, said.split())), corporations),
        "score": lambda said: differs("scores", said, scores),
        "over": lambda said: differs("winners", sorted(said.replace(" ", "")), sorted(winners) or ["none yet"]),
    }
    problems = stated(facts.replace("+", "+ "), checks, ("+", "corp", "score"))
    if after.over and not re.search(r"\bover\b", facts):
        problems.append("the game is over, which the line does not say")
    return problems


def _sorted_members(entry: str) -> str:
    members, at, value = entry.partition("@")
    return f"{''.join(sorted(members))}{at}{value}"
