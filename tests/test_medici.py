"""Court of the Medici and Fringe Powers: conspiracies against a plain account, knowledge, text, hints, endings."""

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.bots import make_bot
from backroom.engine import rng
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, find_game, seats_in
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.view import determinize
from backroom.games.medici import notation, rules
from backroom.games.medici.bots import PERSONAS
from backroom.games.medici.table import scene
from backroom.games.medici.terminal import rows as table
from backroom.lab.run import simulate
from backroom.scenes.draft import Draft

GAME: Game = find_game("medici")
NAMES = ("anna", "ben", "cleo", "dan")
VALUE = {"D": 15, "M": 0, "L": 1, "J": 1, "S": 1, "G": 0} | {str(n): n for n in range(2, 11)}


def new(seats: int, seed: int, **options: object) -> Match:
    return Match.new(GAME, NAMES[:seats], options, seed)


def random_actions(state: Any, seat: int, source: random.Random) -> list[int]:
    """The actions of a whole random move, as often a conspiracy as anything else."""
    trial, actions = GAME.state.copy(state), []
    while not actions or int(trial.midmove) >> seat & 1:
        legal = GAME.legal(trial, seat).tolist()
        attacks = [action for action in legal if rules.CONSPIRE_FIRST <= action < rules.ONTO]
        actions.append(source.choice(attacks if attacks and source.random() < 0.5 else legal))
        GAME.apply(trial, seat, actions[-1], GAME.events.new_log(recording=False))
    return actions


def play_on(match: Match, source: random.Random, plies: int) -> Iterator[Match]:
    for _ in range(plies):
        if match.over:
            return
        yield match
        seat = match.acting[0]
        match.play_actions(seat, random_actions(match.state, seat, source))


def at(position: str) -> Match:
    return Match.from_position(GAME, position, seed=1)


def code_of(match: Match, seat: int, text: str) -> str:
    """The code of the refusal of a move, empty when it is legal; nothing changes."""
    before, view = match.state.tobytes(), match.view(seat)
    with suppress(Refusal):
        notation.parse_move(GAME, view, seat, text, match.names)
        return ""
    with pytest.raises(Refusal) as refused:
        match.play(seat, text)
    assert match.state.tobytes() == before
    assert "\n" not in refused.value.message
    return refused.value.code


# A plain account of conspiracies (M05, M06, M40-M60), from the text of the position


@dataclass
class Stack:
    name: str
    side: str
    cards: list[str]


@dataclass
class Court:
    """The stacks of a position line, the options that matter here, limits and face-up fringe cards by house."""

    stacks: dict[str, Stack]
    options: dict[str, str]
    limits: dict[str, int | None]
    fringe: dict[str, str]
    hands: dict[str, list[str]]

    @classmethod
    def read(cls, line: str) -> "Court":
        parts = {part.split()[0]: part for part in line.split(" ; ")}
        stacks, limits, fringe, hands = {}, {}, {}, {}
        for zone in ("IC", "OC"):
            for name, cards, side in re.findall(r"(S\d+)\[([^\]]+)\](?:@(\w))?", parts[zone]):
                stacks[name] = Stack(name, side, cards.split())
        for house in "ABCD":
            if house in parts:
                fields = dict(word.split("=") for word in parts[house].split()[1:])
                limits[house] = None if fields["limit"] == "none" else int(fields["limit"])
                hands[house] = [] if fields["hand"] == "-" else fields["hand"].split(",")
                if fields["fringe"] != "-" and not fields["fringe"].startswith("("):
                    fringe[house] = fields["fringe"].rstrip("*")
        return cls(stacks, dict(word.split("=") for word in parts["opt"].split()[1:]), limits, fringe, hands)

    def worth(self, cards: list[str], named: list[int] | None, unnamed: int) -> list[tuple[str, int]]:
        """House and value of each card, Jesters as named."""
        left, found = list(named) if named else None, []
        for card in cards:
            value = VALUE[card[1:]]
            if card[1:] == "J":
                value = left.pop(0) if left else unnamed
            found.append((card[0], value))
        return found

    def owner(self, worth: list[tuple[str, int]]) -> str:
        """The house that controls a stack, or empty."""
        sums = {house: sum(value for other, value in worth if other == house) for house, _ in worth}
        if len(sums) == 1:
            return worth[0][0]
        if self.options.get("control") != "plurality":
            return next((house for house, value in sums.items() if 2 * value > sum(sums.values())), "")
        best = [house for house, value in sums.items() if value == max(sums.values())]
        if len(best) == 1:
            return best[0]
        if self.options.get("plurality_tie") == "top":
            return next(house for house, _ in reversed(worth) if house in best)
        return ""

    def defender(self, cards: list[str], worth: list[tuple[str, int]]) -> str:
        spies = [card[0] for card in cards if card[1:] == "S"]
        if self.options.get("spy_defends") == "true" and len(cards) > 1 and len(spies) == 1:
            return spies[0]
        return self.owner(worth)

    def judge(self, house: str, move: "Conspiracy") -> str:
        """The code of section 6 with which a conspiracy of existing parts is refused, or empty; fringe or base."""
        limit, base = self.limits[house], self.options["game"] == "base"
        own, target = [*self.stacks[move.onto].cards, house + move.rank], self.stacks.get(move.target)
        if move.target == move.onto:
            return "E_TARGET"
        if limit is not None and VALUE[move.rank] > limit:
            return "E_LIMIT"
        for name, values in move.named.items():
            cards = own if name == move.onto else target.cards if target and name == move.target else []
            if [card[1:] for card in cards].count("J") != len(values) or not values:
                return "E_JESTER"
            if not all(1 <= value <= 10 for value in values):
                return "E_JESTER"
            if name == move.onto and move.rank == "J" and limit is not None and values[-1] > limit:
                return "E_JESTER"
        mine = self.own_worth(house, move)
        real, spy = self.owner(mine) == house, house + "S" in own
        if move.nospy and (real or not spy):
            return "E_NOSPY"
        value = sum(worth for _, worth in mine)
        if target:
            against = sum(worth for _, worth in self.worth(target.cards, move.named.get(move.target), 1))
        else:
            against = VALUE[self.fringe[move.target[1]]]
        if value != against if base else value <= against:
            return "E_VALUE"
        controlled = real or (spy and not move.nospy)
        if base:
            return ""
        if move.single and (controlled or not target or move.single not in target.cards):
            return "E_AT"
        return "E_AT" if target and not controlled and len(target.cards) > 1 and not move.single else ""

    def own_worth(self, house: str, move: "Conspiracy") -> list[tuple[str, int]]:
        named, limit = move.named.get(move.onto), self.limits[house]
        worth = self.worth([*self.stacks[move.onto].cards, house + move.rank], named, 10)
        if move.rank == "J" and not named and limit is not None:
            worth[-1] = (house, min(10, limit))
        return worth

    def strike(self, house: str, move: "Conspiracy", first_new: int) -> None:
        """The effect on the stacks when nobody reacts (M54-M60)."""
        own, target = self.stacks[move.onto], self.stacks[move.target]
        mine = self.own_worth(house, move)
        controlled = self.owner(mine) == house or (house + "S" in [*own.cards, house + move.rank] and not move.nospy)
        keeper = self.defender(target.cards, self.worth(target.cards, move.named.get(move.target), 1))
        own.cards.append(house + move.rank)
        if controlled or self.options["game"] == "base":
            leaving = list(target.cards)
        else:
            leaving = [move.single or target.cards[0]]
        if target.side or self.options["game"] == "base":
            for card in leaving:
                target.cards.remove(card)
            if not target.cards:
                del self.stacks[move.target]
        elif controlled:
            own.side = ""
            if keeper:
                target.side = keeper
            else:
                del self.stacks[move.target]
                self.alone(leaving, first_new)
        elif len(target.cards) == 1:
            target.side = leaving[0][0]
        else:
            target.cards.remove(leaving[0])
            self.alone(leaving, first_new)

    def alone(self, cards: list[str], first_new: int) -> None:
        for number, card in enumerate(cards, first_new):
            self.stacks[f"S{number}"] = Stack(f"S{number}", card[0], [card])


@dataclass
class Conspiracy:
    rank: str
    onto: str
    target: str
    single: str
    named: dict[str, list[int]]
    nospy: bool

    @property
    def text(self) -> str:
        text = f"conspire {self.rank} > {self.onto} x {self.target}"
        text += f" at {self.single}" if self.single else ""
        if self.named:
            text += " j " + " ".join(f"{name}={','.join(map(str, values))}" for name, values in self.named.items())
        return text + (" nospy" if self.nospy else "")

    @classmethod
    def draw(cls, court: Court, house: str, source: random.Random) -> "Conspiracy":
        """Any conspiracy at all, more or less likely to be legal."""
        base = court.options["game"] == "base"
        rank, onto = source.choice(court.hands[house]), source.choice([*court.stacks])
        target = source.choice([*court.stacks, *(() if base else ("F" + other for other in court.fringe))])
        named = {}
        for name in {onto: 0, target: 0} if target in court.stacks else (onto,):
            cards = [*court.stacks[name].cards, *([house + rank] * (name == onto))]
            count = [card[1:] for card in cards].count("J")
            if source.random() < (0.6 if count else 0.03):
                most = source.choice((10, 10, 10, 11))
                named[name] = [source.randint(1, most) for _ in range(max(count, 1))]
        there = court.stacks[target].cards if target in court.stacks else next(iter(court.stacks.values())).cards
        single = source.choice(there) if source.random() < 0.5 and not base else ""
        return cls(rank, onto, target, single, named, source.random() < 0.15 and not base)


SWITCHES = {
    "control": ("majority", "plurality"),
    "plurality_tie": ("none", "top"),
    "spy_defends": (False, True),
}


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(0, 10**6))
def test_conspiracies_as_a_plain_account_has_them(data: st.DataObject, seats: int, seed: int) -> None:
    options = {name: data.draw(st.sampled_from(values), name) for name, values in SWITCHES.items()}
    source = random.Random(seed)
    for match in play_on(new(seats, seed, turn_cap=200, **options), source, 40):
        seat, line = match.acting[0], GAME.notation.position(match.state, match.names, ALL_KNOWING)
        if match.state.phase != rules.PLAY or not match.state.stacks:
            continue
        house, court = "ABCD"[seat], Court.read(line)
        for _ in range(6):
            move = Conspiracy.draw(court, house, source)
            assert code_of(match, seat, move.text) == court.judge(house, move), f"{house} {move.text}\n{line}"


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(0, 10**6))
def test_what_a_conspiracy_does_when_nobody_reacts(data: st.DataObject, seats: int, seed: int) -> None:
    options = {name: data.draw(st.sampled_from(values), name) for name, values in SWITCHES.items()}
    source = random.Random(seed)
    for match in play_on(new(seats, seed, turn_cap=200, **options), source, 60):
        seat, line = match.acting[0], GAME.notation.position(match.state, match.names, ALL_KNOWING)
        if match.state.phase != rules.PLAY or not match.state.stacks:
            continue
        house, court = "ABCD"[seat], Court.read(line)
        move = Conspiracy.draw(court, house, source)
        if court.judge(house, move) or move.target.startswith("F"):
            continue
        state, log = GAME.state.copy(match.state), GAME.events.new_log(recording=False)
        for action in notation.parse_move(GAME, match.view(seat), seat, move.text, match.names):
            GAME.apply(state, seat, action, log)
        while state.phase in (rules.GUARD, rules.SCAPEGOAT):
            nothing = rules.NOGUARD if state.phase == rules.GUARD else rules.NOSCAPEGOAT
            GAME.apply(state, seats_in(int(state.acting))[0], int(nothing), log)
        court.strike(house, move, int(match.state.next_id))
        assert Court.read(GAME.notation.position(state, match.names, ALL_KNOWING)).stacks == court.stacks, (
            f"{move.text}\n{line}"
        )


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_what_was_declared_is_known_until_the_conspiracy_is_over(seats: int, seed: int) -> None:
    """M04, M06: values are told aloud, so everybody has them while somebody may react."""
    options = {"bodyguard_scope": "any", "fringe_after_turn": "usable"} if seats > 2 else {}
    for match in play_on(new(seats, seed, turn_cap=120, **options), random.Random(seed), 120):
        told = [line.text for _, line in match.lines(SPECTATOR) if line.rule in ("M23", "M50")]
        values = re.search(r", (\d+) against .*, (\d+)\.", told[-1]) if match.state.attack else None
        expected = [int(value) for value in values.groups()] if values else [0, 0]
        for viewer in (*range(seats), SPECTATOR):
            assert GAME.state.view(match.state, viewer).worth.tolist() == expected


def test_a_line_without_the_declared_values_has_its_jesters_unnamed() -> None:
    match = at("IC S2[A10 CJ] ; OC S1[B9 BJ]@B ; A hand=5,2")
    match.play(0, "conspire 5 > S2 x S1 j S2=4 S1=8")
    text = GAME.notation.position(match.state, match.names, ALL_KNOWING)
    assert text.endswith(" worth=19,17")
    assert at(text).state.worth.tolist() == [19, 17]
    assert at(text.removesuffix(" worth=19,17")).state.worth.tolist() == [25, 10]


# Moves and positions as text


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_positions_survive_text_at_every_ply(seats: int, seed: int) -> None:
    for match in play_on(new(seats, seed, turn_cap=120), random.Random(seed), 150):
        text = GAME.notation.position(match.state, match.names, ALL_KNOWING)
        state, names = GAME.notation.parse_position(GAME, text)
        assert names == match.names
        for name in GAME.state.fields:
            if name not in ("chance_key", "chance_count", "rotation"):
                assert (state[name] == match.state[name]).all(), f"{name} in {text}"


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_no_path_through_a_move_ends_dead(seats: int, seed: int) -> None:
    source = random.Random(seed)
    for match in play_on(new(seats, seed, turn_cap=120), source, 60):
        seat = match.acting[0]
        view, path = match.view(seat), []
        while not path or int(view.midmove) >> seat & 1:
            legal = GAME.legal(view, seat).tolist()
            assert legal, f"no way on after {path}"
            attacks = [action for action in legal if rules.CONSPIRE_FIRST <= action < rules.ONTO]
            path.append(source.choice(attacks or legal))
            GAME.apply(view, seat, path[-1], GAME.events.new_log(recording=False))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"(conspire|ally|send|put) [2-9DMLJSG] > S\d x [SF][\dA-D]( at C5)?.*"))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    match = at("IC S1[A4 BJ] S2[B7] ; OC S3[C5 AS]@C ; A hand=3,J,M")
    code = code_of(match, 0, text)
    assert code == "" or code.startswith("E_")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("send J", "Your Jester goes to the Outer Court as a lone noble on your side."),
        ("plan M", "Your Minister goes face down under your deck."),
        ("ally M > S7", "The Minister eliminates all 3 nobles of S7 and stays alone."),
        ("ally 6 > S7", "S7 will be worth 17, and nobody controls it."),
        ("ally 6 > S4", "S4 will be worth 15, and you control it."),
        ("ally J > S14", "S14 will be worth 4, and cleo controls it."),
        (
            "conspire 6 > S4 x S7",
            "15 beats 11, and you control S4: all of S7 goes to the Outer Court, cleo’s side.",
        ),
        (
            "conspire 6 > S12 x S16",
            "16 beats 4, and you control S12: all of S16 is discarded.",
        ),
        (
            "conspire 6 > S12 x S7",
            "16 beats 11, and you control S12: all of S7 goes to the Outer Court, cleo’s side; "
            "S12 enters the Inner Circle.",
        ),
        (
            "conspire 6 > S12 x S18",
            "16 beats 12, and you control S12: nobody controls S18, so it falls apart in the Outer Court; "
            "S12 enters the Inner Circle.",
        ),
        ("conspire 6 > S2 x S4", "20 beats 9, and your Spy rules S2: all of S4 goes to the Outer Court, your side."),
        (
            "conspire 6 > S2 x S7 at CG nospy",
            "20 beats 11, but you do not control S2: cleo’s Bodyguard goes alone to the Outer Court, cleo’s side.",
        ),
        (
            "conspire 6 > S11 x S7 at B5",
            "18 beats 11, but you do not control S11: ben’s 5 goes alone to the Outer Court, ben’s side, "
            "unless a Bodyguard saves it.",
        ),
        (
            "conspire 6 > S11 x S4",
            "18 beats 9, but you do not control S11: your 9 goes alone to the Outer Court, your side.",
        ),
        (
            "conspire 6 > S11 x S14 at C3",
            "18 beats 3, but you do not control S11: cleo’s 3 is discarded, unless a scapegoat saves it.",
        ),
        (
            "conspire 6 > S4 x S14",
            "15 beats 3, and you control S4: all of S14 is discarded, unless a scapegoat saves one of them.",
        ),
        ("conspire 6 > S4 x FC", "15 beats 4: cleo’s fringe card, the 4, is discarded."),
        ("conspire 6 > S4 x FA", "15 beats 7: your fringe card, the 7, is discarded."),
    ],
)
def test_a_preview_says_what_the_move_does_in_the_words_of_the_page(text: str, says: str) -> None:
    match = at(
        "names anna ben cleo ; IC S2[B10 A3 AS] S4[A9] S7[C6 B5 CG] S11[B2 BJ] S18[B6 C6] ; "
        "OC S12[A7 B3]@A S14[CM C3]@C S16[A2 C2]@C ; A hand=6,J,M fringe=7 deck=3,5 ; B fringe=(9) ; C fringe=4 ; "
        "order B A C ; turn A"
    )
    view = match.view(0)
    assert notation.preview(GAME, view, 0, notation.parse_move(GAME, view, 0, text, match.names), match.names) == says


def test_a_preview_names_all_who_may_react_one_after_the_other() -> None:
    match = at("IC S4[A9 A8] ; OC S5[C3 B5 C7 CG]@C ; A hand=6,J,M fringe=7 ; C fringe=4 ; order B A C ; turn A")
    view = match.view(0)
    read = notation.parse_move(GAME, view, 0, "conspire 6 > S4 x S5", match.names)
    assert "all of S5 is discarded, unless a scapegoat saves one of them" in notation.preview(
        GAME, view, 0, read, match.names
    )
    match = at("IC S4[A9 B8 B7] ; OC S5[C3 C7 CG]@C ; A hand=6 fringe=7 ; C fringe=4 ; order B A C ; turn A")
    view = match.view(0)
    read = notation.parse_move(GAME, view, 0, "conspire 6 > S4 x S5 at C3", match.names)
    assert notation.preview(GAME, view, 0, read, match.names).endswith("unless a Bodyguard or a scapegoat saves it.")
    match.play(0, "conspire 6 > S4 x S5 at C3")
    assert [(seat, notation.question(match.view(seat), seat)) for seat in match.acting] == [(2, "guard")]
    match.play(2, "noguard")
    assert [(seat, notation.question(match.view(seat), seat)) for seat in match.acting] == [(2, "scapegoat")]


def test_a_preview_names_what_else_a_base_conspiracy_hits() -> None:
    for option, says in (("one", "all of S2 is"), ("all", "all of S2 and of every other stack worth as much is")):
        match = at(f"opt game=base base_conspire={option} ; IC S1[A4] S2[B9] S3[B2] S4[A2] ; OC S5[A9]@A ; A hand=5,3")
        actions = notation.parse_move(GAME, match.view(0), 0, "conspire 5 > S1 x S2", match.names)
        assert notation.preview(GAME, match.view(0), 0, actions, match.names) == f"9 equals 9: {says} discarded."


# The order of errors (section 6)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("conspire 9 > S9 x S9 at D9", "E_SYNTAX"),
        ("conspire 9 > S9 x FB", "E_STACK"),
        ("conspire 9 > S1 x S9", "E_STACK"),
        ("conspire 9 > S1 x FB", "E_FRINGE"),
        ("conspire 9 > S1 x S1", "E_TARGET"),
        ("conspire 9 > S1 x S2 j S2=4", "E_CARD"),
        ("conspire D > S1 x S2 j S2=4", "E_LIMIT"),
        ("conspire 2 > S1 x S2 j S2=4 nospy", "E_JESTER"),
        ("conspire 2 > S1 x S2 at C7 nospy", "E_NOSPY"),
        ("conspire 2 > S1 x S2 at C7", "E_VALUE"),
        ("conspire 2 > S1 x S3 at C7", "E_AT"),
        ("plan 9", "E_PLAN"),
        ("plan 2", "E_PLAN"),
        ("put 2", "E_PHASE"),
        ("guard B7", "E_PHASE"),
        ("put S3", "E_SYNTAX"),
    ],
)
def test_the_first_fitting_error_is_told(text: str, code: str) -> None:
    match = at("IC S1[B4] S2[B7] S3[C2 C3] ; A hand=2,D fringe=4* limit=4 ; B fringe=(6)")
    assert code_of(match, 0, text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ally 5 > S0", "E_STACK"),
        ("ally 5 > S123456", "E_STACK"),
        ("conspire 5 > S0 x S1", "E_STACK"),
        ("conspire 5 > S1 x S0", "E_STACK"),
        ("conspire 5 > S1 x S0 at B7", "E_STACK"),
        ("conspire 5 > S1 x S10000", "E_STACK"),
        ("conspire 5 > S1 x S2 j S0=1", "E_JESTER"),
        ("conspire 5 > S1 x S2 j S10000=1", "E_JESTER"),
        ("conspire 5 > S1 x S2 j S1=0", "E_JESTER"),
        ("conspire 5 > S1 x S2 j S1=99999", "E_JESTER"),
        ("conspire 5 > S1 x S2 j S1=-1", "E_JESTER"),
        ("conspire 5 > S1 x S2 j S1=5 at B7", "E_SYNTAX"),
        ("conspire 5 > S1 x S2 nospy j S1=5", "E_SYNTAX"),
    ],
)
def test_numbers_that_name_nothing_are_no_such_stack_or_value(text: str, code: str) -> None:
    """Whatever their size; what is none of the notation's numbers is no move."""
    for position in ("IC S1[A4 AJ] S2[B7] ; A hand=5,7", "opt game=base ; IC S1[A4 AJ] S2[B7] ; A hand=5,7"):
        base = "base" in position
        assert code_of(at(position), 0, text) == ("E_SYNTAX" if base and " at " in text else code)


@pytest.mark.parametrize(
    "position",
    [
        "IC S1[A4] S2[D7] ; A hand=5,2",
        "IC S1[A4] ; OC S2[B7]@D ; A hand=5,2",
        "IC S1[A4] ; A hand=5,2 ; D hand=3",
        "opt game=base ; IC S1[A4] S2[C7] ; A hand=5,2",
        "opt game=base ; IC S1[A4] ; OC S2[B7]@C ; A hand=5,2",
        "opt game=base ; IC S1[A4] ; A hand=5,2 ; C fringe=8",
        "opt game=base ; IC S1[A4] S2[BS] ; A hand=5,2",
        "opt game=base game=base ; IC S1[A4] ; A hand=5,2",
    ],
)
def test_a_position_has_only_houses_and_cards_of_its_game(position: str) -> None:
    with pytest.raises(Refusal, match="E_POSITION"):
        at(position)


@pytest.mark.parametrize(
    ("position", "checks"),
    [
        ("IC S1[A4] S2[B7] ; A hand=- ; B hand=2,5", "ask B play ; is A fringe=(8)"),
        ("IC S1[A4] S2[B7] ; A hand=9 fringe=3* limit=3 ; B hand=D fringe=3* limit=3", "ask C play"),
        ("IC S1[A4] S2[B7] ; A fringe=2 ; B hand=- ; C hand=-", "end A=7 B=10 C=0 win=B"),
        ("opt game=base ; IC S1[A4] S2[B7] ; A hand=9 limit=3", "end A=4 B=7 win=B"),
        ("opt game=base ; IC S1[A4] S2[B7] ; B hand=- ; order B A", "end A=4 B=7 win=B"),
    ],
)
def test_a_position_may_have_a_player_to_move_who_is_stuck(position: str, checks: str) -> None:
    """His turn has come, so he is passed over, or it is the end (M27, M80)."""
    (example,) = notation.examples(GAME, f"ex one\n{position}\n{checks}")
    assert example.check() == []


def test_nobody_else_may_answer_and_nothing_is_played_after_the_end() -> None:
    match = at("IC S1[A4] S2[B7] S3[C2] ; A hand=5,2")
    assert code_of(match, 1, "send 2") == "E_TURN"
    assert code_of(match, 1, "attack") == "E_SYNTAX"
    ended = at("opt game=base ; IC S1[A4] S2[B9] ; A hand=5,9")
    ended.play(0, "conspire 5 > S1 x S2")
    assert ended.over
    assert code_of(ended, 1, "send 2") == "E_OVER"


# Rulings and knowledge


def test_planned_cards_are_known_to_their_owner_alone() -> None:
    match = at("IC S1[A4] S2[B7] ; A hand=5,7 deck=6,4")
    match.play(0, "plan 5")
    for viewer in (1, 2, SPECTATOR):
        text = GAME.notation.position(match.view(viewer), match.names, viewer)
        assert "planned=1" in text
        assert not match.view(viewer).bottom.any()
        assert not any("5" in line.text for _, line in match.lines(viewer) if "planned" in line.text)
    assert "deck=?1,5" in GAME.notation.position(match.view(0), match.names, 0)


def test_a_planned_card_that_is_turned_up_is_no_longer_among_the_hidden_ones() -> None:
    match = at("IC S1[A4] S2[B7] S3[C2] ; A hand=2,4 fringe=8 deck=7 planned=1 known=7")
    match.play(0, "send 2")
    assert "fringe=7* deck=- disc=- limit=7 known=8" in GAME.notation.position(match.state, match.names, ALL_KNOWING)


def test_the_cards_drawn_are_known_until_one_is_put_back() -> None:
    """M35: to their owner alone; the fringe card, which all saw, comes first."""
    match = at("IC S1[A4] S2[B7] ; A hand=5,7,9 fringe=8 deck=9,3")
    match.play(0, "send 5")
    assert GAME.notation.position(match.view(0), match.names, 0).count("drawn=8,9") == 1
    assert at(GAME.notation.position(match.state, match.names, ALL_KNOWING)).state.drawn[0].tolist() == [7, 8]
    for viewer in (1, 2, SPECTATOR):
        assert not match.view(viewer).drawn.any()
        assert "drawn=" not in GAME.notation.position(match.state, match.names, viewer)
    match.play(0, "put 9")
    assert not match.state.drawn.any()


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_resampled_states_agree_with_all_that_was_seen(seats: int, seed: int) -> None:
    """Seen cards are followed by hand from the log that everybody may read, and must lie where they can lie."""
    source, words = random.Random(seed), rng.generator(seed)
    for match in play_on(new(seats, seed, turn_cap=120), source, 80):
        for viewer in (*range(seats), SPECTATOR):
            view = GAME.state.view(match.state, viewer)
            state = determinize(GAME, view, viewer, words)
            shown = GAME.state.view(state, viewer)
            for name in GAME.state.fields:
                assert (shown[name] == view[name]).all(), f"{viewer} sees another {name} in what he imagines"
            for p in range(seats):
                held = state.hand[p].astype(int)
                for card in (*state.bottom[p].tolist(), int(state.fringe_down[p])):
                    if card:
                        held[card - 1] += 1
                assert (held >= match.state.known[p]).all(), f"{viewer} imagines {p} without a card that was seen"
                cards = held + state.discard[p]
                for card in state.deck[p, int(state.bottom_size[p]) :].tolist():
                    if card:
                        cards[card - 1] += 1
                if state.fringe_up[p]:
                    cards[int(state.fringe_up[p]) - 1] += 1
                for card in state.court.tolist():
                    if card and (card - 1) // 15 == p:
                        cards[(card - 1) % 15] += 1
                assert (cards == state.in_game[p]).all()


def test_a_coin_ranks_tied_players_uniformly() -> None:
    """M33, Q57: with equal fringe cards and nobody in the Inner Circle each order comes up alike."""
    found: dict[str, int] = {}
    for seed in range(300):
        match = Match.from_position(
            GAME,
            "IC ; OC S1[A9]@A ; A hand=2,3 fringe=(6) ; B hand=2,3 fringe=(6) ; C hand=2,6,5 fringe=9 ; turn C",
            seed=seed,
        )
        match.play(2, "send 2")
        match.play(2, "put 6")
        order = "".join("ABC"[seat] for seat in match.state.order[:3])
        found[order] = found.get(order, 0) + 1
    assert len(found) == 6
    assert min(found.values()) > 25


def test_the_game_follows_the_number_of_players() -> None:
    for seats in (2, 3, 4):
        assert new(seats, 1).state.game == (rules.BASE if seats == 2 else rules.FRINGE)
        for game in ("base", "fringe"):
            fits = (game == "base") == (seats == 2)
            with nullcontext() if fits else pytest.raises(Refusal, match="E_SETUP"):
                assert new(seats, 1, game=game).state.tobytes() == new(seats, 1).state.tobytes()


def test_an_empty_inner_circle_ends_the_game_if_the_option_says_so() -> None:
    """F58 with and without: the last noble of the Inner Circle is demoted in the last turn of a round."""
    position = "IC S1[B4] ; OC S2[B9]@B ; A hand=5,3 fringe=4 ; B fringe=(9) ; C fringe=(5) ; order B C A ; turn A"
    for option, over in (("", False), ("opt empty_ic_ends=true ; ", True)):
        match = at(option + position)
        match.play(0, "conspire 5 > S2 x S1 at B4")
        match.play(0, "put 3")
        assert match.over == over


def test_turn_cap_ends_without_a_winner() -> None:
    result = simulate("medici", {"turn_cap": 12}, seats=3, games=20, workers=1)
    # A game of twelve turns can end by its rules before; all others are stopped, and counted as that.
    assert result.capped == result.endings["the turns allowed are used up"] > 10
    assert sum(result.endings.values()) == 20


@pytest.mark.parametrize(
    ("position", "moves", "over", "ending"),
    [
        # B is stuck, which is no turn: the cap of two is reached with C's, and so is the end of the round (M82).
        (
            "opt turn_cap=2 ; IC S1[A4] S2[B7] S3[C2] ; A hand=5,2 ; B hand=9 fringe=3* limit=3 ; C hand=3,4",
            ("A send 5", "A put 2", "C send 3", "C put 4"), FINISHED, rules.BY_STUCK,
        ),
        # C could still play: the cap stops the game, although B was stuck.
        (
            "opt turn_cap=1 ; IC S1[A4] S2[B7] S3[C2] ; A hand=5,2 ; B hand=9 fringe=3* limit=3 ; C hand=3,4",
            ("A send 5", "A put 2"), CAPPED, rules.BY_CAP,
        ),
        # Two players: that A can play no card is looked at first (M27).
        (
            "opt game=base turn_cap=1 ; IC S1[A9] S2[B7] ; A hand=9,10 limit=3 ; B deck=5,5 ; turn B ; order B A",
            ("B send 2",), FINISHED, rules.BY_STUCK,
        ),
        (
            "opt game=base turn_cap=1 ; IC S1[A9] S2[B7] ; A hand=9,2 limit=3 ; B deck=5,5 ; turn B ; order B A",
            ("B send 2",), CAPPED, rules.BY_CAP,
        ),
    ],
)  # fmt: skip
def test_the_turn_cap_counts_turns_that_were_taken(position: str, moves: Sequence[str], over: int, ending: int) -> None:
    match = Match.from_position(GAME, position, seed=1)
    for text in moves:
        house, _, move = text.partition(" ")
        match.play("ABCD".index(house), move)
    assert (int(match.state.over), int(match.state.ending)) == (over, ending)


def test_a_spy_that_defends_is_no_matter_in_a_stack_that_is_no_target() -> None:
    """What a preview and the page's seals say of control is M40 to M43; in a target the Spy's house counts (M44)."""
    position = "opt spy_defends=true ; IC S1[B9 CS] S2[C4] S3[A10 A9] ; A hand=2,5"
    match = Match.from_position(GAME, position, seed=1)
    view = match.view(0)
    ally = notation.parse_move(GAME, view, 0, "ally 2 > S1", match.names)
    assert notation.preview(GAME, view, 0, ally, match.names) == "S1 will be worth 12, and B controls it."

    def seals(text: str) -> dict[str, int]:
        drawn = scene(view, 0, match.names, Draft(GAME, view, 0, match.names, text)).drawn
        return {it.key: it.seal for it in drawn["circle"]}

    assert seals("")["S1"] == 1
    assert seals("ally 2 > S1")["S1"] == 1
    assert seals("conspire 2 > S3 x S1")["S1"] == 2
    assert "controlled by B" in "".join(row.line.text for row in table(view, 0, match.names))
    strike = notation.parse_move(GAME, view, 0, "conspire 2 > S3 x S1", match.names)
    assert "all of S1 goes to the Outer Court, C’s side" in notation.preview(GAME, view, 0, strike, match.names)
    match.play(0, "conspire 2 > S3 x S1")
    assert "S1[B9 CS]@C" in notation.position(match.state, match.names, ALL_KNOWING)


def test_endings_are_counted() -> None:
    for seats, reasons in ((2, {"a player could play no card", "a house has nobody in the Inner Circle"}), (3, set())):
        result = simulate("medici", {}, seats=seats, games=60, workers=1)
        assert sum(result.endings.values()) == 60
        assert reasons <= set(result.endings)


# Hints and pages of text


@pytest.mark.parametrize("name", PERSONAS)
def test_personas_play_legally_and_by_their_habit(name: str) -> None:
    policy, words, source = PERSONAS[name].make(0.0), rng.generator(name), random.Random(name)
    verbs = []
    for match in play_on(new(3, 5, turn_cap=60), source, 60):
        seat = match.acting[0]
        view = match.view(seat)
        legal = GAME.legal(view, seat)
        action = int(policy(view, seat, legal, len(legal), words))
        assert action in legal
        if match.state.phase == rules.PLAY:
            verbs.append(rules.ACTIONS.family(action).name)
    habit = {"builder": "ally", "conspirator": "conspire"}.get(name)
    if habit:
        assert verbs.count(habit) > len(verbs) / 2


def test_evaluations_are_win_shares() -> None:
    for seats in (2, 3, 4):
        for match in play_on(new(seats, seats, turn_cap=60), random.Random(seats), 60):
            shares = [float(GAME.kernels["evaluate"](match.state, seat)) for seat in range(seats)]
            assert sum(shares) == pytest.approx(1)
            assert min(shares) > 0


def test_the_terminal_shows_what_a_seat_may_know() -> None:
    match = at("IC S1[A4 B6] S2[BJ] ; OC S3[C9]@A ; A hand=5,M fringe=8 deck=3,4,6 limit=9 ; C fringe=(D)")
    rows = [(row.heading, row.line) for row in table(match.view(0), 0, match.names)]
    text = "\n".join(f"{heading} {line.text}" for heading, line in rows)
    assert "S1 A4 B6 worth 10, controlled by B" in text
    assert "S2 BJ worth 1 to 10" in text
    assert "limit 9" in text
    assert "C face down" in text
    assert "your hand A5 AM" in text or "your hand 5 M" in text
    assert "D" not in "".join(line.text for heading, line in rows if heading == "order").replace("D ", "")
    match = at("IC S2[A10 CJ] ; OC S1[B9 CJ]@B ; A hand=5,2")
    match.play(0, "conspire 5 > S2 x S1 j S2=4 S1=8")
    text = "\n".join(row.line.text for row in table(match.view(1), 1, match.names))
    assert "S2 A10 CJ A5 worth 19, conspiracy" in text
    assert "S1 B9 CJ worth 17, target, controlled by B" in text


def test_completion_finishes_a_conspiracy_with_jesters() -> None:
    match = at("IC S1[A4] S2[BJ C2] ; A hand=J,2")
    offered = complete(GAME, match.view(0), 0, "conspire J > S1 x S2 j S1 =", match.names)
    assert [token.text for token in offered.tokens] == [str(value) for value in range(1, 11)]


def test_capped_games_are_marked() -> None:
    match = new(2, 3, turn_cap=4)
    for _ in play_on(match, random.Random(3), 50):
        pass
    assert match.state.over == CAPPED


@pytest.mark.parametrize(
    ("position", "before", "expected"),
    [
        # The Minister removes a rival's great alliance instead of joining a small one.
        ("IC S2[A4] S3[C3] ; OC S1[B10 B9 B8]@B ; A hand=M,2 ; B hand=2 limit=2", "", "ally M > S1"),
        # The Spy in a rival's stack lets all of the target be discarded and not one noble.
        (
            "IC S3[AD] ; OC S1[BD B10 AS]@B S2[C10 C9 C8]@C S4[A10]@A S5[C7]@C S6[C6]@C S7[C5]@C ; "
            "A hand=2,3 limit=9 fringe=9* ; B hand=2 limit=2 fringe=2* ; C hand=2 limit=2 fringe=3*",
            "",
            "> S1 x S2",
        ),
        # A small fringe card dies for the best noble.
        (
            "IC S2[B9] ; OC S1[A10]@A ; A hand=2 fringe=3* limit=3 ; B hand=4,2 ; turn B",
            "conspire 4 > S2 x S1",
            "scapegoat A10",
        ),
    ],
)
def test_search_uses_minister_spy_and_fringe_card(position: str, before: str, expected: str) -> None:
    match = at(position)
    if before:
        match.play(1, before)
    bot = make_bot(GAME, "search:1500")
    match.play_actions(0, bot.choose(match.view(0), 0, rng.generator(4)))
    assert expected in match.moves[-1].text
    assert " at " not in match.moves[-1].text


def turned(text: str, seats: int) -> str:
    """A position or move with every house called like the next one; players stand in the order of seats again."""
    following = dict(zip("ABCD"[:seats], "ABCD"[1:seats] + "A", strict=True))
    parts = []
    for part in text.split(" ; "):
        word = part.split()[0]
        if word in ("names", "opt"):
            parts.append(part)
            continue
        part = re.sub(r"(?<=@)[A-D]|\b[A-D](?=(10|[2-9DMLJSG])\b)|(?<=\bF)[A-D]\b", lambda m: following[m[0]], part)
        if word in ("order", "turn", "count", "stuck", "phase"):
            part = re.sub(r"\b[A-D]\b", lambda m: following[m[0]], part)
        parts.append(following[word] + part[1:] if word in following else part)
    places = [i for i, part in enumerate(parts) if part[:2] in ("A ", "B ", "C ", "D ")]
    for i, part in zip(places, sorted(parts[i] for i in places), strict=True):
        parts[i] = part
    return " ; ".join(parts)


@pytest.mark.parametrize("games", [2, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_house_is_treated_differently(seats: int, games: int) -> None:
    compared = 0
    for seed in range(games):
        for match in play_on(new(seats, seed, turn_cap=120), random.Random(seed), 80):
            line, seat = GAME.notation.position(match.state, match.names, ALL_KNOWING), match.acting[0]
            if "attack" in line:
                continue
            here, there = at(line), at(turned(line, seats))
            move = here.play_actions(seat, random_actions(match.state, seat, random.Random(seed)))
            there.play((seat + 1) % seats, turned(move.text, seats))
            found = [GAME.notation.position(one.state, match.names, ALL_KNOWING) for one in (here, there)]
            if "attack" not in found[0] and not here.over and not re.search(r"M31|M32", str(here.lines(SPECTATOR))):
                assert turned(found[0], seats) == found[1], f"{move.text} in {line}"
                compared += 1
    assert compared > 10 * games


BASE = "opt game=base ; IC S1[A4]"


@pytest.mark.parametrize(
    ("position", "moves", "rules_told"),
    [
        ("IC S1[C6 BG] S2[B10] S3[A9]", ["A conspire 3 > S3 x S1", "A put 2"], ["M50", "M56"]),
        ("IC S1[C6] S2[B10] S3[A9]", ["A conspire 3 > S3 x S1", "A put 2"], ["M50", "M56"]),
        ("IC S1[C6 B2] S2[B10]", ["A conspire 3 > S2 x S1 at C6"], ["M50", "M58", "M58"]),
        ("IC S1[C6] S2[B10]", ["A conspire 3 > S2 x S1"], ["M50", "M58", "M58"]),
        ("IC S2[B10] ; OC S1[C6 B2]@C", ["A conspire 3 > S2 x S1 at C6", "C noscapegoat"], ["M50", "M60", "M60"]),
        ("IC S3[A9] ; OC S1[C6 B2]@A", ["A conspire 3 > S3 x S1", "C noscapegoat"], ["M50", "M59"]),
        ("IC S3[A5 B6 C5] ; OC S1[C6 B6]@A", ["A conspire 3 > S3 x S1 at B6"], ["M50", "M60", "M60"]),
        (f"{BASE} S2[B7] S3[B3]", ["A conspire 3 > S1 x S2", "B send 2"], ["M23", "M23", "M21", "M12", "M21"]),
        (f"{BASE} S4[B7]", ["A conspire 3 > S1 x S4"], ["M23", "M23", "M25"]),
        (f"{BASE} S2[B7] ; A hand=3,9 deck=6", ["A send 3"], ["M12", "M26"]),
        (f"{BASE} S2[B7] ; A hand=3,9 limit=3 deck=-", ["A send 3", "B send 2"], ["M12", "M12", "M21", "M27", "M27"]),
    ],
)
def test_a_line_of_the_log_cites_the_rule_of_its_game_and_attack(
    position: str, moves: list[str], rules_told: list[str]
) -> None:
    if "A hand" not in position:
        position += " ; A hand=3,2"
    match = Match.from_position(GAME, position, 1)
    for move in moves:
        match.play("ABCD".index(move[0]), move[2:])
    told = [line.rule for number, line in match.lines(SPECTATOR) if number and line.rule != "M35"]
    assert told == rules_told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "conspire 5 > S1 x S2 j S2=99999999999999999999",
            "E_JESTER: a Jester's value is 1 to 10, not '99999999999999999999'",
        ),
        ("conspire 5 > S1 x S2 j S2=999999999", "E_JESTER: a Jester's value is 1 to 10, not '999999999'"),
        ("conspire 5 > S1 x S2 j S1=1", "E_JESTER: Jesters in S1: 0; values named: 1"),
    ],
)
def test_wrong_values_of_jesters_are_told_alike(text: str, told: str) -> None:
    match = Match.from_position(GAME, "IC S1[A4] S2[BJ] ; A hand=5,2", 1)
    with pytest.raises(Refusal) as caught:
        match.play(0, text)
    assert str(caught.value) == told


def test_the_deck_counts_the_fringe_card_on_it_in_the_terminal_too() -> None:
    for seats, size in ((3, 19), (2, 16)):
        match = new(seats, 1)
        rows = table(match.view(0), 0, match.names)
        assert sum(f"{size} in the deck" in row.line.text for row in rows) == seats
    placed = "A hand=5,2 fringe=(8) deck=3,4 ; B hand=2 fringe=8* deck=- ; C hand=2 fringe=7 deck=3"
    match = Match.from_position(GAME, f"IC S1[A4] S2[B9] ; {placed} ; order B A C ; turn C", 1)
    rows = {row.heading: row.line.text for row in table(match.view(0), 0, match.names)}
    for house, size in zip("ABC", (3, 0, 2), strict=True):
        assert f"{size} in the deck" in rows[f"{house} {house}"]
