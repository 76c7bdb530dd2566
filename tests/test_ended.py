"""The end of a game on its page: what decided it, how the points went, how long it took, and the next table."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from backroom.engine.facts import facts_of
from backroom.engine.game import Game, find_game, installed_games
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.tables import clock
from backroom.tables.live import HERE_SECONDS
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest, TableView
from backroom.web.house_rules import once_more
from backroom.web.lobby import chairs_wanted, lobby_context, options_wanted
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text
from backroom.web.times import lasting
from sittings import Sitting
from test_pages import players, random_match, table_view
from toys.bazaar import GAME as BAZAAR

GAMES = [*installed_games(), BAZAAR]
"""All that are installed, and a toy that brings no page of its own."""
pytestmark = pytest.mark.usefixtures("bazaar")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The clock, in a list of one, to be set."""
    now = [1_700_000_000]
    monkeypatch.setattr(clock, "now", lambda: now[0])
    return now


def ended(game: Game, seed: int) -> Match:
    return random_match(game, seed, 5000)


def told(html: str) -> dict[str, list[int]]:
    """The table beside the plot: the scores of each player at the start and after each round."""
    rows = re.findall(r'<tr><th scope="row">(\w+)</th>((?:<td>-?\d+</td>)+)</tr>', html)
    return {name: [int(score) for score in re.findall(r"-?\d+", cells)] for name, cells in rows}


def notes(html: str) -> dict[str, str]:
    """What is said of each player in the ranking."""
    return dict(re.findall(r'class="who"><span>(\w+)(?: \(you\))?<small>(.*?)</small>', html))


# How the points went


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_points_are_those_of_a_replay(game: Game) -> None:
    """Folded anew from the moves: where all decide at once a round is one turn, else a turn of each."""
    for seed in range(2):
        match = ended(game, seed)
        again = Match(game, match.options, match.players, match.seed)
        turns = 1 if len(again.acting) > 1 or game.name == "syndicats" else len(match.names)
        rounds = {-1: game.outcome(again.state)[0]}
        for move in match.moves:
            number = (max(int(again.state.turn), 1) - 1) // turns
            again.play_actions(move.seat, move.actions)
            rounds[number] = game.outcome(again.state)[0]
        wanted = [rounds[number] for number in sorted(rounds)]
        assert match.standings() == wanted
        assert wanted[-1] == game.outcome(match.state)[0]
        for looking in (0, None):
            html = render_table(table_view(match, looking))
            assert told(html) == {name: [row[seat] for row in wanted] for seat, name in enumerate(match.names)}
            words = "; ".join(f"{name} {score}" for name, score in zip(match.names, wanted[-1], strict=True))
            assert re.search(rf'role="img" aria-label="Points after {len(wanted) - 1} rounds[^"]*\. {words}\."', html)
            assert html.count('<span class="end"') == len(match.names)
            assert ('class="goal"' in html) is (game.name in ("catham", "corporation"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_while_it_goes_on_nobody_is_told_the_points_of_what_is_hidden(game: Game) -> None:
    match = random_match(game, 1, 6)
    assert not match.over
    for looking in (0, None):
        view = table_view(match, looking)
        assert view.standings == ()
        assert view_model(view).standings == []
        assert (view.began, view.ended) == (0, 0)
        assert "How the points went" not in render_table(view)


def test_an_earlier_move_of_a_match_that_is_over_has_no_end(tables: Tables) -> None:
    sitting = Sitting(tables, "corporation", ("Anna", "Ben", "Cleo"), target=10)
    for seat, card in enumerate((1, 10, 7)):
        sitting.play(seat, f"card {card}")
    view = tables.view(sitting.id, sitting.tokens[0])
    assert view.over
    assert view.standings == ((0, 0, 0), (1, 10, 7))
    assert tables.view(sitting.id, sitting.tokens[0], 2).standings == ()


# What decided it


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_row_of_the_ranking_says_what_decided_it(game: Game) -> None:
    for seed in range(4):
        match = ended(game, seed)
        for looking in (0, 1, None):
            view = table_view(match, looking)
            found = notes(render_table(view))
            assert set(found) == set(match.names)
            assert all(found.values()), found
            for seat, name in enumerate(match.names):
                shared = view.places.count(view.places[seat]) > 1
                assert ("share" in found[name]) is shared
                assert ("you " in f"{found[name]} ") <= (seat == looking)
                assert not re.search(r"\b(he|him|his|she|her)\b", found[name])


HELD = "B:HHHHH/10 C:R/6 | mkt RRRSSMH | turn A"


@pytest.mark.parametrize(
    ("hand", "move", "said"),
    [
        ("DDDMM/13", "play detectives + mafia", "3 detectives and a mafia took you over"),
        ("DDDDM/13", "play detectives + detectives", "3 detectives and another took you over"),
        ("SSSH/14", "play scientists", "3 scientists took you over"),
        ("HHR/15", "play hackers x2 > ben", "2 hackers took you over"),
    ],
)
def test_what_took_the_winner_over_the_line(hand: str, move: str, said: str) -> None:
    match = Match.from_position(find_game("catham"), f"SRDMH | A:{hand} {HELD}", 1)
    match.play(0, move)
    assert match.over
    mine, theirs = (notes(render_table(table_view(match, viewer))) for viewer in (0, 1))
    assert mine["anna"] == said
    assert theirs["anna"] == said.replace("you", "them")
    assert mine["ben"].startswith("six short, five cards left") or "hackers" in said
    assert mine["cleo"] == "ten short, one card left"


def test_a_gift_is_named_as_a_gift() -> None:
    position = "JDOSR | A:SSO/15 B:DD/9 C:OO/7 | table JJ | active B | ask A gift"
    match = Match.from_position(find_game("catham"), position, 1)
    match.play(0, "give scientists")
    assert match.over
    assert notes(render_table(table_view(match, 0)))["anna"] == "a gift took you over"


def test_shared_places_are_said_to_be_shared(tables: Tables) -> None:
    sitting = Sitting(tables, "corporation", ("Anna", "Ben", "Cleo", "Dan"), target=10)
    for cards in ((5, 5, 3, 3), (10, 10, 1, 1)):
        for seat, card in enumerate(cards):
            sitting.play(seat, f"card {card}")
    found = notes(sitting.served(2)[0])
    assert found["Anna"] == "shares the win; +20 in the last round took them over"
    assert found["Cleo"] == "you share third; 18 behind, +2 in the last round"
    assert found["Dan"] == "shares third; 18 behind, +2 in the last round"


def test_equal_scores_are_told_apart_by_what_comes_next() -> None:
    match = Match.from_position(
        find_game("medici"), "opt game=base ; IC S1[A9] S2[B5 B4] ; A hand=- deck=- ; B hand=- deck=- ; over 2", 1
    )
    found = notes(render_table(table_view(match, 0)))
    assert found == {"A": "1 noble at court to 2", "B": "2 nobles at court to 1"}


# How long it took


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "less than a minute"), (0, "less than a minute"), (59, "less than a minute"),
        (60, "1 minute"), (119, "1 minute"), (3599, "59 minutes"),
        (3600, "1 hour"),
        (3725, "1 hour, 2 minutes"), (86399, "23 hours, 59 minutes"), (86400, "1 day"), (90000, "1 day, 1 hour"),
        (266400, "3 days, 2 hours"), (31_536_000, "365 days"),
    ],
)  # fmt: skip
def test_spans_of_time_in_words(seconds: int, words: str) -> None:
    assert lasting(seconds) == words


def three_at_corporation(tables: Tables, time: list[int]) -> Sitting:
    """A match of three that is over after two rounds, from now to three days and two hours later."""
    sitting = Sitting(tables, "corporation", ("Anna", "Ben", "Cleo"), target=10)
    for number, cards in enumerate(((5, 5, 3), (10, 10, 1), (7, 1, 3))):
        for seat, card in enumerate(cards):
            if tables.view(sitting.id, sitting.tokens[0]).over:
                break
            time[0] += (number == 1 and seat == 0) * (3 * 86400 + 2 * 3600)
            sitting.play(seat, f"card {card}")
    return sitting


def test_the_ticket_says_how_long_it_took_and_the_bar_since_when(tables: Tables, time: list[int]) -> None:
    sitting = three_at_corporation(tables, time)
    time[0] += 45 * 60
    html, _, json, _ = sitting.served(SPECTATOR)
    assert "<p>Everything is face up now. 6 moves, 3 days, 2 hours.</p>" in html
    assert "over for 45 minutes</p>" in html
    assert json["ended"] - json["began"] == 3 * 86400 + 2 * 3600


# Once more


def coming(html: str) -> dict[str, str]:
    """Players who come to the next table."""
    panel = html[html.index("Play again") : html.index("Verify the shuffle")]
    return {name: re.sub("<svg.*?</svg>", "", said) for name, said in re.findall(r"</svg>(\w+)<em>(.*?)</em>", panel)}


def test_who_is_in_is_who_has_the_next_table_open(tables: Tables, time: list[int]) -> None:
    sitting = three_at_corporation(tables, time)
    time[0] += HERE_SECONDS
    assert coming(sitting.served(0)[0]) == {"Ben": "away", "Cleo": "away"}
    tables.pulse([sitting.id], sitting.tokens[2])
    assert coming(sitting.served(0)[0]) == {"Ben": "away", "Cleo": "here"}
    again = tables.rematch(sitting.id, sitting.tokens[1])
    for viewer in (0, SPECTATOR):
        assert coming(sitting.served(viewer)[0])["Ben"] == "is in"
        assert coming(sitting.served(viewer)[0])["Cleo"] == "asked"
    tables.pulse([again], sitting.tokens[2])
    assert coming(sitting.served(0)[0]) == {"Ben": "is in", "Cleo": "is in"}
    assert sitting.served(0)[2]["next_in"] == [1, 2]
    time[0] += HERE_SECONDS
    tables.pulse([sitting.id], sitting.tokens[2])
    assert coming(sitting.served(0)[0]) == {"Ben": "asked", "Cleo": "asked"}


def test_what_belongs_to_one_chair_changes_nobody_elses_page_of_the_end(tables: Tables, time: list[int]) -> None:
    sitting = three_at_corporation(tables, time)
    tables.rematch(sitting.id, sitting.tokens[1])
    before = [sitting.served(viewer) for viewer in (0, 2, SPECTATOR)]
    tables.note(sitting.id, sitting.tokens[1], "Cleo never keeps her word")
    assert [sitting.served(viewer) for viewer in (0, 2, SPECTATOR)] == before
    assert "Cleo never keeps her word" in sitting.served(1)[0]


def lobby_of(view: TableView) -> dict[str, str]:
    """The fields of the lobby that the link from an ended table leads to."""
    address = re.search(r'href="(/new\?[^"]*)" data-key="again"', render_table(view))
    assert address
    return dict(parse_qsl(urlsplit(address[1].replace("&amp;", "&")).query))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_other_options_begin_with_those_of_this_table(game: Game) -> None:
    """Every value of every house rule reaches the lobby and comes back as the same option."""
    people = players(game)
    for name in set(game.options.model_fields) - game.options.simulation_only:
        for value in game.options.choices(name) or facts_of(game).values.get(name, [12])[-1:]:
            if not game.options.applies(name, len(people)) or name in ("first_player", "owner"):
                continue
            given = {name: value} if name != "factions" else {name: "raid"}
            if name == "pick_order":
                given["gate"] = "none"
            match = Match.new(game, people, given, 1)
            fields = dict(parse_qsl(once_more(table_view(match, 1))))
            context = lobby_context(game, GAMES, fields)
            assert context["game"] == game
            assert context["count"] == len(people)


def test_title_and_chairs_go_along_ones_own_first(tables: Tables, time: list[int]) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("bot", "Lena", bot="search:50"), ChairRequest("friend")]
    table = tables.create("anna", "corporation", chairs, {"target": 10}, "Money & more")
    invite = tables.view(table, "anna").chairs[2].invite
    tables.looker.close()
    tables.sit(table, "cleo", invite, "Cleo")
    with tables.lives.write(table) as change:
        for cards in ((7, 5, 10), (5, 7, 10)):
            for seat, card in enumerate(cards):
                if not change.match.over:
                    move = change.match.play(seat, f"card {card}")
                    change.append("move", seat, move.actions, move.text, f"{seat} {cards}")
    mine, theirs = lobby_of(tables.view(table, "anna")), lobby_of(tables.view(table, "cleo"))
    assert mine["title"] == "Money & more"
    assert [mine[f"chair{number}"] for number in (1, 2)] == ["bot:search:50", "friend"]
    assert [theirs[f"chair{number}"] for number in (1, 2)] == ["friend", "bot:search:50"]
    game = find_game("corporation")
    assert [(chair.kind, chair.bot) for chair in chairs_wanted(game, mine)][1:] == [
        ("bot", "search:50"),
        ("friend", ""),
    ]
    assert options_wanted(game, mine) == {"target": 10}


def test_the_page_of_a_match_stopped_unfinished_has_a_ranking_too() -> None:
    match = Match.new("corporation", ["Anna", "Ben", "Cleo"], {"max_rounds": 2}, 1)
    for card in ("card 1", "card 3"):
        for seat in range(3):
            match.play(seat, card)
    assert match.over
    assert "Stopped unfinished" in render_table(table_view(match, 0))
    assert "The table" in render_text(table_view(match, 0))
