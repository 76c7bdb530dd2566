"""Corporation: every rule and ruling against a second, plain account of the rules, and what each player may know."""

from collections import defaultdict
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, find_game
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.view import determinize
from backroom.games.corporation import notation, rules
from backroom.games.corporation.table import rows as table
from backroom.text.examples import run_examples

GAME: Game = find_game("corporation")
NAMES = ("anna", "ben", "cleo", "dan", "eve", "finn", "greta", "hugo", "ines", "jonathan")
CHANGE = (1, 3, 5, 7, 10)

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(10, 120),
        "cards": st.sampled_from(["change", "ranks"]),
        "after_reward": st.sampled_from(["reform", "dissolve"]),
        "tie": st.sampled_from(["share", "more"]),
        "talk": st.sampled_from(["open", "off"]),
        "talk_log": st.sampled_from(["keep", "once"]),
        "talk_limit": st.none() | st.integers(0, 4),
        "max_rounds": st.integers(1, 12),
    },
)


def new(seats: int = 5, **options: object) -> Match:
    return Match.new(GAME, NAMES[:seats], options, seed=1)


def at(position: str) -> Match:
    return Match.from_position(GAME, position, seed=1)


def place(match: Match, *cards: int) -> None:
    for seat, card in enumerate(cards):
        match.play(seat, f"card {card}")


def code_of(match: Match, seat: int, text: str) -> str:
    """The code of the refusal of a move; it must change nothing."""
    before = match.state.tobytes(), match.ply, match.chain[-1]
    with pytest.raises(Refusal) as refused:
        match.play(seat, text)
    assert (match.state.tobytes(), match.ply, match.chain[-1]) == before
    assert "\n" not in refused.value.message
    return refused.value.code


def cards_of(match: Match) -> tuple[int, ...]:
    return CHANGE if match.state.cards == rules.CHANGE else tuple(range(1, len(match.names) + 1))


# K1-K11, told a second time with sets


def account(
    table: tuple[int, ...], placed: tuple[int, ...], dissolve: bool
) -> tuple[list[int], list[int], set[frozenset[int]]]:
    """Gains, the cards on the table afterwards and the rewarded corporations of one round."""
    players = range(len(placed))
    same = defaultdict(set)
    old = defaultdict(set)
    for p in players:
        same[placed[p]].add(p)
        if table[p]:
            old[table[p]].add(p)
    rewarded = {frozenset(members) for members in old.values() if members in same.values()}
    gains = [0] * len(placed)
    for members in rewarded:
        for p in members:
            gains[p] += placed[p] * len(members)
    for members in same.values():
        if len(members) == 1:
            (p,) = members
            gains[p] += placed[p]
    after = [placed[p] if len(same[placed[p]]) > 1 else 0 for p in players]
    if dissolve:
        for members in rewarded:
            for p in members:
                after[p] = 0
    return gains, after, rewarded


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(3, 10), OPTIONS)
def test_rounds_follow_the_plain_account(data: st.DataObject, seats: int, options: dict[str, object]) -> None:
    match = new(seats, **options)
    values = cards_of(match)
    for number in range(1, 13):
        table = tuple(match.state.table[:seats].tolist())
        scores = match.state.score[:seats].tolist()
        # Plans make corporations, rewards and collisions likely; a free choice makes everything else possible.
        plan = data.draw(st.dictionaries(st.sampled_from([0, *values]), st.sampled_from(values)), label="plan")
        placed = []
        for p in range(seats):
            hand = [value for value in values if value != table[p]]
            legal = [int(rules.card_value(action)) + 1 for action in GAME.legal(match.state, p)]
            assert legal == hand  # K1
            wanted = plan.get(table[p], 0)
            placed.append(wanted if wanted in hand else data.draw(st.sampled_from(hand)))
        order = data.draw(st.permutations(range(seats)))
        for p in order:
            match.play(p, f"card {placed[p]}")
        gains, after, rewarded = account(table, tuple(placed), options.get("after_reward") == "dissolve")
        state = match.state
        assert state.gain[:seats].tolist() == gains
        assert state.score[:seats].tolist() == [old + new for old, new in zip(scores, gains, strict=True)]
        assert state.table[:seats].tolist() == after
        assert state.last[:seats].tolist() == placed
        told = {frozenset(event.args["members"]) for event in match.moves[-1].events if event.kind == "rewarded"}
        assert told == rewarded
        for p in range(seats):  # K4: no corporation of one
            assert after[p] == 0 or after.count(after[p]) > 1
        best = max(state.score[:seats].tolist())
        leaders = state.score[:seats].tolist().count(best)
        ended = best >= state.target and (options.get("tie") != "more" or leaders == 1)
        capped = number >= options.get("max_rounds", 99)  # type: ignore[operator]
        assert int(state.over) == (FINISHED if ended else CAPPED if capped else 0)
        if match.over:
            places = GAME.outcome(state)[1]
            assert [p for p in range(seats) if places[p] == 1] == [p for p in range(seats) if state.score[p] == best]
            assert not match.acting
            return
        assert match.acting == list(range(seats))


def test_two_rewards_one_round_for_every_card() -> None:
    """K5 by brute force: two corporations of two and a loner, all placements."""
    start = GAME.notation.parse_position(GAME, "{} | a:0@3 b:0@3 c:0@5 d:0@5 e:0")[0]
    for placed in product(CHANGE, repeat=5):
        if placed[0] == 3 or placed[1] == 3 or placed[2] == 5 or placed[3] == 5:
            continue
        state, log = GAME.state.copy(start), GAME.events.new_log(recording=False)
        for seat, card in enumerate(placed):
            GAME.kernels["apply"](state, seat, rules.card_action(card - 1), log)
        gains, after, _ = account((3, 3, 5, 5, 0), placed, False)
        assert state.gain[:5].tolist() == gains
        assert state.table[:5].tolist() == after


# Examples


def test_examples_of_the_game() -> None:
    report = run_examples(GAME)
    assert not report.failed
    assert set(report.passed) >= {f"KX{number:02}" for number in range(1, 22)}


def test_unseen_examples(tmp_path: Path) -> None:
    """A file of somebody else's: other ids, options, comments with parentheses, talk between rounds."""
    file = tmp_path / "mine.txt"
    file.write_text(
        "T1 {target=30, tie=more , after_reward=dissolve} | A:28@3 B:0@3 C:28   (mine (all of it))\n"
        "! A say hello there -\n"
        "! A card 3 E_TABLE\n"
        "> 5 5 1 => score 38 10 29; corp -; +10 10 1; over A\n"
        "! Z card 3 E_OVER\n"
        "\n"
        "T2 {cards=ranks} | A:0 B:0 C:0\n"
        "! B ask C 4 E_CARD\n"
        "! B card 3 -\n"
        "> 3 3 3 => corp BCA@3; +0 0 0; score 0 0 0\n"
    )
    report = run_examples(GAME, [file])
    assert not report.failed
    assert report.passed == ["T1", "T2"]


RIGHT = {"+": "+0 0 7", "corp": "corp AB@3", "score": "score 0 0 7"}
"""The facts of the round ``3 3 7`` from nothing."""


def round_with(**changed: str) -> str:
    """That round with some facts changed, or one more."""
    return "> 3 3 7 => " + "; ".join((RIGHT | changed).values())


def failed_examples(tmp_path: Path, text: str) -> dict[str, list[str]]:
    file = tmp_path / "wrong.txt"
    file.write_text(text)
    return {failure.id: failure.differences for failure in run_examples(GAME, [file]).failed}


@pytest.mark.parametrize(
    "step",
    [
        round_with(**{"+": "+0 0 8"}),
        round_with(**{"+": "+0 0 seven"}),
        round_with(corp="corp AC@3"),
        round_with(corp="corp -"),
        round_with(corp="corp"),
        round_with(corp="corp - -"),
        round_with(score="score 0 0 0"),
        round_with(score="score 0 0 7 7"),
        round_with(over="over C"),
        round_with(over="over"),
        round_with(more="points 0 0 7"),
        round_with(more="score 0 0 7"),
        round_with(more=""),
        round_with().replace("3 3 7 =>", "3 3 =>"),
        round_with().replace("3 3 7 =>", "4 3 7 =>"),
        "! A card 4 E_TABLE",
        "! A card 7 E_CARD",
        "! A",
        "",
    ],
)
def test_wrong_examples_are_found(tmp_path: Path, step: str) -> None:
    assert not failed_examples(tmp_path, f"R1 | A:0 B:0 C:0\n{round_with()}\n")
    assert list(failed_examples(tmp_path, f"W1 | A:0 B:0 C:0\n{step}\n")) == ["W1"]


@pytest.mark.parametrize("left", [said for count in range(3) for said in combinations(RIGHT, count)])
def test_a_round_with_facts_missing_names_them(tmp_path: Path, left: tuple[str, ...]) -> None:
    facts = "; ".join(RIGHT[fact] for fact in left)
    for step in (f"> 3 3 7 => {facts}", *([] if left else ["> 3 3 7"])):
        (problem,) = failed_examples(tmp_path, f"W1 | A:0 B:0 C:0\n{step}\n")["W1"]
        assert problem.endswith("missing: " + ", ".join(fact for fact in RIGHT if fact not in left)), problem


def test_an_end_the_line_does_not_name_is_found(tmp_path: Path) -> None:
    text = "W1 | A:149 B:0 C:0\n> 1 3 5 => +1 3 5; corp -; score 150 3 5\n"
    (problem,) = failed_examples(tmp_path, text)["W1"]
    assert "the game is over" in problem


def test_a_round_after_the_end_and_a_refused_card_are_named_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text(
        "W1 | A:149 B:0 C:0\n> 1 3 5 => +1 3 5; corp -; score 150 3 5; over A\n> 1 3 5 => +0 0 0; over A\n"
        "W2 | A:0 B:0 C:0\n> 1 3 4 => +1 3 0\n"
    )
    failed = {failure.id: failure.differences for failure in run_examples(GAME, [file]).failed}
    assert failed["W1"][0].startswith("> 1 3 5 => +0 0 0; over A")
    assert failed["W2"][0].startswith("> 1 3 4 => +1 3 0")
    assert "E_CARD" in failed["W2"][0]


# Moves and errors, in the order of K-6


def test_codes_in_their_order() -> None:
    match = at("{talk=off} | anna:0@3 ben:0@3 cleo:0")
    for text in (
        "",
        "card",
        "card x",
        "card -3",
        "card 7.0",
        "card 3 3",
        "cart 3",
        "pass",
        "7",
        "say",
        "say  ",
        "claim",
    ):
        assert code_of(match, 0, text) == "E_SYNTAX", text
    for text in ("claim x", "claim 3 3", "ask ben", "ask ben x", "ask anna 3", "ask zoe 3", "ask ben 3 3"):
        assert code_of(match, 0, text) == "E_SYNTAX", text
    for text in ("say hello", "claim 4", "claim 3", "ask BEN 4", "ask ben 3"):
        assert code_of(match, 0, text) == "E_TALK", text
    assert code_of(match, 0, "card 4") == "E_CARD"
    assert code_of(match, 0, "card 99999999999999999999") == "E_CARD"
    assert code_of(match, 0, "card 3") == "E_TABLE"
    match.play(0, "CARD 7")
    assert code_of(match, 0, "card x") == "E_SYNTAX"
    for text in ("card 4", "card 3", "card 7", "card 5"):
        assert code_of(match, 0, text) == "E_ALREADY", text
    with pytest.raises(Refusal) as refused:
        match.seat_of("zoe")
    assert refused.value.code == "E_ACTOR"


def test_over_comes_before_everything() -> None:
    match = at("{} | anna:149 ben:0 cleo:0")
    place(match, 1, 3, 5)
    assert match.over
    for text in ("card 1", "card x", "nonsense", "say hello", "say", "claim 99", "ask zoe 1"):
        assert code_of(match, 1, text) == "E_OVER", text


def test_the_limit_comes_after_the_card() -> None:
    match = new(3, talk_limit=1)
    match.play(0, "say one")
    assert code_of(match, 0, "claim 4") == "E_CARD"
    assert code_of(match, 0, "ask anna 4") == "E_SYNTAX"
    assert code_of(match, 0, "claim 3") == "E_TALK"
    match.play(1, "say the limit is each player's own")
    place(match, 1, 3, 5)
    match.play(0, "say a new round, a new message")


def test_no_talk_at_all_with_a_limit_of_none() -> None:
    match = new(3, talk_limit=0)
    assert code_of(match, 0, "say hello") == "E_TALK"
    assert int(new(3).state.talk_limit) == -1


def test_set_up_refusals() -> None:
    for seats in (0, 1, 2, 11):
        with pytest.raises(Refusal, match="E_SETUP"):
            Match.new(GAME, [f"p{i}" for i in range(seats)])
    bad: list[dict[str, object]] = [
        {"target": 9}, {"target": 1001}, {"target": "many"}, {"cards": "tarot"}, {"after_reward": 1}, {"tie": "coin"},
        {"talk": "whisper"}, {"talk_log": "never"}, {"talk_limit": 51}, {"talk_limit": -1}, {"max_rounds": 0},
        {"colour": "red"},
    ]  # fmt: skip
    for options in bad:
        with pytest.raises(Refusal, match="E_SETUP"):
            new(5, **options)
    assert GAME.options.simulation_defaults(5) == {"talk_limit": 5, "max_rounds": 200}


def test_fewer_than_four_are_warned() -> None:
    """KR1."""
    assert [line.rule for _, line in new(3).lines(SPECTATOR)] == ["KR1"]
    assert new(4).lines(SPECTATOR) == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=30) | st.from_regex(r"(card|say|claim|ask ben|ASK) ?-?[0-9]{0,3} ?.{0,3}", fullmatch=True))
def test_garbage_is_refused_or_a_move(text: str) -> None:
    match = new(3)
    try:
        move = match.play(0, text)
    except Refusal:
        assert code_of(match, 0, text) in {"E_SYNTAX", "E_CARD"}
        return
    again = new(3)
    assert again.play(0, move.text).text == move.text
    assert again.chain == match.chain


def test_clicks_and_lists_offer_the_hand() -> None:
    match = at("{} | anna:0@5 ben:0@5 cleo:0")
    assert [token.text for token in complete(GAME, match.view(0), 0, "card", match.names).tokens] == [
        "1", "3", "7", "10",
    ]  # fmt: skip


# K12: talk


def test_text_is_kept_as_typed_and_names_ignore_case() -> None:
    match = new(4)
    match.play(0, "SAY  Seven, or TEN?  I  mean it")
    match.play(1, "Claim 07")
    match.play(2, "ask DAN 10")
    assert [move.text for move in match.moves] == ["say Seven, or TEN?  I  mean it", "claim 7", "ask dan 10"]
    assert [line.text for _, line in match.lines(3)] == [
        "anna: Seven, or TEN?  I  mean it", "ben claims 7", "cleo asks you for 10",
    ]  # fmt: skip
    assert match.state.said[:4].tolist() == [1, 1, 1, 0]


def test_everybody_reads_every_message() -> None:
    match = new(4)
    match.play(0, "card 7")
    match.play(0, "say still talking after placing")
    match.play(1, "claim 5")
    match.play(1, "card 3")
    told = [match.lines(viewer) for viewer in [*range(4), SPECTATOR]]
    assert all([line.event for _, line in lines] == [line.event for _, line in told[0]] for lines in told)
    assert [lines[0][1].text for lines in told] == ["You: still talking after placing"] + [
        "anna: still talking after placing"
    ] * 4
    assert [lines[1][1].text for lines in told] == ["ben claims 5", "You claim 5"] + ["ben claims 5"] * 3
    assert match.acting == [2, 3]


def test_claims_do_not_bind_and_are_gone_with_the_round() -> None:
    match = new(3)
    match.play(0, "claim 7")
    match.play(1, "ask anna 7")
    assert match.state.claim[0] == 7
    assert match.state.asked[1, 0] == 7
    place(match, 10, 7, 7)
    assert not match.state.claim.any()
    assert not match.state.asked.any()
    assert match.state.broken[:3].tolist() == [1, 0, 0]


def test_a_message_shown_once_is_gone_with_the_next_decision_of_anybody() -> None:
    match = new(4, talk_log="once")
    match.play(0, "claim 7")
    match.play(1, "ask dan 5")
    for viewer in [*range(4), SPECTATOR]:
        told = [line.text for _, line in match.lines(viewer)]
        assert told[0] == ("You claim 7" if viewer == 0 else "anna claims 7")
        assert told[1] == {1: "You ask dan for 5", 3: "ben asks you for 5"}.get(viewer, "ben asks dan for 5")
        assert match.view(viewer).claim[0] == 7
        assert "claim 7 0 0 0" in GAME.notation.position(match.state, match.names, viewer)
    match.play(2, "card 5")
    for viewer in [*range(4), SPECTATOR]:
        assert match.lines(viewer) == []
        assert "claim" not in GAME.notation.position(match.state, match.names, viewer)
    assert not match.state.claim.any()
    assert not match.state.asked.any()
    match.play(2, "say Who is next?")
    match.play(3, "claim 1")
    assert [ply for ply, _ in match.lines(0)] == [4, 5]
    assert [line.text for _, line in match.lines(0, looked=0)][-2:] == ["cleo: Who is next?", "dan claims 1"]
    place(match, 1, 3)
    match.play(3, "card 7")
    assert {line.rule for _, line in match.lines(0)} == {"K3", "K6", "K10"}


def test_kept_messages_may_be_reread() -> None:
    match = new(4)
    match.play(0, "claim 7")
    match.play(1, "ask dan 5")
    place(match, 1, 3, 5, 7)
    assert [line.rule for _, line in match.lines(2)][:2] == ["K12", "K12"]


# K13: who knows what


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(3, 10))
def test_a_placed_card_leaves_no_trace_before_the_reveal(data: st.DataObject, seats: int) -> None:
    """Twins: two tables that differ in which card one player has placed look the same to all others."""
    table = data.draw(st.sampled_from(["", "@3", "@10"]))
    players = " ".join(f"{name}:{i}{table if i < 2 else ''}" for i, name in enumerate(NAMES[:seats]))
    one, two = at(f"{{}} | {players}"), at(f"{{}} | {players}")
    order = data.draw(st.permutations(range(seats)))[: seats - 1]
    secret = order[0]
    for seat in order:
        hand = [value for value in CHANGE if value != int(one.state.table[seat])]
        first = data.draw(st.sampled_from(hand))
        second = data.draw(st.sampled_from([value for value in hand if value != first])) if seat == secret else first
        one.play(seat, f"card {first}")
        two.play(seat, f"card {second}")
        for viewer in [*range(seats), SPECTATOR]:
            if viewer == secret:
                continue
            assert one.view(viewer).tobytes() == two.view(viewer).tobytes()
            assert one.lines(viewer) == two.lines(viewer)
            assert GAME.state.to_json(one.state, viewer) == GAME.state.to_json(two.state, viewer)
            assert notation.position(one.state, one.names, viewer) == notation.position(two.state, two.names, viewer)
            if viewer != SPECTATOR:
                assert GAME.legal(one.view(viewer), viewer).tolist() == GAME.legal(two.view(viewer), viewer).tolist()
        assert one.view(secret).tobytes() != two.view(secret).tobytes()
        assert [event.seen_by(SPECTATOR) for event in one.moves[-1].events] == [
            event.seen_by(SPECTATOR) for event in two.moves[-1].events
        ]
    assert one.acting == two.acting == [seat for seat in range(seats) if seat not in order]


def test_imagined_cards_are_those_of_the_hands() -> None:
    match = at("{} | anna:0@5 ben:0@5 cleo:0")
    place(match, 1, 3)
    seen = set()
    for number in range(200):
        state = determinize(GAME, match.view(2), 2, np.array([number, 1, 2, 1], np.int64))
        seen.add((int(state.placed[0]), int(state.placed[1])))
        assert state.placed[2] == 0
    assert seen == set(product((1, 3, 7, 10), repeat=2))


# Positions


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(3, 10), OPTIONS)
def test_positions_round_trip(data: st.DataObject, seats: int, options: dict[str, object]) -> None:
    match = new(seats, **options)
    for _ in range(data.draw(st.integers(0, 60))):
        if match.over:
            break
        seat = data.draw(st.sampled_from(range(seats)))
        try:
            match.play(
                seat,
                data.draw(
                    st.sampled_from([f"card {value}" for value in range(1, 11)] + ["say x", "claim 3", "ask cleo 1"])
                ),
            )
        except Refusal:
            continue
    line = notation.position(match.state, match.names, ALL_KNOWING)
    state, names = notation.parse_position(GAME, line)
    state.chance_key[:] = match.state.chance_key
    state.chance_count[:] = match.state.chance_count
    assert names == match.names
    assert state.tobytes() == match.state.tobytes()
    assert notation.position(state, names, ALL_KNOWING) == line


def test_bad_positions_are_refused() -> None:
    good = "{} | anna:7@3 ben:3@3 cleo:0"
    notation.parse_position(GAME, good)
    notation.parse_position(GAME, "{tie=more} | anna:150 ben:150 cleo:0")
    notation.parse_position(GAME, "{} | anna:150 ben:150 cleo:0 | over")
    bad = [
        "", "|", "{}", "{} |", good + " |", good + " | round 0", good + " | round x", good + " | placed anna:3",
        good + " | placed anna:4", good + " | placed zoe:1", good + " | placed anna:1 ben:1 cleo:1",
        good + " | last 1 2 3", good + " | last 1 3", good + " | gain 1 2 -3", good + " | claim 5", good + " | said x",
        good + " | asked anna>ben:4", good + " | asked anna:5", good + " | colour red", good + " | gain 1 1 99999",
        "{} | anna:7@3 ben:3 cleo:0", "{} | anna:7@4 ben:3@4 cleo:0", "{} | anna ben cleo",
        "{x=1} | anna:7 ben:3 cleo:0", "{} | anna:150 ben:3 cleo:0", good + " | over",
        "{tie=more,tie=share} | a:1 b:2 c:3",
        "{tie=more} | anna:150 ben:149 cleo:0", "{tie=more} | anna:150 ben:150 cleo:0 | over",
        "{target=5} | anna:7 ben:3 cleo:0", "{} | anna:7 ben:3", "{} | anna:7 Anna:3 cleo:0",
    ]  # fmt: skip
    for text in bad:
        with pytest.raises(Refusal) as refused:
            notation.parse_position(GAME, text)
        assert refused.value.code in {"E_POSITION", "E_SETUP"}, text


# Traces of the program


def test_replay_gives_the_same_chain_with_talk() -> None:
    match = new(4)
    match.play(3, "say first")
    place(match, 7, 7, 3, 1)
    match.play(0, "ask BEN 10")
    place(match, 10, 10, 5, 1)
    again = Match.loads(match.dumps())
    assert again.chain == match.chain
    assert again.lines(ALL_KNOWING) == match.lines(ALL_KNOWING)


def test_default_is_the_lowest_card_of_the_hand() -> None:
    match = at("{} | anna:0@1 ben:0@1 cleo:0")
    assert [match.default_actions(seat) for seat in range(3)] == [[int(rules.card_action(i))] for i in (2, 2, 0)]


def test_ten_players_fit_into_the_log() -> None:
    """The most events a round can bring: five corporations fail, nobody meets."""
    match = at("{cards=ranks} | " + " ".join(f"{name}:0@{i // 2 + 1}" for i, name in enumerate(NAMES)))
    place(match, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
    kinds = [event.kind for event in match.moves[-1].events]
    assert kinds.count("failed") == 5
    assert kinds.count("profited") == 10
    assert kinds.count("formed") == 0


def test_the_round_is_told_with_its_rules() -> None:
    match = at("{} | anna:0@5 ben:0 cleo:0@5 dan:0@5 eve:0")
    place(match, 7, 7, 7, 7, 10)
    told = [(line.rule, line.text) for _, line in match.lines(SPECTATOR)]
    assert told == [
        ("K3", "Round 1: anna 7, ben 7, cleo 7, dan 7, eve 10."),
        ("K5", "No reward for the 5 corporation of anna, cleo and dan: 1 from outside placed the same."),
        ("K6", "eve alone with 10: 10 points."),
        ("K7", "anna, ben, cleo and dan form a corporation with 7."),
        ("K10", "Scores after round 1: anna 0, ben 0, cleo 0, dan 0, eve 10."),
    ]


def test_a_reward_and_the_end_are_told() -> None:
    match = at("{after_reward=dissolve} | anna:140@5 ben:140@5 cleo:100")
    place(match, 10, 10, 7)
    told = [(line.rule, line.text) for _, line in match.lines(SPECTATOR)]
    assert told == [
        ("K3", "Round 1: anna 10, ben 10, cleo 7."),
        ("K5", "Rewarded: anna and ben all placed 10 and nobody else did, 20 points each."),
        ("K6", "cleo alone with 7: 7 points."),
        ("K8", "anna and ben take both their cards back."),
        ("K10", "Scores after round 1: anna 160, ben 160, cleo 107."),
        ("K11", "The game is over: anna and ben share the win."),
    ]


def test_the_terminal_tells_the_round_and_the_hand() -> None:
    match = at("{} | anna:0@5 ben:0 cleo:0@5 dan:0@5 eve:0")
    place(match, 7, 7, 7, 7, 10)
    match.play(1, "card 3")
    rows = [(row.heading, row.line.text) for row in table(match.view(1), 1, match.names)]
    assert rows[1:] == [
        (
            "round 1",
            "Rewards: the corporation of the five: anna, cleo and dan all laid 7. So did you, from outside: no reward. "
            "It would have been 21 each.",
        ),
        ("round 1", "Profits: unmatched cards: eve is the only one on 10."),
        (
            "round 1",
            "A new corporation: You, anna, cleo and dan met on 7: the corporation of the seven, worth up to "
            "10 × 4 = 40 each next time.",
        ),
        ("corporation of the seven", "7  anna 0, to place; ben 0, has placed; cleo 0, to place; dan 0, to place"),
        ("on their own", "eve 10, to place"),
        ("your points", "0 of 150"),
        ("your hand", "1  3  5  10; you have placed the 3"),
    ]
    assert table(match.view(0), 0, match.names)[-1].line.text == "1  3  5  10"
