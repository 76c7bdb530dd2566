"""The rule switches of Catham City, with where each value comes from."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from backroom.engine.game import Options, Refusal
from backroom.engine.names import seat_called
from backroom.games.catham.cards import FACTIONS, IN_PLAY, LETTERS, letters_of

__all__ = ["FACTION_PRESETS", "CathamOptions", "standard_target"]

FACTION_PRESETS = {"first": "SRDMH", "calm": "JDOSR", "raid": "JDMPH"}
"""Named sets of factions; ``random`` draws one of all 56."""

_S = "printed rules"


def standard_target(seats: int) -> int:
    """Points that win by the printed rules, by number of players."""
    return 16 if seats <= 3 else 13


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

    first_player: str | None = Field(
        None,
        title="who begins",
        description="Who begins: a player's name or random. None: the first player listed.",
        json_schema_extra={
            "source": "left open by the printed rules; ruling CR1",
            "words": {"none": "the first one named", "random": "drawn by lot"},
        },
    )
    factions: str = Field(
        "first",
        title="factions",
        description="Which five factions are in play: first (SRDMH), calm (JDOSR), raid (JDMPH), random (one of the "
        f"56 sets), or five different letters of {LETTERS}.",
        json_schema_extra={
            "source": "first: printed rules; other named sets: ours",
            "suggestions": [*FACTION_PRESETS, "random"],
            "words": {
                "first": "the first set",
                "calm": "the calm set",
                "raid": "the raid set",
                "random": "drawn by lot",
            },
        },
    )
    target: int | None = Field(
        None,
        ge=5,
        le=30,
        title="first to",
        description="Points that win at once, 5 to 30. None: 16 for two or three players, 13 for four to six.",
        json_schema_extra={"source": _S},
    )
    advanced: bool = Field(
        False,
        title="actions in a turn",
        description="Two whole actions in each turn instead of one.",
        json_schema_extra={
            "source": f"{_S}, version for experienced players",
            "words": {"no": "one", "yes": "two"},
        },
    )
    hands: Literal["seats", "flat6", "flat7", "flat8"] = Field(
        "seats",
        title="cards dealt",
        description="Cards dealt: 6, 6, 7, 7, 8, 8 in turn order (seats), or as many to everybody.",
        json_schema_extra={
            "source": f"seats: {_S}; flat ones are for experiments",
            "words": {
                "seats": "more to later players",
                "flat6": "6 to everybody",
                "flat7": "7 to everybody",
                "flat8": "8 to everybody",
            },
        },
    )
    detective_extra: Literal["any", "other"] = Field(
        "any",
        title="the detectives’ extra card",
        description="Extra card of the detectives: any faction, or any but detectives.",
        json_schema_extra={
            "source": f"any: {_S}, ruling CR18; other: one review",
            "words": {"any": "of any faction", "other": "of another faction"},
        },
    )
    official_cards: Literal["discard", "keep"] = Field(
        "discard",
        title="cards officials score with",
        description="Opened cards that score: discarded, or kept face up as the points that they are.",
        json_schema_extra={
            "source": "ruling CR20",
            "words": {"discard": "thrown away", "keep": "kept as the points"},
        },
    )
    police_cards: Literal["return", "discard"] = Field(
        "return",
        title="cards laid out for the police",
        description="Cards laid out in a police search: back to the victim's hand, or discarded.",
        json_schema_extra={
            "source": "ruling CR28",
            "words": {"return": "given back", "discard": "thrown away"},
        },
    )
    journalist_match: Literal["gift", "journalist"] = Field(
        "gift",
        title="who gives a card throws away",
        description="What the giver of a gift discards: a card of the gift's faction, or a journalist (the gift is "
        "then seen by giver and receiver only).",
        json_schema_extra={
            "source": f"gift: {_S}, ruling CR15",
            "words": {"gift": "its twin", "journalist": "a journalist"},
        },
    )
    end_check: Literal["immediate", "after_effect"] = Field(
        "immediate",
        title="the target ends it",
        description="When the target ends the game: the moment it is reached, or when the effect is finished.",
        json_schema_extra={
            "source": f"immediate: {_S}; after_effect: ruling CR35",
            "words": {"immediate": "at once", "after_effect": "when the effect is finished"},
        },
    )
    max_actions: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="Stop after so many actions with the result unfinished: a guard for simulations.",
        json_schema_extra={"source": "ruling CR43"},
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

    @classmethod
    def printed(cls, name: str, seats: int) -> Any:
        """The target depends on the number of players."""
        return standard_target(seats) if name == "target" else super().printed(name, seats)

    def cards_of(self, name: str) -> tuple[tuple[str, str], ...]:
        """The factions in play, where they are known before the draw."""
        if name != "factions" or self.factions == "random":
            return ()
        named = [FACTIONS[number] for number in letters_of(FACTION_PRESETS.get(self.factions, self.factions))]
        return tuple((faction.letter, faction.word) for faction in named)

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        """Simulations stop after 2000 actions (CR43), whatever the number of players."""
        del seats
        return {"max_actions": 2000}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        """The state's fields: options by number, ``factions`` (five numbers, -1 to draw them) and ``rotation``."""
        switches = (
            "advanced", "hands", "detective_extra", "official_cards", "police_cards", "journalist_match", "end_check",
            "max_actions",
        )  # fmt: skip
        coded: dict[str, Any] = {name: self.code(name) for name in switches}
        coded["target"] = standard_target(len(players)) if self.target is None else self.target
        letters = FACTION_PRESETS.get(self.factions, self.factions)
        coded["factions"] = [-1] * IN_PLAY if letters == "random" else letters_of(letters)
        coded["rotation"] = self._first(players)
        return coded

    def _first(self, players: Sequence[str]) -> int:
        if self.first_player is None:
            return 0
        if self.first_player.lower() == "random":
            return -1
        seat = seat_called(self.first_player, players)
        if seat is not None:
            return seat
        raise Refusal(
            "E_SETUP", f"first_player: nobody is called {self.first_player!r}; say one of {', '.join(players)}"
        )
