"""Worked examples of Syndicats: the grammar of the specification's section 8.

``E12 title | final 3 switch=value`` and a line of up to three parts: ``given: ... // do: A bid 0; B pass // want:
picker A; A cash 5``. A position that is not given is the start of the bidding with the deck in rack order.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from backroom.engine.game import Game, Refusal, seats_in
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import (
    CAT,
    DECK,
    DISCARDS,
    DOG,
    HELD,
    HOUSE,
    KENNEL,
    KITTEN,
    OWN,
    REMOVED,
    SIDES,
    SUPPLY,
)  # fmt: skip
from backroom.games.syndicats.positions import PHASES, card_id, in_game, lying, read_card, settle_deck
from backroom.text.examples import Example, Trial, differs
from backroom.text.positions import assigned, whole, wrong

__all__ = ["examples"]

HEAD = re.compile(r"^\s*([A-Z][0-9]+[a-z]?)\s[^|]*\|\s*([\w-]+)\s+([0-9]+)((?:\s+\w+=\S+)*)\s*$", re.MULTILINE)
SEATS = "ABCDE"
MONEY = ("cash", "pile", "now", "fund")
PLAYER_WORDS = (*MONEY, "cats", "houses", "knocked", "mark", "picked")


def examples(game: Game, text: str) -> Iterable[Example]:
    """The examples in a text."""
    heads = list(HEAD.finditer(text))
    for head, after in zip(heads, [*heads[1:], None], strict=False):
        lines = text[head.end() : after.start() if after else None].splitlines()
        body = " ".join(line for line in lines if not line.startswith("#"))
        yield Example(head[1], partial(_run, game, head[2], int(head[3]), head[4], " ".join(body.split())))


def _run(game: Game, preset: str, players: int, switched: str, body: str) -> list[str]:
    parts: dict[str, list[str]] = {}
    for part in body.split(" // "):
        word, colon, rest = part.partition(":")
        if not colon or word not in ("given", "do", "want") or word in parts:
            raise wrong("the parts are given:, do: and want:, each once at most", part)
        parts[word] = [" ".join(item.split()) for item in rest.split(";") if item.strip()]
    wanted = parts.get("want", [])
    code = next((item.split()[1] for item in wanted if re.fullmatch(r"error \S+", item)), "")
    moves = parts.get("do", [])
    if not wanted:
        return ["an example wants something"]
    try:
        trial = _opening(game, preset, players, switched, parts.get("given", []))
    except Refusal as refusal:
        if not code or moves:
            raise
        return differs("setting up", code, refusal.code)
    if code and not moves:
        return [f"setting up: expected {code}, but it was accepted"]
    for place, move in enumerate(moves):
        who, _, what = move.partition(" ")
        if code and place == len(moves) - 1:
            found = trial.refused(who, what, code)
        else:
            found = _played(trial, who, what)
        if found:
            return [f"{move}: {problem}" for problem in found]
    return [problem for item in wanted for problem in _check(trial, item)]


def _played(trial: Trial, who: str, what: str) -> list[str]:
    try:
        trial.play(trial.seat(who), what)
    except Refusal as refusal:
        return [str(refusal)]
    return []


# The position


def _opening(game: Game, preset: str, players: int, switched: str, given: Sequence[str]) -> Trial:
    """The example's position, with what asks nobody carried out."""
    names = SEATS[:players]
    s = game.blank(game.options.build({"preset": preset, **assigned(switched.split())}), names)
    s.turn, s.keeper = 1, 0
    rules.lay_out(s)
    said = _said(given, names)
    log = game.events.new_log(recording=False)
    word, *who = said.get("phase", [""])
    choosing = s.start_sides == rules.CHOICE and not word and "after" not in said
    _lay_cards(s, said)
    _lay_money(s, said)
    if choosing:
        rules.open_game(s, log)
        s.top = 0
    elif "supply" in said or "deck" in said:
        rules.uncover(s, log)
    else:
        rules.refill(s, log)
    s.deck_began = s.deck_size
    if not s.over and not choosing:
        _begin(s, word, [names.index(name) for name in who], said, log)
        rules.proceed(s, log)
    return Trial(game, s, names)


def _said(given: Sequence[str], names: str) -> dict[str, list[str]]:
    """The items of a position by their words; those of a player by seat and word, as ``A cash``."""
    found: dict[str, list[str]] = {}
    for item in given:
        word, *rest = item.split()
        if word not in names:
            if word not in ("keeper", "supply", "deck", "discards", "dogs", "after", "last", "phase"):
                raise wrong(f"nothing is called {word!r}", item)
            found[word] = rest
            continue
        for key, values in _by_word(rest, PLAYER_WORDS, item).items():
            found[f"{word} {key}"] = values
    return found


def _by_word(words: Sequence[str], keys: Sequence[str], item: str) -> dict[str, list[str]]:
    """What follows each key word, up to the next."""
    found: dict[str, list[str]] = {}
    for word in words:
        if word in keys:
            found[word] = []
        elif not found:
            raise wrong(f"{word!r} is none of {', '.join(keys)}", item)
        else:
            found[list(found)[-1]].append(word)
    return found


def _lay_cards(s: Any, said: dict[str, list[str]]) -> None:
    """The cards where the position has them; the rest in the deck, or out of the game if supply or deck are given."""
    named = {read_card(s, word) for word in said.get("deck", ())}
    dogs = [DOG + i for i in range(int(s.dog_count)) if DOG + i not in named]
    kennel = dogs[: whole(said.get("dogs", ["0"])[0])]
    for card in kennel:
        s.place[card] = KENNEL
    s.dogs_out = len(kennel)
    for word, place in (("supply", SUPPLY), ("discards", DISCARDS)):
        for name in said.get(word, ()):
            s.place[read_card(s, name)] = place
    for p in range(int(s.seats)):
        for key in ("cats", "houses"):
            for name in said.get(f"{SEATS[p]} {key}", ()):
                name, _, side = name.partition(":")
                card = read_card(s, name)
                s.place[card] = HELD + p
                s.side[card] = HOUSE if key == "houses" else SIDES.index(side or "cat")
        for name in said.get(f"{SEATS[p]} knocked", ()):
            s.knocked[read_card(s, name)] = 1
        for mark in said.get(f"{SEATS[p]} mark", ()):
            name, _, district = mark.partition(":")
            s.mark[read_card(s, name)] = whole(district, 0, 7)
    order = lying(s, DECK)
    if "supply" in said or "deck" in said:
        s.place[order] = REMOVED
        order = [read_card(s, name) for name in said.get("deck", ())]
        s.place[order] = DECK
    settle_deck(s, order)
    rules.list_cards(s)


def _lay_money(s: Any, said: dict[str, list[str]]) -> None:
    for p in range(int(s.seats)):
        for name in MONEY:
            for amount in said.get(f"{SEATS[p]} {name}", ()):
                s[name][p] = whole(amount)
    s.keeper = SEATS.index(said.get("keeper", ["A"])[0])


def _begin(s: Any, word: str, who: Sequence[int], said: dict[str, list[str]], log: Any) -> None:
    """What comes next: an auction, a pick, the clean-up or the contracts."""
    picked = [p for p in range(int(s.seats)) if f"{SEATS[p]} picked" in said]
    last = [SEATS.index(name) for name in said.get("after", ())]
    order = [p for p in picked if p not in (*last, *who)] + last
    if word in ("refill", "contracts"):
        order = list(range(int(s.seats)))
    s.order[: len(order)] = [p + 1 for p in order]
    s.picks, s.picked = len(order), sum(1 << p for p in order)
    for name in said.get("last", ()):
        s.speaker = SEATS.index(name) + 1
    if word == "pick":
        rules.begin_pick(s, who[0], log)
    elif word == "refill":
        s.phase = rules.CLEAN_UP
    elif word == "contracts":
        rules.begin_contracts(s)
    elif word:
        raise wrong("a position begins in phase pick P, refill or contracts", word)
    else:
        s.phase = rules.NEXT_AUCTION


# What must hold


def _check(trial: Trial, item: str) -> list[str]:
    """The differences between one wanted item and what is."""
    word, *rest = item.split()
    s, names = trial.state, trial.names
    if word == "error":
        return []
    if word in names:
        found = []
        for key, values in _by_word(rest, (*MONEY, "cats", "houses", "knocked"), item).items():
            now = [str(int(s[key][names.index(word)]))] if key in MONEY else _cards_of(s, names.index(word), key)
            expected = values if key in MONEY else sorted(name for name in values if name != "-")
            found += differs(f"{word} {key}", expected, now)
        return found
    if word not in FACTS:
        return [f"nothing is called {word!r}; there are {', '.join(FACTS)}"]
    now = FACTS[word](trial)
    if word in ("supply", "discards"):
        now, rest = sorted(now), sorted(name for name in rest if name != "-")
    return differs(item if not rest else word, rest, now)


def _cards_of(s: Any, p: int, key: str) -> list[str]:
    """Cats or houses but for the starting cards, or all that are knocked out; attack and defence sides are named."""
    found = []
    for card in range(OWN):
        if s.place[card] != HELD + p or (key == "knocked" and not s.knocked[card]):
            continue
        if key != "knocked" and (card >= KITTEN or (s.side[card] == HOUSE) != (key == "houses")):
            continue
        side = int(s.side[card])
        told = f":{SIDES[side]}" if key == "cats" and side not in (CAT, HOUSE) else ""
        found.append(card_id(s, card) + told)
    return sorted(found)


def _ids(s: Any, place: int) -> list[str]:
    return [card_id(s, card) for card in lying(s, place)]


def _seat_words(trial: Trial, seat: int, phases: Sequence[int]) -> list[str]:
    return [trial.names[seat]] if seat >= 0 and int(trial.state.phase) in phases else ["nobody"]


def _speaker(trial: Trial) -> int:
    return seats_in(int(trial.state.acting))[0] if trial.state.phase == rules.BID else -1


def _top(trial: Trial) -> list[str]:
    s = trial.state
    return [card_id(s, int(s.deck[int(s.deck_size) - 1]) - 1)] if s.deck_size else ["-"]


def _rack(trial: Trial) -> list[str]:
    return [str(len(in_game(trial.state)))]


FACTS: Mapping[str, Callable[[Trial], list[str]]] = {
    "picker": lambda t: _seat_words(t, int(rules.picker(t.state)), (rules.PICK, rules.SPEND)),
    "turn": lambda t: _seat_words(t, _speaker(t), (rules.BID,)),
    "leader": lambda t: _seat_words(t, int(rules.leader(t.state)), (rules.BID,)),
    "keeper": lambda t: [t.names[int(t.state.keeper)]],
    "phase": lambda t: [PHASES[int(t.state.phase)]],
    "round": lambda t: [str(int(t.state.turn))],
    "over": lambda t: [] if t.state.over else ["the game goes on"],
    "notover": lambda t: ["the game is over"] if t.state.over else [],
    "winner": lambda t: [t.names[seat] for seat in t.winners()],
    "supply": lambda t: _ids(t.state, SUPPLY),
    "discards": lambda t: _ids(t.state, DISCARDS),
    "top": _top,
    "decksize": lambda t: [str(int(t.state.deck_size))],
    "dogs": lambda t: [str(int(t.state.dogs_out))],
    "rack": _rack,
    "order": lambda t: [t.names[int(seat) - 1] for seat in t.state.order[: int(t.state.picks)]],
}
