"""What tables cost that owe nothing: ``python -m benchmarks.idle [SECONDS]``, in queries and processor time."""

import sys
import tempfile
import time
from dataclasses import replace
from typing import Any

import sqlalchemy as sql

from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest

__all__ = ["idle"]

TABLES = 1000


def idle(seconds: float) -> tuple[int, float]:
    """The queries and the processor time (in seconds) of a server with TABLES tables of people who take their time."""
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables.open(f"sqlite:///{folder}/tables.sqlite3")
        chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
        table = tables.create("anna", "dark_sources", chairs)
        tables.sit(table, "ben", tables.view(table, "anna").chairs[1].invite, "Ben")
        with tables.store.write() as t:
            row, people = t.table(table), t.chairs(table)
            for number in range(1, TABLES):
                t.add(replace(row, id=f"copy{number}", create_id=f"copy{number}"))
                for chair in people:
                    t.add(replace(chair, table_id=f"copy{number}"))
        queries = 0

        @sql.event.listens_for(tables.store.engine, "before_cursor_execute")
        def count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            nonlocal queries
            queries += not statement.startswith("BEGIN")

        begun = time.process_time()
        time.sleep(seconds)
        took = time.process_time() - begun
        tables.close()
    return queries, took


if __name__ == "__main__":
    span = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    asked, used = idle(span)
    print(f"{TABLES} tables that owe nothing, {span:.0f} s: {asked} queries, {100 * used / span:.3f} % of a core")
