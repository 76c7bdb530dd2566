"""The move in preparation that a page works on.

It is nothing but its text; clicking a thing on the table gives another text.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from backroom.engine.game import Game, Refusal
from backroom.engine.notation import Completion, Token, complete, move_text, pieces, play_on_view

__all__ = ["Draft"]

MOST_PLACES = 300
"""In so many positions in the middle of moves it is looked for words."""


class Draft:
    """A move in preparation: a text, what it means, and what may follow it.

    ``text`` is what the seat typed or clicked together: in canonical words where it can be read, else as it was typed;
    ``actions`` the whole move, or None while it is not complete; ``tokens`` what may come next; ``sentence`` what a
    whole move will do; ``problem`` why the text cannot be read (code, message), or None. A seat that is not acting has
    an empty draft, or what it has prepared for its turn (``kept`` and its words), which is only shown.

    For a move that is prepared while others think, ``view`` is as if the seat's turn began now (`Game.ahead`), and
    ``now`` is the view as it is, from which a scene draws who is thinking. ``asked`` is what another draft of the
    position has asked already.
    """

    def __init__(
        self,
        game: Game,
        view: Any,
        seat: int,
        names: Sequence[str],
        text: str = "",
        now: Any = None,
        kept: str = "",
        kept_words: Sequence[Token] = (),
        asked: dict[str, Completion | None] | None = None,
    ) -> None:
        self.game, self.view, self.seat, self.names = game, view, seat, names
        self.now = view if now is None else now
        self._kept_words = tuple(kept_words)
        self._found = {} if asked is None else asked
        self.text = " ".join(text.split())
        self.actions: tuple[int, ...] | None = None
        self.tokens: tuple[Token, ...] = ()
        self.sentence = ""
        self.problem: tuple[str, str] | None = None
        self.acting = seat >= 0 and not int(view.over) and bool(int(view.acting) >> seat & 1)
        if not self.acting:
            self.text = kept
            return
        found = self._complete(self.text)
        if found is not None:
            self.tokens, self.actions = found.tokens, found.actions
            self.text = self.joined(self._spell(self.text)[0])
        if self.actions is None and self.text:
            self._read()
        if self.problem is not None:
            self.text = text
        if self.actions is not None:
            self.sentence = game.notation.preview(game, view, seat, self.actions, names)

    @cached_property
    def spelled(self) -> tuple[Token, ...]:
        """The words that the text is made of.

        Where it does not go on as a move does, those of it that occur in some move of the seat.
        """
        if not self.acting:
            return self._kept_words
        spelled, rest = self._read_so_far
        return (*spelled, *self._occurring(rest))

    def _read(self) -> None:
        """Accept what a person may type besides the canonical words: prefixes, left-out counts ..."""
        try:
            self.actions = tuple(self.game.notation.parse_move(self.game, self.view, self.seat, self.text, self.names))
        except Refusal as refusal:
            if not self.tokens:
                self.problem = refusal.code, refusal.message
            return
        self.text = move_text(self.game, self.view, self.seat, self.actions, self.names)
        found = self._complete(self.text)
        self.tokens = found.tokens if found is not None else ()

    def _complete(self, prefix: str) -> Completion | None:
        """`backroom.engine.notation.complete`, remembered; None when no legal move begins like that."""
        prefix = " ".join(prefix.split())
        if prefix not in self._found:
            try:
                self._found[prefix] = complete(self.game, self.view, self.seat, prefix, self.names)
            except Refusal:
                self._found[prefix] = None
        return self._found[prefix]

    def begun(self, text: str) -> "Draft":
        """Another text of the same seat in the same position."""
        return Draft(self.game, self.view, self.seat, self.names, text, self.now, asked=self._found)

    def begins(self, words: str) -> bool:
        """Whether the text so far begins with these words."""
        wanted = pieces(words)
        return pieces(self.text)[: len(wanted)] == wanted

    def names_thing(self, kind: str, key: str) -> bool:
        """Whether the text so far names a thing."""
        return any((token.kind, token.key) == (kind, key) for token in self._read_so_far[0])

    def click(self, kind: str, key: str, *starts: str) -> str:
        """The text after a click on the thing ``kind`` ``key``, or the empty text when a click on it does nothing.

        The first of these that there is: the thing comes next; it is named already and its count goes up (after the
        largest to the smallest); it comes instead of what was named last, or is taken back if it is that itself; it
        begins another move with one of ``starts``. A text that cannot be read keeps nobody from clicking: it is as if
        nothing had been said.
        """
        if self.problem is not None:
            return self.begun("").click(kind, key, *starts)
        for token in self.tokens:
            if (token.kind, token.key) == (kind, key):
                return self.settle(self.append(self.text, token))
        return (
            self._recount(kind, key)
            or self._replace(kind, key)
            or next((text for text in map(self.settle, starts) if text), "")
        )

    def settle(self, text: str, count: bool = True) -> str:
        """The text with everything appended that leaves no choice, and the smallest count; empty if it is no move.

        Without ``count`` a count is a choice like any other.
        """
        while True:
            found = self._complete(text)
            if found is None:
                return ""
            if found.actions is not None or not found.tokens:
                return text
            if len(found.tokens) > 1 and not (count and all(token.kind == "count" for token in found.tokens)):
                return text
            text = self.append(text, found.tokens[0])

    @staticmethod
    def append(text: str, token: Token) -> str:
        """The text with one more token."""
        return text + token.text if token.glue or not text else f"{text} {token.text}"

    @staticmethod
    def joined(tokens: Sequence[Token], text: str = "") -> str:
        """Tokens as they are typed in a row, after a text."""
        for token in tokens:
            text = Draft.append(text, token)
        return text

    @cached_property
    def _read_so_far(self) -> tuple[list[Token], list[str]]:
        """`_spell` of the text, which stays as it is: everything on a table that can be clicked asks for it."""
        return self._spell(self.text)

    def _spell(self, text: str) -> tuple[list[Token], list[str]]:
        """The tokens of a text as far as it is the beginning of a move, and the pieces after these."""
        spelled: list[Token] = []
        words, prefix = pieces(text), ""
        while words:
            found = self._complete(prefix)
            tokens = found.tokens if found is not None else ()
            fitting = [token for token in tokens if words[: len(pieces(token.text))] == pieces(token.text)]
            if not fitting:
                break
            token = max(fitting, key=lambda candidate: len(pieces(candidate.text)))
            spelled.append(token)
            words = words[len(pieces(token.text)) :]
            prefix = self.append(prefix, token)
        return spelled, words

    def _occurring(self, words: list[str]) -> list[Token]:
        """Of these pieces those that are a token of some move of the seat, in their order."""
        if not words:
            return []
        known: dict[tuple[str, ...], Token] = {}
        game, places = self.game, [self.view]
        for place in places:  # which grows by the places in the middle of a move
            for action in game.legal(place, self.seat).tolist():
                for token in game.notation.move_tokens(place, self.seat, action, self.names):
                    known.setdefault(tuple(pieces(token.text)), token)
                if len(places) < MOST_PLACES:
                    after = play_on_view(game, place, self.seat, action)
                    if int(after.midmove) >> self.seat & 1:
                        places.append(after)
            if {word for key in known for word in key} >= set(words):
                break
        longest, found = max(map(len, known)), []
        while words:
            length = next((n for n in range(longest, 0, -1) if tuple(words[:n]) in known), 0)
            if length:
                found.append(known[tuple(words[:length])])
            words = words[length or 1 :]
        return found

    def _replace(self, kind: str, key: str) -> str:
        spelled, _ = self._read_so_far
        for place in range(len(spelled) - 1, 0, -1):
            prefix = self.joined(spelled[:place])
            if (spelled[place].kind, spelled[place].key) == (kind, key):
                return prefix if place > 1 else ""
            found = self._complete(prefix)
            for token in found.tokens if found is not None else ():
                if (token.kind, token.key) == (kind, key):
                    return self.settle(self.append(prefix, token))
        return ""

    def _recount(self, kind: str, key: str) -> str:
        spelled, _ = self._read_so_far
        for place in range(len(spelled) - 1, -1, -1):
            if (spelled[place].kind, spelled[place].key) != (kind, key):
                continue
            head = self.joined(spelled[: place + 1])
            found = self._complete(head)
            counts = [token for token in found.tokens if token.kind == "count"] if found is not None else []
            if found is None or not counts:
                return ""
            after = spelled[place + 1 :]
            now = after.pop(0) if after and after[0] in counts else None
            larger = counts[counts.index(now) + 1 :] if now is not None else counts
            if larger:
                head = self.append(head, larger[0])
            elif found.actions is None:
                head = self.append(head, counts[0])
            return self.settle(self.joined(after, head)) or self.settle(head)
        return ""
