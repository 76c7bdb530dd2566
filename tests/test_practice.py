"""Practices: each is a match by the rules, each step does what is said, and at the table the moves are those of it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Game, Refusal, find_game, installed_games
from backroom.engine.match import Match
from backroom.scenes.draft import Draft
from backroom.scenes.practice import Practice, practice_of, read_practice
from backroom.tables.service import Tables
from backroom.web.app import Settings, create_app
from sittings import ANNA, see_to_what_is_due

GAMES = [game for game in installed_games() if practice_of(game) is not None]
LEARNER = "Ada"


def practice(game: Game) -> Practice:
    found = practice_of(game)
    assert found is not None
    return found


def answered(plan: Practice, match: Match, seat: int) -> None:
    """Have the others make their moves, until the learner is asked again or they have no more."""
    while seat not in match.acting:
        texts = [(other, plan.answer(match, other)) for other in match.acting]
        ready = [(other, text) for other, text in texts if text is not None]
        if not ready:
            return
        match.play(*ready[0])


def test_every_installed_game_has_a_practice() -> None:
    assert [game.name for game in GAMES] == [game.name for game in installed_games()]


@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_practice_runs_to_its_end_and_each_step_is_what_it_says(game: Game, which: int) -> None:
    """With the first and with the last of the moves that each step accepts."""
    plan = practice(game)
    match = plan.match(game, LEARNER)
    seat = match.seat_of(LEARNER)
    answered(plan, match, seat)
    for step in plan.steps:
        assert seat in match.acting, step.title
        view = match.view(seat)
        for move in step.moves:
            draft = Draft(game, view, seat, match.names, move)
            assert draft.actions is not None, (step.title, move, draft.problem)
            assert not step.said(draft)
        begun = [task.begun for task in step.tasks]
        assert begun[-1] == "" not in begun[:-1], "the last task is to make the move"
        whole = Draft(game, view, seat, match.names, step.moves[0])
        assert all(whole.begins(text) for text in begun), step.title
        for begins, words in step.wrong:
            assert words.endswith((".", "?"))
            assert explains(game, match, seat, begins), f"{step.title}: no other move begins with {begins}"
        match.play(seat, step.moves[which])
        answered(plan, match, seat)
    assert not match.over
    assert seat in match.acting, "the learner plays on alone"
    assert all(plan.answer(match, other) is None for other in range(len(match.names))), "all answers are needed"


def explains(game: Game, match: Match, seat: int, begins: str) -> bool:
    """Whether some move of the seat begins with these words."""
    return Draft(game, match.view(seat), seat, match.names).begun(begins).problem is None


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser at a server."""
    with TestClient(create_app(Settings(f"sqlite:///{tmp_path / 'tables.sqlite3'}"))) as client:
        yield client


def asked(client: TestClient, table: str) -> dict[str, object]:
    """The table once the learner is asked, or nobody has anything to do any more."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        view = client.get(f"{table}/view.json").json()
        if view["seat"] in view["acting"]:
            return dict(view)
        time.sleep(0.05)
    raise AssertionError(f"nobody asked the learner: {view['acting']}")


def play(client: TestClient, table: str, view: dict[str, object], move: str) -> int:
    sent = {"move": move, "ply": view["ply"], "move_id": f"{view['ply']} {move}"}
    answer = client.post(f"{table}/move", json=sent)
    return answer.status_code


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_practice_is_played_at_a_table_and_goes_on_alone(client: TestClient, game: Game) -> None:
    plan = practice(game)
    assert 'action="/practice"' in client.get(f"/games/{game.name}").text
    made = client.post("/practice", data={"game": game.name, "name": plan.names[0]}, follow_redirects=False)
    table = made.headers["location"]
    for number, step in enumerate(plan.steps, 1):
        view = asked(client, table)
        page = client.get(table).text
        assert f"step {number} of {len(plan.steps)}" in page
        assert step.title in page
        assert step.title in client.get(f"{table}/text").text
        if number == 1:
            default = wrong_move(game, view)
            assert step.otherwise in client.get(f"{table}?draft={default}").text.replace("&#39;", "'")
            assert play(client, table, view, default) == 422, "a wrong move is explained, not played"
        assert play(client, table, view, step.moves[0]) == 200
    asked(client, table)
    assert "steps done" in client.get(table).text
    assert table not in client.get("/").text, "a practice that is done has left one's tables"
    assert client.post(f"{table}/alone", json={}).status_code == 200
    assert client.post(f"{table}/alone", json={}).status_code == 422, "it has ended"
    assert "prompter" not in client.get(table).text
    asked(client, table)


def wrong_move(game: Game, view: dict[str, object]) -> str:
    """A move that the first step does not ask for, and of which it says nothing in particular."""
    return {
        "catham": "take hackers",
        "corporation": "card 1",
        "dark_sources": "swap a2 b1",
        "medici": "plan 8",
        "syndicats": "bid 3",
    }[game.name]


WHOLE = 'minutes = 3\nseed = 1\nnames = ["Lena"]\nends = "Now alone."\n' + 4 * (
    '[[step]]\ntitle = "A"\nwhy = "B"\ntasks = [["C", ""]]\nmoves = ["D"]\notherwise = "E"\n'
)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed = 1", "seed = ", "line 2"),
        ("seed = 1\n", "", "seed is missing"),
        ('"Lena"', "3", "names is a list of texts"),
        ('title = "A"', "title = 3", "the step of line 5: title is to be of the type str"),
        ('why = "B"', 'wy = "B"', "the step of line 5: why is missing"),
        ('otherwise = "E"', 'otherwise = "E"\nmore = "F"', "more: there is no such key"),
        ('otherwise = "E"', 'otherwise = "E"\nanswers = { Ben = ["x"] }', "answers of Ben"),
        ('[["C", ""]]', '["C"]', "a task is a text and how the move begins then"),
        ('moves = ["D"]', "moves = []", "a move and a task at least"),
    ],
)
def test_what_is_wrong_with_a_practice_is_said_with_its_place(old: str, new: str, said: str) -> None:
    assert len(read_practice(WHOLE).steps) == 4
    with pytest.raises(Refusal, match="E_PRACTICE") as refused:
        read_practice(WHOLE.replace(old, new, 1))
    assert said in refused.value.message


def test_a_game_without_a_practice_offers_none(client: TestClient, bazaar: Game) -> None:
    assert 'action="/practice"' not in client.get("/games/bazaar").text
    assert client.post("/practice", data={"game": "bazaar", "name": "Ada"}).status_code == 422


@pytest.mark.usefixtures("asleep")
def test_a_practice_that_is_done_leaves_the_list_and_played_on_it_stays_with_regulars(tables: Tables) -> None:
    table = tables.practise(ANNA, "catham", "Anna")
    assert [summary.table for summary in tables.mine(ANNA)] == [table]
    practice = practice_of(find_game("catham"))
    assert practice is not None
    for step in practice.steps:
        while not tables.view(table, ANNA).your_turn:
            see_to_what_is_due(tables)
        assert [summary.table for summary in tables.mine(ANNA)] == [table], "it is not done"
        tables.submit(table, ANNA, step.moves[0], tables.view(table, ANNA).entry, step.title)
    assert tables.mine(ANNA) == []
    tables.play_alone(table, ANNA)
    assert [summary.table for summary in tables.mine(ANNA)] == [table]
    assert sorted(chair.bot for chair in tables.view(table, ANNA).chairs) == ["", "lena:even", "otto:even"]
