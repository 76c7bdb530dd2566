"""Legal actions, ends, conservation, node counts, symmetry, and rules that examples reach."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations, takewhile
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from backroom.conformance.play import PLAYERS, Setting, bare, differing, positions, random_move, refusal_of
from backroom.engine import rng
from backroom.engine.events import Event
from backroom.engine.facts import Facts, Symmetry, facts_of
from backroom.engine.game import CAPPED, FINISHED, GOING, Game, seats_in
from backroom.engine.match import Match
from backroom.engine.notation import complete, move_text
from backroom.engine.record import ALL_KNOWING, SPECTATOR, Visibility
from backroom.engine.view import determinize
from backroom.text.examples import run_examples

RULE = r"[A-Z]{1,3}-?\d+[a-z]?"
RULE_HEAD = re.compile(rf"^(?:#+ |\W*\*\*)({RULE})\b", re.MULTILINE)
SUITE = Path(__file__).parents[1]
INSTALLED = ("site-packages", "dist-packages")


def check_examples(game: Game, settings: Sequence[Setting]) -> None:
    """The game's worked examples pass."""
    report = run_examples(game)
    failed = [f"{failure.id}: {line}" for failure in report.failed for line in failure.differences]
    assert not failed, "\n".join(failed)
    assert report.passed, "the game has no worked examples"


def check_facts_are_stated(game: Game, settings: Sequence[Setting]) -> None:
    """Conserved totals, node counts and printed defaults cannot be guessed: the game's author states them."""
    facts = facts_of(game)
    assert facts != Facts(), "write facts.py in the game's folder, with FACTS = Facts(...) of backroom.engine.facts"
    assert facts.conserved is not None, "the facts do not state what is conserved"
    assert facts.perft, "the facts pin no node counts of small positions (perft)"
    assert facts.defaults is not None, "the facts do not state the printed defaults"


def check_seat_counts(game: Game, settings: Sequence[Setting]) -> None:
    """Every number of seats sets up; one fewer and one more are refused, and so are bad names."""
    for count in game.seats:
        match = replace(settings[0], seats=count, options={}).match(game, 1)
        assert int(match.state.seats) == count, f"{count} players: the state has {int(match.state.seats)} seats"
        assert sorted(match.names) == sorted(PLAYERS[:count]), f"{PLAYERS[:count]} became {match.names}"
        assert match.acting, f"{count} players: nobody is to move at the opening"
    few, many = PLAYERS[: game.seats.start - 1], [f"p{i}" for i in range(game.seats.stop)]
    first = list(PLAYERS[: game.seats.start])
    for names in (few, many, [*first[:-1], first[0].upper()], [*first[:-1], "two\nlines"]):
        problem = refusal_of(partial(Match.new, game, names, seed=1))
        assert problem is not None, f"players {names} were accepted"
        assert problem.code == "E_SETUP", f"players {names} are refused with another code: {problem}"


NO_SEATS: tuple[Any, ...] = (
    -2, 25, 64, 10**30, -(10**30), True, np.True_, 0.0, -1.0, np.float64(1), np.int64(99), "0", "anna", [0], (),
)  # fmt: skip
"""What is no seat of any match; SPECTATOR is none either, but may look on."""


def check_only_seats_act(game: Game, settings: Sequence[Setting]) -> None:
    """Every door refuses a seat that does not exist with E_ACTOR, and nothing changes; NumPy's numbers are seats."""
    for seats in {game.seats.start, game.seats.stop - 1}:
        setting = replace(settings[0], seats=seats, options={})
        match = setting.match(game, 48)
        before, view = match.dumps(), match.view(0)
        text = move_text(game, view, match.acting[0], match.default_actions(match.acting[0]), match.names)
        words = rng.generator("nobody")
        for seat in (*NO_SEATS, None, ALL_KNOWING.value, seats, seats + 1):
            looking: dict[str, Callable[[], Any]] = {
                "view": partial(match.view, seat),
                "views": partial(_all_views, match, seat),
                "lines": partial(match.lines, seat),
                "record's view": partial(game.state.view, match.state, seat),
                "to_json": partial(game.state.to_json, match.state, seat),
                "to_tensor": partial(game.state.to_tensor, match.state, seat),
                "determinize": partial(determinize, game, view, seat, words),
            }
            _refuse_seat(seat, looking)
        for seat in (*NO_SEATS, None, SPECTATOR, seats, seats + 1):
            acting: dict[str, Callable[[], Any]] = {
                **{
                    f"play {said!r}": partial(match.play, seat, said)
                    for said in (text, "", "nonsense", *facts_of(game).phrases, "say hello", "ask anna 7")
                },
                "play_actions": partial(match.play_actions, seat, match.default_actions(match.acting[0])),
                "default_actions": partial(match.default_actions, seat),
                "still_asked": partial(match.still_asked, seat, 0),
                "legal": partial(game.legal, match.state, seat),
                "apply": partial(game.apply, match.state, seat, 0, game.events.new_log()),
                "ahead": partial(game.ahead, view, seat),
                "complete": partial(complete, game, view, seat, "", match.names),
            }
            _refuse_seat(seat, acting)
        assert match.dumps() == before, "a refused seat changed the match"
        assert match.view(0).tobytes() == view.tobytes(), "a refused seat changed the state"
        seat = match.acting[0]
        numbers: tuple[Any, ...] = (np.int8(seat), np.int64(seat), np.uint8(seat))
        for number in numbers:
            what = f"{number!r}, which is a seat,"
            assert match.default_actions(number) == match.default_actions(seat), f"{what} has another default"
            assert match.view(number).tobytes() == match.view(seat).tobytes(), f"{what} has another view"
            again = setting.match(game, 48)
            moved = again.play_actions(number, match.default_actions(seat)).seat
            assert type(moved) is int, f"{what} is recorded as {moved!r}"


def _all_views(match: Match, viewer: Any) -> list[Any]:
    return list(match.views(viewer))


def _refuse_seat(seat: Any, doors: Mapping[str, Callable[[], Any]]) -> None:
    for door, call in doors.items():
        problem = refusal_of(call)
        assert problem is not None, f"{door} takes {seat!r} as a seat"
        assert problem.code == "E_ACTOR", f"{door} with seat {seat!r}: {problem}"


def check_legal(game: Game, setting: Setting) -> None:
    """Legal actions are ascending, unique, in range, never empty while acting, and each applies to a sound state."""
    for match in positions(game, setting, number=41, count=12):
        for seat in range(int(match.state.seats)):
            _check_seat(game, match.state, seat, f"ply {match.ply}, seat {seat}", depth=2)


def _check_seat(game: Game, state: Any, seat: int, where: str, depth: int) -> None:
    legal = game.legal(state, seat).tolist()
    acting = bool(int(state.acting) >> seat & 1)
    assert bool(legal) == acting, f"{where}: acting is {acting}, but the legal actions are {legal}"
    assert legal == sorted(set(legal)), f"{where}: legal actions are not ascending and unique: {legal}"
    assert all(0 <= action < game.actions.count for action in legal), f"{where}: {legal} leaves the range"
    if not acting:
        return
    if depth == 2:
        assert game.kernels["default"](state, seat) in legal, f"{where}: the default is not legal"
    chosen = legal if depth == 2 else random.Random(len(legal)).sample(legal, min(3, len(legal)))
    for action in chosen:
        after, log = game.state.from_bytes(state.tobytes()), game.events.new_log()
        game.apply(after, seat, action, log)
        game.events.read(log)
        here = f"{where}, after action {action}"
        _check_header(game, state, after, seat, here)
        if depth and int(after.midmove) >> seat & 1:
            _check_seat(game, after, seat, here, depth - 1)


def check_ahead(game: Game, setting: Setting) -> None:
    """Looking ahead to a seat's turn changes nothing when that turn is the one asked now, and is sound before it.

    It gives the same on a view as on the state behind it, so nothing hidden comes through.
    """
    if not game.looks_ahead:
        return
    turns = waited = 0
    for match in positions(game, setting, number=49, count=12):
        for seat in range(int(match.state.seats)):
            where, view = f"ply {match.ply}, seat {seat}", match.view(seat)
            state = game.state.from_bytes(match.state.tobytes())
            found, behind = game.ahead(view, seat), game.ahead(state, seat)
            assert view.tobytes() == match.view(seat).tobytes(), f"{where}: looking ahead changed the view looked at"
            assert (found is None) == (behind is None), f"{where}: it depends on what the seat does not know"
            if found is None:
                continue
            assert differing(game, found, game.state.view(behind, seat)) == [], f"{where}: the state gives another view"
            asked = game.notation.question(found, seat)
            assert seats_in(int(found.acting)) == [seat], (
                f"{where}: {seats_in(int(found.acting))} are asked, not {seat}"
            )
            again = game.ahead(found, seat)
            assert again is not None, f"{where}: once it is its turn it cannot be told"
            assert differing(game, found, again) == [], f"{where}: twice is not the same as once"
            if match.state.acting >> seat & 1 and game.notation.question(view, seat) == asked:
                assert differing(game, found, view) == [], f"{where}: it changes {differing(game, found, view)}"
                turns += 1
            else:
                waited += 1
            imagined = determinize(game, found, seat, rng.generator("ahead", match.ply))
            _check_seat(game, imagined, seat, f"{where}, looking ahead", depth=2)
    assert turns, "no seat's own turn was seen"
    assert waited, "nobody who waits could look ahead"


def _check_header(game: Game, before: Any, after: Any, seat: int, where: str) -> None:
    acting, midmove, everybody = int(after.acting), int(after.midmove), (1 << int(after.seats)) - 1
    assert acting & ~everybody == 0, f"{where}: acting {acting:b} has seats that do not exist"
    assert midmove & ~acting == 0, f"{where}: midmove {midmove:b} has seats that are not acting ({acting:b})"
    changed = midmove ^ int(before.midmove)
    assert changed & ~(1 << seat) == 0, f"{where}: an action of seat {seat} put others into the middle of a move"
    assert int(after.over) in (GOING, FINISHED, CAPPED), f"{where}: over is {int(after.over)}, which means nothing"
    assert bool(acting) != bool(after.over), f"{where}: over is {int(after.over)} while acting is {acting:b}"
    assert (after.chance_key == before.chance_key).all(), f"{where}: the chance key changed"
    assert (after.chance_count >= before.chance_count).all(), f"{where}: a stream of chance went backwards"
    for name in ("seats", "rotation"):
        assert after[name] == before[name], f"{where}: {name} went from {before[name]} to {after[name]}"


def check_default_completes(game: Game, setting: Setting) -> None:
    """A seat that does not answer makes a whole legal move, and a game of nothing but defaults stays sound."""
    match = setting.match(game, 42)
    for _ in range(30):
        if match.over or any(len(game.legal(match.state, seat)) == 0 for seat in match.acting):
            return
        actions: list[int] = []
        state = game.state.from_bytes(match.state.tobytes())
        seat = match.acting[-1]
        while not actions or int(state.midmove) >> seat & 1:
            assert len(actions) < 200, f"ply {match.ply}: the defaults of seat {seat} never complete a move"
            actions.append(int(game.kernels["default"](state, seat)))
            game.apply(state, seat, actions[-1], game.events.new_log())
        match.play_actions(seat, actions)


def check_end(game: Game, setting: Setting) -> None:
    """Random games end, by the rules or by a program guard that says so, with places that make a ranking."""
    facts = facts_of(game)
    guarded = replace(setting, options=game.options.simulation_defaults(setting.seats) | dict(setting.options))
    ends = []
    for number in range(43, 46):
        match = guarded.match(game, number)
        source = guarded.source(number)
        state, log, moves = match.state, game.events.new_log(recording=False), 0
        while not state.over and moves < facts.longest:
            seat = source.choice(seats_in(int(state.acting)))
            actions = random_move(game, state, seat, source)
            if actions is None:
                return
            for action in actions:
                game.kernels["apply"](state, seat, action, log)
            moves += 1
        assert state.over, (
            f"a random game is not over after {moves} moves; options.simulation_defaults is the place for a guard, "
            "`longest` of the facts for a game that may be longer"
        )
        ends.append(int(state.over))
        scores, places = game.outcome(state)
        assert len(scores) == len(places) == setting.seats, f"scores {scores} and places {places}: one a seat is wanted"
        for place in places:
            ahead = sum(other < place for other in places)
            assert place == ahead + 1, f"places {places} are no ranking with shared places"
    if not setting.options:
        assert FINISHED in ends, "no random game ended by the rules; the guard for simulations is too tight"


def check_conserved(game: Game, setting: Setting) -> None:
    """The totals the facts name are the same at every ply, in the middle of moves too."""
    conserved = facts_of(game).conserved
    if conserved is None:
        return
    match = setting.match(game, 46)
    expected = conserved(match.state)
    source = setting.source(46)
    for _ in range(150):
        if match.over:
            return
        seat = source.choice(match.acting)
        actions = random_move(game, match.state, seat, source)
        if actions is None:
            return
        state = game.state.from_bytes(match.state.tobytes())
        for action in actions:
            game.kernels["apply"](state, seat, action, game.events.new_log())
            got = conserved(state)
            assert got == expected, f"ply {match.ply}, seat {seat}, actions {actions}: {expected} became {got}"
        match.play_actions(seat, actions)


def check_bounds(game: Game, setting: Setting) -> None:
    """What any viewer sees of any position is within the bounds that a learner scales by, within moves too."""
    least, most = game.tensor_bounds
    sizes = least.shape, most.shape, (game.state.tensor_size,)
    assert len(set(sizes)) == 1, f"least bounds, greatest bounds and numbers differ in how many there are: {sizes}"
    source = setting.source(50)
    for hinted in (False, True):
        match = setting.match(game, 50)
        for _ in range(100):
            if match.over:
                break
            seat = source.choice(match.acting)
            actions = random_move(game, match.state, seat, source, hinted)
            if actions is None:
                break
            state = game.state.from_bytes(match.state.tobytes())
            for action in actions:
                _check_bounds(game, state, f"ply {match.ply}")
                game.kernels["apply"](state, seat, action, game.events.new_log(recording=False))
            match.play_actions(seat, actions)
        _check_bounds(game, match.state, f"ply {match.ply}, the end")


def _check_bounds(game: Game, state: Any, where: str) -> None:
    least, most = game.tensor_bounds
    for viewer in (*range(int(state.seats)), SPECTATOR):
        numbers = game.state.to_tensor(state, viewer)
        outside = np.flatnonzero((numbers < least) | (numbers > most))
        assert not len(outside), f"{where}, viewer {viewer}: numbers {outside} are {numbers[outside]}"


def perft(game: Game, state: Any, depth: int) -> list[int]:
    """Nodes after 1, 2 ... ``depth`` actions; the lowest acting seat acts."""
    counts = [0] * depth
    if depth == 0 or state.over:
        return counts
    seat = seats_in(int(state.acting))[0]
    for action in game.legal(state, seat).tolist():
        counts[0] += 1
        if depth > 1:
            after = game.state.from_bytes(state.tobytes())
            game.kernels["apply"](after, seat, action, game.events.new_log(recording=False))
            for level, nodes in enumerate(perft(game, after, depth - 1), 1):
                counts[level] += nodes
    return counts


def check_perft(game: Game, settings: Sequence[Setting]) -> None:
    """Node counts below the pinned positions: any change of the rules shows as a number."""
    for case in facts_of(game).perft:
        state, _ = game.notation.parse_position(game, case.position)
        got = perft(game, state, len(case.counts))
        assert tuple(got) == case.counts, f"below {case.position} there are {got} nodes, not {list(case.counts)}"


def relabel(game: Game, symmetry: Symmetry, state: Any, new: tuple[int, ...]) -> Any:
    """The state with seat i called new[i]."""
    found = game.state.from_bytes(state.tobytes())
    n = len(new)
    for name, field in game.state.fields.items():
        value = np.array(state[name])
        if name in symmetry.numbers:
            moved = np.array([new[v] if 0 <= v < n else v for v in value.ravel().tolist()], value.dtype)
            found[name] = moved.reshape(value.shape)[()]
        if name in symmetry.sets | {"acting", "midmove"}:
            moved = np.array([sum(1 << new[seat] for seat in seats_in(int(v))) for v in value.ravel().tolist()])
            found[name] = moved.astype(value.dtype).reshape(value.shape)[()]
        if name in symmetry.rows or field.visibility is Visibility.OWNED:
            value = np.array(found[name])
            for seat in range(n):
                found[name][new[seat]] = value[seat]
    return found


def relabel_action(game: Game, symmetry: Symmetry, action: int, new: tuple[int, ...]) -> int:
    family = game.actions.family(action)
    indices = list(game.actions.indices(action))
    for place in symmetry.actions.get(family.name, ()):
        indices[place] = new[indices[place]]
    return family.first + (int(np.ravel_multi_index(indices, family.shape)) if family.shape else 0)


def check_seats_are_symmetric(game: Game, setting: Setting) -> None:
    """Relabel the seats of a position: legal actions, what an action does and the outcome are relabelled alike."""
    symmetry = facts_of(game).symmetry
    if symmetry is None:
        return
    n = setting.seats
    labels = [tuple((seat + turn) % n for seat in range(n)) for turn in range(1, n)]
    if symmetry.kind == "all":
        labels += random.Random(n).sample(list(permutations(range(n))), 3) if n < 8 else []
    for match in positions(game, setting, number=47, count=8):
        for new in labels[:5]:
            other = relabel(game, symmetry, match.state, new)
            for seat in match.acting:
                legal = game.legal(match.state, seat).tolist()
                expected = sorted(relabel_action(game, symmetry, action, new) for action in legal)
                got = game.legal(other, new[seat]).tolist()
                assert got == expected, f"ply {match.ply}: with seats {new} the legal actions are {got}, not {expected}"
                for action in random.Random(match.ply).sample(legal, min(4, len(legal))):
                    _check_relabelled(game, symmetry, match.state, other, seat, action, new)
            scores, places = game.outcome(match.state)
            got_scores, got_places = game.outcome(other)
            for what, one, two in (("scores", scores, got_scores), ("places", places, got_places)):
                found = [two[new[i]] for i in range(n)]
                assert found == one, f"ply {match.ply}: with seats {new} the {what} are {found}, not {one}"


def _check_relabelled(
    game: Game, symmetry: Symmetry, state: Any, other: Any, seat: int, action: int, new: tuple[int, ...]
) -> None:
    one, two = game.state.from_bytes(state.tobytes()), game.state.from_bytes(other.tobytes())
    game.kernels["apply"](one, seat, action, game.events.new_log())
    game.kernels["apply"](two, new[seat], relabel_action(game, symmetry, action, new), game.events.new_log())
    expected = relabel(game, symmetry, one, new)
    assert bare(game, two) == bare(game, expected), (
        f"action {action} of seat {seat} acts differently with seats {new}: {differing(game, two, expected)}"
    )


def check_rulebook(game: Game, settings: Sequence[Setting]) -> None:
    """Every rule of the rulebook is shown by an example or a named test, and log lines link to rules that it has.

    A rule counts as shown when an event of an example carries its id, when ``examples.txt`` names it, or by the facts.
    """
    ids = set(RULE_HEAD.findall(game.file("rulebook.md").read_text("utf-8")))
    assert ids, "the rulebook has no rules (headings or bold words that begin with an id such as C12)"
    happened: list[Event] = []
    apply = Game.apply

    def listen(game: Game, state: Any, seat: int, action: int, log: Any) -> None:
        apply(game, state, seat, action, log)
        happened.extend(game.events.read(log))

    with mock.patch.object(Game, "apply", listen):
        report = run_examples(game)
    lines = [game.notation.describe(event, PLAYERS, ALL_KNOWING) for event in happened]
    reached = {rule for line in lines if line is not None for rule in re.findall(RULE, line.rule)}
    unknown = reached - ids
    assert not unknown, f"log lines link to rules that the rulebook does not have: {sorted(unknown)}"
    reached |= set(re.findall(rf"\b{RULE}\b", game.file("examples.txt").read_text("utf-8")))
    for rule, witness in facts_of(game).rules.items():
        assert rule in ids, f"the facts name a witness for {rule}, which the rulebook does not have"
        assert witness in report.passed or is_witness(game, witness), f"{rule}: no example or test {witness!r}"
        reached.add(rule)
    reached |= facts_of(game).remarks
    assert ids <= reached, f"shown by no example and no named test: {sorted(ids - reached)}"


def is_witness(game: Game, name: str) -> bool:
    """Whether ``file::function`` names a check of this suite (``conformance/...``) or a test of the game's project.

    A project is the nearest folder above the game's that has a ``pyproject.toml``; its tests stand in ``tests``. Of an
    installed game they are not here: it is believed.
    """
    file, _, function = name.partition("::")
    folders = list(takewhile(lambda folder: folder.name not in INSTALLED, Path(game.rules.__file__).parents))
    project = next((folder for folder in folders if (folder / "pyproject.toml").is_file()), None)
    for path in [SUITE / file, *([project / "tests" / file] if project else [])]:
        if path.is_file():
            return bool(function) and f"def {function}(" in path.read_text("utf-8")
    return project is None and bool(function)
