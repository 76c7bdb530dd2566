"""The rule switches of Syndicats, with where in its history each value comes from, and its nine presets."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import field_validator, model_validator

from backroom.engine.names import seat_called
from backroom.engine.options import Options, switch
from backroom.engine.record import Field
from backroom.engine.refusal import Refusal
from backroom.games.syndicats import cards

__all__ = ["SyndicatsOptions"]

MOST = 999
"""The largest amount of money that a switch may name."""

LETTERS = "ABCDE"
"""The seats, as the keeper may be named by his."""

SKETCH = {
    "visible": "7",
    "deck_top": False,
    "dog_margin": 2,
    "pick_order": "take-special-pay",
    "gate": "none",
    "copycat": "swap",
    "trade_in": False,
    "unbought": "stay",
    "starters": "single",
    "catapults": 8,
    "catapult_form": "separate",
    "territories": 0,
    "tithe": 0,
    "mog_holds": "1",
    "proximity": "counter",
    "final_favour": True,
}
EARLY = {"trade_in": False, "territories": 0, "tithe": 0}
"""What the drafts after the sketch had in common, and the later ones changed."""


class SyndicatsOptions(Options):
    """Every switch by itself, with the defaults of the newest rules; a preset is a state of the designer's page."""

    simulation_only: ClassVar[frozenset[str]] = frozenset({"round_cap"})
    refusal_codes: ClassVar[frozenset[str]] = frozenset({"E_SETUP", "E_DECK_FILE"})
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "final": {},
        "final-no-dogs": {"end": "deck"},
        "third-playtest": {"catapults": 4},
        "small-deck": dict(EARLY),
        "small-deck-no-dogs": EARLY | {"end": "deck"},
        "second-playtest": EARLY | {"catapults": 4},
        "first-draft": EARLY | {"unbought": "stay", "catapults": 8, "yarn": 6},
        "sketch-copycat": SKETCH | {"copycat": "discard"},
        "sketch": dict(SKETCH),
    }
    preset_lines: ClassVar[dict[str, str]] = {
        "final": "The newest rules: territories, trade-ins and a coin for the Mogfather from everybody.",
        "final-no-dogs": "The same without dogs: the game lasts as long as the deck.",
        "third-playtest": "The newest rules with four cards for attack and defence.",
        "small-deck": "A short game: 38 cats, no territories.",
        "small-deck-no-dogs": "The short deck played to its end.",
        "second-playtest": "Yarn gone, attack and defence halved, specials leave when nobody wants them.",
        "first-draft": "The first full rules: yarn, eight catapults, and everything stays on offer.",
        "sketch-copycat": "The sketch, in which a used copycat is thrown away.",
        "sketch": "How it began: seven cards, take first and pay last, one hold for the Mogfather.",
    }

    visible: Literal["n+1", "7"] = switch(
        "n+1",
        title="cards on offer",
        description="how many cards the supply is refilled to",
        source="L103; 7: L14",
        rule="Y34",
        words={"n+1": "one more than players", "7": "seven"},
    )
    deck_top: bool = switch(
        True,
        title="the top of the deck",
        description="the top card of the deck lies face up and can be taken",
        source="L70, L104",
        rule="Y5",
        words={"no": "face down", "yes": "face up and on offer"},
    )
    start_cash: int = switch(
        5, ge=0, le=MOST, title="cash at the start", description="ready cash of each player", source="L97", rule="S4"
    )
    end: Literal["dogs", "deck", "dogs-vs-fund"] = switch(
        "dogs",
        title="the end",
        description="what ends the game: enough dogs, the end of a deck without dogs, or dogs that outweigh the funds",
        source="L27, L140; deck: L217, L237; dogs-vs-fund: L210, a note",
        rule="Y54",
        words={
            "dogs": "when enough dogs are out",
            "deck": "with the deck, no dogs",
            "dogs-vs-fund": "dogs against funds",
        },
    )
    dog_margin: int = switch(
        3,
        ge=0,
        le=99,
        title="dogs beyond the number of players",
        description="the game ends with as many dogs as players and this many more",
        source="L71; 2: L27",
        rule="Y54",
    )
    dog_bite: int = switch(
        3,
        ge=0,
        le=MOST,
        title="coins a dog outweighs",
        description="how much of all funds together one dog outweighs",
        source="ours, for L210",
        rule="Y54",
        needs={"end": ["dogs-vs-fund"]},
    )
    last_dog: Literal["finish", "no-contribution", "immediate"] = switch(
        "finish",
        title="after the last dog",
        description="the round is finished, or nothing can be paid any more, or the game ends at once",
        source="L73, a note",
        rule="Y57",
        words={
            "finish": "the round is finished",
            "no-contribution": "nobody pays any more",
            "immediate": "the game ends at once",
        },
    )
    resume: Literal["winner", "mogfather", "last"] = switch(
        "winner",
        title="the next auction begins",
        description="who speaks first in later auctions of a round",
        source="L21, L123; ruling U06",
        rule="Y13",
        words={
            "winner": "left of whoever just picked",
            "mogfather": "with the Mogfather",
            "last": "left of whoever spoke last",
        },
    )
    match: Literal["favoured", "keeper"] = switch(
        "favoured",
        title="who may equal a bid",
        description="the eligible player nearest to the Mogfather, or the keeper alone",
        source="L114, L150; ruling U09",
        rule="Y15",
        words={"favoured": "whoever is nearest to the Mogfather", "keeper": "only his keeper"},
    )
    proximity: Literal["clockwise", "counter"] = switch(
        "clockwise",
        title="nearness to the Mogfather",
        description="the direction in which ties are settled",
        source="L150; counter: L17",
        rule="Y6",
        words={"clockwise": "clockwise from him", "counter": "the other way round"},
    )
    pick_order: Literal["pay-special-take", "take-special-pay"] = switch(
        "pay-special-take",
        title="a pick",
        description="the order of paying, specials and taking",
        source="L116-119; L18-20",
        rule="Y20",
        words={"pay-special-take": "pay, specials, take", "take-special-pay": "take, specials, pay"},
    )
    take: Literal["optional", "must"] = switch(
        "optional",
        title="taking a card",
        description="whether the picker may take nothing",
        source="L116; ruling U15",
        rule="Y29",
        words={"optional": "is free", "must": "is a duty"},
    )
    gate: Literal["none", "contribution", "mogfather"] = switch(
        "contribution",
        title="specials need",
        description="what a player needs in this turn to use special cats",
        source="L74, L118; mogfather: L243, a note",
        rule="Y22",
        words={"none": "nothing", "contribution": "a coin paid in this turn", "mogfather": "the Mogfather"},
    )
    copycat: Literal["discard", "swap"] = switch(
        "discard",
        title="a used copycat",
        description="where a used copycat goes",
        source="L58; swap: L19",
        rule="Y25",
        words={"discard": "is thrown away", "swap": "goes to the supply"},
    )
    copy_limit: Literal["unlimited", "one"] = switch(
        "unlimited",
        title="copycats in a turn",
        description="how often a copycat or a trade may be used in one turn",
        source="L249; ruling U21",
        rule="Y25",
        words={"unlimited": "as many as there are", "one": "only one"},
    )
    trade_in: bool = switch(
        True,
        title="other special cats",
        description="every special cat of the deck may be traded in like a copycat",
        source="L225",
        rule="Y26",
        words={"no": "only do what they can", "yes": "can be traded in, too"},
    )
    unbought: Literal["stay", "discard"] = switch(
        "discard",
        title="specials that nobody took",
        description="whether special cards stay in the supply at the end of a round",
        source="L202",
        rule="Y32",
        words={"stay": "stay on offer", "discard": "leave the supply"},
    )
    unbought_coin: int = switch(
        0,
        ge=0,
        le=99,
        title="coins on each card left",
        description="coins laid on each card that nobody took in a round",
        source="L201, a note; ruling U52",
        rule="Y33",
    )
    starters: Literal["pair", "single"] = switch(
        "pair",
        title="each begins with",
        description="a shadow kitten and a secret lair, or one card that is both",
        source="L76; single: L53",
        rule="S3",
        words={"pair": "a kitten and a lair", "single": "one card that is both"},
    )
    start_sides: Literal["plain", "choice", "custom"] = switch(
        "plain",
        title="sides of the starting cards",
        description="plain for all, custom for all, or each player's sealed choice",
        source="L227-231, L243, notes",
        rule="S3",
        needs={"starters": ["pair"]},
        words={"plain": "plain for all", "choice": "each player chooses", "custom": "custom for all"},
    )
    copycats: int = switch(
        4, ge=0, le=4, title="copycats in the deck", description="the first of the deck file", source="ours", rule="S2"
    )
    curiosities: int = switch(
        4, ge=0, le=4, title="curiosity cats in the deck", description="the first of the file", source="ours", rule="S2"
    )
    catapults: int = switch(
        0,
        ge=0,
        le=8,
        title="catapult cards in the deck",
        description="cards for attack and defence, the first of the deck file",
        source="L202, L241",
        rule="S2",
    )
    catapult_form: Literal["double", "separate"] = switch(
        "double",
        title="catapult cards",
        description="attack and defence on one card, or in turn on one card each",
        source="L190",
        rule="Y29",
        words={"double": "have both sides", "separate": "attack or defend"},
    )
    yarn: int = switch(
        0, ge=0, le=6, title="balls of yarn in the deck", description="the first of the file", source="L202", rule="S2"
    )
    territories: int = switch(
        6,
        ge=0,
        le=6,
        title="territories in the deck",
        description="the first of the file",
        source="L233, L241",
        rule="S2",
    )
    territory_reading: Literal["k-kill", "t-trash"] = switch(
        "k-kill",
        title="a territory costs more",
        description="which of its two printed costs is for trashing",
        source="L233; ruling U01",
        rule="U01",
        words={"k-kill": "to trash", "t-trash": "to keep"},
    )
    mog_moves: Literal["round", "at-once"] = switch(
        "round",
        title="the Mogfather moves",
        description="once a round, or with each payment that makes somebody's the largest",
        source="L127; at-once: L43, a note",
        rule="Y35",
        words={"round": "once a round", "at-once": "at once"},
    )
    mog_holds: Literal["all", "0", "1"] = switch(
        "all",
        title="houses the Mogfather holds",
        description="how many unfilled houses the keeper may hold",
        source="L132; 1: L37",
        rule="Y46",
        words={"all": "all of them", "0": "none", "1": "one"},
    )
    tithe: int = switch(
        1,
        ge=0,
        le=99,
        title="coins for the Mogfather",
        description="what each other player gives to the keeper's fund in a round",
        source="L235",
        rule="Y38",
    )
    second_feed: bool = switch(
        False,
        title="after the picks",
        description="a second chance to contribute after the picks",
        source="L61, a note",
        rule="Y31",
        words={"no": "nobody contributes again", "yes": "all may contribute once more"},
    )
    diss: Literal["none", "zero", "least", "least-total"] = switch(
        "none",
        title="a coin is fined",
        description="who pays a fine of one coin",
        source="L57, a note",
        rule="Y37",
        words={
            "none": "from nobody",
            "zero": "from whoever gave nothing",
            "least": "from whoever gave least",
            "least-total": "from the smallest fund",
        },
    )
    final_favour: bool = switch(
        False,
        title="the Mogfather at the end",
        description="whether he moves once more, to the largest cash at the end",
        source="L27",
        rule="Y55",
        words={"no": "stays", "yes": "goes to the largest cash"},
    )
    retain_cost: int = switch(
        0,
        ge=0,
        le=99,
        title="coins to retain a house",
        description="what an unfilled house can be retained for; 0: it cannot",
        source="L37, a note",
        rule="Y47",
    )
    upkeep: bool = switch(
        False,
        title="upkeep of large cats",
        description="large cats cost a coin a round",
        source="L39, a note",
        rule="Y51",
        words={"no": "free", "yes": "to be paid"},
    )
    geography: bool = switch(
        False,
        title="districts",
        description="after a raid a cat serves only there and next door in the following round",
        source="L41, a note",
        rule="Y52",
        words={"no": "mean nothing", "yes": "hold cats back after a raid"},
    )
    early_boost: int = switch(
        0,
        ge=0,
        le=99,
        title="bonus for early payments",
        description="a payment brings this much more, less the dogs that are out",
        source="L211, a note",
        rule="Y58",
    )
    round_cap: int = switch(
        0,
        ge=0,
        le=1_000_000,
        description="rounds after which the game stops and is scored, flagged as capped; 0: never",
        source="ruling U79",
        rule="U79",
    )
    keeper: str | None = switch(
        None,
        title="the Mogfather begins with",
        description="a player's name or random; none: drawn by lot, too. A rematch names the last keeper",
        source="L99; rule S5",
        rule="S5",
        words={"none": "a player drawn by lot", "random": "a player drawn by lot"},
    )
    deck: str = switch(
        "",
        title="deck",
        description="the text of a deck file; empty: the reconstructed deck. "
        "At the command line deck=FILE reads the file",
        source="section 2.3",
        rule="S2",
        file=True,
        words={"": "the reconstructed one"},
    )

    @field_validator("visible", "mog_holds", mode="before")
    @classmethod
    def _word(cls, value: Any) -> Any:
        """Numbers among the words may be given as numbers."""
        return str(value) if type(value) is int else value

    @field_validator("deck")
    @classmethod
    def _readable(cls, value: str) -> str:
        cards.read_deck(value)
        return value

    @model_validator(mode="after")
    def _sensible(self) -> Self:
        """The two pairs of values that contradict each other."""
        if self.gate == "contribution" and self.pick_order == "take-special-pay":
            raise ValueError("gate=contribution needs paying before the specials, so not pick_order=take-special-pay")
        if self.starters == "single" and self.start_sides != "plain":
            raise ValueError("starters=single has one plain card, so start_sides is plain")
        return self

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        """Simulations stop after 60 rounds: players may take nothing for ever (U79)."""
        del seats
        return {"round_cap": 60}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        """The keeper's seat, -1 to draw it, and the deck in numbers.

        Refusal E_SETUP when nobody is called so or there are too few dogs, E_DECK_FILE when there are too few starting
        cards for so many players.
        """
        deck, seats = cards.kept_deck(self.deck), len(players)
        if self.end == "dogs" and seats + self.dog_margin > len(deck.dogs):
            raise Refusal(
                "E_SETUP",
                f"dog_margin={self.dog_margin} with {seats} players needs {seats + self.dog_margin} dogs (S1); "
                f"the deck has {len(deck.dogs)}",
            )
        deck.check_players(seats)
        used = {"copycat": self.copycats, "curiosity": self.curiosities, "catapult": self.catapults}
        used |= {"yarn": self.yarn, "territory": self.territories}
        separate, swapped = self.catapult_form == "separate", self.territory_reading == "t-trash"
        numbers = deck.numbers(used, self.end != "deck", separate, swapped)
        held = {"keeper": self._keeper(players), "must_take": self.code("take", seats)}
        return super().encode(players) | held | numbers

    def _keeper(self, players: Sequence[str]) -> int:
        if self.keeper is None or self.keeper.lower() == "random":
            return -1
        seat = seat_called(self.keeper, players)
        if seat is None and len(self.keeper) == 1:
            seat = LETTERS[: len(players)].find(self.keeper.upper())
        if seat is None or seat < 0:
            raise Refusal("E_SETUP", f"keeper: nobody is called {self.keeper!r}; say one of {', '.join(players)}")
        return seat

    def again(self, state: Any, names: Sequence[str], chairs: Sequence[str]) -> Self:
        """The last keeper begins with the Mogfather, or the next one clockwise who sits down again (S5).

        While a chair is free he may still leave, so his chair is named and not he.
        """
        from_keeper = [names[(int(state.keeper) + step) % len(names)] for step in range(len(names))]
        found = next((name for name in from_keeper if name in chairs), None)
        if found is not None and "" in chairs:
            found = LETTERS[chairs.index(found)]
        return self.model_copy(update={"keeper": found})

    @classmethod
    def in_words(cls, name: str, value: Any) -> str:
        """See `Options`; a deck by its name."""
        return cards.read_deck(value).name if name == "deck" and value else super().in_words(name, value)

    @classmethod
    def _held(cls) -> list[str]:
        """The switches that have a field of their name: a record has a ``take`` of NumPy's."""
        return [name for name in super()._held() if name != "take"]

    @classmethod
    def fields(cls) -> dict[str, Field]:
        """See `Options`; the field of ``take`` is called ``must_take``."""
        return super().fields() | {"must_take": cls._field("take")}

    @classmethod
    def changed(cls, state: Any) -> dict[str, Any]:
        """The switches that a state holds otherwise than they are printed; a deck as one word (`cards.packed`)."""
        deck, must = cards.deck_of(state), int(state.must_take)
        found = super().changed(state) | ({"take": "must"} if must else {})
        return found | ({"deck": cards.packed(deck.text)} if deck.text else {})

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Self:
        """Options from a mapping, with a deck as text or packed. Refusal E_SETUP, or E_DECK_FILE for the deck."""
        given = values.get("deck")
        if isinstance(given, str):
            text = cards.unpacked(given)
            cards.read_deck(text)
            values = {**values, "deck": text}
        return super().build(values)
