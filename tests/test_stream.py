"""What open pages are told, and how a page is asked for again: no more than its viewer may know, and cheaply."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from backroom.tables.lives import Lives
from backroom.tables.publisher import News
from backroom.tables.service import Tables
from backroom.tables.watchers import HERE_SECONDS, SEEN_SECONDS
from backroom.web import stream
from backroom.web.app import Settings, create_app
from backroom.web.stream import _stream
from sittings import ANNA, BEN, EVE, among_people, play

pytestmark = pytest.mark.usefixtures("lockbox")


class Line:
    """One browser's stream, read as it comes."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self.chunks: list[bytes] = []
        self.task = asyncio.create_task(self._read(chunks))

    async def _read(self, chunks: AsyncIterator[bytes]) -> None:
        async for chunk in chunks:
            self.chunks.append(chunk)

    @property
    def events(self) -> list[tuple[str, dict[str, Any]]]:
        found = []
        for block in b"".join(self.chunks).decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines())
            if "event" in fields:
                found.append((fields["event"], json.loads(fields["data"])))
        return found

    def heard(self, kind: str) -> list[dict[str, Any]]:
        return [data for name, data in self.events if name == kind]

    async def until(self, met: Callable[["Line"], bool]) -> None:
        async with asyncio.timeout(30):
            while not met(self):
                await asyncio.sleep(0.005)

    async def quiet(self) -> None:
        """Until all that was said has been heard."""
        count = -1
        while count != (now := sum(kind != "ping" for kind, _ in self.events)):
            count = now
            await asyncio.sleep(0.1)


@asynccontextmanager
async def lines(tables: Tables, *listeners: tuple[str, list[str]]) -> AsyncIterator[list[Line]]:
    """Streams of browsers (token, tables), once each was told where its tables are."""
    opened = [Line(_stream(tables, token, "", "192.0.2.1", wanted)) for token, wanted in listeners]
    try:
        for line, (_, wanted) in zip(opened, listeners, strict=True):
            await line.until(lambda line, wanted=wanted: told_of(line) >= set(wanted))  # type: ignore[misc]
        yield opened
    finally:
        for line in opened:
            line.task.cancel()


def told_of(line: Line) -> set[str]:
    return {data["table"] for kind, data in line.events if kind in ("own", "gone")}


# Twins: what others do in private changes nothing for anybody else


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Callable[[], TestClient]]:
    app = create_app(
        Settings(f"sqlite:///{tmp_path / 'http.sqlite3'}", mail="smtp://127.0.0.1:9?from=room@example.org")
    )
    with TestClient(app):
        yield lambda: TestClient(app, raise_server_exceptions=False, follow_redirects=False)


@pytest.mark.parametrize("game", ["catham", "medici"])
def test_nobody_can_tell_that_somebody_else_prepares_or_writes_something(
    browser: Callable[[], TestClient], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(stream, "PING_SECONDS", 3600)  # they come by the clock
    anna, ben, eve = browser(), browser(), browser()
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
    table = anna.post("/tables", json={"game": game, "chairs": chairs}).json()["table"]
    invite = anna.get(f"/t/{table}/view.json").json()["chairs"][1]["invite"]
    ben.post(f"/t/{table}/sit", json={"invite": invite, "name": "Ben"})
    people = {"anna": anna, "ben": ben}
    mover = "anna" if anna.get(f"/t/{table}/view.json").json()["your_turn"] else "ben"
    waiter = "ben" if mover == "anna" else "anna"
    tables = anna.app.state.tables  # type: ignore[attr-defined]
    pages = [f"/t/{table}", f"/t/{table}/text", f"/t/{table}/view.json", f"/t/{table}/view.json?move=0"]
    whole = whole_move(people[mover], table)

    def tags(client: TestClient) -> list[str]:
        return [client.get(page).headers["etag"] for page in pages]

    def post(name: str, where: str, **sent: Any) -> None:
        answer = people[name].post(f"/t/{table}/{where}", json=sent)
        assert answer.json()["status"] == "applied", answer.text

    private: list[tuple[str, Callable[[], None]]] = [
        (mover, lambda: post(mover, "draft", text=whole, ply=0)),
        (mover, lambda: post(mover, "notes", text="she bluffs")),
        (waiter, lambda: post(waiter, "plan", text=planned, ply=0, condition="legal")),
        (waiter, lambda: post(waiter, "tell", on=True, address="a@example.org")),
        (waiter, lambda: post(waiter, "plan", text="", ply=0, condition="legal")),
        (mover, lambda: post(mover, "draft", text="", ply=0)),
    ]
    view = people[waiter].get(f"/t/{table}/view.json").json()
    assert view["can_prepare"]
    planned = whole_move(people[waiter], table, prepare="true")

    async def act() -> None:
        tokens = {name: client.cookies["backroom"] for name, client in (*people.items(), ("eve", eve))}
        eve.get(f"/t/{table}/view.json")
        everybody = {**people, "eve": eve}
        async with lines(tables, *((tokens[name], [table]) for name in everybody)) as opened:
            heard = dict(zip(everybody, opened, strict=True))
            for who, act in private:
                for line in opened:
                    await line.quiet()
                before = {name: (tags(client), len(heard[name].events)) for name, client in everybody.items()}
                await asyncio.to_thread(act)
                await heard[who].until(lambda line, count=before[who][1]: len(line.events) > count)  # type: ignore[misc]
                for line in opened:
                    await line.quiet()
                for name, client in everybody.items():
                    after = tags(client), len(heard[name].events)
                    if name == who:
                        assert all(new != old for new, old in zip(after[0], before[name][0], strict=True))
                        assert after[1] == before[name][1] + 1
                        assert heard[name].events[-1][0] == "own"
                    else:
                        assert after == before[name]

    eve.get("/healthz")
    asyncio.run(act())


def whole_move(client: TestClient, table: str, **query: str) -> str:
    """A whole move, by the words that may come next."""
    text = ""
    while True:
        prepared = client.get(f"/t/{table}/complete", params={"prefix": text, **query}).json()
        if prepared["whole"]:
            return text
        text = f"{text} {prepared['next'][0]['text']}".strip()


def test_coming_and_going_changes_no_tag_and_brings_no_event(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN)
    monkeypatch.setattr(stream, "PING_SECONDS", 0.3)

    async def come_and_go() -> None:
        async with lines(tables, (ANNA, [table])) as (line,):
            before, count = tables.mark(table, ANNA), len([kind for kind, _ in line.events if kind != "ping"])
            tables.pulse([table], EVE, "Eve")
            await line.until(lambda line: {"crowd": [table]} in line.heard("ping"))
            wait(HERE_SECONDS)
            tables.pulse([table], BEN)
            tables.unwatch(table, EVE)
            pings = len(line.heard("ping"))
            await line.until(lambda line: len(line.heard("ping")) > pings + 1)
            assert tables.mark(table, ANNA) == before
            assert len([kind for kind, _ in line.events if kind != "ping"]) == count

    asyncio.run(come_and_go())


# Asking again


def test_what_has_not_changed_is_not_made_again(
    browser: Callable[[], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = browser()
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}, {"kind": "friend"}]
    table = anna.post("/tables", json={"game": "corporation", "chairs": chairs}).json()["table"]
    waiting = anna.get(f"/t/{table}")
    seen = anna.get(f"/t/{table}", headers={"If-None-Match": waiting.headers["etag"]})
    assert (seen.status_code, seen.content) == (304, b"")
    for name in ("Ben", "Cleo"):
        invite = next(c["invite"] for c in anna.get(f"/t/{table}/view.json").json()["chairs"] if c["invite"])
        assert browser().post(f"/t/{table}/sit", json={"invite": invite, "name": name}).status_code == 200
    assert anna.get(f"/t/{table}", headers={"If-None-Match": waiting.headers["etag"]}).status_code == 200
    pages = [f"/t/{table}", f"/t/{table}/text", f"/t/{table}/view.json"]
    tags = [anna.get(page).headers["etag"] for page in pages]
    assert all(tag.startswith("W/") for tag in tags)
    with monkeypatch.context() as patched:
        patched.setattr(Lives, "read", lambda *_: pytest.fail("a match was looked at"))
        for page, tag in zip(pages, tags, strict=True):
            assert anna.get(page, headers={"If-None-Match": f'"other", {tag}'}).status_code == 304
    for client, where in ((anna, "/t/nowhere"), (anna, "/t/nowhere/view.json")):
        assert client.get(where, headers={"If-None-Match": tags[0]}).status_code == 404
    assert browser().get(pages[0], headers={"If-None-Match": tags[0]}).status_code == 200, "a watcher is no player"
    anna.post(f"/t/{table}/talk", json={"text": "say hello"})
    for page, tag in zip(pages, tags, strict=True):
        assert anna.get(page, headers={"If-None-Match": tag}).status_code == 200


def test_what_a_watcher_wishes_is_in_her_tag_alone(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.pulse([table], EVE, "Eve")
    marks = [tables.mark(table, EVE)]
    others = [tables.mark(table, token) for token in (ANNA, BEN, "a guest")]
    for on in (True, False):
        tables.follow(table, EVE, on)
        marks.append(tables.mark(table, EVE))
    assert marks[0] == marks[2] != marks[1]
    assert [tables.mark(table, token) for token in (ANNA, BEN, "a guest")] == others
    tables.ask(table, EVE, True, "Eve")  # that is for all to see
    assert tables.mark(table, ANNA).revision > others[0].revision


# One connection for all tables of a browser


def test_one_stream_tells_of_all_the_tables_of_a_browser(tables: Tables) -> None:
    one, two = among_people(tables, ANNA, BEN), among_people(tables, ANNA, BEN)

    async def listen() -> list[tuple[str, dict[str, Any]]]:
        async with lines(tables, (ANNA, [one, two])) as (line,):
            assert {data["table"] for data in line.heard("table")} == {one, two}
            assert {data["table"] for data in line.heard("own")} == {one, two}
            await asyncio.to_thread(play, tables, two, ANNA, "take 1")
            await line.until(
                lambda line: {"table": two, "ply": 1} in [without(e, "revision") for e in line.heard("table")]
            )
            await asyncio.to_thread(tables.note, one, ANNA, "hm")
            await line.until(lambda line: len(line.heard("own")) == 3)
            return line.events

    events = asyncio.run(listen())
    assert events[-1] == ("own", {"table": one, "own": tables.mark(one, ANNA).own})
    assert [data["ply"] for kind, data in events if kind == "table" and data["table"] == one] == [0]


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


def test_a_table_that_is_not_there_stops_no_other(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)

    async def listen() -> None:
        async with lines(tables, (ANNA, [table, "nowhere"])) as (line,):
            assert line.heard("gone") == [{"table": "nowhere"}]
            await asyncio.to_thread(play, tables, table, ANNA, "take 1")
            await line.until(lambda line: line.heard("table")[-1]["ply"] == 1)

    asyncio.run(listen())
    with tables.store.read() as t:
        assert not t.watchers("nowhere")


def test_a_change_is_one_set_of_bytes_for_all_and_needs_no_look_into_the_store(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = among_people(tables, ANNA, BEN)
    monkeypatch.setattr(stream, "PING_SECONDS", 0.05)

    async def listen() -> None:
        listeners = [(token, [table]) for token in (ANNA, BEN, EVE, "guest")]
        async with lines(tables, *listeners) as opened:
            for line in opened:
                await line.until(lambda line: bool(line.heard("ping")))
            with monkeypatch.context() as patched:
                patched.setattr(tables, "marks", lambda *_: pytest.fail("the store was looked into"))
                counts = [len(line.heard("ping")) for line in opened]
                for line, count in zip(opened, counts, strict=True):
                    await line.until(lambda line, count=count: len(line.heard("ping")) > count + 3)  # type: ignore[misc]
                tables.publisher.publish(News(table, 7, 70))
                for line in opened:
                    await line.until(lambda line: line.heard("table")[-1]["ply"] == 7)
                said = [next(chunk for chunk in line.chunks if b'"ply":7,' in chunk) for line in opened]
                assert all(chunk is said[0] for chunk in said)
                tables.publisher.publish(News(table, 6, 60))  # late, and once more
                tables.publisher.publish(News(table, 7, 70))
                await opened[0].quiet()
                assert [data["ply"] for data in opened[0].heard("table")][-2:] == [0, 7]

    asyncio.run(listen())


def test_signs_of_life_go_to_every_table_that_is_listened_to(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, wait: Callable[[int], None]
) -> None:
    one, two = among_people(tables, ANNA, BEN), among_people(tables, BEN, ANNA)
    reads, read = list[int](), tables.store.read
    monkeypatch.setattr(tables.store, "read", lambda: (reads.append(threading.get_ident()), read())[1])

    async def listen() -> None:
        async with lines(tables, (ANNA, [one, two]), (EVE, [two])):
            for _ in range(5):
                wait(SEEN_SECONDS)
                reads.clear()
                tables.presence.look()
                assert reads.count(threading.get_ident()) == 2, "a look at all pages, and one at all tables"
            for table in (one, two):
                chairs = {chair.name: chair.here for chair in tables.view(table, BEN).chairs}
                assert chairs["Anna"]
                assert not chairs["Ben"]
            assert tables.view(two, BEN).crowd.guests == 1

    asyncio.run(listen())
    wait(HERE_SECONDS)
    tables.presence.look()
    assert not any(chair.here for chair in tables.view(one, BEN).chairs)


def test_a_change_that_was_not_told_is_found(tables: Tables, url: str) -> None:
    """A second process on the same file, which cannot tell the pages of the first."""
    table = among_people(tables, ANNA, BEN)
    other = Tables.open(url)

    async def listen() -> None:
        async with lines(tables, (BEN, [table])) as (line,):
            await asyncio.to_thread(play, other, table, ANNA, "take 1")
            await line.quiet()
            assert line.heard("table")[-1]["ply"] == 0
            await asyncio.to_thread(tables.presence.look)
            await line.until(lambda line: line.heard("table")[-1]["ply"] == 1)

    asyncio.run(listen())
    other.close()


def test_a_stream_ends_with_the_server(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN)

    async def listen() -> None:
        async with lines(tables, (BEN, [table])) as (line,):
            tables.publisher.close()
            async with asyncio.timeout(5):
                await line.task
        assert not tables.publisher.listening()

    asyncio.run(listen())


# How many streams a client may have


class Page:
    """A page's stream, asked for from an address; ``begun`` is the beginning of the answer."""

    def __init__(self, app: FastAPI, table: str, address: str) -> None:
        self.begun: dict[str, Any] = {}
        self.body = b""
        self.left = asyncio.Event()
        scope = {
            "type": "http", "method": "GET", "path": f"/t/{table}/events", "query_string": b"", "scheme": "http",
            "http_version": "1.1", "client": (address, 4000), "server": ("games", 80), "state": {},
            "headers": [(b"host", b"games"), (b"accept", b"text/event-stream")],
        }  # fmt: skip
        self.task = asyncio.create_task(app(scope, self.receive, self.send))

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.begun = dict(message)
        else:
            self.body += message["body"]

    async def answer(self) -> int:
        async with asyncio.timeout(30):
            while not self.body:
                await asyncio.sleep(0.005)
        status: int = self.begun["status"]
        return status

    async def leave(self) -> None:
        self.left.set()
        async with asyncio.timeout(30):
            await self.task


def test_a_client_has_only_so_many_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stream, "MOST_STREAMS", 2)
    app = create_app(Settings(f"sqlite:///{tmp_path / 'streams.sqlite3'}"))
    table = among_people(app.state.tables, ANNA, BEN)
    household = ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2::3"]

    async def listen() -> None:
        pages = [Page(app, table, address) for address in household[:2]]
        assert [await page.answer() for page in pages] == [200, 200]
        refused = Page(app, table, household[2])
        assert await refused.answer() == 429
        said = json.loads(refused.body)
        assert (said["status"], said["code"]) == ("refused", "E_STREAMS")
        assert "2 browsers at your address" in said["message"]
        await refused.leave()
        others = [Page(app, table, address) for address in ("2001:db8:1:3::1", "192.0.2.1")]
        assert [await page.answer() for page in others] == [200, 200]
        await pages[0].leave()
        again = Page(app, table, household[2])
        assert await again.answer() == 200
        told = [record.message for record in caplog.records if "--proxy" in record.message]
        assert len(told) == 2, "each time a client has as many as it may, not at each that is refused"
        assert told[0].startswith("2001:db8:1:2::/64 has 2 event streams open")
        for page in (pages[1], *others, again):
            await page.leave()
        assert not app.state.streams

    asyncio.run(listen())
    app.state.tables.close()
