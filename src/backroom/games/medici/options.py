"""The rule switches of Court of the Medici and Fringe Powers."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import field_validator

from backroom.engine.options import Options, switch
from backroom.engine.refusal import Refusal

__all__ = ["MediciOptions"]


base_switch, fringe_switch = partial(switch, seats=[2]), partial(switch, seats=[3, 4])
"""Switches that matter in one of the two games."""


class MediciOptions(Options):
    """Defaults are the printed rules as far as they are known; the rest settles what they leave open."""

    simulation_only: ClassVar[frozenset[str]] = frozenset({"turn_cap"})

    to_try: ClassVar[dict[str, Any]] = {"jester_limit": 1}

    game: Literal["base", "fringe"] | None = switch(
        None,
        title="which game",
        description="the 2-player game or Fringe Powers for 3-4; none: by the number of players",
        source="seed L4",
        seats=[],  # the number of players decides it, so that no table has a choice
        by_seats={2: "base", 3: "fringe", 4: "fringe"},
    )
    control: Literal["majority", "plurality"] = fringe_switch(
        "majority",
        title="control needs",
        description="an alliance belongs to the house with more than half of its value, or with the highest sum",
        source="seed L47",
        rule="M41",
        words={"majority": "more than half", "plurality": "the highest sum"},
    )
    plurality_tie: Literal["none", "top"] = fringe_switch(
        "none",
        title="control at equal sums",
        description="equal highest sums: nobody controls, or the tied house whose card lies nearest the top",
        source="Q13",
        rule="M41",
        needs={"control": ["plurality"]},
        words={"none": "nobody’s", "top": "that of the noble nearest the top"},
    )
    spy_defends: bool = fringe_switch(
        False,
        title="a lone Spy in a target",
        description="a house's only Spy in a target controls it for defence",
        source="Q16",
        rule="M44",
        words={"no": "without control", "yes": "in control, for defence"},
    )
    bodyguard_scope: Literal["single", "any"] = fringe_switch(
        "single",
        title="Bodyguards help",
        description="Bodyguards help only a noble singled out, or also when a whole stack is hit",
        source="Q20",
        rule="M65",
        words={"single": "only a noble singled out", "any": "also in a stack hit as a whole"},
    )
    bodyguard_saves: Literal["any_house", "own_house"] = fringe_switch(
        "any_house",
        title="a Bodyguard saves",
        description="whose nobles a Bodyguard can save",
        source="Q21",
        rule="M65",
        words={"any_house": "nobles of any house", "own_house": "nobles of the own house"},
    )
    lone_scapegoat: bool = fringe_switch(
        True,
        title="scapegoats save",
        description="a lone noble may be saved by a scapegoat",
        source="Q26",
        rule="M67",
        words={"yes": "lone nobles too", "no": "only nobles in company"},
    )
    fringe_after_turn: Literal["hidden", "usable"] = fringe_switch(
        "hidden",
        title="a scapegoat can be",
        description="whether a face-down fringe card may be a scapegoat",
        source="Q28",
        rule="M36",
        words={"hidden": "only a fringe card face up", "usable": "one face down, too"},
    )
    fringe_refill: Literal["none", "reveal"] = fringe_switch(
        "none",
        title="a fringe card that was struck",
        description="whether a discarded fringe card is replaced at once from the deck",
        source="Q30",
        rule="M61",
        words={"none": "left empty", "reveal": "replaced at once"},
    )
    limit_follows_fringe: bool = fringe_switch(
        False,
        title="a new permanent fringe card",
        description="the limit becomes the value of a new permanent fringe card",
        source="Q35",
        rule="M72",
        words={"no": "without a new limit", "yes": "with its value as limit"},
    )
    jester_limit: Literal[10, 1] = switch(
        10,
        title="limit of a Jester as last card",
        description="the limit set by a Jester as last card",
        source="Q36",
        rule="M71",
    )
    empty_ic_ends: bool = fringe_switch(
        False,
        title="at an empty Inner Circle",
        description="an empty Inner Circle at a round's end ends the game",
        source="Q41",
        rule="M85",
        words={"no": "just the next round", "yes": "the end, after the round"},
    )
    base_conspire: Literal["one", "all"] = base_switch(
        "one",
        title="a conspiracy hits",
        description="2 players: a conspiracy hits one stack of its value, or all",
        source="code",
        rule="M24",
        words={"one": "one stack of its worth", "all": "every stack of its worth"},
    )
    base_last_card: Literal["hand", "marker"] = base_switch(
        "hand",
        title="the last card",
        description="2 players: the last card joins the hand, or is laid aside",
        source="Q37",
        rule="M26",
        words={"hand": "taken to the hand", "marker": "laid aside"},
    )
    base_end: Literal["cannot_play", "decks_empty"] = base_switch(
        "cannot_play",
        title="the end",
        description="2 players: the game ends when somebody cannot play, or also when both decks are empty",
        source="guru",
        rule="M27",
        words={"cannot_play": "only when somebody cannot play", "decks_empty": "also when both decks are empty"},
    )
    turn_cap: int = switch(
        0,
        ge=0,
        le=1_000_000,
        description="turns taken after which the game stops and is scored unfinished; 0: never",
        source="program guard, Q40",
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
        seats = len(players)
        if self.game not in (None, self.printed("game", seats)):
            wanted = "2 players" if self.game == "base" else "3 or 4 players"
            raise Refusal("E_SETUP", f"game={self.game} is for {wanted}, not {seats}")
        return super().encode(players)
