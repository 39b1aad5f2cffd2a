"""Terminals that come, move and go."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.station.conftest import JUDGE, Station

from saloon.base.errors import BadData
from saloon.core.orders import AssignTable
from saloon.core.terms import TableNo
from saloon.station.terminals.terminal_cards import ProvisioningText, TerminalLink
from saloon.sync.enrolment.certificates import fingerprint_of_pem, generate_certificate
from saloon.sync.enrolment.provisioning import provisioning_of
from saloon.sync.protocol.entry import TerminalId


def token_of(made: ProvisioningText) -> str:
    return provisioning_of(made.toml, "file").terminal.token


def test_a_provisioning_file_says_all_that_a_terminal_needs(station: Station) -> None:
    made = station.run(station.service.enrol(TableNo(7), JUDGE))
    found = provisioning_of(made.toml, "file")
    assert found.station.addresses == ("192.0.2.1:7373",)
    assert "BEGIN CERTIFICATE" in found.station.certificate
    assert found.terminal.table == 7
    assert len(found.terminal.token) >= 32


def test_a_token_lets_one_terminal_in_once(station: Station) -> None:
    made = station.run(station.service.enrol(TableNo(7), JUDGE))
    token = provisioning_of(made.toml, "file").terminal.token
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
    made = station.run(station.service.enrol(TableNo(7), JUDGE))
    token = provisioning_of(made.toml, "file").terminal.token.encode()
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("station.sqlite*"))
    assert token not in stored


def test_junk_instead_of_a_certificate_is_refused_and_the_token_stays(station: Station) -> None:
    made = station.run(station.service.enrol(None, JUDGE))
    token = provisioning_of(made.toml, "file").terminal.token
    with pytest.raises(BadData):
        station.directory.enrol(token, "junk")
    assert station.directory.enrol(token, generate_certificate("a")[1]) is not None
    station.settle()


def test_a_new_terminal_is_told_its_table_and_the_pin(station: Station) -> None:
    terminal = station.terminal(3)
    station.run(station.service.set_judge_pin("2468", JUDGE))
    first, second = terminal.ordered(AssignTable)
    assert first == AssignTable(TableNo(3), "")
    assert second.judge_pin.startswith("$argon2")
    later = station.terminal(4)
    assert later.ordered(AssignTable) == [AssignTable(TableNo(4), second.judge_pin)]


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12a4", "١٢٣٤"])
def test_a_pin_has_four_to_eight_digits(station: Station, pin: str) -> None:
    with pytest.raises(BadData, match="4 to 8 digits"):
        station.run(station.service.set_judge_pin(pin, JUDGE))


def test_a_revoked_terminal_is_gone_and_its_table_is_free(station: Station) -> None:
    terminal = station.terminal(3)
    station.run(station.service.revoke(terminal.id, JUDGE))
    assert station.service.terminals() == ()
    assert list(station.directory.certificates()) == []
    station.terminal(3, "another")
    assert [card.table for card in station.service.terminals()] == [3]


def test_unknown_terminals_and_impossible_tables_are_refused(station: Station) -> None:
    terminal = station.terminal(3)
    with pytest.raises(KeyError):
        station.run(station.service.assign(TerminalId("0" * 32), TableNo(1), JUDGE))
    with pytest.raises(KeyError):
        station.run(station.service.revoke(TerminalId("0" * 32), JUDGE))
    for number in (0, -1, 1000):
        with pytest.raises(BadData, match="1 to 999"):
            station.run(station.service.assign(terminal.id, TableNo(number), JUDGE))
        with pytest.raises(BadData, match="1 to 999"):
            station.run(station.service.enrol(TableNo(number), JUDGE))


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
    made = station.run(station.service.enrol(TableNo(7), JUDGE))
    certificate = generate_certificate("new")[1]
    terminal = station.directory.enrol(token_of(made), f"\u00a0{certificate}\t")
    assert terminal == fingerprint_of_pem(certificate, "new")
    station.settle()
    assert certificate in station.directory.certificates()


def test_no_terminal_takes_the_name_of_anothers_certificate(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("saloon.sync.enrolment.certificates.secrets", SimpleNamespace(token_hex=lambda _: "00"))
        first, second = generate_certificate("table 7")[1], generate_certificate("table 7")[1]
    made = [station.run(station.service.enrol(TableNo(table), JUDGE)) for table in (7, 8)]
    assert station.directory.enrol(token_of(made[0]), first) is not None
    with pytest.raises(BadData, match="another terminal has a certificate of this name"):
        station.directory.enrol(token_of(made[1]), second)
    assert second not in station.directory.certificates()
    # The token was not used up by the attempt.
    assert station.directory.enrol(token_of(made[1]), generate_certificate("new")[1]) is not None
