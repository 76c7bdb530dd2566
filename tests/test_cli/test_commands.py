"""The command line: what each command prints, and that every bad input gets one clear line and changes nothing."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backroom.conformance.play import Setting, play_on
from backroom.engine.game import Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.lab import run as run_module
from backroom.lab.run import Simulation
from test_cli.conftest import Run, refused


def play(bots: str = "random", moves: int = 10**6) -> Match:
    """A match of Catham City between bots, of at most so many moves."""
    from backroom.bots import make_bot
    from backroom.engine.rng import generator

    match = Match.new("catham", ["anna", "ben", "cleo"], seed=11)
    bot = make_bot(match.game, bots)
    while not match.over and match.ply < moves:
        seat = match.acting[0]
        match.play_actions(seat, bot.choose(match.view(seat), seat, generator(11, seat, match.ply)))
    return match


@pytest.fixture(scope="module")
def finished() -> Match:
    return play()


def test_help_imports_nothing_slow() -> None:
    script = (
        "import sys, backroom.cli; print(*{'numba', 'numpy', 'fastapi', 'scipy', 'prompt_toolkit'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_help_names_every_command(run: Run) -> None:
    result = run("--help")
    assert result.code == 0
    for command in ("games", "play", "examples", "verify", "replay", "warm", "serve", "simulate", "ladder"):
        assert f"  {command} " in result.out


def test_version(run: Run) -> None:
    from backroom import __version__

    assert run("--version").out == f"backroom {__version__}\n"


def test_games_lists_every_game_with_its_seats(run: Run) -> None:
    lines = run("games").out.splitlines()
    assert [line.split()[0] for line in lines if line[0] != " "] == game_names()
    listed = json.loads(run("games", "--json").out)
    assert [game["name"] for game in listed] == game_names()
    assert next(game["seats"] for game in listed if game["name"] == "catham") == [2, 6]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["frobnicate"], "E_USAGE", ["frobnicate"]),
        (["play", "--frobnicate"], "E_USAGE", ["--frobnicate"]),
        (["play"], "E_USAGE", ["which game"]),
        (["play", "chess"], "E_SETUP", ["chess", "catham"]),
        (["play", "catham", "--players", 7], "E_SETUP", ["7 players", "2 to 6"]),
        (["play", "catham", "--players", 0], "E_USAGE", ["--players"]),
        (["play", "catham", "--players", "many"], "E_USAGE", ["--players", "integer"]),
        (["play", "catham", "--seat", 3], "E_SETUP", ["no seat 3"]),
        (["play", "catham", "--bots", "genius"], "E_BOT", ["genius", "random"]),
        (["play", "catham", "--bots", "search:lots"], "E_BOT", ["search:lots"]),
        (["play", "catham", "-n", 4, "--bots", "random,random"], "E_SETUP", ["2 bots for 3 places"]),
        (["play", "catham", "--option", "trget=16"], "E_SETUP", ["trget", "target"]),
        (["play", "catham", "--option", "target=high"], "E_SETUP", ["target", "high"]),
        (["play", "catham", "--option", "target=100"], "E_SETUP", ["target", "100"]),
        (["play", "catham", "--option", "hands=flat9"], "E_SETUP", ["hands", "flat9", "flat8"]),
        (["play", "catham", "--option", "=16"], "E_SETUP", ["NAME=VALUE"]),
        (["play", "catham", "--option", "factions=SRDM"], "E_SETUP", ["factions"]),
        (["play", "catham", "--preset", "wild"], "E_SETUP", ["wild"]),
        (["play", "catham", "-o", "target=20", "-o", "target=13"], "E_SETUP", ["target", "twice"]),
        (["play", "catham", "-o", "advanced", "-o", " advanced = no"], "E_SETUP", ["advanced", "twice"]),
        (["play", "catham", "--preset", "raid", "-o", "preset=raid"], "E_SETUP", ["preset", "twice"]),
        (["simulate", "catham", "-o", "target=20", "-o", "target=20"], "E_SETUP", ["target", "twice"]),
        (["ladder", "catham", "-o", "target=20", "-o", "target=20"], "E_SETUP", ["target", "twice"]),
        (["play", "catham", "--name", "an, na"], "E_SETUP", ["letters of any script", "character 3"]),
        (["play", "--resume", "nowhere.json"], "E_FILE", ["nowhere.json"]),
        (["play", "catham", "--resume", "nowhere.json"], "E_USAGE", ["--resume"]),
        (["examples", "chess"], "E_SETUP", ["chess"]),
        (["examples", "catham", "nowhere.txt"], "E_FILE", ["nowhere.txt"]),
        (["verify", "nowhere.json"], "E_FILE", ["nowhere.json"]),
        (["verify", "."], "E_FILE", ["."]),
        (["verify"], "E_USAGE", ["FILE"]),
        (["simulate", "chess"], "E_SETUP", ["chess"]),
        (["simulate", "catham", "--players", 9], "E_SETUP", ["9 players"]),
        (["simulate", "catham", "--bots", "genius"], "E_BOT", ["genius"]),
        (["simulate", "catham", "-n", 3, "--bots", "random,greedy"], "E_SETUP", ["2 bots for 3 seats"]),
        (["simulate", "catham", "--games", 0], "E_USAGE", ["--games"]),
        (["simulate", "catham", "--option", "trget=1"], "E_SETUP", ["trget"]),
        (["ladder", "chess"], "E_SETUP", ["chess"]),
        (["ladder", "catham", "--players", 9], "E_SETUP", ["9 players"]),
        (["warm", "chess"], "E_SETUP", ["chess"]),
        (["serve", "--port", 70000], "E_USAGE", ["--port"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else value,
)
def test_bad_arguments_get_one_line(run: Run, arguments: list[object], code: str, words: list[str]) -> None:
    refused(run(*arguments), code, *words)


def test_examples_of_the_game_pass(run: Run) -> None:
    result = run("examples", "catham")
    last = result.out.splitlines()[-1]
    assert result.code == 0
    assert last.endswith(" passed, 0 failed")
    assert int(last.split()[0]) >= 47


def test_a_wrong_example_is_shown_with_what_differs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text(
        "# Mine\n\nNot run: S9 | nonsense\n\n```\n"
        "Y1 SRDMH | A:SSSSM/3 B:HH/0 | top RD\n> anna play scientists => A:SMRD/5; disc SSS; turn B\n"
        "Y2 SRDMH | A:SSSSM/3 B:HH/0 | top RD\n> anna play scientists => A:SMRD/6; disc SSS; turn B\n```\n"
    )
    result = run("examples", "catham", "mine.md")
    assert result.code == 1
    lines = result.out.splitlines()
    assert lines[0] == "FAILED Y2"
    assert lines[-1] == "1 passed, 1 failed"
    difference = " ".join(lines[1:-1])
    assert "5" in difference
    assert "6" in difference


GOOD = "Y1 SRDMH | A:SSSSM/3 B:HH/0 | top RD\n> anna play scientists => A:SMRD/5; disc SSS; turn B\n"
WRONG = GOOD.replace("SMRD/5", "SMRD/6")


def indented(text: str, by: str) -> str:
    return "".join(by + line for line in text.splitlines(keepends=True))


@pytest.mark.parametrize(
    "markdown",
    [
        f"```\n{GOOD}```\n",
        f"````\n{GOOD}````\n",
        f"~~~\n{GOOD}~~~\n",
        f"~~~~ catham\n{GOOD}~~~~~\n",
        f"  ```text\n{indented(GOOD, '  ')}  ```\n",
        "- One of mine:\n\n" + indented(f"```\n{GOOD}```\n", "  "),
        "1. First:\n   1. Then:\n" + indented(f"~~~\n{GOOD}~~~\n", " " * 6),
        indented(f"```\n{GOOD}```\n", "> "),
        f"Text.\n```\n{GOOD}",
        f"~~~\n{GOOD}\n",
        f"- One:\n\n  ~~~\n{indented(GOOD, '  ')}\nText.\n",
        f"```\r\n{GOOD}```\r\n".replace("\n", "\r\n").replace("\r\r", "\r"),
    ],
)
@pytest.mark.parametrize("name", ["mine.md", "MINE.MD", "mine.Markdown"])
def test_every_fenced_block_of_markdown_is_run(run: Run, tmp_path: Path, markdown: str, name: str) -> None:
    text = f"# Mine\n\nNot run: S9 | nonsense\n\n{markdown}"
    (tmp_path / name).write_text(text, newline="")
    assert run("examples", "catham", name).out == "1 passed, 0 failed\n"
    (tmp_path / name).write_text(text.replace("SMRD/5", "SMRD/6"), newline="")
    assert run("examples", "catham", name).out.splitlines()[-1] == "0 passed, 1 failed"


def test_what_is_no_fenced_block_of_markdown_is_not_run(run: Run, tmp_path: Path) -> None:
    text = f"Text.\n\n{indented(WRONG, '    ')}\n<!--\n```\n{WRONG}```\n-->\n\n```\n{GOOD}```\n\n{WRONG}"
    (tmp_path / "mine.md").write_text(text)
    assert run("examples", "catham", "mine.md").out == "1 passed, 0 failed\n"


def test_examples_are_counted_and_not_their_ids(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(WRONG + GOOD + WRONG)
    lines = run("examples", "catham", "a.txt").out.splitlines()
    assert [line for line in lines if line.startswith("FAILED")] == ["FAILED Y1", "FAILED Y1"]
    assert lines[-1] == "1 passed, 2 failed"
    (tmp_path / "b.txt").write_text(GOOD + WRONG)
    result = run("examples", "catham", "a.txt", "b.txt", "b.txt")
    lines = result.out.splitlines()
    failed = [line for line in lines if line.startswith("FAILED")]
    assert failed == ["FAILED Y1 in a.txt"] * 2 + ["FAILED Y1 in b.txt"] * 2
    assert (lines[-1], result.code) == ("3 passed, 4 failed", 1)


def test_a_file_without_examples_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    refused(run("examples", "catham", "empty.txt"), "E_FILE", "empty.txt")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    refused(run("examples", "catham", "binary.txt"), "E_FILE", "binary.txt")


def test_a_game_without_examples_of_its_own_says_so(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("backroom.engine.game.Game.file", lambda game, name: tmp_path / name)
    refused(run("examples", "catham"), "E_FILE", "catham", "no examples.txt")


@pytest.mark.parametrize("name", ["mine.txt", "mine.md"])
def test_a_byte_order_mark_before_examples_is_no_part_of_them(run: Run, tmp_path: Path, name: str) -> None:
    example = "Y1 SRDMH | A:SSSSM/3 B:HH/0 | top RD\n> anna play scientists => A:SMRD/5; disc SSS; turn B\n"
    text = f"```\n{example}```\n" if name.endswith("md") else example
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert run("examples", "catham", name).out == "1 passed, 0 failed\n"


def test_a_byte_order_mark_before_a_match_is_no_part_of_it(run: Run, tmp_path: Path, finished: Match) -> None:
    (tmp_path / "match.json").write_bytes(b"\xef\xbb\xbf" + finished.dumps().encode())
    assert run("replay", "match.json").out == f"match.json: ok {finished.ply} moves {finished.chain[-1]}\n"
    assert Match.loads("\ufeff" + finished.dumps()).chain == finished.chain


def test_verify_tells_commitment_and_every_source_of_chance(run: Run, tmp_path: Path, finished: Match) -> None:
    (tmp_path / "match.json").write_text(finished.dumps())
    result = run("verify", "match.json", "--commitment", finished.commitment[:8])
    assert result.code == 0
    lines = result.out.splitlines()
    assert finished.commitment in lines[0]
    for stream in finished.game.streams:
        assert any(line.startswith(f"chance {stream.replace('_', ' ')}: ") for line in lines)
    assert any(line.startswith("chance shuffle: 1 draw ") for line in lines)
    assert finished.chain[-1] in lines[-2]
    assert lines[-1] == f"verified: {finished.ply} moves, over"
    shown = json.loads(run("verify", "match.json", "--json").out)
    assert shown["verified"]
    assert shown["commitment"] == finished.commitment
    assert shown["chance"]["shuffle"] == 1


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in game_names() for seats in find_game(game).seats])
def test_verify_and_replay_read_a_finished_match_of_every_game(run: Run, tmp_path: Path, game: str, seats: int) -> None:
    match = Setting(seats).match(find_game(game), 5)
    for _ in play_on(match, random.Random(5), 10**6, hinted=True):
        pass
    assert match.over
    (tmp_path / "match.json").write_text(match.dumps())
    lines = run("verify", "match.json", "--commitment", match.commitment).out.splitlines()
    assert lines[-1] == f"verified: {match.ply} moves, over"
    assert [line.split(":")[0] for line in lines[1:-2]] == [
        f"chance {stream.replace('_', ' ')}" for stream in match.game.streams
    ]
    shown = json.loads(run("verify", "match.json", "--json").out)
    assert (shown["verified"], list(shown["chance"])) == (True, list(match.game.streams))
    assert run("replay", "match.json").out == f"match.json: ok {match.ply} moves {match.chain[-1]}\n"


def test_verify_refuses_another_commitment(run: Run, tmp_path: Path, finished: Match) -> None:
    (tmp_path / "match.json").write_text(finished.dumps())
    refused(run("verify", "match.json", "--commitment", "0" * 64), "E_FILE", "commitment", finished.commitment)


@pytest.mark.parametrize("cut", [0, 1, 7, 10**6])
def test_a_match_that_lacks_its_last_moves_is_not_taken_for_a_whole_one(
    run: Run, tmp_path: Path, finished: Match, cut: int
) -> None:
    moves = finished.to_json()["moves"]
    kept = moves[: max(0, len(moves) - cut)]
    (tmp_path / "match.json").write_text(edited(finished, moves=kept))
    link = finished.chain[len(kept)]
    verified, replayed = run("verify", "match.json"), run("replay", "match.json")
    known = run("verify", "match.json", "--commitment", finished.commitment).out.splitlines()[-1]
    last = verified.out.splitlines()[-1]
    assert (verified.code, replayed.code) == (0, 0)
    if cut:
        assert known == f"verified so far: {len(kept)} moves, not over"
        assert replayed.out == f"match.json: ok {len(kept)} moves {link}, not over\n"
    else:
        assert known == f"verified: {len(kept)} moves, over"
        assert replayed.out == f"match.json: ok {len(kept)} moves {link}\n"
    assert last == f"{known} (compare the commitment with the one shown when the match began)"
    for command in ("verify", "replay"):
        assert json.loads(run(command, "match.json", "--json").out)["over"] is (cut == 0)


def test_replay_gives_one_line_a_file_and_goes_on_after_a_bad_one(run: Run, tmp_path: Path, finished: Match) -> None:
    (tmp_path / "good.json").write_text(finished.dumps())
    (tmp_path / "cut.json").write_text(finished.dumps()[:-200])
    result = run("replay", "good.json", "cut.json", "good.json")
    lines = result.out.splitlines()
    assert result.code == 2
    assert lines[0] == lines[2] == f"good.json: ok {finished.ply} moves {finished.chain[-1]}"
    assert lines[1].startswith("E_FILE: cut.json: ")
    assert len(lines) == 3
    rows = [json.loads(line) for line in run("replay", "good.json", "cut.json", "--json").out.splitlines()]
    assert [row["ok"] for row in rows] == [True, False]


def test_replay_tells_the_story_and_no_secrets_before_the_end(run: Run, tmp_path: Path, finished: Match) -> None:
    def story(match: Match) -> list[str]:
        (tmp_path / "match.json").write_text(match.dumps())
        lines = run("replay", "match.json", "--log").out.splitlines()[1:]
        return [line.split(maxsplit=1)[1].split("  ")[0] for line in lines]

    going = play(moves=20)
    assert story(going) == [line.text for _, line in going.lines(SPECTATOR)]
    assert story(finished) == [line.text for _, line in finished.lines(ALL_KNOWING)]


@pytest.mark.parametrize("name", ["a" * 300, "a\nb", "a\udcff", "\x1b[2J", "a/" * 3000 + "b"])
@pytest.mark.parametrize(
    "command", [["verify"], ["replay"], ["examples", "catham"], ["play", "--resume"]], ids=lambda words: words[0]
)
def test_a_name_no_file_has_is_told_in_one_printable_line(run: Run, command: list[str], name: str) -> None:
    result = run(*command, name)
    assert result.code == 2
    told = result.out + result.err
    assert told.startswith("E_FILE: ")
    assert "Errno" not in told
    assert told.removesuffix("\n").isprintable()


def test_a_file_with_a_line_break_in_its_name_is_named_on_one_line(run: Run, tmp_path: Path, finished: Match) -> None:
    (tmp_path / "two\nlines.json").write_text(finished.dumps())
    (tmp_path / "no\nmatch.json").write_text("{}")
    (tmp_path / "no\nexample.txt").write_text("")
    assert run("replay", "two\nlines.json").out.startswith(r"'two\nlines.json': ok ")
    refused(run("verify", "two\nlines.json", "--commitment", "0" * 64), "E_FILE", r"'two\nlines.json'")
    refused(run("verify", "no\nmatch.json"), "E_FILE", r"'no\nmatch.json'")
    refused(run("play", "--resume", "two\nlines.json"), "E_SETUP", r"'two\nlines.json'")
    refused(run("examples", "catham", "no\nexample.txt"), "E_FILE", r"'no\nexample.txt'")


@pytest.mark.parametrize(
    ("seconds", "rates"), [(0.001, "4,000 games/s, 200,000 decisions/s"), (80.0, "0.05 games/s, 2.5 decisions/s")]
)
def test_simulate_tells_games_and_decisions_a_second(
    run: Run, monkeypatch: pytest.MonkeyPatch, seconds: float, rates: str
) -> None:
    def simulated(*arguments: object) -> Simulation:
        return replace(simulate("corporation", {}, 3, games=1), games=4, decisions=200, seconds=seconds)

    simulate = run_module.simulate
    monkeypatch.setattr(run_module, "simulate", simulated)
    first = run("simulate", "corporation").out.splitlines()[0]
    assert first.endswith(f"4 games of 3 random bots, seed 1, {seconds:.1f} s, {rates}")


def test_simulate_with_another_bot_in_every_seat_names_them_by_seat(run: Run) -> None:
    command = ("simulate", "corporation", "-n", 3, "--bots", "random,loner,greedy", "--games", 60)
    lines = run(*command).out.splitlines()
    assert "60 games of 3 bots (random, loner, greedy), seed 1" in lines[0]
    named = [line.partition(" wins ")[0] for line in lines if " wins " in line]
    assert named == ["seat 1 (random)", "seat 2 (loner)", "seat 3 (greedy)"]
    told = json.loads(run(*command, "--json").out)
    assert told["bot"] == "random,loner,greedy"
    assert [share["seat"] for share in told["seats"]] == [0, 1, 2]


def test_simulate_counts_what_is_played_when_asked_to(run: Run) -> None:
    command = ("simulate", "dark_sources", "-n", 2, "--games", 20, "--count-actions")
    (line,) = (line for line in run(*command).out.splitlines() if line.startswith("decisions by family: "))
    assert line == "decisions by family: swap 100.0%, row 0.0%"
    told = json.loads(run(*command, "--json").out)
    assert sum(told["actions"]["swap"]) == told["decisions"]
    assert json.loads(run(*command[:-1], "--json").out)["actions"] == {}


def edited(match: Match, **changes: object) -> str:
    return json.dumps(match.to_json() | changes)


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"seed": "00" * 32}, "E_FILE", ["commitment"]),
        ({"seed": 5}, "E_FILE", ["seed"]),
        ({"commitment": "00" * 32}, "E_FILE", ["commitment"]),
        ({"opening": "00" * 32}, "E_FILE", ["opening"]),
        ({"rules": "0.0-before"}, "E_VERSION", ["0.0-before"]),
        ({"backroom": 99}, "E_FILE", ["format"]),
        ({"game": "chess"}, "E_FILE", ["chess"]),
        ({"game": ["catham"]}, "E_FILE", ["catham"]),
        ({"players": ["anna"]}, "E_FILE", ["1 players"]),
        ({"players": ["anna", "cleo", "ben"]}, "E_FILE", ["opening"]),
        ({"players": "anna"}, "E_FILE", ["players"]),
        ({"options": {"target": 1000}}, "E_SETUP", ["target"]),
        ({"options": {"advanced": True}}, "E_FILE", ["opening"]),
        ({"options": None}, "E_FILE", ["options"]),
        ({"moves": None}, "E_FILE", ["moves"]),
        ({"moves": [7]}, "E_FILE", ["move 1"]),
        ({"moves": [{"player": "zoe", "move": "take", "actions": [1], "hash": ""}]}, "E_ACTOR", ["move 1", "zoe"]),
        ({"moves": [{"player": "ben", "move": "take", "actions": [1], "hash": ""}]}, "E_ACTOR", ["move 1"]),
        ({"moves": [{"player": "anna", "move": "take", "actions": [10**9], "hash": ""}]}, "E_FILE", ["move 1"]),
        ({"moves": [{"player": "anna", "move": "take", "actions": [True], "hash": ""}]}, "E_FILE", ["move 1"]),
    ],
    ids=str,
)
def test_an_edited_file_gets_one_line_that_names_the_place(
    run: Run, tmp_path: Path, finished: Match, change: dict[str, object], code: str, words: list[str]
) -> None:
    (tmp_path / "match.json").write_text(edited(finished, **change))
    refused(run("verify", "match.json"), code, "match.json", *words)


def test_an_edited_move_is_found(run: Run, tmp_path: Path, finished: Match) -> None:
    moves = finished.to_json()["moves"]
    moves[4] = moves[4] | {"hash": moves[3]["hash"]}
    (tmp_path / "match.json").write_text(edited(finished, moves=moves))
    refused(run("verify", "match.json"), "E_FILE", "move 5", "edited")
    moves = finished.to_json()["moves"]
    del moves[4]
    (tmp_path / "match.json").write_text(edited(finished, moves=moves))
    assert run("verify", "match.json").code == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00",
        b"\xff\xfe{}",
        b"null",
        b"[]",
        b"{}",
        b'{"backroom": 1}',
        b"[" * 100_000,
        b"9" * 10_000,
        b"x" * 8_000_001,
    ],
    ids=["empty", "zero", "no UTF-8", "null", "list", "object", "head only", "deep", "long number", "too large"],
)
def test_a_file_that_is_no_match_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "match.json").write_bytes(content)
    refused(run("verify", "match.json"), "E_FILE", "match.json")
    refused(run("play", "--resume", "match.json"), "E_FILE", "match.json")
    assert (tmp_path / "match.json").read_bytes() == content


SHORT = play(moves=6)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_damage_to_a_file_goes_unnoticed(data: st.DataObject) -> None:
    whole = SHORT.dumps().encode()
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from([whole[:place], whole[:place] + whole[place + 1 :]])
        | st.binary(min_size=1, max_size=1).map(lambda byte: whole[:place] + byte + whole[place + 1 :])
    )
    try:
        match = Match.loads(damaged)
    except Refusal:
        return
    # What was accepted says the same: a blank, or a letter's case in the seed.
    assert match.to_json() == SHORT.to_json()


COMMANDS: list[list[object]] = [
    ["--help"],
    ["--version"],
    ["games"],
    ["games", "--json"],
    ["examples", "catham"],
    ["verify", "match.json"],
    ["replay", "match.json", "--log"],
    ["simulate", "catham", "--games", 20],
    ["ladder", "catham", "--games", 4, "--bots", "random,random"],
    ["play", "catham", "--bots", "random"],
    ["warm", "catham"],
]


@pytest.mark.parametrize("full", [True, False], ids=["full", "closed"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command)))
def test_output_that_cannot_be_written_ends_a_command_with_one_line(
    command: list[object], full: bool, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, finished: Match
) -> None:
    if full and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "match.json").write_text(finished.dumps(), "utf-8")
    monkeypatch.setattr("backroom.bots.warm.is_compiled", lambda game: True)
    monkeypatch.setattr("backroom.bots.warm.warm", lambda game: {"moves": 0.1})
    reader, writer = os.pipe()
    os.close(reader)
    output = os.fdopen(os.open("/dev/full", os.O_WRONLY) if full else writer, "w")
    monkeypatch.setattr(sys, "stdout", output)
    done = run(*command, typed="moves\nquit\n")
    assert done.code == (2 if full else 141)
    assert done.err.count("\n") == 1
    assert done.err.startswith("E_OUTPUT: the output is not complete: ")
    output.close()  # what is left in its buffer goes nowhere and is no error


@pytest.mark.parametrize("full", [True, False], ids=["full", "closed"])
def test_serve_whose_output_cannot_be_written_ends_with_one_line(full: bool, tmp_path: Path) -> None:
    if full and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(os.open("/dev/full", os.O_WRONLY) if full else writer, "wb") as output:
        done = subprocess.run(
            [sys.executable, "-c", "from backroom.cli import main; main()", "serve", "--port", "0"],
            env=os.environ
            | {"BACKROOM_JIT": "0", "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=output, stderr=subprocess.PIPE, text=True, timeout=100,
        )  # fmt: skip
    assert done.returncode == (2 if full else 141)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("E_OUTPUT: the output is not complete: ")


def test_serve_takes_the_bounds_of_its_host(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from backroom import cli, web
    from backroom.tables.thinking import LIMITS, Limits

    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(web, "serve", lambda *given: asked.append(given))
    monkeypatch.setattr(cli, "_compile", lambda games: None)
    monkeypatch.setattr(cli.threading.Thread, "start", lambda self: None)
    bounds = ["--bot-iterations", "500", "--bot-seconds", "2.5", "--bots-at-once", "6"]
    for options in ([], bounds, [*bounds, "--bots-a-client", "1"], ["--proxy", "10.0.0.0/8", "--proxy", "::1"]):
        assert run("serve", *options).code == 0
    limits = [given[6] for given in asked]
    assert limits == [LIMITS, Limits(500, 2.5, 6, 3), Limits(500, 2.5, 6, 1), LIMITS]
    assert asked[3][5] == ["10.0.0.0/8", "::1"]
