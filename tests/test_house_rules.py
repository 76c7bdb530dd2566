"""House rules as people read them: on the pages of who is asked to play, and in the lobby."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Game, find_game, installed_games
from backroom.engine.match import Match, _packed
from backroom.engine.notation import play_on_view
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.app import Settings, create_app
from backroom.web.house_rules import house_rules
from backroom.web.lobby import lobby_context
from backroom.web.table_page import render_table, table_module

GAMES = installed_games()
HTML = {"Accept": "text/html"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(f"sqlite:///{tmp_path}/tables.sqlite3")), base_url="http://testserver") as one:
        yield one


def told(game: str, seats: int, **options: Any) -> dict[str, str]:
    rules = house_rules(find_game(game).options.build(options), seats)
    return {
        rule.label: rule.text if not rule.cards else " ".join(thing.words for thing in rule.cards) for rule in rules
    }


def test_house_rules_say_what_is_played_and_what_is_printed() -> None:
    assert told("catham", 4) == {}
    assert told("catham", 4, factions="raid", target=10, police_cards="discard", advanced=True) == {
        "factions": "journalists detectives mafia police hackers",
        "first to": "10, not the printed 13",
        "actions in a turn": "two, not one",
        "cards laid out for the police": "thrown away, not given back",
    }
    assert told("catham", 3, target=10)["first to"] == "10, not the printed 16"
    assert told("catham", 4, target=13, factions="first") == {}, "as printed, whether it is said or not"
    assert told("catham", 4, factions="random")["factions"] == "drawn by lot, not the first set"
    assert told("catham", 4, first_player="Ben")["who begins"] == "Ben, not the first one named"
    assert told("corporation", 4, target=60, talk_limit=3) == {
        "points that end it": "60, not the printed 150",
        "messages of each, a round": "3, not as many as you like",
    }
    assert told("medici", 3, lone_scapegoat=False, base_end="decks_empty") == {
        "scapegoats save": "only nobles in company, not lone nobles too",
    }, "what does not matter for so many players is left out"
    assert told("medici", 2, base_end="decks_empty", control="plurality") == {
        "the end": "also when both decks are empty, not only when somebody cannot play",
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_house_rule_has_words_of_its_own(game: Game) -> None:
    """No identifier reaches a player, and no two values read alike."""
    for name in set(game.options.model_fields) - game.options.simulation_only:
        field = game.options.model_fields[name]
        assert field.title, name
        assert "_" not in field.title
        choices = game.options.choices(name)
        words = [game.options.in_words(name, value) for value in choices]
        assert len(set(words)) == len(words)
        for value, said in zip(choices, words, strict=True):
            assert "_" not in said
            assert type(value) is int or said != game.options.typed(value), name
        if field.default is None and name != "game":
            assert game.options.in_words(name, game.options.printed(name, 3)) != "none", name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_switch_that_is_not_offered_changes_nothing(game: Game) -> None:
    """A match of the fewest players for whom it is left out goes the same way whatever its value."""
    tried = 0
    for name in game.options.model_fields:
        seats = next((seats for seats in game.seats if not game.options.applies(name, seats)), 0)
        if not seats or name == "game":
            continue
        names = [f"p{seat}" for seat in range(seats)]
        other = next(value for value in game.options.choices(name) if value != game.options.model_fields[name].default)
        for seed in range(2):
            source = random.Random(seed)
            plain, changed = Match.new(game, names, {}, seed), Match.new(game, names, {name: other}, seed)
            while not plain.over and plain.ply < 150:
                seat = plain.acting[0]
                actions: list[int] = []
                state = plain.view(seat)
                while not actions or int(state.midmove) >> seat & 1:
                    actions.append(source.choice(game.legal(state, seat).tolist()))
                    state = play_on_view(game, state, seat, actions[-1])
                plain.play_actions(seat, actions)
                changed.play_actions(seat, actions)
            twin = game.state.copy(changed.state)
            twin[name] = plain.state[name]
            assert twin.tobytes() == plain.state.tobytes(), name
        tried += 1
    assert tried or game.name != "medici"


def test_the_lobby_offers_what_matters_for_so_many_chairs() -> None:
    game = find_game("medici")

    def names(chairs: int) -> set[str]:
        context = lobby_context(game, GAMES, {"chairs": str(chairs)})
        return {switch.name for switch in context["usual"] + context["unclear"]}

    assert names(2) == {"base_conspire", "base_last_card", "base_end", "jester_limit"}
    assert names(3) == names(4)
    assert not {name for name in names(3) if name.startswith("base_")}
    assert "control" in names(3)


# On the pages


def table_with(client: TestClient, game: str, friends: int = 3, **options: Any) -> tuple[str, str]:
    """A table and the invitation to its second chair."""
    chairs = [{"kind": "you", "name": "Anna"}, *({"kind": "friend"} for _ in range(friends))]
    table = client.post("/tables", json={"game": game, "chairs": chairs, "options": options}).json()["table"]
    return table, client.get(f"/t/{table}/view.json").json()["chairs"][1]["invite"]


def test_who_is_asked_to_play_reads_the_rules_of_this_table(client: TestClient) -> None:
    table, invite = table_with(client, "catham", factions="raid", target=10, advanced=True)
    pages = [client.get(address, headers=HTML).text for address in (f"/join/{invite}", f"/t/{table}")]
    pages.append(client.get(f"/rules/catham?table={table}", headers=HTML).text)
    for html in pages:
        assert "<dt>first to</dt><dd>10, not the printed 13</dd>" in html
        assert "<dt>actions in a turn</dt><dd>two, not one</dd>" in html
        assert re.search(
            r'<dt>factions</dt><dd><span class="named"><span class="chip f-j".*?</span>journalists</span>', html
        )
        assert "JDMPH" not in html.replace("JDMPH)", "")
        assert "not as printed" not in html
    assert "First to 10 wins, on the spot." in pages[0]
    assert "in each <b>take</b> all you like" in pages[0]
    assert "plays second, 6 cards" in pages[0]
    assert "Each turn you have two actions" in pages[0]
    assert 'aria-label="detectives"' in pages[0]
    table, invite = table_with(client, "catham")
    html = client.get(f"/join/{invite}", headers=HTML).text
    assert "<dt>all</dt><dd>as printed</dd>" in html
    assert "First to 13 wins" in html


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_is_told_in_three_lines_for_every_table(game: Game) -> None:
    module = table_module(game)
    for seats in game.seats:
        for preset in [{}, *game.options.presets.values()]:
            lines = module.brief(game.options.build(preset), seats)
            assert len(lines) == 3
            assert all(line.text.endswith(".") and len(line.text) < 140 for line in lines), [
                line.text for line in lines
            ]
    if game.name == "corporation":
        assert "passes 60 wins" in module.brief(game.options.build({"target": 60}), 4)[2].text
        assert "Nobody talks" in module.brief(game.options.build({"talk": "off"}), 4)[2].text
    if game.name == "medici":
        assert "equal worth" in module.brief(game.options.build({}), 2)[1].text


def test_a_gap_in_the_market_is_one_place(tmp_path: Path) -> None:
    tables = Tables.open(f"sqlite:///{tmp_path}/tables.sqlite3")
    try:
        table = tables.create("anna", "catham", [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random")])
        live = tables.lives.at(table)
        tables.view(table, "anna")
        assert live.match
        for gaps, words in ((1, "place, filled after"), (2, "places, filled after")):
            market = live.match.state.market.copy()
            state = find_game("catham").state.copy(live.match.state)
            state.market[:] = 0
            state.market[int(market.argmax())] = int(market.sum()) - gaps
            live.match.state, live.match._states[-1] = state, _packed(state)
            live._found.clear()  # no move has led there
            assert f"<span>{words}</span>" in render_table(tables.view(table, "anna"))
            live.match.state.market[:] = market
    finally:
        tables.close()
