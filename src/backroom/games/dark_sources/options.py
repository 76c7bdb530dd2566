"""The rule switches of Dark Sources."""

from typing import Any, ClassVar, Literal

from backroom.engine.options import Options, switch, who_begins

__all__ = ["DarkSourcesOptions"]


class DarkSourcesOptions(Options):
    """Defaults are the rules as posted by the publisher; the rest settles what they leave open."""

    move_words: ClassVar[frozenset[str]] = frozenset({"swap", "row", "pass"})

    owner: str | None = who_begins(
        description="who starts: a player's name or random; none: the first player named", source="S", rule="D1"
    )
    to_try: ClassVar[dict[str, Any]] = {"memory": "notes"}

    row: Literal["ascending", "shuffled", "chosen"] = switch(
        "ascending",
        title="the rows at the start",
        description="how the five cards lie at the start; chosen: as each player likes, the owner first",
        source="R, DR3",
        rule="D5",
        words={"ascending": "in rising order", "shuffled": "in shuffled order", "chosen": "as each likes"},
    )
    memory: Literal["play", "notes", "open"] = switch(
        "play",
        title="what is shown",
        description="nothing older than the last swap, all swaps without values, or everything",
        source="S / R, DR8",
        rule="D9",
        words={"play": "the last swap alone", "notes": "all swaps, without values", "open": "everything"},
    )
    stall_limit: int | None = switch(
        None,
        ge=1,
        le=1_000_000,
        title="swaps in a row that turn nothing",
        description="after so many the game ends",
        source="program guard, DR7",
        rule="D7",
        words={"none": "as many as you like"},
    )

    @property
    def from_memory(self) -> bool:
        """D9: with ``memory=play`` nothing is recorded for anybody, by the program or through it."""
        return self.memory == "play"

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"stall_limit": 4 * seats}
