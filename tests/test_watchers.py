"""Watchers without HTTP: who is there, who follows a table, who asks for a chair, and who gives one to whom."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroom.engine.game import Refusal, find_game
from backroom.engine.record import SPECTATOR
from backroom.tables import mail, showing, sitting_in, watchers
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest, Crowd, Giving
from backroom.web.audience import audience_of
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text, table_module
from sittings import ANNA, BEN, CLEO, EVE, among_people, first_move, play, refused, wait_for, with_bots

EVE2 = "another-token-of-eve"

pytestmark = pytest.mark.usefixtures("lockbox")


def asks(tables: Tables, table: str, player: str = ANNA) -> str:
    """Have Eve ask for a chair; what a player gives one with."""
    tables.ask(table, EVE, True, "Eve")
    return tables.view(table, player).askers[0].asks


# Presence


def test_an_open_page_without_a_chair_watches(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    assert tables.view(table, ANNA).crowd == Crowd((), 0)
    tables.pulse([table], EVE, name="Eve")
    tables.pulse([table], CLEO)
    tables.pulse([table], ANNA, name="Anna")
    for token in (ANNA, EVE):
        assert tables.view(table, token).crowd == Crowd(("Eve",), 1)
    assert audience_of(tables.view(table, ANNA)).line == "2 watching: Eve, a guest"
    assert audience_of(tables.view(table, EVE)).chips == ["2 watching", "you", "a guest"]
    assert audience_of(tables.view(table, CLEO)).chips == ["2 watching", "you", "Eve"]
    assert audience_of(tables.view(table, EVE2)).chips == ["3 watching", "you", "Eve", "a guest"]
    wait(watchers.HERE_SECONDS - 1)
    tables.pulse([table], EVE, name="Eve")
    wait(1)
    assert tables.view(table, ANNA).crowd == Crowd(("Eve",), 0)
    wait(watchers.HERE_SECONDS)
    assert tables.view(table, ANNA).crowd == Crowd((), 0)


@pytest.mark.parametrize("name", ["Anna", "anna", "Аnna", "two.words", "<b>x</b>", "x" * 25, "a\u202eb", ""])
def test_names_that_no_player_could_have_make_a_guest(tables: Tables, name: str) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.pulse([table], EVE, name=name)
    assert tables.view(table, BEN).crowd == Crowd((), 1)
    assert tables.view(table, EVE).watches_as == ""


def test_signs_are_written_seldom_and_pages_told_seldom(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    told: list[str] = []
    tables.publisher.publish_crowd = told.append  # type: ignore[method-assign]
    wait(1000)
    kept = []
    for _ in range(60):
        tables.pulse([table], EVE)
        with tables.store.read() as t:
            kept.append(t.watchers(table)[0].seen)
        wait(1)
    assert len(set(kept)) == 60 // watchers.SEEN_SECONDS
    assert told == [table]  # her coming
    for number in range(50):
        tables.pulse([table], f"stranger {number}")
    assert told == [table] * 2
    revision = tables.view(table, ANNA).revision
    tables.pulse([table], "one more stranger")
    assert tables.view(table, ANNA).revision == revision


def test_who_leaves_is_gone_although_the_page_gives_a_last_sign(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.pulse([table], EVE, name="Eve")
    tables.ask(table, EVE, True, "Eve")
    assert tables.unwatch(table, EVE).status == "applied"
    assert tables.unwatch(table, EVE).status == "already applied"
    assert tables.unwatch(table, CLEO).status == "already applied"
    tables.pulse([table], EVE, name="Eve")
    view = tables.view(table, ANNA)
    assert (view.crowd, view.askers) == (Crowd((), 0), ())
    wait(watchers.SEEN_SECONDS)
    tables.pulse([table], EVE, name="Eve")
    assert tables.view(table, ANNA).crowd == Crowd(("Eve",), 0)


def test_only_so_many_are_kept(tables: Tables, wait: Callable[[int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 4)
    table = among_people(tables, ANNA, BEN)
    tables.follow(table, "follows", True)
    tables.ask(table, "asks", True, "Zoe")
    for number in range(9):
        tables.pulse([table], f"stranger {number}", client=str(number))
    assert tables.view(table, ANNA).crowd == Crowd(("Zoe",), 2)
    refused("E_CROWD", tables.follow, table, "one more", True)
    wait(watchers.HERE_SECONDS)
    tables.pulse([table], "somebody new")
    assert tables.view(table, ANNA).crowd == Crowd((), 1)
    assert tables.view(table, "follows").follows
    assert [asker.name for asker in tables.view(table, ANNA).askers] == ["Zoe"]


# Following


def test_a_followed_table_is_among_ones_tables(tables: Tables) -> None:
    waiting = tables.create(ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("friend")])
    over = with_bots(tables)
    while not (view := tables.view(over, ANNA)).over:
        if view.your_turn:
            play(tables, over, ANNA, first_move(view))
    for table in (waiting, over):
        assert not tables.view(table, EVE).follows
        assert tables.follow(table, EVE, True).status == "applied"
        assert tables.follow(table, EVE, True).status == "already applied"
        assert tables.view(table, EVE).follows
    assert {(found.table, found.follows, found.your_turn) for found in tables.mine(EVE)} == {
        (waiting, True, False),
        (over, True, False),
    }
    assert all(not found.follows for found in tables.mine(ANNA))
    tables.follow(over, EVE, False)
    assert tables.follow(over, EVE, False).status == "already applied"
    assert [found.table for found in tables.mine(EVE)] == [waiting]
    invite = tables.view(waiting, ANNA).chairs[1].invite
    tables.sit(waiting, EVE, invite, "Eve")
    assert [(found.table, found.follows) for found in tables.mine(EVE)] == [(waiting, False)]
    assert tables.view(waiting, ANNA).crowd == Crowd((), 0)
    refused("E_SEAT", tables.follow, waiting, EVE, True)
    refused("E_SEAT", tables.follow, waiting, EVE, False)


# Asking for a chair, giving one


def test_who_asks_is_shown_to_players_alone(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    revision = tables.view(table, ANNA).revision
    assert tables.ask(table, EVE, True, "Eve").status == "applied"
    assert tables.ask(table, EVE, True, "Eve").status == "already applied"
    assert tables.ask(table, EVE, True).status == "already applied"  # under the name she has
    assert tables.view(table, ANNA).revision == revision + 1
    for token in (ANNA, BEN):
        assert [asker.name for asker in tables.view(table, token).askers] == ["Eve"]
        assert tables.view(table, token).to_give == ()
    secret = tables.view(table, ANNA).askers[0].asks
    assert secret not in str(view_model(tables.view(table, EVE)))
    assert secret not in str(view_model(tables.view(table, CLEO)))
    assert tables.view(table, EVE).asks
    assert not tables.view(table, CLEO).asks
    assert tables.ask(table, EVE, False).status == "applied"
    assert tables.ask(table, EVE, False).status == "already applied"
    assert tables.view(table, ANNA).askers == ()
    assert tables.view(table, ANNA).revision == revision + 2


def test_asking_needs_a_name_of_ones_own(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    for name in ("", "ben", "two.words", "x" * 25):
        refused("E_SETUP", tables.ask, table, EVE, True, name)
    refused("E_SEAT", tables.ask, table, BEN, True, "Benjamin")
    assert tables.view(table, ANNA).askers == ()


def test_an_asking_ends_by_itself(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    secret = asks(tables, table)
    wait(watchers.ASK_SECONDS)
    tables.leave(table, BEN)
    assert tables.view(table, ANNA).askers == ()
    refused("E_ASK", tables.give, table, ANNA, 1, secret)


def test_a_chair_not_taken_yet_is_given_under_her_own_name(tables: Tables) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs)
    invites = [chair.invite for chair in tables.view(table, ANNA).chairs]
    secret = asks(tables, table)
    tables.sit(table, BEN, invites[1], "eve")  # a friend takes that name meanwhile
    assert tables.view(table, BEN).to_give == (2,)
    refused("E_SETUP", tables.give, table, BEN, 2, secret)
    tables.ask(table, EVE, True, "Evelyn")
    assert tables.give(table, BEN, 2, secret).status == "applied"
    view = tables.view(table, EVE)
    assert view.started
    assert (view.you and view.you.name, view.names) == ("Evelyn", ("Anna", "eve", "Evelyn"))
    refused("E_INVITE", tables.sit, table, CLEO, invites[2], "Cleo")


def test_a_left_chair_is_given_with_what_it_may_know_and_nothing_its_owner_wrote(
    url: str, wait: Callable[[int], None]
) -> None:
    tables = Tables(*_store(url))
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "end")
    play(tables, table, BEN, "peek")
    tables.note(table, BEN, "the box holds what I saw")
    tables.draft(table, BEN, "take", 2)
    tables.tell(table, BEN, True, "ben@example.org", "http://here")
    saw = tables.view(table, BEN).position
    secret = asks(tables, table)
    refused("E_CHAIR", tables.give, table, ANNA, 1, secret)
    tables.leave(table, BEN)
    refused("E_SEAT", tables.give, table, BEN, 1, secret)
    refused("E_SEAT", tables.give, table, EVE, 1, secret)
    refused("E_CHAIR", tables.give, table, ANNA, 3, secret)
    refused("E_ASK", tables.give, table, ANNA, 1, "")
    refused("E_ASK", tables.give, table, ANNA, 1, "nobody")
    assert tables.view(table, ANNA).to_give == (1,)
    assert tables.give(table, CLEO, 1, secret).status == "asked"
    assert tables.give(table, ANNA, 1, secret).status == "applied"
    assert tables.give(table, ANNA, 1, secret).status == "already applied"
    view = tables.view(table, EVE)
    assert (view.seat, view.names, view.position, view.your_turn) == (1, ("Anna", "Ben", "Cleo"), saw, True)
    assert (view.notes, view.draft, view.asks) == ("", "", False)
    assert view.telling is not None
    assert (view.telling.on, view.telling.address) == (False, "")
    assert tables.view(table, ANNA).askers == ()
    assert play(tables, table, EVE, "take 1").status == "applied"
    tables.close()


def _store(url: str) -> tuple[Any, Any, mail.Relay]:
    opened = Tables.open(url)
    return opened.store, opened.publisher, mail.Relay.parse("smtp://127.0.0.1:9?from=room@example.org")


def test_a_bot_that_sits_in_a_left_chair_makes_room(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    tables.leave(table, BEN)
    tables.seat_bot(table, ANNA, 1, "random")
    secret = asks(tables, table)
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    assert tables.give(table, CLEO, 1, secret).status == "applied"
    chair = tables.view(table, EVE).you
    assert chair is not None
    assert (chair.name, chair.bot) == ("Ben", "")


def test_of_two_who_give_at_once_one_does(tables: Tables, url: str) -> None:
    """Both give her a chair, the one another than the other: she sits in one of them, and the other stays free."""
    for _ in range(5):
        chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
        table = tables.create(ANNA, "lockbox", chairs)
        secret = asks(tables, table, ANNA)
        other = Tables.open(url)
        started, ended = threading.Barrier(2), []

        def give(where: Tables, chair: int, table: str = table, secret: str = secret) -> None:
            started.wait()  # noqa: B023
            try:
                ended.append(where.give(table, ANNA, chair, secret).status)  # noqa: B023
            except Refusal as problem:
                ended.append(problem.code)  # noqa: B023

        threads = [threading.Thread(target=give, args=(tables, 1)), threading.Thread(target=give, args=(other, 2))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        other.close()
        assert sorted(ended) == ["E_ASK", "applied"]
        assert sum(chair.you for chair in tables.view(table, EVE).chairs) == 1


def test_who_sits_down_by_a_link_asks_no_more(tables: Tables) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs)
    secret = asks(tables, table)
    tables.sit(table, EVE, tables.view(table, ANNA).chairs[1].invite, "Eve")
    refused("E_ASK", tables.give, table, ANNA, 2, secret)


def test_one_player_alone_gives_nobody_a_second_hand(tables: Tables, wait: Callable[[int], None]) -> None:
    """The last person at the table cannot seat a second browser of their own: a bot may have the chair."""
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "end")
    play(tables, table, BEN, "peek")
    secret = asks(tables, table)
    wait(watchers.SUBSTITUTE_SECONDS)
    assert "to agree" in refused("E_CHAIR", tables.give, table, ANNA, 1, secret).message
    tables.leave(table, BEN)
    assert tables.view(table, ANNA).to_give == ()
    refused("E_CHAIR", tables.give, table, ANNA, 1, secret)
    refused("E_INVITE", tables.sit, table, EVE, tables.view(table, ANNA).chairs[1].invite or "x", "Eve")
    assert tables.seat_bot(table, ANNA, 1, "random").status == "applied"
    refused("E_CHAIR", tables.give, table, ANNA, 1, secret)


def test_a_bot_that_sits_in_for_a_third_leaves_nobody_to_agree(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    secret = asks(tables, table)
    tables.leave(table, BEN)
    wait(sitting_in.SIT_IN_SECONDS)
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    tables.seat_bot(table, ANNA, 2, "random")
    assert tables.view(table, ANNA).giving is None
    refused("E_CHAIR", tables.give, table, ANNA, 1, secret)


def test_all_who_play_are_asked_and_one_no_ends_it(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, CLEO, game="catham")
    secret = asks(tables, table)
    tables.leave(table, BEN)
    refused("E_CHAIR", tables.give, table, CLEO, 1, secret, False)
    assert tables.give(table, CLEO, 1, secret).status == "asked"
    assert tables.give(table, CLEO, 1, secret).status == "asked"
    for token, yours in ((ANNA, True), (CLEO, False)):
        view = tables.view(table, token)
        assert view.giving == Giving("Eve", secret, 1, ("Cleo",), ("Anna",), yours)
        for page in (render_table(view), render_text(view)):
            assert ('data-key="giving-yes"' in page) is yours
            assert 'data-key="giving-no"' in page
    assert tables.view(table, EVE).giving is None
    assert tables.view(table, "nobody").giving is None
    tables.ask(table, "mallory", True, "Mallory")
    other = next(asker.asks for asker in tables.view(table, ANNA).askers if asker.name == "Mallory")
    assert "another" in refused("E_CHAIR", tables.give, table, ANNA, 1, other).message
    refused("E_CHAIR", tables.give, table, ANNA, 1, other, False)
    assert tables.give(table, ANNA, 1, secret, False).status == "applied"
    assert tables.view(table, CLEO).giving is None
    assert not tables.view(table, ANNA).chairs[1].held
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    tables.ask(table, EVE, False)
    assert tables.view(table, CLEO).giving is None
    refused("E_ASK", tables.give, table, CLEO, 1, secret)
    assert tables.give(table, CLEO, 1, other).status == "asked"
    assert tables.give(table, ANNA, 1, other).status == "applied"
    assert tables.view(table, "mallory").seat == 1


def test_who_agreed_before_the_owner_came_back_has_not_agreed_for_the_next_time(
    tables: Tables, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    secret = asks(tables, table)
    wait(watchers.SUBSTITUTE_SECONDS)
    assert tables.give(table, BEN, 0, secret).status == "asked"
    wait(watchers.SEEN_SECONDS)
    tables.pulse([table], ANNA)
    assert tables.view(table, CLEO).giving is None
    refused("E_CHAIR", tables.give, table, CLEO, 0, secret)
    wait(watchers.SUBSTITUTE_SECONDS)
    assert tables.view(table, CLEO).giving is None
    assert tables.give(table, CLEO, 0, secret).status == "asked"
    assert tables.view(table, ANNA).seat == 0
    assert tables.give(table, BEN, 0, secret).status == "applied"


@pytest.mark.parametrize("name", ["Eve", "eve", "Еve"])
def test_nobody_asks_for_a_chair_as_somebody_else_who_asks(
    tables: Tables, wait: Callable[[int], None], name: str
) -> None:
    table = among_people(tables, ANNA, BEN)
    secret = asks(tables, table)
    assert "asks for a chair" in refused("E_SETUP", tables.ask, table, EVE2, True, name).message
    assert [asker.asks for asker in tables.view(table, ANNA).askers] == [secret]
    wait(watchers.ASK_SECONDS)
    assert tables.ask(table, EVE2, True, name).status == "applied"


def test_a_chair_that_was_left_is_opened_by_no_address(tables: Tables, url: str) -> None:
    """Not by one that an opponent is handed, nor by one from before, in the store or in a browser."""
    table = among_people(tables, ANNA, BEN, CLEO)
    with tables.store.read() as t:
        used = [chair.used_invite for chair in t.chairs(table)]
    tables.leave(table, BEN)
    with tables.store.write() as t:
        t.change_chair(table, 1, invite="leftoverfrombefore")
    for token in (ANNA, CLEO, EVE):
        assert [chair.invite for chair in tables.view(table, token).chairs] == ["", "", ""]
        for invite in ("leftoverfrombefore", used[1]):
            refused("E_INVITE", tables.invitation, invite, token)
        refused("E_INVITE", tables.sit, table, EVE, "leftoverfrombefore", "Eve")
    assert tables.open_tables(EVE) == []


# Stand-in bots


def test_each_player_may_let_a_bot_sit_in_for_the_host_who_has_gone(
    tables: Tables, wait: Callable[[int], None]
) -> None:
    for token in (BEN, CLEO):
        table = among_people(tables, ANNA, BEN, CLEO)
        wait(sitting_in.SIT_IN_SECONDS - 1)
        tables.pulse([table], token)
        assert "in 1 s" in refused("E_CHAIR", tables.seat_bot, table, token, 0, "random").message
        wait(1)
        refused("E_SEAT", tables.seat_bot, table, EVE, 0, "random")
        assert "your own" in refused("E_CHAIR", tables.seat_bot, table, token, 1 + (token == CLEO), "random").message
        assert tables.seat_bot(table, token, 0, "random").status == "applied"


def test_at_a_days_pace_a_bot_waits_a_quarter_of_it(tables: Tables, wait: Callable[[int], None]) -> None:
    day = 86400
    table = among_people(tables, ANNA, BEN, game="catham", pace=day)
    wait(day // 2)
    assert tables.view(table, ANNA).chairs[1].bot_from is None
    assert "not waiting" in refused("E_CHAIR", tables.seat_bot, table, ANNA, 1, "random").message
    play(tables, table, ANNA, first_move(tables.view(table, ANNA)))
    since = tables.view(table, ANNA).now
    assert tables.view(table, ANNA).chairs[1].bot_from == since + day // 4
    assert tables.view(table, EVE).chairs[1].bot_from is None
    wait(day // 4 - 1)
    for page in (render_table, render_text):
        assert 'data-before="in "' in page(tables.view(table, ANNA))
    refused("E_CHAIR", tables.seat_bot, table, ANNA, 1, "random")
    wait(1)
    tables.seat_bot(table, ANNA, 1, "random")
    wait_for(lambda: tables.view(table, ANNA).your_turn or tables.view(table, ANNA).over)
    moves = tables.view(table, ANNA).moves
    tables.sit(table, BEN)
    view = tables.view(table, BEN)
    assert (view.chairs[1].bot, view.moves) == ("", moves), "what the bot has played stands"


def test_up_to_five_minutes_a_decision_two_minutes_count(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN, pace=sitting_in.SHORT_PACE)
    wait(sitting_in.SIT_IN_SECONDS)
    assert tables.seat_bot(table, BEN, 0, "random").status == "applied"


def test_a_move_is_a_sign_as_an_open_page_is(tables: Tables, wait: Callable[[int], None]) -> None:
    """A script that plays without a stream is not away."""
    table = among_people(tables, ANNA, BEN)
    wait(sitting_in.SIT_IN_SECONDS)
    play(tables, table, ANNA, "take 1")
    refused("E_CHAIR", tables.seat_bot, table, BEN, 0, "random")
    wait(sitting_in.SIT_IN_SECONDS)
    assert tables.seat_bot(table, BEN, 0, "random").status == "applied"


def test_before_the_start_the_host_says_who_plays_and_others_when_the_host_is_away(
    tables: Tables, wait: Callable[[int], None]
) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs)
    tables.sit(table, BEN, tables.view(table, ANNA).chairs[1].invite, "Ben")
    refused("E_HOST", tables.seat_bot, table, BEN, 2, "random")
    wait(sitting_in.SIT_IN_SECONDS)
    assert tables.seat_bot(table, BEN, 2, "random").status == "applied"
    assert tables.view(table, BEN).started


# A crowd


def test_no_client_keeps_others_from_watching(tables: Tables) -> None:
    """Not with many pages, nor by following with many browsers from one address."""
    table = among_people(tables, ANNA, BEN)
    for number in range(2 * watchers.MOST_WATCHERS):
        tables.pulse([table], f"many {number}", client="10.0.0.1")
    assert tables.view(table, ANNA).crowd.guests == watchers.MOST_OF_A_CLIENT
    refused("E_CROWD", tables.follow, table, "one more", True, "10.0.0.1")
    assert tables.follow(table, EVE, True, "10.0.0.2").status == "applied"
    assert tables.ask(table, CLEO, True, "Cleo", "10.0.0.3").status == "applied"


def test_when_it_is_full_the_largest_group_makes_room(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 6)
    table = among_people(tables, ANNA, BEN)
    for number in range(5):
        tables.pulse([table], f"many {number}", client="10.0.0.1")
    tables.pulse([table], "another", client="10.0.0.2")
    for number in range(3):
        assert tables.follow(table, f"real {number}", True, f"10.0.1.{number}").status == "applied"
    assert tables.view(table, "another").watches
    assert tables.view(table, ANNA).crowd.guests == 3


def test_five_addresses_that_follow_with_all_they_may_keep_nobody_out(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    for address in range(5):
        for number in range(watchers.MOST_OF_A_CLIENT):
            tables.follow(table, f"many {address} {number}", True, f"10.0.0.{address}")
    tables.ask(table, "many 0 0", True, "Zoe", "10.0.0.0")
    assert tables.follow(table, EVE, True, "10.0.1.1").status == "applied"
    tables.pulse([table], CLEO, name="Cleo", client="10.0.1.2")
    for number in range(6):
        assert tables.ask(table, f"a house {number}", True, f"Real{number}", f"10.0.2.{number}").status == "applied"
    assert tables.view(table, EVE).follows
    assert "Cleo" in tables.view(table, ANNA).crowd.names
    assert len(tables.view(table, ANNA).askers) == 7


def test_a_household_that_follows_makes_no_room(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "MOST_WATCHERS", watchers.HOUSEHOLD)
    table = among_people(tables, ANNA, BEN)
    for number in range(watchers.HOUSEHOLD):
        tables.follow(table, f"one of us {number}", True, "10.0.0.1")
    refused("E_CROWD", tables.follow, table, EVE, True, "10.0.1.1")
    assert all(tables.view(table, f"one of us {number}").follows for number in range(watchers.HOUSEHOLD))


def test_a_chair_of_somebody_who_keeps_the_table_waiting(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    wait(60)
    play(tables, table, ANNA, "end")
    tables.note(table, BEN, "mine")
    secret = asks(tables, table)

    def to_give(token: str = ANNA) -> tuple[int, ...]:
        return tables.view(table, token).to_give

    wait(watchers.SUBSTITUTE_SECONDS - 1)
    assert to_give() == ()
    assert "too early" in refused("E_CHAIR", tables.give, table, ANNA, 1, secret).message
    wait(1)
    assert to_give() == (1,)
    assert to_give(CLEO) == (1,)
    assert "not waiting" in refused("E_CHAIR", tables.give, table, ANNA, 2, secret).message
    assert "your own" in refused("E_CHAIR", tables.give, table, ANNA, 0, secret).message
    tables.pulse([table], BEN)  # he is back
    assert to_give() == ()
    wait(watchers.SUBSTITUTE_SECONDS)
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    assert tables.give(table, CLEO, 1, secret).status == "applied"
    refused("E_SEAT", tables.submit, table, BEN, "end", 1, "late")
    assert tables.view(table, BEN).seat is None
    assert [(found.table, found.follows) for found in tables.mine(BEN)] == [(table, True)]
    eve = tables.view(table, EVE)
    assert (eve.seat, eve.notes, eve.your_turn) == (1, "", True)


def test_the_hosts_own_chair_is_given_by_any_player(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    secret = asks(tables, table)
    wait(watchers.SUBSTITUTE_SECONDS)
    assert tables.view(table, CLEO).to_give == (0,)
    assert tables.give(table, CLEO, 0, secret).status == "asked"
    assert tables.give(table, BEN, 0, secret).status == "applied"
    assert tables.view(table, BEN).chairs[1].host


def test_talk_does_not_lengthen_the_wait_and_a_bot_in_the_chair_shortens_nothing(
    tables: Tables, wait: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.looker.close()
    table = among_people(tables, ANNA, BEN, CLEO, game="corporation")
    for token in (ANNA, CLEO):
        play(tables, table, token, "card 1")
    wait(watchers.SUBSTITUTE_SECONDS - 10)
    play(tables, table, ANNA, "say where is Ben?", "said")
    tables.seat_bot(table, ANNA, 1, "random")
    secret = asks(tables, table)
    refused("E_CHAIR", tables.give, table, ANNA, 1, secret)
    wait(10)
    assert tables.give(table, ANNA, 1, secret).status == "asked"
    assert tables.give(table, CLEO, 1, secret).status == "applied"


@given(st.lists(st.integers(0, 30 * 86400), max_size=12))
def test_a_table_waits_as_long_as_it_is_used_to(pauses: list[int]) -> None:
    moved = [1000]
    for pause in pauses:
        moved.append(moved[-1] + pause)
    found = watchers.substitute_after(moved)
    assert watchers.SUBSTITUTE_SECONDS <= found <= watchers.MOST_SUBSTITUTE_SECONDS
    for pause in pauses:
        assert found >= min(2 * pause, watchers.MOST_SUBSTITUTE_SECONDS)
    assert watchers.substitute_after(moved[:1]) == watchers.SUBSTITUTE_SECONDS


def test_a_substitute_ends_the_take_back_that_was_asked(tables: Tables, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "flip")
    play(tables, table, ANNA, "end")
    tables.undo(table, ANNA, 2, "back")
    secret = asks(tables, table)
    wait(watchers.SUBSTITUTE_SECONDS)
    for token in (ANNA, CLEO):
        tables.give(table, token, 1, secret)
    assert tables.view(table, EVE).seat == 1
    assert tables.view(table, EVE).undo is None


def test_nobody_asks_for_a_chair_in_a_game_that_is_over(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    secret = asks(tables, table)
    while not (view := tables.view(table, ANNA)).over:
        token = ANNA if view.your_turn else BEN
        play(tables, table, token, "take 1")
    refused("E_OVER", tables.ask, table, CLEO, True, "Cleo")
    assert tables.view(table, ANNA).askers == ()
    tables.leave(table, BEN)
    refused("E_OVER", tables.give, table, ANNA, 1, secret)


# Looking back


def test_a_watcher_looks_back_where_the_rules_allow_it(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "peek")
    play(tables, table, ANNA, "take 2")
    back = tables.view(table, EVE, 1)
    assert (back.move, back.moves, back.seat) == (1, 2, None)
    assert "pile 9" in back.position
    assert back.record.peeked.tolist() == [0, 0, 0]
    assert tables.view(table, ANNA, 1).record.peeked[0]
    memory = tables.create(
        ANNA, "dark_sources", [ChairRequest("you", "Anna"), *[ChairRequest("friend")] * 2], {"memory": "play"}
    )
    for token, name in ((BEN, "Ben"), (CLEO, "Cleo")):
        invite = next(chair.invite for chair in tables.view(memory, ANNA).chairs if chair.invite)
        tables.sit(memory, token, invite, name)
    for _ in range(3):
        token = next(token for token in (ANNA, BEN, CLEO) if tables.view(memory, token).your_turn)
        play(tables, memory, token, first_move(tables.view(memory, token)))
    assert tables.view(memory, EVE).forgets
    refused("E_PLY", tables.view, memory, EVE, 1)


def test_when_it_is_over_any_chair_may_be_looked_back_from(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    play(tables, table, ANNA, "peek")
    refused("E_GOING", tables.view, table, BEN, 0, 0)
    refused("E_GOING", tables.view, table, EVE, 1, SPECTATOR)
    while not (view := tables.view(table, ANNA)).over:
        play(tables, table, ANNA if view.your_turn else BEN, "take 1")
    refused("E_CHAIR", tables.view, table, EVE, 1, 2)
    refused("E_CHAIR", tables.view, table, EVE, 1, -2)
    with tables.lives.read(table) as change:
        match = change.match
    for token in (ANNA, BEN, EVE):
        whole = tables.view(table, token, 1)
        assert whole.whole
        assert whole.record.tobytes() == match.at(1).tobytes()
        assert next(move for move, _ in whole.later) > 1
        for seat in (0, 1, SPECTATOR):
            back = tables.view(table, token, 1, seat)
            assert (back.viewer, back.whole) == (seat, False)
            seen = [line.text for move, line in match.lines(seat) if move <= 1]
            assert [line.text for _, line in back.lines] == seen, "as it was told then"
            assert back.record.tobytes() == match.game.state.view(match.at(1), seat).tobytes(), "as it was seen then"


@pytest.mark.usefixtures("still_clock", "asleep")
@pytest.mark.parametrize("game", ["catham", "medici"])
def test_what_all_who_watch_see_is_found_out_once_and_reaches_nobody_else(
    game: str, url: str, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second watcher costs neither another look at the match nor another scene; after a move there are new ones.

    Every page is what another server draws, where others looked first.
    """
    module = table_module(find_game(game))
    looks: list[int | None] = []
    scenes: list[int] = []
    look, scene = showing.position, module.scene

    def shown(match: Any, seat: int | None, *rest: Any) -> dict[str, Any]:
        looks.append(seat)
        return look(match, seat, *rest)

    def drawn(view: Any, viewer: int, *rest: Any) -> Any:
        scenes.append(viewer)
        return scene(view, viewer, *rest)

    monkeypatch.setattr(showing, "position", shown)
    monkeypatch.setattr(module, "scene", drawn)
    table = among_people(tables, ANNA, BEN, CLEO, game=game)
    people = [ANNA, BEN, CLEO]
    for turn in range(4):
        mover = next(token for token in people if tables.view(table, token).your_turn)
        play(tables, table, mover, first_move(tables.view(table, mover)))
        looks.clear()
        scenes.clear()
        everybody = [*people, EVE, "another-watcher", "a-third-one"]
        order = everybody if turn % 2 else everybody[::-1]
        pages = {token: render_table(tables.view(table, token)) for token in order}
        assert sorted(scenes) == [SPECTATOR, 0, 1, 2]
        assert Counter(looks) == {None: 1, 0: 1, 1: 1, 2: 1}
        assert pages[EVE] == pages["another-watcher"] == pages["a-third-one"]
        # What one browser has in preparation is drawn for it alone.
        asked = next((token for token in people if tables.view(table, token).your_turn), None)
        if asked is not None:
            render_table(tables.view(table, asked), first_move(tables.view(table, asked)))
        fresh = Tables.open(url)
        for token in reversed(order):
            assert render_table(fresh.view(table, token)) == pages[token] == render_table(tables.view(table, token))
        fresh.close()
