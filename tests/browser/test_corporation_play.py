"""Corporation in the browser: five people at once, and no card shows before the reveal."""

import re
import uuid
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import gather_people, overflow, send_move

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
Shoot = Callable[[Page, str], None]


def gather(
    server: Server,
    person: Person,
    names: Sequence[str] = NAMES,
    width: int = 1400,
    looking: int | None = None,
    **options: object,
) -> list[Page]:
    pages = gather_people(server, person, "corporation", names, width, looking=looking, **options)
    for page in pages[:looking]:
        expect(page.locator("body")).to_have_class(re.compile("your-turn"))
    return pages


def choose(page: Page, card: int) -> None:
    page.locator(f"[data-key=hand-{card}]").click()
    expect(page.locator("[data-key=commit]")).to_have_text(f"Place the {card}")


def lay(pages: list[Page], *cards: int) -> None:
    """All place a card without a click, at the table that the first has open."""
    for page, card in zip(pages, cards, strict=True):
        send_move(page, pages[0].url, f"card {card}")


def turned(page: Page, round_number: int) -> None:
    expect(page.locator("#status h2")).to_have_text(f"Round {round_number}, turned up")


def served(page: Page) -> str:
    """The page as it is served now, but for what time it is."""
    return re.sub(r'data-now="\d+"', "", page.request.get(page.url).text())


def test_five_people_at_once(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather(server, person, target=30)
    anna, ben, cleo, _, eve = pages
    for page in pages:
        assert page.locator("#t-talk").is_checked()
        assert page.locator(".spot.acting").count() == 5
    shoot(anna, "first")

    # A card that is chosen, then placed, shows nowhere else; that it is placed does.
    before = served(ben)
    choose(anna, 7)
    assert served(ben) == before
    ben.reload()
    expect(ben.locator(".spot.acting")).to_have_count(5)
    anna.locator("[data-key=commit]").click()
    for page in pages[1:]:
        expect(page.locator("[data-key=spot-0] .back")).to_have_count(1)
        expect(page.locator("#status")).to_contain_text("One has placed")
        assert page.locator("[data-key=spot-0] .bill").count() == 0
    expect(anna.locator("#status h2")).to_have_text("Your card lies")
    expect(anna.locator(".locked.laid em")).to_have_text("placed")
    assert anna.locator("[data-key=commit]").count() == 0
    shoot(anna, "placed")

    # Talk after placing, to all, in words and as claims.
    anna.get_by_placeholder("Say to everybody").fill("Seven. Trust me.")
    anna.locator("[data-key=say]").click()
    expect(anna.locator(".talk li")).to_have_count(1)
    anna.locator("[data-key=claim-7]").click()
    expect(cleo.locator(".talk li")).to_have_count(2)
    cleo.locator(".asks summary").click()
    cleo.locator("#ask-what").select_option("ask Eve 7")
    cleo.locator("[data-key=ask]").click()
    for page in pages:
        expect(page.locator(".talk li")).to_have_count(3)
        expect(page.locator(".talk")).to_contain_text("Seven. Trust me.")
    expect(eve.locator(".talk li.claim").first).to_contain_text("asks you for 7")
    expect(anna.get_by_placeholder("Say to everybody")).to_have_value("")

    # Four choose before any of them places; nobody's card is stale because another one came first.
    for page, card in zip(pages[1:], (10, 7, 10, 3), strict=True):
        choose(page, card)
    shoot(eve, "choosing")
    for page in pages[1:]:
        page.locator("[data-key=commit]").click()
    for page in pages:
        turned(page, 1)
        expect(page.locator(".story li")).to_have_count(3)
        expect(page.locator(".turned .met")).to_have_count(3)
    expect(anna.locator(".story")).to_contain_text("You and Cleo met on 7")
    expect(eve.locator(".story")).to_contain_text("You are the only one on 3")
    expect(anna.get_by_role("heading", name="What was said, what was played")).to_be_visible()
    shoot(anna, "reveal")

    # The corporations stay together: Anna and Cleo are rewarded, Ben and Dan spoilt by Eve.
    lay(pages, 10, 5, 10, 5, 5)
    for page in pages:
        turned(page, 2)
    expect(anna.locator(".story li").nth(0)).to_contain_text("You and Cleo both laid 10 and nobody else did")
    expect(eve.locator(".story li").nth(1)).to_contain_text("So did you, from outside: no reward")
    expect(anna.locator(".run [aria-label='Anna 20']")).to_have_count(1)
    expect(anna.locator(".locked em")).to_have_text("on the table")
    shoot(anna, "reveal-2")
    lay(pages, 7, 10, 7, 10, 1)
    for page in pages:
        expect(page.locator("body")).to_have_class(re.compile(r"\bover\b"))
    expect(anna.locator("#status h2")).to_have_text("Cleo and you share the first place with 34")
    expect(anna.locator(".ranks > li").first).to_contain_text("34")
    shoot(anna, "over")


APART = """() => {
  const box = (node) => { const range = document.createRange(); range.selectNodeContents(node);
    return range.getBoundingClientRect(); };
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const found = [];
  for (const mark of document.querySelectorAll(".run .mark")) for (const tick of document.querySelectorAll(".tickm"))
    if (meet(mark.getBoundingClientRect(), box(tick))) found.push(tick.textContent);
  for (const firm of document.querySelectorAll(".firm")) for (const spot of firm.querySelectorAll(".spot"))
    if (meet(box(firm.querySelector("h2 small")), spot.getBoundingClientRect())) found.push(firm.textContent);
  return found;
}"""
"""Tick labels under a mark, and corporations whose explanation runs into the cards."""


def test_equal_scores_stand_at_their_value(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather(server, person, width=700, looking=1, target=60)
    anna = pages[0]
    for cards in ((3, 10, 3, 10, 3), (7, 5, 7, 7, 7), (5, 10, 5, 5, 5)):
        lay(pages, *cards)
    turned(anna, 3)
    for width in (700, 1400):  # a phone shows the scores in the strip, and no ledger
        anna.set_viewport_size({"width": width, "height": 900})
        middle = anna.locator(".tickm", has_text="20").bounding_box()
        run = anna.locator(".run", has=anna.locator("[aria-label='Anna 20']"))
        pack = run.bounding_box()
        assert middle is not None
        assert pack is not None
        assert run.locator(".mark").count() == 4
        assert abs(pack["x"] + pack["width"] / 2 - middle["x"] - middle["width"] / 2) < 2
        assert anna.evaluate(APART) == []
    shoot(anna, "equal")
    choose(anna, 7)
    for width in (360, 1400):
        anna.set_viewport_size({"width": width, "height": 900})
        expect(anna.locator(".firm").first).to_be_visible()
        assert anna.evaluate(APART) == []
        assert overflow(anna) == []


@pytest.mark.parametrize("players", [pytest.param(6, marks=pytest.mark.long), 10])
def test_a_hand_of_many_ranks_wraps(server: Server, person: Person, shoot: Shoot, players: int) -> None:
    page = person(360)
    page.goto(server.url)
    chairs = [{"kind": "you", "name": "Anna"}, *({"kind": "bot", "bot": "cooperator"} for _ in range(players - 1))]
    asked = {"game": "corporation", "chairs": chairs, "options": {"cards": "ranks"}, "create_id": uuid.uuid4().hex}
    page.goto(server.url + page.request.post(f"{server.url}/tables", data=asked).json()["url"])
    expect(page.locator(".hand button")).to_have_count(players)
    for width in (360, 414, 600, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == []
        assert page.locator(".hand").evaluate("hand => hand.scrollWidth <= hand.clientWidth")
    shoot(page, f"ranks-{players}")


def test_the_last_message_closes_the_talk_at_once(server: Server, person: Person, shoot: Shoot) -> None:
    anna, ben, *_ = pages = gather(server, person, NAMES[:3], looking=2, talk_limit=1)
    ben.get_by_placeholder("Say to everybody").fill("half a sen")
    anna.locator("[data-key=claim-7]").click()
    expect(anna.locator("#spent")).to_have_text("Not now: you have had your one message of this round.")
    expect(anna.locator("[data-key=claim-3]")).to_have_attribute("aria-disabled", "true")
    expect(anna.locator("[data-key=ask]")).to_have_count(0)
    expect(ben.locator(".talk li")).to_have_count(1)
    expect(ben.get_by_placeholder("Say to everybody")).to_have_value("half a sen")
    shoot(anna, "spent")
    lay(pages, 7, 7, 3)
    turned(anna, 1)
    expect(anna.locator("#spent")).to_have_count(0)
    anna.locator("[data-key=claim-3]").click()
    expect(anna.locator("#spent")).to_be_visible()


def test_on_a_phone_and_by_keyboard(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather(server, person, NAMES[:3], 360, looking=1)
    anna = pages[0]
    assert overflow(anna) == []
    anna.locator("[data-key=hand-10]").focus()
    anna.keyboard.press("Enter")
    expect(anna.locator("[data-key=hand-10]")).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("[data-key=hand-10]")).to_be_focused()
    anna.locator("[data-key=hand-3]").focus()
    anna.keyboard.press("Space")
    expect(anna.locator("[data-key=hand-3]")).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("[data-key=hand-10]")).to_have_attribute("aria-pressed", "false")
    shoot(anna, "choosing")
    anna.locator("[data-key=commit]").focus()
    anna.keyboard.press("Enter")
    expect(anna.locator("#status h2")).to_have_text("Your card lies")
    for page, card in zip(pages[1:], (3, 1), strict=True):
        send_move(page, anna.url, f"card {card}")
    turned(anna, 1)
    assert overflow(anna) == []
    shoot(anna, "reveal")


def race(page: Page) -> list[list[str]]:
    """The table beside the plot, opened as a person would: rows of name and scores."""
    rows = page.locator(".nums tbody tr")
    return [row.split("\t") for row in rows.all_inner_texts()]


def test_the_race_goes_on_while_one_looks_at_it(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather(server, person, NAMES[:3], looking=1, target=40)
    anna = pages[0]
    watcher = person(700, "dark")
    watcher.goto(anna.url)
    lay(pages, 5, 5, 3)
    turned(anna, 1)
    assert anna.locator(".plot").count() == 0
    lay(pages, 7, 7, 1)
    for page in (anna, watcher):
        expect(page.locator(".plot path.ln")).to_have_count(3)
    for page in (anna, watcher):
        page.locator(".nums summary").click()
        assert race(page) == [["Anna", "0", "0", "14"], ["Ben", "0", "0", "14"], ["Cleo", "0", "3", "4"]]
    expect(anna.get_by_role("img", name="Points after 2 rounds, to 40. Anna 14; Ben 14; Cleo 4.")).to_be_visible()
    assert len(set(anna.locator(".plot path.ln").evaluate_all("all => all.map(e => e.className.baseVal)"))) == 3
    assert len(set(anna.locator(".plot path.ln").evaluate_all("all => all.map(e => getComputedStyle(e).stroke)"))) == 1
    shoot(anna, "race")

    # The others play on: the opened table stays open, and the lines go on.
    lay(pages, 10, 10, 3)
    for page in (anna, watcher):
        expect(page.locator(".nums tbody tr").first).to_contain_text("34")
        expect(page.locator(".nums[open]")).to_have_count(1)
        assert race(page) == [
            ["Anna", "0", "0", "14", "34"],
            ["Ben", "0", "0", "14", "34"],
            ["Cleo", "0", "3", "4", "7"],
        ]
        assert overflow(page) == []
    shoot(watcher, "race")
    lay(pages, 5, 5, 1)
    for page in (anna, watcher):
        expect(page.locator("body")).to_have_class(re.compile(r"\bover\b"))
        expect(page.locator(".mine .plot path.ln")).to_have_count(3)
    shoot(anna, "over")


def test_what_is_said_is_shown_as_typed(server: Server, person: Person) -> None:
    anna, ben, _ = gather(server, person, NAMES[:3], looking=2)
    said = "one   two,  THREE"
    anna.get_by_placeholder("Say to everybody").fill(said)
    anna.locator("[data-key=say]").click()
    ben.locator("#mv").fill(f"say {said}")
    ben.locator("#mv").press("Enter")
    expect(anna.locator(".talk q")).to_have_count(2)
    assert [text.strip() for text in anna.locator(".talk q").all_inner_texts()] == [said, said]
    anna.locator("label:has(#t-log)").click()
    assert [said in text for text in anna.locator(".tab-log li[data-move]").all_inner_texts()[:2]] == [True, True]
    anna.goto(f"{anna.url}/text")
    assert said in anna.locator("#log").inner_text()
    assert said in anna.locator("[data-region=just]").inner_text()


def test_a_card_that_lies_cannot_be_asked_back_but_a_round_can(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather(server, person, NAMES[:3])
    anna, ben, cleo = pages
    choose(anna, 5)
    anna.locator("[data-key=commit]").click()
    expect(anna.locator("#status h2")).to_have_text("Your card lies")
    for page in pages:
        assert page.locator("[data-key=ask-undo],[data-key=undo]").count() == 0
    for page, card in ((ben, 5), (cleo, 3)):
        send_move(page, anna.url, f"card {card}")
    for page in pages:
        turned(page, 1)
    cleo.locator("[data-key=ask-undo]").click()
    for page in (anna, ben):
        expect(page.get_by_role("heading", name="Cleo asks to take it back")).to_be_visible()
        page.locator("[data-key=vote-yes]").click()
    for page in pages:
        expect(page.locator("#status h2")).to_have_text("Place a card")
        expect(page.locator(".spot.acting")).to_have_count(3)
