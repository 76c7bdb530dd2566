"""The page of a game that brings none: a toy of rules, options and notation alone, which is installed for a server."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .one_screen import OneScreen
from .steps import choose, commit, look_both_ways, state, wait_until_asked

Shoot = Callable[[Page, str], None]


@pytest.fixture
def with_toy(tmp_path: Path, toys: Path) -> Iterator[Server]:
    running = Server(tmp_path / "tables.sqlite3", compiled=False, path=(toys, Path(__file__).parents[1]))
    running.start()
    yield running
    running.kill()


def test_a_whole_match_by_clicks_on_a_phone(with_toy: Server, person: Person, shoot: Shoot) -> None:
    page, source, questions = person(360, alone=True), Random(4), set()
    screen = OneScreen(page)
    page.goto(with_toy.url)
    expect(page.locator("select[name=game]")).to_contain_text("Bazaar")
    look_both_ways(page, "home", shoot)
    page.goto(f"{with_toy.url}/new?game=bazaar")
    look_both_ways(page, "lobby", shoot)
    bots = [{"kind": "bot", "bot": "random"}] * 2
    asked = {"game": "bazaar", "chairs": [{"kind": "you", "name": "Anna"}, *bots], "options": {"target": 5}}
    table = page.evaluate(
        "asked => fetch('/tables', {method: 'POST', body: JSON.stringify(asked)}).then(answer => answer.json())",
        asked | {"create_id": uuid.uuid4().hex},
    )
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(with_toy.url + table["url"])
    for _ in range(120):
        if wait_until_asked(page) == "over":
            break
        question = page.locator("body").get_attribute("data-question") or ""
        screen.look(f"a decision, {question}")
        if question not in questions:
            look_both_ways(page, question, shoot)
            page.set_viewport_size({"width": 360, "height": 740})
        choose(page, source=source)
        if question not in questions:
            look_both_ways(page, f"{question}-chosen", shoot)
            page.set_viewport_size({"width": 360, "height": 740})
        questions.add(question)
        commit(page)
    assert state(page) == "over", "the match did not end"
    screen.finish()
    assert "turn" in questions  # and with most deals "auction"
    expect(page.locator(".ranks > li")).to_have_count(3)
    assert page.locator(".openhand .tags").count() == 3, "what each held is shown"
    look_both_ways(page, "over", shoot)
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".notreal")).to_be_visible()
    look_both_ways(page, "replay", shoot)
    watcher = person(360)
    watcher.goto(page.url.partition("?")[0])
    expect(watcher.locator(".ranks > li")).to_have_count(3)
    address = with_toy.url + table["url"]
    page.goto(f"{address}/text")
    look_both_ways(page, "text", shoot)
