"""Mail to players who wish to be told when it is their turn.

An address belongs to a browser, not to an account, and gets one mail to confirm it and nothing else before. What is to
be sent is a row of the outbox, written in the transaction of the change that it tells of; one thread a process sends
what is due. A row is claimed by moving its ``due`` on before it is tried, so no two processes send it, and a process
that is killed in the act leaves it to be tried again, under the same Message-ID.

No text of a stranger's is in a confirmation, and no address is in anything that is logged.
"""

import hashlib
import json
import logging
import re
import smtplib
import ssl
import threading
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from urllib.parse import parse_qs, unquote, urlsplit

from backroom.engine.game import Refusal
from backroom.tables import clock
from backroom.tables.live import HERE_SECONDS, Change
from backroom.tables.owed import LEASE_SECONDS
from backroom.tables.rows import ChairRow, MailRow, PersonRow, TableRow
from backroom.tables.store import Store, Transaction
from backroom.tables.story import rests
from backroom.tables.views import Telling
from backroom.tables.watchers import is_here
from backroom.tables.words import new_secret

__all__ = ["Postman", "Relay", "check_address", "confirm", "queue_turn_mail", "state_of", "stop", "telling", "wish"]

LOG = logging.getLogger(__name__)

DAY = 86400
APART_SECONDS = 600
"""Between two mails about one table to one person, and between two confirmations that are asked for."""
MOST_TO_ADDRESS, MOST_BY_BROWSER = 3, 10
"""Confirmations in a day."""
TIMEOUT_SECONDS = 20.0

ADDRESS = re.compile(
    r"(?!.{255})(?!.*=\?)(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*"
    r"@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])",
    re.ASCII | re.IGNORECASE,
)
"""What is written to. ``=?`` is in none: it begins words in a header that are read as something else (RFC 2047)."""


def check_address(address: str) -> str:
    """A mail address that can be written to, without blanks around it. Refusal E_ADDRESS."""
    address = address.strip()
    if not ADDRESS.fullmatch(address):
        raise Refusal(
            "E_ADDRESS", "this server cannot write to that address; give one like name@example.org, in plain letters"
        )
    return address


def _mailbox(address: str) -> str:
    """A hash that is the same for all spellings by which an address usually reaches the same person."""
    local, _, domain = address.lower().rpartition("@")
    return hashlib.sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()


# Writing to the store, within a change


def wish(change: Change, mine: ChairRow, on: bool, address: str, origin: str) -> bool:
    """Have mail sent about a chair, or no longer. Whether that is new.

    ``address`` is empty for the one that is kept. One that is new gets a mail to be confirmed with; one that has not
    been confirmed gets it once more, when asked for later. ``origin`` begins the links in mail. Refusal E_ADDRESS, and
    E_OFTEN when that address or browser has asked for too many confirmations today.
    """
    token = mine.token
    change.published = mine.number
    if not on:
        change.change_chair(mine.number, tell="")
        return bool(mine.tell)
    person, now = change.t.person(token), clock.now()
    kept = person.address if person is not None else ""
    if not (address.strip() or kept):
        raise Refusal("E_ADDRESS", "an address is needed, like name@example.org")
    address = check_address(address) if address.strip() else kept
    mailbox = _mailbox(address)
    mine_asked, theirs = change.t.confirmations(now - DAY, token, mailbox)
    sends = address != kept
    if person is not None and not sends and not person.confirmed:
        sends = now - max(mine_asked, default=0) >= APART_SECONDS
    if sends:
        if len(theirs) >= MOST_TO_ADDRESS or len(mine_asked) >= MOST_BY_BROWSER:
            raise Refusal("E_OFTEN", "that is enough mail to confirm addresses for today; try again tomorrow")
        secret = person.secret if person is not None and address == kept else new_secret()
        change.t.set_person(PersonRow(token, address, 0, secret, now))
        change.t.add(MailRow(new_secret(), "confirm", token, now, now, origin, mailbox))
    change.change_chair(mine.number, tell=origin)
    return sends or mine.tell != origin


def telling(t: Transaction, chair: ChairRow) -> Telling:
    """The mail settings of a chair's holder, for that holder alone."""
    person = t.person(chair.token)
    if person is None or not person.address:
        return Telling(False, "", False)
    return Telling(bool(chair.tell), person.address, bool(person.confirmed))


def queue_turn_mail(t: Transaction, acting: str, row: TableRow, chairs: list[ChairRow], mover: str) -> None:
    """Put mail in the outbox for the chairs whose turn it has become, and for all chairs when the match is over.

    ``acting`` are the chairs that owed a decision before, as the store keeps them. Mail is due once the holder has
    given no sign of an open page for a while.
    """
    before, after, now = json.loads(acting), json.loads(row.acting), clock.now()
    told = [chair for chair in chairs if chair.token and chair.tell]
    if not row.over:
        told = [chair for chair in told if chair.number in after and chair.number not in before and not chair.bot]
    for chair in told:
        due = max(now, chair.seen + HERE_SECONDS)
        kind = "over" if row.over else "turn"
        t.add(
            MailRow(
                new_secret(), kind, chair.token, now, due, chair.tell,
                table_id=row.id, chair=chair.number, entry=row.entry, mover=mover,
            )
        )  # fmt: skip


def _addressed(t: Transaction, secret: str) -> PersonRow:
    person = t.person(secret=secret)
    if person is None:
        raise Refusal("E_MAIL_LINK", "this link is used up; no mail is sent by it")
    return person


def state_of(t: Transaction, secret: str) -> str:
    """``asked``, ``confirmed`` or ``stopped``, by the secret that was in a mail. Refusal E_MAIL_LINK."""
    person = _addressed(t, secret)
    return "stopped" if not person.address else "confirmed" if person.confirmed else "asked"


def confirm(t: Transaction, secret: str) -> bool:
    """Say yes to mail, with the secret that was in one. Whether that is new. Refusal E_MAIL_LINK."""
    person = _addressed(t, secret)
    if not person.address:
        raise Refusal("E_MAIL_LINK", "that address is forgotten; ask for mail again at your table")
    if not person.confirmed:
        t.set_person(replace(person, confirmed=1, changed=clock.now()))
    return not person.confirmed


def stop(t: Transaction, secret: str) -> bool:
    """Forget an address, with the secret that was in a mail to it. Whether that is new. Refusal E_MAIL_LINK."""
    person = _addressed(t, secret)
    t.set_person(replace(person, address="", confirmed=0, changed=clock.now()))
    t.no_mail(person.token)
    return bool(person.address)


# Sending


@dataclass(frozen=True)
class Relay:
    """The server that takes our mail. ``secure``: TLS from the first byte, else STARTTLS where it is offered."""

    host: str
    port: int
    secure: bool
    user: str
    password: str
    sender: str

    @classmethod
    def parse(cls, url: str) -> "Relay":
        """From ``smtp://[user:password@]host[:port]?from=address``, or ``smtps://``. Refusal E_MAIL quotes nothing."""
        try:
            parts = urlsplit(url)
            if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path not in ("", "/"):
                raise ValueError
            secure = parts.scheme == "smtps"
            sender = check_address(parse_qs(parts.query, strict_parsing=True)["from"][0])
            user, password = unquote(parts.username or ""), unquote(parts.password or "")
            return cls(parts.hostname, parts.port or (465 if secure else 25), secure, user, password, sender)
        except (ValueError, KeyError, Refusal):
            expected = "smtp://[user:password@]host[:port]?from=name@example.org"
            raise Refusal("E_MAIL", f"the mail relay cannot be read; expected {expected}, or smtps://") from None

    @property
    def _local(self) -> bool:
        return self.host in ("localhost", "127.0.0.1", "::1")

    def send(self, message: EmailMessage) -> None:
        """Hand a mail over. OSError or smtplib.SMTPException when that fails."""
        context = ssl.create_default_context()
        if self.secure:
            line: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=TIMEOUT_SECONDS, context=context)
        else:
            line = smtplib.SMTP(self.host, self.port, timeout=TIMEOUT_SECONDS)
        with line:
            line.ehlo()
            if not (self.secure or self._local) and line.has_extn("starttls"):
                line.starttls(context=context)
                line.ehlo()
            elif self.user and not (self.secure or self._local):
                raise smtplib.SMTPException("the relay offers no TLS, and a password is not sent without")
            if self.user:
                line.login(self.user, self.password)
            line.send_message(message)


CONFIRM = """Somebody, you perhaps, wants Backroom to write to this address when it is their turn at a table.

If it was you, say so here:
{link}

If it was not, do nothing: you will get no further mail.
"""
TURN = """{moved}It is your turn at {title}:
{table}

No more mail, with one click:
{link}
"""
OVER = """{title} is over. How it ended:
{table}

No more mail, with one click:
{link}
"""


class Postman:
    """The one thread that sends what is due, when it is told that something is (`backroom.tables.owed`)."""

    def __init__(self, store: Store, relay: Relay) -> None:
        self.store, self.relay = store, relay
        self._news, self._closed = threading.Event(), False
        self._lock = threading.Lock()
        self._sending = ""
        self._thread = threading.Thread(target=self._run, name="backroom-mail", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def look(self) -> None:
        """Look into the outbox soon."""
        self._news.set()

    def close(self) -> None:
        """Stop; a mail in hand is finished, or tried again later."""
        self._closed = True
        self.look()
        if self._thread.ident is not None:
            self._thread.join(timeout=2.0)

    def renew(self, t: Transaction) -> None:
        """Keep the claim on the mail that is being sent, so that no other process sends it."""
        with self._lock:
            if self._sending:
                t.change_mail(self._sending, due=clock.now() + LEASE_SECONDS)

    @property
    def sending(self) -> bool:
        """Whether a mail is being sent."""
        return bool(self._sending)

    def _run(self) -> None:
        while not self._closed:
            try:
                self.work()
            except Exception:
                LOG.exception("the outbox could not be read; it is tried again")
            self._news.wait()
            self._news.clear()

    def work(self) -> int:
        """Send all that is due; how many that were."""
        count = 0
        while not self._closed and (found := self._claim()) is not None:
            row, message = found
            with self._lock:
                self._sending = row.id
            failed: Exception | None = None
            try:
                self.relay.send(message)
            except (OSError, smtplib.SMTPException) as problem:
                failed = problem
            finally:
                with self._lock:
                    self._sending = ""
            if failed is not None:
                self._failed(row, failed)
                continue
            with self.store.write() as t:
                t.change_mail(row.id, state="sent", sent=clock.now())
            count += 1
        return count

    def _claim(self) -> tuple[MailRow, EmailMessage] | None:
        """The next mail to be sent now, claimed for this process. Mail that is no longer needed is dropped."""
        now = clock.now()
        with self.store.read() as t:
            due = t.next_mail()
        if due is None or due > now:
            return None
        with self.store.write() as t:
            t.forget_mail(now - DAY)
            while (row := t.due_mail(now)) is not None:
                message = self._message(t, row)
                last, newer = t.last_mail(row) if row.table_id else (0, False)
                if message is None or newer:
                    t.change_mail(row.id, state="dropped")
                elif now - last < APART_SECONDS:
                    t.change_mail(row.id, due=last + APART_SECONDS)
                else:
                    t.change_mail(row.id, due=now + LEASE_SECONDS, tries=row.tries + 1)
                    return row, message
        return None

    def _failed(self, row: MailRow, problem: Exception) -> None:
        now = clock.now()
        # Their text may quote the address, so it is not logged.
        reason = type(problem).__name__
        final = isinstance(problem, smtplib.SMTPRecipientsRefused) and all(
            code >= 500 for code, _ in problem.recipients.values()
        )
        with self.store.write() as t:
            if final or now - row.made >= DAY:
                LOG.error("mail %s (%s, table %s) is given up: %s", row.id, row.kind, row.table_id or "none", reason)
                t.change_mail(row.id, state="dropped")
            else:
                LOG.warning("mail %s could not be sent: %s; it is tried again", row.id, reason)
                t.change_mail(row.id, due=now + min(60 * 2**row.tries, 3600))

    def _message(self, t: Transaction, row: MailRow) -> EmailMessage | None:
        """The mail as it is to be sent now, None when there is no reason for it any more."""
        person = t.person(row.token)
        if person is None or not person.address:
            return None
        link = f"{row.origin}/mail/{person.secret}"
        if row.kind == "confirm":
            if person.confirmed or _mailbox(person.address) != row.mailbox:
                return None
            return self._letter(row, person, "May Backroom write to you?", CONFIRM.format(link=link))
        if not person.confirmed:
            return None
        table = t.table(row.table_id)
        chair = t.chairs(row.table_id)[row.chair]
        asked = row.kind == "over" or (row.chair in json.loads(table.acting) and not (chair.bot or rests(table)))
        if chair.token != row.token or not chair.tell or is_here(chair) or not asked:
            return None
        title = " ".join(table.title.split())
        words = {"title": title, "table": f"{row.origin}/t/{table.id}", "link": link}
        if row.kind == "over":
            return self._letter(row, person, f"Over: {title}", OVER.format(**words))
        moved = f"{row.mover} has moved. " if row.mover else ""
        return self._letter(row, person, f"Your turn at {title}", TURN.format(moved=moved, **words))

    def _letter(self, row: MailRow, person: PersonRow, subject: str, text: str) -> EmailMessage:
        message = EmailMessage(policy=SMTP)
        message["From"] = f"Backroom <{self.relay.sender}>"
        message["To"] = person.address
        # Where that stands in a header, the library reads what follows as words in another code, line ends among them.
        message["Subject"] = subject.replace("=?", "= ?")
        message["Date"] = formatdate(clock.now())
        message["Message-ID"] = f"<{row.id}@{self.relay.sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{row.origin}/mail/{person.secret}/stop>"
        if row.origin.startswith("https:"):
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text)
        return message
