"""Work on all cores in threads (kernels release the interpreter lock) whose end nobody has to wait for."""

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["THREAD", "aside", "cores", "in_order"]

T = TypeVar("T")
R = TypeVar("R")

WAKING = 0.2
"""Seconds. A signal that the system hands to a worker wakes nobody who waits: so one looks as often as this."""
THREAD = "backroom-task"
"""Name of the threads. One that works on when the process is to end must be left: it is in compiled code."""


def cores() -> int:
    """The number of processor cores this process may use: the default number of workers."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(task: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """The results of a task for each item, in the items' order.

    ``items`` are taken one at a time, when a worker is free. An error of a task is raised in its place. A caller
    that stops early, by Ctrl-C too, waits for no worker: each ends after its task, or with the process.
    """
    left, lock = enumerate(items), threading.Lock()
    done: queue.SimpleQueue[tuple[int, R | None, BaseException | None] | None] = queue.SimpleQueue()
    stopped = threading.Event()

    def work() -> None:
        try:
            while not stopped.is_set():
                with lock:
                    entry = next(left, None)
                if entry is None:
                    return
                try:
                    done.put((entry[0], task(entry[1]), None))
                except BaseException as problem:
                    done.put((entry[0], None, problem))
        finally:
            done.put(None)

    for _ in range(workers):
        threading.Thread(target=work, name=THREAD, daemon=True).start()
    try:
        waiting: dict[int, tuple[R | None, BaseException | None]] = {}
        working, following = workers, 0
        while working or waiting:
            try:
                entry = done.get(timeout=WAKING)
            except queue.Empty:
                continue
            if entry is None:
                working -= 1
                continue
            waiting[entry[0]] = entry[1:]
            while following in waiting:
                result, problem = waiting.pop(following)
                if problem is not None:
                    raise problem
                following += 1
                yield result  # type: ignore[misc]
    finally:
        stopped.set()


def aside(call: Callable[[], R]) -> R:
    """The result of a call, made in a thread: Ctrl-C ends the wait for it at once, even where a compiler works."""
    (result,) = in_order(lambda _: call(), (None,), 1)
    return result
