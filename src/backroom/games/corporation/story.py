"""The last round of Corporation as a short story, from the position after it: what was turned up, what it brought."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.notation import Line, Part
from backroom.games.corporation.notation import groups, values
from backroom.text.english import Reader, number_word

__all__ = ["LastRound", "everybody"]


def _step(title: str, parts: Sequence[Part], rule: str, gain: str = "0", small: str = "") -> dict[str, Any]:
    return {"title": title, "line": Line(tuple(parts), rule), "gain": gain, "small": small, "void": gain == "0"}


def everybody(members: Sequence[int], count: bool = False) -> str:
    """Both of two, all of more, or with a ``count`` all three."""
    return "both" if len(members) == 2 else f"all {number_word(len(members))}" if count else "all"


class LastRound(Reader):
    """The round that was turned up last, told to one viewer (a seat, or SPECTATOR).

    By seat: ``before`` what lay face up when the cards were turned, ``last`` the cards, ``gain`` the points,
    ``table`` and ``score`` what came of it. Players by card: ``old`` are the corporations of before, ``met`` who laid
    the same. ``any`` says whether there has been a round at all.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str]) -> None:
        super().__init__(viewer, names)
        self.seats = range(int(view.seats))
        self.over, self.values = bool(view.over), values(view)
        self.number = int(view.turn) - (not view.over)
        rows = (view.table, view.score, view.before, view.last, view.gain, view.claimed)
        self.table, self.score, self.before, self.last, self.gain, self.claimed = (
            row[: len(self.seats)].tolist() for row in rows
        )
        self.old, self.met = groups(self.before), groups(self.last)
        self.any = any(self.last)

    # Effects on players

    def _members(self, seat: int) -> list[int]:
        return self.old.get(self.before[seat], [])

    def rewarded(self, seat: int) -> bool:
        """Whether the player's corporation was rewarded."""
        return bool(self.before[seat]) and self._members(seat) == self.met[self.last[seat]]

    def _common(self, members: Sequence[int]) -> int:
        """The card that most of a corporation laid, the higher one of equals."""
        laid = [self.last[seat] for seat in members]
        return max(laid, key=lambda card: (laid.count(card), card))

    def _part(self, seat: int) -> str:
        """Who came along laid the card on which a whole corporation of others had agreed.

        A member who left laid another card than most of the own; a player on their own has no part.
        """
        own = self._members(seat)
        others = [members for members in self.old.values() if members != own]
        if any({self.last[member] for member in members} == {self.last[seat]} for members in others):
            return "came along"
        return "" if not own else "member" if self.last[seat] == self._common(own) else "left"

    # Told

    def stand(self) -> list[tuple[int, list[int]]]:
        """Who stands with whom now, by card: corporations, largest first, then under 0 those on their own."""
        alone = [seat for seat in self.seats if not self.table[seat]]
        return [*groups(self.table).items(), *([(0, alone)] if alone else [])]

    def verdict(self) -> str:
        """The round in one sentence."""
        rewarded = [seat for seat in self.seats if self.rewarded(seat)]
        if rewarded:
            return f"{self.people(rewarded)} {self.do(rewarded, 'was', 'were')} rewarded."
        for part, did in (("came along", "spoilt it"), ("left", "left")):
            doers = [seat for seat in self.seats if self._part(seat) == part]
            if doers:
                return f"{self.people(doers)} {did}."
        return "There was no corporation to reward." if self.number > 1 else "There was nothing to reward yet."

    def cards_turned(self) -> list[dict[str, Any]]:
        """The cards turned up, by what they made: title, card, whether several laid it, players with a note."""
        found = []
        for card, seats in self.met.items():
            together = len(seats) > 1
            title = f"{number_word(len(seats)).capitalize()} on {card}" if together else f"Alone on {card}"
            people = [(seat, self.call(seat), self._part(seat)) for seat in seats]
            people.sort(key=lambda person: person[2] == "came along")
            found.append({"title": title, "card": card, "together": together, "people": people})
        return found

    def steps(self) -> list[dict[str, Any]]:
        """The results of the round, in the order of the rules: title, line, gain and a word under it."""
        if not self.any:
            return []
        old = sorted(self.old.items(), key=lambda pair: not self.rewarded(pair[1][0]))
        none = _step("Rewards", ["There was no corporation to reward."], "K5" if self.number > 1 else "K9")
        rewards = [self._reward(card, members) for card, members in old] or [none]
        return [*rewards, self._profits(), *self._new()]

    def _reward(self, card: int, members: Sequence[int]) -> dict[str, Any]:
        title = f"Rewards: the corporation of the {number_word(card)}"
        common = self._common(members)
        every = everybody(members)
        if self.rewarded(members[0]):
            text = f" {every} laid {common} and nobody else did: {common} × {len(members)}."
            return _step(title, [*self.named(members), text], "K5", f"+{common * len(members)}", "each")
        gone = [seat for seat in members if self.last[seat] != common]
        along = [seat for seat in self.met[common] if seat not in members]
        if gone:
            parts = [*self.named(seat for seat in members if seat not in gone), f" laid {common}"]
            for seat in gone:
                start = ", but " if seat == gone[0] else ", "
                parts += [start, *self.named([seat], start=False), f" {self.last[seat]}"]
            parts += [": no reward.", *([" ", *self.named(along), " came along besides."] if along else [])]
        else:
            outside = self.named(along, start=False)
            parts = [*self.named(members), f" {every} laid {common}. So did ", *outside, ", from outside: no reward."]
        return _step(title, [*parts, f" It would have been {common * len(members)} each."], "K5")

    def _profits(self) -> dict[str, Any]:
        title = "Profits: unmatched cards"
        alone = [(card, seats[0]) for card, seats in self.met.items() if len(seats) == 1]
        if not alone:
            return _step(title, ["Nobody was alone on a card."], "K6")
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
            steps.append(_step("A new corporation", told, "K7", str(*map(len, found.values())), "members"))
        for seats in self.met.values():
            if len(seats) > 1 and not self.table[seats[0]]:
                steps.append(_step("Dissolved", [*self.named(seats), " take back both cards."], "K8"))
        return steps or [_step("New corporations", ["No two cards are alike: all go back into the hands."], "K7")]

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
        if not self.any or not any(said):
            return []
        return [(seat, self.call(seat), ", ".join(said[seat]) or "nothing", self.last[seat]) for seat in self.seats]

    def spoken(self, lines: Iterable[tuple[int, Line]]) -> list[dict[str, Any]]:
        """Talk in the match, oldest first: the round, the speaker, a text or words about a card."""
        found = []
        for number, event in self._messages(lines):
            asked = event.kind == "asked"
            words = self.do([event.seat], "asks" if asked else "claims", "ask" if asked else "claim")
            words += f" {self.call(event.args['whom'], start=False)} for" if asked else ""
            card, text = event.args.get("value", 0), event.args["text"].partition(" ")[2]
            said = {"round": number, "seat": event.seat, "name": self.call(event.seat)}
            found.append(said | {"card": card, "words": words, "text": text})
        return found

    @staticmethod
    def _messages(lines: Iterable[tuple[int, Line]]) -> Iterable[tuple[int, Event]]:
        """Talk in the match, with its round."""
        number = 1
        for event in (line.event for _, line in lines):
            number += event.kind == "revealed"
            if event.kind in ("said", "claimed", "asked"):
                yield number, event
