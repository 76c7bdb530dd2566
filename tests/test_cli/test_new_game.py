"""``backroom new-game``: the package that it writes is whole, and it is the game of docs/adding_a_game.md."""

import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import httpx
import pytest

from backroom.new_game import template_files
from servers import Server
from test_cli.conftest import Run, refused

PAGE = Path(__file__).parents[2] / "docs" / "adding_a_game.md"
COMMAND = "from backroom.cli import main; main()"
ROWS = "kuhn/terminal.py"
TABLE = ("kuhn/table.py", "kuhn/table.html")
"""What the page has besides: modules that the game can do without."""
MOST_LINES = 180
"""Of Python, in all that makes the game and its page: what the suite and the tests are told is not among it."""


@pytest.fixture
def liar(run: Run, tmp_path: Path) -> Path:
    """The folder of a game that the command wrote, which is an installed one where the folder is on Python's path."""
    told = run("new-game", "liar")
    assert (told.code, told.err) == (0, "")
    assert "backroom check liar" in told.out
    folder = tmp_path / "liar"
    about = folder / "liar-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: liar\nVersion: 0.1.0\n")
    points = re.search(
        r'^\[project\.entry-points\."backroom\.games"\]\n(.*)', (folder / "pyproject.toml").read_text(), re.M
    )
    assert points
    (about / "entry_points.txt").write_text("[backroom.games]\n" + points[1].replace('"', "") + "\n")
    return folder


def backroom(
    folder: Path, *arguments: str, typed: str = "", program: tuple[str, ...] = ("-c", COMMAND), code: int = 0
) -> str:
    """What a command prints that finds the package; its rules are not compiled, which takes long."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "BACKROOM_JIT": "0"}
    done = subprocess.run(
        [sys.executable, *program, *arguments],
        env=environment, cwd=folder, input=typed, capture_output=True, text=True, timeout=250,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, ""), done.stdout + done.stderr
    return done.stdout


def blocks_of_the_page() -> dict[str, str]:
    """By path, what the page has of a file, in one block or more."""
    blocks: dict[str, str] = {}
    for path, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        blocks[path] = blocks.get(path, "") + text
    return blocks


def test_the_page_has_every_file_of_the_game() -> None:
    blocks, files = blocks_of_the_page(), template_files()
    assert set(blocks) == {*files, ROWS, *TABLE}
    for path, text in files.items():
        assert without_blank_lines(blocks[path]) == without_blank_lines(text), path


def without_blank_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_the_game_is_small() -> None:
    modules = [text for path, text in template_files().items() if path.startswith("kuhn/") and path.endswith(".py")]
    facts = template_files()["kuhn/facts.py"]
    assert sum(text.count("\n") for text in modules) - facts.count("\n") <= MOST_LINES


def test_nothing_in_it_has_the_name_of_the_game_it_is_made_from(liar: Path) -> None:
    for path, text in template_files("liar").items():
        assert (liar / path).read_text("utf-8") == text
        assert "kuhn" not in path + text
        assert not re.search(r"Kuhn(?!, 1950)", text), path


def test_its_types_can_be_checked() -> None:
    assert (resources.files("backroom") / "py.typed").is_file(), "mypy would not look into backroom"


def test_it_is_green_at_once(liar: Path) -> None:
    assert backroom(liar, "check", "liar").splitlines()[-1].endswith(" passed, 0 failed")
    its_own = backroom(liar, "-q", "-p", "no:cacheprovider", "-k", "higher", "tests", program=("-m", "pytest"))
    assert its_own.splitlines()[-1].startswith("1 passed")


def test_it_is_played_and_simulated_by_the_ordinary_commands(liar: Path) -> None:
    assert re.search(r"^liar +2 players +Liar: three cards", backroom(liar, "games"), re.MULTILINE)
    assert backroom(liar, "examples", "liar") == "3 passed, 0 failed\n"
    played = backroom(liar, "play", "liar", "--bots", "random", "--seed", "3", typed="bet\ncheck\ncall\nfold\n" * 9)
    assert "The game is over." in played
    assert re.search(r"is dealt the (jack|queen|king)", played)
    assert "ben is dealt a card" in played
    assert "ended by" not in played
    simulated = backroom(liar, "simulate", "liar", "--bots", "random", "--games", "30", "--workers", "1")
    assert "stopped by a guard: 0 of 30" in simulated
    assert re.search(r"^anna +card [123], stake 1, chips 0 *$", played, re.MULTILINE)
    (liar / "liar" / "terminal.py").write_text(blocks_of_the_page()[ROWS], "utf-8")
    played = backroom(liar, "play", "liar", "--bots", "random", "--seed", "3", typed="check\n")
    assert re.search(r"^anna +the (jack|queen|king), 1 chip in the pot, balance 0 *$", played, re.MULTILINE)
    assert re.search(r"^ben +a card, . chips? in the pot, balance 0 *$", played, re.MULTILINE)


def test_it_is_played_in_the_browser(liar: Path, tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.sqlite3", compiled=False, path=(liar,))
    server.start()
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client, httpx.Client(base_url=server.url) as friend:
            assert "Liar" in client.get("/").text
            chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
            made = client.post("/tables", json={"game": "liar", "chairs": chairs, "options": {"hands": 1}}).json()
            at = made["url"]
            invite = next(
                chair["invite"] for chair in client.get(f"{at}/view.json").json()["chairs"] if chair["invite"]
            )
            assert friend.post(f"{at}/sit", json={"invite": invite, "name": "Ben"}).status_code == 200
            for number, text in enumerate(("check", "bet", "fold")):
                views = {one: one.get(f"{at}/view.json").json() for one in (client, friend)}
                mover = next(one for one in views if views[one]["your_turn"])
                assert f">{text}<" in mover.get(at).text, "the move is offered on the page"
                sent = {"move": text, "ply": views[mover]["ply"], "move_id": f"m{number}"}
                assert mover.post(f"{at}/move", json=sent).status_code == 200
            page = client.get(at).text
            assert "wins" in page
    finally:
        server.kill()


def with_a_page(liar: Path, table: tuple[str, str] = ("", ""), template: tuple[str, str] = ("", "")) -> None:
    """Gives the game the page of the document, with one text put for another in its parts."""
    for path, (old, new) in zip(TABLE, (table, template), strict=True):
        text = blocks_of_the_page()[path].replace("kuhn", "liar")
        assert old in text
        (liar / "liar" / Path(path).name).write_text(text.replace(old, new) if old else text, "utf-8")


def test_the_page_of_its_own_is_drawn(liar: Path) -> None:
    with_a_page(liar)
    assert backroom(liar, "check", "liar", "--only", "pages").splitlines()[-1] == "1 passed, 0 failed"


@pytest.mark.parametrize(
    ("table", "template", "said"),
    [
        (('Emblem("hand-card"), ())', '"hand-card", ())'), ("", ""), "BOX.emblem is 'hand-card', of type str"),
        (("choices=tuple(choices)", "choices=choices"), ("", ""), r"choices is \[.*; its type must be tuple\[Choice"),
        (("", ""), ("one.text", "'raise'"), "a click gives the text 'raise', but cannot read"),
        (("", ""), ("scene.drawn.pot", "scene.drawn.pod"), r"(?s)'pod'.*table\.html:2"),
    ],
    ids=["box", "list", "clicks", "template"],
)
def test_what_is_wrong_with_a_page_is_said(
    liar: Path, table: tuple[str, str], template: tuple[str, str], said: str
) -> None:
    with_a_page(liar, table, template)
    told = backroom(liar, "check", "liar", "--only", "pages", code=1)
    assert re.search(said, told), told


@pytest.mark.parametrize("name", ["", "Liar", "two words", "9lives", "../liar", "class", "lía", "-x"])
def test_what_is_no_name_of_a_package_is_refused(run: Run, tmp_path: Path, name: str) -> None:
    refused(run("new-game", "--", name), "E_USAGE", repr(name))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "said"), [("catham", "a game catham"), ("json", "a package json"), ("numpy", "numpy")]
)
def test_a_name_that_is_taken_is_refused(run: Run, tmp_path: Path, name: str, said: str) -> None:
    refused(run("new-game", name), "E_SETUP", said)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_stays_as_it_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "liar").mkdir()
    (tmp_path / "liar" / "mine.txt").write_text("mine")
    refused(run("new-game", "liar"), "E_FILE", "liar")
    assert [path.name for path in (tmp_path / "liar").iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_nothing_half_written_stays(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: BaseException
) -> None:
    write, written = Path.write_text, []

    def fails(path: Path, text: str, *more: str) -> int:
        written.append(path)
        if len(written) == 4:
            raise problem
        return write(path, text, *more)

    monkeypatch.setattr(Path, "write_text", fails)
    result = run("new-game", "liar")
    assert (result.code, result.out) == (130 if isinstance(problem, KeyboardInterrupt) else 2, "")
    assert len(written) == 4
    assert not list(tmp_path.iterdir())
