"""The table in a terminal: draws one seat's view, reads its moves and commands, and lets the bots answer.

Nothing here knows a particular game: what is drawn are the rows of `backroom.scenes.rows`.
"""

import base64
import io
import json
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from backroom.bots.bot import READ_SECONDS, Bot
from backroom.engine.game import CAPPED, Refusal
from backroom.engine.match import MAX_FILE, Match, read_json
from backroom.engine.notation import Line, Thing, complete, move_text, pieces, play_on_view
from backroom.engine.record import ALL_KNOWING
from backroom.engine.rng import generator
from backroom.scenes.rows import table_rows, terminal_module
from backroom.text.files import shown, unusable
from backroom.text.harmless import harmless
from backroom.text.rulebook import passages

__all__ = [
    "COMMANDS", "YOU", "Session", "line_text", "prompt_reader", "read_saved", "rule_section", "stream_reader",
]  # fmt: skip

COMMANDS = {
    "help": "this list",
    "moves": "the moves you can make now; `moves WORDS` what may follow these words",
    "rules": "contents of the rulebook; `rules ID` one rule, by the id that log lines end with",
    "position": "the position as one line",
    "log": "everything that happened, as you may know it",
    "undo": "back to your last decision",
    "save": "`save FILE` writes the match to a file",
    "quit": "leave; a match that is not over is written to a file you can resume",
}
YOU = "you"
"""The person at the terminal, in a match file's ``seats``; every other entry there is a bot's spec."""
FORGET = "\x1b[H\x1b[2J\x1b[3J"
"""Has a terminal clear the window and what has scrolled out of it."""
PREVIEWED = 30
"""Up to so many moves are listed with what each does, more as plain columns."""


def line_text(line: Line, colours: Mapping[str, str]) -> Text:
    """A line for the terminal: things as chips in their colour (players, and without one, bold), then the rule's id."""
    text = Text()
    for part in line.parts:
        if isinstance(part, Thing):
            colour = colours.get(part.key) if part.kind != "seat" else None
            text.append(part.words, f"black on {colour}" if colour else "bold")
        else:
            text.append(harmless(part))
    if line.rule:
        text.append(f"  {line.rule}", "dim")
    return text


def rule_section(rulebook: str, wanted: str) -> str:
    """One rule of a rulebook by its id, or the contents when ``wanted`` is empty. Refusal E_RULE for an unknown id."""
    found = passages(rulebook)
    if not wanted:
        return "\n".join(passage.lines[0] for passage in found if passage.lines[0].startswith("#"))
    lines = [line for passage in found if passage.rule.lower() == wanted.lower() for line in passage.lines]
    if not lines:
        raise Refusal("E_RULE", f"no rule {wanted!r}; `rules` lists the contents")
    return "\n".join(lines)


def read_saved(text: bytes) -> Any:
    """The content of a saved match file (`Match.from_json`, and ``seats``), sealed or not. Refusal E_FILE."""
    data = read_json(text)
    if not isinstance(data, dict) or "sealed" not in data:
        return data
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(data["sealed"], validate=True), MAX_FILE + 1)
    except (TypeError, ValueError, zlib.error):
        raise Refusal("E_FILE", "the sealed part of the file is damaged") from None
    return read_json(unpacked)


def _sealed(data: dict[str, Any]) -> dict[str, Any]:
    """A saved match whose rules forbid looking back: nothing of it can be read at a glance, but play goes on from it.

    No lock keeps out who writes a program for it; whoever sits alone with the file has nobody else to cheat.
    """
    packed = zlib.compress(json.dumps(data, ensure_ascii=False).encode())
    kept = {name: data[name] for name in ("backroom", "game", "rules", "commitment")}
    return kept | {"sealed": base64.b64encode(packed).decode()}


class Session:
    """One person's place at a table of bots.

    ``bots`` are the players of the other seats. ``path`` is the file the match came from, if any; `quit` then writes
    it there.
    """

    def __init__(
        self,
        match: Match,
        you: int,
        bots: Mapping[int, Bot],
        console: Console,
        path: Path | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.you = you
        self.bots = bots
        self.kinds = {name: bots[seat].spec if seat in bots else YOU for seat, name in enumerate(match.names)}
        self.console = console
        self.path = path
        self.own_files = {path.resolve()} if path else set()
        self.told = -1
        self.colours: Mapping[str, str] = getattr(terminal_module(self.game), "COLOURS", {})

    def run(self, read: Callable[["Session"], str]) -> None:
        """Play until the person leaves, by ``quit``, the end of input or an interrupt.

        ``read`` gives the next typed line, or raises EOFError.
        """
        self._greet()
        try:
            changed = True
            while True:
                if changed:
                    self._let_bots_play()
                    self._show()
                try:
                    changed = self.obey(read(self))
                except Refusal as problem:
                    changed = False
                    self._plain(str(problem), "red")
        except (EOFError, KeyboardInterrupt):
            self._leave()

    def obey(self, text: str) -> bool:
        """Carry out a typed move or command; whether the position changed.

        EOFError when it was ``quit``. Refusal when it cannot be done; then nothing changed.
        """
        word, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        match word.lower():
            case "":
                return False
            case "help" | "?":
                self.console.print(_grid((Text(name, "bold"), Text(what)) for name, what in COMMANDS.items()))
                self.console.print("Anything else is a move. Words of a move may be shortened as the rulebook says.")
            case "rules":
                rulebook = self.game.file("rulebook.md")
                if not rulebook.is_file():
                    raise Refusal("E_RULE", f"{self.game.title} has no rulebook")
                self.console.print(Markdown(rule_section(rulebook.read_text("utf-8"), rest)))
            case "moves":
                self.console.print(self.listing(rest))
            case "position":
                viewer = ALL_KNOWING if self.match.over else self.you
                self._plain(self.game.notation.position(self.view, self.names, viewer))
            case "log":
                self._tell(self.match.lines(self.you))
            case "save":
                if not rest:
                    raise Refusal("E_SYNTAX", "`save FILE` needs the name of a file")
                self.save(Path(rest))
            case "undo":
                self.undo()
                return True
            case "quit":
                raise EOFError
            case _:
                self.match.play(self.you, text.strip())
                return True
        return False

    @property
    def view(self) -> Any:
        """The view of this seat: everything, once the match is over."""
        return self.game.state.view(self.match.state, ALL_KNOWING if self.match.over else self.you)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.match.names

    def completions(self, text: str) -> list[tuple[int, str]]:
        """The possible next words: (how many of the last characters they replace, word or words)."""
        # What is being typed may be the last piece, the last two words (a token may be "> ben"), or still nothing.
        last = (pieces(text) or [""])[-1]
        typed = [last if text.lower().endswith(last) else ""]
        if two := re.search(r"\S+\s+\S*$", text):
            typed.append(two[0])
        if typed[0]:
            typed.append("")
        found = [(len(text), name) for name in COMMANDS if name.startswith(text.lower())]
        for part in typed:
            try:
                before = text[: len(text) - len(part)]
                tokens = complete(self.game, self.view, self.you, before, self.names).tokens
            except Refusal:
                continue
            words = re.sub(r"\s+", " ", part.lower())
            apart = part or not text or text[-1].isspace()
            found += [(len(part), t.text) for t in tokens if t.text.lower().startswith(words) and (apart or t.glue)]
        return found

    def hint(self, text: str) -> str:
        """One line about a move being typed: what it will do, else what may follow, else why it cannot be read."""
        if not text.strip() or text.split()[0].lower() in COMMANDS:
            return self._asked()
        try:
            actions = self.game.notation.parse_move(self.game, self.view, self.you, text.strip(), self.names)
            return str(self.game.notation.preview(self.game, self.view, self.you, actions, self.names))
        except Refusal as problem:
            words = [word for _, word in self.completions(text)]
            return f"next: {', '.join(words)}" if words else str(problem)

    def listing(self, prefix: str) -> RenderableType:
        """Your legal moves and what each does; after a prefix, what may follow it. Refusal when nothing may."""
        view, notation = self.view, self.game.notation
        if prefix:
            after = complete(self.game, view, self.you, prefix, self.names)
            lines = [token.text for token in after.tokens]
            if after.actions is not None:
                lines.append(f"(as it is: {notation.preview(self.game, view, self.you, after.actions, self.names)})")
            return Columns([Text(line) for line in lines], padding=(0, 3))
        legal = self.game.legal(view, self.you).tolist()
        if not legal:
            raise Refusal("E_ACTOR" if not self.match.over else "E_OVER", self._asked())
        texts = []
        for action in legal:
            words = move_text(self.game, view, self.you, [action], self.names)
            unfinished = int(play_on_view(self.game, view, self.you, action).midmove) >> self.you & 1
            texts.append(f"{words} ..." if unfinished else words)
        if len(legal) > PREVIEWED:
            return Columns([Text(text) for text in texts], padding=(0, 3))
        previews = [notation.preview(self.game, view, self.you, [action], self.names) for action in legal]
        return _grid((Text(text, "bold"), Text(what)) for text, what in zip(texts, previews, strict=True))

    def undo(self) -> None:
        """Take back everything from your last move on.

        Refusal E_PLY when you have made none, E_UNDO where the rules forbid looking back while the match goes on.
        """
        self.match.refuse_looking_back()
        mine = [ply for ply, move in enumerate(self.match.moves) if move.seat == self.you and move.message is None]
        if not mine:
            raise Refusal("E_PLY", "you have made no move yet")
        while self.match.ply > mine[-1]:
            self.match.undo()
        self.told = self.match.ply
        self.console.print(f"Back before your last move (ply {self.match.ply}).")

    def save(self, path: Path) -> None:
        """Write the match, with who sits where, and name the file.

        While the rules forbid looking back, what is written can be resumed but not read (`read_saved`).
        Refusal E_FILE when that fails, or for a file that is there and is not this match's own.
        """
        # Unlike `Path.exists`, this one has an answer for every name; one that no file can have fails below.
        if os.path.exists(path) and path.resolve() not in self.own_files:
            raise Refusal("E_FILE", f"{shown(path)} exists already; choose another name")
        # The longest name that a file can have leaves no room for an ending.
        part = path.with_name(f"backroom-{os.getpid()}.part")
        data = self.match.to_json() | {"seats": self.kinds}
        if self.match.keeps_back():
            data = _sealed(data)
        try:
            part.write_text(json.dumps(data, ensure_ascii=False) + "\n", "utf-8")
            part.replace(path)
        except (OSError, ValueError) as problem:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise unusable(path, "be written", problem) from None
        self.own_files.add(path.resolve())
        self._plain(f"Saved in {shown(path)}")

    def _leave(self) -> None:
        if self.match.over:
            return
        path = self.path or self._free_path()
        try:
            self.save(path)
            self._plain(f"Go on with: backroom play --resume {shown(path)}")
        except Refusal as problem:
            self._plain(str(problem), "red")

    def _free_path(self) -> Path:
        stem = f"{self.game.name}-{self.match.commitment[:8]}"
        number = 1
        while os.path.exists(path := Path(f"{stem}.json" if number == 1 else f"{stem}-{number}.json")):
            number += 1
        return path

    def _let_bots_play(self) -> None:
        while not self.match.over:
            waiting = [seat for seat in self.match.acting if seat != self.you]
            if not waiting:
                break
            if any(self._bot_says(seat) for seat in waiting):
                continue
            if self.game.messages is not None and self.you in self.match.acting:
                break  # they decide after you, so that they have heard you
            if self.match.ply > self.told and self.match.keeps_back(self.match.ply - 1):
                self._show()
                if self.console.is_terminal:
                    time.sleep(READ_SECONDS)
            with self.console.status(f"{escape(self.names[waiting[0]])} is thinking"):
                self._bot_move(waiting[0])

    def _bot_random(self, seat: int) -> Any:
        # The address makes the bot's answer the same after undo and resume, whatever happened before.
        return generator(self.match.seed, "bot in the terminal", seat, self.match.ply)

    def _bot_says(self, seat: int) -> bool:
        """Let a bot speak where talk is part of the rules; whether it had something to say."""
        if self.game.messages is None:
            return False
        message = self.bots[seat].say(self.match.view(seat), seat, self._bot_random(seat))
        if message >= 0:
            self.match.play(seat, self.game.talk_notation.talk_text(message, self.names))
        return message >= 0

    def _bot_move(self, seat: int) -> None:
        view = self.bots[seat].informed(self.match.views(seat), self.match.view(seat), seat)
        self.match.play_actions(seat, self.bots[seat].choose(view, seat, self._bot_random(seat)))

    def _greet(self) -> None:
        seats = ", ".join(f"{name} ({self.kinds[name]})" for name in self.names)
        self.console.print(Text.assemble((self.game.title, "bold"), f": {seats}"))
        self._plain(f"Commitment (SHA-256 of the seed): {self.match.commitment}")
        self.console.print("Type a move, or help.")

    def _show(self) -> None:
        """Draw the table, below what has happened since it was drawn last.

        Where the rules forbid looking back, what the window showed before is cleared away.
        """
        if self.match.keeps_back() and self.console.is_terminal:
            self.console.file.write(FORGET)
        # A player who resumes a saved match has seen all of it but the last move.
        looked = self.told if self.told >= 0 else None
        self._tell(self.match.lines(self.you, self.told + 1, looked))
        self.told = self.match.ply
        self.console.rule(Text(f"{self.game.title}, ply {self.match.ply}"))
        rows = table_rows(self.game, self.view, self.you, self.names)
        self.console.print(_grid((Text(row.heading, "bold"), line_text(row.line, self.colours)) for row in rows))
        if self.match.over:
            self._show_outcome()
        else:
            self.console.print(Text(self._asked(), "bold"))

    def _tell(self, lines: Sequence[tuple[int, Line]]) -> None:
        if lines:
            rows = ((Text(str(ply), "dim"), line_text(line, self.colours)) for ply, line in lines)
            self.console.print(_grid(rows))

    def _asked(self) -> str:
        if self.match.over:
            return "The game is over: log, undo, save FILE or quit."
        if self.you not in self.match.acting:
            return f"Waiting for {', '.join(self.names[seat] for seat in self.match.acting)}."
        question = self.game.notation.question(self.view, self.you)
        words = [token.text for token in complete(self.game, self.view, self.you, "", self.names).tokens]
        shown = ", ".join(words[:12]) + (" ..." if len(words) > 12 else "")
        return f"{self.names[self.you]}, {question}: {shown}"

    def _show_outcome(self) -> None:
        scores, places = self.game.outcome(self.match.state)
        ended = "stopped by a program guard, unfinished" if self.match.state.over == CAPPED else "over"
        self.console.print(Text(f"The game is {ended}.", "bold"))
        order = sorted(range(len(self.names)), key=lambda seat: places[seat])
        self.console.print(
            _grid((Text(f"{places[seat]}.", "bold"), Text(f"{self.names[seat]}  {scores[seat]}")) for seat in order)
        )
        self.console.print("save FILE keeps the match, with its seed; backroom verify FILE then checks every shuffle.")

    def _plain(self, text: str, style: str = "") -> None:
        """Print a line to be copied or searched for: as it is, not wrapped at the window's edge."""
        self.console.print(Text(text, style), soft_wrap=True)


def _grid(rows: Any) -> Table:
    grid = Table.grid(padding=(0, 2))
    for row in rows:
        grid.add_row(*row)
    return grid


def prompt_reader() -> Callable[[Session], str]:
    """Read lines with history, completion (Tab) and, below the line, what the move being typed will do."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import DummyHistory

    class MoveCompleter(Completer):
        def __init__(self, session: Session) -> None:
            self.session = session

        def get_completions(self, document: Document, complete_event: Any) -> Any:
            for length, word in self.session.completions(document.text_before_cursor):
                yield Completion(word, start_position=-length)

    remembering: PromptSession[str] = PromptSession()
    forgetting: PromptSession[str] = PromptSession(history=DummyHistory())

    def read(session: Session) -> str:
        prompt = forgetting if session.match.keeps_back() else remembering
        return prompt.prompt(
            "> ",
            completer=MoveCompleter(session),
            complete_while_typing=False,
            bottom_toolbar=lambda: session.hint(get_app().current_buffer.text),
        )

    return read


def stream_reader() -> Callable[[Session], str]:
    """Read lines from standard input that is no terminal, and repeat each so that the output reads as a record.

    Bytes that are no text become ``\\xff``, so that their line is refused like any other that cannot be read.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")

    def read(session: Session) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        session.console.print(Text(f"> {line.rstrip()}"), soft_wrap=True)
        return line

    return read
