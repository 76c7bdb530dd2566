"""How a seat sees Catham City in the browser: the ticket, the options with their effects, and what can be clicked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from backroom.engine.game import seats_after
from backroom.engine.notation import Line, Thing, in_words, player
from backroom.engine.record import SPECTATOR, opened
from backroom.games.catham.cards import (
    COST,
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LETTERS,
    LIMIT,
    MAFIA,
    MARKET,
    MOST_HACKERS,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)  # fmt: skip
from backroom.games.catham.options import CathamOptions
from backroom.games.catham.rules import GIFT, LOSS, MATCH, SURPLUS, TURN, hand_dealt
from backroom.games.catham.story import paid
from backroom.games.catham.text import cards_in, either, in_figures, number_of, tokens_left
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Answer, Ask, Box, Choice, Emblem, Figure, Plate, Scene
from backroom.text.english import ORDINALS, listed, number_word

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]

BOX = Box(
    hook="Eight cat factions, one market. Take or play, nothing else.",
    lasts="30 minutes",
    cloth="catham",
    emblem=Emblem("cat-d", "f-d"),
    art=(
        Figure("cat-j", 4, 22, 98, "f-j"),
        Figure("cat-h", 158, 22, 98, "f-h"),
        Figure("cat-m", 74, 6, 114, "f-m"),
    ),
)

PRINTED = ("2→2", "3+1→3", "1+", "3→2", "2/4", "4→2", "1+1", "1–4")
"""The text at the foot of each faction's card."""


def emblem(thing: Thing) -> Emblem | None:
    """Cards as printed tiles."""
    return _tile(LETTERS.index(thing.key)) if thing.kind == "card" else None


def _tile(faction: int) -> Emblem:
    letter = FACTIONS[faction].letter.lower()
    return Emblem(f"cat-{letter}", f"f-{letter}", chip=True)


DECLINE = Choice("Decline", "nobody learns whether you could have", "decline", emblem=Emblem("cross"))

TAUGHT = (
    ("D", "3 ", " and any card are worth 3"),
    ("M", "4 ", " make everybody else pay"),
    ("S", "3 ", " are worth 2 and two new cards"),
    ("R", "2 ", " bring five new cards"),
    ("J", "2 ", " are worth 2 and may bring gifts"),
    ("P", "", " search a hand for what you name"),
    ("H", "", " slip into a hand and take cards from it"),
    ("O", "", " turn up cards, a point for each faction"),
)
"""The effects of some factions in few words, for new players."""


def brief(options: CathamOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    named = dict(options.cards_of("factions"))
    taught: list[str | Thing] = ["Each faction pays points its own way"]
    for sign, (letter, before, after) in zip((": ", ", and "), (it for it in TAUGHT if it[0] in named), strict=False):
        taught += [sign + before, Thing("card", letter, named[letter]), after]
    target = options.target or options.printed("target", seats)
    turn = "Each turn you have two actions: in each" if options.advanced else "On your turn"
    takes = (f"{turn} ", Thing("word", "", "take"), " all you like of one faction from the market, or ")
    lays = (Thing("word", "", "lay down"), " one faction for what it does.")
    return (
        Line(takes + lays),
        Line((*taught, "." if named else "; which five play is drawn by lot.")),
        Line((f"First to {target} wins, on the spot. Hands are hidden, ten cards at most.",)),
    )


def place(options: CathamOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    if options.first_player is None:
        return f"plays {ORDINALS[chair]}, {hand_dealt(options.code('hands', seats), chair)} cards"
    if options.first_player.lower() == "random":
        return "who begins is drawn by lot"
    return f"{options.first_player} begins"


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """How far each fell short and what it still held; what took the winner over the line."""
    found = []
    for seat in range(len(names)):
        short, held = int(view.target) - int(view.points[seat]), int(view.hand_size[seat])
        left = f"{number_word(held)} {'cards' if held > 1 else 'card'} left"
        fell = f"{number_word(short)} short, {left}" if short > 0 else left
        found.append(fell if seat != view.winner else _took_over(lines, seat, "you" if seat == viewer else "them"))
    return found


def _took_over(lines: Sequence[tuple[int, Line]], seat: int, whom: str) -> str:
    """The cards of the winner's last deed that brought points."""
    brought = (line.event for _, line in reversed(lines) if line.seat == seat and line.event.args.get("points", 1))
    cards = next(filter(None, map(paid, brought)), None)
    return f"{in_words(cards)} took {whom} over" if cards else ""


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    return _Scene(view, viewer, names, draft).scene()


class _Scene:
    """One seat's table: ``hand`` and ``market`` count cards by faction, ``raised`` and ``taking`` the chosen ones.

    ``played`` is the faction that the draft plays, ``needed`` how many cards a discard names.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        view = opened(view)
        self.view, self.viewer, self.names, self.draft = view, viewer, names, draft
        self.seats, self.question, self.active, self.extra = view.seats, view.question, view.active, view.extra
        self.who, self.others = names[view.active], seats_after(viewer, view.seats)
        # Cards to discard may be picked in any order, so they need not be the beginning of a move.
        self.picking = self.question in (LOSS, SURPLUS) and draft.begins("discard")
        read = draft.problem is None or self.picking
        self.text, self.words = (draft.text.lower(), draft.spelled) if read else ("", ())
        self.verb = self.words[0].key if self.words else ""
        self.played = LETTERS.find(self.words[1].key) if self.verb == "play" and len(self.words) > 1 else -1
        self.asked = draft.acting and self.question in (GIFT, MATCH, LOSS)
        self.market = view.market.tolist()
        nothing = [0] * len(FACTIONS)
        self.in_play = sorted(view.factions.tolist())
        self.hand = view.hand[viewer].tolist() if viewer != SPECTATOR else nothing
        self.held = sum(self.hand)
        self.needed = 2 if self.question == LOSS else max(0, self.held - LIMIT)
        chosen = self._chosen()
        self.raised, self.taking = (nothing, chosen) if self.verb == "take" else (chosen, nothing)

    def scene(self) -> Scene:
        heading, sentence = self._ticket()
        acting = self.draft.acting
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=f"first to {self.view.target}",
            goal=self.view.target,
            plates=tuple(map(self._plate, self.others)),
            own=self._plate(self.viewer) if self.viewer != SPECTATOR else None,
            choices=tuple(self._choices()) if acting else (),
            ask=self._ask() if self.asked else None,
            say=self._say(),
            commit=self._commit() if self.draft.actions is not None else "Do it",
            instead=self._instead() if self.asked else None,
            missing=self._missing(),
            drawn=self._drawn(),
        )

    def _chosen(self) -> list[int]:
        """Cards of each faction that the draft names."""
        chosen = [0] * len(FACTIONS)
        last, implied = -1, 0
        for word in self.words:
            if word.kind == "card":
                last = LETTERS.index(word.key)
                implied = 1 if word.text.startswith("+") else self._implied(last)
                chosen[last] += implied
            elif last >= 0 and word.kind == "count":
                chosen[last] += int(word.key) - implied
        if self.verb == "match":
            chosen[self.extra] = 1
        if self.verb == "give" and self.view.journalist_match:
            chosen[JOURNALISTS] += 1
        return chosen

    def _implied(self, faction: int) -> int:
        """How many cards a faction's word means where no number follows."""
        given = 1 if self.view.journalist_match else 2
        return {"take": self.market[faction], "give": given, "play": COST[faction] or 1}.get(self.verb, 1)

    # Ticket and players

    def _plate(self, seat: int) -> Plate:
        kept = ", ".join(in_figures(*cards) for cards in cards_in(self.view.kept[seat]))
        return Plate(
            seat,
            cards=int(self.view.hand_size[seat]),
            score=int(self.view.points[seat]),
            goal=self.view.target,
            facts=(("kept as points", kept),) if kept else (),
            answering=bool(int(self.view.acting) >> seat & 1) and int(self.view.question) not in (TURN, SURPLUS),
        )

    def _ticket(self) -> tuple[str, str]:
        if self.view.over:
            return "", ""
        if not self.draft.acting:
            return "", self._waiting()
        which = ("The first of two actions", "Your second action")[self.view.second]
        which = which if self.view.advanced else "One action"
        must_go = f"{number_word(self.needed).capitalize()} must go, whichever you like."
        return {
            TURN: ("Your turn", f"{which}: take from the market, or play one faction."),
            GIFT: (f"{self.who} asks you", "Give a card and throw away its twin for a point, or decline."),
            MATCH: (f"{self.who} asks you", f"Throw away one {FACTIONS[self.extra].one} for a point, or decline."),
            LOSS: (f"{self.who} leans on you", "Two cards of your choice, or one point."),
            SURPLUS: ("Down to ten", f"You hold {number_word(self.held)}. {must_go}"),
        }[self.question]

    def _waiting(self) -> str:
        if self.question == SURPLUS:
            return f"Somebody has more than {LIMIT} cards and throws away what is too many."
        if self.question != TURN:
            played = {GIFT: "journalists", MATCH: "detectives", LOSS: "mafia"}[self.question]
            return f"It is {self.who}’s turn; the others answer the {played} one after the other."
        order = [self.active, *seats_after(self.active, self.seats)]
        if self.viewer == SPECTATOR:
            return f"Order of play: {', '.join(self.names[seat] for seat in order)}."
        place = order.index(self.viewer)
        before = "".join(f"{self.names[seat]}, " for seat in order[:place])
        return f"You come {('first', 'next', *ORDINALS[2:])[place]}: {before}you."

    def _missing(self) -> str:
        more = self.needed - sum(self.raised)
        if not self.picking or self.draft.actions is not None or more <= 0:
            return ""
        return f"{more} more {'card' if more == 1 else 'cards'} to choose."

    # The question

    def _ask(self) -> Ask:
        twin = "a journalist" if self.view.journalist_match else "its twin"
        faction, fewest, question, explanation = {
            GIFT: (
                JOURNALISTS,
                2,
                f"Give {self.who} a card, and throw away {twin}?",
                "You gain 1 point. It takes two cards: one goes into that hand, one away. It cannot be refused.",
            ),
            MATCH: (
                DETECTIVES,
                1,
                f"Throw away one {FACTIONS[self.extra].one} for a point?",
                "Only the faction of the extra card counts. Once, one card.",
            ),
            LOSS: (MAFIA, 0, "Two cards, or one point?", "Any two cards, your choice. Everybody sees which."),
        }[self.question]
        laid = (player(self.active, self.names), f" laid {COST[faction]} ", _card(faction))
        besides = (" and 1 ", _card(self.extra)) if self.question == MATCH else ()
        return Ask(self.active, (*laid, *besides), question, explanation, tuple(self._answers(fewest)))

    def _answers(self, fewest: int) -> Iterator[Answer]:
        """The order of answers. What was answered is in the log; the page puts it in."""
        order = seats_after(self.active, self.seats)
        mine = order.index(self.viewer)
        place = {0: "first to answer", len(order) - 1: "last to answer"}.get(mine, "your answer")
        for number, seat in enumerate(order):
            if number < mine:
                yield Answer(seat, "done", ())
            elif number == mine:
                yield Answer(seat, "now", (place,))
            elif self.view.hand_size[seat] < fewest:
                yield Answer(seat, "no", ("too few cards",))
            else:
                yield Answer(seat, "later", ("after you",))

    def _instead(self) -> tuple[str, str] | None:
        if self.question != LOSS:
            return "Decline", "decline"
        return ("Lose the point", "lose point") if tokens_left(self.view, self.viewer) > 0 else None

    def _commit(self) -> str:
        them = "it" if sum(self.taking) + sum(self.raised) == 1 else "them"
        return {
            "take": f"Take {them}",
            "play": f"Slip {them} in" if self.played == HACKERS else f"Lay {them} down",
            "give": f"Give {number_of(self.raised.index(max(self.raised)), 1)}",
            "match": "Match it",
            "discard": "Throw both away" if self.question == LOSS else f"Throw {them} away",
            "lose": "Lose the point",
        }.get(self.verb, "Decline")

    def _say(self) -> str:
        """The move in preparation as an order, cards by number and name; empty for a text that cannot be read."""
        verb, last = self.verb, self.words[-1] if self.words else None
        number = in_figures if verb in ("take", "play") else number_of
        named = listed(number(*cards) for cards in cards_in(self.taking if verb == "take" else self.raised))
        if last is None:
            return ""
        if verb == "give" and len(self.words) == 1:
            return f"Give {self.who} a card"
        if verb == "give":
            rest = "a journalist" if self.view.journalist_match else "the other"
            return f"Give {self.who} {number_of(LETTERS.index(last.key), 1)}, discard {rest}"
        if verb == "play" and last.kind == "seat":
            whom = self.names[int(last.key)]
            return f"Hand {whom} {named}" if self.played == HACKERS else f"Lay {named} against {whom}"
        does = {"take": "Take", "play": "Lay", "discard": "Throw away", "match": "Discard"}
        return f"{does[verb]} {named}".rstrip() if verb in does else "Decline" if verb == "decline" else "Lose a point"

    # Choices

    def _choices(self) -> list[Choice]:
        return {
            TURN: self._actions, GIFT: self._gifts, MATCH: self._matches, LOSS: self._losses, SURPLUS: self._surplus,
        }[self.question]()  # fmt: skip

    def _surplus(self) -> list[Choice]:
        needed = self.needed
        chosen = f"{sum(self.raised)} of {needed} chosen: tap cards of your hand"
        exactly = f"exactly {number_word(needed)}: down to ten, not lower"
        return [
            Choice(f"Discard {needed}", chosen, self.text or self._cheapest(), emblem=Emblem("hand-card")),
            Choice(f"Discard {needed + 1}", exactly, emblem=Emblem("hourglass")),
        ]

    def _actions(self) -> list[Choice]:
        factions = sorted((int(number) for number in self.view.factions), key=lambda number: -self.hand[number])
        plays = sorted(map(self._play, factions), key=lambda choice: not choice.words)
        return plays + [self._take(*cards) for cards in _most_first(self.market)]

    def _play(self, faction: int) -> Choice:
        word, held = FACTIONS[faction].word, self.hand[faction]
        most = min(held, MOST_HACKERS)
        others = either([self.names[seat] for seat in self.others])
        up_to = "1" if held == 1 else f"1 to {held}"
        effects = {
            JOURNALISTS: ("2 of them. Others may give you a card", "+2"),
            DETECTIVES: ("3 and any one card. Others may match it", "+3"),
            OFFICIALS: (
                f"{up_to}; turn up as many, a point for each faction",
                f"+1–{min(held, 5)}" if held > 1 else "+1",
            ),
            SCIENTISTS: ("3 of them, then draw 2", "+2"),
            ROBOCATS: ("2: draw 5, or 4: three points", "+3") if held >= 4 else ("2 of them: draw 5", ""),
            MAFIA: ("4 of them. Others lose two cards or a point", "+2"),
            POLICE: (f"{up_to} and a wanted card, against {others}", f"+0–{held}"),
            HACKERS: (f"{'1' if most == 1 else f'1 to {most}'} into {others}", f"+0–{most}"),
        }
        able = self.draft.settle(f"play {word}")
        effect, gain = effects[faction] if able else (self._why_not(faction), "")
        return Choice(word.capitalize(), effect, f"play {word}" if able else "", "Play", _tile(faction), gain)

    def _why_not(self, faction: int) -> str:
        held = self.hand[faction]
        hold = f"you hold {held or 'none'}"
        if faction == ROBOCATS:
            return f"need 2 or 4, {hold}"
        if faction == DETECTIVES and held >= COST[DETECTIVES]:
            return "need one card more, of another faction" if self.view.detective_extra else "need one card more"
        if faction == POLICE and held:
            return "need a wanted card of another faction"
        if faction == HACKERS and held:
            return "nobody holds enough cards"
        return f"need {COST[faction] or 1}, {hold}"

    def _take(self, faction: int, count: int) -> Choice:
        after = self.held + count
        effect = "fills your hand" if after == LIMIT else f"a hand of {after}"
        effect = effect if after <= LIMIT else f"{count}: discard {after - LIMIT}"
        tile = replace(_tile(faction), label=FACTIONS[faction].cards(count))
        title = f"1–{count}" if count > 1 else "1"
        return Choice(title, effect, f"take {FACTIONS[faction].word}", "Take", tile, half=True)

    def _gifts(self) -> list[Choice]:
        able, unable = [], []
        away = "a journalist" if self.view.journalist_match else "one"
        for faction, held in _most_first(self.hand):
            word, tile = FACTIONS[faction].word, _tile(faction)
            if self.draft.settle(f"give {word}"):
                effect = f"one to {self.who}, {away} to the discards"
                able.append(Choice(f"Give {word}", effect, f"give {word}", emblem=tile, gain="+1"))
            else:
                reason = "no journalist to throw away" if self.view.journalist_match else f"need 2, you hold {held}"
                unable.append(Choice(word.capitalize(), reason, emblem=tile))
        return [*able, DECLINE, *unable]

    def _matches(self) -> list[Choice]:
        one, tile = FACTIONS[self.extra].one, _tile(self.extra)
        if self.hand[self.extra]:
            return [Choice("Match", f"discard one {one}", "match", emblem=tile, gain="+1"), DECLINE]
        return [Choice("Match", f"you hold no {one}", emblem=tile), DECLINE]

    def _losses(self) -> list[Choice]:
        points = int(self.view.points[self.viewer])
        chosen = ", ".join(FACTIONS[faction].one for faction, count in cards_in(self.raised) for _ in range(count))
        cards = Choice("Two cards", f"you hold {self.held}", emblem=Emblem("hand-card"))
        if self.held >= 2:
            effect = f"chosen: {chosen}" if chosen else "your two rarest; tap others to change"
            cards = replace(cards, effect=effect, words=self.text if self.picking else self._cheapest(), gain="0")
        point = Choice("One point", "you have no point to lose", emblem=Emblem("flag"))
        if points == 0:
            return [cards, point]
        if tokens_left(self.view, self.viewer):
            effect = f"{points} → {points - 1}, your cards stay"
            return [cards, replace(point, effect=effect, words="lose point", gain="−1")]
        return [cards] + [
            replace(
                point, effect=f"the kept {FACTIONS[number].one} goes", words=f"lose point {FACTIONS[number].word}",
                emblem=_tile(number), gain="−1",
            )
            for number, _ in cards_in(self.view.kept[self.viewer])
        ]  # fmt: skip

    # Clicks

    def _discarding(self, counts: Sequence[int]) -> str:
        """The text that throws these cards away: factions in their order, as the notation writes them."""
        named = (FACTIONS[faction].word + (f" x{count}" if count > 1 else "") for faction, count in cards_in(counts))
        return " ".join(["discard", *named])

    def _cheapest(self) -> str:
        """The text that throws away as many cards as needed, of the hand's rarest factions."""
        counts = [0] * len(FACTIONS)
        for faction, held in reversed(_most_first(self.hand)):
            counts[faction] = min(held, self.needed - sum(counts))
        return self._discarding(counts)

    def _throw(self, faction: int, place: int) -> str:
        """The text after a click on the card at ``place`` of its group: chosen or not, and never too many."""
        counts = list(self.raised)
        if place < counts[faction]:
            counts[faction] -= 1
            return self._discarding(counts)
        counts[faction] += 1
        if sum(counts) > self.needed:
            spare = next(number for number, count in cards_in(counts) if number != faction or count > 1)
            counts[spare] -= 1
        return self._discarding(counts)

    def _click_hand(self, faction: int, place: int) -> str:
        word = FACTIONS[faction].word
        if not self.draft.acting:
            return ""
        if self.question in (LOSS, SURPLUS):
            return self._throw(faction, place)
        if self.question == MATCH:
            return self.draft.settle("match") if faction == self.extra else ""
        if self.question == TURN and self.draft.begins("play"):
            return self.draft.click("card", FACTIONS[faction].letter, f"play {word}")
        return self.draft.settle(f"{'give' if self.question == GIFT else 'play'} {word}")

    def _click_market(self, faction: int) -> str:
        if not self.draft.acting or self.question != TURN:
            return ""
        if self.draft.begins("take"):
            # With the same start a single card that is chosen stays a button, and keeps the focus.
            return self.draft.click("card", FACTIONS[faction].letter, f"take {FACTIONS[faction].word}")
        return self.draft.settle(f"take {FACTIONS[faction].word}")

    # Data for the template

    def _drawn(self) -> dict[str, Any]:
        over = self.view.over
        filled = "filled up afterwards" if self.question == SURPLUS and not over else "open to all"
        return {
            "market": [
                _group(faction, count)
                | {
                    "click": self._click_market(faction),
                    "chosen": self.taking[faction],
                    "place": 1 + self.in_play.index(faction),
                }
                for faction, count in cards_in(self.market)
            ],
            "market_title": f"The market, {filled}",
            "gaps": MARKET - sum(self.market) if not over else 0,
            "deck": self.view.deck_size,
            "discards": _groups(self.view.discards),
            "hand": [self._hand_group(*cards) for cards in cards_in(self.hand)],
            "held": self.held,
            "limit": LIMIT,
            "hands": {seat: _groups(self.view.hand[seat]) for seat in range(self.seats) if over or seat == self.viewer},
            "card": {faction.letter: _group(number, 1) for number, faction in enumerate(FACTIONS)},
        }

    def _hand_group(self, faction: int, count: int) -> dict[str, Any]:
        clicks = [self._click_hand(faction, place) for place in range(count)]
        raised = min(self.raised[faction], count)
        return _group(faction, count) | {
            "clicks": clicks,
            "raised": raised,
            "caption": self._caption(raised, bool(clicks[0])) if self.asked else "",
            "place": 1 + self.in_play.index(faction),
            "cannot": self.asked and not clicks[0],
        }

    def _caption(self, raised: int, able: bool) -> str:
        if self.question == GIFT and self.view.journalist_match:
            return f"{raised} chosen" if raised else "could go" if able else "no journalist"
        if self.question == GIFT:
            return f"1 to {self.who}, 1 away" if raised else "could go" if able else "no twin"
        if self.question == MATCH:
            return "1 would go" if raised else "could go" if able else " "
        return (f"{raised} go" if raised > 1 else "goes") if raised else " "


def _card(faction: int) -> Thing:
    return Thing("card", FACTIONS[faction].letter, FACTIONS[faction].word.capitalize())


def _most_first(counts: Iterable[Any]) -> list[tuple[int, int]]:
    """Factions with cards and their numbers, most cards first."""
    return sorted(cards_in(counts), key=lambda cards: -cards[1])


def _group(faction: int, count: int) -> dict[str, Any]:
    card = _card(faction)
    return {"letter": card.key, "name": card.words, "count": count, "printed": PRINTED[faction]}


def _groups(counts: Iterable[Any]) -> list[dict[str, Any]]:
    return [_group(*cards) for cards in _most_first(counts)]
