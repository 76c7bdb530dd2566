"""The conformance suite: what every game must pass. Each ``check_...`` takes a game and raises AssertionError.

What only a game can know (conserved totals, node counts ...) stands in its folder (`backroom.engine.facts`).
"""
