"""Times in words. `static/times.js` has the same words, for what goes on counting on screen."""

from backroom.text.english import counted

__all__ = [
    "A_MOVE_A_DAY", "OUT_OF_TIME", "PACES", "ago", "allowance", "duration", "lasting", "pace_word", "since",
    "time_left",
]  # fmt: skip

PACES = (0, 300, 24 * 3600, 36 * 3600, 3 * 86400)
"""The times for a decision that the lobby offers, in seconds; 0 is no limit."""
A_MOVE_A_DAY = 36 * 3600
"""The pace of that name: enough time for players who look in every evening."""
OUT_OF_TIME = {
    "skip": "the least the rules allow is played",
    "bot": "a bot makes that one move",
    "wait": "nobody is hurried",
}
"""What follows when time runs out, after "out of time:"."""

UNITS = ((86400, "day", "d"), (3600, "hour", "h"), (60, "minute", "min"), (1, "second", "s"))


def _largest(seconds: int) -> list[tuple[int, str, str]]:
    """The two largest units of a time, minutes at least, as (how many, word, short word); none of nothing."""
    place = next((place for place, (unit, _, _) in enumerate(UNITS[:3]) if seconds >= unit), 3)
    found = []
    for unit, word, short in UNITS[:3][place : place + 2]:
        count, seconds = divmod(seconds, unit)
        if count:
            found.append((count, word, short))
    return found


def duration(seconds: int) -> str:
    """A length of time in its two largest units: 1 d 4 h, 3 h 20 min, 4 min, 50 s. Less than nothing is 0 s."""
    return " ".join(f"{count} {short}" for count, _, short in _largest(seconds)) or f"{max(0, seconds)} s"


def lasting(seconds: int) -> str:
    """The same in whole words: 3 days, 2 hours; 4 minutes.

    Seconds are not counted: a page that is fetched again in the same minute reads the same.
    """
    return ", ".join(counted(count, word) for count, word, _ in _largest(seconds)) or "less than a minute"


def time_left(until: int, now: int, word: str = " left") -> str:
    """How much time is left until then, with a word after it; once it is over, for how long it has been."""
    return duration(until - now) + word if until > now else f"{duration(now - until)} overdue"


def since(start: int, now: int, before: str = "") -> str:
    """How long ago it began, with a word before it; nothing in the first minute, in which nobody counts."""
    return before + duration(now - start) if now - start >= 60 else ""


def ago(then: int, now: int) -> str:
    """How long ago something was, as one says it: just now, 5 min ago, 3 h ago, yesterday, 4 d ago."""
    if now - then < 60:
        return "just now"
    if 86400 <= now - then < 2 * 86400:
        return "yesterday"
    return " ".join(duration(now - then).split()[:2]) + " ago"


def allowance(pace: int) -> str:
    """The time for a decision in whole words: no limit, 5 minutes, 24 hours, 3 days."""
    if not pace:
        return "no limit"
    for unit, word, _ in UNITS:
        if pace % unit == 0 and (unit < 86400 or pace > unit):
            return counted(pace // unit, word)
    raise AssertionError("every number of seconds is a number of seconds")


def pace_word(pace: int) -> str:
    """The pace of a table in few words: live, or how soon a move must come."""
    return f"a move within {allowance(pace)}" if pace else "live"
