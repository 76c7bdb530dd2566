"""Pages without a browser: what reaches a page, the lobby's form, the rulebook, the move in preparation."""

import html as markup
import random
import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backroom.engine.game import Game, Refusal, find_game, installed_games
from backroom.engine.match import Match, _packed
from backroom.engine.notation import move_text, pieces, play_on_view
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.rng import generator
from backroom.engine.view import determinize
from backroom.scenes.default import DefaultTable
from backroom.scenes.draft import Draft
from backroom.tables.live import standing
from backroom.tables.views import Plan, TableView
from backroom.text.examples import read_blocks
from backroom.text.rulebook import passages
from backroom.web import rulebook, table_page
from backroom.web.asked import one_of_each
from backroom.web.drawing import draw, environment, game_fragments
from backroom.web.lobby import chairs_wanted, lobby_context, options_wanted
from backroom.web.page_check import offered, table_view
from backroom.web.table_page import render_table, render_text, table_module
from toys.bazaar import GAME as BAZAAR

WHOLE = installed_games()
GAMES = [*WHOLE, BAZAAR]
"""All that are installed, and a toy that brings no page of its own."""
pytestmark = pytest.mark.usefixtures("bazaar")
PLAYERS = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Ida", "Jon"]


def players(game: Game) -> list[str]:
    count = min(max(4, game.seats.start), game.seats.stop - 1)
    return PLAYERS[:count]


def random_match(
    game: Game, seed: int, moves: int, options: Mapping[str, Any] | None = None, seats: int | None = None
) -> Match:
    """A match with some random moves made (fewer, if it ends before)."""
    match = Match.new(game, PLAYERS[:seats] if seats else players(game), options, seed)
    random = generator(seed)
    for _ in range(moves):
        if match.over:
            break
        seat = match.acting[int(random[0]) % len(match.acting)]
        actions: list[int] = []
        view = match.view(seat)
        while True:
            legal = game.legal(view, seat).tolist()
            random[0] = (int(random[0]) * 6364136223846793005 + 1442695040888963407) % 2**62
            actions.append(legal[int(random[0]) // 2**20 % len(legal)])
            after = game.state.copy(view)
            game.kernels["apply"](after, seat, actions[-1], game.events.new_log(recording=False))
            view = after
            if not int(view.midmove) >> seat & 1:
                break
        match.play_actions(seat, actions)
    return match


def with_state(match: Match, state: Any) -> Match:
    """The same match, with another position at its end."""
    twin = Match.from_json(match.to_json())
    twin.state = state
    twin._states[-1] = _packed(state)
    return twin


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_twin_positions_give_the_same_page_byte_for_byte(game: Game) -> None:
    """A page is made from a view: what its reader may not know does not change a byte of it."""
    different = 0
    for seed in (0, 3, 5):
        match = random_match(game, seed, 4 + 5 * seed)
        if match.over:
            continue
        for viewer in [*range(len(match.names)), SPECTATOR]:
            seat = None if viewer == SPECTATOR else viewer
            imagined = determinize(game, match.view(viewer), viewer, generator(100 + seed))
            imagined.chance_key[:] = match.state.chance_key
            twin = with_state(match, imagined)
            different += twin.state.tobytes() != match.state.tobytes()
            assert standing(match) == standing(twin), "the list of tables"
            mine, theirs = table_view(match, seat), table_view(twin, seat)
            assert render_table(mine) == render_table(theirs)
            assert render_text(mine) == render_text(theirs)
            texts = sorted(offered(render_table(mine)))[:2] if viewer in match.acting else [""]
            for text in texts:
                assert render_table(mine, text) == render_table(theirs, text)
            assert (mine.can_prepare, mine.no_plan) == (theirs.can_prepare, theirs.no_plan)
            for text in ("", "zzz") if mine.can_prepare else ():
                assert render_table(mine, text, "", True) == render_table(theirs, text, "", True)
                assert render_text(mine, text, True) == render_text(theirs, text, True)
    assert different or game.name == "corporation" or not match.moves, "no twin differed, so nothing was tested"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_was_drawn_for_others_does_not_change_a_byte_of_a_page(game: Game) -> None:
    """Fragments of pages and lines of the log are kept for whoever may see the same, and reach nobody else."""
    for seed, moves in ((1, 9), (2, 21)):
        viewers = [*range(len(random_match(game, seed, 0).names)), None]

        def page(match: Match, seat: int | None) -> str:
            return render_table(table_view(match, seat)) + render_text(table_view(match, seat))

        alone = []
        for seat in viewers:
            for kept in [*environment().globals.values(), *game_fragments(game).values()]:
                getattr(kept, "cache_clear", lambda: None)()
            alone.append(page(random_match(game, seed, moves), seat))
        shared = random_match(game, seed, moves)
        shared.lines(ALL_KNOWING)
        assert [page(shared, seat) for seat in reversed(viewers)] == alone[::-1]
        assert [page(shared, seat) for seat in viewers] == alone


class Closed:
    """In place of a record: nothing can be read from it."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a template reads {name} from a record")

    __getitem__ = __getattr__


def handed(it: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Everything in what a template is given, with the way there; of a view and a draft not the records."""
    yield path, it
    if isinstance(it, Mapping):
        within = list(it.items())
    elif is_dataclass(it) and not isinstance(it, Game):
        within = [(field.name, getattr(it, field.name)) for field in fields(it)]
    else:
        within = list(enumerate(it)) if isinstance(it, list | tuple | set) else []
    for name, value in within:
        if not (isinstance(it, TableView) and name in ("record", "ahead")):
            yield from handed(value, f"{path}.{name}")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_templates_are_given_plain_values_and_read_no_record(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of NumPy's is among what a scene and a page hold, and neither page reads the view's record."""

    def drawn(template: str, context: Mapping[str, Any]) -> str:
        for path, value in handed(context, template):
            assert not isinstance(value, np.generic | np.ndarray), f"{path} is {value!r}"
        shut = dict(context)
        shut["table"] = replace(context["table"], record=Closed(), ahead=Closed())
        draft = copy(context["draft"])
        draft.view = draft.now = Closed()
        # What a click leads to is asked of the draft, which reads its own record.
        for name in ("click", "settle", "names_thing", "begins"):
            setattr(draft, name, getattr(context["draft"], name))
        return draw(template, shut | {"draft": draft})

    monkeypatch.setattr(table_page, "draw", drawn)
    for seed, moves in ((2, 22), (3, 400)):
        match = random_match(game, seed, moves)
        for seat in [*(match.acting or [0]), None]:
            view = table_view(match, seat)
            texts = sorted(offered(render_table(view)))[:2]
            for text in [None, *texts] if view.your_turn else [None]:
                render_table(view, text)
                render_text(view, text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pages_of_a_match_can_be_drawn_at_every_step(game: Game) -> None:
    """Every seat's page, whatever is clicked first, and a spectator's; every option that is offered can be chosen."""
    for seed in range(3):
        match = random_match(game, seed, 0)
        for step in range(14):
            if match.over:
                break
            match = random_match(game, seed, step)
            for seat in [*range(len(match.names)), None]:
                view = table_view(match, seat)
                page = render_table(view)
                assert not re.search(r'(?<![-\w])style="|<script>|<style', page)
                assert len(re.findall(r'data-key="([^"]+)"', page)) == len(set(re.findall(r'data-key="([^"]+)"', page)))
                assert ("<title>Your turn" in page) is view.your_turn
                if view.your_turn:
                    assert offered(page), "nothing can be clicked"
                    for text in sorted(offered(page))[step % 3 :: 7]:
                        assert "data-page" in render_table(view, text)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_whatever_is_clicked_leads_to_a_legal_move(game: Game) -> None:
    """Clicks at random: each text is read as it stands, goes on or is whole, and a whole one is a move."""
    source, wholes = random.Random(31), 0
    for seed, seats in enumerate(2 * [*game.seats][:4]):
        match = random_match(game, seed, source.randrange(40), seats=seats)
        for seat in match.acting[:1]:
            view, text = table_view(match, seat), ""
            for _ in range(6):
                html = render_table(view, text)
                keys = re.findall(r'data-key="([^"]+)"', html)
                assert len(keys) == len(set(keys))
                texts = sorted(offered(html) - {text})
                if text and not texts:
                    assert len(game.legal(view.record, seat)) == 1, "nothing else can be clicked"
                    break
                assert texts, "nothing can be clicked"
                for each in source.sample(texts, min(8, len(texts))):
                    draft = Draft(game, view.record, seat, match.names, each)
                    assert draft.text.startswith(each), "it goes on from what was clicked"
                    assert draft.actions is not None or draft.tokens or draft.problem, each
                    if draft.actions is not None:
                        wholes += 1
                        assert list(draft.actions) == game.notation.parse_move(
                            game, view.record, seat, each, match.names
                        )
                    elif draft.problem is not None:
                        missing = table_module(game).scene(view.record, seat, match.names, draft).missing
                        assert missing, f"{each!r} is offered, but refused: {draft.problem}"
                text = source.choice(texts)
    assert wholes


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_earlier_position_can_be_looked_at_and_offers_no_move(game: Game) -> None:
    """By every seat and by a watcher, while it goes on (where the rules allow it) and when it is over."""
    for seed, moves in ((1, 25), (2, 400)):
        match = random_match(game, seed, moves)
        if match.keeps_back():
            continue
        for viewer in [*range(len(match.names)), SPECTATOR]:
            seat = None if viewer == SPECTATOR else viewer
            for move in range(0, match.ply, 1 + match.ply // 12):
                pages = [render_table(table_view(match, seat, move, whole)) for whole in (True, False)]
                for html in pages:
                    assert f"After move {move} of {match.ply}." in html
                    assert 'id="deed"' not in html
                    assert f'data-replay="move={move}{f"&amp;seat={viewer}" if match.over else ""}"' in html
                    assert ("No chair, no cards" in html) == (seat is None)
                    assert ("Whose chair" in html) == bool(match.over)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_log_of_a_replay_has_the_viewer_of_its_position(game: Game) -> None:
    """As a chair saw it the log, too, tells what that chair could know; with everything shown it tells everything."""
    match, told = random_match(game, 2, 400), 0
    for viewer in [*range(len(match.names)), SPECTATOR]:
        seat = None if viewer == SPECTATOR else viewer
        for move in range(0, match.ply, 1 + match.ply // 4):
            seen, known = (table_view(match, seat, move, whole) for whole in (False, True))
            for view, knows in ((seen, viewer), (known, ALL_KNOWING)) if match.over else ((seen, viewer),):
                lines = [line.event for _, line in (*view.lines, *view.later)]
                assert lines == [event.seen_by(knows) for event in lines]
                assert view.lines == tuple(pair for pair in match.lines(knows) if pair[0] <= move)
            told += seen.lines != known.lines
    assert told or not match.over or game.name in ("corporation", "dark_sources", BAZAAR.name)


@pytest.mark.parametrize("game", WHOLE, ids=lambda game: game.name)
def test_who_reads_the_log_is_you_in_it(game: Game) -> None:
    """In every game, with the verb and the possessive that belong to it; nobody else is called that."""
    match, yours = random_match(game, 3, 400), 0
    for viewer in [*range(len(match.names)), SPECTATOR]:
        for _, line in match.lines(viewer):
            called = {part.key: part.words for part in line.parts if not isinstance(part, str) and part.kind == "seat"}
            for seat, words in called.items():
                assert (words.lower() in ("you", "your")) == (int(seat) == viewer), line.text
            assert not re.search(r"\b[Yy]ou('s| \w+s\b(?<!was)(?<!has)) |[<>]", line.text), line.text
            first = line.parts[0]
            assert isinstance(first, str) or first.words[:1].isupper(), line.text
            yours += str(viewer) in called
    assert yours


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_log_has_an_entry_a_deed_with_what_came_of_it_under_it(game: Game) -> None:
    match, under = random_match(game, 4, 120), 0
    view = table_view(match, 0)
    log = render_table(view).split('class="log"')[1].split("</ol>")[0]
    entries = re.findall(r'<li data-key="line-(\d+)" data-move="(\d+)"', log)
    assert entries
    begins = {int(number) for number, _ in entries}
    for number, (move, line) in enumerate(view.lines, 1):
        first = number == 1 or view.lines[number - 2][0] != move
        if number >= min(begins):
            assert (number in begins) == (first or not line.follows)
            under += number not in begins
    assert under == sum(text.count('class="why"') for text in re.findall(r'class="came">(.*?)</li>', log, re.S))
    assert under or game.name in ("dark_sources", BAZAAR.name)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_seats_look_alike_all_over_a_table(game: Game) -> None:
    """Where seats are told apart by colour all marks are coloured, log and talk too; elsewhere none is."""
    match = random_match(game, 3, 9)
    view = table_view(match, 0)
    draft = Draft(game, view.record, 0, match.names)
    coloured = table_module(game).scene(view.record, 0, match.names, draft).coloured
    main = re.search(r'<main class="([^"]+)"', render_table(view))
    assert main is not None
    assert ("mono-seats" in main[1].split()) != coloured


def test_no_stop_stands_alone_on_a_line() -> None:
    """The mark after a drawing is not parted from it, and nothing of the line is lost or said twice."""
    for game in WHOLE:
        match = random_match(game, 3, 60)
        html = render_table(table_view(match, 0))
        told = html.split('class="log"')[1].split("</ol>")[0]
        held = re.sub(r'<span class="nobr">.{0,200}?</svg></span>[.,:;!?]</span>', "", told)
        assert not re.search(r"</svg></span>[.,:;!?]", held), game.name
        seen = re.sub("<svg.*?</svg>", "X", told, flags=re.S)
        drawn = [
            markup.unescape(re.sub("<[^>]+>", "", text)) for text in re.findall("<li data-key.*?</li>", seen, re.S)
        ]
        assert drawn
        assert not [text for text in drawn if re.search(r"[,:;]{2}| [.,;]|\.\.(?!\.)", text)], drawn


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_typed_move_that_cannot_be_read_greys_nothing(game: Game) -> None:
    for moves in (0, 7, 30):
        match = random_match(game, 6, moves)
        for seat in match.acting[:2]:
            view = table_view(match, seat)
            free = offered(render_table(view, ""))
            for text in ("xyzzy", "7 7 7"):
                assert free <= offered(render_table(view, text)), f"{game.name}: {text!r} takes clicks away"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_draft_keeps_the_words_it_is_made_of(game: Game) -> None:
    """A move that is whole is spelled to its end; in any other text those words are found that a move has."""
    for seed in range(3):
        match = random_match(game, seed, 5 * seed)
        for seat in match.acting[:1]:
            view = match.view(seat)
            for action in game.legal(view, seat).tolist()[::7][:8]:
                tokens = game.notation.move_tokens(view, seat, action, match.names)
                text = Draft.joined(tokens)
                draft = Draft(game, view, seat, match.names, text)
                assert draft.spelled[: len(tokens)] == tokens
                assert pieces(Draft.joined(draft.spelled)) == pieces(draft.text)
                kept = Draft(game, view, (seat + 1) % len(match.names), match.names, kept=text, kept_words=tokens)
                assert kept.acting or (kept.text, kept.spelled) == (text, tokens)
                strewn = Draft(game, view, seat, match.names, f"zzz {text} zzz")
                assert set(tokens) <= {*strewn.spelled, *strewn.tokens}
                assert all(token.text != "zzz" for token in strewn.spelled)


def test_cards_are_picked_in_any_order() -> None:
    """Of a swap the other's card may be named first, which is no beginning of a move."""
    match = Match.new(find_game("dark_sources"), PLAYERS[:3], seed=1)
    for seat in range(3):
        match.play_actions(seat, [int(match.game.legal(match.view(seat), seat)[0])])
    seat = match.acting[0]
    foreign = next(
        token
        for action in match.game.legal(match.view(seat), seat).tolist()
        for token in match.game.notation.move_tokens(match.view(seat), seat, action, match.names)[2:]
    )
    draft = Draft(match.game, match.view(seat), seat, match.names, f"swap {foreign.text}")
    assert draft.problem is not None
    assert [token.key for token in draft.spelled] == ["swap", foreign.key]


def half_typed(game: Game, view: Any, seat: int, names: list[str], source: random.Random) -> str:
    """What stands in the box while a move is typed: cut off anywhere, shortened, shouted, or of another kind."""
    actions = [source.choice(game.legal(view, seat).tolist())]
    state = play_on_view(game, view, seat, actions[0])
    while int(state.midmove) >> seat & 1 and len(game.legal(state, seat)):
        actions.append(source.choice(game.legal(state, seat).tolist()))
        state = play_on_view(game, state, seat, actions[-1])
    text = move_text(game, view, seat, actions, names)
    words = text.split()
    return source.choice(
        [
            text[: source.randrange(len(text) + 1)],
            " ".join(words[: source.randrange(len(words) + 1)]),
            " ".join(word[: source.randrange(1, len(word) + 1)] for word in words),
            " ".join(source.choice([word, word[:1], "zzz", "x\u00b2", ">", "x99999999999999999999"]) for word in words),
            f"{text} {words[-1]}",
            text.upper(),
            source.choice(["give", "give zz", "match", "decline", "lose", "play", "t", "swap", "card", "> ", "say"]),
        ]
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_whatever_is_typed_can_be_drawn(game: Game) -> None:
    """A move in preparation is kept for its seat: one that could not be drawn would lock it out of its own table."""
    source, questions = random.Random(17), set()
    for seed in range(8):
        match = random_match(game, seed, source.randrange(40))
        for seat in match.acting:
            view = table_view(match, seat)
            questions.add(view.question)
            for _ in range(8):
                text = half_typed(game, match.view(seat), seat, match.names, source)
                html = render_table(view, text)
                assert "data-page" in html
                assert "data-page" in render_text(view, text)
                draft = Draft(game, view.record, view.viewer, match.names, text)
                assert markup.escape(draft.text) in html
    assert questions


@pytest.mark.parametrize("game", [game for game in GAMES if game.looks_ahead], ids=lambda game: game.name)
def test_a_move_can_be_prepared_at_every_step_and_is_shown_whatever_follows(game: Game) -> None:
    """It is drawn hollow on the page of who waits, and as a move is made, without the lamp; half typed or whole."""
    source, options, drawn = random.Random(23), {"memory": "notes"} if game.name == "dark_sources" else {}, 0
    for seed in range(6):
        match = random_match(game, seed, source.randrange(30), options)
        later = random_match(game, seed, match.ply + source.randrange(1, 4), options)
        for seat in range(len(match.names)):
            view = table_view(match, seat)
            if not view.can_prepare:
                continue
            drawn += 1
            texts = [half_typed(game, view.ahead, seat, match.names, source) for _ in range(4)]
            pages = [render_table(view, text, "", True) for text in ["", *texts]]
            offered = set(re.findall(r'name="draft"[^>]*? value="([^"]+)"', pages[0]))
            assert offered, "nothing can be clicked"
            for page in [*pages, *(render_table(view, markup.unescape(text), "", True) for text in offered)]:
                assert 'data-prepare="1"' in page
                assert f'action="/t/{view.table}/plan"' in page
                assert f'action="/t/{view.table}/move"' not in page
                assert "<title>Your turn" not in page
                assert "lamp-on" not in page
            assert all("data-page" in render_text(view, text, True) for text in texts)
            whole = (Draft(game, view.ahead, seat, match.names, markup.unescape(text)) for text in sorted(offered))
            text, sentence = next(((it.text, it.sentence) for it in whole if it.actions is not None), ("zzz", ""))
            for then in (match, later):
                kept = replace(table_view(then, seat), plan=Plan(text, "same", sentence))
                assert then.over or f"Prepared: {markup.escape(text)}" in render_table(kept)
                assert then.over or f"<code>{markup.escape(text)}</code>" in render_text(kept)
                assert not kept.can_prepare or "data-prepare" in render_table(kept, None, "", True)
    assert drawn > 4


@pytest.mark.parametrize("text", ["", " zzz", " s x\u00b2", " hackers + zz", " scientists x99999999999", " +"])
def test_cards_picked_in_any_order_may_be_nonsense(text: str) -> None:
    loss = "SRDMH | A:MSS/8 B:DD/9 C:RR/7 | table MMMM | active B | ask A mafia"
    for position in (LIMIT, loss):
        assert len(page(position, f"discard{text}")) < 200_000


def test_a_text_that_cannot_be_read_is_not_said_to_be_some_move() -> None:
    turn = "SRDMH | A:RRDDDMMSSH/8 B:SSR/3 | mkt SSMH | active A"
    for text in ("t", "pl", "dance", "match", "discard s", "take zzz", "play hackers x1 > zoe"):
        say = re.search(r'<p class="say"[^>]*>(.*?)<span', page(turn, text))
        assert say, text
        assert markup.unescape(say[1]) == text
    for typed, said in (("TAKE S X1", "Take 1 scientist"), ("play HACKERS x1 > BEN", "Hand ben 1 hacker")):
        assert said in page(turn, typed), typed


def test_an_ended_match_shows_all_hands_and_the_seed() -> None:
    game, state, names = catham("SRDMH | A:SSM/11 B:DDD/16 | over B")
    match = Match.new(game, list(names), {}, 1)
    before = render_table(table_view(match, 0))
    assert match.seed.hex() not in before
    html = render_table(table_view(with_state(match, state), None))
    assert match.seed.hex() in html
    assert html.count('class="openhand"') == 2
    assert "ben wins with 16" in html
    assert "The seed fits the promise" in html
    assert 'id="deed"' not in html


# The move in preparation


def catham(position: str) -> tuple[Game, Any, tuple[str, ...]]:
    game = find_game("catham")
    state, names = game.notation.parse_position(game, position)
    return game, state, names


TURN = "SRDMH | A:DDDMMSSHR/8 B:SSRRDDM/10 C:SRDMMH/6 | mkt RRRSSMH | turn A"


def draft(text: str, position: str = TURN, seat: int = 0) -> Draft:
    game, state, names = catham(position)
    return Draft(game, game.state.view(state, seat), seat, names, text)


@pytest.mark.parametrize(
    ("text", "kind", "key", "starts", "after"),
    [
        ("", "card", "D", ("play detectives",), "play detectives"),
        ("play detectives", "card", "M", (), "play detectives + mafia"),
        ("play detectives + mafia", "card", "S", (), "play detectives + scientists"),
        ("play detectives + mafia", "card", "M", (), "play detectives"),
        ("", "card", "H", ("play hackers",), "play hackers x1"),
        ("play hackers x1", "seat", "2", (), "play hackers x1 > cleo"),
        ("play hackers x1 > cleo", "seat", "1", (), "play hackers x1 > ben"),
        ("take robocats", "card", "R", (), "take robocats x1"),
        ("take robocats x2", "card", "R", (), "take robocats"),
        ("take robocats", "card", "S", (), "take scientists"),
        ("take robocats", "card", "J", ("play journalists",), ""),
        ("", "card", "S", ("play scientists",), ""),
    ],
)
def test_a_click_gives_another_text(text: str, kind: str, key: str, starts: tuple[str, ...], after: str) -> None:
    assert draft(text).click(kind, key, *starts) == after


def test_a_draft_takes_what_a_person_types_and_says_what_is_wrong() -> None:
    typed = draft("play det + maf")
    assert (typed.text, typed.problem) == ("play detectives + mafia", None)
    assert "11" in typed.sentence
    assert draft("take rob x9").problem == ("E_MARKET", "the market has 3 robocats, not 9 robocats")
    assert draft("take dogs").problem[0] == "E_FACTION"  # type: ignore[index]
    unfinished = draft("play hackers")
    assert unfinished.actions is None
    assert unfinished.problem is None
    assert [token.text for token in unfinished.tokens] == ["x1"]
    assert draft("take robocats", seat=1).text == "", "nothing is asked of this seat"


def clicks(html: str, key: str) -> str:
    found = re.search(rf'<button[^>]*data-key="{key}"[^>]*>', html)
    assert found, key
    value = re.search(r'value="([^"]*)"', found[0])
    return value[1].replace("&gt;", ">") if value else ""


def page(position: str, text: str | None = None, seat: int = 0) -> str:
    game, state, names = catham(position)
    match = Match.new(game, list(names), {}, 1)
    return render_table(table_view(with_state(match, state), seat), text)


LIMIT = "SRDMH | A:RRRRDDDMMSSH/8 B:SSR/3 | mkt SSMH | active A | ask A limit"


def test_cards_over_the_limit_are_picked_in_any_order_and_never_too_many() -> None:
    text = clicks(page(LIMIT), "hand-H-0")
    assert text == "discard hackers"
    html = page(LIMIT, text)
    assert "1 more card to choose" in html
    assert "E_COUNT" not in html
    text = clicks(html, "hand-D-2")
    assert text == "discard detectives hackers"
    assert "reads well" in page(LIMIT, text)
    assert clicks(page(LIMIT, text), "hand-R-0") == "discard robocats hackers"
    assert clicks(page(LIMIT, text), "hand-D-0") == "discard hackers"


def test_players_are_clicked_as_targets() -> None:
    html = page(TURN, "play hackers x1")
    assert clicks(html, "aim-1") == "play hackers x1 > ben"
    html = page(TURN, "play hackers x1 > ben")
    assert 'data-key="aim-1" aria-pressed="true"' in html
    assert clicks(html, "aim-2") == "play hackers x1 > cleo"
    assert "aim-" not in page(TURN, "take robocats")


def test_the_options_list_every_kind_of_move_with_its_effect_or_the_reason() -> None:
    html = page(TURN)
    options = re.findall(r'class="opt( no)?[^"]*".*?<b>(.*?)</b><small>(.*?)</small>', html)
    assert [(bool(no), title) for no, title, _ in options[:5]] == [
        (False, "Detectives"), (False, "Hackers"), (True, "Scientists"), (True, "Mafia"), (True, "Robocats"),
    ]  # fmt: skip
    assert options[2][2] == "need 3, you hold 2"
    assert len([title for _, title, _ in options if title != "On another device"]) == 9
    assert 'data-key="type">Text mode</a>' in html
    assert "3: discard 2" in html


@pytest.mark.parametrize(
    ("position", "heading", "instead"),
    [
        ("JDOSR | A:SSO/8 B:DD/9 C:OO/7 | table JJ | active B | ask A gift", "ben asks you", "Decline"),
        ("SRDMH | A:MS/8 B:DD/9 C:RR/7 | table DDDM | active B | extra M | ask A match", "ben asks you", "Decline"),
        ("SRDMH | A:MSS/8 B:DD/9 C:RR/7 | table MMMM | active B | ask A mafia", "ben leans on you", "Lose the point"),
    ],
)
def test_a_question_is_drawn_for_who_is_asked_and_for_nobody_else(position: str, heading: str, instead: str) -> None:
    asked = page(position)
    assert f"<h2>{heading}</h2>" in asked
    assert f"{instead}</button>" in asked
    assert 'class="ask"' in asked
    for seat in (1, 2):
        other = page(position, seat=seat)
        assert 'class="ask"' not in other
        assert 'id="deed"' not in other
        assert "anna is thinking" in other


# The lobby


def test_the_lobbys_form_comes_back_as_it_was_sent_and_makes_options() -> None:
    game = find_game("catham")
    sent = {
        "was": "catham", "game": "catham", "name": "Anna", "chairs": "3", "chair1": "friend", "chair2": "bot:random",
        "option.target": "7", "option.advanced": "yes", "option.hands": "flat7", "option.factions": "first",
    }  # fmt: skip
    assert options_wanted(game, sent) == {"target": 7, "advanced": True, "hands": "flat7"}
    assert [chair.kind for chair in chairs_wanted(game, sent)] == ["you", "friend", "bot"]
    context = lobby_context(game, GAMES, sent | {"more": "1"})
    assert context["count"] == 4
    assert context["changed"] == 3
    assert game.options.build(options_wanted(game, sent)).model_dump()["target"] == 7
    raid = lobby_context(game, GAMES, {"preset": "raid"})
    assert raid["picked"][0].value == "raid"
    assert [preset.name for preset in raid["presets"] if preset.active] == ["raid"]
    assert raid["changed"] == 0
    # The set stays marked while a rule of it is changed, and all rules can be as printed again.
    other = {"set": "raid", "pick.factions": "O D M P H", "option.target": "9"}
    assert (lobby_context(game, GAMES, other)["active"], lobby_context(game, GAMES, other)["changed"]) == ("raid", 2)
    printed = lobby_context(game, GAMES, other | {"printed": "1"})
    assert (printed["active"], printed["changed"], printed["picked"][0].value) == ("first", 0, "first")


def test_cards_are_picked_one_by_one_and_make_the_value_that_is_typed() -> None:
    game = find_game("catham")
    for picked, value in (
        ("S R D M H", {}), ("J D M P H", {"factions": "raid"}), ("J O R P H", {"factions": "JORPH"}),
        ("random", {"factions": "random"}), ("J D random", {"factions": "random"}),
    ):  # fmt: skip
        sent = one_of_each([("pick.factions", ""), *(("pick.factions", key) for key in picked.split())])
        assert options_wanted(game, sent) == value
        on = [pick.key for pick in lobby_context(game, GAMES, sent)["picked"][0].picks if pick.on]
        assert sorted(on) == sorted(picked.split()) or (on == ["random"] and "random" in picked)
    for picked in ("", "J", "J D O S R M"):
        with pytest.raises(Refusal, match="5 different factions"):
            game.options.build(options_wanted(game, {"pick.factions": picked}))
        html = draw(
            "lobby.html", lobby_context(game, GAMES, {"pick.factions": picked}) | {"create_id": "", "plain": False}
        )
        assert re.findall(r'value="(\w)" checked', html) == picked.split()


def test_options_that_can_have_no_effect_are_hidden() -> None:
    def shown(name: str, **sent: str) -> set[str]:
        context = lobby_context(find_game(name), GAMES, {key.replace("__", "."): value for key, value in sent.items()})
        return {switch.name for switch in context["usual"] + context["unclear"]}

    assert shown("corporation") - shown("corporation", option__talk="off") == {"talk_log", "talk_limit"}
    assert shown("catham", pick__factions="J O R P H") - shown("catham") == {
        "official_cards", "police_cards", "journalist_match",
    }  # fmt: skip
    assert "detective_extra" not in shown("catham", pick__factions="J O R P H")
    assert shown("medici", option__control="plurality") - shown("medici") == {"plurality_tie"}
    context = lobby_context(find_game("catham"), GAMES, {}) | {"create_id": "", "plain": False}
    assert "When time runs out" not in draw("lobby.html", context)
    assert "When time runs out" in draw("lobby.html", context | {"pace": 86400})


@pytest.mark.parametrize("game", WHOLE, ids=lambda game: game.name)
def test_the_lobby_tells_each_thing_once_with_its_rule(game: Game) -> None:
    for seats in game.seats:
        for preset in ["", *game.options.presets]:
            context = lobby_context(game, GAMES, {"chairs": str(seats), "preset": preset})
            for switch in [*context["picked"], *context["usual"], *context["unclear"]]:
                assert switch.rule, f"{game.name} {switch.name}: say with rule= which rule of the book it changes"
                assert not switch.help.casefold().startswith(f"{switch.title.casefold()}:"), switch.help
                said = f"{switch.title} {' '.join(word for _, word in switch.values)}".casefold()
                assert not switch.help or not set(re.findall(r"\w{4,}", switch.help.casefold())) <= set(said.split())
            html = draw("lobby.html", context | {"create_id": "", "plain": False})
            assert html.count("<h1") == 1
            assert html.count('aria-pressed="true"><span class="pic') == bool(game.options.presets)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_of_every_game_has_a_field_and_its_printed_value_is_accepted(game: Game) -> None:
    offered = set()
    for seats in game.seats:
        context = lobby_context(game, GAMES, {"chairs": str(seats)})
        switches = context["picked"] + context["usual"] + context["unclear"]
        offered |= {switch.name for switch in switches}
        for switch in switches:
            for value, _ in switch.values:
                other = {"chairs": str(seats), f"option.{switch.name}": value}
                found = lobby_context(game, GAMES, other)
                offered |= {one.name for one in found["usual"] + found["unclear"]}
        assert not any(switch.changed for switch in switches)
        sent = {"chairs": str(seats)} | {f"option.{switch.name}": switch.value for switch in switches}
        assert options_wanted(game, sent) == {}
        for switch in switches:
            for value, _ in switch.values:
                # What is paid last opens nothing: this needs another gate, and the lobby says so.
                if switch.kind == "choice" and (switch.name, value) != ("pick_order", "take-special-pay"):
                    game.options.build(options_wanted(game, sent | {f"option.{switch.name}": value}))
    decided = {"game"} if game.name == "medici" else set()
    assert offered == set(game.options.model_fields) - game.options.simulation_only - decided


# The rulebook


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_rule_that_the_log_links_to_is_in_the_rulebook(game: Game) -> None:
    anchors = {block.rule for block in rulebook.blocks(game)}
    for seed in range(3):
        match = random_match(game, seed, 30)
        linked = {line.rule for _, line in match.lines(SPECTATOR) if line.rule}
        assert linked <= anchors


@pytest.mark.parametrize("fence", ["```", "~~~", "~~~~", "> ~~~"])
def test_nothing_begins_in_a_fenced_block_of_a_rulebook(fence: str) -> None:
    mark = "> " if fence.startswith(">") else ""
    inside = ["# no heading", "C9 no rule", "``" if "~" in fence else "~~~"]
    text = ["# Rules", "", "C1 One.", "", fence, *(mark + line for line in inside), fence, "", "C2 Two."]
    found = passages("\n".join(text))
    assert [passage.rule for passage in found] == ["", "", "C1", "C2"]
    assert [line for passage in found for line in passage.lines] == text
    assert read_blocks(Path("a.md"), "\n".join(text)) == ["\n".join(inside) + "\n"]


def test_the_search_marks_words_and_keeps_markup_out() -> None:
    game = find_game("catham")
    found = rulebook.hits(game, "ten cards")
    assert any(hit.rule == "C3" for hit in found)
    assert all("<mark>" in hit.html for hit in found)
    assert rulebook.hits(game, "<script>") == []
    assert rulebook.hits(game, " ") == []


def test_an_unknown_game_has_no_page() -> None:
    from backroom.web.asked import offered

    with pytest.raises(Refusal, match="E_PAGE"):
        offered("chess")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_chair_is_told_what_it_means(game: Game) -> None:
    module = table_module(game)
    for seats in game.seats:
        assert all(module.place(game.options(), seats, chair) for chair in range(seats))


@pytest.mark.parametrize("hands", ["seats", "flat6", "flat8"])
def test_the_invitation_promises_the_cards_that_are_dealt(hands: str) -> None:
    game = find_game("catham")
    module = table_module(game)
    match = Match.new(game, ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn"], {"hands": hands}, 7)
    for seat in range(6):
        dealt = int(match.view(seat).hand[seat].sum())
        assert module.place(match.options, 6, seat).endswith(f", {dealt} cards")
    assert module.place(game.options(first_player="random"), 6, 1) == "who begins is drawn by lot"


def test_the_log_is_parted_after_the_own_move() -> None:
    match = random_match(find_game("catham"), 5, 9)
    parted = 0
    for seat in range(len(match.names)):
        view = table_view(match, seat)
        own = [move for move, line in view.lines if move and line.text.startswith("You ")]
        log = render_table(view).split('class="log"')[1].split("</ol>")[0]
        before, _, after = log.partition('class="since"')
        if own and own[-1] < match.ply and after:
            parted += 1
            assert all(int(move) > own[-1] for move in re.findall(r'data-move="(\d+)"', before))
            assert re.findall(r'data-move="(\d+)"', after)[0] == str(own[-1])
    assert parted
    assert 'class="since"' not in render_table(table_view(match, None))
    assert 'class="since"' not in render_table(table_view(random_match(find_game("catham"), 5, 0), 0))


@pytest.mark.parametrize("game", WHOLE, ids=lambda game: game.name)
def test_house_rules_lead_to_rules_of_the_book(game: Game) -> None:
    known = {block.rule for block in rulebook.blocks(game)}
    context = lobby_context(game, GAMES, {})
    linked = [switch.rule for switch in context["usual"] + context["unclear"] if switch.rule]
    assert linked
    assert known.issuperset(linked)


def test_a_page_that_cannot_be_used_gives_way_to_the_default_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every game is on the front page, so none may take it with it."""
    game = find_game("medici")
    module = table_module(game)
    monkeypatch.setattr(module, "BOX", ("Medici", "cloth"))
    found = table_module.__wrapped__(game)
    assert isinstance(found, DefaultTable)
    assert "the page of medici cannot be used" in caplog.text
    assert "BOX is ('Medici', 'cloth'), of type tuple; its type must be Box" in caplog.text
