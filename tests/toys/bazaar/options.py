"""Rule switches of Bazaar."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from backroom.engine.game import Options


class BazaarOptions(Options):
    presets: ClassVar[dict[str, dict[str, Any]]] = {"short": {"target": 5}}

    target: int = Field(6, ge=4, le=12, description="coins that end the game")
    tie: Literal["chance", "low"] = Field("chance", description="who wins a tied auction: a coin, or the lowest seat")
    bids: Literal["open", "sealed"] = Field("open", description="whether losing bids are shown")
    max_rounds: int | None = Field(None, ge=1, le=100, description="program guard")

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"max_rounds": 100}
