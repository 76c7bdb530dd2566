"""What the regulars say when a match is over: one line each, when nothing is hidden any more."""

from collections.abc import Sequence

from backroom.bots.regulars import regular_of
from backroom.engine.game import FINISHED
from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.rows import ChairRow, TalkRow
from backroom.tables.words import new_secret
from backroom.text.english import listed

__all__ = ["last_words"]


def last_words(match: Match, table: str, chairs: Sequence[ChairRow], number: int) -> list[TalkRow]:
    """Lines of talk for a match that has just ended, the first with this number.

    ``chairs`` are by seat. Each regular says what it was up to, where the game lets it tell (`Habit.motive`), else a
    sentence of its own on how it went; always the same for the same match. A bot that only sat in for somebody, and a
    match that came to no end of its own, are silent.
    """
    if int(match.state.over) != FINISHED:
        return []
    _, places = match.game.outcome(match.state)
    winners = listed([match.names[seat] for seat, place in enumerate(places) if place == 1])
    lines: list[TalkRow] = []
    for seat, chair in enumerate(chairs):
        found = regular_of(chair.bot)
        if found is None or chair.token or not found[0].is_called(chair.name):
            continue
        regular = found[0]
        motive = regular.at(match.game).motive
        if motive is not None:
            text = motive(match.state, seat)
        else:
            sentence = regular.sentence("won" if places[seat] == 1 else "beaten", match.chain[-1])
            text = sentence.format(winner=winners)
        talk_id = f"bot {new_secret()}"
        lines.append(TalkRow(table, number + len(lines), chair.number, chair.name, text, talk_id, clock.now()))
    return lines
