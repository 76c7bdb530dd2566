"""Marks: what tells two states of a table apart as one browser sees it (`views.Mark`).

They are read from the store alone, so no match is loaded to find out that nothing has changed.
"""

import hashlib
import json
from collections.abc import Sequence

from backroom.tables import watchers
from backroom.tables.live import held
from backroom.tables.owed import HINT
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.views import Mark

__all__ = ["mark"]


def mark(t: Transaction, row: TableRow, chairs: Sequence[ChairRow], holder: str) -> Mark:
    """The mark of a table for the holder of a token (its hash)."""
    mine = held(chairs, holder)
    own: list[object] = [holder == row.creator]
    if mine is not None:
        person = t.person(holder)
        mail = (person.address, person.confirmed) if person is not None else None
        hint = t.finding(row.id, HINT)
        own += [mine.number, t.device_count(row.id, holder), mine.draft, mine.plan, mine.notes, mine.tell, mail]
        own += [hint.entry, hint.found] if hint is not None else []
    else:
        watcher = t.watcher(row.id, holder)
        own += [watcher.name, watcher.follows, watchers.asks(watcher)] if watcher is not None else []
    digest = hashlib.sha256(json.dumps(own).encode()).hexdigest()
    return Mark(row.entry, row.revision, mine.number if mine is not None else None, digest[:16])
