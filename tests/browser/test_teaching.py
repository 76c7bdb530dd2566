"""What somebody who is new to a game is told at the table, and that it can be put away and called back."""

from playwright.sync_api import expect

from .conftest import Person, Server
from .steps import sit_down_against_bots, wait_until_asked


def test_a_new_player_is_taught_until_it_is_put_away(server: Server, person: Person, shoot) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    assert wait_until_asked(page) == "your-turn"
    aim, hint = page.locator(".aim3"), page.locator("[data-hint]:not([hidden])")
    expect(aim.locator("li")).to_have_count(3)
    expect(hint).to_have_count(0)  # one thing at a time
    shoot(page, "aim")
    page.locator("[data-put-away=aim]").click()
    expect(aim).to_be_hidden()
    expect(hint).to_have_count(1)
    first = hint.inner_text()
    shoot(page, "coach")
    page.locator("[data-put-away=hint]").click()
    expect(page.locator("[data-hint]:not([hidden])").filter(has_text=first)).to_have_count(0)
    page.reload()
    expect(aim).to_be_hidden()
    expect(page.locator("[data-hint]:not([hidden])").filter(has_text=first)).to_have_count(0)
    expect(hint).to_have_count(1)
    page.locator("[data-put-away=hints]").click()
    expect(page.locator("[data-coach]")).to_be_hidden()

    # They are found again under Rules, with all that the cards do.
    page.locator("label:has(#t-rules)").click()
    expect(page.locator(".crib .goal3 li")).to_have_count(3)
    expect(page.locator(".crib [data-explains]")).to_have_count(5)
    page.get_by_role("button", name="Show hints again").click()
    expect(aim).to_be_visible()

    # A card explains itself to whoever rests on it, asks by key, or hears the page.
    card = page.locator("#mine button[data-about]").last
    said = card.get_attribute("aria-describedby")
    does = page.locator(f"#{said}").text_content()
    card.hover()
    expect(page.locator(".explain")).to_contain_text(does)
    expect(page.locator(".explain .now2")).to_contain_text("You hold")
    shoot(page, "explained")
    page.mouse.move(2, 2)
    expect(page.locator(".explain")).to_have_count(0)
    card.focus()
    page.keyboard.press("F1")
    expect(page.locator(".explain")).to_contain_text(does)
    page.keyboard.press("Escape")
    expect(page.locator(".explain")).to_have_count(0)

    # What explains a card goes at once when the page is another size, and with its card: not only when the browser
    # finds, some time later, that the pointer is on something else.
    shown = "document.querySelectorAll('.explain').length"
    page.mouse.move(2, 2)
    card.hover()
    expect(page.locator(".explain")).to_be_visible()
    assert page.evaluate(f"() => {{ dispatchEvent(new Event('resize')); return {shown}; }}") == 0
    card.focus()
    page.keyboard.press("F1")
    expect(page.locator(".explain")).to_be_visible()
    assert page.evaluate(f"() => {{ document.dispatchEvent(new Event('patched')); return {shown}; }}") == 1
    assert (
        card.evaluate(
            f"card => {{ card.hidden = true; document.dispatchEvent(new Event('patched')); return {shown}; }}"
        )
        == 0
    )
    card.evaluate("card => { card.hidden = false; }")

    # The whole rulebook opens in its tab; so does the rule of a line of the log.
    page.get_by_text("The whole rulebook").click()
    page.get_by_label("Search these rules").fill("hackers")
    expect(page.locator("[data-book-found]")).to_contain_text("mention")
    assert page.locator("[data-book-text] .rule:visible").count() < page.locator("[data-book-text] .rule").count()
    page.locator("label:has(#t-log)").click()
    why = page.locator(".log a.why").first
    rule = why.inner_text()
    why.click()
    expect(page.locator(f"[data-book-text] #{rule}")).to_be_in_viewport()
    assert "/t/" in page.url


def test_a_long_press_explains_and_does_not_choose(server: Server, person: Person) -> None:
    page = person(360)
    sit_down_against_bots(page, server.url)
    assert wait_until_asked(page) == "your-turn"
    card = page.locator("#mine button[data-about]").last
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    at = {"x": box["x"] + box["width"] - 8, "y": box["y"] + box["height"] / 2}
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(page.locator(".explain")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)  # in which a click would come
    assert page.locator("#mine .chosen, #mine .picked").count() == 0
    assert page.locator("body").get_attribute("data-draft") == ""
