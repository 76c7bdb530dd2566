"""What people do at a table, as steps that the browser tests share."""

import re
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, Route, expect

from backroom.engine.match import Match
from backroom.web.table_page import render_table
from test_pages import table_view

from .conftest import PLAIN_HOST, Person, Server, plain_url

TABLE = re.compile(r"/t/[\w-]+$")


def sit_down_against_bots(
    page: Page, url: str, name: str = "Anna", bots: str = "two", strength: str = "gentle"
) -> None:
    """The ticket on the front page."""
    page.goto(url)
    page.get_by_label("You", exact=True).fill(name)
    page.get_by_label("How many bots").select_option(label=bots)
    page.get_by_label("How strong they are").select_option(label=strength)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(TABLE)


def gather_people(
    server: Server,
    person: Person,
    game: str,
    names: Sequence[str],
    width: int = 1400,
    plain: bool = False,
    alone: bool = False,
    looking: int | None = None,
    **options: object,
) -> list[Page]:
    """A table of people, each in a browser of their own (`person`); ``plain``: over a plain network.

    They take their chairs without looking at a page before it is complete; how links are followed, test_play.py tests.
    Only the first ``looking`` (None: all) have the table open then: a page costs time with every move. The others play
    with `send_move`.
    """
    pages = [person(width, alone=alone) for _ in names]
    chairs = [{"kind": "you", "name": names[0]}, *({"kind": "friend"} for _ in names[1:])]
    asked = {"game": game, "chairs": chairs, "options": options, "create_id": uuid.uuid4().hex}
    table = pages[0].request.post(f"{server.url}/tables", data=asked).json()["url"]
    view = pages[0].request.get(f"{server.url}{table}/view.json").json()
    for page, name, chair in zip(pages[1:], names[1:], view["chairs"][1:], strict=True):
        assert page.request.post(f"{server.url}{table}/sit", data={"invite": chair["invite"], "name": name}).ok
    open_pages = pages[:looking]
    for page in open_pages:
        if plain:
            cookies = page.context.cookies(server.url)
            page.context.add_cookies([cookie | {"domain": PLAIN_HOST} for cookie in cookies])  # type: ignore[list-item]
        page.goto(f"{plain_url(server) if plain else server.url}{table}")
    # Those who came first are told of the others, and of the opening.
    now = open_pages[-1].locator("body").get_attribute("data-revision") or ""
    for page in open_pages:
        expect(page.locator("body")).to_have_attribute("data-revision", now)
    return pages


def send_move(page: Page, table: str, move: str) -> None:
    """Make a move without a click, for somebody whose browser need not have the table open."""
    ply = page.request.get(f"{table}/view.json").json()["ply"]
    made = page.request.post(f"{table}/move", data={"move": move, "ply": ply, "move_id": uuid.uuid4().hex})
    assert made.ok, made.text()


def open_lobby_table(page: Page, url: str, name: str, chairs: list[str], **options: str) -> None:
    """A table from the lobby: chairs after one's own by the words of their lists, options by name."""
    page.goto(f"{url}/new?game=catham&chairs={len(chairs) + 1}&name={name}")
    for number, words in enumerate(chairs, 1):
        box = page.locator(f"#chair{number}")
        if box.locator("option:checked").inner_text() != words:
            with page.expect_navigation():
                box.select_option(label=words)
    for option, value in options.items():
        field = page.locator(f"[name='option.{option}']")
        if field.first.get_attribute("type") == "radio":
            page.locator(f"[name='option.{option}'][value='{value}']").check()
        else:
            field.fill(value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(TABLE)


def state(page: Page) -> str:
    """your-turn, waiting, watching or over."""
    classes = (page.locator("body").get_attribute("class") or "").split()
    return next((word for word in classes if word in ("your-turn", "waiting", "watching", "over")), "")


def expect_state(wanted: str, *pages: Page) -> None:
    """Wait until each of these pages is that: your-turn, waiting, watching or over."""
    for page in pages:
        expect(page.locator("body")).to_have_class(re.compile(rf"(^|\s){wanted}(\s|$)"))


def wait_until_asked(page: Page, seconds: float = 30) -> str:
    """Wait until this seat owes a decision or it is over; which of the two."""
    expect(page.locator("body")).to_have_class(re.compile(r"\b(your-turn|over)\b"), timeout=seconds * 1000)
    return state(page)


def show(page: Page, url: str, match: Match, seat: int, draft: str = "") -> None:
    """The table over a match that no server knows, as a seat sees it: clicks name the move, nothing can be played."""

    def answer(route: Route) -> None:
        asked = urlsplit(route.request.url)
        if asked.path != "/t/test":
            route.abort()
            return
        named = parse_qs(asked.query).get("draft", [draft])[0]
        route.fulfill(content_type="text/html", body=render_table(table_view(match, seat), named))

    page.route("**/t/test**", answer)
    page.goto(f"{url}/t/test")
    # What is told at the first time has been put away: on a phone it lies over the table.
    page.evaluate(
        "game => localStorage.setItem('taught', JSON.stringify({quiet: true, [game]: {aim: true}}))", match.game.name
    )
    page.reload()


def things_to_click(page: Page) -> list[str]:
    """Keys of what makes the move in preparation go on when clicked; of all that is offered, where it must change."""
    found: list[str] = page.evaluate(
        """() => {
          const text = document.getElementById('mv').value;
          const things = [...document.querySelectorAll('button[form=picks]')].filter(
            e => e.value && e.value !== text && e.getAttribute('aria-disabled') !== 'true' && e.checkVisibility()
              && getComputedStyle(e).pointerEvents !== 'none');
          const on = things.filter(e => text ? e.value.startsWith(text) : e.matches('.opt'));
          return (on.length ? on : things).map(e => e.dataset.key);
        }"""
    )
    return found


def keyed(page: Page, key: str) -> Locator:
    """The thing of that ``data-key``."""
    return page.locator(f'[data-key="{key}"]')


def click_where_it_shows(thing: Locator, by_touch: bool = False) -> None:
    """Click (or tap) a thing where it shows: of a card in a fan, that is the strip that the next one leaves free."""
    thing.scroll_into_view_if_needed()
    spot = thing.evaluate(
        """thing => {
          const box = thing.getBoundingClientRect();
          const shows = (x, y) => thing.contains(document.elementFromPoint(box.left + x, box.top + y));
          for (const part of [0.5, 0.2, 0.1, 0.8]) {
            const x = box.width * part, y = box.height / 2;
            if (shows(x, y)) return {x, y};
          }
          return null;
        }"""
    )
    (thing.tap if by_touch else thing.click)(position=spot)


def choose(page: Page, option: Locator | None = None, source: Random | None = None, by_touch: bool = False) -> None:
    """Click an option of "What you can do" (the first), and what must follow, until the move is whole.

    With ``source`` everything is clicked by lot.
    """
    whole = page.locator("[data-key=commit]:not([aria-disabled])")
    if option is None:
        found = things_to_click(page)
        if not found:  # on a phone, what is no thing on the table is in the list of moves alone
            click_where_it_shows(page.locator("label:has(#s-moves)"), by_touch)
            found = things_to_click(page)
        option = keyed(page, source.choice(found) if source else found[0])
    source = source or Random(1)
    for _ in range(20):
        before = page.locator("#mv").input_value()
        click_where_it_shows(option, by_touch)
        expect(page.locator("#mv")).not_to_have_value(before)
        if whole.count():
            return
        option = keyed(page, source.choice(things_to_click(page)))
    raise AssertionError(f"no whole move after {page.locator('#mv').input_value()!r}")


def commit(page: Page, by_touch: bool = False) -> None:
    """Press the amber button and wait until the table has moved on."""
    before = page.locator("body").get_attribute("data-ply")
    button = page.locator("[data-key=commit]")
    (button.tap if by_touch else button.click)()
    expect(page.locator("body")).not_to_have_attribute("data-ply", before or "")


def type_move(page: Page, text: str) -> None:
    """Type a move and press Enter."""
    before = page.locator("body").get_attribute("data-ply")
    page.locator("#mv").fill(text)
    page.locator("#mv").press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ply", before or "")


def overflow(page: Page) -> list[str]:
    """Elements that stick out at the right, if nothing cuts them off with an ellipsis or scrolls."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('body *')].filter(e => {
            const box = e.getBoundingClientRect();
            let right = box.right;
            if (right <= document.documentElement.clientWidth + 1) return false;
            for (let around = e; around && around !== document.body; around = around.parentElement)
              if (getComputedStyle(around).overflowX !== "visible")
                right = Math.min(right, around.getBoundingClientRect().right);
            return box.width && right > document.documentElement.clientWidth + 1
              && !e.closest('[data-scroll],svg,.vh,.skip');
        }).map(e =>
              e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + e.textContent.trim().slice(0, 20)
            ).slice(0, 5)"""
    )
    return found


def nameless(page: Page) -> list[str]:
    """Operable elements without an accessible name, and ids that are not unique."""
    found: list[str] = page.evaluate(
        """() => {
          const bad = [];
          const by = id => document.getElementById(id)?.textContent;
          const name = e => [
            e.ariaLabel, ...[...(e.labels ?? [])].map(l => l.textContent), by(e.getAttribute('aria-labelledby')),
            e.textContent, e.title,
          ].find(text => text?.trim());
          const operable = 'button,a[href],input:not([type=hidden]),select,textarea,[role=button],[role=img]';
          for (const e of document.querySelectorAll(operable)) if (!name(e)) bad.push(e.outerHTML.slice(0, 120));
          const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
          return bad.concat(ids.filter((id, at) => ids.indexOf(id) !== at).map(id => 'twice: #' + id));
        }"""
    )
    return found


CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
"""Text nodes whose contrast as rendered is under WCAG's AA, and letters under 9.5 px."""


def look(page: Page, where: str) -> None:
    """Everything cheap that can be wrong with how a page is drawn."""
    for what, found in (("too wide", overflow(page)), ("no name", nameless(page)), ("faint", page.evaluate(CONTRAST))):
        assert found == [], f"{where}, {what}: {found}"
    assert page.evaluate("document.querySelectorAll('main').length") == 1, where
    assert page.locator("a.skip").count() == 1, where


ALL_LISTS = """() => [...document.querySelectorAll("li")]
  .filter((item) => !item.parentElement.matches("ol:not([role]), ul:not([role]), menu, [role=list]"))
  .map((item) => item.outerHTML.slice(0, 120))
  .concat([...document.querySelectorAll("ol[role], ul[role]")]
    .filter((list) => !["list", "group", "listbox", "menu", "menubar", "none", "presentation", "radiogroup", "tablist",
      "toolbar", "tree", "directory"].includes(list.getAttribute("role")))
    .map((list) => list.outerHTML.slice(0, 120)))"""
"""Items whose list has lost its meaning by a role, and lists with a role that they may not have: axe's rules listitem
and aria-allowed-role."""


DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Two frames, so that all that follows from a change of the page has been drawn."""


def look_both_ways(page: Page, where: str, shoot: Callable[[Page, str], None]) -> None:
    """`look` on a phone and a desk, by day and night."""
    assert page.evaluate(ALL_LISTS) == [], where
    for width, scheme in ((1400, "light"), (1400, "dark"), (360, "dark"), (360, "light")):
        page.set_viewport_size({"width": width, "height": 900 if width > 600 else 740})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(DRAWN)  # a page hears of its new size with the next frame, and may change with that
        look(page, f"{where}, {width} px, {scheme}")
        shoot(page, f"{where}-{width}-{scheme}")


FOCUS_SHOWN = """() => {
  for (let node = document.activeElement; node; node = node.parentElement)
    if (getComputedStyle(node).outlineStyle !== "none") return true;
  return false;
}"""
"""Whether what is focused, or something around it that shows it in its stead, is outlined."""


def focus_by_tab(page: Page, wanted: str, most: int = 200) -> None:
    """Press Tab until what is focused matches the selector."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", wanted):
            assert page.evaluate(FOCUS_SHOWN), "focus cannot be seen"
            return
    raise AssertionError(f"Tab never reaches {wanted}")
