"""Chairs for anybody: who sees them and when, who gets one, and what nobody learns of other tables from that."""

import itertools
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backroom.engine.game import Refusal
from backroom.tables import clock, open_chairs
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web import pages
from backroom.web.app import Settings, create_app
from sittings import ANNA, BEN, CLEO, EVE

DAY = 36 * 3600
YOU, FRIEND, ANYBODY = ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("anybody")
BOT = ChairRequest("bot", bot="random")


def listed(tables: Tables, token: str) -> list[tuple[str, int]]:
    return [(table.table, table.free) for table in tables.open_tables(token)]


def test_a_chair_is_listed_while_it_is_free_and_not_when_it_is_left(tables: Tables) -> None:
    table = tables.create(ANNA, "catham", [YOU, BOT, ANYBODY, ANYBODY], title="Late cats", pace=DAY)
    assert listed(tables, ANNA) == [], "one's own table is in the list above"
    (found,) = tables.open_tables(BEN)
    assert (found.title, found.people, found.bots, found.free) == ("Late cats", ("Anna",), ("Apprentice1",), 2)
    assert found.pace == DAY
    tables.sit(table, BEN, found.invite, "Ben")
    assert listed(tables, BEN) == []
    assert listed(tables, CLEO) == [(table, 1)]
    tables.sit(table, CLEO, tables.open_tables(CLEO)[0].invite, "Cleo")
    assert tables.view(table, CLEO).started
    assert listed(tables, EVE) == []
    tables.leave(table, BEN)
    assert listed(tables, EVE) == [], "whoever came from the street would see the hand"


def test_a_friends_chair_is_never_listed_not_even_when_it_is_left(tables: Tables) -> None:
    table = tables.create(ANNA, "catham", [YOU, FRIEND, ANYBODY])
    friend = tables.view(table, ANNA).chairs[1].invite
    (found,) = tables.open_tables(EVE)
    assert (found.free, found.invite) == (1, tables.view(table, ANNA).chairs[2].invite)
    tables.sit(table, BEN, friend, "Ben")
    tables.sit(table, CLEO, found.invite, "Cleo")
    tables.leave(table, BEN)
    assert listed(tables, EVE) == []
    tables.leave(table, ANNA)
    assert listed(tables, EVE) == []


def test_only_tables_where_somebody_has_looked_in_lately(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    live = tables.create(ANNA, "catham", [YOU, ANYBODY])
    slow = tables.create(ANNA, "catham", [YOU, ANYBODY], pace=DAY)
    start = clock.now()
    for later, expected in (
        (open_chairs.LATELY - 5, {live, slow}),
        (open_chairs.LATELY + 5, {slow}),
        (open_chairs.LATELY_PACED - 5, {slow}),
        (open_chairs.LATELY_PACED + 5, set()),
    ):
        monkeypatch.setattr(clock, "now", lambda later=later: start + later)
        assert {table for table, _ in listed(tables, EVE)} == expected
    tables.pulse([live], ANNA)
    assert listed(tables, EVE) == [(live, 1)]


def test_the_newest_first_and_at_most_twenty(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    start, made = clock.now(), []
    for number in range(22):
        monkeypatch.setattr(clock, "now", lambda number=number: start + number)
        made.append(tables.create(f"host {number}", "catham", [YOU, ANYBODY]))
    assert [table for table, _ in listed(tables, EVE)] == made[:1:-1]


def test_of_two_who_take_the_last_chair_one_gets_it(tables: Tables) -> None:
    for round_number in range(8):
        table = tables.create(ANNA, "catham", [YOU, ANYBODY])
        invite = tables.open_tables(BEN)[0].invite
        start, told = threading.Barrier(2), []

        def sit(
            token: str, name: str, table: str = table, invite: str = invite, start: Any = start, told: Any = told
        ) -> None:
            start.wait()
            try:
                told.append(tables.sit(table, token, invite, name).status)
            except Refusal as problem:
                told.append(str(problem))

        threads = [threading.Thread(target=sit, args=who) for who in ((BEN, "Ben"), (CLEO, "Cleo"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        refusal, done = sorted(told)
        assert done == "applied", round_number
        assert refusal.startswith("E_INVITE: the match has begun")
        tables.leave(table, ANNA)


def test_who_comes_second_with_the_same_link_gets_the_next_chair(tables: Tables) -> None:
    table = tables.create(ANNA, "catham", [YOU, ANYBODY, FRIEND, ANYBODY])
    invite = tables.open_tables(BEN)[0].invite
    assert tables.open_tables(CLEO)[0].invite == invite
    tables.sit(table, BEN, invite, "Ben")
    assert tables.invitation(invite, CLEO).chair == 3
    assert tables.sit(table, CLEO, invite, "Cleo").status == "applied"
    assert tables.sit(table, CLEO, invite, "Cleo").status == "already applied"
    assert [chair.name for chair in tables.view(table, ANNA).chairs] == ["Anna", "Ben", "", "Cleo"]
    with pytest.raises(Refusal, match="somebody was faster"):
        tables.sit(table, EVE, invite, "Eve")
    with pytest.raises(Refusal, match="somebody was faster"):
        tables.invitation(invite, EVE)


def test_a_used_link_of_a_friend_leads_nowhere_else(tables: Tables) -> None:
    table = tables.create(ANNA, "catham", [YOU, FRIEND, ANYBODY])
    friend = tables.view(table, ANNA).chairs[1].invite
    tables.sit(table, BEN, friend, "Ben")
    for call in (lambda: tables.sit(table, EVE, friend, "Eve"), lambda: tables.invitation(friend, EVE)):
        with pytest.raises(Refusal, match="E_INVITE: this invitation is unknown or used up"):
            call()


def test_a_bot_instead_takes_the_chair_off_the_front_page(tables: Tables) -> None:
    table = tables.create(ANNA, "catham", [YOU, ANYBODY])
    invite = tables.open_tables(BEN)[0].invite
    tables.seat_bot(table, ANNA, 1, "random")
    assert tables.view(table, ANNA).started
    assert listed(tables, BEN) == []
    with pytest.raises(Refusal, match="E_INVITE"):
        tables.sit(table, BEN, invite, "Ben")


# Sitting down with anybody


def test_strangers_who_want_the_same_meet_at_one_table(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count(clock.now())
    monkeypatch.setattr(clock, "now", lambda: next(seconds))
    tables.create("somebody", "catham", [YOU, FRIEND])  # not theirs to find
    odd = tables.create("somebody", "catham", [YOU, ANYBODY], {"target": 5})
    slow = tables.sit_with_anybody("slow", "catham", "Sloane", DAY, "bot")
    assert tables.sit_with_anybody("strict", "catham", "Sly", DAY, "skip") != slow
    first = tables.sit_with_anybody(ANNA, "catham", "Anna", 0, "bot")
    assert tables.sit_with_anybody(ANNA, "catham", "Anna") == first, "who waits already goes on waiting there"
    assert tables.sit_with_anybody(BEN, "catham", "Ben") == first
    assert tables.sit_with_anybody("anna too", "catham", "anna") not in (first, odd, slow), "that name is taken there"
    assert tables.sit_with_anybody(CLEO, "medici", "Cleo") not in (first, odd, slow)
    assert tables.sit_with_anybody(CLEO, "catham", "Cleo") == first
    assert not tables.view(first, ANNA).started
    assert tables.sit_with_anybody(EVE, "catham", "Eve") == first
    view = tables.view(first, EVE)
    assert view.started
    assert sorted(view.names) == ["Anna", "Ben", "Cleo", "Eve"]
    assert tables.sit_with_anybody(EVE, "catham", "Eve") == first, "nothing is played there yet"
    with pytest.raises(Refusal, match="E_SETUP"):
        tables.sit_with_anybody("other", "catham", "two, words")
    assert tables.view(slow, "slow").pace == DAY


def test_the_table_that_has_waited_longest_fills_first(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    start = clock.now()
    made = [tables.create("host 0", "catham", [YOU, ANYBODY])]
    monkeypatch.setattr(clock, "now", lambda: start + 5)
    made.append(tables.create("host 1", "catham", [YOU, ANYBODY]))
    assert [tables.sit_with_anybody(token, "catham", "Ben") for token in (BEN, CLEO)] == made


def test_many_at_once_all_sit_somewhere_and_no_chair_is_taken_twice(tables: Tables) -> None:
    start, where = threading.Barrier(6), {}

    def sit(number: int) -> None:
        start.wait()
        where[number] = tables.sit_with_anybody(f"token {number % 5}", "catham", f"P{number % 5}", create_id="c")

    threads = [threading.Thread(target=sit, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, table in where.items():
        names = [chair.name for chair in tables.view(table, f"token {number % 5}").chairs if chair.name]
        assert names.count(f"P{number % 5}") == 1
        assert len(set(names)) == len(names)
    assert len(where) == 6


# What is seen of it


@pytest.fixture
def client(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(pages, "choice", lambda names: names[0])
    monkeypatch.setattr(pages, "uuid4", lambda: type("Same", (), {"hex": "same"}))
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    app = create_app(Settings(url))
    with TestClient(app):
        yield lambda: TestClient(app, follow_redirects=False)


def test_the_front_page_shows_open_chairs_and_the_way_to_one(client: Any) -> None:
    anna, ben = client(), client()
    sent = {"game": "catham", "name": "Anna", "with": "anybody", "speed": "day", "create_id": "one"}
    assert "none just now" in ben.get("/").text
    made = anna.post("/start", data=sent)
    assert made.status_code == 303
    assert anna.post("/start", data=sent).headers["location"] == made.headers["location"]
    waiting = anna.get(made.headers["location"]).text
    assert "on the front page" in waiting
    assert "a bot makes that one move" in waiting
    assert "none just now" in anna.get("/").text
    page = ben.get("/").text
    assert "Anna · 3 chairs free · a move within 36 hours" in page
    invite = page.split('href="/join/')[1].split('"')[0]
    join = ben.get(f"/join/{invite}").text
    assert "Anna has a chair free." in join
    assert "a move within 36 hours" in join
    assert "a bot makes that one move" in join
    assert ben.post(f"/join/{invite}", data={"name": "Ben"}).headers["location"] == made.headers["location"]
    assert "Anna, Ben · 2 chairs free" in client().get("/").text


def test_anybody_says_how_many_are_to_sit_there(client: Any) -> None:
    made: dict[str, str] = {}
    for number, chairs in enumerate(("2", "3", "2", "")):
        sent = {
            "game": "catham",
            "name": f"Anna{number}",
            "with": "anybody",
            "chairs": chairs,
            "create_id": f"c{number}",
        }
        browser = client()
        at = browser.post("/start", data=sent).headers["location"]
        seats = len(browser.get(f"{at}/view.json").json()["chairs"])
        assert chairs in ("", str(seats))
        made.setdefault(chairs, at)
        if number == 2:
            assert at == made["2"], "the table of two that waits is filled first"
    assert made["2"] != made["3"]


def test_who_comes_with_a_used_invitation_may_watch(client: Any) -> None:
    anna, ben, eve = client(), client(), client()
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
    table = anna.post("/tables", json={"game": "catham", "chairs": chairs}).json()["table"]
    invite = anna.get(f"/t/{table}/view.json").json()["chairs"][1]["invite"]
    assert ben.post(f"/join/{invite}", data={"name": "Ben"}).status_code == 303
    for answer in (eve.get(f"/join/{invite}"), eve.post(f"/join/{invite}", data={"name": "Eve"})):
        assert answer.status_code == 404
        assert f'href="/t/{table}">Watch this table</a>' in answer.text
        assert answer.text.count("<h1") == 1
    unknown = eve.get("/join/abcdefgh", headers={"accept": "text/html"})
    assert unknown.status_code == 404
    assert "Watch" not in unknown.text
    assert 'href="/new"' in unknown.text


def test_the_ticket_can_do_what_it_could(client: Any) -> None:
    browser = client()
    for number, (bots, strength) in enumerate(itertools.product("123", ("random", "greedy"))):
        sent = {"game": "catham", "name": "Anna", "with": "bots", "bots": bots, "strength": strength}
        answer = browser.post("/start", data={**sent, "create_id": f"c{number}"})
        chairs = browser.get(f"{answer.headers['location']}/view.json").json()["chairs"]
        assert [chair["bot"] for chair in chairs] == ["", *[strength] * int(bots)]
    answer = browser.post("/start", data={"game": "catham", "name": "Anna", "with": "friends", "speed": "day"})
    assert answer.headers["location"] == "/new?game=catham&speed=day"
    lobby = browser.get(answer.headers["location"]).text
    assert '<option value="129600" selected>36 hours</option>' in lobby


def test_the_lobby_opens_a_table_with_its_pace_and_its_chairs(client: Any) -> None:
    anna = client()
    sent = {
        "game": "catham", "was": "catham", "name": "Anna", "chairs": "3", "chair1": "friend", "chair2": "anybody",
        "pace": "300", "out_of_time": "skip", "create_id": "x",
    }  # fmt: skip
    lobby = anna.get("/new", params=sent).text
    assert "on the front page" in lobby
    assert '<option value="300" selected>5 minutes</option>' in lobby
    view = anna.get(f"{anna.post('/new', data=sent).headers['location']}/view.json").json()
    assert (view["pace"], view["out_of_time"]) == (300, "skip")
    assert [chair["anybody"] for chair in view["chairs"]] == [False, False, True]
    other = anna.get("/new", params={**sent, "game": "medici"}).text
    assert '<option value="300" selected>5 minutes</option>' in other, "another game, the same pace"
    refused = anna.post("/new", data={**sent, "pace": "3", "create_id": "y"})
    assert refused.status_code == 422
    assert "10 seconds" in refused.text


def test_the_front_page_tells_nothing_of_tables_that_are_not_open(client: Any) -> None:
    """Twins: with any tables besides that are closed to strangers, the page is the same byte for byte."""
    host, eve = client(), client()
    kinds = st.lists(st.sampled_from(["friend", "bot"]), min_size=1, max_size=4)
    sent = {"game": "catham", "name": "Anna", "with": "anybody", "speed": "sitting", "create_id": "one"}
    host.post("/start", data=sent)
    eve.get("/")
    before = eve.get("/").text
    assert "Take a chair" in before

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(chairs=kinds, game=st.sampled_from(["catham", "corporation"]), pace=st.sampled_from([0, 300, DAY]))
    def same(chairs: list[str], game: str, pace: int) -> None:
        stranger = client()
        wanted = [{"kind": "you", "name": "Zoe"}, *({"kind": kind, "bot": "random"} for kind in (*chairs, "friend"))]
        made = stranger.post("/tables", json={"game": game, "chairs": wanted, "pace": pace})
        assert made.status_code == 201, made.text
        invites = [chair["invite"] for chair in stranger.get(f"{made.json()['url']}/view.json").json()["chairs"]]
        page = eve.get("/").text
        assert page == before
        assert not [invite for invite in invites if invite and invite in page]

    same()
