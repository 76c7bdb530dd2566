"""A practice at the table: the prompter says what to do, ticks it, explains another move, and lets one go on alone."""

from playwright.sync_api import expect

from backroom.engine.game import find_game
from backroom.scenes.practice import practice_of

from .conftest import Person, Server


def test_a_practice_is_played_to_its_end(server: Server, person: Person, shoot) -> None:
    plan = practice_of(find_game("corporation"))
    assert plan is not None
    page = person()
    page.goto(f"{server.url}/games/corporation")
    page.get_by_role("button", name="Practise").click()
    prompter, typed = page.locator(".prompter.aside"), page.locator("#mv")
    for number, step in enumerate(plan.steps, 1):
        expect(prompter).to_contain_text(f"step {number} of {len(plan.steps)}")
        expect(prompter.locator("h2")).to_have_text(step.title)
        if number == 1:
            typed.fill("card 1")
            expect(prompter.locator(".said")).to_contain_text(step.otherwise)
            shoot(page, "practice-wrong")
            typed.press("Enter")
            expect(page.locator("[data-refused]")).to_contain_text(step.otherwise)
        typed.fill(step.moves[0])
        expect(prompter.locator(".do .ok")).to_have_count(len(step.tasks) - 1)
        expect(prompter.locator(".said")).to_have_count(0)
        typed.press("Enter")
    expect(prompter).to_contain_text("steps done")
    shoot(page, "practice-done")
    prompter.get_by_role("button", name="Play on").click()
    expect(page.locator(".prompter")).to_have_count(0)
    expect(typed).to_be_visible()
