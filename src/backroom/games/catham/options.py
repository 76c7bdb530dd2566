"""The rule switches of Catham City, with where each value comes from."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import field_validator

from backroom.engine.options import Options, switch, who_begins
from backroom.games.catham.cards import FACTIONS, IN_PLAY, LETTERS, letters_of

__all__ = ["FACTION_PRESETS", "CathamOptions"]

FACTION_PRESETS = {"first": "SRDMH", "calm": "JDOSR", "raid": "JDMPH"}
"""Named sets of factions; ``random`` draws one of all 56."""

_S = "printed rules"

EFFECT_OF = {"detective_extra": "D", "official_cards": "O", "police_cards": "P", "journalist_match": "J"}
"""Switches about the effect of one faction."""


class CathamOptions(Options):
    """Every switch of Catham City. The defaults are the printed rules with the first recommended factions."""

    simulation_only: ClassVar[frozenset[str]] = frozenset({"max_actions"})

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "first": {},
        "calm": {"factions": "calm"},
        "raid": {"factions": "raid"},
        "surprise": {"factions": "random", "first_player": "random"},
        "advanced": {"advanced": True},
    }

    preset_lines: ClassVar[dict[str, str]] = {
        "first": "The set the book advises for a first evening.",
        "calm": "Presents instead of robberies.",
        "raid": "Three ways into somebody’s hand.",
        "surprise": "One of 56 sets, and who begins, drawn when all have sat down.",
        "advanced": "Two actions a turn, for those who know the cats.",
    }

    first_player: str | None = who_begins(
        description="A player's name or random. None: the first player listed.",
        source="left open by the printed rules; ruling CR1",
    )
    factions: str = switch(
        "first",
        title="factions",
        description="Which five factions are in play: first (SRDMH), calm (JDOSR), raid (JDMPH), random (one of the "
        f"56 sets), or five different letters of {LETTERS}.",
        source="first: printed rules; other named sets: ours",
        rule="CR45",
        suggestions=[*FACTION_PRESETS, "random"],
        words={"first": "the first set", "calm": "the calm set", "raid": "the raid set", "random": "drawn by lot"},
    )
    target: int | None = switch(
        None,
        ge=5,
        le=30,
        title="first to",
        description="Points that win at once, 5 to 30. None: 16 for two or three players, 13 for four to six.",
        source=_S,
        rule="C10",
        by_seats={2: 16, 3: 16, 4: 13, 5: 13, 6: 13},
    )
    advanced: bool = switch(
        False,
        title="actions in a turn",
        description="Two whole actions in each turn instead of one.",
        source=f"{_S}, version for experienced players",
        rule="C28",
        words={"no": "one", "yes": "two"},
    )
    hands: Literal["seats", "flat6", "flat7", "flat8"] = switch(
        "seats",
        title="cards dealt",
        description="6, 6, 7, 7, 8, 8 in turn order (seats), or as many to everybody.",
        source=f"seats: {_S}; flat ones are for experiments",
        rule="CR46",
        words={
            "seats": "more to later players",
            "flat6": "6 to everybody",
            "flat7": "7 to everybody",
            "flat8": "8 to everybody",
        },
    )
    detective_extra: Literal["any", "other"] = switch(
        "any",
        title="the detectives’ extra card",
        description="Extra card of the detectives: any faction, or any but detectives.",
        source=f"any: {_S}, ruling CR18; other: one review",
        words={"any": "of any faction", "other": "of another faction"},
    )
    official_cards: Literal["discard", "keep"] = switch(
        "discard",
        title="cards officials score with",
        description="Opened cards that score: discarded, or kept face up as the points that they are.",
        source="ruling CR20",
        words={"discard": "thrown away", "keep": "kept as the points"},
    )
    police_cards: Literal["return", "discard"] = switch(
        "return",
        title="cards laid out for the police",
        description="Cards laid out in a police search: back to the victim's hand, or discarded.",
        source="ruling CR28",
        words={"return": "given back", "discard": "thrown away"},
    )
    journalist_match: Literal["gift", "journalist"] = switch(
        "gift",
        title="who gives a card throws away",
        description="What the giver of a gift discards: a card of the gift's faction, or a journalist (the gift is "
        "then seen by giver and receiver only).",
        source=f"gift: {_S}, ruling CR15",
        words={"gift": "its twin", "journalist": "a journalist"},
    )
    end_check: Literal["immediate", "after_effect"] = switch(
        "immediate",
        title="the target ends it",
        description="The game ends the moment it is reached, or when the effect is finished.",
        source=f"immediate: {_S}; after_effect: ruling CR35",
        rule="CR35",
        words={"immediate": "at once", "after_effect": "when the effect is finished"},
    )
    max_actions: int | None = switch(
        None,
        ge=1,
        le=1_000_000,
        description="Stop after so many actions with the result unfinished: a guard for simulations.",
        source="ruling CR43",
    )

    @field_validator("factions")
    @classmethod
    def _five_factions(cls, value: str) -> str:
        if value.lower() in (*FACTION_PRESETS, "random"):
            return value.lower()
        try:
            found = letters_of(value)
        except KeyError as problem:
            raise ValueError(
                f"{problem.args[0]!r} is no faction; say {', '.join(FACTION_PRESETS)}, random or {IN_PLAY} letters of "
                f"{', '.join(f'{faction.letter} {faction.word}' for faction in FACTIONS)}"
            ) from None
        if len(found) != IN_PLAY or len(set(found)) != IN_PLAY:
            raise ValueError(
                f"a game has {IN_PLAY} different factions, this names {len(set(found))} in {len(found)} letters"
            )
        return value.upper()

    def cards_of(self, name: str) -> tuple[tuple[str, str], ...]:
        """The factions in play, where they are known before the draw."""
        if name != "factions" or self.factions == "random":
            return ()
        named = [FACTIONS[number] for number in letters_of(FACTION_PRESETS.get(self.factions, self.factions))]
        return tuple((faction.letter, faction.word) for faction in named)

    def matters(self, name: str, seats: int) -> bool:
        """The effect of a faction that is not in play matters to nobody."""
        known = dict(self.cards_of("factions"))
        return super().matters(name, seats) and (not known or EFFECT_OF.get(name, next(iter(known))) in known)

    @classmethod
    def picks(cls, name: str) -> tuple[int, tuple[tuple[str, str], ...]]:
        """The factions are picked among all eight."""
        if name != "factions":
            return super().picks(name)
        return IN_PLAY, tuple((faction.letter, faction.word) for faction in FACTIONS)

    @classmethod
    def picked(cls, name: str, keys: Sequence[str]) -> str:
        """A named set by its name, whatever the order of its letters."""
        if "random" in keys:
            return "random"
        named = (known for known, letters in FACTION_PRESETS.items() if sorted(letters) == sorted(keys))
        return next(named, "".join(keys))

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        """Simulations stop after 2000 actions (CR43), whatever the number of players."""
        del seats
        return {"max_actions": 2000}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        """``factions`` are five numbers, -1 to draw them."""
        letters = FACTION_PRESETS.get(self.factions, self.factions)
        drawn = letters == "random"
        return super().encode(players) | {"factions": [-1] * IN_PLAY if drawn else letters_of(letters)}
