"""Syndicats in the browser, without a browser: contracts by clicks, what is sealed, an own deck in the lobby."""

import html as markup
import re

import pytest

from backroom.engine.game import find_game, installed_games
from backroom.engine.match import Match
from backroom.games.syndicats import table as module
from backroom.games.syndicats.facts import SMALL_DECK
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Scene
from backroom.web.drawing import draw
from backroom.web.lobby import lobby_context
from backroom.web.table_page import render_table
from test_pages import table_view

GAME = find_game("syndicats")


def at_contracts() -> Match:
    """The practice up to its contracts, with a house for Lena, too: A has Siberia and two cats that can keep it."""
    match = Match.new(GAME, ["Anna", "Lena"], {"keeper": "Lena"}, 6)
    for move in ("1 bid 0", "0 bid 1", "1 pass", "0 pay 1", "0 take tango as cat", "1 take oracle as cat", "0 bid 0",
                 "1 pass", "0 pay 2", "0 take siberia as house", "1 take velvet as house"):  # fmt: skip
        seat, _, text = move.partition(" ")
        match.play(int(seat), text)
    return match


def scene(match: Match, seat: int, text: str = "") -> Scene:
    view = match.view(seat)
    return module.scene(view, seat, match.names, Draft(GAME, view, seat, match.names, text))


def clicked(html: str, key: str) -> str:
    """The text after a click on this."""
    found = re.search(rf'<button[^>]* value="([^"]*)"[^>]* data-key="{re.escape(key)}"', html)
    return markup.unescape(found[1]) if found else ""


def test_contracts_are_clicked_together_and_say_what_they_earn() -> None:
    match = at_contracts()
    page = render_table(table_view(match, 0))
    whole = "contracts keep siberia with tango+persian"
    assert clicked(page, "best") == whole
    assert clicked(page, "seg-siberia-keep") == whole
    assert clicked(page, "seg-siberia-trash") == "", "two cats cannot trash it"
    assert clicked(page, "seg-siberia-hold") == "contracts hold siberia"
    chosen = scene(match, 0, whole)
    assert chosen.say == "Keep one, earn 9"
    assert chosen.drawn["contracts"].tally.total == 9
    assert chosen.drawn["contracts"].best_earns == 9
    without = clicked(render_table(table_view(match, 0), whole), "works-siberia-tango-b")
    assert without == "contracts keep siberia with persian"
    short = scene(match, 0, without)
    assert "Siberia lacks symbols" in short.missing
    assert [pip.filled for pip in short.drawn["contracts"].jobs[0].needs].count(True) == 1
    again = clicked(render_table(table_view(match, 0), without), "idle-tango-b")
    assert again == whole
    # As it is dragged, or put by the list of the house.
    assert clicked(render_table(table_view(match, 0), without), "put-siberia-tango") == whole


def test_nobody_sees_a_trace_of_contracts_before_all_are_in() -> None:
    pages = []
    for text in ("contracts keep siberia with tango+persian", "contracts hold siberia", "contracts none"):
        match = at_contracts()
        match.play(0, text)
        assert "keep siberia" not in render_table(table_view(match, 1))
        pages.append((render_table(table_view(match, 1)), render_table(table_view(match, None))))
        sealed = module.scene(match.view(0), 0, match.names, Draft(GAME, match.view(0), 0, match.names))
        assert sealed.drawn["contracts"].sealed
        assert sealed.drawn["contracts"].plan.houses == ({} if "none" in text else {GAME_HOUSE: text.split()[1]})
    assert pages[0] == pages[1] == pages[2]


GAME_HOUSE = 40
"""The number of Siberia in the printed deck."""


@pytest.mark.parametrize(("old", "new", "said"), [("", "", ""), ('cat="GB"', 'cat="GQ"', "Q")])
def test_a_deck_of_ones_own_is_checked_in_the_lobby_and_shown(old: str, new: str, said: str) -> None:
    text = SMALL_DECK.replace(old, new) if old else SMALL_DECK
    fields = {"game": "syndicats", "was": "syndicats", "option.deck": text, "look": "1"}
    context = lobby_context(GAME, installed_games(), fields) | {"create_id": "", "plain": False}
    page = draw("lobby.html", context)
    assert "syndicats-deck/1" in markup.unescape(page), "what was pasted stays"
    if said:
        assert "line" in context["problem"]
        assert said in context["problem"]
        assert not context["shown"]
    else:
        assert context["problem"] == ""
        assert "Paw Shop" in page
        assert "Tip Top" in page
