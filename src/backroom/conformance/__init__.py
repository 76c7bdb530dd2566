"""The conformance suite: what every game must pass (`backroom.conformance.suite`).

What only a game can know (conserved totals, node counts ...) stands in its folder (`backroom.engine.facts`).
"""
