"""The conformance suite: what every game must pass. Each ``check_...`` takes a game and raises AssertionError.

`test_conformance.py` runs all of them over the registry; `test_conformance_bites.py` runs them over toys that are
broken on purpose. What only a game can know (conserved totals, node counts ...) stands in ``facts/<game>.py``.
"""
