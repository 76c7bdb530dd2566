"""Our server as the benchmark runs it: in a process of its own, which says what it has used.

The first line of its output has its address; then each line of its input is answered by the seconds of processor time
that the process has used up to now.
"""

import sys
import threading
import time

from backroom.web import serve


def answer() -> None:
    """Answer each line of the input."""
    for _ in sys.stdin:
        print(time.process_time(), flush=True)


def main() -> None:
    """Serve the tables of the database that is named."""
    threading.Thread(target=answer, daemon=True).start()
    serve(port=0, database_url=sys.argv[1])


if __name__ == "__main__":
    main()
