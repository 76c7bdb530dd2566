"""Spans of time as people say them."""

__all__ = ["lasting"]

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def lasting(seconds: int) -> str:
    """A span in its two largest units, the smaller left out where it is none: 3 days, 2 hours; 4 minutes; 1 second.

    Seconds are not told beside minutes.
    """
    seconds = max(seconds, 1)
    place = next(place for place, (unit, _) in enumerate(UNITS) if seconds >= unit)
    parts = []
    for unit, word in UNITS[place : place + (2 if UNITS[place][0] > 60 else 1)]:
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {word}{'s' if count != 1 else ''}")
    return ", ".join(parts)
