"""Spans of time as people say them."""

__all__ = ["lasting"]

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def lasting(seconds: int) -> str:
    """A span in its two largest units, the smaller left out where it is none: 3 days, 2 hours; 4 minutes.

    Seconds are not counted: a page that is fetched again in the same minute reads the same.
    """
    place = next((place for place, (unit, _) in enumerate(UNITS) if seconds >= unit), None)
    if place is None:
        return "less than a minute"
    parts = []
    for unit, word in UNITS[place : place + 2]:
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {word}{'s' if count != 1 else ''}")
    return ", ".join(parts)
