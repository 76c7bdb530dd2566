"""The rule switches of Corporation."""

from typing import Any, ClassVar, Literal

from backroom.engine.options import Options, switch

__all__ = ["CorporationOptions"]


class CorporationOptions(Options):
    """Defaults are the rules as posted by the publisher; the rest settles what they leave open."""

    move_words: ClassVar[frozenset[str]] = frozenset({"card", "say", "claim", "ask", "pass"})
    to_try: ClassVar[dict[str, Any]] = {"cards": "ranks"}
    simulation_only: ClassVar[frozenset[str]] = frozenset({"max_rounds"})

    target: int = switch(
        150,
        ge=10,
        le=1000,
        title="points that end it",
        description="the game ends after the round in which somebody reaches them",
        source="S",
        rule="K11",
    )
    cards: Literal["change", "ranks"] = switch(
        "change",
        title="cards of each player",
        description="the values that everybody owns once each",
        source="S / X2",
        rule="K1",
        words={"change": "1 3 5 7 10", "ranks": "1 to the number of players"},
    )
    after_reward: Literal["reform", "dissolve"] = switch(
        "reform",
        title="a rewarded corporation",
        description="members of a rewarded corporation form it anew with the new cards, or take both cards back",
        source="S, KR6",
        rule="K8",
        words={"reform": "kept together on its new cards", "dissolve": "dissolved, both cards taken back"},
    )
    tie: Literal["share", "more"] = switch(
        "share",
        title="equal at the top",
        description="equal highest scores share the win, or rounds go on until one leads alone",
        source="R, KR10",
        rule="K11",
        words={"share": "a shared win", "more": "more rounds until one leads"},
    )
    talk: Literal["open", "off"] = switch(
        "open",
        title="talk",
        description="always aloud, before the cards are turned",
        source="S",
        rule="K12",
        words={"open": "open to all", "off": "none"},
    )
    talk_log: Literal["keep", "once"] = switch(
        "keep",
        title="what was said",
        description="messages may be reread, or each is shown once, until somebody places a card",
        source="R, KR13",
        rule="K12",
        needs={"talk": ["open"]},
        words={"keep": "kept to be read again", "once": "shown once"},
    )
    talk_limit: int | None = switch(
        None,
        ge=0,
        le=50,
        title="messages of each, a round",
        description="0 to 50; none: as many as they like",
        source="program guard",
        rule="K12",
        needs={"talk": ["open"]},
        words={"none": "as many as you like"},
    )
    max_rounds: int | None = switch(
        None,
        ge=1,
        le=1_000_000,
        description="rounds after which the game stops unfinished",
        source="program guard, KR14",
    )

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"talk_limit": 5, "max_rounds": 200}
