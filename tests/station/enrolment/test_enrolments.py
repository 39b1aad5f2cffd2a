"""Terminals that are enrolled, moved and revoked."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from base.errors import BadData
from core.game.orders import AssignTable
from core.terms import TableNo
from kiosk.terminal.pin import _matches
from station.cli.main import commands
from station.projections.cards import TerminalLink
from station.store.settings import Settings
from station.terminals.service import Terminals
from sync.enrolment.provisioning import provisioning_of
from sync.protocol.entry import TerminalId
from sync.tls.certificates import fingerprint_of_pem, generate_certificate
from tests.station.conftest import JUDGE, ScriptedTerminal, Station

TABLE_7 = TableNo(7)


def new_token(station: Station, table: TableNo | None = TABLE_7) -> str:
    made = station.run(station.service.of(Terminals).enrol(table, JUDGE))
    return provisioning_of(made, "file").terminal.token


def test_a_provisioning_file_says_all_that_a_terminal_needs(station: Station) -> None:
    made = station.run(station.service.of(Terminals).enrol(TableNo(7), JUDGE))
    provisioning = provisioning_of(made, "file")
    assert provisioning.station.addresses == ("192.0.2.1:7373",)
    assert "BEGIN CERTIFICATE" in provisioning.station.certificate
    assert provisioning.terminal.table == 7
    assert len(provisioning.terminal.token) >= 32


def test_a_token_lets_one_terminal_in_once(station: Station) -> None:
    token = new_token(station)
    certificate, other = generate_certificate("a")[1], generate_certificate("b")[1]
    terminal = station.directory.enrol(token, certificate)
    assert terminal == fingerprint_of_pem(certificate, "test")
    assert station.directory.enrol(token, other) is None
    # The first answer may have been lost on the way.
    assert station.directory.enrol(token, certificate) == terminal
    assert station.directory.enrol("guessed", other) is None
    assert certificate in station.directory.certificates()
    station.settle()
    assert list(station.directory.certificates()) == [certificate]


def test_the_token_itself_is_not_in_the_database(station: Station, tmp_path: Path) -> None:
    token = new_token(station)
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("station.sqlite*"))
    assert token.encode() not in stored


def test_junk_instead_of_a_certificate_is_refused_and_the_token_stays(station: Station) -> None:
    token = new_token(station, None)
    with pytest.raises(BadData):
        station.directory.enrol(token, "junk")
    assert station.directory.enrol(token, generate_certificate("a")[1]) is not None
    station.settle()


def opens(terminal: ScriptedTerminal, pin: str) -> bool:
    """Return whether a terminal accepts a PIN, by the last hash sent to it."""
    return _matches(pin, terminal.ordered(AssignTable)[-1].judge_pin)


def test_each_terminal_has_a_pin_of_its_own_until_all_get_new_ones(station: Station, tmp_path: Path) -> None:
    terminals = [station.terminal(3), station.terminal(4)]
    pins = [station.service.pin(one.id) for one in terminals]
    assert all(len(pin) == 6 and pin.isdigit() for pin in pins)
    assert [[opens(one, pin) for pin in pins] for one in terminals] == [[True, False], [False, True]]
    station.assigns(terminals[0].id, 7)
    station.close()
    said = CliRunner().invoke(commands, ["pins", "--data", str(tmp_path)]).output.split("\n")
    assert [line.split("\t") for line in said[:2]] == [
        ["4", terminals[1].id[:8], pins[1]],
        ["7", terminals[0].id[:8], pins[0]],
    ]
    again = station.restarts()
    terminals = [ScriptedTerminal(again, one.id) for one in terminals]
    assert [again.service.pin(one.id) for one in terminals] == pins
    assert [len(one.ordered(AssignTable)) for one in terminals] == [2, 1]
    again.run(again.service.of(Terminals).renew_pins(JUDGE))
    assert [opens(one, pin) for one, pin in zip(terminals, pins, strict=True)] == [False, False]
    assert all(opens(one, again.service.pin(one.id)) for one in terminals)


def test_a_pin_of_an_earlier_version_opens_nothing_any_more(station: Station) -> None:
    """Earlier versions had one PIN for the whole hall, stored as a hash in the settings."""
    Settings(station.database).set("judge-pin", PasswordHasher().hash("2468"))
    terminal = station.terminal(3)
    assert not opens(terminal, "2468")
    assert opens(terminal, station.service.pin(terminal.id))


def test_a_revoked_terminal_is_gone_and_its_table_is_free(station: Station) -> None:
    terminal = station.terminal(3)
    station.run(station.service.of(Terminals).revoke(terminal.id, JUDGE))
    assert station.service.terminals() == ()
    assert list(station.directory.certificates()) == []
    station.terminal(3, "another")
    assert [card.table for card in station.service.terminals()] == [3]


def test_unknown_terminals_and_impossible_tables_are_refused(station: Station) -> None:
    terminal = station.terminal(3)
    with pytest.raises(KeyError):
        station.run(station.service.of(Terminals).assign(TerminalId("0" * 32), TableNo(1), JUDGE))
    with pytest.raises(KeyError):
        station.run(station.service.of(Terminals).revoke(TerminalId("0" * 32), JUDGE))
    for number in (0, -1, 1000):
        with pytest.raises(BadData, match="1 to 999"):
            station.assigns(terminal.id, number)
        with pytest.raises(BadData, match="1 to 999"):
            station.run(station.service.of(Terminals).enrol(TableNo(number), JUDGE))


def test_a_card_says_how_the_terminal_is_reached(station: Station) -> None:
    terminal = station.terminal(3)
    station.clock.passed_ms += 4_000
    (card,) = station.service.terminals()
    assert (card.link, card.last_word_s, card.owes) == (TerminalLink.TCP, 4.0, 0)

    async def _gone() -> None:
        station.switchboard.link_changed(terminal.id, wire=None)
        station.switchboard.alarm(terminal.id, "cloned card")

    station.run(_gone())
    (card,) = station.service.terminals()
    assert (card.link, card.owes, card.alarm) == (TerminalLink.AWAY, 0, "cloned card")


def test_what_a_terminal_owes_is_shown_until_it_is_durable(station: Station) -> None:
    terminal = station.terminal(1)
    station.connects(terminal.id, owes=5)
    # A beat says nothing new; half of it stored, then all.
    for owes in (5, 2, 0):
        station.hears(terminal.id, owes=owes)
        assert station.service.terminals()[0].owes == owes


def test_a_certificate_is_stored_in_our_own_words_not_in_a_strangers(station: Station) -> None:
    certificate = generate_certificate("new")[1]
    terminal = station.directory.enrol(new_token(station), f"\u00a0{certificate}\t")
    assert terminal == fingerprint_of_pem(certificate, "new")
    station.settle()
    assert certificate in station.directory.certificates()


def test_no_terminal_takes_another_ones_name(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("sync.tls.certificates.secrets", SimpleNamespace(token_hex=lambda _: "00"))
        first, second = generate_certificate("table 7")[1], generate_certificate("table 7")[1]
    one, other = new_token(station), new_token(station, TableNo(8))
    assert station.directory.enrol(one, first) is not None
    with pytest.raises(BadData, match="another terminal has a certificate of this name"):
        station.directory.enrol(other, second)
    assert second not in station.directory.certificates()
    # The token was not used up by the attempt.
    assert station.directory.enrol(other, generate_certificate("new")[1]) is not None
