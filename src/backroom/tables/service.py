"""Tables: everything a page, a script or a bot can do at one, without HTTP.

The chain for a move, and there is no other: `Tables.submit` -> notation -> `Match.play` -> append to the store, commit
-> publish. A *chair* is a place in the order in which the players were named; a *seat* is its number in the match
(known once the match has started, since set-up may draw who begins). A browser is known by its *token*.

A table's ``entry`` is the number of the newest entry in its record (0: none): moves, messages of games in which talk is
part of the rules, and take-backs are entries, so it never goes down. The ply is the match's: it counts the moves that
stand (`Match.ply`). In JSON, in pages and in columns the entry is called ``ply``. ``revision`` grows with every
change that anybody at the table can see.

`Tables` is the door: what it takes becomes a `Change` of a table in one transaction (`lives`), and what may be done in
that stands in a room of its own: `making`, `playing_on`, `chairs`, `devices`, `sitting_in`, `moves`, `plans`,
`take_backs`, `talk`, `watchers`, `looking`, `findings`, `endings`, `mail`; what a table does when nobody asks is in
`by_itself`.
"""

import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from backroom.engine.game import Refusal, find_game
from backroom.scenes.draft import Draft
from backroom.tables import (
    chairs,
    devices,
    endings,
    findings,
    looking,
    mail,
    making,
    marks,
    moves,
    open_chairs,
    owed,
    plans,
    playing_on,
    practising,
    sitting_in,
    take_backs,
    talk,
    watchers,
)
from backroom.tables.by_itself import ByItself
from backroom.tables.lives import Lives
from backroom.tables.presence import Presence
from backroom.tables.publisher import PostgresPublisher, Publisher, Subscription
from backroom.tables.rows import ChairRow, EntryRow, TableRow
from backroom.tables.store import Store
from backroom.tables.thinking import LIMITS, Limits, Thinkers
from backroom.tables.views import (
    Answer,
    ChairRequest,
    Condition,
    Invitation,
    Mark,
    OpenTable,
    SharedPosition,
    Summary,
    TableView,
)
from backroom.tables.words import check_text, checked_id, client_at, hash_of

__all__ = ["Tables"]


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
        self.lives = Lives(store, publisher, lambda: self.looker.wake(), relay is not None)
        self.by_itself = ByItself(self.lives, limits, thinkers)
        self.looker = owed.Looker(store, limits, self.by_itself.do, self.postman)
        self.presence = Presence(self.lives)
        self._closed = False
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
        endings.keep_stories(self.lives, lambda: self._closed)

    # Making a table

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
        quiet: bool = False,
    ) -> str:
        """Make a table and return its id. It starts at once when no chair is for a friend or anybody.

        A decision may take ``pace`` seconds (0: no limit); then the game's default is played (``out_of_time`` skip), a
        bot makes it (bot), or nothing happens (wait). ``create_id`` makes the request safe to repeat: the same id from
        the same browser gives the same table. ``client`` is whose address it comes from, for whom bots think
        in turn. At a ``quiet`` table bots do not chat (`hush`). Refusal E_SETUP names what is wrong with game, option,
        pace, seat count or name, E_BOT with a bot.
        """
        wanted = game, chairs, options or {}, title, checked_id(create_id), pace, out_of_time, client, quiet
        return self._made(*making.new_table(hash_of(token), *wanted, self.limits))

    def _made(self, row: TableRow, chairs: Sequence[ChairRow], entries: Sequence[EntryRow] = ()) -> str:
        made, new = making.add(self.store, row, chairs, entries)
        if new:
            self.looker.wake()
        return made

    def practise(self, token: str, game: str, name: str, create_id: str = "", client: str = "") -> str:
        """Make a table for the practice of a game, and return its id. Refusal E_PRACTICE where it has none, E_SETUP."""
        return self._made(
            *practising.new_practice(find_game(game), hash_of(token), name, checked_id(create_id), client)
        )

    def play_alone(self, table: str, token: str) -> Answer:
        """End the practice at a table, and go on against ordinary bots. Refusal E_PRACTICE."""
        with self.lives.write(table) as change:
            return practising.play_alone(change, change.present(token))

    def rematch(self, table: str, token: str, client: str = "") -> str:
        """The id of the new table with the same people, bots and options, chairs moved on by one. Once per table.

        E_GOING while the match goes on.
        """
        with self.lives.write(table) as change:
            new = making.rematch(change, change.own(token), client, self.postman is not None)
        self.looker.wake()
        return new

    def play_on(
        self, table: str, token: str, ply: int, seat: int | None = None, create_id: str = "", client: str = ""
    ) -> str:
        """The id of a new table that begins where a match stood after ``ply`` moves, against bots.

        While that match goes on, all that this browser cannot know is drawn anew. It sits in ``seat`` (None: where it
        sat). The same ``create_id`` again gives the same table. Refusal E_GOING, E_VERSION, E_PLY, E_CHAIR, E_BOT.
        """
        create_id = checked_id(create_id)
        with self.lives.read(table) as change:
            rows = playing_on.begun(
                change, change.holder(token), hash_of(token), ply, seat, create_id, client, self.limits
            )
        return self._made(*rows)

    def share(self, table: str, token: str, ply: int, outside: bool = False) -> str:
        """The id of a position to be shared by a link: that of a match that goes on after ``ply`` moves.

        It is as this browser sees it, or as a watcher does (``outside``), and all that cannot be known then is drawn
        anew. Refusal E_WAIT, E_OVER, E_GOING, E_PLY, E_VERSION, E_CROWD.
        """
        with self.lives.write(table) as change:
            return playing_on.share(change, change.holder(token), ply, outside).id

    def shared(self, position: str, seat: int | None = None) -> SharedPosition:
        """What a link to a position leads to, as ``seat`` sees it (SPECTATOR: a watcher; None: as it was shared).

        Refusal E_UNKNOWN, E_VERSION, E_CHAIR.
        """
        with self.store.read() as t:
            return playing_on.shared(t, t.position(position), seat)

    def play_on_shared(
        self, position: str, token: str, seat: int | None = None, create_id: str = "", client: str = ""
    ) -> str:
        """The id of a new table that begins at a position that was shared, against bots (`play_on`)."""
        create_id = checked_id(create_id)
        with self.store.read() as t:
            rows = playing_on.begun_at(t, t.position(position), hash_of(token), seat, create_id, client, self.limits)
        return self._made(*rows)

    def sit_with_anybody(
        self,
        token: str,
        game: str,
        name: str,
        pace: int = 0,
        out_of_time: str = "wait",
        create_id: str = "",
        client: str = "",
        count: int = 0,
    ) -> str:
        """Sit down where a chair at this game is free for anybody, and return that table.

        It is the table under the printed rules, at this pace, with ``count`` chairs (0: any number), that has waited
        longest; where there is none, a new one is made, for 0 with as many chairs as are usual. A browser that waits at
        such a table already gets that one, so that asking twice does no harm. Refusal E_SETUP as `create`.
        """
        found = find_game(game)
        kind = found, pace, out_of_time, count, hash_of(token)
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
        chairs = [
            ChairRequest("you", name),
            *[ChairRequest("anybody")] * ((count or open_chairs.usual_chairs(found)) - 1),
        ]
        return self.create(token, game, chairs, {}, "", create_id, pace, out_of_time, client)

    # Chairs

    def invitation(self, invite: str, token: str) -> Invitation:
        """The table and chair of an invite link. E_INVITE when it is unknown or used up."""
        with self.store.read() as t:
            table = open_chairs.table_of(t, invite)
        with self.lives.read(table) as change:
            return chairs.invitation(change, change.holder(token), invite)

    def led_to(self, invite: str) -> str:
        """The table that an invite link leads to, used up or not; the empty text where it is unknown.

        Its holder has seen that address when the link was new: it was on the page, to watch.
        """
        with self.store.read() as t:
            return t.led_to(invite)

    def sit(self, table: str, token: str, invite: str = "", name: str = "") -> Answer:
        """Take the chair of an invite link under a name; the link is used up with that.

        If others were faster on a chair for anybody, the next such chair at that table is taken. Once the match has
        begun no link leads to a chair: whoever opened it would see the hand. Without an invite: come back to one's own
        chair, where a bot has been sitting in, or for which the clock has decided last. E_INVITE, E_SETUP, E_SEAT.
        """
        with self.lives.write(table) as change:
            return chairs.sit(change, token, invite, name)

    def leave(self, table: str, token: str) -> Answer:
        """Give up one's chair. Before the start it gets a new invite link.

        Once cards have been seen it goes to a bot, or to somebody whom all who stay agree on (`give`).
        """
        with self.lives.write(table) as change:
            return chairs.leave(change, change.own(token))

    def seat_bot(self, table: str, token: str, chair: int, bot: str) -> Answer:
        """Let a bot play a free chair, or sit in for somebody who is away (`tables.sitting_in`): any player's to do.

        Before the start a free chair is the host's, while the host is not away. An owner who has lost three decisions
        in a row to the clock counts as away. The owner of a chair may come back at any time (`sit`, or by a move); what
        the bot has played stands. Refusal E_HOST, E_CHAIR, E_OVER, E_BOT.
        """
        with self.lives.write(table) as change:
            return sitting_in.seat_bot(change, change.own(token), chair, bot, self.limits)

    def another_device(self, table: str, token: str) -> str:
        """The secret of a link that opens this browser's chair in one more browser, once, within ten minutes.

        Refusal E_SEAT, E_OVER, E_DEVICE.
        """
        with self.lives.write(table) as change:
            return devices.offer(change, change.present(token))

    def handover(self, secret: str, token: str) -> devices.Handover:
        """What such a link leads to; looking uses nothing up. Refusal E_DEVICE."""
        with self.lives.read(self._handed_over_at(secret)) as change:
            return devices.found(change, token, secret)

    def open_here(self, secret: str, token: str) -> str:
        """Open the chair of such a link in this browser too; the table. Refusal E_DEVICE, E_CHAIR."""
        table = self._handed_over_at(secret)
        with self.lives.write(table) as change:
            devices.open_here(change, token, secret)
        return table

    def _handed_over_at(self, secret: str) -> str:
        with self.store.read() as t:
            given = t.handover(hash_of(secret))
        if given is None:
            raise Refusal("E_DEVICE", "there is no such link; is it complete? It works once, for ten minutes")
        return given.table_id

    def close_elsewhere(self, table: str, token: str) -> Answer:
        """Close this browser's chair on all other devices, or, if it had it by a link, on this one. E_SEAT."""
        with self.lives.write(table) as change:
            return devices.close_elsewhere(change, token, change.own(token))

    # Moves

    def submit(self, table: str, token: str, text: str, entry: int, move_id: str) -> Answer:
        """Make a typed move for this browser's seat, decided on when the table stood at ``entry``.

        E_STALE when the table has moved on in a way that the seat could see; E_OVER when the match is over.
        ``move_id`` is any text of the sender's choosing (1 to 100 characters), new for each move: the same one again
        is answered ``already applied``.
        """
        if not move_id:
            raise Refusal("E_ID", "a move needs a move_id of your choosing, so that sending it twice does no harm")
        move_id, text = checked_id(move_id), check_text(text, 1000, "a move")
        with self.lives.write(table) as change:
            return moves.submit(change, change.present(token), text, entry, move_id)

    def draft(self, table: str, token: str, text: str, entry: int) -> Answer:
        """Keep this seat's move in preparation, as of ``entry``, so that its other devices show it; empty drops it.

        E_ACTOR when nothing is asked of the seat. E_STALE when it answers a question that is settled: on a slow line it
        may arrive after the move itself, and would lie there as the answer to the next one.
        """
        check_text(text, 1000, "a move")
        with self.lives.write(table) as change:
            return moves.keep_draft(change, change.present(token), text, entry)

    def plan(self, table: str, token: str, text: str, entry: int, condition: Condition = "same") -> Answer:
        """Prepare a whole move for this seat's next turn, as of ``entry``; empty text drops what is prepared.

        It is played when the turn comes: if it then does exactly what it does now (``same``), or whenever it can be
        played (``legal``). Refused with the game's code when it is no whole move, with E_STALE, with E_ACTOR when the
        seat is asked now, with E_OVER, at a table that is played from memory with E_NOTES, and with E_PLAN in a game
        without turns or when something unknown comes before this one.
        """
        check_text(text, 1000, "a move")
        with self.lives.write(table) as change:
            return plans.keep(change, change.present(token), text, condition, entry)

    def complete(self, table: str, token: str, prefix: str, prepare: bool = False) -> Draft:
        """A text as a move in preparation of this browser's seat: what it means and what may follow it.

        With ``prepare`` it is one for the seat's next turn (refusals as of `plan`); else Refusal E_ACTOR when the seat
        owes no decision, E_OVER when the match is over.
        """
        check_text(prefix, 1000, "a move")
        with self.lives.read(table) as change:
            return moves.complete(change, change.own(token), prefix, prepare)

    # Taking back

    def undo(self, table: str, token: str, entry: int, undo_id: str) -> Answer:
        """Take back this seat's last move: at once while nobody has learnt anything and it is nobody else's turn.

        Otherwise the other people at the table are asked (``asked``), and it is done when all agree; what has been
        played since is then taken back with it. E_UNDO when there is nothing to take back or nobody to ask, and while
        a choice lies sealed: that is final until all are shown, and then the whole round is taken back.
        """
        if not undo_id:
            raise Refusal(
                "E_ID", "a take-back needs an undo_id of your choosing, so that sending it twice does no harm"
            )
        undo_id = checked_id(undo_id)
        with self.lives.write(table) as change:
            return take_backs.undo(change, change.present(token), entry, undo_id)

    def vote(self, table: str, token: str, entry: int, agree: bool) -> Answer:
        """Answer a take-back that is asked of the table; one no ends it. E_UNDO when nothing is asked of this chair."""
        with self.lives.write(table) as change:
            return take_backs.vote(change, change.present(token), entry, agree)

    # Talk and notes

    def talk(self, table: str, token: str, text: str, talk_id: str = "") -> Answer:
        """Say a line (1 to 500 characters) to those at the table. ``talk_id`` makes it safe to repeat.

        Where talk is part of the rules, it is a message of the match while that goes on: ``say TEXT``, kept as typed.
        E_NOTES at a table that is played from memory, until it is over: what is said there would stay to be read.
        """
        talk_id, text = checked_id(talk_id), check_text(text, 500, "a line of talk")
        with self.lives.write(table) as change:
            return talk.say(change, change.present(token), text, talk_id)

    def hush(self, table: str, token: str, on: bool) -> Answer:
        """Have the bots at a table be quiet, or chat again: anybody's to say who sits there.

        What they say as a part of the rules they go on saying.
        """
        with self.lives.write(table) as change:
            change.present(token)
            return talk.hush(change, on)

    def note(self, table: str, token: str, text: str) -> Answer:
        """Replace this chair's private notes (at most 10,000 characters).

        E_NOTES at a table that is played from memory, until it is over.
        """
        check_text(text, 10_000, "your notes")
        with self.lives.write(table) as change:
            return talk.note(change, change.present(token), text)

    # Watching, and asking for a chair

    def follow(self, table: str, token: str, on: bool, client: str = "") -> Answer:
        """Keep a table among this browser's tables without a chair there, or no longer. E_SEAT, E_CROWD.

        ``client`` is the address that the request came from.
        """
        with self.lives.write(table) as change:
            new = watchers.follow(change, change.holder(token), on, client_at(table, client))
            return Answer("applied" if new else "already applied", change.row.entry)

    def unwatch(self, table: str, token: str) -> Answer:
        """Say that this browser looks at the table no longer; it does not ask for a chair any more either."""
        with self.lives.write(table) as change:
            new = watchers.go(change, change.holder(token))
            entry = change.row.entry
        if new:
            self.lives.tell_crowd(table)
        return Answer("applied" if new else "already applied", entry)

    def ask(self, table: str, token: str, on: bool, name: str = "", client: str = "") -> Answer:
        """Ask the players for a chair, under a name, or no longer. E_SETUP, E_SEAT for a player, E_OVER, E_CROWD."""
        with self.lives.write(table) as change:
            new = watchers.ask(change, change.holder(token), on, name, client_at(table, client))
            return Answer("applied" if new else "already applied", change.row.entry)

    def give(self, table: str, token: str, chair: int, asks: str, agree: bool = True) -> Answer:
        """Have a chair given to somebody who asks: a free one, or one whose owner keeps the table waiting
        (`watchers.substitute_after`).

        Before the start any player gives it; once cards have been seen all people at the table, two at least, say so
        (``asked`` until then), and one who does not ``agree`` ends it. Refusal E_CHAIR, E_ASK, E_OVER, E_SETUP.
        """
        with self.lives.write(table) as change:
            status, words = watchers.give(change, change.own(token), chair, asks, agree)
            making.start_if_full(change)
            change.restart_clocks({chair} if status == "applied" and agree else ())
            return Answer(status, change.row.entry, words)

    # Looking

    def view(self, table: str, token: str, move: int | None = None, seat: int | None = None) -> TableView:
        """The table as this browser may see it now, or after ``move`` moves (E_PLY when there is no such).

        An earlier position is shown as this browser's seat saw it then. Where the rules forbid rereading the log, it
        is shown only when the match is over. Then all is shown, or what ``seat`` (SPECTATOR: a watcher) saw; E_GOING
        while the match goes on, E_CHAIR when there is no such.
        """
        with self.lives.read(table) as change:
            return looking.view(change, token, move, seat, self.postman is not None)

    def mark(self, table: str, token: str) -> Mark:
        """The same of one table. Refusal E_UNKNOWN."""
        with self.store.read() as t:
            return marks.mark(t, t.table(table), t.chairs(table), t.holder_of(table, hash_of(token)))

    def marks(self, tables: Collection[str], token: str) -> dict[str, Mark]:
        """What tells the present state of tables, as this browser sees them, from others; of those that there are.

        Only this touches the store; no match is loaded for it.
        """
        holder = hash_of(token)
        found = {}
        with self.store.read() as t:
            others = t.chairs_of_others(holder)
            for table in tables:
                with suppress(Refusal):
                    found[table] = marks.mark(t, t.table(table), t.chairs(table), others.get(table, holder))
        return found

    def mine(self, token: str) -> list[Summary]:
        """The tables where this browser holds a chair, and those it follows, newest change first (at most 100 each)."""
        with self.store.read() as t:
            return looking.tables_of(t, hash_of(token))

    def open_tables(self, token: str) -> list[OpenTable]:
        """The tables with chairs free for anybody where this browser holds none, newest first (at most 20)."""
        with self.store.read() as t:
            return open_chairs.listed(t, hash_of(token))

    # Open pages

    def listen(self, tables: Collection[str], token: str, name: str = "", client: str | None = "") -> Subscription:
        """Wait for news of tables, as this browser, whose reader calls herself ``name``. To be given back.

        ``client`` is the address it looks from; None: it does not watch.
        """
        with self.store.read() as t:
            others = t.chairs_of_others(hash_of(token))
        return self.publisher.subscribe(tables, hash_of(token), name, client, others)

    def pulse(self, tables: Collection[str], token: str, name: str = "", client: str = "") -> None:
        """Note that pages of tables are open in this browser (at most once in half a minute each).

        One without a chair watches from ``client``, an address, and calls itself ``name``. While it
        listens (`listen`) this is done by itself.
        """
        holder = hash_of(token)
        with self.store.read() as t:
            others = t.chairs_of_others(holder)
        self.presence.keep({(table, others.get(table, holder)): (name, client_at(table, client)) for table in tables})

    # What is looked for

    def hint(self, table: str, token: str) -> Answer:
        """Have a hint looked for, for the decision that this browser's seat owes: the view then has it (``hint``).

        One for each decision. Refusal E_ACTOR when nothing is asked of the seat, E_HINT where people play too.
        """
        with self.lives.write(table) as change:
            return findings.ask_hint(change, change.present(token))

    def look_back(self, table: str) -> Answer:
        """Have it looked for the moves that decided a match that is over: the view then has them (``decided``).

        It is done once. Refusal E_GOING while the match goes on, E_VERSION where it cannot be replayed.
        """
        with self.lives.write(table) as change:
            return findings.ask_decided(change)

    # What is over

    def export(self, table: str) -> str:
        """The file of a match that is over (`Match.dumps`), seed and all. Refusal E_EXPORT while it goes on."""
        with self.lives.read(table) as change:
            return endings.export(change)

    def end(self, table: str, token: str) -> Answer:
        """End a match that cannot go on under the rules of this server; then all of it can be seen and downloaded.

        The host may, and any player when the host has left or has not been seen for a day. Refusal E_GOING for a match
        that goes on, E_HOST.
        """
        with self.lives.write(table) as change:
            return endings.end(change, change.own(token))

    # Mail

    def tell(self, table: str, token: str, on: bool, address: str, origin: str) -> Answer:
        """Have mail sent when it is this browser's turn, or no longer (`mail.wish`).

        ``origin`` begins links in mail. E_MAIL where no mail is sent, E_ADDRESS, E_OFTEN.
        """
        if self.postman is None:
            raise Refusal("E_MAIL", "this server sends no mail")
        with self.lives.write(table) as change:
            new = mail.wish(change, change.own(token), on, address, origin)
            answer = Answer("applied" if new else "already applied", change.row.entry)
        self.postman.look()
        return answer

    def mail_state(self, secret: str) -> str:
        """The state that a link in a mail leads to: ``asked``, ``confirmed`` or ``stopped``. E_MAIL_LINK: unknown."""
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
