"""Match files of older rules: verified when they replay, else told as they were recorded."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from backroom.engine.game import Refusal
from backroom.engine.match import Match, recorded_moves
from backroom.terminal import read_saved
from sittings import NEWER
from test_cli.conftest import Run

FIXTURES = Path(__file__).parent.parent / "fixtures"
MATCHES = [FIXTURES / "rules_2/matches" / f"{name}.json" for name in (
    "catham-3-raid-advanced", "corporation-3-talk-once-unfinished", "corporation-10-more",
    "dark_sources-3-play-unfinished", "medici-3-spy", "medici-4-spy-capped", "medici-2-printed-unfinished",
)]  # fmt: skip
SEALED = FIXTURES / "rules_2/matches/dark_sources-3-play-sealed.json"


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_file_of_other_rules_is_verified_when_it_replays(run: Run, newer: Callable[[], None], path: Path) -> None:
    newer()
    recorded = json.loads(path.read_text("utf-8"))
    result = run("verify", path)
    assert (result.code, result.err) == (0, "")
    assert f"rules {recorded['rules']}: replayed under {NEWER}, with the same positions throughout\n" in result.out
    assert json.loads(run("verify", path, "--json").out)["rules"] == recorded["rules"]
    result = run("replay", path, "--log")
    assert result.out.splitlines()[0].endswith(f", recorded under rules {recorded['rules']}")
    assert len(result.out.splitlines()) > 1
    match = Match.loads(path.read_bytes())
    assert match.dumps() == path.read_text("utf-8")
    if not match.over:
        for call, what in ((match.play, "end"), (match.play_actions, match.default_actions(match.acting[0]))):
            with pytest.raises(Refusal, match="not gone on with"):
                call(match.acting[0], what)
        result = run("play", "--resume", path, "--name", match.names[0], "--bots", "random")
        assert (result.code, result.err.partition(":")[0]) == (2, "E_VERSION")


def test_a_file_that_rules_of_today_play_otherwise_does_not_replay(run: Run) -> None:
    """Rules 3 of Dark Sources keep the values of swapped face-down cards where all is open (D9)."""
    path = FIXTURES / "rules_2/matches/dark_sources-2-open.json"
    assert run("verify", path).err.startswith("E_VERSION: ")
    moves = json.loads(path.read_text("utf-8"))["moves"]
    assert len(run("replay", path, "--log").out.splitlines()) == 1 + len(moves)


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_the_moves_of_a_file_that_does_not_replay_are_told(run: Run, otherwise: Callable[[], None], path: Path) -> None:
    otherwise()
    moves = json.loads(path.read_text("utf-8"))["moves"]
    for command in (["verify"], ["replay"]):
        result = run(*command, path)
        line = result.err or result.out
        assert result.code == 2
        assert line.startswith("E_VERSION: ")
        assert line.count("\n") == 1
        assert "`backroom replay FILE --log`" in line
    result = run("replay", path, "--log")
    assert result.code == 2
    lines = [line.split(maxsplit=1)[1] for line in result.out.splitlines()[1:]]
    assert lines == [f"{move['player']}: {move['move']}" for move in moves]


def test_an_edited_file_of_other_rules_is_not_verified(tmp_path: Path, run: Run, newer: Callable[[], None]) -> None:
    newer()
    data = json.loads(MATCHES[0].read_text("utf-8"))
    data["moves"][3]["hash"] = "0" * 64
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(data), "utf-8")
    result = run("verify", file)
    assert (result.code, result.err.partition(":")[0]) == (2, "E_VERSION")
    assert "move 4" in result.err
    file.write_text(json.dumps(data | {"seed": "00" * 32}), "utf-8")
    assert run("verify", file).err.startswith("E_FILE: ")


def test_a_sealed_match_of_other_rules_tells_its_moves(run: Run, newer: Callable[[], None]) -> None:
    newer()
    moves = recorded_moves(read_saved(SEALED.read_bytes()))
    result = run("replay", SEALED, "--log")
    assert result.out.startswith("E_VERSION: ")
    assert [line.split(maxsplit=1)[1] for line in result.out.splitlines()[1:]] == [
        f"{who}: {what}" for who, what in moves
    ]
    assert run("play", "--resume", SEALED).err.startswith("E_VERSION: ")


def test_a_match_of_options_that_came_later_replays(monkeypatch: pytest.MonkeyPatch, newer: Callable[[], None]) -> None:
    """What a match was begun under is hashed as it was then, whatever options its game has been given since."""
    newer()
    match = Match.loads(MATCHES[0].read_bytes())
    options = type(match.options)
    monkeypatch.setattr(options, "model_dump", lambda self: {"another": 1})
    assert Match.loads(MATCHES[0].read_bytes()).chain == match.chain
