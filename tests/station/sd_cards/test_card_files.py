"""Files for many cards at once: all or none, listed, replaced, withdrawn."""

import pytest

from base.errors import BadData
from core.terms import TableNo
from station.cards.service import Cards
from station.sd_cards.card_files import CardMade, CardSettings, CardState
from station.terminals.service import Terminals
from sync.enrolment.provisioning import Provisioning, ServicePart, TerminalPart, WifiPart, provisioning_of
from sync.enrolment.provisioning_keys import WrongFile
from sync.tls.certificates import generate_certificate
from tests.station.conftest import JUDGE, Station


def made(station: Station, *tables: int | None, replaces: bool = True) -> tuple[CardMade, ...]:
    wanted = [None if table is None else TableNo(table) for table in tables]
    return station.run(station.service.of(Cards).make(wanted, JUDGE, replaces=replaces))


def said(card: CardMade) -> Provisioning:
    return provisioning_of(card.toml, "file")


def states(station: Station) -> dict[str, CardState]:
    return {file.mark: file.state for file in station.run(station.service.of(Cards).list_files())}


def lets_in(station: Station, card: CardMade) -> bool:
    entered = station.directory.enrol(said(card).terminal.token, generate_certificate("new")[1])
    station.settle()
    return entered is not None


def test_each_card_has_its_own_table_and_word(station: Station) -> None:
    cards = made(station, *range(1, 51), None, None)
    assert [said(card).terminal.table for card in cards] == [*range(1, 51), None, None]
    assert len({said(card).terminal.token for card in cards}) == 52
    assert len({card.mark for card in cards}) == 52
    assert set(states(station).values()) == {CardState.UNUSED}


def test_a_table_that_cannot_be_leaves_no_file_at_all(station: Station) -> None:
    with pytest.raises(BadData):
        made(station, 1, 1000)
    assert states(station) == {}


def test_a_used_file_is_told_from_an_unused_and_a_withdrawn_one(station: Station) -> None:
    used, unused, withdrawn = made(station, 1, 2, 3)
    assert lets_in(station, used)
    key = next(f.key for f in station.run(station.service.of(Cards).list_files()) if f.mark == withdrawn.mark)
    station.run(station.service.of(Cards).withdraw(key, JUDGE))
    assert states(station) == {
        used.mark: CardState.USED,
        unused.mark: CardState.UNUSED,
        withdrawn.mark: CardState.WITHDRAWN,
    }
    assert not lets_in(station, withdrawn)
    assert lets_in(station, unused)
    with pytest.raises(KeyError):
        station.run(station.service.of(Cards).withdraw(key, JUDGE))


def test_new_files_replace_unused_ones_of_the_same_tables_only(station: Station) -> None:
    used, unused, other, spare = made(station, 1, 2, 3, None)
    assert lets_in(station, used)
    again = made(station, 1, 2, None)
    assert not lets_in(station, unused)
    for card in (other, spare, *again):
        assert lets_in(station, card)


def test_all_unused_files_can_be_withdrawn_and_those_inside_stay_inside(station: Station) -> None:
    used, unused = made(station, 1, 2)
    certificate = generate_certificate("new")[1]
    terminal = station.directory.enrol(said(used).terminal.token, certificate)
    assert station.run(station.service.of(Cards).withdraw_all(JUDGE)) == 1
    assert not lets_in(station, unused)
    # The answer to the first one may have been lost on the way.
    assert station.directory.enrol(said(used).terminal.token, certificate) == terminal
    station.settle()


def test_every_file_says_what_was_chosen_for_all_cards(station: Station) -> None:
    chosen = CardSettings(
        WifiPart("Hall", "under the stairs", "IT"),
        ServicePart(),
        TerminalPart(panel="bare-pi-4", language="it", rotation=180, inches=10.1),
        ("10.0.0.5:7373",),
    )
    station.run(station.service.of(Cards).save_settings(chosen, JUDGE))
    one = said(made(station, 7)[0])
    single = provisioning_of(station.run(station.service.of(Terminals).enrol(TableNo(8), JUDGE)), "file")
    for file in (one, single):
        assert file.wifi == chosen.wifi
        assert file.station.addresses == ("10.0.0.5:7373",)
        assert (file.terminal.panel, file.terminal.language) == ("bare-pi-4", "it")
        assert (file.terminal.rotation, file.terminal.inches) == (180, 10.1)
    assert (one.terminal.table, single.terminal.table) == (7, 8)


def test_what_no_terminal_could_read_is_not_remembered(station: Station) -> None:
    for wrong in (
        CardSettings(WifiPart("Hall", "short")),
        CardSettings(service=ServicePart("ssh-ed25519 AAAA")),
        CardSettings(addresses=("here",)),
    ):
        with pytest.raises(WrongFile):
            station.run(station.service.of(Cards).save_settings(wrong, JUDGE))
    assert station.run(station.service.of(Cards).settings()) == CardSettings()
