"""The table in a terminal: moves, commands, undo, saving and resuming, completion, and a real terminal around it."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console

from backroom.bots import make_bot
from backroom.engine.game import Refusal, find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import Line, Thing
from backroom.engine.record import SPECTATOR
from backroom.scenes.rows import table_rows
from backroom.terminal import FORGET, Session, line_text, prompt_reader, read_saved, rule_section
from test_cli.conftest import Run, refused

HAND = {"factions": "SRDMH"}


def session(game: str = "catham", players: int = 3, path: Path | None = None, **options: Any) -> Session:
    """A session of the first seat among random bots, that prints nowhere."""
    names = ["anna", "ben", "cleo", "dan", "eve"][:players]
    match = Match.new(game, names, options, seed=3)
    bots = {seat: make_bot(match.game, "random") for seat in range(1, players)}
    return Session(match, 0, bots, Console(file=io.StringIO()), path)


def file_named(out: str) -> Path:
    named = re.findall(r"Saved in (\S+)", out)
    assert named
    return Path(named[-1])


# Whole sessions on standard input


def test_a_session_of_moves_and_commands(run: Run) -> None:
    typed = "help\nmoves\nposition\nlog\nrules\nrules C2\ntake r\nquit\n"
    result = run("play", "catham", "-n", 3, "--bots", "random", "--name", "anna", "--seed", 5, typed=typed)
    assert result.code == 0
    assert result.err == ""
    for shown in ("anna (you)", "ben (random)", "Commitment", "your hand, 6 of 10", "market", "16 points", "undo"):
        assert shown in result.out
    assert "take robocats" in result.out
    assert file_named(result.out).exists()


def test_leaving_and_resuming_gives_the_same_match_as_staying(run: Run) -> None:
    start = ("play", "catham", "-n", 3, "--bots", "random,greedy", "--name", "anna", "--seed", 5)
    moves = ["take scientists x1", "take robocats x1", "take detectives x1"]
    whole = file_named(run(*start, typed="\n".join(moves)).out)
    first = file_named(run(*start, typed=moves[0]).out)
    assert first != whole
    resumed = run("play", "--resume", first, typed=f"{moves[1]}\n{moves[2]}\n")
    assert "ben (random), cleo (greedy)" in resumed.out
    assert file_named(resumed.out) == first
    chains = [Match.loads(path.read_text()).chain for path in (whole, first)]
    assert chains[0] == chains[1]
    assert len(chains[0]) > 3


def test_undo_goes_back_to_the_last_decision_and_the_bots_answer_as_before(run: Run) -> None:
    start = ("play", "catham", "-n", 3, "--bots", "random", "--seed", 8)
    plain = file_named(run(*start, typed="take scientists x1\ntake robocats x1\n").out)
    typed = "take scientists x1\ntake detectives x1\nundo\nundo\ntake scientists x1\ntake robocats x1\n"
    undone = file_named(run(*start, typed=typed).out)
    assert Match.loads(plain.read_text()).chain == Match.loads(undone.read_text()).chain


def test_bots_at_a_talking_table_place_after_you_and_undo_takes_the_round_back(run: Run) -> None:
    start = ("play", "corporation", "-n", 4, "--bots", "cooperator", "--name", "anna", "--seed", 5)
    shown = run(*start, typed="claim 5\ncard 3\nundo\nquit\n").out
    before, after = shown.split("Back before your last move")
    assert len(re.findall("claims", before)) >= 3
    assert "has placed" not in before + after
    assert after.count("the target") == 1


def test_undo_before_any_decision_is_refused(run: Run) -> None:
    result = run("play", "catham", "--bots", "random", "--seed", 8, typed="undo\n")
    assert "E_PLY: you have made no move yet" in result.out


def test_the_match_plays_to_its_end_and_then_refuses_moves(run: Run, tmp_path: Path) -> None:
    match = Match.new("catham", ["anna", "ben"], {"target": 5}, seed=4)
    bot, mine = make_bot(match.game, "greedy"), []
    from backroom.engine.rng import generator

    while not match.over:
        seat = match.acting[0]
        random = generator(match.seed, "bot in the terminal", seat, match.ply)
        move = match.play_actions(seat, bot.choose(match.view(seat), seat, random))
        mine += [move.text] if seat == 0 else []
    typed = "\n".join([*mine, "take scientists", "save end.json", "quit"])
    result = run("play", "catham", "--bots", "greedy", "--seed", 4, "-o", "target=5", typed=typed)
    assert "The game is over." in result.out
    assert "E_OVER" in result.out
    assert re.search(r"1\.\s+(anna|ben)\s+[5-9]", result.out)
    assert Match.loads((tmp_path / "end.json").read_text()).chain == match.chain
    again = run("play", "--resume", "end.json", typed="take scientists\n")
    assert "E_OVER" in again.out
    assert "Saved" not in again.out


def test_seat_and_name_place_you(run: Run) -> None:
    result = run("play", "catham", "-n", 4, "--bots", "random", "--name", "cleo", "--seat", 3, typed="")
    assert "ben (random), dan (random), cleo (you), eve (random)" in result.out


def test_options_reach_the_match(run: Run) -> None:
    options = [
        "-o",
        "advanced",
        "-o",
        "target=20",
        "-o",
        "hands=flat7",
        "-o",
        "factions=raid",
        "-o",
        "max_actions=none",
    ]
    result = run("play", "catham", "--bots", "random", *options, typed="")
    match = Match.loads(file_named(result.out).read_text())
    assert match.options.model_dump()["advanced"] is True
    assert (match.state.target, match.state.hand_size.tolist()[:2]) == (20, [7, 7])


# Bad input


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("dance", "E_SYNTAX"),
        ("pass", "E_PASS"),
        ("decline", "E_PHASE"),
        ("take dogs", "E_FACTION"),
        ("take journalists", "E_FACTION"),
        ("take scientists x0", "E_COUNT"),
        ("take scientists x8", "E_MARKET"),
        ("play robocats x3", "E_COUNT"),
        ("hack zoe x1", "E_TARGET"),
        ("rules C999", "E_RULE"),
        ("save", "E_SYNTAX"),
        ("save no/such/folder/x.json", "E_FILE"),
        ("save .", "E_FILE"),
        ("moves play dragons", "E_SYNTAX"),
        ("take " + "s" * 10_000, "E_FACTION"),
        ("\x00\x1b[2J", "E_SYNTAX"),
    ],
)
def test_a_refused_line_changes_nothing(typed: str, code: str) -> None:
    place = session(**HAND)
    before = place.match.state.tobytes(), place.match.chain
    with pytest.raises(Refusal) as refusal:
        place.obey(typed)
    assert refusal.value.code == code
    assert "\n" not in str(refusal.value)
    assert (place.match.state.tobytes(), place.match.chain) == before


@pytest.mark.parametrize("name", ["a" * 300, "a" * 256, "a\0b", "no/such/a\0b", "\0", "a/" * 3000 + "b"])
def test_saving_under_a_name_no_file_can_have_is_refused_and_play_goes_on(run: Run, tmp_path: Path, name: str) -> None:
    result = run("play", "catham", "--bots", "random", typed=f"save {name}\nposition\n")
    assert (result.code, result.err) == (0, "")
    after = result.out.partition("E_FILE: ")[2]
    assert after.splitlines()[0].endswith(")")
    assert after.splitlines()[1] == "> position"
    assert Match.loads(file_named(result.out).read_text()).ply == 0
    assert [path.name for path in tmp_path.iterdir()] == [file_named(result.out).name]


@pytest.mark.parametrize("length", [250, 251, 255])
def test_a_match_is_saved_again_under_the_longest_name_there_can_be(run: Run, tmp_path: Path, length: int) -> None:
    name = "a" * (length - 5) + ".json"
    run("play", "catham", "--bots", "random", typed=f"save {name}\n")
    saved = (tmp_path / name).read_text()
    result = run("play", "--resume", name, typed="quit\n")
    assert (result.code, result.err) == (0, "")
    assert f"Go on with: backroom play --resume {name}" in result.out
    assert Match.loads((tmp_path / name).read_text()).ply >= Match.loads(saved).ply
    assert not list(tmp_path.glob("*.part"))


def test_typed_bytes_that_are_no_text_are_refused_and_play_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from backroom.cli import main; main()", "play", "catham", "--bots", "random"]
    plain = os.environ | {"BACKROOM_JIT": "0", "PYTHONIOENCODING": "utf-8:strict"}
    typed = b"take \xff\nposition\n"
    done = subprocess.run(command, cwd=tmp_path, env=plain, input=typed, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"E_FACTION" in done.stdout
    assert b"> position" in done.stdout
    assert Match.loads((tmp_path / file_named(done.stdout.decode())).read_text()).ply == 0


def test_save_does_not_overwrite_what_is_not_its_own(tmp_path: Path) -> None:
    place = session()
    (tmp_path / "diary.txt").write_text("dear diary")
    with pytest.raises(Refusal, match="exists already"):
        place.obey(f"save {tmp_path / 'diary.txt'}")
    assert (tmp_path / "diary.txt").read_text() == "dear diary"
    place.obey(f"save {tmp_path / 'match.json'}")
    place.obey("take scientists x1")
    place.obey(f"save {tmp_path / 'match.json'}")
    assert Match.loads((tmp_path / "match.json").read_text()).ply == 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_an_export_without_seats_needs_a_name(run: Run, tmp_path: Path) -> None:
    match = Match.new("catham", ["anna", "ben"], seed=1)
    (tmp_path / "match.json").write_text(match.dumps())
    refused(run("play", "--resume", "match.json"), "E_SETUP", "--name anna", "--name ben")
    refused(run("play", "--resume", "match.json", "--name", "zoe"), "E_ACTOR", "zoe")
    result = run("play", "--resume", "match.json", "--name", "ben", "--bots", "random", typed="")
    assert "anna (random), ben (you)" in result.out
    kept = json.loads((tmp_path / "match.json").read_text())["seats"]
    assert kept == {"anna": "random", "ben": "you"}


def test_damaged_seats_are_not_trusted(run: Run, tmp_path: Path) -> None:
    data = Match.new("catham", ["anna", "ben"], seed=1).to_json()
    for seats in (7, {"anna": 7}, {"anna": "you", "ben": "you"}, {"zoe": "you"}):
        (tmp_path / "match.json").write_text(json.dumps(data | {"seats": seats}))
        refused(run("play", "--resume", "match.json"), "E_SETUP", "--name")
    (tmp_path / "match.json").write_text(json.dumps(data | {"seats": {"anna": "you", "ben": "genius"}}))
    refused(run("play", "--resume", "match.json"), "E_BOT", "genius")


# Where the rules forbid looking back


def swaps(text: str) -> list[str]:
    """The slots of each swap that a text tells, in log lines and as the last one."""
    found = re.findall(r"swapped ([a-j]\d)[^.]*?(?:'s|your) ([a-j]\d)|([a-j]\d) \([^)]*\) <-> ([a-j]\d)", text)
    return [" ".join(filter(None, slots)) for slots in found]


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> Session:
    """Dark Sources in a window, among three, that nobody waits for."""
    monkeypatch.setattr("backroom.terminal.READ_SECONDS", 0)
    place = session("dark_sources", 3)
    place.console = Console(file=io.StringIO(), force_terminal=True, width=100)
    return place


def type_in(place: Session, *lines: str) -> str:
    """What the window and its scroll-back hold after these lines."""
    typed = iter(lines)

    def read(_: Session) -> str:
        for line in typed:
            return line
        raise KeyboardInterrupt

    place._leave = lambda: None  # type: ignore[method-assign]
    place.run(read)
    file = place.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue().rpartition(FORGET)[2]


def test_the_window_keeps_the_last_swap_and_nothing_older(remembered: Session) -> None:
    shown = type_in(remembered, "swap a1 b5", "swap a2 c4")
    last = remembered.match.moves[-1].text.removeprefix("swap ")
    assert remembered.match.ply == 6
    assert set(swaps(shown)) == {last}
    assert "a1" not in shown.replace(last, "")
    whole = remembered.console.file.getvalue()  # type: ignore[attr-defined]
    pages = whole.split(FORGET)[1:]
    told = [swaps(page)[-1] for page in pages]
    assert told == [move.text.removeprefix("swap ") for move in remembered.match.moves], "each swap is shown once"
    assert all(len(set(swaps(page))) == 1 for page in pages)


def test_commands_tell_nothing_older(remembered: Session) -> None:
    shown = type_in(remembered, "swap a1 b5", "log", "position", "moves swap", "undo", "help")
    last = remembered.match.moves[-1].text.removeprefix("swap ")
    assert set(swaps(shown)) == {last}
    assert "E_UNDO: the rules forbid looking back" in shown
    assert remembered.match.ply == 3


def test_typed_moves_cannot_be_called_up_again(keys: Any, remembered: Session) -> None:
    read = prompt_reader()
    keys.send_text("swap a1 b5\r")
    remembered.obey(read(remembered))
    keys.send_text("\x1b[A\x1b[Ahelp\r")
    assert read(remembered) == "help"


def test_a_saved_match_cannot_be_read_but_resumed(run: Run, tmp_path: Path, remembered: Session) -> None:
    type_in(remembered, "swap a1 b5", f"save {tmp_path / 'match.json'}")
    match = remembered.match
    text = (tmp_path / "match.json").read_text()
    for hidden in ("swap", "moves", match.seed.hex(), *(str(list(move.actions)) for move in match.moves)):
        assert hidden not in text
    for command in (("replay", "match.json", "--log"), ("verify", "match.json")):
        told = run(*command)
        assert told.code == 2
        assert "looking back" in told.out + told.err
        assert not swaps(told.out + told.err)
    resumed = run("play", "--resume", "match.json", typed="log\nquit\n")
    assert set(swaps(resumed.out)) == {match.moves[-1].text.removeprefix("swap ")}
    data = read_saved((tmp_path / "match.json").read_bytes())
    assert Match.from_json(data).chain == match.chain
    assert data["seats"] == {"anna": "you", "ben": "random", "cleo": "random"}


@pytest.mark.parametrize("sealed", [None, 7, "", "?", "AAAA", "eJwDAAAAAAE="])
def test_a_damaged_seal_is_refused(run: Run, tmp_path: Path, sealed: object) -> None:
    (tmp_path / "match.json").write_text(json.dumps({"backroom": 1, "game": "dark_sources", "sealed": sealed}))
    refused(run("play", "--resume", "match.json"), "E_FILE", "match.json")


def test_a_match_that_is_over_or_open_is_saved_for_everybody(remembered: Session, tmp_path: Path) -> None:
    lines = ["swap a1 b5", "swap a2 b4", "swap a3 b3", "swap a4 b2", "swap a5 b1"]
    while not remembered.match.over:
        type_in(remembered, *lines)
    remembered.obey(f"save {tmp_path / 'over.json'}")
    assert Match.loads((tmp_path / "over.json").read_text()).chain == remembered.match.chain
    openly = session("dark_sources", 3, memory="open")
    openly.obey("swap a1 b5")
    openly.obey(f"save {tmp_path / 'open.json'}")
    assert Match.loads((tmp_path / "open.json").read_text()).ply == 1


def test_what_is_said_is_kept_as_typed_in_the_terminal(run: Run) -> None:
    result = run("play", "corporation", "-n", 3, "--bots", "random", typed="  say   two  blanks,   THREE \nlog\nquit\n")
    assert result.out.count("You: two  blanks,   THREE  ") == 2, "when it is said, and in the log"
    match = Match.loads(file_named(result.out).read_text())
    assert [move.text for move in match.moves if move.seat == 0] == ["say two  blanks,   THREE"]


# What is shown


def test_only_what_the_seat_may_know_is_shown() -> None:
    game = find_game("catham")
    place = session(**HAND)
    shown = [(row.heading, row.line.text) for row in table_rows(game, place.view, 0, place.names)]
    hand = next(text for name, text in shown if name.startswith("your hand"))
    assert sum(int(count) for count in re.findall(r"\d+", hand)) == 6
    other = place.match.state.hand[1]
    place.match.state.hand[1] = other[::-1].copy()
    assert shown == [(row.heading, row.line.text) for row in table_rows(game, place.view, 0, place.names)]


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_drawn_for_every_seat_and_a_spectator(name: str) -> None:
    game = find_game(name)
    names = [f"p{number}" for number in range(game.seats[-1])]
    match = Match.new(game, names, seed=2)
    for viewer in range(-1, len(names)):
        rows = table_rows(game, match.view(viewer), viewer, names)
        assert rows[0].heading, "the first row says what it shows; one without a heading goes on with the row above"
        assert all(row.line.text and "\n" not in row.line.text for row in rows)


def test_a_game_without_rows_of_its_own_is_drawn_from_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backroom.scenes.rows.terminal_module", lambda game: None)
    place = session("corporation", 3)
    place.match.play(1, "card 7")
    hidden = {row.heading: row.line.text for row in table_rows(place.game, place.view, 0, place.names)}
    assert "placed 0" in hidden["anna"], "what is one's own"
    assert "placed" not in hidden["ben"], "and nobody else's"
    place.obey("card 10")
    place.match.play(2, "card 3")
    rows = {row.heading: row for row in table_rows(place.game, place.view, 0, place.names)}
    assert [rows[name].seat for name in ("anna", "ben", "cleo")] == [0, 1, 2]
    assert "score 7" in rows["ben"].line.text
    assert not {"target", "acting", "chance key"} & set(rows), "neither switches nor what the engine keeps"


def test_things_are_coloured_and_the_rule_follows() -> None:
    text = line_text(Line(("Opened ", Thing("card", "S", "2 scientists"), "."), "C22"), {"S": "#ffffff"})
    assert text.plain == "Opened 2 scientists.  C22"
    assert any("on #ffffff" in str(span.style) for span in text.spans)


def test_rules_by_id() -> None:
    rulebook = "# Game\n\n## Turn\n\n- **C1** One thing.\n  More of it.\n- **C12** Another.\n\n## End\n\nText.\n"
    assert rule_section(rulebook, "c1") == "- **C1** One thing.\n  More of it."
    assert rule_section(rulebook, "C12").strip() == "- **C12** Another."
    assert rule_section(rulebook, "") == "# Game\n## Turn\n## End"
    with pytest.raises(Refusal, match="C2"):
        rule_section(rulebook, "C2")


@pytest.mark.parametrize("name", game_names())
def test_every_rule_a_log_line_names_is_in_the_rulebook(name: str) -> None:
    game = find_game(name)
    match = Match.new(game, [f"p{number}" for number in range(game.seats[0])], seed=6)
    bot = make_bot(game, "random")
    from backroom.engine.rng import generator

    while not match.over and match.ply < 150:
        seat = match.acting[0]
        match.play_actions(seat, bot.choose(match.view(seat), seat, generator(6, seat, match.ply)))
    named = {line.rule for _, line in match.lines(SPECTATOR) if line.rule}
    assert named
    rulebook = game.file("rulebook.md").read_text("utf-8")
    for rule in named:
        assert rule_section(rulebook, rule)


# Completion


def test_completion_offers_commands_and_moves() -> None:
    place = session(**HAND)
    words = [word for _, word in place.completions("")]
    assert {"help", "undo", "take"} <= set(words)
    assert (3, "take") in place.completions("TAK")
    factions = [word for _, word in place.completions("take ")]
    assert factions
    assert all(word in {"scientists", "robocats", "detectives", "mafia", "hackers"} for word in factions)
    assert place.completions("take " + factions[0][:3]) == [(3, factions[0])]
    assert place.completions("take dogs ") == []


def test_completion_offers_two_words_that_belong_together() -> None:
    place = session(factions="JDMPH")
    place.match.state.hand[0] = [2, 0, 0, 0, 0, 0, 3, 3]
    place.match.state.hand_size[0] = 8
    offered = place.completions("play police x2 + hackers >")
    assert offered == [(1, "> ben"), (1, "> cleo")]
    assert place.completions("play police x2 + hackers > c") == [(3, "> cleo")]


def test_what_completion_offers_leads_to_moves_that_are_accepted() -> None:
    place = session(**HAND)
    text = "take"
    while "take" in text and (offered := place.completions(text + " ")):
        text = f"{text} {offered[-1][1]}"
    assert place.obey(text)


def test_the_hint_says_what_a_move_will_do_or_what_is_wrong() -> None:
    place = session(**HAND)
    assert place.hint("").startswith("anna, turn:")
    assert place.hint("take dogs").startswith("E_FACTION")
    assert place.hint("ta") == "next: take"
    legal = place.game.legal(place.view, 0)
    text = " ".join(token.text for token in place.game.notation.move_tokens(place.view, 0, int(legal[0]), place.names))
    assert place.hint(text) == place.game.notation.preview(place.game, place.view, 0, [int(legal[0])], place.names)


@pytest.fixture
def keys() -> Iterator[Any]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


def test_a_line_is_read_and_kept_for_the_next_one(keys: Any) -> None:
    read = prompt_reader()
    keys.send_text("take scientists\r")
    assert read(session(**HAND)) == "take scientists"
    keys.send_text("\x1b[A x1\r")
    assert read(session(**HAND)) == "take scientists x1"


def test_control_c_and_d_leave(keys: Any) -> None:
    read = prompt_reader()
    keys.send_text("\x03")
    with pytest.raises(KeyboardInterrupt):
        read(session())
    keys.send_text("\x04")
    with pytest.raises(EOFError):
        read(session())


# In a real terminal


def test_in_a_terminal(tmp_path: Path) -> None:
    arguments = ["-c", "from backroom.cli import main; main()"]
    arguments += [
        "play",
        "catham",
        "-n",
        "3",
        "--bots",
        "random",
        "--name",
        "anna",
        "--seed",
        "5",
        "-o",
        "factions=first",
    ]
    plain = os.environ | {"BACKROOM_JIT": "0"}  # spares this process the compiler
    child = pexpect.spawn(sys.executable, arguments, cwd=tmp_path, env=plain, encoding="utf-8", timeout=120)
    child.expect("Type a move, or help")
    child.expect("anna, turn")
    child.sendline("take nothing")
    child.expect("E_FACTION")
    child.send("tak\t")
    child.expect("take")
    child.sendline(" " + "x" * 3)
    child.expect("E_FACTION")
    child.expect_exact("\x1b[?2004h")  # the next prompt is there
    child.sendcontrol("c")
    child.expect(r"Saved in (\S+\.json)")
    saved = tmp_path / child.match.group(1)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "Traceback" not in (child.before or "")
    assert Match.loads(saved.read_text()).ply == 0


def test_a_closed_pipe_is_told_in_one_line(tmp_path: Path) -> None:
    match = Match.new("catham", ["anna", "ben"], seed=1)
    (tmp_path / "match.json").write_text(match.dumps())
    command = f"{sys.executable} -c 'from backroom.cli import main; main()' replay {'match.json ' * 400} | head -1"
    plain = os.environ | {"BACKROOM_JIT": "0"}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=plain, capture_output=True, text=True)
    assert done.stderr == "E_OUTPUT: the output is not complete: nobody reads it any more\n"
    assert done.stdout.startswith("match.json: ok 0 moves")
