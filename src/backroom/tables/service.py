"""Tables: everything a page, a script or a bot can do at one, without HTTP.

The chain for a move, and there is no other: `Tables.submit` -> notation -> `Match.play` -> append to the store, commit
-> publish. A *chair* is a place in the order in which the players were named; a *seat* is its number in the match
(known once the match has started, since set-up may draw who begins). A browser is known by its *token*.

A table's ``ply`` is the number of entries in its record: moves, and take-backs too, so it never goes down. (`Match.ply`
counts the moves that stand.) ``revision`` grows with every change that anybody at the table can see.
"""

import hashlib
import json
import logging
import re
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError

from backroom.bots import Bot, bot_specs, make_bot
from backroom.bots.bot import READ_SECONDS
from backroom.engine import chance, rng
from backroom.engine.game import Game, Options, Refusal, check_players, find_game
from backroom.engine.match import Match, Move
from backroom.engine.names import tidy
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.table import Draft
from backroom.engine.text import is_blank
from backroom.tables import absence, clock, mail, marks, open_chairs, owed, plans, showing, watchers
from backroom.tables.knowledge import undo_is_free
from backroom.tables.live import (
    HERE_SECONDS,
    SEEN_SECONDS,
    Change,
    Live,
    Stale,
    held,
    options_of,
    standing,
)
from backroom.tables.presence import PresenceWorker, keep_signs
from backroom.tables.publisher import EVERYBODY, News, PostgresPublisher, Publisher, Subscription
from backroom.tables.store import AWAY, PERSONAL, ChairRow, OwedRow, Page, Store, TableRow, TalkRow, Transaction
from backroom.tables.story import ENDED, LATE, MOVE, UNDO, match_file, names_by_seat, rests, told_options
from backroom.tables.thinking import LIMITS, Decision, Limits, Lost, Thinkers, chosen
from backroom.tables.views import (
    Answer,
    Chair,
    ChairRequest,
    Condition,
    Invitation,
    Mark,
    OpenTable,
    Summary,
    TableView,
    TalkLine,
    Telling,
    UndoAsked,
)
from backroom.tables.words import alike, check_name, check_text, new_secret

__all__ = ["Tables"]

LOG = logging.getLogger(__name__)

MOST_LIVE = 500
"""Matches kept in memory; those not looked at for longest are rebuilt from the store when somebody does."""
MOST_TALK = 2500
"""Lines of talk of one chair at a table, messages of the match among them: so nobody uses up what others may say."""
MOST_LOST = 3
"""How often the process that thinks about a decision may come to nothing; then the default is played."""
STAND_IN = "greedy"
"""The bot that makes a decision for which there was no time."""
RUNS = re.compile(r"[ \t\r\n]+")
"""What becomes one blank in a line of talk; the narrow and wide spaces of French and Japanese stay what they are."""
BOT_NAMES = ("Lena", "Otto", "Mina", "Rolf", "Vera", "Hugo", "Nora", "Emil", "Tilda", "Kurt")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _client(table: str, client: str) -> str:
    """What is kept of the address that a request came from: the same for the same one at this table alone."""
    return _hash(f"{table} {client}")[:16]


def _id(given: str) -> str:
    """A request's own id, or a new one for a request without. Refusal E_ID."""
    if len(given) > 100 or not given.isprintable():
        raise Refusal("E_ID", "an id has at most 100 printable characters")
    return given or new_secret()


def _free_name(taken: Sequence[str]) -> str:
    """A name for a bot that nobody at the table has."""
    names = (*BOT_NAMES, *(f"Bot{number}" for number in range(1, 2 * len(taken) + 2)))
    return next(name for name in names if not any(alike(name, other) for other in taken))


def _opening(table: TableRow, chairs: Sequence[ChairRow]) -> dict[str, Any]:
    """The columns of a table that its set-up fills when all its chairs are taken; none while they are not."""
    if table.opening or not all(chair.token or chair.bot for chair in chairs):
        return {}
    game = find_game(table.game)
    match = Match(game, options_of(table), [chair.name for chair in chairs], bytes.fromhex(table.seed))
    # It may have waited for company while the server was brought to newer rules.
    return {
        "opening": match.chain[0],
        "rules": game.version,
        "options": json.dumps(match.options.model_dump()),
        "format": match.form,
        "rotation": int(match.state.rotation),
        **standing(match),
    }


def _add(t: Transaction, table: TableRow, chairs: Sequence[ChairRow]) -> TableRow:
    """Write a new table, which starts at once when no chair is free; as it then is."""
    table = replace(table, **_opening(table, chairs))
    asked = clock.asked(table, chairs)
    chairs = [replace(chair, table_id=table.id, asked=asked.get(chair.number, 0)) for chair in chairs]
    table = replace(table, due=clock.due(table, chairs))
    t.add(table)
    for chair in chairs:
        t.add(chair)
    owed.settle(t, None, (table, chairs), lambda: 0, person=True)
    return table


def _play_or_default(match: Match, seat: int, actions: Sequence[int] | None, table: str, bot: str) -> Move:
    """Make a bot's move; the declared default when it gave none (None) or an illegal one, which is logged."""
    try:
        if actions is None:
            raise Refusal("E_BOT", "the bot failed")
        return match.play_actions(seat, actions)
    except Refusal as problem:
        LOG.error("table %s: %s (%s) gave no legal move: %s", table, match.names[seat], bot, problem)
        return match.play_actions(seat, match.default_actions(seat))


def _summary(row: TableRow, chairs: Sequence[ChairRow], mine: int | None) -> Summary:
    """A table as the holder of the chair ``mine`` sees it in a list; None: who follows it."""
    acting = json.loads(row.acting) if not rests(row) else []
    awaited = [chairs[mine]] if mine is not None and mine in acting else [chairs[number] for number in acting]
    until = [clock.until(row, chairs, chair) for chair in awaited]
    result: dict[str, Any] = json.loads(row.result) if row.result else {"winners": [], "score": 0}
    return Summary(
        table=row.id,
        title=row.title,
        game=row.game,
        names=tuple(chair.name for chair in chairs),
        started=bool(row.opening),
        over=bool(row.over),
        stopped=rests(row),
        your_turn=mine in acting,
        waiting=tuple(chairs[number].name for number in acting if number != mine),
        asked=min((chair.asked for chair in awaited if chair.asked), default=0),
        until=min(filter(None, until), default=0),
        ended=row.ended,
        winners=tuple(chairs[number].name for number in result["winners"]),
        score=result["score"],
        you=chairs[mine].name if mine is not None else "",
        changed=row.changed,
        follows=mine is None,
    )


def _voters(change: "Change", asking: ChairRow) -> list[int]:
    """The chairs of the other people at the table."""
    return [chair.number for chair in change.chairs if chair.token and not chair.bot and chair != asking]


def _messages(match: Match, seat: int) -> int:
    """How many messages of a match are a seat's."""
    return sum(1 for move in match.moves if move.seat == seat and not move.actions)


def _refuse_more_talk(lines: int) -> None:
    """Refusal E_TEXT for somebody who has said so many lines at a table and would say one more."""
    if lines >= MOST_TALK:
        raise Refusal("E_TEXT", f"you have said {lines} lines at this table; that is all it keeps of one player")


def _taken_back(match: Match, seat: int) -> int:
    """How many moves a take-back by this seat takes back: all from its last decision on; 0 when it has made none.

    Where decisions are made in secret and shown together, they are final until then; after that the whole round goes
    back, since a choice that stayed would be known to those who choose anew. Refusal E_UNDO before, and where an older
    move would be shown again that the rules forbid to look back at.
    """
    match.refuse_looking_back()
    sealed = match.game.kernels["sealed"]
    if sealed(match.state):
        raise Refusal(
            "E_UNDO", "what has been placed is final: nothing is taken back until all of this round has been shown"
        )
    count = next((n for n, move in enumerate(reversed(match.moves), 1) if move.seat == seat and move.actions), 0)
    while count and sealed(match.at(match.ply - count)):
        count += 1
    return count


class Tables:
    """All tables of one store.

    Every method may be called from any thread. ``token`` is the browser's secret (`backroom.web.app` keeps it in a
    cookie; only its SHA-256 is stored); a token that holds no chair watches. Methods raise Refusal, one line each:
    E_UNKNOWN (no such table), E_SEAT (this browser holds no chair here), E_WAIT (not started yet), E_STALE, E_VERSION
    (recorded under other rules), E_RECORD (the record does not replay), E_TEXT (too long), E_ID (an id that is empty,
    too long or another's), and the engine's own codes.
    """

    def __init__(
        self,
        store: Store,
        publisher: Publisher,
        relay: mail.Relay | None = None,
        limits: Limits = LIMITS,
        thinkers: Thinkers | None = None,
    ) -> None:
        """``limits`` are the host's for bots, which think in ``thinkers``; None: in this process."""
        self.store = store
        self.publisher = publisher
        self.postman = mail.Postman(store, relay) if relay is not None else None
        self.limits, self.thinkers = limits, thinkers
        self.looker = owed.Looker(store, limits, self._do, self.postman)
        self.presence = PresenceWorker(self.look_after_pages)
        self._closed = False
        self._lock = threading.Lock()
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._lost: Counter[tuple[str, int]] = Counter()
        publisher.listener = self.looker.wake
        self.looker.start()
        self.presence.start()

    @classmethod
    def open(
        cls,
        database_url: str,
        relay: mail.Relay | None = None,
        limits: Limits = LIMITS,
        thinkers: Thinkers | None = None,
    ) -> "Tables":
        """The tables of a database, with the publisher that suits it; mail goes through ``relay``. Refusal E_STORE."""
        store = Store(database_url)
        publisher = Publisher() if store.sqlite else PostgresPublisher(store.engine)
        tables = cls(store, publisher, relay, limits, thinkers)
        if tables.postman is not None:
            tables.postman.start()
        threading.Thread(target=tables.keep_stories, name="backroom-stories", daemon=True).start()
        return tables

    def close(self) -> None:
        """Stop clocks, bots and mail, end all streams, give the database back."""
        self._closed = True
        self.presence.close()
        self.looker.close()
        if self.thinkers is not None:
            self.thinkers.close()
        if self.postman is not None:
            self.postman.close()
        self.publisher.close()
        self.store.close()

    def check(self) -> None:
        """Whether all works; the driver's exception when the store does not answer, Refusal E_STALLED when bots or
        clocks stand still."""
        with self.store.read() as t:
            t.held_by("", 1)
        for wrong in (self.looker.stalled(), self.thinkers.stalled() if self.thinkers is not None else ""):
            if wrong:
                raise Refusal("E_STALLED", wrong)

    def keep_stories(self) -> None:
        """Keep the story of every match that ended before stories were kept, where its record replays."""
        try:
            with self.store.read() as t:
                untold = t.untold()
        except AWAY:
            LOG.warning("stories of old tables could not be kept, as the store did not answer; the next start does it")
            return
        for table in untold:
            if self._closed:
                return
            try:
                with self._read(table) as change:
                    found = change.story(ALL_KNOWING) if change.live.match is not None else None
                if found is not None:
                    with self.store.write() as t:
                        t.add(found.row(table))
            except (Refusal, IntegrityError):
                continue  # it does not replay, or another server was faster
            except Exception:
                if not self._closed:
                    LOG.exception("table %s: its story could not be kept; the next start tries again", table)

    # How a table is read and changed

    def _at(self, table: str) -> Live:
        with self._lock:
            live = self._live.setdefault(table, Live())
            self._live.move_to_end(table)
            if len(self._live) > MOST_LIVE:
                self._live.popitem(last=False)
        return live

    @contextmanager
    def _read(self, table: str) -> Iterator[Change]:
        if table not in self._live:
            with self.store.read() as t:
                t.table(table)  # an unknown id must not take a place in memory
        live = self._at(table)
        with live.lock, self.store.read() as t:
            row, chairs = t.table(table), t.chairs(table)
            live.follow(t, row, chairs)
            yield Change(t, live, row, chairs)

    @contextmanager
    def _write(self, table: str, person: bool = True) -> Iterator[Change]:
        """A change of a table, by a person or by the server itself."""
        # The match is rebuilt (and its game compiled) before the transaction: a writer holds up all others.
        known = self._live.get(table)
        if known is None or known.match is None:
            with self._read(table):
                pass
        live = self._at(table)
        with live.lock:
            try:
                with self.store.write() as t:
                    row, chairs = t.table(table, lock=True), t.chairs(table)
                    live.follow(t, row, chairs)
                    change = Change(t, live, row, list(chairs))
                    yield change
                    due = self._settle(change, row, chairs, person)
                    now = change.row.acting, change.row.over
                    if self.postman is not None and now != (row.acting, row.over):
                        match = live.match
                        mover = match.names[match.moves[-1].seat] if match is not None and match.moves else ""
                        mail.lamps(t, row.acting, change.row, change.chairs, mover)
                        due = True
            except Refusal:
                raise  # refused before the match moved
            except BaseException:
                live.forget()
                raise
        if due:
            self.looker.wake()
        if change.published == EVERYBODY:
            self._tell(self.publisher.publish, News(table, change.row.ply, change.row.revision), due)
        elif change.published is not None and (holder := change.chairs[change.published].token):
            self._tell(self.publisher.publish_own, table, holder, due)

    def _settle(self, change: Change, row: TableRow, chairs: Sequence[ChairRow], person: bool) -> bool:
        """Write down what the table owes after a change; whether something new is owed."""

        def pause() -> int:
            # So that nobody who looks on misses a move that cannot be read again.
            match, people = change.live.match, any(chair.token for chair in change.chairs)
            return READ_SECONDS if match is not None and people and match.keeps_back(match.ply - 1) else 0

        if change.published is None:
            return False
        return owed.settle(change.t, (row, chairs), (change.row, change.chairs), pause, person)

    def _tell(self, publish: Callable[..., None], *what: Any) -> None:
        # What is committed is true whether or not anybody can be told; `look_after_pages` finds it later.
        try:
            publish(*what)
        except Exception:
            LOG.exception("could not tell the open pages: %s", what)

    # Making a table, taking a chair

    def create(
        self,
        token: str,
        game: str,
        chairs: Sequence[ChairRequest],
        options: Mapping[str, Any] | None = None,
        title: str = "",
        create_id: str = "",
        pace: int = 0,
        out_of_time: str = "wait",
        client: str = "",
    ) -> str:
        """Make a table and return its id. It starts at once when no chair is for a friend or anybody.

        A decision may take ``pace`` seconds (0: no limit); then the game's default is played (``out_of_time`` skip), a
        bot makes it (bot), or nothing happens (wait). ``create_id`` makes the request safe to repeat: the same id from
        the same browser gives the same table. ``client`` is whose address it comes from, for whom bots think
        in turn. Refusal E_SETUP names what is wrong with game, option, pace, seat count or name, E_BOT with a bot.
        """
        creator, create_id = _hash(token), _id(create_id)
        found = find_game(game)
        built = found.options.build(options or {})
        for name in sorted(built.simulation_only):
            if getattr(built, name) != type(built).model_fields[name].default:
                raise Refusal("E_SETUP", f"option {name} is for simulations only; leave it out at a table")
        if pace and not clock.SHORTEST <= pace <= clock.LONGEST:
            bounds = f"{clock.SHORTEST} seconds to {clock.LONGEST // 86400} days ({clock.LONGEST})"
            raise Refusal("E_SETUP", f"pace is the time for a decision: 0 for no limit, or {bounds}")
        if out_of_time not in ("skip", "bot", "wait"):
            raise Refusal("E_SETUP", f"when time runs out: skip, bot or wait, not {out_of_time[:20]!r}")
        if len(chairs) not in found.seats:
            check_players([f"player-{number}" for number in range(len(chairs))], found.seats)
        if sum(1 for chair in chairs if chair.kind == "you") > 1:
            raise Refusal("E_SETUP", "one chair at most is yours")
        names = [tidy(chair.name) for chair in chairs]
        rows: list[ChairRow] = []
        for number, chair in enumerate(chairs):
            name = names[number]
            if chair.kind == "you" and not name:
                raise Refusal("E_SETUP", "your chair needs a name")
            if chair.kind == "bot":
                self._bot(found, chair.bot, built, len(chairs))
                name = names[number] = name or _free_name(names)
            if chair.kind in ("you", "bot"):
                check_name(name, [row.name for row in rows if row.name])
                found.check_name(name)
            row = ChairRow(
                "", number, name if chair.kind in ("you", "bot") else "", anybody=int(chair.kind == "anybody")
            )
            if chair.kind == "you":
                row = replace(row, token=creator, seen=clock.now())
            elif chair.kind == "bot":
                row = replace(row, bot=chair.bot)
            else:
                row = replace(row, invite=new_secret())
            rows.append(row)
        host = next((number for number, chair in enumerate(chairs) if chair.kind == "you"), -1)
        table = TableRow(
            new_secret(10),
            found.name,
            found.version,
            json.dumps(built.model_dump()),
            check_text(title if not is_blank(title := " ".join(title.split())) else found.title, 80, "a table's name"),
            secrets.token_hex(32),
            host,
            creator,
            create_id,
            changed=clock.now(),
            created=clock.now(),
            pace=pace,
            out_of_time=out_of_time,
            client=client,
        )
        return self._add_table(table, rows)

    def _add_table(self, table: TableRow, chairs: Sequence[ChairRow]) -> str:
        try:
            with self.store.write() as t:
                made = t.created(table.creator, table.create_id)
                if made is None:
                    _add(t, table, chairs)
        except IntegrityError:
            # The same request at the same moment through another process.
            with self.store.read() as t:
                made = t.created(table.creator, table.create_id)
            if made is None:
                raise
        if made is not None:
            return made.id
        self.looker.wake()
        return table.id

    def _start_if_full(self, change: Change) -> None:
        if opening := _opening(change.row, change.chairs):
            change.change(**opening)

    def invitation(self, invite: str, token: str) -> Invitation:
        """What an invite link leads to. E_INVITE when it is unknown or used up."""
        with self.store.read() as t:
            table = open_chairs.table_of(t, invite)
        with self._read(table) as change:
            chair = self._invited(change, _hash(token), invite)
            game, row = find_game(change.row.game), change.row
            seen = self._chairs(change, _hash(token))
            options = told_options(row)
            host = change.chairs[row.host].name if row.host >= 0 else ""
            promised = chance.commitment(bytes.fromhex(row.seed))
            return Invitation(
                table, row.title, chair.number, host, game, options, seen, row.pace, row.out_of_time, promised,
            )  # fmt: skip

    def _invited(self, change: Change, holder: str, invite: str) -> ChairRow:
        """The chair that an invitation leads to. Refusal E_INVITE, also once its hand may have been seen by others."""
        mine = held(change.chairs, holder)
        if mine is not None and mine.used_invite == invite:
            return mine
        if change.row.opening:
            raise Refusal(
                "E_INVITE",
                "the match has begun, and no link leads to a chair of it any more; watch, and ask for one",
            )
        return open_chairs.chair_for(change.chairs, invite)

    def sit(self, table: str, token: str, invite: str = "", name: str = "") -> Answer:
        """Take the chair of an invite link under a name; the link is used up with that.

        If others were faster on a chair for anybody, the next such chair at that table is taken. Once the match has
        begun no link leads to a chair: whoever opened it would see the hand. Without an invite: come back to one's own
        chair, where a bot has been sitting in, or for which the clock has decided last. E_INVITE, E_SETUP, E_SEAT.
        """
        holder = _hash(token)
        with self._write(table) as change:
            mine = held(change.chairs, holder)
            if mine is not None:
                if invite and mine.used_invite != invite:
                    raise Refusal(
                        "E_INVITE", f"you sit here already, as {mine.name}; the invitation is for somebody else"
                    )
                if invite or not (mine.bot or mine.lost):
                    return Answer("already applied", change.row.ply, f"You sit here as {mine.name}.")
                change.change_chair(mine.number, bot="", lost=0, seen=clock.now())
                change.change()
                change.wind()
                return Answer("applied", change.row.ply, f"Welcome back, {mine.name}.")
            if not invite:
                change.own(holder)
            change.refuse_if_stopped()
            chair = self._invited(change, holder, invite)
            name = change.checked_name(name, chair)
            change.seat_person(chair, name, holder, invite, clock.now())
            if change.row.host < 0:
                change.change(host=chair.number)
            change.change()
            self._start_if_full(change)
            change.wind({chair.number})
            return Answer("applied", change.row.ply, f"You sit here as {name}.")

    def leave(self, table: str, token: str) -> Answer:
        """Give up one's chair. Before the start it gets a new invite link.

        Once cards have been seen it goes to a bot, or to somebody whom all who stay agree on (`give`).
        """
        with self._write(table) as change:
            mine = change.own(_hash(token))
            invite = new_secret() if not change.row.opening else ""
            values = {"token": "", "invite": invite, "used_invite": "", **PERSONAL}
            if not (change.row.opening or mine.bot):
                values["name"] = ""
            change.change_chair(mine.number, **values)
            host = change.row.host
            if host == mine.number:
                host = next((chair.number for chair in change.chairs if chair.token), -1)
            change.change(host=host, undo="", giving="")
            change.wind()
            return Answer("applied", change.row.ply, f"The chair of {mine.name} is free.")

    def seat_bot(self, table: str, token: str, chair: int, bot: str) -> Answer:
        """Let a bot play a free chair, or sit in for somebody who is away (`tables.absence`): any player's to do.

        Before the start a free chair is the host's, while the host is not away. An owner who has lost three decisions
        in a row to the clock counts as away. The owner of a chair may come back at any time (`sit`, or by a move); what
        the bot has played stands. Refusal E_HOST, E_CHAIR, E_OVER, E_BOT.
        """
        with self._write(table) as change:
            mine = change.own(_hash(token))
            there = change.numbered(chair)
            change.refuse_if_stopped()
            self._bot(find_game(change.row.game), bot, options_of(change.row), len(change.chairs))
            if there.bot == bot:
                return Answer("already applied", change.row.ply, f"A bot plays for {there.name}.")
            absence.refuse_bot(change.row, change.chairs, mine, there)
            name = there.name or _free_name([other.name for other in change.chairs])
            # A friend who comes before the start after all has the chair; no stranger does from the front page.
            invite = "" if there.token or there.anybody else there.invite
            change.change_chair(chair, bot=bot, name=name, invite=invite, plan="")
            change.change(undo="", giving="")  # they may have waited for an answer from that chair
            self._start_if_full(change)
            change.wind()
            return Answer("applied", change.row.ply, f"A bot plays for {name}.")

    def _bot(self, game: Game, spec: str, options: Options | None = None, seats: int = 0) -> Bot:
        if not spec:
            raise Refusal("E_BOT", f"which bot? There are {', '.join(bot_specs(game))}")
        bot = make_bot(game, check_text(spec, 200, "a bot's spec"), options, seats)
        if options is not None:
            self.limits.check(bot)
        return bot

    # Watching, being told

    def follow(self, table: str, token: str, on: bool, client: str = "") -> Answer:
        """Keep a table among this browser's tables without a chair there, or no longer. E_SEAT, E_CROWD.

        ``client`` is the address that the request came from.
        """
        with self._write(table) as change:
            new = watchers.follow(change, _hash(token), on, _client(table, client))
            return Answer("applied" if new else "already applied", change.row.ply)

    def unwatch(self, table: str, token: str) -> Answer:
        """Say that this browser looks at the table no longer; it does not ask for a chair any more either."""
        with self._write(table) as change:
            new = watchers.go(change, _hash(token))
            ply = change.row.ply
        if new:
            self._tell_crowd(table)
        return Answer("applied" if new else "already applied", ply)

    def ask(self, table: str, token: str, on: bool, name: str = "", client: str = "") -> Answer:
        """Ask the players for a chair, under a name, or no longer. E_SETUP, E_SEAT for a player, E_OVER, E_CROWD."""
        with self._write(table) as change:
            new = watchers.ask(change, _hash(token), on, name, _client(table, client))
            return Answer("applied" if new else "already applied", change.row.ply)

    def give(self, table: str, token: str, chair: int, asks: str, agree: bool = True) -> Answer:
        """Have a chair given to somebody who asks: a free one, or one whose owner keeps the table waiting
        (`watchers.substitute_after`).

        Before the start any player gives it; once cards have been seen all people at the table, two at least, say so
        (``asked`` until then), and one who does not ``agree`` ends it. Refusal E_CHAIR, E_ASK, E_OVER, E_SETUP.
        """
        with self._write(table) as change:
            status, words = watchers.give(change, _hash(token), chair, asks, agree)
            self._start_if_full(change)
            change.wind({chair} if status == "applied" and agree else ())
            return Answer(status, change.row.ply, words)

    def tell(self, table: str, token: str, on: bool, address: str, origin: str) -> Answer:
        """Have mail sent when the lamp comes on over this browser's chair, or no longer (`mail.wish`).

        ``origin`` begins links in mail. E_MAIL where no mail is sent, E_ADDRESS, E_OFTEN.
        """
        if self.postman is None:
            raise Refusal("E_MAIL", "this server sends no mail")
        with self._write(table) as change:
            new = mail.wish(change, _hash(token), on, address, origin)
            answer = Answer("applied" if new else "already applied", change.row.ply)
        self.postman.look()
        return answer

    def mail_state(self, secret: str) -> str:
        """What a link in a mail finds: ``asked``, ``confirmed`` or ``stopped``. E_MAIL_LINK when it is unknown."""
        with self.store.read() as t:
            return mail.state_of(t, secret)

    def confirm_mail(self, secret: str) -> bool:
        """Say yes to mail by the link in one. Whether that is new. E_MAIL_LINK."""
        with self.store.write() as t:
            return mail.confirm(t, secret)

    def stop_mail(self, secret: str) -> bool:
        """Forget an address by the link in a mail to it. Whether that is new. E_MAIL_LINK."""
        with self.store.write() as t:
            return mail.stop(t, secret)

    def _tell_crowd(self, table: str) -> None:
        live, now = self._at(table), clock.now()
        if now - live.crowd_told >= SEEN_SECONDS:
            live.crowd_told = now
            self._tell(self.publisher.publish_crowd, table)

    def _telling(self, change: Change, mine: ChairRow | None) -> Telling | None:
        if self.postman is None or mine is None:
            return None
        person = change.t.person(mine.token)
        if person is None or not person.address:
            return Telling(False, "", False)
        return Telling(bool(mine.tell), person.address, bool(person.confirmed))

    # Looking

    def view(self, table: str, token: str, move: int | None = None, seat: int | None = None) -> TableView:
        """What this browser may know of the table now, or after ``move`` moves (E_PLY when there is no such).

        An earlier position is shown as this browser's seat saw it then. Where the rules forbid rereading the log, it
        is shown only when the match is over. Then all is shown, or what ``seat`` (SPECTATOR: a watcher) saw; E_GOING
        while the match goes on, E_CHAIR when there is no such.
        """
        with self._read(table) as change:
            return self._view(change, _hash(token), move, seat)

    def _view(self, change: Change, holder: str, move: int | None, from_seat: int | None) -> TableView:
        row, match = change.row, change.live.match
        chairs = self._chairs(change, holder)
        mine = held(change.chairs, holder)
        game = find_game(row.game)
        told = bool(row.opening) and (match is None or row.over == ENDED or (change.live.stopped and not row.over))
        if told and (move is not None or from_seat is not None):
            raise Refusal("E_VERSION", f"its positions cannot be shown any more: it was played under rules {row.rules}")
        if row.over and change.damaged is not None and change.t.story(row.id) is None:
            raise change.damaged
        seat = change.seat_of(mine.number) if mine is not None and row.opening else None
        if from_seat is not None:
            if not change.match.over:
                raise Refusal("E_GOING", "while the match goes on you look back from your own place alone")
            if not SPECTATOR <= from_seat < len(chairs):
                raise Refusal("E_CHAIR", f"there is no seat {from_seat}; they are numbered 0 to {len(chairs) - 1}")
            seat = from_seat if from_seat != SPECTATOR else None
        talk = change.t.talk(row.id) if mine is not None else []
        if told:
            shown = showing.recorded(change, seat)
        else:
            shown = self._shown(change, seat, move, from_seat is None)
        plan, plan_told = plans.plan_of(mine, row.ply) if mine is not None else (None, "")
        latest = move is None or match is None or move == match.ply
        return TableView(
            table=row.id,
            title=row.title,
            game=game,
            options=match.options if match is not None else told_options(row),
            rules=row.rules,
            chairs=chairs,
            started=bool(row.opening),
            ply=row.ply,
            revision=row.revision,
            commitment=chance.commitment(bytes.fromhex(row.seed)),
            you=chairs[mine.number] if mine is not None else None,
            seat=seat,
            **shown,
            draft=mine.draft if mine is not None and latest else "",
            plan=plan if latest and not (row.over or told) else None,
            plan_told=plan_told if latest else "",
            **self._undo_offered(change, mine, latest),
            undo=self._undo_asked(change, mine),
            talk=tuple(TalkLine(line.number, line.name, line.text, line.at) for line in talk),
            notes=mine.notes if mine is not None else "",
            link=match.chain[shown["move"]] if match is not None else change.last_link(),
            stopped=change.live.stopped.message if change.live.stopped is not None else "",
            may_end=mine is not None and change.may_end(mine),
            seed=row.seed if row.over else "",
            next_table=row.next_table,
            next_in=self._next_in(change),
            now=clock.now(),
            began=change.t.began(row.id) if row.over else 0,
            ended=row.ended,
            pace=row.pace,
            out_of_time=row.out_of_time,
            stands=bool(row.pace and row.opening and not row.over) and clock.stands(change.chairs),
            late=change.live.late_among({move for move, _ in shown["lines"]}),
            **self._watched(change, holder, mine),
            telling=self._telling(change, mine),
            mark=marks.mark(change.t, row, change.chairs, holder),
        )

    @staticmethod
    def _shown(change: Change, seat: int | None, move: int | None, whole: bool) -> dict[str, Any]:
        """What a seat is shown of the match; its present is found out once for all who look from there."""

        def find() -> dict[str, Any]:
            story = change.story(ALL_KNOWING) if change.row.over else None
            return showing.position(change.live.match, seat, move, whole, story)

        return find() if move is not None or change.live.match is None else change.live.once((seat, whole), find)

    def _next_in(self, change: Change) -> tuple[int, ...]:
        """The chairs whose owners have the page of the next table open."""
        if not change.row.next_table:
            return ()
        there = {chair.token for chair in change.t.chairs(change.row.next_table) if watchers.is_here(chair)}
        return tuple(chair.number for chair in change.chairs if chair.token and chair.token in there)

    def _watched(self, change: Change, holder: str, mine: ChairRow | None) -> dict[str, Any]:
        """Who watches, and what that means for this browser."""
        rows = change.t.watchers(change.row.id)
        row = next((row for row in rows if mine is None and row.token == holder), None)
        return {
            "crowd": watchers.crowd(rows, change.chairs),
            "watches": row is not None and watchers.is_here(row),
            "watches_as": watchers.called(row, change.chairs) if row is not None else "",
            "follows": row is not None and bool(row.follows),
            "asks": row is not None and watchers.asks(row),
            "askers": (found := watchers.askers(rows) if mine is not None and not change.row.over else ()),
            "to_give": watchers.to_give(change, mine) if found and mine is not None else (),
            "giving": watchers.giving(change, mine) if found and mine is not None else None,
        }

    def _chairs(self, change: Change, holder: str) -> tuple[Chair, ...]:
        mine = held(change.chairs, holder)
        invites = not change.row.opening and (holder == change.row.creator or mine is not None)
        return tuple(
            Chair(
                number=chair.number,
                name=chair.name,
                seat=change.seat_of(chair.number) if change.row.opening else None,
                held=bool(chair.token),
                here=bool(chair.token) and watchers.is_here(chair),
                you=bool(chair.token) and chair.token == holder,
                host=chair.number == change.row.host,
                bot=chair.bot,
                invite=chair.invite if invites else "",
                anybody=bool(chair.anybody),
                asked=chair.asked,
                until=clock.until(change.row, change.chairs, chair),
                lost=chair.lost,
                bot_from=absence.bot_from(change.row, change.chairs, mine, chair) if mine is not None else None,
            )
            for chair in change.chairs
        )

    # Open pages

    def marks(self, tables: Collection[str], token: str) -> dict[str, Mark]:
        """What tells the present state of tables, as this browser sees them, from others; of those that there are.

        Only this touches the store; no match is loaded for it.
        """
        holder = _hash(token)
        found = {}
        with self.store.read() as t:
            for table in tables:
                with suppress(Refusal):
                    found[table] = marks.mark(t, t.table(table), t.chairs(table), holder)
        return found

    def mark(self, table: str, token: str) -> Mark:
        """The same of one table. Refusal E_UNKNOWN."""
        with self.store.read() as t:
            return marks.mark(t, t.table(table), t.chairs(table), _hash(token))

    def listen(self, tables: Collection[str], token: str, name: str = "", client: str | None = "") -> Subscription:
        """Wait for news of tables, as this browser, whose reader calls herself ``name``. To be given back.

        ``client`` is the address it looks from; None: it does not watch.
        """
        return self.publisher.subscribe(tables, _hash(token), name, client)

    def pulse(self, tables: Collection[str], token: str, name: str = "", client: str = "") -> None:
        """Note that pages of tables are open in this browser (at most once in half a minute each).

        One without a chair watches from ``client``, an address, and calls itself ``name``. While it
        listens (`listen`) this is done by itself.
        """
        holder = _hash(token)
        self._keep_signs({(table, holder): (name, _client(table, client)) for table in tables})

    def _keep_signs(self, pages: Mapping[Page, tuple[str, str]]) -> None:
        for table in keep_signs(self.store, pages):
            self._tell_crowd(table)

    def look_after_pages(self) -> None:
        """Keep signs of life of all who listen, and tell them of what they have not heard of: another process may have
        changed a table in an SQLite file, or telling may have failed. Done every half minute, in few queries.
        """
        listening = self.publisher.listening()
        if not listening:
            return
        self._keep_signs(
            {
                (table, page.holder): (page.name, _client(table, page.client))
                for page in listening
                if page.client is not None
                for table in page.tables
            }
        )
        tables = sorted({table for page in listening for table in page.tables})
        with self.store.read() as t:
            places = t.places(tables)
        for table, ply, revision in places:
            self.publisher.tell(News(table, ply, revision))

    def mine(self, token: str) -> list[Summary]:
        """The tables where this browser holds a chair, and those it follows, newest change first (at most 100 each)."""
        holder = _hash(token)
        with self.store.read() as t:
            rows: list[tuple[TableRow, int | None]] = [*t.held_by(holder, 100)]
            known = {row.id for row, _ in rows}
            rows += [(row, None) for row in t.followed_by(holder, 100) if row.id not in known]
            rows.sort(key=lambda found: -found[0].changed)
            return [_summary(row, t.chairs(row.id), chair) for row, chair in rows]

    def open_tables(self, token: str) -> list[OpenTable]:
        """The tables with chairs free for anybody where this browser holds none, newest first (at most 20)."""
        with self.store.read() as t:
            return open_chairs.listed(t, _hash(token))

    def sit_with_anybody(
        self,
        token: str,
        game: str,
        name: str,
        pace: int = 0,
        out_of_time: str = "wait",
        create_id: str = "",
        client: str = "",
    ) -> str:
        """Sit down where a chair at this game is free for anybody, and return that table.

        It is the table under the printed rules, at this pace, that has waited longest; where there is none, a new one
        is made with as many chairs as are usual. Who waits at such a table already is led there, so that asking twice
        does no harm. Refusal E_SETUP as `create`.
        """
        found = find_game(game)
        kind = found, pace, out_of_time, _hash(token)
        with self.store.read() as t:
            mine, fitting = open_chairs.waiting(t, *kind), open_chairs.fitting(t, *kind)
        if mine:
            return mine
        for table, invite in fitting:
            with suppress(Refusal):  # somebody was faster, or has that name there
                self.sit(table, token, invite, name)
                return table
        with self.store.read() as t:
            mine = open_chairs.waiting(t, *kind)  # the same request may have come twice at once
        if mine:
            return mine
        chairs = [ChairRequest("you", name), *[ChairRequest("anybody")] * (open_chairs.usual_chairs(found) - 1)]
        return self.create(token, game, chairs, {}, "", create_id, pace, out_of_time, client)

    def export(self, table: str) -> str:
        """The file of a match that is over (`Match.dumps`), seed and all. Refusal E_EXPORT while it goes on."""
        with self._read(table) as change:
            change.started()
            if not change.row.over:
                stopped = "; it cannot go on under the rules of this server, but its players can end it"
                raise Refusal(
                    "E_EXPORT",
                    "the full record holds the seed; it can be had when the match is over"
                    + (stopped if change.live.stopped is not None else ""),
                )
            if change.damaged is not None:
                raise change.damaged
            players = [chair.name for chair in change.chairs]
            names = names_by_seat(players, change.live.rotation)
            return match_file(change.row, players, names, change.t.entries(table))

    def end(self, table: str, token: str) -> Answer:
        """End a match that cannot go on under the rules of this server; then all of it can be seen and downloaded.

        The host may, and any player when the host has left or has not been seen for a day. Refusal E_GOING for a match
        that goes on, E_HOST.
        """
        with self._write(table) as change:
            mine = change.own(_hash(token))
            change.started()
            if change.row.over == ENDED:
                return Answer("already applied", change.row.ply, "It has been ended.")
            if change.row.over:
                raise Refusal("E_OVER", "the game is over")
            if change.live.stopped is None:
                raise Refusal("E_GOING", "the match goes on; only one that cannot go on is ended")
            if not change.may_end(mine):
                raise Refusal("E_HOST", "the one who set this table may end it; after a day without a sign, anybody")
            change.end()
            return Answer("applied", change.row.ply, "It has been ended.")

    # Moves

    def submit(self, table: str, token: str, text: str, ply: int, move_id: str) -> Answer:
        """Make a typed move for this browser's seat, decided on at table ply ``ply``.

        E_STALE when the table has moved on in a way that the seat could see; E_OVER when the match is over.
        ``move_id`` is any text of the sender's choosing (1 to 100 characters), new for each move: the same one again
        is answered ``already applied``.
        """
        if not move_id:
            raise Refusal("E_ID", "a move needs a move_id of your choosing, so that sending it twice does no harm")
        holder, move_id = _hash(token), _id(move_id)
        text = check_text(text, 1000, "a move")
        with self._write(table) as change:
            mine = change.present(holder)
            change.started()
            seat = change.seat_of(mine.number)
            if (done := self._already(change, seat, move_id)) is not None:
                return done
            match = change.match
            if match.over:
                raise Refusal("E_OVER", "the game is over")
            if not self._may_be_late(change, seat, text, ply):
                raise Stale(ply, change.row.ply)
            if match.game.messages is not None and match.game.talk_notation.parse_talk(
                match.view(seat), seat, text, match.names
            ):
                _refuse_more_talk(_messages(match, seat))
            spent = plans.spent(change, mine)
            move = match.play(seat, text)
            values = {"draft": "", "lost": 0, **spent} if move.actions else {}
            change.change_chair(mine.number, bot="", **values)
            change.append(MOVE, seat, move.actions, move.text, move_id)
            return Answer("applied", change.row.ply, move.text)

    def _already(self, change: Change, seat: int, move_id: str) -> Answer | None:
        made = change.t.entry(change.row.id, move_id)
        if made is None:
            return None
        if made.seat != seat:
            raise Refusal("E_ID", "that id has been used by somebody else at this table; choose another")
        # Where the rules forbid looking back, an old move is not told again, not even to who made it.
        return Answer("already applied", change.row.ply, "" if change.match.keeps_back() else made.text)

    def _may_be_late(self, change: Change, seat: int, text: str, ply: int) -> bool:
        """Whether a decision taken at ``ply`` still answers the question as the seat knows it."""
        match, missed = change.match, change.row.ply - ply
        if missed > 0 and ply >= change.live.last_undo and match.game.messages is not None:
            spoken = match.game.talk_notation.parse_talk(match.view(seat), seat, text, match.names)
            if spoken is not None:
                # What is said in words is never late; a claim or a request is about the round it was decided in.
                return spoken[1].startswith("say ") or match.same_turn(match.ply - missed)
        return self._still_asked(change, seat, ply)

    def _still_asked(self, change: Change, seat: int, ply: int) -> bool:
        """Whether what the seat was asked at ``ply`` it is asked still, whatever others have done since."""
        match, missed = change.match, change.row.ply - ply
        if missed == 0:
            return True
        if missed < 0 or ply < change.live.last_undo:
            return False
        return match.still_asked(seat, match.ply - missed)

    def draft(self, table: str, token: str, text: str, ply: int) -> Answer:
        """Keep this seat's move in preparation at table ply ``ply``, so that its other devices show it; empty drops it.

        E_ACTOR when nothing is asked of the seat. E_STALE when it answers a question that is settled: on a slow line it
        may arrive after the move itself, and would lie there as the answer to the next one.
        """
        check_text(text, 1000, "a move")
        with self._write(table) as change:
            mine = change.present(_hash(token))
            seat = change.seat_of(mine.number)
            if not self._may_be_late(change, seat, text, ply):
                raise Stale(ply, change.row.ply)
            if seat not in change.match.acting:
                raise Refusal("E_ACTOR", "nothing is asked of you now, so there is no move to prepare")
            if mine.draft == text:
                return Answer("already applied", change.row.ply)
            change.change_chair(mine.number, draft=text)
            change.published = mine.number
            return Answer("applied", change.row.ply)

    def plan(self, table: str, token: str, text: str, ply: int, condition: Condition = "same") -> Answer:
        """Prepare a whole move for this seat's next turn, seen at table ply ``ply``; empty text drops what is prepared.

        It is played when the turn comes: if it then does exactly what it does now (``same``), or whenever it can be
        played (``legal``). Refused with the game's code when it is no whole move, with E_STALE, with E_ACTOR when the
        seat is asked now, with E_OVER, at a table that is played from memory with E_NOTES, and with E_PLAN in a game
        without turns or when something unknown comes before this one.
        """
        check_text(text, 1000, "a move")
        with self._write(table) as change:
            return plans.keep(change, change.present(_hash(token)), text, condition, ply)

    def _play_plan(self, table: str) -> int | None:
        """Make the move that somebody has prepared for a turn that has come, if its condition holds.

        None, or the table's revision at which none is due.
        """
        with self._read(table) as change:
            if plans.due(change) is None:
                return change.row.revision
        with self._write(table, person=False) as change:
            plans.come_due(change)
        return None

    def complete(self, table: str, token: str, prefix: str, prepare: bool = False) -> Draft:
        """A text as a move in preparation of this browser's seat: what it means and what may follow it.

        With ``prepare`` it is one for the seat's next turn (refusals as of `plan`); else Refusal E_ACTOR when the seat
        owes no decision, E_OVER when the match is over.
        """
        check_text(prefix, 1000, "a move")
        with self._read(table) as change:
            mine = change.own(_hash(token))
            match, seat = change.match, change.seat_of(mine.number)
            if prepare:
                return Draft(match.game, plans.look_ahead(match, seat), seat, match.names, prefix)
            if match.over:
                raise Refusal("E_OVER", "the game is over")
            if seat not in match.acting:
                waited = ", ".join(match.names[other] for other in match.acting)
                raise Refusal("E_ACTOR", f"nothing is asked of you now; waiting for {waited}")
            return Draft(match.game, match.view(seat), seat, match.names, prefix)

    # Taking back

    def undo(self, table: str, token: str, ply: int, undo_id: str) -> Answer:
        """Take back this seat's last move: at once while nobody has learnt anything and it is nobody else's turn.

        Otherwise the other people at the table are asked (``asked``), and it is done when all agree; what has been
        played since is then taken back with it. E_UNDO when there is nothing to take back or nobody to ask, and while
        a choice lies sealed: that is final until all are shown, and then the whole round is taken back.
        """
        if not undo_id:
            raise Refusal(
                "E_ID", "a take-back needs an undo_id of your choosing, so that sending it twice does no harm"
            )
        holder, undo_id = _hash(token), _id(undo_id)
        with self._write(table) as change:
            mine = change.present(holder)
            change.started()
            seat = change.seat_of(mine.number)
            if (done := self._already(change, seat, undo_id)) is not None:
                return done
            match = change.match
            asked = json.loads(change.row.undo) if change.row.undo else None
            if asked is not None and asked["chair"] == mine.number:
                return Answer("asked", change.row.ply, "The others have been asked.")
            if match.over:
                raise Refusal("E_OVER", "the game is over; nothing can be taken back")
            if ply != change.row.ply:
                raise Stale(ply, change.row.ply)
            count = _taken_back(match, seat)
            if not count:
                raise Refusal("E_UNDO", "you have made no move that could be taken back")
            if undo_is_free(match, seat):
                self._take_back(change, seat, count, undo_id)
                return Answer("applied", change.row.ply, "Taken back.")
            voters = _voters(change, mine)
            if not voters:
                raise Refusal(
                    "E_UNDO", "somebody has learnt something since, and with bots alone there is nobody to ask"
                )
            if asked is not None:
                raise Refusal("E_UNDO", "the table is being asked about another take-back; answer that first")
            ask = {"chair": mine.number, "count": count, "id": undo_id, "voters": voters, "agreed": []}
            change.change(undo=json.dumps(ask))
            return Answer("asked", change.row.ply, "The others have been asked.")

    def vote(self, table: str, token: str, ply: int, agree: bool) -> Answer:
        """Answer a take-back that is asked of the table; one no ends it. E_UNDO when nothing is asked of this chair."""
        with self._write(table) as change:
            mine = change.present(_hash(token))
            change.refuse_if_stopped()
            if not change.row.undo:
                if ply < change.row.ply <= change.live.last_undo:
                    return Answer("already applied", change.row.ply, "Taken back.")
                raise Refusal("E_UNDO", "no take-back is asked of the table")
            if ply != change.row.ply:
                raise Stale(ply, change.row.ply)
            ask = json.loads(change.row.undo)
            if mine.number not in ask["voters"]:
                raise Refusal("E_UNDO", "this take-back is not yours to answer")
            if not agree:
                change.change(undo="")
                return Answer("applied", change.row.ply, "It stays as it was played.")
            if mine.number in ask["agreed"]:
                return Answer("already applied", change.row.ply, "You have agreed.")
            ask["agreed"].append(mine.number)
            if set(ask["agreed"]) >= set(ask["voters"]):
                self._take_back(change, change.seat_of(ask["chair"]), ask["count"], ask["id"])
                return Answer("applied", change.row.ply, "Taken back.")
            change.change(undo=json.dumps(ask))
            return Answer("applied", change.row.ply, "You have agreed; others are still asked.")

    def _take_back(self, change: Change, seat: int, count: int, undo_id: str) -> None:
        undone = [change.match.undo() for _ in range(count)]
        change.append(UNDO, seat, [count], "", undo_id, {move.seat for move in undone if move.actions})
        plans.drop_undone(change)

    def _undo_offered(self, change: Change, mine: ChairRow | None, latest: bool) -> dict[str, Any]:
        """What this chair may take back now, by itself or by asking."""
        match = change.live.match
        free, moves = False, 0
        if latest and match is not None and mine is not None and change.goes_on():
            seat = change.seat_of(mine.number)
            with suppress(Refusal):
                moves = _taken_back(match, seat)
            free = bool(moves) and change.live.once(("undo", seat), lambda: undo_is_free(match, seat))
            if free or change.row.undo or not _voters(change, mine):
                moves = 0
        return {"undo_free": free, "undo_moves": moves}

    def _undo_asked(self, change: Change, mine: ChairRow | None) -> UndoAsked | None:
        if not change.row.undo:
            return None
        ask = json.loads(change.row.undo)
        names = [chair.name for chair in change.chairs]
        waiting = [number for number in ask["voters"] if number not in ask["agreed"]]
        return UndoAsked(
            name=names[ask["chair"]],
            moves=ask["count"],
            agreed=tuple(names[number] for number in ask["agreed"]),
            waiting=tuple(names[number] for number in waiting),
            yours=mine is not None and mine.number in waiting,
        )

    # Talk, notes, again

    def talk(self, table: str, token: str, text: str, talk_id: str = "") -> Answer:
        """Say a line (1 to 500 characters) to those at the table. ``talk_id`` makes it safe to repeat.

        Where talk is part of the rules, it is a message of the match while that goes on: ``say TEXT``, kept as typed.
        E_NOTES at a table that is played from memory, until it is over: what is said there would stay to be read.
        """
        holder, talk_id = _hash(token), _id(talk_id)
        text = check_text(text, 500, "a line of talk")
        with self._write(table) as change:
            mine = change.present(holder)
            if is_blank(text):
                raise Refusal("E_TEXT", "there is nothing to say in that")
            match = change.live.match
            if match is not None and match.game.messages is not None and change.goes_on():
                seat = change.seat_of(mine.number)
                if (done := self._already(change, seat, talk_id)) is not None:
                    return done
                _refuse_more_talk(_messages(match, seat))
                move = match.play(seat, f"say {text}")
                change.append(MOVE, seat, move.actions, move.text, talk_id)
                return Answer("applied", change.row.ply, move.text)
            if change.row.opening and not change.row.over and told_options(change.row).from_memory:
                raise Refusal("E_NOTES", "no written talk at this table while it is played: memory is the game")
            text = RUNS.sub(" ", text).strip()
            said = change.t.said(change.row.id, talk_id)
            if said is not None and said.chair == mine.number:
                return Answer("already applied", change.row.ply)
            if said is not None:
                raise Refusal("E_ID", "that id has been used by somebody else at this table; choose another")
            lines = change.t.talk(change.row.id)
            _refuse_more_talk(sum(line.chair == mine.number for line in lines))
            change.t.add(TalkRow(change.row.id, len(lines) + 1, mine.number, mine.name, text, talk_id, clock.now()))
            change.change()
            return Answer("applied", change.row.ply)

    def note(self, table: str, token: str, text: str) -> Answer:
        """Replace this chair's private notes (at most 10,000 characters).

        E_NOTES at a table that is played from memory, until it is over.
        """
        check_text(text, 10_000, "your notes")
        with self._write(table) as change:
            mine = change.present(_hash(token))
            if not change.row.over and told_options(change.row).from_memory:
                raise Refusal("E_NOTES", "no notes at this table while it is played: memory is the game")
            if mine.notes == text:
                return Answer("already applied", change.row.ply)
            change.change_chair(mine.number, notes=text)
            change.published = mine.number
            return Answer("applied", change.row.ply)

    def rematch(self, table: str, token: str, client: str = "") -> str:
        """The id of the new table with the same people, bots and options, chairs moved on by one. Once per table.

        E_GOING while the match goes on.
        """
        with self._write(table) as change:
            mine = change.own(_hash(token))
            change.started()
            if not change.row.over:
                raise Refusal("E_GOING", "the match is not over yet")
            if change.row.next_table:
                return change.row.next_table
            moved = [*change.chairs[1:], change.chairs[0]]
            old = change.row
            game = find_game(old.game)
            new = TableRow(
                new_secret(10), old.game, game.version, old.options, old.title, secrets.token_hex(32),
                moved.index(mine), mine.token, new_secret(), changed=clock.now(), created=clock.now(),
                pace=old.pace, out_of_time=old.out_of_time, client=client,
            )  # fmt: skip
            rows = []
            for number, chair in enumerate(moved):
                # They count as at the new table only when its page has been opened.
                seen = clock.now() if chair == mine else min(chair.seen, clock.now() - HERE_SECONDS)
                row = ChairRow(
                    new.id, number, chair.name, chair.token, seen=seen, anybody=chair.anybody, tell=chair.tell
                )
                if not chair.token:
                    row = replace(row, bot=chair.bot) if chair.bot else replace(row, name="", invite=new_secret())
                rows.append(row)
            opened = _add(change.t, new, rows)
            if self.postman is not None:
                mail.lamps(change.t, new.acting, opened, rows, "")
            change.change(next_table=new.id)
        self.looker.wake()
        return new.id

    # What a table does by itself

    def _do(self, row: OwedRow) -> int | None:
        """Do what a table owes. None, or the table's revision at which there is nothing to do."""
        with self.store.read() as t:
            table = t.table(row.table_id)
        if rests(table):
            return table.revision
        if row.kind == owed.PLAN:
            return self._play_plan(row.table_id)
        if row.kind == owed.BOT:
            return self._bots_turn(row.table_id)
        return self._run_out(row.table_id)

    # Bots

    def _bots_turn(self, table: str) -> int | None:
        """Have a bot say or decide something. None, or the table's revision at which none has anything to do."""
        decisions, ready, revision = self._bot_decisions(table)
        for decision in decisions:
            message = self._message(table, decision)
            if message >= 0:
                self._bot_talk(table, decision, message)
                return None
        if not decisions or not ready:
            return revision
        self._bot_move(table, decisions[0], self._think(table, decisions[0]))
        return None

    def _think(self, table: str, decision: Decision) -> Sequence[int] | None:
        """What a bot decides, None when it failed. `Lost` when that should be tried again."""
        if self.thinkers is None:
            return chosen(table, decision, self.limits.seconds)
        place = table, decision.ply
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

    @staticmethod
    def _message(table: str, decision: Decision) -> int:
        """What a bot wants to say before it decides, -1: nothing."""
        if decision.bot.game.messages is None:
            return -1
        try:
            return decision.bot.say(decision.view, decision.seat, decision.random)
        except Exception:
            LOG.exception("table %s: bot %s failed to speak at ply %d", table, decision.bot.spec, decision.ply)
            return -1

    def _bot_decisions(self, table: str) -> tuple[list[Decision], bool, int]:
        """The decisions that bots owe at a table, by seat, whether they may be made, and the table's revision.

        Where talk is part of the rules, bots speak at once but decide after the people who are asked with them: so what
        people claim is heard, and all bots have heard each other, as in a simulation.
        """
        with self._read(table) as change:
            match = change.live.match
            if match is None or not change.goes_on():
                return [], False, change.row.revision
            decisions: list[Decision] = []
            people, talking = False, match.game.messages is not None
            for seat in match.acting:
                chair = change.chair_at(seat)
                people = people or not chair.bot
                if chair.bot and (talking or not decisions):
                    decisions.append(self._decision(change, seat, chair.bot))
            return decisions, not (people and talking), change.row.revision

    def _decision(self, change: Change, seat: int, spec: str) -> Decision:
        """The decision that a seat owes, as it is put to a bot."""
        match, bot = change.match, self._bot(change.match.game, spec).at_most(self.limits.iterations)
        view = bot.informed(match.views(seat), match.view(seat), seat)
        return Decision(bot, view, seat, rng.generator(match.seed, "bot", seat, match.ply), change.row.ply)

    def _bot_talk(self, table: str, decision: Decision, message: int) -> None:
        """Let a bot say something where talk is part of the rules, as an entry of the match like everybody's."""
        with self._write(table, person=False) as change:
            match, seat = change.match, decision.seat
            if change.row.ply == decision.ply and not match.over:
                move = match.play(seat, match.game.talk_notation.talk_text(message, match.names))
                change.append(MOVE, seat, move.actions, move.text, f"bot {new_secret()}")

    def _bot_move(self, table: str, decision: Decision, actions: Sequence[int] | None) -> None:
        """Make a bot's move, through the same store as everybody's. None, or an illegal move: the declared default."""
        with self._write(table, person=False) as change:
            match, seat = change.match, decision.seat
            chair = change.chair_at(seat)
            if not chair.bot or match.over or not self._still_asked(change, seat, decision.ply):
                return
            if change.row.ply != decision.ply:
                # Others have talked or decided meanwhile, and may have changed what this one may do.
                try:
                    move = match.play_actions(seat, actions or ())
                except Refusal:
                    return
            else:
                move = _play_or_default(match, seat, actions, table, chair.bot)
            change.append(MOVE, seat, move.actions, move.text, f"bot {new_secret()}")

    # The clock

    def _run_out(self, table: str) -> int:
        """Make the decisions at a table whose time is over, those asked first before others; first what is prepared.

        The table's revision then.
        """
        self._play_plan(table)
        while self._make_late_decision(table):
            pass
        with self.store.read() as t:
            return t.table(table).revision

    def _make_late_decision(self, table: str) -> bool:
        """Make one decision whose time is over; False when there is none (any more).

        The bot thinks before the table is locked, so all is looked at again then: whoever was faster, the person or
        another process, has made the decision, and it is not made twice.
        """
        with self._read(table) as change:
            seen, decision = clock.late(change.row, change.chairs)[:1], None
            if seen and change.row.out_of_time == "bot":
                decision = self._decision(change, change.seat_of(seen[0].number), STAND_IN)
            ply = change.row.ply
        actions = self._think(table, decision) if decision is not None else None
        with self._write(table, person=False) as change:
            first, before = clock.late(change.row, change.chairs)[:1], change.row.due
            if not first:
                change.wind()
                if change.row.due != before:
                    change.change()
                return False
            chair, match = first[0], change.match
            if not seen or (change.row.ply, chair.number, chair.asked) != (ply, seen[0].number, seen[0].asked):
                return True
            seat, spent = change.seat_of(chair.number), plans.spent(change, chair)
            if decision is None:
                move = match.play_actions(seat, match.default_actions(seat))
            else:
                move = _play_or_default(match, seat, actions, table, STAND_IN)
            change.change_chair(chair.number, draft="", lost=chair.lost + 1, **spent)
            change.append(LATE, seat, move.actions, move.text, f"late {new_secret()}")
            return True
