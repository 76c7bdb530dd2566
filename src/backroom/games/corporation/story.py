"""The last round of Corporation as a short story, from the position after it: what was turned up, what it brought."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.notation import Line, Part
from backroom.games.corporation.notation import values
from backroom.text.english import Reader, number_word

__all__ = ["LastRound", "groups"]


def groups(cards: Sequence[int]) -> dict[int, list[int]]:
    """Players by card, most players first, then the higher card; players with no card (0) are left out."""
    found: dict[int, list[int]] = {}
    for seat, card in enumerate(cards):
        if card:
            found.setdefault(card, []).append(seat)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), -pair[0])))


def _step(title: str, text: str | Sequence[Part], rule: str, gain: str, small: str = "") -> dict[str, Any]:
    line = Line((text,) if isinstance(text, str) else tuple(text), rule)
    return {"title": title, "line": line, "gain": gain, "small": small, "void": gain == "0"}


class LastRound(Reader):
    """The round that was turned up last, told to one viewer (a seat, or SPECTATOR).

    By seat: ``before`` what lay face up when the cards were turned, ``last`` the cards, ``gain`` the points,
    ``table`` and ``score`` what came of it. ``any`` says whether there has been a round at all.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str]) -> None:
        super().__init__(viewer, names)
        n = int(view.seats)
        self.seats = range(n)
        self.over, self.values = bool(view.over), values(view)
        self.number = int(view.turn) - (not view.over)
        self.table, self.score = view.table[:n].tolist(), view.score[:n].tolist()
        self.before, self.last = view.before[:n].tolist(), view.last[:n].tolist()
        self.gain, self.claimed = view.gain[:n].tolist(), view.claimed[:n].tolist()
        self.any = any(self.last)

    # Effects on players

    def _members(self, seat: int) -> list[int]:
        return groups(self.before).get(self.before[seat], [])

    def rewarded(self, seat: int) -> bool:
        """Whether the player's corporation was rewarded."""
        return bool(self.before[seat]) and self._members(seat) == groups(self.last)[self.last[seat]]

    def _common(self, members: Sequence[int]) -> int:
        """The card that most of a corporation laid, the higher one of equals."""
        laid = [self.last[seat] for seat in members]
        return max(laid, key=lambda card: (laid.count(card), card))

    def _left(self, seat: int) -> bool:
        """Whether a member laid another card than most of its corporation."""
        members = self._members(seat)
        return bool(members) and self.last[seat] != self._common(members)

    def _came_along(self, seat: int) -> bool:
        """Whether a player laid the card on which a whole corporation of others had agreed."""
        return any(
            self.before[seat] != value and {self.last[member] for member in members} == {self.last[seat]}
            for value, members in groups(self.before).items()
        )

    # Told

    def verdict(self) -> str:
        """The round in one sentence."""
        rewarded = [seat for seat in self.seats if self.rewarded(seat)]
        leavers = [seat for seat in self.seats if self._left(seat)]
        joined = [seat for seat in self.seats if self._came_along(seat)]
        if rewarded:
            return f"{self.people(rewarded)} {self.do(rewarded, 'was', 'were')} rewarded."
        if joined:
            return f"{self.people(joined)} spoilt it."
        if leavers:
            return f"{self.people(leavers)} left."
        return "There was no corporation to reward." if self.number > 1 else "There was nothing to reward yet."

    def met(self) -> list[dict[str, Any]]:
        """The cards turned up, by what they made: title, card, whether several laid it, players with a note."""
        found = []
        for card, seats in groups(self.last).items():
            together = len(seats) > 1
            title = f"{number_word(len(seats)).capitalize()} on {card}" if together else f"Alone on {card}"
            people = [(seat, self.call(seat), self._note(seat)) for seat in seats]
            people.sort(key=lambda person: person[2] == "came along")
            found.append({"title": title, "card": card, "together": together, "people": people})
        return found

    def _note(self, seat: int) -> str:
        if self._came_along(seat):
            return "came along"
        if self._left(seat):
            return "left"
        return "member" if self.before[seat] else ""

    def steps(self) -> list[dict[str, Any]]:
        """The results of the round, in the order of the rules: title, line, gain and a word under it."""
        old = sorted(groups(self.before).items(), key=lambda pair: not self.rewarded(pair[1][0]))
        rewards = [self._reward(card, members) for card, members in old]
        if not rewards:
            rewards = [_step("Rewards", "There was no corporation to reward.", "K5" if self.number > 1 else "K9", "0")]
        return [*rewards, self._profits(), *self._new()]

    def _reward(self, card: int, members: Sequence[int]) -> dict[str, Any]:
        title = f"Rewards: the corporation of the {number_word(card)}"
        common = self._common(members)
        every = "both" if len(members) == 2 else "all"
        if self.rewarded(members[0]):
            text = f" {every} laid {common} and nobody else did: {common} × {len(members)}."
            return _step(title, [*self.named(members), text], "K5", f"+{common * len(members)}", "each")
        stayed = [seat for seat in members if self.last[seat] == common]
        gone = [seat for seat in members if self.last[seat] != common]
        along = [seat for seat in self.seats if seat not in members and self.last[seat] == common]
        if not gone:
            outside = self.named(along, start=False)
            parts = [*self.named(members), f" {every} laid {common}. So did ", *outside, ", from outside: no reward."]
        else:
            parts = [*self.named(stayed), f" laid {common}"]
            for seat in gone:
                start = ", but " if seat == gone[0] else ", "
                parts += [start, *self.named([seat], start=False), f" {self.last[seat]}"]
            parts.append(": no reward.")
            if along:
                parts += [" ", *self.named(along), " came along besides."]
        return _step(title, [*parts, f" It would have been {common * len(members)} each."], "K5", "0")

    def _profits(self) -> dict[str, Any]:
        title = "Profits: unmatched cards"
        alone = [(card, seats[0]) for card, seats in groups(self.last).items() if len(seats) == 1]
        if not alone:
            return _step(title, "Nobody was alone on a card.", "K6", "0")
        if len(alone) == 1:
            card, seat = alone[0]
            text = f" {self.do([seat], 'is', 'are')} the only one on {card}."
            small = f"{self.call(seat)} {self.score[seat] - self.gain[seat]} → {self.score[seat]}"
            return _step(title, [*self.named([seat]), text], "K6", f"+{card}", small)
        parts: list[Part] = []
        for number, (card, seat) in enumerate(alone):
            parts += [", " if number else "", *self.named([seat], start=not number), f" {card}"]
        gain = " ".join(f"+{card}" for card, _ in alone) if len(alone) < 3 else f"+{alone[-1][0]} to {alone[0][0]}"
        return _step(title, [*parts, ": each scores the card."], "K6", gain)

    def _new(self) -> list[dict[str, Any]]:
        found = groups(self.table)
        told: list[Part] = []
        for card, seats in found.items():
            text = f" met on {card}"
            if len(found) == 1:
                text += f": the corporation of the {number_word(card)}"
            if not self.over:
                best = max(value for value in self.values if value != card)
                text += f", worth up to {best} × {len(seats)} = {best * len(seats)} each next time"
            told += [" " if told else "", *self.named(seats), f"{text}."]
        steps = []
        if len(found) > 1:
            steps.append(_step("New corporations", told, "K7", str(len(found)), "of them"))
        elif found:
            (seats,) = found.values()
            steps.append(_step("A new corporation", told, "K7", str(len(seats)), "members"))
        for seats in groups(self.last).values():
            if len(seats) > 1 and not self.table[seats[0]]:
                steps.append(_step("Dissolved", [*self.named(seats), " take back both cards."], "K8", "0"))
        return steps or [_step("New corporations", "No two cards are alike: all go back into the hands.", "K7", "0")]

    def said(self, lines: Iterable[tuple[int, Line]]) -> list[tuple[int, str, str, int]]:
        """Claims and requests by player, with the card placed: (seat, name, words, card); empty when there were none.

        What was asked is in the log.
        """
        said = [[f"claimed {card}"] if card else [] for card in self.claimed]
        for number, event in self._messages(lines):
            if number == self.number and event.kind == "asked":
                words = f"asked {self.call(event.args['whom'], start=False)} for {event.args['value']}"
                if words not in said[event.seat]:
                    said[event.seat].append(words)
        if not any(said):
            return []
        return [(seat, self.call(seat), ", ".join(said[seat]) or "nothing", self.last[seat]) for seat in self.seats]

    def spoken(self, lines: Iterable[tuple[int, Line]]) -> list[dict[str, Any]]:
        """Talk in the match, oldest first: the round, the speaker, a text or words about a card."""
        found = []
        for number, event in self._messages(lines):
            name, s = self.call(event.seat), "" if event.seat == self.seat else "s"
            words = f"claim{s}"
            if event.kind == "asked":
                words = f"ask{s} {self.call(event.args['whom'], start=False)} for"
            card, text = event.args.get("value", 0), event.args["text"].partition(" ")[2]
            found.append(
                {"round": number, "seat": event.seat, "name": name, "card": card, "words": words, "text": text}
            )
        return found

    @staticmethod
    def _messages(lines: Iterable[tuple[int, Line]]) -> Iterable[tuple[int, Event]]:
        """Talk in the match, with its round."""
        number = 1
        for event in (line.event for _, line in lines):
            number += event.kind == "revealed"
            if event.kind in ("said", "claimed", "asked"):
                yield number, event
