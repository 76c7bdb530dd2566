"""The rule switches of Court of the Medici and Fringe Powers."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from backroom.engine.game import Options, Refusal

__all__ = ["MediciOptions"]


def _source(rule: str) -> dict[str, Any]:
    return {"source": rule.split(",", maxsplit=1)[0], "rule": rule.rsplit(" ", maxsplit=1)[-1]}


class MediciOptions(Options):
    """Defaults are the printed rules as far as they are known; the rest settles what they leave open."""

    simulation_only: ClassVar[frozenset[str]] = frozenset({"turn_cap"})

    game: Literal["base", "fringe"] | None = Field(
        None,
        description="the 2-player game or Fringe Powers for 3-4; none: by the number of players",
        json_schema_extra={"source": "seed L4"},
    )
    control: Literal["majority", "plurality"] = Field(
        "majority",
        description="an alliance belongs to the house with more than half of its value, or with the highest sum",
        json_schema_extra=_source("seed L47, M41"),
    )
    plurality_tie: Literal["none", "top"] = Field(
        "none",
        description="equal highest sums: nobody controls, or the tied house whose card lies nearest the top",
        json_schema_extra=_source("Q13, M41"),
    )
    spy_defends: bool = Field(
        False,
        description="a house's only Spy in a target controls it for defence",
        json_schema_extra=_source("Q16, M44"),
    )
    bodyguard_scope: Literal["single", "any"] = Field(
        "single",
        description="Bodyguards help only a noble singled out, or also when a whole stack is hit",
        json_schema_extra=_source("Q20, M65"),
    )
    bodyguard_saves: Literal["any_house", "own_house"] = Field(
        "any_house",
        description="whose nobles a Bodyguard can save",
        json_schema_extra=_source("Q21, M65"),
    )
    lone_scapegoat: bool = Field(
        True, description="a lone noble may be saved by a scapegoat", json_schema_extra=_source("Q26, M67")
    )
    fringe_after_turn: Literal["hidden", "usable"] = Field(
        "hidden",
        description="whether a face-down fringe card may be a scapegoat",
        json_schema_extra=_source("Q28, M36"),
    )
    fringe_refill: Literal["none", "reveal"] = Field(
        "none",
        description="whether a discarded fringe card is replaced at once from the deck",
        json_schema_extra=_source("Q30, M61"),
    )
    limit_follows_fringe: bool = Field(
        False,
        description="the limit becomes the value of a new permanent fringe card",
        json_schema_extra=_source("Q35, M72"),
    )
    jester_limit: Literal[10, 1] = Field(
        10, description="the limit set by a Jester as last card", json_schema_extra=_source("Q36, M71")
    )
    empty_ic_ends: bool = Field(
        False,
        description="an empty Inner Circle at a round's end ends the game",
        json_schema_extra=_source("Q41, M85"),
    )
    base_conspire: Literal["one", "all"] = Field(
        "one",
        description="2 players: a conspiracy hits one stack of its value, or all",
        json_schema_extra=_source("code, M24"),
    )
    base_last_card: Literal["hand", "marker"] = Field(
        "hand",
        description="2 players: the last card joins the hand, or is laid aside",
        json_schema_extra=_source("Q37, M26"),
    )
    base_end: Literal["cannot_play", "decks_empty"] = Field(
        "cannot_play",
        description="2 players: the game ends when somebody cannot play, or also when both decks are empty",
        json_schema_extra=_source("guru, M27"),
    )
    turn_cap: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="turns after which the game stops and is scored unfinished; 0: never",
        json_schema_extra={"source": "program guard, Q40"},
    )

    @field_validator("jester_limit", mode="before")
    @classmethod
    def _number(cls, value: Any) -> Any:
        """Forms and command lines send words."""
        return int(value) if isinstance(value, str) and value.isdecimal() else value

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"turn_cap": 400}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        game = self.game or ("base" if len(players) == 2 else "fringe")
        if (game == "base") != (len(players) == 2):
            wanted = "2 players" if game == "base" else "3 or 4 players"
            raise Refusal("E_SETUP", f"game={game} is for {wanted}, not {len(players)}")
        named = [name for name in type(self).model_fields if name != "game"]
        return {"game": int(game == "fringe"), "rotation": 0} | {name: self.code(name) for name in named}
