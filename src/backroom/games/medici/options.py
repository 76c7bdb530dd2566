"""The rule switches of Court of the Medici and Fringe Powers."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from backroom.engine.game import Options, Refusal

__all__ = ["MediciOptions"]


BASE, FRINGE, BOTH = [2], [3, 4], [2, 3, 4]
"""For how many players a switch of one of the two games matters."""


def _extra(rule: str, seats: list[int] = BOTH, **words: str) -> dict[str, Any]:
    source, _, number = rule.partition(", ")
    return {"source": source, "rule": number, "seats": seats, "words": words}


class MediciOptions(Options):
    """Defaults are the printed rules as far as they are known; the rest settles what they leave open."""

    simulation_only: ClassVar[frozenset[str]] = frozenset({"turn_cap"})

    game: Literal["base", "fringe"] | None = Field(
        None,
        title="which game",
        description="the 2-player game or Fringe Powers for 3-4; none: by the number of players",
        # The number of players decides it, so that no table has a choice.
        json_schema_extra={"source": "seed L4", "seats": []},
    )
    control: Literal["majority", "plurality"] = Field(
        "majority",
        title="control needs",
        description="an alliance belongs to the house with more than half of its value, or with the highest sum",
        json_schema_extra=_extra("seed L47, M41", FRINGE, majority="more than half", plurality="the highest sum"),
    )
    plurality_tie: Literal["none", "top"] = Field(
        "none",
        title="control at equal sums",
        description="equal highest sums: nobody controls, or the tied house whose card lies nearest the top",
        json_schema_extra=_extra("Q13, M41", FRINGE, none="nobody’s", top="that of the noble nearest the top"),
    )
    spy_defends: bool = Field(
        False,
        title="a lone Spy in a target",
        description="a house's only Spy in a target controls it for defence",
        json_schema_extra=_extra("Q16, M44", FRINGE, no="without control", yes="in control, for defence"),
    )
    bodyguard_scope: Literal["single", "any"] = Field(
        "single",
        title="Bodyguards help",
        description="Bodyguards help only a noble singled out, or also when a whole stack is hit",
        json_schema_extra=_extra(
            "Q20, M65", FRINGE, single="only a noble singled out", any="also in a stack hit as a whole"
        ),
    )
    bodyguard_saves: Literal["any_house", "own_house"] = Field(
        "any_house",
        title="a Bodyguard saves",
        description="whose nobles a Bodyguard can save",
        json_schema_extra=_extra(
            "Q21, M65", FRINGE, any_house="nobles of any house", own_house="nobles of the own house"
        ),
    )
    lone_scapegoat: bool = Field(
        True,
        title="scapegoats save",
        description="a lone noble may be saved by a scapegoat",
        json_schema_extra=_extra("Q26, M67", FRINGE, yes="lone nobles too", no="only nobles in company"),
    )
    fringe_after_turn: Literal["hidden", "usable"] = Field(
        "hidden",
        title="a scapegoat can be",
        description="whether a face-down fringe card may be a scapegoat",
        json_schema_extra=_extra("Q28, M36", FRINGE, hidden="only a fringe card face up", usable="one face down, too"),
    )
    fringe_refill: Literal["none", "reveal"] = Field(
        "none",
        title="a fringe card that was struck",
        description="whether a discarded fringe card is replaced at once from the deck",
        json_schema_extra=_extra("Q30, M61", FRINGE, none="left empty", reveal="replaced at once"),
    )
    limit_follows_fringe: bool = Field(
        False,
        title="a new permanent fringe card",
        description="the limit becomes the value of a new permanent fringe card",
        json_schema_extra=_extra("Q35, M72", FRINGE, no="without a new limit", yes="with its value as limit"),
    )
    jester_limit: Literal[10, 1] = Field(
        10,
        title="limit of a Jester as last card",
        description="the limit set by a Jester as last card",
        json_schema_extra=_extra("Q36, M71"),
    )
    empty_ic_ends: bool = Field(
        False,
        title="at an empty Inner Circle",
        description="an empty Inner Circle at a round's end ends the game",
        json_schema_extra=_extra("Q41, M85", FRINGE, no="just the next round", yes="the end, after the round"),
    )
    base_conspire: Literal["one", "all"] = Field(
        "one",
        title="a conspiracy hits",
        description="2 players: a conspiracy hits one stack of its value, or all",
        json_schema_extra=_extra("code, M24", BASE, one="one stack of its worth", all="every stack of its worth"),
    )
    base_last_card: Literal["hand", "marker"] = Field(
        "hand",
        title="the last card",
        description="2 players: the last card joins the hand, or is laid aside",
        json_schema_extra=_extra("Q37, M26", BASE, hand="taken to the hand", marker="laid aside"),
    )
    base_end: Literal["cannot_play", "decks_empty"] = Field(
        "cannot_play",
        title="the end",
        description="2 players: the game ends when somebody cannot play, or also when both decks are empty",
        json_schema_extra=_extra(
            "guru, M27",
            BASE,
            cannot_play="only when somebody cannot play",
            decks_empty="also when both decks are empty",
        ),
    )
    turn_cap: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="turns taken after which the game stops and is scored unfinished; 0: never",
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
