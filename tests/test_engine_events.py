"""Events: what is recorded, who sees which argument, and what happens when a log is full."""

import pytest

from backroom.engine.events import EVERYBODY, Event, attach, emit, event, events
from backroom.engine.record import ALL_KNOWING, SPECTATOR

KINDS = events(
    3, 4,
    moved=event("from_", "to"),
    drew=event("card", private=("card",)),
    laid=event("whom", listed="cards", private=("cards",)),
    quiet=event(),
)  # fmt: skip
MOVED, DREW, LAID, QUIET = range(4)


def happened(*rows: tuple[int, ...], lists: dict[int, list[int]] | None = None) -> list[Event]:
    log = KINDS.new_log()
    for number, row in enumerate(rows):
        emit(log, *row)
        for value in (lists or {}).get(number, []):
            attach(log, value)
    return KINDS.read(log)


def test_numbers_follow_the_order_of_declaration() -> None:
    assert [KINDS.number(name) for name in ("moved", "drew", "laid", "quiet")] == [MOVED, DREW, LAID, QUIET]


def test_events_are_read_in_order_with_names_for_their_numbers() -> None:
    first, second, third = happened((MOVED, 1, EVERYBODY, 3, -4), (LAID, 0, 0b10, 2), (QUIET, -1), lists={1: [5, 6, 7]})
    assert (first.kind, first.seat, first.args) == ("moved", 1, {"from_": 3, "to": -4})
    assert (second.kind, second.args, second.see) == ("laid", {"whom": 2, "cards": (5, 6, 7)}, 0b10)
    assert (third.kind, third.seat, third.args) == ("quiet", -1, {})


@pytest.mark.parametrize(("viewer", "sees"), [(0, False), (1, True), (2, False), (3, True), (SPECTATOR, False)])
def test_private_arguments_are_for_those_who_may_see_them(viewer: int, sees: bool) -> None:
    [found] = happened((LAID, 0, 0b1010, 2), lists={0: [5]})
    assert found.seen_by(viewer).args == {"whom": 2, "cards": (5,) if sees else None}


def test_what_is_seen_no_longer_says_who_else_sees_it() -> None:
    [found] = happened((DREW, 0, 0b1, 2))
    for viewer in (0, 1, SPECTATOR, ALL_KNOWING):
        seen = found.seen_by(viewer)
        assert (seen.see, seen.private) == (EVERYBODY, frozenset())
    assert found.seen_by(ALL_KNOWING).args == {"card": 2}


def test_public_kinds_hide_nothing() -> None:
    [found] = happened((MOVED, 1, 0, 3, 4))
    assert found.seen_by(SPECTATOR).args == {"from_": 3, "to": 4}


def test_everybody_includes_spectators() -> None:
    [found] = happened((DREW, 0, EVERYBODY, 2))
    assert found.seen_by(SPECTATOR).args == {"card": 2}


def test_a_full_log_is_an_error_not_a_silent_loss() -> None:
    with pytest.raises(RuntimeError, match="2 events did not fit"):
        happened(*[(QUIET, 0)] * 5)
    with pytest.raises(RuntimeError, match="did not fit"):
        happened((LAID, 0), lists={0: [1] * 5})


def test_a_list_belongs_to_the_event_before_it_even_if_that_was_lost() -> None:
    log = KINDS.new_log()
    for _ in range(4):
        emit(log, LAID, 0)
        attach(log, 1)
    assert log.event_length.tolist() == [5, 5, 5]


def test_nothing_is_kept_without_recording() -> None:
    log = KINDS.new_log(recording=False)
    emit(log, QUIET, 0)
    attach(log, 1)
    assert log["count"] == 0
    assert KINDS.read(log) == []


def test_declarations_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="at most four"):
        event("a", "b", "c", "d", "e")
    with pytest.raises(ValueError, match="does not have"):
        event("a", private=("b",))
