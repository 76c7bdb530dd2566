"""What time it is for the tables."""

import time

__all__ = ["now"]


def now() -> int:
    """Seconds since 1970."""
    return int(time.time())
