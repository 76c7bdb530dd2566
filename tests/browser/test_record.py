"""One's record: written once when a match ends, told where it cannot be, exported, added from a file, deleted."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import gather_people, look, sit_down_against_bots

FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


def play_round(pages: list[Page]) -> None:
    for page, card in zip(pages, (10, 1, 1), strict=True):
        page.locator(f"[data-key=hand-{card}]").click()
        expect(page.locator(f"[data-key=hand-{card}]")).to_have_attribute("aria-pressed", "true")
        page.locator("[data-key=commit]").click()
        expect(page.locator(f"[data-key=hand-{card}][aria-pressed=true]")).to_have_count(0)


def test_a_match_gets_into_the_record_once(server: Server, person: Person, tmp_path: Path) -> None:
    pages = gather_people(server, person, "corporation", ["Anna", "Ben", "Cleo"], 360, target=10)
    anna, ben, _ = pages
    ben.add_init_script(FULL)
    ben.reload()
    play_round(pages)
    expect(anna.locator("[data-record-told]")).to_contain_text("your record")
    expect(ben.locator("[data-record-told]")).to_contain_text("keeps no more")
    anna.reload()
    expect(anna.locator("[data-record-told]")).to_be_visible()
    anna.locator("[data-record-told] a").click()
    expect(anna.locator("#matches tr")).to_have_count(1)
    expect(anna.locator("#matches tr")).to_contain_text("won")
    expect(anna.locator("#matches tr")).to_contain_text("Ben, Cleo")
    expect(anna.locator("#bests tr")).to_contain_text("1 of 1")
    look(anna, "record")

    with anna.expect_download() as saved:
        anna.locator("#export").click()
    file = tmp_path / "record.json"
    saved.value.save_as(file)
    kept = json.loads(file.read_text())["matches"]
    assert [(match["place"], match["score"], match["of"]) for match in kept] == [(1, 10, 3)]
    other = kept[0] | {"table": "another", "others": [kept[0]["others"][0] | {"level": "hard"}], "place": 2}
    file.write_text(json.dumps({"backroom": "record", "matches": [*kept, other, {"table": "broken"}]}))
    anna.locator("#import").set_input_files(file)
    expect(anna.locator("#told")).to_have_text("1 added, 1 already there, 1 unreadable.")
    expect(anna.locator("#bests tr")).to_have_count(2)

    anna.locator("#delete").click()
    anna.get_by_role("button", name="Keep it").click()
    expect(anna.locator("#matches tr")).to_have_count(2)
    anna.locator("#delete").click()
    anna.get_by_role("dialog").get_by_role("button", name="Delete it").click()
    expect(anna.locator("#none")).to_be_visible()
    anna.goto(f"{server.url}/t/{kept[0]['table']}")  # the page of a match that was deleted does not write it again
    expect(anna.locator("[data-record-told]")).to_be_visible()
    anna.goto(f"{server.url}/record")
    expect(anna.locator("#none")).to_be_visible()


def test_what_goes_on_is_in_no_record(server: Server, person: Person) -> None:
    anna = person(360)
    sit_down_against_bots(anna, server.url)
    expect(anna.locator("body")).to_have_attribute("data-record", "")
    anna.goto(f"{server.url}/record")
    expect(anna.locator("#none")).to_be_visible()
