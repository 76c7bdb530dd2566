"""A chair on another device: by a link that works once, and both devices have it then."""

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.tables import devices
from backroom.tables.service import Tables
from backroom.tables.words import hash_of
from backroom.web.app import Settings, create_app
from sittings import ANNA, BEN, CLEO, EVE, among_people, play, refused, take_back_to

pytestmark = pytest.mark.usefixtures("lockbox", "asleep")


def test_both_devices_have_the_chair_and_only_that_one(tables: Tables) -> None:
    table, other = among_people(tables, ANNA, BEN), among_people(tables, ANNA, BEN)
    secret = tables.another_device(table, ANNA)
    found = tables.handover(secret, EVE)
    assert (found.table, found.name, found.here) == (table, "Anna", False)
    assert tables.view(table, EVE).seat is None, "looking at the link opens nothing"
    assert tables.open_here(secret, EVE) == table
    one, two = tables.view(table, ANNA), tables.view(table, EVE)
    assert two.seat == one.seat == 0
    assert two.record.tobytes() == one.record.tobytes()
    assert (one.devices, one.elsewhere, two.devices, two.elsewhere) == (1, False, 1, True)
    assert [summary.table for summary in tables.mine(EVE)] == [table]
    assert tables.view(other, EVE).seat is None, "it is one chair and not a person"
    # Either moves, and both are told of what is their own.
    play(tables, table, EVE, "peek")
    assert tables.view(table, ANNA).moves == 1
    marks = tables.mark(table, ANNA), tables.mark(table, EVE)
    tables.note(table, EVE, "from the sofa")
    assert tables.view(table, ANNA).notes == "from the sofa"
    assert tables.hush(table, EVE, True).status == "applied"
    assert tables.mark(table, ANNA).own != marks[0].own
    assert tables.mark(table, EVE).own != marks[1].own
    assert tables.marks([table, other], EVE)[table].chair == 0
    # An open page there is a sign of the player, and not a watcher.
    tables.pulse([table], EVE)
    assert tables.view(table, BEN).crowd.guests == 0
    # The first closes it elsewhere; what is not open any more sees what anybody sees.
    tables.close_elsewhere(table, ANNA)
    assert tables.view(table, EVE).seat is None
    assert tables.view(table, ANNA).seat == 0
    refused("E_SEAT", tables.note, table, EVE, "x")


def test_a_link_works_once_for_ten_minutes_and_a_newer_one_replaces_it(
    tables: Tables, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN)
    first = tables.another_device(table, ANNA)
    secret = tables.another_device(table, ANNA)
    refused("E_DEVICE", tables.open_here, first, EVE)
    assert tables.handover(secret, ANNA).here, "one's own link leads to one's own chair"
    assert tables.open_here(secret, ANNA) == table
    assert tables.handover(secret, EVE).table == table, "and is not used up by that"
    refused("E_CHAIR", tables.open_here, secret, BEN)
    assert tables.open_here(secret, EVE) == table
    assert tables.open_here(secret, EVE) == table, "the same button pressed twice"
    for call in (tables.handover, tables.open_here):
        refused("E_DEVICE", call, secret, CLEO)
        refused("E_DEVICE", call, "nosuchlink", CLEO)
    late = tables.another_device(table, EVE)
    wait(devices.LASTS)
    refused("E_DEVICE", tables.open_here, late, CLEO)
    refused("E_SEAT", tables.another_device, table, CLEO)
    with tables.store.read() as t:
        kept = t.connection.exec_driver_sql("SELECT secret, holder, used FROM passes").all()
        assert {row[0] for row in kept} == {hash_of(late)}, "only hashes are kept, and none that is replaced"


def test_a_chair_that_changes_hands_is_closed_on_all_devices(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.open_here(tables.another_device(table, ANNA), EVE)
    pending = tables.another_device(table, ANNA)
    tables.leave(table, EVE)
    assert tables.view(table, EVE).seat is None
    assert tables.view(table, ANNA).seat is None
    refused("E_DEVICE", tables.open_here, pending, CLEO)
    # A device that had the chair by a link closes it on itself alone.
    table = among_people(tables, ANNA, BEN)
    tables.open_here(tables.another_device(table, BEN), EVE)
    tables.close_elsewhere(table, EVE)
    assert tables.view(table, EVE).seat is None
    assert tables.view(table, BEN).seat == 1


def test_of_two_servers_one_opens_it(url: str) -> None:
    servers = [Tables.open(url), Tables.open(url)]
    table = among_people(servers[0], ANNA, BEN)
    for _ in range(3):
        secret = servers[0].another_device(table, ANNA)
        answers: list[object] = []
        ready = threading.Barrier(4)

        def press(number: int, secret: str = secret, answers: list[object] = answers, ready: threading.Barrier = ready):
            ready.wait()
            try:
                answers.append(servers[number % 2].open_here(secret, f"token {secret} {number}"))
            except Exception as problem:
                answers.append(problem)

        threads = [threading.Thread(target=press, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers.count(table) == 1, answers
    assert servers[1].view(table, ANNA).devices == 3
    for server in servers:
        server.close()


def test_it_goes_by_plain_pages_over_a_plain_network(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    app = create_app(Settings(f"sqlite:///{file}"))
    desk, phone = (TestClient(app, base_url="http://192.168.1.20:8000", follow_redirects=False) for _ in range(2))
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "bot", "bot": "random"}]
    table = desk.post("/tables", json={"game": "catham", "chairs": chairs}).json()["table"]
    assert f'action="/t/{table}/device"' in desk.get(f"/t/{table}").text
    assert f'action="/t/{table}/device"' in desk.get(f"/t/{table}/text").text
    page = desk.post(f"/t/{table}/device", headers={"content-type": "application/x-www-form-urlencoded"})
    assert page.status_code == 200
    link = re.search(r'value="http://192\.168\.1\.20:8000(/device/\w+)"', page.text)
    assert link
    assert "style=" not in page.text[page.text.index("<svg viewBox") :][:4000], "the content policy allows no styles"
    assert 'fill="#fff"' in page.text, "on white by night too, as scanners need it"
    assert phone.post(f"/t/{table}/device").status_code == 403
    for _ in range(2):  # as a chat program looks at it, and then a person
        asked = phone.get(link[1])
        assert asked.status_code == 200
        assert f'action="{link[1]}"' in asked.text
        assert phone.get(f"/t/{table}/view.json").json()["seat"] is None
    opened = phone.post(link[1], headers={"content-type": "application/x-www-form-urlencoded"})
    assert (opened.status_code, opened.headers["location"]) == (303, f"/t/{table}")
    assert phone.get(f"/t/{table}/view.json").json()["seat"] == desk.get(f"/t/{table}/view.json").json()["seat"]
    assert phone.get(link[1]).headers["location"] == f"/t/{table}"
    assert "No longer here" in phone.get(f"/t/{table}").text
    assert "Only here" in desk.get(f"/t/{table}").text
    third = TestClient(app)
    assert third.get(link[1], headers={"accept": "text/html"}).status_code == 404
    assert third.post(link[1], json={}).json()["code"] == "E_DEVICE"
    app.state.tables.close()
    take_back_to(file, "0010")
    again = Tables.open(f"sqlite:///{file}")
    assert again.view(table, desk.cookies["backroom"]).seat is not None
    again.close()
