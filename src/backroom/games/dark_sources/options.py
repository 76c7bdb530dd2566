"""The rule switches of Dark Sources."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from backroom.engine.game import Options, Refusal
from backroom.engine.names import seat_called

__all__ = ["DarkSourcesOptions"]


class DarkSourcesOptions(Options):
    """Defaults are the rules as posted by the publisher; the rest settles what they leave open."""

    move_words: ClassVar[frozenset[str]] = frozenset({"swap", "row", "pass"})

    owner: str | None = Field(
        None,
        title="who begins",
        description="who starts: a player's name or random; none: the first player named",
        json_schema_extra={
            "source": "S",
            "rule": "D1",
            "words": {"none": "the first one named", "random": "drawn by lot"},
        },
    )
    row: Literal["ascending", "shuffled", "chosen"] = Field(
        "ascending",
        title="the rows at the start",
        description="how the five cards lie at the start; chosen: as each player likes, the owner first",
        json_schema_extra={
            "source": "R, DR3",
            "rule": "D5",
            "words": {"ascending": "in rising order", "shuffled": "in shuffled order", "chosen": "as each likes"},
        },
    )
    memory: Literal["play", "notes", "open"] = Field(
        "play",
        title="what is shown",
        description="what is shown: nothing older than the last swap, all swaps without values, or everything",
        json_schema_extra={
            "source": "S / R, DR8",
            "rule": "D9",
            "words": {"play": "the last swap alone", "notes": "all swaps, without values", "open": "everything"},
        },
    )
    stall_limit: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        title="swaps in a row that turn nothing",
        description="swaps in a row that may turn no card",
        json_schema_extra={"source": "program guard, DR7", "rule": "D7", "words": {"none": "as many as you like"}},
    )

    @property
    def from_memory(self) -> bool:
        """D9: with ``memory=play`` nothing is recorded for anybody, by the program or through it."""
        return self.memory == "play"

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"stall_limit": 4 * seats}

    def encode(self, players: Sequence[str]) -> dict[str, Any]:
        return {
            "rotation": self._owner_index(players),
            "row": self.code("row"),
            "memory": self.code("memory"),
            "stall_limit": self.code("stall_limit"),
        }

    def _owner_index(self, players: Sequence[str]) -> int:
        if self.owner is None:
            return 0
        seat = seat_called(self.owner, players)
        if seat is not None:
            return seat
        if self.owner.lower() == "random":
            return -1
        raise Refusal("E_SETUP", f"owner {self.owner!r} is none of the players {', '.join(players)}")
