"""Every game in the registry in the browser: a whole match by clicks, moves by keys, moves without script, and how its
pages look. What differs between games is clicked as it comes; how long a match is, its facts say.
"""

import re
import uuid
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from backroom.engine.facts import facts_of
from backroom.engine.game import find_game, game_names

from .conftest import Person, Server, plain_url
from .one_screen import OneScreen
from .steps import (
    TABLE,
    choose,
    commit,
    expect_state,
    focus_by_tab,
    gather_people,
    look_both_ways,
    state,
    things_to_click,
    wait_until_asked,
)

Shoot = Callable[[Page, str], None]
every_game = pytest.mark.parametrize("game", game_names())
"""What a game's own page may break."""
SHORT = "dark_sources"
"""A game of few decisions."""
one_game = pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == SHORT else pytest.mark.long) for game in game_names()]
)
"""What belongs to the pages of all games: `make test` tries it with one, `make test-all` with each."""


def sit_down_with_bots(page: Page, url: str, game: str) -> int:
    """A short match against bots that play at random; how many seats it has."""
    stated = facts_of(find_game(game)).short
    assert stated is not None, "state `short` in the game's facts.py"
    options = {name: value for name, value in stated.items() if name != "seats"}
    bots = [{"kind": "bot", "bot": "random"}] * (stated["seats"] - 1)
    asked = {"game": game, "chairs": [{"kind": "you", "name": "Anna"}, *bots], "options": options}
    page.goto(url)
    table = page.evaluate(
        "asked => fetch('/tables', {method: 'POST', body: JSON.stringify(asked)}).then(answer => answer.json())",
        asked | {"create_id": uuid.uuid4().hex},
    )
    page.goto(url + table["url"])
    return int(stated["seats"])


@one_game  # by touch, whole matches of all games: test_phone
def test_a_whole_match_by_clicks_to_the_ranking_and_the_next(
    server: Server, person: Person, shoot: Shoot, game: str
) -> None:
    """Over a plain network, where what needs a secure origin is missing."""
    page, source, questions = person(alone=True), Random(1), set()
    screen = OneScreen(page)
    seats = sit_down_with_bots(page, plain_url(server), game)
    assert not page.evaluate("isSecureContext")
    for _ in range(120):
        if wait_until_asked(page) == "over":
            break
        question = page.locator("body").get_attribute("data-question") or ""
        screen.look(f"a decision, {question}")
        if not questions:
            screen.put_away_what_is_taught()
        if question not in questions:
            shoot(page, question)
        questions.add(question)
        choose(page, source=source)
        commit(page)
    assert state(page) == "over", "the match did not end"
    screen.finish()
    expect(page.locator(".ranks > li")).to_have_count(seats)
    expect(page.locator(".verify .same")).to_have_text("The seed fits the promise")
    assert page.locator("#deed").count() == 0
    look_both_ways(page, "over", shoot)
    page.set_viewport_size({"width": 1400, "height": 900})
    with page.expect_download() as download:
        page.get_by_text("Download the match").click()
    assert '"seed"' in download.value.path().read_text()
    address = page.url
    page.get_by_role("button", name="Same table again").click()
    page.wait_for_url(lambda url: url != address)
    wait_until_asked(page)
    view = page.evaluate("fetch(`${location.pathname}/view.json`).then(answer => answer.json())")
    assert len(view["names"]) == seats


@one_game
def test_a_table_is_set_and_moves_are_made_by_keyboard_alone(server: Server, person: Person, game: str) -> None:
    page = person()
    page.goto(server.url)
    focus_by_tab(page, "a.skip")
    focus_by_tab(page, "select[name=game]")
    page.keyboard.type(find_game(game).title[:6])
    expect(page.locator("select[name=game]")).to_have_value(game)
    focus_by_tab(page, "input[name=name]")
    page.keyboard.press("Control+a")
    page.keyboard.type("Anna")
    focus_by_tab(page, "input[name=with]")
    focus_by_tab(page, "select[name=bots]")
    page.keyboard.press("ArrowUp")
    focus_by_tab(page, "select[name=strength]")
    page.keyboard.press("ArrowUp")
    focus_by_tab(page, "button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)
    source = Random(1)
    for _ in range(2):
        if wait_until_asked(page) == "over":
            return
        ply = page.locator("body").get_attribute("data-ply")
        focus_by_tab(page, "button.opt")
        page.keyboard.press("Enter")
        expect(page.locator("#mv")).not_to_have_value("")
        while page.locator("[data-key=commit]").get_attribute("aria-disabled"):
            before = page.locator("#mv").input_value()
            focus_by_tab(page, f'[data-key="{source.choice(things_to_click(page))}"]')
            page.keyboard.press("Space")
            expect(page.locator("#mv")).not_to_have_value(before)
        focus_by_tab(page, "[data-key=commit]")
        page.keyboard.press("Enter")
        expect(page.locator("body")).not_to_have_attribute("data-ply", ply or "")
        # Focus is not thrown away with the form that had it.
        assert page.evaluate("document.activeElement !== document.body")


@one_game
def test_without_script_a_move_is_made_and_something_said(server: Server, person: Person, game: str) -> None:
    seats = find_game(game).seats
    names = ["Anna", "Ben", "Cleo"][: max(2, seats.start)]
    pages = gather_people(server, person, game, names)
    asked = next(page for page in pages if state(page) == "your-turn")
    plain = person(javascript=False)
    plain.context.add_cookies(asked.context.cookies())
    plain.goto(asked.url)
    ply = plain.locator("body").get_attribute("data-ply") or ""
    choose(plain)
    plain.locator("[data-key=commit]").click()
    plain.wait_for_url(TABLE)
    expect(plain.locator("body")).not_to_have_attribute("data-ply", ply)
    for page in pages:
        expect(page.locator("body")).not_to_have_attribute("data-ply", ply)
    if plain.locator(".tab-talk form [name=text]").count():
        plain.locator("label:has(#t-talk)").click()
        plain.locator(".tab-talk form [name=text]").fill("no script at all")
        plain.locator(".tab-talk form [name=text]").press("Enter")
        for page in (plain, *pages):
            expect(page.locator(".talk")).to_contain_text("no script at all")


@every_game
def test_its_pages_at_both_widths_by_day_and_night(server: Server, person: Person, shoot: Shoot, game: str) -> None:
    page = person()
    page.goto(f"{server.url}/new?game={game}")
    for more in page.locator("details.more summary").all():
        more.click()
    look_both_ways(page, "lobby", shoot)
    page.goto(f"{server.url}/rules/{game}?q=card")
    look_both_ways(page, "rules", shoot)
    most = min(4, find_game(game).seats.stop - 1)
    pages = gather_people(server, person, game, ["Anna", "Ben", "Cleo", "Dan"][:most], looking=1)
    view = pages[0].request.get(f"{pages[0].url}/view.json").json()
    asked = pages[next(chair["number"] for chair in view["chairs"] if chair["seat"] in view["acting"])]
    other = pages[1 if asked is pages[0] else 0]
    for page in (asked, other):
        page.goto(pages[0].url)
    expect_state("your-turn", asked)
    look_both_ways(asked, "table", shoot)
    choose(asked)
    look_both_ways(asked, "chosen", shoot)
    commit(asked)
    expect(other.locator("body")).to_have_attribute("data-ply", asked.locator("body").get_attribute("data-ply") or "")
    look_both_ways(other, "after", shoot)
    watcher = person()
    watcher.goto(asked.url)
    look_both_ways(watcher, "watching", shoot)
    other.goto(re.sub(r"$", "/text", other.url))
    look_both_ways(other, "text", shoot)
