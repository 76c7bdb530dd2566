"""Completion: what may come next, on a toy whose moves have one to four actions."""

import pytest

from backroom.conformance.play import refusal_of
from backroom.engine.match import Match
from backroom.engine.notation import Line, Thing, Token, complete, move_text, play_on_view
from toys.bazaar import GAME
from toys.bazaar.rules import ACTIONS, PICK, SELL

HAND = [2, 0, 0, 1]


@pytest.fixture
def match() -> Match:
    """Anna to move with the hand a a d."""
    found = Match.new(GAME, ["anna", "ben"], seed=26)
    assert found.state.hand[0].tolist() == HAND
    return found


def words(match: Match, prefix: str, seat: int = 0) -> list[str]:
    return [token.text for token in complete(GAME, match.view(seat), seat, prefix, match.names).tokens]


def test_first_words_are_given_once_each(match: Match) -> None:
    assert words(match, "") == ["stay", "draw", "sell", "offer"]
    assert complete(GAME, match.view(0), 0, "", match.names).actions is None


def test_words_within_an_action_and_within_a_move(match: Match) -> None:
    assert words(match, "sell") == ["x1", "x2", "x3"]
    assert words(match, "SELL  X2 ") == ["a"]
    assert words(match, "sell x2 a") == ["a", "d"]
    assert words(match, "sell x1") == ["a", "d"]
    assert words(match, "offer") == ["a", "d"]


def test_whole_moves_have_their_actions(match: Match) -> None:
    found = complete(GAME, match.view(0), 0, "sell x2 a d", match.names)
    assert found.tokens == ()
    assert found.actions == (SELL + 1, PICK, PICK + 3)
    assert complete(GAME, match.view(0), 0, "draw", match.names).actions == (1,)


@pytest.mark.parametrize("prefix", ["x", "sell x4", "sell x2 d", "sell x2 d a", "draw draw", "sel", "sell x1 a a", "é"])
def test_what_begins_no_legal_move_is_refused(match: Match, prefix: str) -> None:
    problem = refusal_of(lambda: words(match, prefix))
    assert problem is not None
    assert problem.code == "E_SYNTAX"


def test_who_is_not_asked_has_nothing_to_complete(match: Match) -> None:
    problem = refusal_of(lambda: words(match, "", seat=1))
    assert problem is not None
    assert problem.code == "E_SYNTAX"


def test_completing_leaves_the_view_alone(match: Match) -> None:
    view = match.view(0)
    before = view.tobytes()
    complete(GAME, view, 0, "sell x3 a", match.names)
    move_text(GAME, view, 0, [SELL + 1, PICK, PICK + 3], match.names)
    play_on_view(GAME, view, 0, SELL)
    assert view.tobytes() == before


def test_move_text_and_glue(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    actions = [SELL + 1, PICK, PICK + 3]
    assert move_text(GAME, match.view(0), 0, actions, match.names) == "sell x2 a d"

    def tokens(view: object, seat: int, action: int, names: object) -> tuple[Token, ...]:
        """The same game in other words: ``sell=2``, then ``,a`` for each card, glued."""
        name, indices = ACTIONS.family(action).name, ACTIONS.indices(action)
        if name == "sell":
            return Token("sell", "verb"), Token(f"={indices[0] + 1}", "count", glue=True)
        if name == "pick":
            return (Token("," + "abcd"[indices[0]], "card", glue=True),)
        return (Token(f"{name} {indices}", "verb"),)

    monkeypatch.setattr(GAME.notation, "move_tokens", tokens)
    assert move_text(GAME, match.view(0), 0, actions, match.names) == "sell=2,a,d"
    for prefix in ("sell=2,a", "sell = 2 , a", "SELL=2 ,a"):
        assert words(match, prefix) == [",a", ",d"]
    assert complete(GAME, match.view(0), 0, "sell=2,a,d", match.names).actions == tuple(actions)


def test_an_action_without_words_ends_a_move(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = GAME.notation.move_tokens

    def tokens(view: object, seat: int, action: int, names: list[str]) -> tuple[Token, ...]:
        """The last card of a sale, where only one kind is left, goes without saying."""
        return () if action == PICK + 3 else plain(view, seat, action, names)

    monkeypatch.setattr(GAME.notation, "move_tokens", tokens)
    found = complete(GAME, match.view(0), 0, "sell x2 a", match.names)
    assert found.actions == (SELL + 1, PICK, PICK + 3)
    assert [token.text for token in found.tokens] == ["a"]


def test_a_lines_text_is_its_words() -> None:
    assert Line(("anna draws ", Thing("card", "a", "an apple")), "B2").text == "anna draws an apple"
