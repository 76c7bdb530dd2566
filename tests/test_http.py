"""Tables over HTTP: every request is answered by what became of it or by one line, and no answer holds a secret."""

import asyncio
import itertools
import json
import re
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

import toys_tables
from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import lives, service, store
from backroom.web.app import MOST_BYTES, Settings, _address, _listen, create_app
from backroom.web.sheets import folder

Browser = Callable[[], TestClient]
COUNTER = itertools.count()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@pytest.fixture
def browser(path: Path, lockbox: None) -> Iterator[Browser]:
    """Makes browsers, each with cookies of its own, of one server."""
    app = create_app(Settings(f"sqlite:///{path}", mail="smtp://127.0.0.1:9?from=room@example.org"))
    with TestClient(app):
        yield lambda: TestClient(app, raise_server_exceptions=False, follow_redirects=False)


def make(client: TestClient, game: str = "lockbox", friends: int = 0, bots: int = 0) -> str:
    chairs = [
        {"kind": "you", "name": "Anna"},
        *[{"kind": "friend"}] * friends,
        *[{"kind": "bot", "bot": "random"}] * bots,
    ]
    answer = client.post("/tables", json={"game": game, "chairs": chairs})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


def view(client: TestClient, table: str) -> dict[str, Any]:
    answer = client.get(f"/t/{table}/view.json")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def join(host: TestClient, friend: TestClient, table: str, name: str) -> None:
    invite = next(chair["invite"] for chair in view(host, table)["chairs"] if chair["invite"])
    assert friend.post(f"/t/{table}/sit", json={"invite": invite, "name": name}).status_code == 200


def move(client: TestClient, table: str, text: str, ply: int | None = None, move_id: str = "") -> Any:
    ply = view(client, table)["ply"] if ply is None else ply
    sent = {"move": text, "ply": ply, "move_id": move_id or f"m{next(COUNTER)}"}
    return client.post(f"/t/{table}/move", json=sent)


def two(browser: Browser) -> tuple[TestClient, TestClient, str]:
    anna, ben = browser(), browser()
    table = make(anna, friends=1)
    join(anna, ben, table, "Ben")
    return anna, ben, table


def dump(path: Path) -> list[str]:
    """The whole database as text, but for signs of presence."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE chairs SET seen = 0")
        connection.execute("UPDATE watchers SET seen = 0")
        lines = list(connection.iterdump())
        connection.rollback()
        return lines


def problem(answer: Any, status: int, code: str) -> None:
    """One clear line, in the declared form."""
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert set(told) == {"status", "code", "message", "ply"}
    assert (told["status"], told["code"]) == ("stale" if code == "E_STALE" else "refused", code)
    assert told["message"]
    assert "\n" not in told["message"]
    assert "Traceback" not in told["message"]


# Bad input


def test_bad_requests_get_one_line_and_change_nothing(browser: Browser, path: Path) -> None:
    anna, ben, table = two(browser)
    eve = browser()
    move(anna, table, "take 1")
    before = dump(path)

    def post(client: TestClient, where: str, **sent: Any) -> Any:
        return client.post(where, json=sent)

    at = f"/t/{table}"
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}, {"kind": "friend"}]
    problem(post(anna, "/tables", game="chess", chairs=chairs), 422, "E_SETUP")
    problem(post(anna, "/tables", game="corporation", chairs=chairs, options={"nosuch": 1}), 422, "E_SETUP")
    problem(post(anna, "/tables", game="corporation", chairs=chairs, options={"talk": "loud"}), 422, "E_SETUP")
    problem(post(anna, "/tables", game="corporation", chairs=chairs[:1]), 422, "E_SETUP")
    problem(post(anna, "/tables", game="corporation", chairs=chairs * 4), 422, "E_SETUP")
    problem(post(anna, "/tables", game="corporation", chairs="many"), 422, "E_REQUEST")
    problem(post(anna, "/tables", game="corporation", chairs=chairs, colour="red"), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="dance", ply=1, move_id="x"), 422, "E_SYNTAX")
    lone = rb'{"move": "\ud800", "ply": 1, "move_id": "x"}'
    problem(anna.post(f"{at}/move", content=lone), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="take\x00 1", ply=1, move_id="x"), 422, "E_TEXT")
    problem(post(ben, f"{at}/move", move="take 1", ply=1, move_id="x"), 409, "E_ACTOR")
    problem(post(eve, f"{at}/move", move="take 1", ply=1, move_id="x"), 403, "E_SEAT")
    problem(post(anna, f"{at}/move", move="take 1", ply=0, move_id="x"), 409, "E_STALE")
    assert post(anna, f"{at}/move", move="take 1", ply=0, move_id="x").json()["ply"] == 1
    problem(post(anna, f"{at}/move", move="take 1", ply="1", move_id="x"), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="take 1", ply=-1, move_id="x"), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="take 1", ply=10**30, move_id="x"), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="take 1", ply=1, move_id=""), 422, "E_REQUEST")
    problem(post(anna, f"{at}/move", move="take 1", move_id="x"), 422, "E_REQUEST")
    problem(post(anna, "/t/nowhere/move", move="take 1", ply=1, move_id="x"), 404, "E_UNKNOWN")
    problem(anna.post(f"{at}/move", content=b"{'move"), 422, "E_REQUEST")
    problem(anna.post(f"{at}/move", content=b"\xff\xfe"), 422, "E_REQUEST")
    problem(anna.post(f"{at}/move", content=b"[" * 50_000), 422, "E_REQUEST")
    problem(anna.post(f"{at}/move", content=b" " * (MOST_BYTES + 1)), 413, "E_SIZE")
    problem(anna.post(f"{at}/move", content=iter([b" " * MOST_BYTES, b" "])), 413, "E_SIZE")
    problem(post(eve, f"{at}/sit", invite="guess", name="Eve"), 404, "E_INVITE")
    problem(post(eve, f"{at}/sit"), 403, "E_SEAT")
    problem(post(eve, f"{at}/talk", text="hello"), 403, "E_SEAT")
    problem(post(anna, f"{at}/talk", text=""), 422, "E_TEXT")
    problem(post(anna, f"{at}/rematch"), 409, "E_GOING")
    problem(post(ben, f"{at}/bot", chair=0, bot="random"), 409, "E_CHAIR")
    problem(post(anna, f"{at}/vote", ply=1, agree=True), 409, "E_UNDO")
    problem(anna.get("/t/nowhere/view.json"), 404, "E_UNKNOWN")
    problem(anna.get("/t/nowhere/events"), 404, "E_UNKNOWN")
    problem(anna.get("/t/%00%ff/view.json"), 404, "E_UNKNOWN")
    problem(anna.get(f"{at}/view.json?move=2"), 404, "E_PLY")
    problem(anna.get(f"{at}/view.json?move=-2"), 422, "E_REQUEST")
    assert anna.get(f"{at}/complete?prefix=dance").json()["problem"].startswith("E_SYNTAX: ")
    problem(ben.get(f"{at}/complete?prefix=take"), 409, "E_ACTOR")
    problem(anna.get(f"{at}/export.json"), 409, "E_EXPORT")
    problem(anna.get("/nothing/here"), 404, "E_PAGE")
    problem(anna.delete(f"{at}/move"), 405, "E_REQUEST")
    assert dump(path) == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ('{"target": 16.5}', "option target = 16.5: Input should be a valid integer"),
        ('{"target": [16]}', "option target = [16]: Input should be a valid integer"),
        ('{"target": {"points": 16}}', "option target = {'points': 16}: Input should be a valid integer"),
        ('{"target": NaN}', "option target = nan: Input should be a finite number"),
        ('{"target": 1e400}', "option target = inf: Input should be a finite number"),
        ('{"factions": ["S"]}', "option factions = ['S']: Input should be a valid string"),
        ('{"advanced": 0.5}', "option advanced = 0.5: Input should be a valid boolean"),
        ('{"hands": 7.5}', "option hands = 7.5: Input should be 'seats', 'flat6', 'flat7' or 'flat8'"),
        ('{"preset": ["raid"]}', "no preset ['raid']; there are "),
        ('{"colour": 1.5}', "no option 'colour'; there are "),
        (f'{{"target": {list(range(5000))}}}', "option target = [0, 1, 2"),
    ],
)
def test_a_wrong_option_is_named_with_what_would_be_right(
    browser: Browser, path: Path, options: str, told: str
) -> None:
    anna = browser()
    before = dump(path)
    body = f'{{"game": "catham", "chairs": [{{"kind": "you", "name": "Anna"}}], "options": {options}}}'
    answer = anna.post("/tables", content=body.encode())
    problem(answer, 422, "E_SETUP")
    assert answer.json()["message"].startswith(told)
    assert len(answer.json()["message"]) < 300
    assert dump(path) == before


def test_every_request_twice_is_done_once(browser: Browser, path: Path) -> None:
    anna, ben, table = two(browser)
    eve = browser()
    eve.get("/")  # has a cookie from here on
    sent: list[tuple[TestClient, str, dict[str, Any]]] = [
        (ben, "plan", {"text": "take 1", "ply": 0, "condition": "legal"}),
        (ben, "plan", {"text": "", "ply": 0}),
        (anna, "draft", {"text": "take", "ply": 0}),
        (anna, "move", {"move": "take 1", "ply": 0, "move_id": "one"}),
        (anna, "undo", {"ply": 1, "undo_id": "two"}),
        (anna, "move", {"move": "end", "ply": 2, "move_id": "three"}),
        (anna, "undo", {"ply": 3, "undo_id": "four"}),
        (ben, "vote", {"ply": 3, "agree": True}),
        (ben, "talk", {"text": "there you are", "talk_id": "five"}),
        (ben, "notes", {"text": "owes me one"}),
        (eve, "follow", {"on": True}),
        (eve, "ask", {"on": True, "name": "Eve"}),
        (eve, "unwatch", {}),
        (eve, "ask", {"on": False}),
    ]
    for client, where, what in sent:
        first = client.post(f"/t/{table}/{where}", json=what)
        assert first.status_code == 200, first.text
        before = dump(path)
        again = client.post(f"/t/{table}/{where}", json=what)
        assert again.status_code == 200
        assert again.json()["status"] == ("asked" if what.get("undo_id") == "four" else "already applied")
        assert dump(path) == before
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
    made = [anna.post("/tables", json={"game": "lockbox", "chairs": chairs, "create_id": "six"}) for _ in range(2)]
    assert made[0].json() == made[1].json()


@pytest.mark.usefixtures("still_clock")
def test_a_move_is_prepared_and_seen_by_its_chair_alone(browser: Browser) -> None:
    anna, ben, eve = browser(), browser(), browser()
    table = make(anna, "catham", friends=1)
    join(anna, ben, table, "Ben")
    where = f"/t/{table}"
    others = [client.get(f"{where}{page}").text for client in (anna, eve) for page in ("", "/text", "/view.json")]
    assert view(ben, table)["can_prepare"]
    problem(ben.get(f"{where}/complete?prefix=take"), 409, "E_ACTOR")
    word = "take"
    while not (prepared := ben.get(f"{where}/complete", params={"prefix": word, "prepare": "true"}).json())["whole"]:
        word = f"{word} {prepared['next'][0]['text']}"
    problem(ben.post(f"{where}/plan", json={"text": "dance", "ply": 0}), 422, "E_SYNTAX")
    problem(ben.post(f"{where}/plan", json={"text": word, "ply": 0, "condition": "maybe"}), 422, "E_REQUEST")
    problem(anna.post(f"{where}/plan", json={"text": word, "ply": 0}), 409, "E_ACTOR")
    # As a plain form it leads back to the table, and the page that waits shows it.
    answer = ben.post(f"{where}/plan", data={"text": word, "ply": "0", "condition": "legal"})
    assert (answer.status_code, answer.headers["location"]) == (303, where)
    assert view(ben, table)["plan"] == {"text": word, "condition": "legal", "preview": prepared["preview"]}
    assert f"Prepared: {word}" in ben.get(where).text
    page = ben.get(f"{where}?prepare=1").text
    assert f'value="{word}"' in page
    assert 'value="legal" checked' in page
    assert "Nothing chosen yet" in ben.get(f"{where}?prepare=1&draft=").text
    assert others == [
        client.get(f"{where}{page}").text for client in (anna, eve) for page in ("", "/text", "/view.json")
    ]
    # On one's own turn there is nothing to prepare: the page is the ordinary one, with that text as its draft.
    page = anna.get(f"{where}?prepare=1&draft={word}&question=turn").text
    assert f'action="{where}/move"' in page
    assert f'data-draft="{word}"' in page


# Watching, and being told by mail


def test_a_watcher_asks_by_form_and_is_given_a_chair(browser: Browser, path: Path) -> None:
    anna, ben, cleo, eve = browser(), browser(), browser(), browser()
    table = make(anna, "catham", friends=2)
    join(anna, ben, table, "Ben")
    join(anna, cleo, table, "Cleo")
    eve.get("/")
    at = f"/t/{table}"
    problem(eve.post(f"{at}/ask", json={"on": True}), 422, "E_SETUP")
    asked = eve.post(f"{at}/ask", data={"on": "true", "name": "Eve"})
    assert (asked.status_code, asked.headers["location"]) == (303, at)
    assert eve.cookies["name"] == "Eve"
    followed = eve.post(f"{at}/follow", data={"on": "true"})
    assert (followed.status_code, followed.headers["location"]) == (303, at)
    assert view(eve, table)["follows"]
    assert view(eve, table)["asks"]
    assert (view(eve, table)["askers"], view(eve, table)["to_give"]) == ([], [])
    [asker] = view(anna, table)["askers"]
    assert (asker["name"], asker["here"], view(anna, table)["to_give"]) == ("Eve", True, [])
    given = {"chair": 1, "asks": asker["asks"]}
    before = dump(path)
    problem(anna.post(f"{at}/give", json=given), 409, "E_CHAIR")
    problem(eve.post(f"{at}/give", json=given), 403, "E_SEAT")
    problem(anna.post(f"{at}/give", json={"chair": 1, "asks": "nobody"}), 409, "E_ASK")
    assert dump(path) == before
    ben.post(f"{at}/leave", json={})
    assert view(anna, table)["to_give"] == [1]
    assert cleo.post(f"{at}/give", json=given).json()["status"] == "asked"
    giving = {"name": "Eve", "asks": asker["asks"], "chair": 1, "agreed": ["Cleo"], "waiting": ["Anna"], "yours": True}
    assert view(anna, table)["giving"] == giving
    assert view(eve, table)["giving"] is None
    for page in (at, f"{at}/text"):  # both buttons are plain forms
        assert 'name="agree" value="true" data-key="giving-yes"' in anna.get(page).text
    assert anna.post(f"{at}/give", data={**given, "agree": "false"}).status_code == 303
    assert view(anna, table)["giving"] is None
    assert anna.post(f"{at}/give", data=given).status_code == 303
    assert cleo.post(f"{at}/give", data={**given, "agree": "true"}).status_code == 303
    assert anna.post(f"{at}/give", json=given).json()["status"] == "already applied"
    assert view(eve, table)["seat"] == 1
    problem(eve.post(f"{at}/follow", json={"on": True}), 403, "E_SEAT")


def test_a_stream_watches_only_when_it_comes_with_the_token_it_was_given(browser: Browser) -> None:
    """Each request without a cookie has a token of its own, so a script would be as many watchers as it likes."""
    anna, _, table = two(browser)
    anna.app.state.tables.publisher.close()  # streams end at once
    for _ in range(3):
        assert browser().get(f"/t/{table}/events").status_code == 200
    assert view(anna, table)["crowd"] == {"names": [], "guests": 0}
    eve = browser()
    eve.get(f"/t/{table}")
    assert eve.get(f"/t/{table}/events").status_code == 200
    assert view(anna, table)["crowd"] == {"names": [], "guests": 1}


def test_leaving_by_form_leads_to_the_front_room(browser: Browser) -> None:
    _, _, table = two(browser)
    eve = browser()
    gone = eve.post(f"/t/{table}/unwatch", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert (gone.status_code, gone.headers["location"]) == (303, "/")
    assert eve.post(f"/t/{table}/unwatch", json={}).json()["status"] == "already applied"


def test_mail_is_confirmed_and_ended_by_its_links(browser: Browser, path: Path) -> None:
    anna, ben, table = two(browser)
    sent = ben.post(f"/t/{table}/tell", data={"on": "true", "address": "ben@example.org"})
    assert (sent.status_code, sent.headers["location"]) == (303, f"/t/{table}")
    assert view(ben, table)["telling"] == {"on": True, "address": "ben@example.org", "confirmed": False}
    assert view(anna, table)["telling"] == {"on": False, "address": "", "confirmed": False}
    assert view(browser(), table)["telling"] is None
    problem(ben.post(f"/t/{table}/tell", json={"on": True, "address": "ben@nowhere"}), 422, "E_ADDRESS")
    problem(browser().post(f"/t/{table}/tell", json={"on": True, "address": "e@example.org"}), 403, "E_SEAT")
    with sqlite3.connect(path) as connection:
        secret, origin = connection.execute("SELECT secret, tell FROM people JOIN chairs USING (token)").fetchone()
    assert origin == "http://testserver"
    assert secret not in "".join(page.text for page in (ben.get(f"/t/{table}"), ben.get(f"/t/{table}/view.json")))
    reader = browser()
    page = reader.get(f"/mail/{secret}", headers={"Accept": "text/html"})  # looking does nothing
    assert "May Backroom write to you?" in page.text
    assert "ben@" not in page.text
    assert not view(ben, table)["telling"]["confirmed"]
    button = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
    yes = reader.post(f"/mail/{secret}/confirm", headers=button)
    assert (yes.status_code, yes.headers["location"]) == (303, f"/mail/{secret}")
    assert view(ben, table)["telling"]["confirmed"]
    assert "You will get mail" in reader.get(f"/mail/{secret}").text
    # As mail programs do it: no cookies, no page, a form of one field.
    click = browser().post(f"/mail/{secret}/stop", data={"List-Unsubscribe": "One-Click"})
    assert (click.status_code, click.json()) == (200, {"status": "applied"})
    assert reader.post(f"/mail/{secret}/stop", json={}).json() == {"status": "already applied"}
    assert "No more mail" in reader.get(f"/mail/{secret}").text
    assert view(ben, table)["telling"] == {"on": False, "address": "", "confirmed": False}
    problem(reader.post(f"/mail/{secret}/confirm", json={}), 404, "E_MAIL_LINK")
    problem(reader.post("/mail/unknown/stop", json={}), 404, "E_MAIL_LINK")
    assert reader.get("/mail/unknown").status_code == 404


def test_links_begin_with_the_public_address(path: Path) -> None:
    for wrong in ("games.example.org", "https://x/y", "ftp://x", "https://x?y", "https://"):
        with pytest.raises(Refusal, match="E_URL"):
            create_app(Settings(f"sqlite:///{path}", public_url=wrong))
    app = create_app(Settings(f"sqlite:///{path}", public_url="https://games.example.org/"))
    with TestClient(app) as client:
        table = make(client, "corporation", friends=2)
        assert 'value="https://games.example.org/join/' in client.get(f"/t/{table}").text
        client.headers["host"] = "evil.example/?"
        assert client.get(f"/t/{table}").status_code == 422


def test_a_table_is_looked_back_at_from_ones_own_place(browser: Browser) -> None:
    anna = browser()
    table = make(anna, "corporation", friends=2)
    others = [browser(), browser()]
    for other, name in zip(others, ("Ben", "Cleo"), strict=True):
        join(anna, other, table, name)
    for client in (anna, *others):
        assert move(client, table, "card 1").status_code == 200
    eve = browser()
    for client, words in ((eve, "a chair with no cards"), (anna, "your chair")):
        page = client.get(f"/t/{table}?move=1")
        assert page.status_code == 200
        assert f"You see what {words} saw then." in page.text
        assert 'id="deed"' not in page.text
    assert eve.get(f"/t/{table}?move=3").headers["location"] == f"/t/{table}"
    problem(eve.get(f"/t/{table}?move=4"), 404, "E_PLY")


# Clients and their addresses


GIVEN = {
    "Problem": "status code message ply",
    "Answered": "status ply message",
    "Made": "table url",
    "ViewModel": (
        "table title game rules options chairs started ply revision commitment link seed seat names move moves "
        "acting your_turn question position state prepared can_prepare plan plan_told lines over stopped may_end "
        "scores places undo_free undo_moves undo talk notes next_table next_in began ended standings now pace "
        "out_of_time stands crowd follows asks askers to_give giving telling decided "
        "hint may_hint origin try_not chances quiet"
    ),
    "Chair": "number name seat held here you host bot invite anybody asked until lost bot_from",
    "Crowd": "names guests",
    "Asker": "name asks here",
    "Finding": "done found",
    "ChancesModel": "ply outside own",
    "Origin": "title move drawn seen_by",
    "Shared": "position url",
    "Giving": "name asks chair agreed waiting yours",
    "TalkLine": "number name text at seat",
    "Telling": "on address confirmed",
    "UndoAsked": "name moves agreed waiting yours",
    "LogModel": "table game rules players moves commitment link lines",
    "LineModel": "move text parts rule seat out_of_time at",
    "Part": "text kind key",
    "Prepared": "text whole next preview problem",
    "Token": "text kind key glue",
    "PlanModel": "text condition preview",
    "Settled": "status",
}
"""What scripts know of what is given as JSON: the fields of each kind, in the order in which they stand."""


def test_what_is_given_has_the_fields_that_scripts_know(browser: Browser) -> None:
    """Some are the views of the tables themselves, where a name is changed more easily than in a script elsewhere."""
    schemas = browser().get("/openapi.json").json()["components"]["schemas"]
    assert {name: " ".join(schemas[name]["properties"]) for name in GIVEN} == GIVEN
    assert all(schemas[name]["required"] == list(schemas[name]["properties"]) for name in GIVEN)


def test_a_browser_is_known_by_a_cookie_that_scripts_cannot_read(browser: Browser) -> None:
    client = browser()
    cookie = client.get("/healthz").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "set-cookie" not in client.get("/healthz").headers
    secure = browser()
    secure.base_url = "https://testserver"
    assert "Secure" in secure.get("/healthz").headers["set-cookie"]
    forged = browser()
    forged.cookies.set("backroom", "x")
    assert "set-cookie" in forged.get("/healthz").headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Origin": "http://[broken"},
    ],
)
def test_other_sites_cannot_post(browser: Browser, path: Path, headers: dict[str, str]) -> None:
    anna, _, table = two(browser)
    before = dump(path)
    sent = {"move": "take 1", "ply": 0, "move_id": "x"}
    problem(anna.post(f"/t/{table}/move", json=sent, headers=headers), 403, "E_ORIGIN")
    assert dump(path) == before
    own = {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"}
    assert anna.post(f"/t/{table}/move", json=sent, headers=own).status_code == 200


def test_answers_forbid_what_they_do_not_need(browser: Browser) -> None:
    headers = browser().get("/healthz").headers
    assert "script-src 'self';" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_pages_and_files_are_compressed_and_the_length_of_a_page_tells_nothing(browser: Browser) -> None:
    """A page that has secrets beside what others say is longer by chance each time; a file is not."""
    client = browser()
    table = make(client, "catham", bots=2)
    for path, personal in ((f"/t/{table}", True), (f"/t/{table}/view.json", True), (f"{folder()}/table.js", False)):
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        answers = [client.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(12)]
        assert "Content-Encoding" not in plain.headers
        assert all(answer.headers["Content-Encoding"] == "gzip" for answer in answers)
        assert all("Accept-Encoding" in answer.headers["Vary"] for answer in [*answers, plain])
        assert int(answers[0].headers["Content-Length"]) < len(plain.content) / 2
        assert re.sub(r"\d+", "", answers[0].text) == re.sub(r"\d+", "", plain.text), "the clock apart"
        lengths = {len(answer.headers.get("Padding", "")) for answer in answers}
        assert len(lengths) > 2 if personal else lengths == {0}


def test_people_get_a_page_where_programs_get_json(browser: Browser) -> None:
    answer = browser().get("/t/nowhere/view.json", headers={"Accept": "text/html,application/xhtml+xml"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/")
    assert "json" not in answer.headers["content-type"]
    assert "E_UNKNOWN" in answer.text


def test_a_plain_form_works_and_leads_back(browser: Browser) -> None:
    anna, _, table = two(browser)
    answer = anna.post(f"/t/{table}/move", data={"move": "take 2", "ply": "0", "move_id": "x"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table}")
    assert view(anna, table)["moves"] == 1
    answer = anna.post(f"/t/{table}/move", data={"move": ["take 1", "what the box said"], "ply": "1", "move_id": "y"})
    assert answer.status_code == 303
    problem(anna.post(f"/t/{table}/move", data={"move": "dance", "ply": "2", "move_id": "z"}), 422, "E_SYNTAX")
    problem(anna.post(f"/t/{table}/move", data={"move": "end", "ply": "soon", "move_id": "z"}), 422, "E_REQUEST")


def test_a_database_that_another_process_keeps_is_waited_for_and_then_told(
    browser: Browser, path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben, table = two(browser)
    engine = anna.app.state.tables.store.engine  # type: ignore[attr-defined]
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    engine.dispose()
    before = dump(path)
    sent = {"move": "take 1", "ply": 0, "move_id": "once"}
    posts: list[tuple[str, dict[str, Any]]] = [
        ("move", sent), ("draft", {"text": "take", "ply": 0}), ("talk", {"text": "hello"}), ("notes", {"text": "x"}),
        ("leave", {}), ("undo", {"ply": 0, "undo_id": "u"}),
    ]  # fmt: skip
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        answers = [anna.post(f"/t/{table}/{name}", json=json) for name, json in posts]
        answers.append(
            anna.post(
                "/tables",
                json={"game": "dark_sources", "chairs": [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]},
            )
        )
        page = anna.post("/start", data={"game": "catham"}, headers={"accept": "text/html"})
        other.execute("ROLLBACK")
    for answer in answers:
        problem(answer, 503, "E_AWAY")
        assert answer.headers["retry-after"] == "2"
    assert (page.status_code, page.headers["retry-after"]) == (503, "2")
    assert "does not answer" in page.text
    assert not [record for record in caplog.records if record.exc_info]
    assert dump(path) == before
    assert anna.post(f"/t/{table}/move", json=sent).json()["status"] == "applied"
    assert view(ben, table)["ply"] == 1
    assert anna.post(f"/t/{table}/move", json=sent).json()["status"] == "already applied"
    # For a moment only: waited for.
    monkeypatch.setattr(store, "PATIENCE", 30.0)
    engine.dispose()
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("ROLLBACK")).start()
    assert ben.post(f"/t/{table}/talk", json={"text": "hello"}).status_code == 200
    other.close()


def test_a_disk_that_is_full_is_told_and_nothing_is_kept_by_half(
    browser: Browser, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    anna, ben, table = two(browser)
    engine = anna.app.state.tables.store.engine  # type: ignore[attr-defined]
    room = [0]

    @event.listens_for(engine, "connect")
    def limit(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + room[0]}")

    engine.dispose()
    for number in range(100):  # what is free within the file is used up first
        before = dump(path)
        answer = anna.post(f"/t/{table}/talk", json={"text": f"{number} " + "n" * 450})
        if answer.status_code != 200:
            break
    problem(answer, 503, "E_AWAY")
    assert answer.headers["retry-after"] == "2"
    assert not [record for record in caplog.records if record.exc_info]
    assert dump(path) == before
    assert view(ben, table)["ply"] == 0
    room[0] = 1000
    engine.dispose()
    sent = {"move": "take 1", "ply": 0, "move_id": "once"}
    assert anna.post(f"/t/{table}/move", json=sent).json()["status"] == "applied"


def test_reading_waits_for_a_database_too(browser: Browser, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _, table = two(browser)
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    opened = anna.app.state.tables.store.engine.connect  # type: ignore[attr-defined]
    tries = []

    def locked(*_: Any) -> Any:
        tries.append(1)
        cause = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("BEGIN", (), cause)

    monkeypatch.setattr(anna.app.state.tables.store.engine, "connect", locked)  # type: ignore[attr-defined]
    for where in (f"/t/{table}", f"/t/{table}/text", f"/t/{table}/view.json", "/", "/healthz", f"/t/{table}/events"):
        tries.clear()
        answer = anna.get(where)
        problem(answer, 503, "E_AWAY")
        assert answer.headers["retry-after"] == "2"
        assert len(tries) > 1, where
    monkeypatch.setattr(anna.app.state.tables.store.engine, "connect", opened)  # type: ignore[attr-defined]
    assert anna.get("/healthz").json() == {"status": "ok"}


def test_a_query_that_is_wrong_is_no_database_that_is_away(browser: Browser, path: Path) -> None:
    anna, _, table = two(browser)
    with sqlite3.connect(path) as other:
        other.execute("ALTER TABLE talk RENAME TO talked")
    problem(anna.post(f"/t/{table}/talk", json={"text": "hello"}), 500, "E_SERVER")


def test_a_client_that_goes_away_in_the_middle_is_one_line_of_the_log(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    anna, _, table = two(browser)
    halves = [{"type": "http.request", "body": b'{"move": "ta', "more_body": True}, {"type": "http.disconnect"}]
    for path, kind in ((f"/t/{table}/move", b"application/json"), ("/start", b"application/x-www-form-urlencoded")):
        scope = {
            "type": "http", "method": "POST", "path": path, "query_string": b"", "scheme": "http",
            "http_version": "1.1",
            "headers": [(b"host", b"testserver"), (b"content-type", kind), (b"content-length", b"500")],
            "client": ("127.0.0.1", 9), "server": ("testserver", 80),
        }  # fmt: skip
        parts = iter(halves)

        async def receive(parts: Iterator[Any] = parts) -> Any:
            return next(parts, halves[1])

        async def send(_message: Any) -> None:
            pass

        caplog.clear()
        asyncio.run(anna.app(scope, receive, send))  # type: ignore[arg-type]
        assert [record.getMessage() for record in caplog.records] == [
            f"POST {path}: the client went away before all of it had come"
        ]
        assert caplog.records[0].exc_info is None


def test_a_file_in_place_of_a_text_is_told_in_words(browser: Browser, path: Path) -> None:
    anna, _, table = two(browser)
    before = dump(path)
    file = {"name": ("cat.txt", b"Anna")}
    for where in ("/start", "/new", "/join/abcdefgh"):
        answer = anna.post(where, data={"game": "catham"}, files=file)
        problem(answer, 422, "E_REQUEST")
        assert answer.json()["message"] == "name: a text belongs here, not a file"
    answer = anna.post(f"/t/{table}/talk", files={"text": ("cat.txt", b"hello")})
    problem(answer, 422, "E_REQUEST")
    assert "takes no files" in answer.json()["message"]
    assert dump(path) == before


def test_an_old_move_of_a_game_from_memory_is_not_told_again(browser: Browser) -> None:
    anna, ben = browser(), browser()
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
    made = anna.post("/tables", json={"game": "dark_sources", "chairs": chairs, "options": {"memory": "play"}})
    table = made.json()["table"]
    join(anna, ben, table, "Ben")
    first = anna if view(anna, table)["your_turn"] else ben
    assert "swap a1 b1" in move(first, table, "swap a1 b1", ply=0, move_id="once").json()["message"]
    for text in ("swap a2 b2", "swap a3 b3"):
        assert move(anna if view(anna, table)["your_turn"] else ben, table, text).status_code == 200
    again = move(first, table, "swap a1 b1", ply=0, move_id="once").json()
    assert again == {"status": "already applied", "ply": 3, "message": ""}


def test_pages_can_be_had_without_script(browser: Browser) -> None:
    anna = browser()
    table = make(anna, game="dark_sources", bots=1)
    pages = (f"/t/{table}", f"/t/{table}/text", "/new", "/")
    assert all("<script" in anna.get(page).text for page in pages)
    answer = anna.get("/plain", params={"back": f"/t/{table}?draft=a1"})
    assert answer.headers["location"] == f"/t/{table}?draft=a1"
    assert all("<script" not in anna.get(page).text and "Without script" in anna.get(page).text for page in pages)
    assert anna.get("/plain", params={"on": "false"}).headers["location"] == "/"
    assert all("<script" in anna.get(page).text for page in pages)
    for elsewhere in ("https://example.org", "//example.org", "example.org", ""):
        assert anna.get("/plain", params={"back": elsewhere}).status_code == 404
    assert anna.get("/plain", params={"back": "/\\example.org"}).headers["location"] == "/%5Cexample.org"


@pytest.mark.parametrize("number", ["--5", "-", "9" * 5000, "²", "1e9"])
def test_a_number_of_the_lobby_that_is_none_is_told_in_one_line(browser: Browser, number: str) -> None:
    sent = {"game": "catham", "name": "Anna", "chairs": "2", "chair1": "bot:random", "option.target": number}
    answer = browser().post("/new", data=sent)
    assert answer.status_code == 422
    assert "target" in answer.text


@pytest.mark.parametrize("name", ["two, words", "a\u202eb", "x" * 25, "a\r\nSet-Cookie: b=c"])
def test_a_name_that_no_player_could_have_is_not_remembered(browser: Browser, name: str) -> None:
    anna, ben, cleo = browser(), browser(), browser()
    table = make(anna, "catham", friends=1)
    join(anna, ben, table, "Ben")
    assert cleo.post("/start", data={"game": "corporation", "with": "friends", "name": name}).status_code == 303
    assert cleo.post(f"/t/{table}/ask", data={"on": "true", "name": name}).status_code == 422
    assert "name" not in cleo.cookies


@pytest.mark.parametrize("name", ["Jean  Paul", "Łukasz", "田中 太郎", "علی‌رضا", "क्‍षमा"])
def test_a_name_of_any_script_is_used_remembered_and_offered(browser: Browser, name: str) -> None:
    anna, ben = browser(), browser()
    table = make(anna, "catham", friends=1)
    invite = next(chair["invite"] for chair in view(anna, table)["chairs"] if chair["invite"])
    assert ben.post(f"/join/{invite}", data={"name": name}).status_code == 303
    called = " ".join(name.split())
    assert view(anna, table)["chairs"][1]["name"] == called
    for text in ("", "/text"):
        assert called in anna.get(f"/t/{table}{text}").text
    assert f'value="{called}"' in ben.get("/new").text
    assert f'value="{called}"' in ben.get("/").text


def test_what_breaks_is_told_in_one_line(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser()
    monkeypatch.setattr(service.Tables, "check", lambda self: 1 / 0)
    problem(client.get("/healthz"), 500, "E_SERVER")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answer_on_a_kept_alive_connection_does_not_wait_for_more(host: str) -> None:
    options: list[int] = []

    async def connect() -> None:
        def accepted(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            options.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = _listen(host, [0])
        async with await asyncio.start_server(accepted, sock=listener):
            reader, writer = await asyncio.open_connection(*listener.getsockname()[:2])
            assert await reader.read() == b""
            writer.close()

    asyncio.run(connect())  # uvloop would set it by itself
    assert options
    assert options[0]


# A whole game, and what is in its answers


def test_a_game_to_its_end_tells_no_secret_on_the_way(browser: Browser, path: Path) -> None:
    anna, ben, eve = browser(), browser(), browser()
    table = make(anna, friends=1)
    join(anna, ben, table, "Ben")
    with sqlite3.connect(path) as connection:
        seed = connection.execute("SELECT seed FROM tables").fetchone()[0]
    words = [str(int.from_bytes(bytes.fromhex(seed)[i : i + 4], "little")) for i in range(0, 32, 4)]
    box = str(toys_tables.FIRST)[:7]
    texts = ["take 1", "flip", "peek", "bad", "end", "flip", "take 2", "end", "take 2", "take 2", "take 2"]
    heard: dict[str, list[str]] = {"anna": [], "ben": [], "eve": []}
    for text in texts:
        client = anna if view(anna, table)["your_turn"] else ben
        heard["anna" if client is anna else "ben"].append(move(client, table, text).text)
        if view(anna, table)["over"]:
            break
        for name, reader in (("anna", anna), ("ben", ben), ("eve", eve)):
            for page in (
                "view.json",
                "log.json",
                "complete?prefix=",
                "complete?prefix=x",
                "export.json",
                "view.json?move=0",
            ):
                heard[name].append(reader.get(f"/t/{table}/{page}").text)
    assert view(anna, table)["over"] == 1
    for name, answers in heard.items():
        everything = "\n".join(answers)
        assert len(answers) > 40
        assert seed not in everything
        assert not [word for word in words if len(word) > 6 and word in everything]
        assert (box in everything) == (name == "anna"), name  # she alone has peeked
    assert view(eve, table)["seed"] == seed
    assert box in eve.get(f"/t/{table}/view.json").text
    told = eve.get(f"/t/{table}/export.json")
    assert told.headers["content-disposition"].startswith("attachment")
    assert told.json()["seed"] == seed
    assert len(told.json()["moves"]) == 10


def test_an_exported_match_verifies(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lives, "READ_SECONDS", 0)
    anna = browser()
    table = make(anna, "dark_sources", bots=2)
    while not (now := view(anna, table))["over"]:
        if now["your_turn"]:
            prepared, text = now["prepared"], ""
            while not prepared["whole"]:
                text = f"{text} {prepared['next'][0]['text']}".strip()
                prepared = anna.get(f"/t/{table}/complete", params={"prefix": text}).json()
            assert move(anna, table, text, now["ply"]).status_code == 200
    exported = anna.get(f"/t/{table}/export.json")
    match = Match.loads(exported.text)
    assert (match.over, match.chain[-1]) == (True, now["link"])
    assert match.seed.hex() == now["seed"]


def test_what_is_said_is_kept_as_typed_by_form_and_by_script(browser: Browser) -> None:
    anna = browser()
    table = make(anna, "corporation", friends=2)
    for name in ("Ben", "Cleo"):
        join(anna, browser(), table, name)
    said = "two  blanks,   THREE & <b>"
    assert anna.post(f"/t/{table}/talk", json={"text": said, "talk_id": "a"}).status_code == 200
    assert anna.post(f"/t/{table}/talk", data={"text": said, "talk_id": "b"}).status_code == 303
    assert move(anna, table, f"say {said}").status_code == 200
    sent = {"move": f"say {said}", "ply": str(view(anna, table)["ply"]), "move_id": "c"}
    assert anna.post(f"/t/{table}/move", data=sent).status_code == 303
    assert [line["text"] for line in view(anna, table)["lines"] if line["rule"] == "K12"] == [f"You: {said}"] * 4


def test_no_notes_at_a_table_played_from_memory(browser: Browser) -> None:
    anna = browser()
    table = make(anna, "dark_sources", friends=1)
    join(anna, browser(), table, "Ben")
    answer = anna.post(f"/t/{table}/notes", json={"text": "b5 is a ten"})
    assert (answer.status_code, answer.json()["code"]) == (409, "E_NOTES")
    assert view(anna, table)["notes"] == ""


# Fuzzing


def test_any_text_for_a_move_is_answered(browser: Browser, path: Path) -> None:
    anna = browser()
    table = make(anna, "corporation", friends=2)
    join(anna, browser(), table, "Ben")
    join(anna, browser(), table, "Cleo")
    words = st.sampled_from(
        ["card", "say", "claim", "ask", "ben", "1", "7", "+", ">", "\u0660", "99999999999", "-1", "x" * 900]
    )
    texts = st.one_of(st.text(max_size=60), st.lists(words, max_size=6).map(" ".join))
    number = itertools.count()

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=texts)
    def answered(text: str) -> None:
        before = dump(path)
        ply = view(anna, table)["ply"]
        body = json.dumps({"move": text, "ply": ply, "move_id": f"fuzz {next(number)}"}).encode()
        answer = anna.post(f"/t/{table}/move", content=body)
        assert answer.status_code in (200, 409, 422), answer.text
        assert "\n" not in answer.json()["message"] or answer.status_code == 200
        if answer.status_code != 200:
            assert dump(path) == before
        assert anna.get(f"/t/{table}/complete", params={"prefix": text}).status_code in (200, 409, 422)

    answered()


def test_a_line_says_whose_deed_it_tells(browser: Browser) -> None:
    anna, ben, table = two(browser)
    while not view(anna, table)["over"]:
        mover = anna if view(anna, table)["your_turn"] else ben
        assert move(mover, table, "take 1").status_code == 200
    told = anna.get(f"/t/{table}/log.json").json()["lines"]
    assert view(anna, table)["lines"] == told
    called = {chair["seat"]: chair["name"] for chair in view(anna, table)["chairs"]}
    deeds = [line for line in told if line["seat"] is not None]
    assert deeds
    assert all(line["text"].startswith(called[line["seat"]]) for line in deeds)


def test_the_interface_keeps_its_description(browser: Browser) -> None:
    client = browser()
    table = make(client, "corporation", friends=2)
    schema = schemathesis.openapi.from_asgi("/openapi.json", client.app)
    cookie = f"backroom={client.cookies['backroom']}"
    checks = [
        not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
        response_headers_conformance, negative_data_rejection, unsupported_method,
    ]  # fmt: skip
    tried: set[str] = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # it does not end; the streams have tests of their own

        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(), here=st.booleans())
        def keeps(case: Any, here: bool) -> None:
            if here and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = table
            case.call_and_validate(checks=checks, headers={"Cookie": cookie})

        keeps()
        tried.add(operation.label)
    assert len(tried) >= 23, tried


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("127.0.0.1", "http://127.0.0.1:8123/"),
        ("0.0.0.0", "http://127.0.0.1:8123/ (from elsewhere: this machine's address, port 8123)"),
        ("::", "http://[::1]:8123/ (from elsewhere: this machine's address, port 8123)"),
        ("::1", "http://[::1]:8123/"),
    ],
)
def test_the_address_that_is_printed_can_be_opened(host: str, words: str) -> None:
    assert _address(host, 8123) == words
