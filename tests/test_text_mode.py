"""Text mode: the table in words, one's own things first, and every move as it is typed."""

import re

import pytest

from backroom.engine.game import Game, installed_games
from backroom.engine.notation import move_text
from backroom.tables import clock
from backroom.tables.service import Tables
from backroom.web.table_page import SHORT_LOG, _moves, render_text
from sittings import Sitting
from test_pages import random_match, table_view
from toys.bazaar import GAME as BAZAAR

GAMES = [*installed_games(), BAZAAR]
"""All that are installed, and a toy that brings no page of its own."""
pytestmark = pytest.mark.usefixtures("bazaar")


def sections(html: str) -> dict[str, str]:
    """The page's sections by heading, in order."""
    pieces = re.split(r"<h2>(.*?)</h2>", html)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def rows(section: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_sections_stand_in_the_order_they_are_read(game: Game) -> None:
    for seed in range(3):
        match = random_match(game, seed, 6 * seed + 1)
        if match.over:
            continue
        for seat in [*range(len(match.names)), None]:
            html = render_text(table_view(match, seat))
            found = list(sections(html))
            wanted = ["Just now", *(["You"] if seat is not None else []), "The table"]
            assert found[: len(wanted)] == wanted
            parts = [heading for heading in found if "<svg" not in heading]  # who is away comes among who watches
            assert parts[-4:] == ["Log, newest first", "Position, as one line", "Talk", "Who watches"]
            form = html.find('id="deed"')
            assert (form >= 0) is (seat in match.acting)
            assert form < html.find("<h2>"), "one's move comes first"
            own, table = (rows(sections(html).get(name, "")) for name in ("You", "The table"))
            assert table
            assert bool(own) is (seat is not None)
            assert not any(heading.startswith("your ") for heading in (*own, *table))
            assert not any("hand" in heading for heading in table), "other people's hands are none of one's business"


def test_ones_own_points_and_hand_are_told_apart_from_the_table() -> None:
    match = random_match(GAMES[0], 3, 6)
    assert match.game.name == "catham"
    html = sections(render_text(table_view(match, 1)))
    own, table = rows(html["You"]), rows(html["The table"])
    held = int(match.state.hand_size[1])
    assert own["points"].startswith(f"{int(match.state.points[1])} of 13")
    assert f"hand, {held} of 10" in own
    assert "Ben" not in table
    assert {"Anna", "Cleo", "Dan", "market", "deck"} <= set(table)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_move_is_listed_once_and_those_of_a_kind_together(game: Game) -> None:
    lines = total = 0
    for seed in range(6):
        match = random_match(game, seed, 3 + 5 * seed)
        for seat in match.acting:
            view = table_view(match, seat)
            legal = game.legal(view.record, seat).tolist()
            texts = [move_text(game, view.record, seat, [action], match.names) for action in legal]
            groups, count = _moves(view.prepared)
            assert count == len(legal)
            spelled = []
            for group in groups:
                first = group.first.removesuffix(" …")
                spelled.append(first)
                for other in group.others:
                    # What stands there replaces the end of the first, or follows it.
                    spelled += [
                        text for text in texts
                        if text.endswith(other) and text != first and first.startswith(text.removesuffix(other).strip())
                        and len(text.split()) >= len(first.split())
                    ][:1]  # fmt: skip
                assert group.effect
            assert set(spelled) <= set(texts)
            assert sum(1 + len(group.others) for group in groups) == len(legal)
            lines, total = lines + len(groups), total + len(legal)
            html = render_text(view)
            assert f"All {count} moves you have" in html or count == 1
            assert html.count("<li><code>") == len(groups)
    assert lines < total or game.name == "corporation"


def test_moves_of_one_kind_stand_on_one_line() -> None:
    match = random_match(next(game for game in GAMES if game.name == "dark_sources"), 1, 0)
    html = render_text(table_view(match, 0))
    assert "<code>swap a1 b1</code>: Your a1 (1) for Ben’s b1 (1). Both lie face down then. Or <code>b2</code>" in html
    assert html.count("<li><code>swap") == 5
    match = random_match(next(game for game in GAMES if game.name == "medici"), 1, 0)
    html = render_text(table_view(match, match.acting[0]))
    assert len(re.findall(r"<li><code>conspire \w …</code>: the first part of a move. Or <code>", html)) == 1


def test_a_long_log_is_folded_and_nothing_is_lost_or_told_twice() -> None:
    for moves in (2, 40):
        match = random_match(GAMES[0], 4, moves)
        view = table_view(match, 0)
        html = sections(render_text(view))["Log, newest first"]
        shown = [re.sub(r" <a .*", "", line) for line in re.findall(r"<li data-key=\"line-\d+\".*?>(.*?)</li>", html)]
        assert [line.replace("&#39;", "'") for line in shown] == [
            f"{move} {line.text}" for move, line in reversed(view.lines)
        ]
        keys = re.findall(r'data-key="(line-\d+)"', html)
        assert len(set(keys)) == len(keys)
        assert ("<details" in html) is (moves == 40)
        if moves == 40:
            assert SHORT_LOG <= html[: html.index("<details")].count("<li ") < SHORT_LOG + 8


def test_talk_tells_how_long_ago(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_700_000_000]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    sitting = Sitting(tables, "catham", ("Anna", "Ben"))
    tables.talk(sitting.id, sitting.tokens[1], "Nobody needs three detectives, surely.")
    now[0] += 8 * 60
    tables.talk(sitting.id, sitting.tokens[0], "He does.")
    now[0] += 120
    talk = sections(sitting.served(0)[1])["Talk"]
    assert re.search(r'Ben<.*, 10 min<.*: <span dir="auto">Nobody needs three detectives, surely.</span></li>', talk)
    assert re.search(r'Anna<.*, 2 min<.*: <span dir="auto">He does.</span></li>', talk)
    assert "He does." not in sitting.served(-1)[1], "what is said at the table stays there"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_end_is_told_in_words_with_the_points_of_every_round(game: Game) -> None:
    match = random_match(game, 2, 5000)
    view = table_view(match, 0)
    found = sections(render_text(view))
    assert list(found)[:2] == ["How it ended", "The last move"]
    told = re.findall(r"<li>(\d+)\. (\w+)(?: \(you\))?: (\d+)", found["How it ended"])
    wanted = sorted((place, seat) for seat, place in enumerate(view.places))
    assert told == [(str(place), match.names[seat], str(view.scores[seat])) for place, seat in wanted]
    for seat, name in enumerate(match.names):
        points = ", ".join(str(scores[seat]) for scores in view.standings)
        assert f"{name} {points}" in found["How it ended"]
