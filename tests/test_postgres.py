"""Tables on PostgreSQL, for several server processes: a server of its own is started where its programs are found."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import alembic.autogenerate
import alembic.migration
import pytest
from fastapi.testclient import TestClient

from backroom.tables import keeping, mail, store
from backroom.tables.live import Stale
from backroom.tables.publisher import News, PostgresPublisher, Publisher
from backroom.tables.rows import METADATA, OwedRow
from backroom.tables.service import Tables
from backroom.tables.store import AWAY, Store
from backroom.tables.views import ChairRequest, TableView
from backroom.web.app import Settings, create_app
from servers import Server, seconds_until_all_have_moved, slowness, tables_of_bots
from sittings import ANNA, BEN, among_people, play, refused, see_to_what_is_due, wait_for


def _program(name: str) -> str | None:
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or (str(versions[0]) if versions else None)


class Cluster:
    """A PostgreSQL server with its processes in a group of their own, which can be killed together."""

    def __init__(self, command: list[str], port: int, settings: dict[str, Any]) -> None:
        self.command, self.port, self.settings = command, port, settings
        self.url = f"postgresql+psycopg://backroom@127.0.0.1:{port}/postgres"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, start_new_session=True, **self.settings)
        _wait_until_open(self.port)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # at once, whoever is connected
        self.process.wait(timeout=30)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    """An empty PostgreSQL server in a folder of its own."""
    initdb, program = _program("initdb"), _program("postgres")
    if initdb is None or program is None:
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        # PostgreSQL does not run as root.
        try:
            account = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if user:
            os.chown(folder, user["user"], user["group"])
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, **user}
        subprocess.run([initdb, "-D", f"{folder}/data", "-U", "backroom", "-A", "trust"], check=True, **quiet)
        options = ["-D", f"{folder}/data", "-p", str(port), "-h", "127.0.0.1", "-k", folder]
        server = Cluster([program, *options], port, quiet)
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def cluster(postgres: Cluster) -> str:
    """The URL of that server's database."""
    return postgres.url


def _wait_until_open(port: int) -> None:
    import psycopg

    end = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="backroom", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < end
            time.sleep(0.1)


@pytest.fixture
def two(cluster: str, lockbox: None) -> Iterator[tuple[Tables, Tables]]:
    """Two processes' tables on one database, here in one process."""
    made = Tables.open(cluster), Tables.open(cluster)
    yield made
    for tables in made:
        tables.close()


def test_the_schema_is_the_same_there(cluster: str) -> None:
    store = Store(cluster)
    with store.engine.connect() as connection:
        context = alembic.migration.MigrationContext.configure(connection)
        assert alembic.autogenerate.compare_metadata(context, METADATA) == []
    store.close()


def test_a_database_that_is_away_is_told_and_nothing_is_done_twice(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    elsewhere = psycopg.conninfo.make_conninfo(cluster.replace("+psycopg", ""), dbname="template1")
    with TestClient(create_app(Settings(cluster)), raise_server_exceptions=False) as anna:
        chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
        table = anna.post(
            "/tables", json={"game": "dark_sources", "chairs": chairs, "options": {"memory": "open"}}
        ).json()["table"]
        monkeypatch.setattr(store, "PATIENCE", 0.3)
        with psycopg.connect(elsewhere, autocommit=True) as connection:
            connection.execute("ALTER DATABASE postgres WITH ALLOW_CONNECTIONS false")
            try:
                connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'")
                said = {"text": "hello", "talk_id": "once"}
                answers = [anna.post(f"/t/{table}/talk", json=said), anna.get(f"/t/{table}/view.json")]
                answers += [anna.get("/healthz"), anna.get(f"/t/{table}", headers={"accept": "text/html"})]
            finally:
                connection.execute("ALTER DATABASE postgres WITH ALLOW_CONNECTIONS true")
        assert [answer.status_code for answer in answers] == [503] * 4
        assert all(answer.headers["retry-after"] for answer in answers)
        assert answers[0].json()["code"] == "E_AWAY"
        for status in ("applied", "already applied"):
            assert anna.post(f"/t/{table}/talk", json=said).json()["status"] == status
        assert len(anna.get(f"/t/{table}/view.json").json()["talk"]) == 1


def test_of_two_processes_at_once_exactly_one_is_served(two: tuple[Tables, Tables]) -> None:
    for _ in range(10):
        table = among_people(two[0], ANNA, BEN)
        start, outcomes = threading.Barrier(4), []

        def send(number: int, table: str = table, start: Any = start, outcomes: list[str] = outcomes) -> None:
            start.wait()
            try:
                outcomes.append(two[number % 2].submit(table, ANNA, "take 1", 0, f"m{number}").status)
            except Stale as late:
                outcomes.append(late.code)

        threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["E_STALE"] * 3 + ["applied"]
        assert [tables.view(table, BEN).moves for tables in two] == [1, 1]


def test_a_page_of_one_process_is_told_of_a_move_in_the_other(two: tuple[Tables, Tables]) -> None:
    table = among_people(two[0], ANNA, BEN)

    async def told() -> tuple[list[News], TableView]:
        page = two[1].listen([table], BEN)
        while await page.wait(1.0):
            page.take()  # what went before has been heard
        await asyncio.to_thread(two[0].submit, table, ANNA, "take 1", 0, "one")
        await page.wait(20.0)
        two[1].publisher.unsubscribe(page)
        return page.take(), two[1].view(table, BEN)

    news, view = asyncio.run(told())
    assert news == [News(table, 1, view.revision)]
    assert view.entry == 1


def test_a_move_stands_though_the_other_process_could_not_be_told(
    two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = among_people(two[0], ANNA, BEN)

    async def told() -> tuple[list[News], list[News]]:
        near, far = (tables.listen([table], BEN) for tables in two)
        for page in (near, far):
            while await page.wait(1.0):
                page.take()
        monkeypatch.setattr(PostgresPublisher, "_notify", Mock(side_effect=AWAY[0]("", {}, Exception("away"))))
        answer = await asyncio.to_thread(two[0].submit, table, ANNA, "take 1", 0, "one")
        assert answer.status == "applied"
        await near.wait(20.0)
        await asyncio.to_thread(two[1].presence.look)  # which it does every half minute
        await far.wait(20.0)
        for tables, page in zip(two, (near, far), strict=True):
            tables.publisher.unsubscribe(page)
        return near.take(), far.take()

    near, far = asyncio.run(told())
    assert [news.entry for news in near] == [news.entry for news in far] == [1]


def test_who_listens_for_ids_that_no_table_can_have_spoils_nothing_for_others(two: tuple[Tables, Tables]) -> None:
    """Neither a NUL, which PostgreSQL takes in no text, nor more ids than a query takes parameters (65,535)."""
    table = among_people(two[0], ANNA, BEN, game="catham")
    asked = {"\0", table, *(f"unknown{number}" for number in range(70_000))}
    with two[0].store.read() as t:
        assert [place[0] for place in t.places(asked)] == [table]
    two[0].pulse(["\0", table], "token-of-eve", "Eve")
    assert two[0].view(table, ANNA).crowd.names == ("Eve",)


def test_time_runs_out_once_and_open_chairs_are_found(asleep: None, two: tuple[Tables, Tables]) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("anybody")]
    table = two[0].create(ANNA, "lockbox", chairs, pace=86400, out_of_time="skip")
    (found,) = two[1].open_tables(BEN)
    assert (found.table, found.free, two[1].open_tables(ANNA)) == (table, 1, [])
    two[1].sit(table, BEN, found.invite, "Ben")
    assert two[0].open_tables("nobody") == []
    for number in range(1, 5):
        with two[0].store.write() as t:
            for chair in t.chairs(table):
                t.change_chair(table, chair.number, asked=max(chair.asked - 86400, 0), lost=0)
            t.change_table(table, due=1)
            t.owe(OwedRow(table, "clock", number, 1))
        threads = [threading.Thread(target=see_to_what_is_due, args=(tables,)) for tables in two for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with two[0].store.read() as t:
            assert [entry.kind for entry in t.entries(table)] == ["late"] * number


def test_bots_of_two_processes_move_once(two: tuple[Tables, Tables]) -> None:
    chairs = [ChairRequest("you", "Anna"), *[ChairRequest("bot", bot="random")] * 2]
    table = two[0].create(ANNA, "corporation", chairs)
    for number in range(5):
        while not (view := two[number % 2].view(table, ANNA)).your_turn or view.moves % 3 != 0:
            time.sleep(0.02)
        two[number % 2].submit(table, ANNA, f"card {(1, 3, 5)[number % 3]}", view.entry, f"m{number}")
    while two[0].view(table, ANNA).moves < 15:  # the bots' cards of the last round
        time.sleep(0.02)
    with two[0].store.read() as t:
        record = t.entries(table)
    assert [entry.number for entry in record] == list(range(1, len(record) + 1))
    assert two[0].view(table, ANNA).link == two[1].view(table, ANNA).link


def test_a_host_looks_after_tables_there_too(two: tuple[Tables, Tables], tmp_path: Path) -> None:
    one, other = two
    table = among_people(one, ANNA, BEN)
    while not (view := one.view(table, ANNA)).over:
        play(one, table, ANNA if view.your_turn else BEN, "take 1")
    with one.store.read() as t:
        assert t.story(table) is not None
    kept = next(kept for kept in keeping.listed(other.store) if kept.table == table)
    assert (kept.state, kept.moves, kept.people) == ("finished", view.entry, ("Anna", "Ben"))
    assert keeping.export(other.store, table) == one.export(table)
    refused("E_STORE", keeping.back_up, other.store, tmp_path / "copy")
    assert keeping.delete(other.store, [kept]) == [table]
    refused("E_UNKNOWN", one.view, table, ANNA)
    refused("E_UNKNOWN", one.submit, table, ANNA, "end", view.entry, "after all")


def test_mail_of_two_processes_is_sent_once(two: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    def send(_relay: mail.Relay, message: EmailMessage) -> None:
        time.sleep(0.01)  # long enough for the other to take the same one, if it could
        sent.append(str(message["To"]))

    monkeypatch.setattr(mail.Relay, "send", send)
    relay = mail.Relay.parse("smtp://127.0.0.1:9?from=room@example.org")
    for tables in two:
        tables.postman = mail.Postman(tables.store, relay)
    table = among_people(two[0], ANNA, BEN)
    wishes = [(ANNA, f"anna{number}@example.org") for number in range(4)] + [(BEN, "ben@example.org")]
    for token, address in wishes:
        two[0].tell(table, token, True, address, "http://here")
    threads = [threading.Thread(target=tables.postman.work) for tables in two if tables.postman is not None]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == ["anna3@example.org", "ben@example.org"]


def test_two_streams_of_one_watcher_come_at_once(two: tuple[Tables, Tables]) -> None:
    table = among_people(two[0], ANNA, BEN)
    for number in range(10):
        begin = threading.Barrier(2)
        failed: list[Exception] = []

        def come(
            tables: Tables, name: str = f"E{number}", begin: threading.Barrier = begin, failed: list[Any] = failed
        ) -> None:
            begin.wait()
            try:
                tables.pulse([table], f"token of {name}", name=name)
            except Exception as problem:
                failed.append(problem)

        threads = [threading.Thread(target=come, args=(tables,)) for tables in two]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed
    assert len(two[1].view(table, ANNA).crowd.names) == 10


@pytest.mark.timeout(900)
def test_what_is_owed_is_done_soon_after_the_server_and_the_database_were_killed(
    postgres: Cluster, tmp_path: Path
) -> None:
    first, second = (Server(tmp_path / "none", database_url=postgres.url) for _ in range(2))
    store = Store(postgres.url)
    try:
        first.start()
        second.start()
        made = tables_of_bots(first, 100)
        # Both think now. One is killed while it does, then the database.
        wait_for(lambda: _fewest_moves(store, made) >= 1, 300)
        first.kill()
        postgres.kill()
        time.sleep(3)
        postgres.start()
        slow = slowness()
        took = seconds_until_all_have_moved(store, made)
        assert took < 10 * max(slow, slowness()), f"{took:.1f} s"
        first.start()
        assert seconds_until_all_have_moved(store, made) < 10 * max(slow, slowness())
    finally:
        for server in (first, second):
            if server.running:
                server.kill()
    again = Tables(store, Publisher())
    again.looker.close()
    for number, table in enumerate(made):
        with store.read() as t:
            record = [entry.number for entry in t.entries(table)]
        assert record == list(range(1, len(record) + 1))
        if number % 20 == 0:
            assert again.view(table, "a spectator").entry == len(record), "it replays, link for link"
    again.close()


def _fewest_moves(store: Store, tables: Sequence[str]) -> int:
    with store.read() as t:
        return min(t.table(table).entry for table in tables)
