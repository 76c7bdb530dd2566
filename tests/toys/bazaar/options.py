"""Rule switches of Bazaar."""

from typing import Any, ClassVar, Literal

from backroom.engine.options import Options, switch


class BazaarOptions(Options):
    presets: ClassVar[dict[str, dict[str, Any]]] = {"short": {"target": 5}}

    target: int = switch(6, ge=4, le=12, description="coins that end the game")
    tie: Literal["chance", "low"] = switch("chance", description="who wins a tied auction: a coin, or the lowest seat")
    bids: Literal["open", "sealed"] = switch("open", description="whether losing bids are shown")
    max_rounds: int | None = switch(None, ge=1, le=1000, description="program guard")

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"max_rounds": 100}
