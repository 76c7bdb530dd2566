"""Contracts in preparation: which cats work in which houses, what that earns, and the text after each click.

A click gives the whole assignment another text, also where it cannot be carried out yet: a house whose demand is not
filled then says what it lacks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from backroom.engine.record import opened
from backroom.games.syndicats import assign, rules
from backroom.games.syndicats.cards import CARDS, LAIR, symbols_text
from backroom.games.syndicats.table.faces import Face, Pip, pips
from backroom.games.syndicats.table.seen import Seen
from backroom.text.english import number_word

__all__ = ["Contracts", "Job", "Plan", "Segment", "Tally", "Worker", "contracts_of", "said_plan"]

VERDICTS = {"keep": rules.KEPT, "trash": rules.TRASHED, "hold": rules.HELD_ON, "retain": rules.RETAINED}
WORDS = {verdict: word for word, verdict in VERDICTS.items()}
BARGAINS = ("keep", "trash")
STEPS = 200_000
"""So long the best contracts are looked for: some milliseconds, and far more than play with the printed deck needs."""
KEPT_CAT = 99
"""As many coins a cat that owes upkeep is worth to the proposal, so that none is dropped to save its coin."""


@dataclass(frozen=True)
class Plan:
    """An assignment: the word for each house that is named, the house of each cat that works, the cats dropped."""

    houses: Mapping[int, str] = field(default_factory=dict)
    serves: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    def served_by(self, house: int) -> list[int]:
        """The cats that work in a house, ascending."""
        return sorted(cat for cat, there in self.serves.items() if there == house)

    def said(self, house: int, word: str, cats: Iterable[int] | None = None) -> "Plan":
        """The same with another word for a house (empty: none), and these cats there, or those that are."""
        houses = {other: it for other, it in self.houses.items() if other != house}
        serves = dict(self.serves)
        if word:
            houses[house] = word
        if word not in BARGAINS:
            cats = ()
        if cats is not None:
            serves = {cat: there for cat, there in serves.items() if there != house}
            serves |= dict.fromkeys(cats, house)
        return replace(self, houses=houses, serves=serves)

    def moved(self, cat: int, house: int | None) -> "Plan":
        """The same with a cat in a house, or (None) idle."""
        serves = {other: there for other, there in self.serves.items() if other != cat}
        return replace(self, serves=serves if house is None else serves | {cat: house})


class Segment(NamedTuple):
    """What can become of a house: the word, the text after a click (empty: not possible), whether it is chosen."""

    word: str
    click: str
    chosen: bool


class Worker(NamedTuple):
    """A cat: where a click sends it, and the word that it is named by."""

    face: Face
    key: str
    click: str


class Job(NamedTuple):
    """A house to be decided: what can become of it, who works there, what it still needs and what it pays.

    ``adds`` are the idle cats that may join, ``puts`` all that may be moved here. ``chosen`` is the word, if one is.
    """

    key: str
    face: Face
    segments: tuple[Segment, ...]
    chosen: str
    workers: tuple[Worker, ...]
    adds: tuple[Worker, ...]
    puts: tuple[Worker, ...]
    needs: tuple[Pip, ...]
    pay: str
    after: str


class Tally(NamedTuple):
    """What it comes to: each part with its name, the sum, and the cash before and after."""

    parts: tuple[tuple[str, int], ...]
    total: int
    before: int
    after: int


class Contracts(NamedTuple):
    """The viewer's contracts: the houses, the idle cats, the sum, and the proposal with what it earns.

    ``plan`` is what is prepared or was sealed; ``lacking`` says what a house still needs; ``sealed`` that all is in.
    """

    plan: Plan
    jobs: tuple[Job, ...]
    idle: tuple[Worker, ...]
    tally: Tally
    best: str
    best_earns: int
    lacking: str
    sealed: bool


def contracts_of(at: Seen) -> Contracts | None:
    """The viewer's contracts; None in another phase, and for a watcher."""
    if at.phase != rules.CONTRACTS or at.watching:
        return None
    return _Bench(at).contracts()


class _Bench:
    """One viewer's houses and cats. ``trial`` is its view with the plan written in, as the rules read it."""

    def __init__(self, at: Seen) -> None:
        self.at, self.seat = at, at.seat
        self.houses = [house for house in at.houses(at.seat) if not at.view.knocked[house]]
        self.sealed = not at.playing
        self.plan = self._sealed() if self.sealed else self._read()
        self.trial = self.written(self.plan)
        self.able = [cat for cat in at.cats(at.seat) if rules.works(self.trial, self.seat, cat)]

    # The plan

    def _sealed(self) -> Plan:
        """What this seat has given already, which its own view alone holds."""
        return self._decoded(self.at.view.serves[self.seat], self.at.view.verdict[self.seat])

    def _decoded(self, serves: Any, verdicts: Any) -> Plan:
        """A plan as the rules write it: by cat the house + 1 that it serves, by card what becomes of it."""
        cats = self.at.cats(self.seat)
        houses = {house: WORDS[int(verdicts[house])] for house in self.houses if int(verdicts[house]) in WORDS}
        dropped = frozenset(cat for cat in cats if cat < CARDS and verdicts[cat] == rules.DROPPED)
        return Plan(houses, {cat: int(serves[cat]) - 1 for cat in cats if serves[cat]}, dropped)

    def _read(self) -> Plan:
        """The text as an assignment, which need not be one that can be carried out."""
        plan = Plan()
        verb, _, rest = self.at.draft.text.lower().strip().partition(" ")
        if verb != "contracts":
            return plan
        cats = set(self.at.cats(self.seat))
        for clause in rest.split(","):
            word, *named = clause.replace("+", " ").split() or [""]
            cards = [self.at.deck.find(name) for name in named if name != "with"]
            if word == "drop":
                plan = replace(plan, dropped=plan.dropped | (set(cards) & cats))
            elif word in VERDICTS and cards and cards[0] in self.houses:
                plan = plan.said(cards[0], word, [cat for cat in cards[1:] if cat in cats])
        return plan

    def text(self, plan: Plan) -> str:
        """An assignment as it is typed, in the order in which moves write it."""
        clauses = [f"drop {self.at.id(cat)}" for cat in sorted(plan.dropped)]
        for word in ("", "hold", "retain"):
            named = [it for it in plan.houses.items() if it[1] == word or (not word and it[1] in BARGAINS)]
            for house, said in sorted(named):
                cats = "+".join(map(self.at.id, plan.served_by(house)))
                clauses.append(f"{said} {self.at.id(house)}" + (f" with {cats}" if cats else ""))
        return f"contracts {', '.join(clauses)}" if clauses else "contracts none"

    def written(self, plan: Plan) -> SimpleNamespace:
        """The view with an assignment in the viewer's own rows, as the rules' kernels read it."""
        trial = opened(self.at.view)
        trial.verdict, trial.serves = trial.verdict.copy(), trial.serves.copy()
        trial.verdict[self.seat], trial.serves[self.seat] = 0, 0
        for house, word in plan.houses.items():
            trial.verdict[self.seat, house] = VERDICTS[word]
        for cat in plan.dropped:
            trial.verdict[self.seat, cat] = rules.DROPPED
        for cat, house in plan.serves.items():
            trial.serves[self.seat, cat] = house + 1
        return trial

    def filled(self, plan: Plan, house: int) -> bool:
        """Whether a house has what its bargain needs."""
        trial = self.written(plan)
        return bool(
            rules.demand_filled(trial, house, VERDICTS[plan.houses[house]], rules.working(trial, self.seat, house))
        )

    # The best

    def best(self) -> Plan:
        """The contracts that earn most, exactly.

        Of contracts that pay alike those after which more houses stay. A cat is dropped only where the cash does not
        last.
        """
        return self._planned(self.at.view, afresh=True)

    def _planned(self, trial: SimpleNamespace, afresh: bool) -> Plan:
        stay = np.ones(LAIR, np.int64)
        stay[self.at.cats(self.seat)] = KEPT_CAT * assign.COIN
        serves, verdicts = np.zeros(LAIR, np.int64), np.zeros(CARDS, np.int64)
        assign.plan_contracts(trial, self.seat, int(afresh), stay, STEPS, serves, verdicts)
        return self._decoded(serves, verdicts)

    def _staffed(self, house: int, bargain: str) -> Plan | None:
        """The plan with idle cats in a house, as few as its bargain needs; None where they are too few."""
        plan, verdict = self.plan.said(house, bargain, ()), VERDICTS[bargain]
        trial = self.written(plan)
        if not rules.demand_filled(trial, house, verdict, rules.idle(trial, self.seat, house, 0)):
            return None
        trial.latest = trial.latest.copy()
        trial.latest[self.seat] = (rules.KEEP if bargain == "keep" else rules.TRASH) + house + 1
        return plan.said(house, bargain, self._planned(trial, afresh=False).served_by(house))

    def earns(self, plan: Plan) -> int:
        """The coins that an assignment brings, the lair's among them."""
        return int(rules.balance(self.written(plan), self.seat)) - int(self.at.view.cash[self.seat])

    # What is drawn

    def contracts(self) -> Contracts:
        """See `Contracts`."""
        plan = self.plan
        best = None if self.sealed else self.best()
        jobs = tuple(map(self._job, self.houses))
        idle = tuple(self._idle(cat) for cat in self.able if cat not in plan.serves)
        short = [job.face.name for job in jobs if job.chosen in BARGAINS and job.after == ""]
        lacking = f"{short[0]} lacks symbols: give it more cats, or let it go." if short else ""
        text = self.text(best) if best is not None else ""
        earned = self.earns(best) if best is not None else 0
        return Contracts(plan, jobs, idle, self._tally(), text, earned, lacking, self.sealed)

    def _tally(self) -> Tally:
        plan, view = self.plan, self.at.view
        cash = int(view.cash[self.seat])
        lair = int(rules.income(view, self.seat))
        parts = [("lair", lair)] if lair else []
        for house in self.houses:
            word = plan.houses.get(house, "")
            if word in BARGAINS and self.filled(plan, house):
                parts.append((self.at.name(house), self._pays(house, word)))
            elif word == "retain":
                parts.append((f"to retain {self.at.name(house)}", -int(view.retain_cost)))
        upkeep = int(rules.upkeep_of(self.trial, self.seat, CARDS))
        if upkeep:
            parts.append(("upkeep", -upkeep))
        total = sum(amount for _, amount in parts)
        return Tally(tuple(parts), total, cash, cash + total)

    def _job(self, house: int) -> Job:
        plan = self.plan
        word = plan.houses.get(house, "")
        here = plan.served_by(house)
        free = [cat for cat in self.able if cat not in plan.serves and rules.reaches(self.at.view, cat, house)]
        movable = [
            cat for cat in self.able if plan.serves.get(cat) != house and rules.reaches(self.at.view, cat, house)
        ]
        whole = word in BARGAINS and self.filled(plan, house)
        pay, after = "", ""
        if whole:
            pay, after = f"+{self._pays(house, word)}", "stays, pays again" if word == "keep" else "to the discards"
        elif word == "hold":
            pay, after = "0", "stays, pays nothing"
        elif word == "retain":
            pay, after = f"−{int(self.at.view.retain_cost)}", "stays for the price"
        elif not word and (self.sealed or plan.houses or self.at.verb == "contracts"):
            pay, after = "0", "back to the supply"
        return Job(
            self.at.id(house),
            self.at.face(house),
            tuple(self._segments(house, word)),
            word,
            tuple(self._worker(cat, None) for cat in here),
            () if self.sealed else tuple(self._worker(cat, house) for cat in free),
            () if self.sealed else tuple(self._worker(cat, house) for cat in movable),
            self._needs(house, word),
            pay,
            after,
        )

    def _segments(self, house: int, word: str) -> Iterable[Segment]:
        plan, can = self.plan, not self.sealed
        for bargain in BARGAINS:
            text = ""
            if can:
                staying = plan.said(house, bargain)
                found = None
                if self._pays(house, bargain) >= 0:
                    found = staying if self.filled(staying, house) else self._staffed(house, bargain)
                text = self.text(found) if found is not None else ""
            yield Segment(bargain, text, word == bargain)
        holds = int(rules.holds_left(self.written(plan.said(house, "")), self.seat)) > 0
        if holds or word == "hold":
            yield Segment("hold", self.text(plan.said(house, "hold")) if can and holds else "", word == "hold")
        if self.at.view.retain_cost:
            yield Segment("retain", self.text(plan.said(house, "retain")) if can else "", word == "retain")
        named = bool(plan.houses) or self.at.verb == "contracts" or self.sealed
        yield Segment("lapse", self.text(plan.said(house, "")) if can else "", named and not word)

    def _pays(self, house: int, bargain: str) -> int:
        """What a house pays when it is kept or trashed; less than 0: it cannot be."""
        return int((self.at.view.keep_pays if bargain == "keep" else self.at.view.trash_pays)[house])

    def _worker(self, cat: int, house: int | None) -> Worker:
        """A cat that a click sends to a house, or (None) home."""
        plan = self.plan
        if self.sealed:
            return Worker(self.at.face(cat), self.at.id(cat), "")
        moved = plan.moved(cat, house)
        if house is not None and plan.houses.get(house) not in BARGAINS:
            trash = self.filled(moved.said(house, "trash", moved.served_by(house)), house)
            word = "trash" if trash or self._pays(house, "keep") < 0 else "keep"
            moved = moved.said(house, word, [cat])
        return Worker(self.at.face(cat), self.at.id(cat), self.text(moved))

    def _idle(self, cat: int) -> Worker:
        """An idle cat: a click sends it to the first house that still lacks something, where it may serve."""
        plan = self.plan
        for house, word in plan.houses.items():
            if word in BARGAINS and not self.filled(plan, house) and rules.reaches(self.at.view, cat, house):
                return self._worker(cat, house)
        return Worker(self.at.face(cat), self.at.id(cat), "")

    def _needs(self, house: int, word: str) -> tuple[Pip, ...]:
        """The symbols of a house's bargain, those filled marked."""
        if word not in BARGAINS:
            return ()
        needs = self.at.view.keep_needs if word == "keep" else self.at.view.trash_needs
        have = _unpacked(int(rules.working(self.trial, self.seat, house)))
        wanted = needs[house].tolist()
        met = [min(have[colour], wanted[colour]) for colour in range(3)]
        wild = have[3]
        for colour in range(3):
            used = min(wild, wanted[colour] - met[colour])
            met[colour] += used
            wild -= used
        spare = sum(have[colour] for colour in range(3)) - sum(min(have[c], wanted[c]) for c in range(3)) + wild
        met.append(min(wanted[3], spare))
        found: list[Pip] = []
        for colour, count in enumerate(wanted):
            drawn = pips(symbols_text([count if other == colour else 0 for other in range(4)]), any_of=True)
            found += [pip._replace(filled=place < met[colour]) for place, pip in enumerate(drawn)]
        return tuple(found)


def _unpacked(symbols: int) -> list[int]:
    """Symbols of each colour, which the rules hold in one number."""
    return [symbols >> 16 * colour & 0xFFFF for colour in range(4)]


def said_plan(at: Seen, plan: Plan, earned: int) -> str:
    """An assignment in few words: ``Keep one, trash two, earn 16``."""
    counts: dict[str, int] = {}
    for word in plan.houses.values():
        counts[word] = counts.get(word, 0) + 1
    parts = [f"{word} {number_word(counts[word])}" for word in VERDICTS if word in counts]
    left = len([house for house in at.houses(at.seat) if not at.view.knocked[house]]) - len(plan.houses)
    if not parts:
        parts.append("let all lapse" if left > 1 else "let it lapse")
    text = ", ".join([*parts, f"earn {earned}"])
    return text[:1].upper() + text[1:]
