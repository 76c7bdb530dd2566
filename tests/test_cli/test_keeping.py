"""The host's commands: tables listed, shown, exported, deleted and pruned; a backup under load, and its restore."""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.app import Settings, create_app
from sittings import ANNA, Sitting
from test_cli.conftest import Run, refused

DOCUMENT = Path(__file__).parents[2] / "docs" / "hosting.md"


class House:
    """A database with a table of each kind, and a server on it."""

    def __init__(self, file: Path) -> None:
        self.file, self.url = file, f"sqlite:///{file}"
        self.tables = Tables.open(self.url)
        done = Sitting(self.tables, "corporation", ["Anna", "Ben", "Cleo"], target=10)
        while not self.tables.view(done.id, done.tokens[0]).over:
            for seat, card in enumerate(("card 10", "card 7", "card 5")):
                done.play(seat, card)
        self.done, self.token = done.id, done.tokens[0]
        self.tables.talk(self.done, self.token, "That was mine")
        self.tables.note(self.done, self.token, "a secret note")
        self.next = self.tables.rematch(self.done, self.token)
        chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
        self.waiting = self.tables.create(ANNA, "catham", chairs, title="For a friend")
        going = Sitting(self.tables, "medici", ["Ben", "Anna", "Cleo"])
        self.going, self.player = going.id, going.tokens[0]

    def age(self, table: str, days: int) -> None:
        """Nobody has touched a table for so long."""
        with sqlite3.connect(self.file) as connection:
            then = clock.now() - days * 86400
            connection.execute("UPDATE tables SET changed = ?, created = ? WHERE id = ?", (then, then, table))
            connection.execute("UPDATE chairs SET seen = ? WHERE table_id = ? AND token <> ''", (then, table))
        connection.close()

    def rows(self, table: str) -> int:
        """Rows of any kind that a table has."""
        with sqlite3.connect(self.file) as connection:
            names = ("entries", "stories", "talk", "watchers", "owed", "outbox", "chairs")
            found = sum(
                connection.execute(f"SELECT count(*) FROM {name} WHERE table_id = ?", (table,)).fetchone()[0]
                for name in names
            )
            found += connection.execute("SELECT count(*) FROM tables WHERE id = ?", (table,)).fetchone()[0]
        connection.close()
        return int(found)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path / "tables.sqlite3")
    yield found
    found.tables.close()


def test_tables_are_listed_and_shown_without_their_secrets(run: Run, house: House) -> None:
    result = run("tables", "list", "--database", house.url)
    assert (result.code, result.err) == (0, "")
    for table, state in ((house.done, "finished"), (house.going, "running"), (house.waiting, "waiting")):
        line = next(line for line in result.out.splitlines() if line.startswith(table))
        assert state in line
    listed = json.loads(run("tables", "list", "--database", house.url, "--json").out)
    assert {kept["table"]: kept["state"] for kept in listed} == {
        house.done: "finished",
        house.next: "running",
        house.going: "running",
        house.waiting: "waiting",
    }
    with house.tables.store.read() as t:
        seeds = [t.table(kept["table"]).seed for kept in listed]
    for table in (house.done, house.going, house.waiting):
        shown = run("tables", "show", table, "--database", house.url)
        assert shown.out.startswith(table)
        assert "chair 0: " in shown.out
        details = run("tables", "show", table, "--database", house.url, "--json").out
        assert json.loads(details)["chairs"][0]["who"] == "person"
        for text in (shown.out, details):
            assert not [seed for seed in seeds if seed in text]
            assert "secret note" not in text
    for command in ("show", "export", "delete"):
        asked = run("tables", command, "nosuchtable", "--database", house.url)
        refused(asked, "E_UNKNOWN", "'nosuchtable'", "backroom tables list")
    refused(run("tables", "list", "--database", f"sqlite:///{house.file}.not"), "E_STORE", "--database")
    refused(run("tables", "list", "--database", "nonsense"), "E_STORE")


def test_a_match_is_exported_by_the_host(run: Run, house: House, tmp_path: Path) -> None:
    result = run("tables", "export", house.done, "--database", house.url)
    assert result.out == house.tables.export(house.done)
    refused(run("tables", "export", house.going, "--database", house.url), "E_EXPORT", "--unfinished")
    refused(run("tables", "export", house.waiting, "--database", house.url), "E_WAIT")
    run("tables", "export", house.going, "--unfinished", "--to", "going.json", "--database", house.url)
    assert not Match.loads((tmp_path / "going.json").read_bytes()).over
    assert run("replay", "going.json").code == 0


def test_a_running_table_is_deleted_only_on_purpose_and_the_server_copes(run: Run, house: House) -> None:
    refused(run("tables", "delete", house.going, "--yes", "--database", house.url), "E_GOING", house.going, "--running")
    result = run("tables", "delete", house.going, house.done, "--running", "--database", house.url)
    assert result.out.splitlines()[-1] == "nothing was deleted; --yes deletes without asking"
    assert house.rows(house.going) > 3
    with TestClient(create_app(Settings(house.url)), raise_server_exceptions=False) as client:
        assert client.get(f"/t/{house.going}").status_code == 200
        result = run("tables", "delete", house.going, house.done, "--running", "--yes", "--database", house.url)
        assert result.out.splitlines()[-1] == "2 deleted"
        assert (house.rows(house.going), house.rows(house.done)) == (0, 0)
        for way in ("", "/text", "/view.json", "/events", "/export.json"):
            assert client.get(f"/t/{house.going}{way}").status_code == 404
        assert client.post(f"/t/{house.going}/talk", json={"text": "hello"}).status_code == 404
        assert client.get("/healthz").status_code == 200
        assert client.get(f"/t/{house.next}").status_code == 200
    assert house.going not in [summary.table for summary in house.tables.mine(house.player)]
    refused(run("tables", "delete", house.going, "--yes", "--database", house.url), "E_UNKNOWN")


def test_what_nobody_touched_for_long_is_pruned(run: Run, house: House) -> None:
    prune = ("tables", "prune", "--older", "90d", "--database", house.url)
    assert run(*prune, "--yes").out == "nothing to delete\n"
    for table in (house.done, house.waiting, house.going):
        house.age(table, 91)
    result = run(*prune)
    assert house.done in result.out
    assert house.waiting in result.out
    assert house.going not in result.out
    assert house.rows(house.done)
    assert run(*prune, "--yes").out.splitlines()[-1] == "2 deleted"
    assert (house.rows(house.done), house.rows(house.waiting)) == (0, 0)
    assert run(*prune, "--running", "--yes").out.splitlines()[-1] == "1 deleted"
    with house.tables.store.read() as t:
        assert [row.id for row in t.all_tables()] == [house.next]
    refused(run("tables", "prune", "--older", "soon", "--database", house.url), "E_USAGE", "90d")
    assert run("tables", "prune", "--older", "1h", "--database", house.url).out == "nothing to delete\n"


def test_a_backup_while_serving_is_whole_and_is_restored(run: Run, house: House, tmp_path: Path) -> None:
    stop = threading.Event()

    def talk() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            house.tables.talk(house.waiting, ANNA, f"line {number}", f"id {number}")

    talking = threading.Thread(target=talk)
    talking.start()
    try:
        result = run("backup", "copy.sqlite3", "--database", house.url)
    finally:
        stop.set()
        talking.join()
    assert result.out == "4 tables in copy.sqlite3\n"
    refused(run("backup", "copy.sqlite3", "--database", house.url), "E_FILE", "there already")
    refused(run("backup", "no/such/folder/copy", "--database", house.url), "E_STORE", "could not be copied")
    refused(run("restore", "copy.sqlite3", "--yes", "--database", house.url), "E_STORE", "open in a server")
    refused(run("restore", "copy.sqlite3", "--database", house.url), "E_FILE", "--yes")
    before = house.tables.view(house.done, house.token)
    house.tables.close()
    (tmp_path / "broken").write_bytes((tmp_path / "copy.sqlite3").read_bytes()[:5000])
    for name in ("broken", "nothing"):
        refused(run("restore", name, "--yes", "--database", house.url), "E_FILE")
    assert run("tables", "delete", house.done, "--yes", "--database", house.url).code == 0
    result = run("restore", "copy.sqlite3", "--yes", "--database", house.url)
    assert (result.code, result.err) == (0, "")
    aside = Path(result.out.split("what was there is ")[1].strip())
    assert aside.is_file()
    again = Tables.open(house.url)
    assert again.view(house.done, house.token).lines == before.lines
    assert play_on(again, house)
    again.close()
    other = f"sqlite:///{tmp_path / 'elsewhere' / 'tables.sqlite3'}"
    assert run("restore", "copy.sqlite3", "--database", other).code == 0
    assert len(json.loads(run("tables", "list", "--database", other, "--json").out)) == 4


def play_on(tables: Tables, house: House) -> bool:
    """Whether somebody can go on at a table of a restored database."""
    return tables.talk(house.waiting, ANNA, "I am back").status == "applied"


def test_the_statements_of_the_document_take_a_persons_words_away(house: House) -> None:
    """What docs/hosting.md says about somebody's data is true of the database."""
    statements = "\n".join(re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL))
    statements = statements.replace("TABLE_ID", house.done).replace("NAME", "Anna")
    with sqlite3.connect(house.file) as connection:
        connection.executescript(statements)
    connection.close()
    view = house.tables.view(house.done, house.token)
    assert [line.text for line in view.talk] == ["(taken away)"]
    assert view.notes == ""
    with house.tables.store.read() as t:
        assert not any(chair.tell for chair in t.chairs(house.done))
