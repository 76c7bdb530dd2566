"""What a table does by itself: bots speak and decide, prepared moves are played, and time runs out."""

import logging
from collections import Counter
from collections.abc import Sequence

from backroom.bots import make_bot
from backroom.engine import rng
from backroom.engine.game import Refusal
from backroom.engine.match import Match, Move
from backroom.tables import clock, owed, plans, practising
from backroom.tables.findings import Finder
from backroom.tables.live import Change
from backroom.tables.lives import Lives
from backroom.tables.moves import still_asked
from backroom.tables.rows import OwedRow
from backroom.tables.story import LATE, MOVE, rests
from backroom.tables.thinking import Decision, Limits, Lost, Thinkers, chosen
from backroom.tables.words import new_secret

__all__ = ["ByItself"]

LOG = logging.getLogger(__name__)

MOST_LOST = 3
"""How often the process that thinks about a decision may come to nothing; then the default is played."""
STAND_IN = "greedy"
"""The bot that makes a decision for which there was no time."""


class ByItself:
    """Does what tables owe (`owed.Looker` says when). Bots think in ``thinkers``, None: in this process."""

    def __init__(self, lives: Lives, limits: Limits, thinkers: Thinkers | None) -> None:
        self.lives, self.limits, self.thinkers = lives, limits, thinkers
        self.finder = Finder(lives, limits, thinkers)
        self._lost: Counter[tuple[str, int]] = Counter()

    def do(self, row: OwedRow) -> int | None:
        """Do what a table owes. None, or the table's revision at which there is nothing to do."""
        with self.lives.store.read() as t:
            table = t.table(row.table_id)
        if rests(table):
            return table.revision
        if row.kind == owed.PLAN:
            return self.play_plan(row.table_id)
        if row.kind in (owed.DECIDED, owed.HINT):
            self.finder.find(row)
            return None
        if row.kind == owed.BOT:
            return self.bots_turn(row.table_id)
        return self.run_out(row.table_id)

    # Prepared moves

    def play_plan(self, table: str) -> int | None:
        """Make the move that somebody has prepared for a turn that has come, if its condition holds.

        None, or the table's revision at which none is due.
        """
        with self.lives.read(table) as change:
            if plans.due(change) is None:
                return change.row.revision
        with self.lives.write(table, person=False) as change:
            plans.come_due(change)
        return None

    # Practice

    def answer(self, table: str) -> int | None:
        """Have the next move of a practice made. None, or the table's revision at which there is none."""
        with self.lives.write(table, person=False) as change:
            return None if practising.answer(change) else change.row.revision

    # Bots

    def bots_turn(self, table: str) -> int | None:
        """Have a bot say or decide something. None, or the table's revision at which none has anything to do."""
        with self.lives.read(table) as change:
            revision, scripted = change.row.revision, practising.practises(change.chairs)
            decisions, ready = self.bot_decisions(change) if not scripted else ([], False)
        if scripted:
            return self.answer(table)
        for decision in decisions:
            message = _message(table, decision)
            if message >= 0:
                self._bot_talk(table, decision, message)
                return None
        if not decisions or not ready:
            return revision
        self.bot_move(table, decisions[0], self._think(table, decisions[0]))
        return None

    def bot_decisions(self, change: Change) -> tuple[list[Decision], bool]:
        """The decisions that bots owe at a table, by seat, and whether they may be made.

        Where talk is part of the rules, bots speak at once but decide after the people who are asked with them: so what
        people claim is heard, and all bots have heard each other, as in a simulation.
        """
        match = change.live.match
        if match is None or not change.goes_on():
            return [], False
        decisions: list[Decision] = []
        people, talking = False, match.game.messages is not None
        for seat in match.acting:
            chair = change.chair_at(seat)
            people = people or not chair.bot
            if chair.bot and (talking or not decisions):
                decisions.append(self._decision(change, seat, chair.bot))
        return decisions, not (people and talking)

    def _decision(self, change: Change, seat: int, spec: str) -> Decision:
        """The decision that a seat owes, as it is put to a bot."""
        match = change.match
        bot = make_bot(match.game, spec).at_most(self.limits.iterations)
        view = bot.informed(match.views(seat), match.view(seat), seat)
        return Decision(bot, view, seat, rng.generator(match.seed, "bot", seat, match.ply), change.row.entry)

    def _think(self, table: str, decision: Decision) -> Sequence[int] | None:
        """A bot's decision, None when it failed. `Lost` when it should be tried again."""
        if self.thinkers is None:
            return chosen(table, decision, self.limits.seconds)
        place = table, decision.entry
        try:
            actions = self.thinkers.choose(table, decision)
        except Lost as problem:
            self._lost[place] += 1
            if self._lost[place] < MOST_LOST:
                raise
            LOG.error("table %s: bot %s failed %d times: %s", table, decision.bot.spec, MOST_LOST, problem)
            actions = None
        del self._lost[place]
        return actions

    def _bot_talk(self, table: str, decision: Decision, message: int) -> None:
        """Let a bot say something where talk is part of the rules, as an entry of the match like everybody's."""
        with self.lives.write(table, person=False) as change:
            match, seat = change.match, decision.seat
            if change.row.entry == decision.entry and not match.over:
                move = match.play(seat, match.game.talk_notation.talk_text(message, match.names))
                change.append(MOVE, seat, move.actions, move.text, f"bot {new_secret()}")

    def bot_move(self, table: str, decision: Decision, actions: Sequence[int] | None) -> None:
        """Make a bot's move, through the same store as everybody's. None, or an illegal move: the declared default."""
        with self.lives.write(table, person=False) as change:
            match, seat = change.match, decision.seat
            chair = change.chair_at(seat)
            if not chair.bot or match.over or not still_asked(change, seat, decision.entry):
                return
            if change.row.entry != decision.entry:
                # Others have talked or decided meanwhile, and may have changed what this one may do.
                try:
                    move = match.play_actions(seat, actions or ())
                except Refusal:
                    return
            else:
                move = _play_or_default(match, seat, actions, table, chair.bot)
            change.append(MOVE, seat, move.actions, move.text, f"bot {new_secret()}")
            change.chat(seat)

    # The clock

    def run_out(self, table: str) -> int:
        """Make the decisions at a table whose time is over, those asked first before others; first what is prepared.

        The table's revision then.
        """
        self.play_plan(table)
        while self._make_late_decision(table):
            pass
        with self.lives.store.read() as t:
            return t.table(table).revision

    def _make_late_decision(self, table: str) -> bool:
        """Make one decision whose time is over; False when there is none (any more).

        The bot thinks before the table is locked, so all is looked at again then: whoever was faster, the person or
        another process, has made the decision, and it is not made twice.
        """
        with self.lives.read(table) as change:
            seen, decision = clock.late(change.row, change.chairs)[:1], None
            if seen and change.row.out_of_time == "bot":
                decision = self._decision(change, change.seat_of(seen[0].number), STAND_IN)
            entry = change.row.entry
        actions = self._think(table, decision) if decision is not None else None
        with self.lives.write(table, person=False) as change:
            first, before = clock.late(change.row, change.chairs)[:1], change.row.due
            if not first:
                change.restart_clocks()
                if change.row.due != before:
                    change.change()
                return False
            chair, match = first[0], change.match
            if not seen or (change.row.entry, chair.number, chair.asked) != (entry, seen[0].number, seen[0].asked):
                return True
            seat, spent = change.seat_of(chair.number), plans.spent(change, chair)
            if decision is None:
                move = match.play_actions(seat, match.default_actions(seat))
            else:
                move = _play_or_default(match, seat, actions, table, STAND_IN)
            change.change_chair(chair.number, draft="", lost=chair.lost + 1, **spent)
            change.append(LATE, seat, move.actions, move.text, f"late {new_secret()}")
            return True


def _message(table: str, decision: Decision) -> int:
    """The message that a bot sends before it decides, -1: none."""
    if decision.bot.game.messages is None:
        return -1
    try:
        return decision.bot.say(decision.view, decision.seat, decision.random)
    except Exception:
        LOG.exception("table %s: bot %s failed to speak after entry %d", table, decision.bot.spec, decision.entry)
        return -1


def _play_or_default(match: Match, seat: int, actions: Sequence[int] | None, table: str, bot: str) -> Move:
    """Make a bot's move; the declared default when it gave none (None) or an illegal one, which is logged."""
    try:
        if actions is None:
            raise Refusal("E_BOT", "the bot failed")
        return match.play_actions(seat, actions)
    except Refusal as problem:
        LOG.error("table %s: %s (%s) gave no legal move: %s", table, match.names[seat], bot, problem)
        return match.play_actions(seat, match.default_actions(seat))
