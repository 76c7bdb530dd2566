"""A switch is declared once: the state's fields, their codes and the opening state follow."""

from typing import Any, Literal

import numpy as np
import pytest

from backroom.engine.facts import facts_of
from backroom.engine.game import find_game, game_names
from backroom.engine.options import Options, switch, who_begins
from backroom.engine.record import record
from backroom.engine.refusal import Refusal


class Declared(Options):
    owner: str | None = who_begins(description="", source="")
    tie: Literal["share", "none", "more"] = switch("share", description="")
    kind: Literal["small", "large"] | None = switch(None, description="", by_seats={2: "small", 3: "large"})
    worth: Literal[10, 1] = switch(10, description="")
    quick: bool = switch(False, description="")
    target: int | None = switch(None, ge=5, le=30, description="", by_seats={2: 16, 3: 13})
    limit: int | None = switch(None, ge=0, le=127, description="")
    rounds: int | None = switch(None, ge=1, le=128, description="")
    gold: int = switch(0, ge=-40_000, le=0, description="")
    password: str = switch("", description="")


FIELDS = {
    "tie": (np.int8, 0, 2), "kind": (np.int8, 0, 1), "worth": (np.int8, 1, 10), "quick": (np.int8, 0, 1),
    "target": (np.int8, 5, 30), "limit": (np.int8, -1, 127), "rounds": (np.int16, -1, 128),
    "gold": (np.int32, -40_000, 0),
}  # fmt: skip


def test_fields_follow_from_what_is_declared() -> None:
    found = {name: (field.dtype, *map(int, field.bounds)) for name, field in Declared.fields().items()}
    assert found == FIELDS
    assert list(found) == list(FIELDS), "in the order of the switches; free text has none"
    assert all(field.shape == () for field in Declared.fields().values())


def test_codes_are_what_encode_writes() -> None:
    assert Declared.codes("tie") == (0, 1, 2)
    assert Declared.codes("kind") == (0, 1)
    assert Declared.codes("worth") == (10, 1)
    assert Declared.codes("quick") == (0, 1)
    assert Declared.codes("gold") == Declared.codes("password") == ()
    for name in ("tie", "kind", "worth", "quick"):
        for code, value in zip(Declared.codes(name), Declared._listed(name), strict=True):
            assert Declared.build({name: value}).encode(["anna", "ben"])[name] == code


@pytest.mark.parametrize(("players", "kind", "target"), [(["anna", "ben"], 0, 16), (["anna", "ben", "cleo"], 1, 13)])
def test_none_is_what_the_number_of_players_says_or_nothing(players: list[str], kind: int, target: int) -> None:
    coded = Declared().encode(players)
    assert coded == {
        "rotation": 0, "tie": 0, "kind": kind, "worth": 10, "quick": 0, "target": target, "limit": -1, "rounds": -1,
        "gold": 0,
    }  # fmt: skip
    assert Declared.printed("target", len(players)) == target
    assert Declared.printed("kind", len(players)) == ("small", "large")[kind]
    given = Declared(kind="large", target=7, limit=0).encode(players)
    assert (given["kind"], given["target"], given["limit"]) == (1, 7, 0)


def test_a_name_that_is_none_means_nothing_else() -> None:
    assert Declared.build({"tie": "none"}).tie == "none"
    assert Declared.build({"kind": "none"}).kind is None


@pytest.mark.parametrize(
    ("owner", "rotation"), [(None, 0), ("anna", 0), ("BEN", 1), ("cleo o", 2), ("cleo_o", 2), ("Random", -1)]
)
def test_who_begins(owner: str | None, rotation: int) -> None:
    assert Declared(owner=owner).encode(["anna", "ben", "Cleo O"])["rotation"] == rotation


def test_nobody_of_that_name_begins() -> None:
    with pytest.raises(Refusal, match="owner: nobody is called 'dan'; say one of anna, ben") as refused:
        Declared(owner="dan").encode(["anna", "ben"])
    assert refused.value.code == "E_SETUP"


def test_a_number_without_ends_is_no_switch() -> None:
    class Endless(Options):
        rounds: int = switch(3, ge=1, description="")

    with pytest.raises(ValueError, match="rounds: a number is declared with ge and le"):
        Endless.fields()


@pytest.mark.parametrize("values", [
    {}, {"tie": "none"}, {"tie": "more", "worth": 1, "quick": True}, {"target": 30, "limit": 0, "rounds": 128},
    {"gold": -1}, {"gold": -40_000, "limit": 127},
])  # fmt: skip
def test_what_a_state_holds_is_read_back(values: dict[str, Any]) -> None:
    kind = record(3, **Declared.fields())
    for players in (["anna", "ben"], ["anna", "ben", "cleo"]):
        state = kind.new()
        state.seats = len(players)
        for name, code in Declared.build(values).encode(players).items():
            state[name] = code
        assert Declared.changed(state) == values


def test_a_value_that_is_printed_for_the_players_is_not_changed() -> None:
    state = record(3, **Declared.fields()).new()
    state.seats = 2
    for name, code in Declared(target=16, kind="large").encode(["anna", "ben"]).items():
        state[name] = code
    assert Declared.changed(state) == {"kind": "large"}


@pytest.mark.parametrize("name", game_names())
def test_a_record_has_the_declared_fields_and_holds_what_is_encoded(name: str) -> None:
    game = find_game(name)
    for option, field in game.options.fields().items():
        assert game.state.fields[option] == field
    players = [f"p{number}" for number in range(game.seats.start)]
    for option in game.options.fields().keys() & game.options.model_fields.keys():
        # Some values are refused with the default of another option; the facts know under which others they count.
        context = next(iter(facts_of(game).contexts.get(option, ())), {})
        others = {name: other for name, other in context.items() if name in game.options.model_fields}
        for value in game.options.choices(option):
            built = game.options.build(others | {option: value})
            state = game.blank(built, players)
            assert int(state[option]) == built.code(option, len(players))
            low, high = game.state.fields[option].bounds
            assert low <= int(state[option]) <= high
