"""What the regulars say at tables of their own accord: now and then a remark, and one line when a match is over."""

import logging
from collections.abc import Callable, Sequence

from backroom.bots.regulars import Regular, regular_of
from backroom.bots.remarks import about_the_table, time_to_speak
from backroom.engine.game import FINISHED
from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.rows import ChairRow, TalkRow
from backroom.tables.words import MOST_TALK, new_secret
from backroom.text.english import listed

__all__ = ["last_words", "regular_at", "remark"]

LOG = logging.getLogger(__name__)


def regular_at(chair: ChairRow) -> Regular | None:
    """The regular that sits in a chair under its own name; None where a bot only sits in for somebody."""
    found = regular_of(chair.bot)
    return found[0] if found is not None and not chair.token and found[0].is_called(chair.name) else None


def remark(
    match: Match, table: str, chair: ChairRow, seat: int, talk: Callable[[], Sequence[TalkRow]]
) -> TalkRow | None:
    """What a regular says after a move of its own, as the next line of a table's ``talk``; None: nothing.

    Nobody chats where talk is part of the rules, or where it is played from memory. Nothing is said twice, also when
    moves are taken back, or made again by another server. ``talk`` is only asked for when it is time to speak.
    """
    regular = regular_at(chair)
    if regular is None or match.over or match.game.messages is not None or match.options.from_memory:
        return None
    try:
        stretch = time_to_speak(match, seat)
        if stretch is None:
            return None
        said, talk_id = talk(), f"bot {chair.number} remarks {stretch}"
        if any(line.talk_id == talk_id for line in said):
            return None
        if sum(line.chair == chair.number for line in said) >= MOST_TALK:
            return None
        text = about_the_table(match, seat, regular, [line.text for line in said])
    except Exception:
        LOG.exception("table %s: %s failed to say something after move %d", table, chair.name, match.ply)
        return None
    return TalkRow(table, len(said) + 1, chair.number, chair.name, text, talk_id, clock.now()) if text else None


def last_words(match: Match, table: str, chairs: Sequence[ChairRow], number: int) -> list[TalkRow]:
    """Lines of talk for a match that has just ended, the first with this number.

    ``chairs`` are by seat. Each regular says what it was up to, where the game lets it tell (`Habit.motive`), else a
    sentence of its own on how it went; always the same for the same match. A match that came to no end of its own is
    followed by silence.
    """
    if int(match.state.over) != FINISHED:
        return []
    _, places = match.game.outcome(match.state)
    winners = listed([match.names[seat] for seat, place in enumerate(places) if place == 1])
    lines: list[TalkRow] = []
    for seat, chair in enumerate(chairs):
        regular = regular_at(chair)
        if regular is None:
            continue
        motive = regular.at(match.game).motive
        if motive is not None:
            text = motive(match.state, seat)
        else:
            sentence = regular.sentence("won" if places[seat] == 1 else "beaten", match.chain[-1])
            text = sentence.format(winner=winners)
        talk_id = f"bot {new_secret()}"
        lines.append(TalkRow(table, number + len(lines), chair.number, chair.name, text, talk_id, clock.now()))
    return lines
