"""Rule switches of Kuhn poker."""

from backroom.engine.options import Options, switch


class KuhnOptions(Options):
    hands: int = switch(3, ge=1, le=9, title="hands", description="how many hands are played", rule="R4")
