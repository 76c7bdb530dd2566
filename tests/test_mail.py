"""Mail: what is sent to whom and when, against an SMTP server, and what others may see of it (nothing)."""

import email
import itertools
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import getaddresses
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from hypothesis import example, given
from hypothesis import strategies as st

from backroom.engine.game import Refusal
from backroom.tables import mail, owed
from backroom.tables.mail import Relay, check_address
from backroom.tables.owed import LEASE_SECONDS
from backroom.tables.publisher import Publisher
from backroom.tables.service import Tables
from backroom.tables.store import Store
from backroom.tables.views import ChairRequest
from backroom.tables.watchers import HERE_SECONDS
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text
from servers import Server
from sittings import ANNA, BEN, CLEO, EVE, NAMES, among_people, play, refused, wait_for

HERE = "http://here.example"
TO_BEN = "ben@example.org"

pytestmark = pytest.mark.usefixtures("lockbox")


class Sink:
    """An SMTP server that keeps what it is sent; while ``broken`` it answers that instead."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.receivers: list[list[str]] = []
        self.broken = ""
        self.logins: list[tuple[bytes, bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(
            self, hostname="127.0.0.1", port=self.port, authenticator=self.login, auth_require_tls=False
        )

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if self.broken:
            return f"{self.broken} <{address}>"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.mails.append(email.message_from_bytes(envelope.content, policy=default))  # type: ignore[arg-type]
        self.receivers.append(envelope.rcpt_tos)
        return "250 OK"

    def login(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login, data.password))
        return AuthResult(success=True)

    @property
    def subjects(self) -> list[str]:
        return [str(mail["Subject"]) for mail in self.mails]


@pytest.fixture
def sink() -> Iterator[Sink]:
    opened = Sink()
    opened.controller.start()
    yield opened
    opened.controller.stop()


def opened(url: str, sink: Sink) -> Tables:
    """Tables whose mail is sent when `Postman.work` is called, not by the thread."""
    return Tables(Store(url), Publisher(), Relay.parse(f"smtp://127.0.0.1:{sink.port}?from=room@example.org"))


@pytest.fixture
def tables(url: str, sink: Sink) -> Iterator[Tables]:
    made = opened(url, sink)
    yield made
    made.close()


def send(tables: Tables) -> int:
    assert tables.postman is not None
    return tables.postman.work()


def link(message: EmailMessage) -> str:
    """The secret in a mail's link."""
    found = re.search(rf"{HERE}/mail/(\w+)\s", message.get_content())
    assert found
    return found[1]


def told(tables: Tables, sink: Sink, table: str, token: str = BEN, address: str = TO_BEN) -> str:
    """Have somebody be told by mail, confirmed; the secret of the links."""
    tables.tell(table, token, True, address, HERE)
    send(tables)
    secret = link(sink.mails[-1])
    assert tables.confirm_mail(secret)
    sink.mails.clear()
    return secret


# Addresses, relays


@pytest.mark.parametrize(
    "address", ["ben@example.org", "a.b+tag@x-1.example.co", "O'Neil_7@sub.example.org", " b@c.de "]
)
def test_addresses_that_are_written_to(address: str) -> None:
    assert check_address(address) == address.strip()


@pytest.mark.parametrize(
    "address",
    [
        "", "ben", "ben@", "@example.org", "ben@localhost", "a@b@c.de", "ben@example.org, eve@example.org",
        "ben@example.org\nBcc: eve@example.org", "ben\r\n@example.org", "Ben <ben@example.org>", '"b n"@example.org',
        "ben@example.org;eve@example.org", "ben@-x.org", "ben@x-.org", "ben@[127.0.0.1]", "ben@127.0.0.1", ".ben@x.org",
        "b..n@x.org", "bän@x.org", "ben@bücher.de", "ben@x.org\0", "x" * 65 + "@x.org", "b@" + "x." * 130 + "org",
        "ben@" + "x" * 64 + ".org", "ben(x)@x.org", "ben\\@x.org", "ben @x.org", "ben:x@x.org",
        "=?utf-8?q?eve=40evil.org=2C?=@x.org", "=?utf-8?b?YmVu?=@x.org", "=?x?q?=0aBcc=3a?=@x.org",
    ],
)  # fmt: skip
def test_odd_addresses_are_refused(tables: Tables, address: str) -> None:
    table = among_people(tables, ANNA, BEN)
    refused("E_ADDRESS", tables.tell, table, BEN, True, address, HERE)
    assert send(tables) == 0
    with tables.store.read() as t:
        assert t.next_mail() is None


@given(st.text(max_size=40), st.characters(categories=("Cc", "Zs", "Zl", "Zp", "Cf")), st.text(max_size=20))
def test_no_accepted_address_has_a_character_that_could_end_a_header(before: str, bad: str, after: str) -> None:
    for text in (f"b{before}{bad}{after}@x.org", f"b@x{before}{bad}{after}.org", before + after):
        try:
            accepted = check_address(text)
        except Refusal:
            continue
        assert re.fullmatch(r"[!-~]+@[A-Za-z0-9.-]+", accepted)
        assert not set(accepted) & set(' \r\n<>,;:()[]"\\')


@given(st.lists(st.sampled_from([*"b=?_.+-{'", "q", "utf-8", "=40", "=0a", "=2C"]), max_size=12))
@example(["=", "?", "utf-8", "?", "q", "?", "b", "?", "="])
def test_a_mail_goes_to_the_address_that_was_accepted_and_to_no_other(parts: list[str]) -> None:
    try:
        address = check_address("".join(parts) + "@x.org")
    except Refusal:
        return
    message = EmailMessage(policy=SMTP)
    message["To"] = address
    assert getaddresses([str(message["To"])]) == [("", address)]


@pytest.mark.parametrize(
    ("url", "relay"),
    [
        ("smtp://127.0.0.1?from=a@b.de", ("127.0.0.1", 25, False, "", "")),
        ("smtps://me%40b.de:p%2Fw@mail.b.de?from=a@b.de", ("mail.b.de", 465, True, "me@b.de", "p/w")),
        ("smtp://u:w@[::1]:2525/?from=a@b.de", ("::1", 2525, False, "u", "w")),
    ],
)
def test_a_relay_is_an_address(url: str, relay: tuple[Any, ...]) -> None:
    found = Relay.parse(url)
    assert (found.host, found.port, found.secure, found.user, found.password) == relay
    assert found.sender == "a@b.de"


@pytest.mark.parametrize(
    "url",
    [
        "", "localhost", "http://u:hidden@x.de?from=a@b.de", "smtp://u:hidden@x.de", "smtp://?from=a@b.de",
        "smtp://u:hidden@x.de:nn?from=a@b.de", "smtp://u:hidden@x.de?from=a@b", "smtp://u:hidden@x.de?from=a%0Ab@b.de",
        "smtp://u:hidden@x.de/path?from=a@b.de", "smtp://[u:hidden@x.de?from=a@b.de",
    ],
)  # fmt: skip
def test_another_relay_is_refused_without_quoting_its_password(url: str) -> None:
    assert "hidden" not in refused("E_MAIL", Relay.parse, url).message


def test_a_password_goes_to_a_relay_but_never_in_the_clear_over_a_network(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = Relay.parse(f"smtp://me:secret@127.0.0.1:{sink.port}?from=room@example.org")
    message = EmailMessage()
    message["From"], message["To"] = "room@example.org", TO_BEN
    relay.send(message)
    assert sink.logins == [(b"me", b"secret")]
    monkeypatch.setattr(Relay, "_local", False)
    with pytest.raises(mail.smtplib.SMTPException, match="no TLS"):
        relay.send(message)
    assert len(sink.logins) == 1


# Sending


def test_nothing_but_one_mail_goes_to_an_address_before_it_says_yes(
    tables: Tables, sink: Sink, wait: Callable[[int], None]
) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs, {}, "Buy pills")
    tables.sit(table, BEN, tables.view(table, ANNA).chairs[1].invite, "Ben")
    assert tables.tell(table, BEN, True, TO_BEN, HERE).status == "applied"
    assert tables.tell(table, BEN, True, TO_BEN, HERE).status == "already applied"
    assert tables.tell(table, BEN, True, "", HERE).status == "already applied"
    assert send(tables) == 1
    [asked] = sink.mails
    assert (asked["To"], asked["From"]) == (TO_BEN, "Backroom <room@example.org>")
    assert sink.receivers == [[TO_BEN]]
    # No words of anybody at the table can be sent to an address that has not agreed.
    assert not re.search("pills|Anna|Ben ", str(asked))
    wait(HERE_SECONDS)
    play(tables, table, ANNA, "end")
    wait(1)
    assert send(tables) == 0
    play(tables, table, BEN, "end")
    secret = link(asked)
    assert tables.mail_state(secret) == "asked"
    assert (tables.confirm_mail(secret), tables.confirm_mail(secret)) == (True, False)
    assert tables.mail_state(secret) == "confirmed"
    wait(HERE_SECONDS)
    assert send(tables) == 0
    play(tables, table, ANNA, "end")
    assert send(tables) == 1
    assert sink.subjects == ["May Backroom write to you?", "Your turn at Buy pills"]


def test_mail_of_a_turn_is_sent_once_a_decision_and_only_to_absent_players(
    tables: Tables, sink: Sink, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN, CLEO)
    told(tables, sink, table)
    wait(3600)
    tables.pulse([table], BEN)
    play(tables, table, ANNA, "end")
    assert send(tables) == 0  # his page is open
    tables.pulse([table], BEN)
    wait(60)
    tables.pulse([table], BEN)
    wait(HERE_SECONDS - 60)
    assert send(tables) == 0  # the page was open when the turn came, and later
    wait(HERE_SECONDS)
    assert send(tables) == 0
    play(tables, table, BEN, "end")
    play(tables, table, CLEO, "end")
    wait(3600)
    play(tables, table, ANNA, "end")
    assert send(tables) == 1
    assert send(tables) == 0
    [message] = sink.mails
    assert message["Subject"] == "Your turn at Lockbox"
    body = message.get_content()
    assert "Anna has moved." in body
    assert f"{HERE}/t/{table}" in body
    assert message["List-Unsubscribe"] == f"<{HERE}/mail/{link(message)}/stop>"
    assert message["Auto-Submitted"] == "auto-generated"
    play(tables, table, BEN, "take 1")  # still his turn: the same decision goes on
    wait(3600)
    assert send(tables) == 0


def test_a_page_closed_just_before_counts_as_closed(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    told(tables, sink, table)
    tables.pulse([table], BEN)
    wait(40)
    tables.pulse([table], BEN)
    wait(10)
    play(tables, table, ANNA, "end")
    wait(HERE_SECONDS - 11)
    assert send(tables) == 0
    wait(1)
    assert send(tables) == 1


def test_mail_about_a_table_comes_ten_minutes_apart(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    told(tables, sink, table)
    wait(HERE_SECONDS)
    play(tables, table, ANNA, "end")
    assert send(tables) == 1
    for _ in range(3):
        play(tables, table, BEN, "end")
        play(tables, table, ANNA, "end")
    assert send(tables) == 0
    wait(mail.APART_SECONDS - 1)
    assert send(tables) == 0
    wait(1)
    assert send(tables) == 1  # one, for the newest decision
    wait(mail.APART_SECONDS)
    assert send(tables) == 0


def test_what_is_settled_before_it_is_due_is_not_told(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    told(tables, sink, table)
    play(tables, table, ANNA, "end")
    play(tables, table, BEN, "end")
    wait(HERE_SECONDS)
    assert send(tables) == 0
    play(tables, table, ANNA, "end")
    tables.leave(table, BEN)
    assert send(tables) == 0


def test_the_end_is_told_once_to_all_who_are_away(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    table = among_people(tables, ANNA, BEN)
    told(tables, sink, table)
    wait(HERE_SECONDS)
    for text in ["take 2"] * 4 + ["take 1"]:
        play(tables, table, ANNA, text)
    assert send(tables) == 1
    assert sink.subjects == ["Over: Lockbox"]
    assert f"{HERE}/t/{table}" in sink.mails[0].get_content()
    wait(3600)
    assert send(tables) == 0
    tables.pulse([table], ANNA)
    again = tables.rematch(table, ANNA)
    assert tables.view(again, ANNA).chairs[0].name == "Ben"  # the chairs moved on: he begins
    assert send(tables) == 1
    assert sink.subjects[1:] == ["Your turn at Lockbox"]


def test_one_click_ends_it_and_the_address_is_forgotten(
    tables: Tables, sink: Sink, wait: Callable[[int], None], url: str
) -> None:
    table = among_people(tables, ANNA, BEN)
    secret = told(tables, sink, table)
    assert (tables.stop_mail(secret), tables.stop_mail(secret)) == (True, False)
    assert tables.mail_state(secret) == "stopped"
    refused("E_MAIL_LINK", tables.confirm_mail, secret)
    wait(HERE_SECONDS)
    play(tables, table, ANNA, "end")
    assert send(tables) == 0
    view = tables.view(table, BEN)
    assert view.telling is not None
    assert (view.telling.on, view.telling.address) == (False, "")
    with tables.store.engine.connect() as connection:
        dump = "\n".join(connection.connection.iterdump())  # type: ignore[attr-defined]
    assert TO_BEN not in dump
    refused("E_MAIL_LINK", tables.mail_state, "unknown")
    refused("E_MAIL_LINK", tables.stop_mail, "")
    refused("E_ADDRESS", tables.tell, table, BEN, True, "", HERE)


def test_a_wish_is_a_chairs_and_an_address_a_browsers(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    first, second = among_people(tables, ANNA, BEN), among_people(tables, ANNA, BEN)
    told(tables, sink, first)
    assert tables.tell(second, BEN, True, "", HERE).status == "applied"
    assert send(tables) == 0  # it is confirmed
    wait(HERE_SECONDS)
    for table in (first, second):
        play(tables, table, ANNA, "end")
    assert send(tables) == 2
    assert tables.tell(second, BEN, False, "", HERE).status == "applied"
    assert tables.tell(second, BEN, False, "", HERE).status == "already applied"
    for table in (first, second):
        play(tables, table, BEN, "end")
        wait(3600)
        play(tables, table, ANNA, "end")
    assert send(tables) == 1
    tables.tell(first, BEN, True, "other@example.org", HERE)
    wait(3600)
    assert send(tables) == 1
    assert sink.mails[-1]["To"] == "other@example.org"
    assert "ask" not in sink.mails[-1]["Subject"]
    play(tables, first, BEN, "end")
    play(tables, first, ANNA, "end")
    assert send(tables) == 0  # the new address has not said yes
    refused("E_SEAT", tables.tell, first, EVE, True, TO_BEN, HERE)


def test_nobody_can_be_pestered_by_confirmations(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    tokens = [ANNA, BEN, CLEO]
    table = among_people(tables, *tokens)
    for token, address in zip(tokens, (TO_BEN, "BEN@example.org", "ben+2@Example.org"), strict=True):
        tables.tell(table, token, True, address, HERE)
    other = tables.create(EVE, "lockbox", [ChairRequest("you", "Eve"), ChairRequest("friend")])
    refused("E_OFTEN", tables.tell, other, EVE, True, "ben+3@example.org", HERE)
    assert send(tables) == 3
    for number in range(mail.MOST_BY_BROWSER):
        tables.tell(other, EVE, True, f"somebody{number}@example.org", HERE)
    refused("E_OFTEN", tables.tell, other, EVE, True, "one.more@example.org", HERE)
    assert send(tables) == 1  # to the last address alone; those it had in mind before are nobody's business
    wait(mail.DAY + 1)
    tables.tell(other, EVE, True, "ben+3@example.org", HERE)
    assert send(tables) == 1


def test_a_confirmation_that_was_lost_is_sent_again_when_asked_later(
    tables: Tables, sink: Sink, wait: Callable[[int], None]
) -> None:
    table = among_people(tables, ANNA, BEN)
    tables.tell(table, BEN, True, TO_BEN, HERE)
    wait(mail.APART_SECONDS)
    assert tables.tell(table, BEN, True, TO_BEN, HERE).status == "applied"
    assert send(tables) == 2
    assert link(sink.mails[0]) == link(sink.mails[1])


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Katzen für\r\nBcc: eve@example.org\n\nalle", "Katzen für Bcc: eve@example.org alle"),
        ("=?utf-8?q?a=0d=0aBcc=3aeve=40example.org?=", "= ?utf-8?q?a=0d=0aBcc=3aeve=40example.org?="),
        ("=?utf-8?q?a=0d=0a=0d=0aYou have won?= =?x?", "= ?utf-8?q?a=0d=0a=0d=0aYou have won?= = ?x?"),
    ],
)
def test_a_tables_name_is_words_in_a_mail_and_nothing_else(
    tables: Tables, sink: Sink, wait: Callable[[int], None], title: str, words: str
) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
    table = tables.create(ANNA, "lockbox", chairs, {}, title)
    tables.sit(table, BEN, tables.view(table, ANNA).chairs[1].invite, "Ben")
    told(tables, sink, table)
    wait(HERE_SECONDS)
    play(tables, table, ANNA, "end")
    assert send(tables) == 1
    [message] = sink.mails
    assert message["Subject"] == f"Your turn at {words}"
    assert message["Bcc"] is None
    assert message.get_content().startswith("Anna has moved. ")
    assert sink.receivers[-1] == [TO_BEN]


# What goes wrong


def test_a_relay_that_fails_is_tried_again_and_given_up_after_a_day(
    tables: Tables, sink: Sink, wait: Callable[[int], None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = among_people(tables, ANNA, BEN)
    sink.broken = "451 later please"
    tables.tell(table, BEN, True, TO_BEN, HERE)
    assert send(tables) == 0
    sink.broken = ""
    wait(59)
    assert send(tables) == 0  # not yet
    wait(1)
    assert send(tables) == 1
    tables.confirm_mail(link(sink.mails[-1]))
    sink.broken = "451 later please"
    wait(HERE_SECONDS)
    play(tables, table, ANNA, "end")
    for _ in range(26):
        assert send(tables) == 0
        wait(3600)
    sink.broken = ""
    assert send(tables) == 0
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("backroom"))
    assert "given up" in logged
    with tables.store.read() as t:
        assert t.next_mail() is None
    assert "example.org" not in logged
    assert "later please" not in logged  # what a relay says may quote the address


def test_an_address_that_does_not_exist_is_not_tried_again(
    tables: Tables, sink: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    table = among_people(tables, ANNA, BEN)
    sink.broken = "550 no such user"
    tables.tell(table, BEN, True, TO_BEN, HERE)
    assert send(tables) == 0
    with tables.store.read() as t:
        assert t.next_mail() is None
    assert not [
        record for record in caplog.records if record.name.startswith("backroom") and TO_BEN in str(vars(record))
    ]


def test_two_processes_send_each_mail_once(tables: Tables, sink: Sink, url: str) -> None:
    table = among_people(tables, *NAMES)
    for token, name in NAMES.items():
        tables.tell(table, token, True, f"{name}@example.org", HERE)
    others = [tables, opened(url, sink), opened(url, sink)]
    threads = [threading.Thread(target=send, args=(other,)) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(str(mail["To"]) for mail in sink.mails) == ["Anna@example.org", "Ben@example.org", "Cleo@example.org"]
    for other in others[1:]:
        other.close()


def test_a_process_killed_in_the_act_leaves_the_mail_to_another(
    tables: Tables, sink: Sink, wait: Callable[[int], None], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(_relay: Relay, message: EmailMessage) -> None:
        seen.append(str(message["Message-ID"]))
        raise Killed

    seen: list[str] = []
    table = among_people(tables, ANNA, BEN)
    tables.tell(table, BEN, True, TO_BEN, HERE)
    with monkeypatch.context() as patch:
        patch.setattr(Relay, "send", die)
        with pytest.raises(Killed):
            send(tables)
    other = opened(url, sink)
    assert send(other) == 0  # it may be on its way
    wait(LEASE_SECONDS)
    assert send(other) == 1
    assert [str(mail["Message-ID"]) for mail in sink.mails] == seen  # the same mail, should both arrive
    other.close()


def test_what_was_due_when_the_server_was_killed_is_sent_by_the_next(
    sink: Sink, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wish is made, and nothing sends; then a real server over the same database finds it, is killed, and a second
    one sends nothing twice."""
    quiet = opened(url, sink)
    table = among_people(quiet, ANNA, BEN)
    quiet.tell(table, BEN, True, TO_BEN, HERE)
    quiet.close()
    monkeypatch.setenv("BACKROOM_JIT", "0")
    for _ in range(2):
        server = Server(tmp_path / "tables.sqlite3", compiled=False, mail=f"smtp://127.0.0.1:{sink.port}?from=r@x.org")
        server.start()
        wait_for(lambda: sink.mails)
        time.sleep(0.5)
        server.kill()
    assert sink.subjects == ["May Backroom write to you?"]


# What others may see of it


def test_nobody_else_can_tell_whether_somebody_is_told(tables: Tables, sink: Sink, wait: Callable[[int], None]) -> None:
    """Twins: the pages, JSON and streams of all others are equal byte for byte whatever Ben's wish and address are."""
    table = among_people(tables, ANNA, BEN, CLEO)
    play(tables, table, ANNA, "end")
    tables.tell(table, CLEO, True, "cleo@example.org", HERE)

    def seen(token: str) -> list[Any]:
        view = tables.view(table, token)
        pages = [view_model(view).model_dump_json()]
        return [*pages, [vars(found) for found in tables.mine(token)]]

    before = {token: seen(token) for token in (ANNA, CLEO, EVE)}
    mine = seen(BEN)
    tables.tell(table, BEN, True, TO_BEN, HERE)
    states = [seen(BEN)]
    assert {token: seen(token) for token in before} == before
    send(tables)
    tables.confirm_mail(link(next(mail for mail in sink.mails if mail["To"] == TO_BEN)))
    states.append(seen(BEN))
    assert {token: seen(token) for token in before} == before
    tables.tell(table, BEN, False, "", HERE)
    states.append(seen(BEN))
    assert {token: seen(token) for token in before} == before
    assert len({str(state) for state in [mine, *states]}) == 4
    assert all(TO_BEN in state[0] for state in states)


@pytest.mark.usefixtures("still_clock")
@pytest.mark.parametrize("game", ["catham", "corporation", "dark_sources", "medici"])
def test_an_address_is_on_its_owners_pages_alone(tables: Tables, sink: Sink, game: str) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("friend")]
    table = tables.create(ANNA, game, chairs)

    def pages(token: str) -> list[str]:
        view = tables.view(table, token)
        texts = [render_table(view, origin=HERE), *([render_text(view)] if view.started else [])]
        return [*texts, view_model(view).model_dump_json()]

    fresh = itertools.count()

    def change(token: str) -> None:
        address = f"who{next(fresh)}@example.org"
        before = {other: pages(other) for other in (ANNA, BEN, CLEO, EVE) if other != token}
        first = pages(token)
        tables.tell(table, token, True, address, HERE)
        assert address in pages(token)[-1]
        assert pages(token) != first
        assert {other: pages(other) for other in before} == before
        tables.tell(table, token, False, "", HERE)
        assert {other: pages(other) for other in before} == before

    change(ANNA)
    for number, token in ((1, BEN), (2, CLEO)):
        tables.sit(table, token, tables.view(table, ANNA).chairs[number].invite, NAMES[token])
    assert tables.view(table, BEN).started
    change(BEN)
    shown = [token for token in (BEN, CLEO) if not tables.view(table, token).your_turn]
    for token in shown:  # where one waits, the page has the field with one's own address
        change(token)
        assert "@example.org" in pages(token)[0]
    assert shown or game == "corporation"


def test_without_a_relay_no_mail_is_offered(url: str) -> None:
    tables = Tables.open(url)
    table = among_people(tables, ANNA, BEN)
    refused("E_MAIL", tables.tell, table, BEN, True, TO_BEN, HERE)
    assert tables.view(table, BEN).telling is None
    tables.close()


def test_after_a_restart_a_bots_turn_is_made_and_who_is_next_is_called(
    url: str, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a move a day nobody has the page open: what the table owes must not wait for somebody to look."""
    with monkeypatch.context() as asleep:
        asleep.setattr(owed.Looker, "start", lambda self: None)
        before = opened(url, sink)
        chairs = [ChairRequest("you", "Anna"), ChairRequest("bot", bot="random"), ChairRequest("friend")]
        table = before.create(ANNA, "lockbox", chairs)
        before.sit(table, BEN, before.view(table, ANNA).chairs[2].invite, "Ben")
        told(before, sink, table)
        play(before, table, ANNA, "end")
        with before.store.write() as t:
            t.change_chair(table, 2, seen=0)
        before.close()
    again = Tables.open(url, Relay.parse(f"smtp://127.0.0.1:{sink.port}?from=room@example.org"))
    wait_for(lambda: sink.subjects)
    assert sink.subjects[0] in ("Your turn at Lockbox", "Over: Lockbox")
    again.close()


NAMES_OF_ANY_SCRIPT = [
    "דוד בן גוריון", "محمد ۳", "علی\u200cرضا", "田中 さくら", "क्षि", "Ma\u0301t\u0323e\u0302", "Łukasz",
]  # fmt: skip
TITLES_OF_ANY_SCRIPT = [
    "מועדון 18 & Cats", "نادي الخميس", "木曜日の猫🐈‍⬛の会", "👩‍👩‍👧 & 🏴󠁧󠁢󠁷󠁬󠁳󠁿", "Cafe\u0301 Q\u0323\u0307",
    "می\u200cخواهم", "é" * 80, "猫" * 80,
    "=?utf-8?b?QmNjOiBldmVAZXZpbC5vcmc=?=", "Bcc: eve@evil.org, <eve@evil.org>", "a  b\tc",
]  # fmt: skip


@pytest.mark.parametrize("title", TITLES_OF_ANY_SCRIPT)
def test_titles_and_names_of_any_script_arrive_in_a_mail_as_they_were_typed(
    tables: Tables, sink: Sink, wait: Callable[[int], None], title: str
) -> None:
    """The header, as a mail program reads it, is what was typed, and no header more than those of any other mail."""
    name = NAMES_OF_ANY_SCRIPT[TITLES_OF_ANY_SCRIPT.index(title) % len(NAMES_OF_ANY_SCRIPT)]
    chairs = [ChairRequest("you", name), ChairRequest("friend")]
    for called in (title, "Plain"):
        table = tables.create(ANNA, "lockbox", chairs, {}, called)
        tables.sit(table, BEN, tables.view(table, ANNA).chairs[1].invite, "Ben")
        kept = tables.view(table, ANNA)
        if called == "Plain":
            tables.tell(table, BEN, True, TO_BEN, HERE)
        else:
            told(tables, sink, table)
        wait(HERE_SECONDS)
        play(tables, table, ANNA, "end")
        assert send(tables) == 1
        read = " ".join(kept.title.split()).replace("=?", "= ?")
        assert sink.mails[-1]["Subject"] == f"Your turn at {read}"
        began = f"{kept.chairs[0].name} has moved. It is your turn at {' '.join(kept.title.split())}:"
        assert sink.mails[-1].get_content().startswith(began)
    strange, plain = sink.mails
    assert sorted(strange.keys()) == sorted(plain.keys())
    assert sink.receivers[-2:] == [[TO_BEN], [TO_BEN]]
    assert strange["To"] == TO_BEN
    assert len(strange.get_all("Subject")) == 1


@pytest.mark.parametrize("title", ["a\x00b", "a\x1b[2J", "a\u202eb", "a\u2066b", "e" + "\u0301" * 9])
def test_a_title_that_deceives_is_none(tables: Tables, title: str) -> None:
    chairs = [ChairRequest("you", "Anna"), ChairRequest("friend")]
    refused("E_TEXT", tables.create, ANNA, "lockbox", chairs, {}, title)


@pytest.mark.parametrize("title", ["a\r\nBcc: eve@evil.org", "a\nBcc: eve@evil.org", "a\u2028Bcc: eve@evil.org"])
def test_a_title_of_several_lines_is_one_line(tables: Tables, title: str) -> None:
    table = tables.create(ANNA, "lockbox", [ChairRequest("you", "Anna"), ChairRequest("friend")], {}, title)
    assert tables.view(table, ANNA).title == "a Bcc: eve@evil.org"
