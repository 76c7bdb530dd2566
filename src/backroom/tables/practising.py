"""Practice tables: a person's match whose other moves are those of a game's practice.

Such a table is one like any other. Its bots are called ``practice`` and play what the practice says; how far the
learner has come is how many decisions that seat has made. So nothing about it is kept besides the record.
"""

import logging

from backroom.bots.regulars import regulars
from backroom.engine.game import Game, Refusal, find_game
from backroom.scenes.draft import Draft
from backroom.scenes.practice import Practice, decided, practice_of
from backroom.tables import clock
from backroom.tables.live import Change
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.story import MOVE, standing_entries
from backroom.tables.views import Answer, Practised
from backroom.tables.words import alike, check_name, new_secret

__all__ = ["answer", "is_done", "new_practice", "play_alone", "practised", "practises", "refuse_wrong"]

LOG = logging.getLogger(__name__)

BOT = "practice"
"""What stands in a chair in place of a bot's spec while its moves are those of the practice."""
AFTERWARDS = "greedy"
"""The bot that plays there once the learner goes on alone, for a name that is no regular's."""
STRENGTH = "even"
"""How strong the regulars are then."""
LEARNER = "Novice"
"""What a learner is called whose own name is too much like that of another player."""


def practises(chairs: list[ChairRow]) -> bool:
    """Whether the moves at a table are those of a practice."""
    return any(chair.bot == BOT for chair in chairs)


def new_practice(game: Game, creator: str, name: str, create_id: str, client: str) -> tuple[TableRow, list[ChairRow]]:
    """A table for a practice of the game, for a token (hash) and a name, and its chairs; nothing is written down yet.

    Refusal E_PRACTICE where the game has none, E_SETUP (the name).
    """
    practice = practice_of(game)
    if practice is None:
        raise Refusal("E_PRACTICE", f"{game.title} has no practice")
    name = check_name(name, [])
    if any(alike(name, other) for other in practice.names):
        name = LEARNER
    match = practice.match(game, name)
    table = TableRow(
        new_secret(10), game.name, game.version, match.options.model_dump_json(), f"Practice of {game.title}",
        match.seed.hex(), 0, creator, create_id, changed=clock.now(), created=clock.now(), client=client,
    )  # fmt: skip
    mine = ChairRow("", 0, name, token=creator, seen=clock.now())
    return table, [mine, *(ChairRow("", number, other, bot=BOT) for number, other in enumerate(practice.names, 1))]


def _at(change: Change) -> tuple[Practice, int] | None:
    """The practice of a table and the learner's seat there, while it goes on."""
    if not practises(change.chairs) or not change.goes_on():
        return None
    practice = practice_of(change.match.game)
    learner = next((chair for chair in change.chairs if chair.bot != BOT), None)
    return (practice, change.seat_of(learner.number)) if practice is not None and learner is not None else None


def practised(change: Change, mine: ChairRow | None) -> Practised | None:
    """How far the holder of the chair ``mine`` has come in the practice of a table, None: there is none."""
    found = _at(change)
    if found is None or mine is None or change.seat_of(mine.number) != found[1]:
        return None
    return Practised(found[0], min(decided(change.match, found[1]), len(found[0].steps)))


def is_done(t: Transaction, table: TableRow, chairs: list[ChairRow]) -> bool:
    """Whether all that a practice had to show has been done at a table, and nobody plays on there."""
    if not practises(chairs):
        return False
    practice = practice_of(find_game(table.game))
    learner = next((chair.number for chair in chairs if chair.bot != BOT), 0)
    seat = (learner - max(table.rotation, 0)) % len(chairs)
    made = sum(entry.seat == seat and entry.actions != "[]" for entry in standing_entries(t.entries(table.id)))
    return practice is None or made >= len(practice.steps) or bool(table.over)


def refuse_wrong(change: Change, mine: ChairRow, text: str) -> None:
    """Refusal E_PRACTICE, with what is to be said to it, for a move that is not the one of the learner's step."""
    now = practised(change, mine)
    if now is None:
        return
    if now.step == len(now.practice.steps):
        raise Refusal("E_PRACTICE", "that was all of the practice; play on against bots, or leave the table")
    match, seat = change.match, change.seat_of(mine.number)
    said = now.said(Draft(match.game, match.view(seat), seat, match.names, text))
    if said:
        raise Refusal("E_PRACTICE", said)


def answer(change: Change) -> bool:
    """Have another player make the next move of the practice, once the learner has; whether there was one to make."""
    found = _at(change)
    if found is None or found[1] in change.match.acting:
        return False
    match = change.match
    for seat in match.acting:
        text = found[0].answer(match, seat)
        if text is None:
            continue
        try:
            move = match.play(seat, text)
        except Refusal as problem:
            # The practice may have been written anew while somebody was in the middle of it.
            LOG.error("table %s: %r is no move of its practice any more: %s", change.row.id, text, problem)
            move = match.play_actions(seat, match.default_actions(seat))
        change.append(MOVE, seat, move.actions, move.text, f"bot {new_secret()}")
        return True
    return False


def play_alone(change: Change, mine: ChairRow) -> Answer:
    """End the practice: from here on the match is played against ordinary bots. Refusal E_PRACTICE."""
    if practised(change, mine) is None:
        raise Refusal("E_PRACTICE", "this is no practice, or it has ended already")
    for chair in list(change.chairs):
        if chair.bot == BOT:
            known = next((key for key, regular in regulars().items() if regular.is_called(chair.name)), "")
            change.change_chair(chair.number, bot=f"{known}:{STRENGTH}" if known else AFTERWARDS)
    change.change()
    return Answer("applied", change.row.entry)
