"""The events of an enrolment, as the screen shows them."""

from pathlib import Path

import pytest

from base.errors import Unavailable
from kiosk.terminal.link.enrolment_progress import EnrolmentProgress, file_problem_from_error
from kiosk.terminal.startup.agent import find_station, misnamed_file
from kiosk.terminal.startup_settings import StartupSettings
from kiosk.view.table_view import CodeOutcome, Enrolment, FileProblem
from sync.enrolment.provisioning import provisioning_of
from sync.enrolment.provisioning_keys import Fault, WrongFile
from sync.protocol.messages import CloseCause
from sync.terminal.agent_contract import EnrolmentChanged, EnrolmentStage
from sync.terminal.station_record import StationRecord

FAILED = EnrolmentStage.FAILED


def test_a_number_to_compare_is_shown_until_the_cable_is_pulled() -> None:
    enrolling = EnrolmentProgress()
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view == Enrolment(place="serial x")
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913", place="serial x"))
    assert enrolling.view.check_code == "482913"
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view == Enrolment(place="serial x")


def test_a_refusal_stays_until_the_next_number() -> None:
    enrolling = EnrolmentProgress()
    enrolling.on_changed(EnrolmentChanged(FAILED, cause=CloseCause.REFUSED))
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.refused
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913"))
    assert not enrolling.view.refused


@pytest.mark.parametrize(
    ("news", "outcome"),
    [
        (EnrolmentChanged(FAILED, cause=CloseCause.WRONG_CODE, by_code=True), CodeOutcome.WRONG),
        (EnrolmentChanged(FAILED, cause=CloseCause.NO_CODE, by_code=True), CodeOutcome.NOT_VALID),
        (EnrolmentChanged(FAILED, by_code=True, not_reached=True), CodeOutcome.NOT_REACHED),
        (EnrolmentChanged(FAILED, by_code=True), CodeOutcome.NOT_PROVEN),
        (EnrolmentChanged(EnrolmentStage.DONE, by_code=True), CodeOutcome.NONE),
    ],
)
def test_what_became_of_a_code_is_told_and_outlasts_the_asking_at_the_cable(
    news: EnrolmentChanged, outcome: CodeOutcome
) -> None:
    enrolling = EnrolmentProgress(("192.0.2.1:7373",))
    enrolling.on_trying_code()
    assert enrolling.view.outcome is CodeOutcome.TRYING
    enrolling.on_changed(news)
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.outcome is outcome
    assert enrolling.view.addresses == ("192.0.2.1:7373",)


def test_a_wrong_file_is_told_until_the_terminal_belongs_somewhere() -> None:
    problem = FileProblem(3, "rotation = 45", "[terminal] rotation", Fault.ONE_OF, (("choices", "0, 90"),))
    enrolling = EnrolmentProgress(file_problem=problem)
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view.file_problem == problem
    enrolling.on_changed(EnrolmentChanged(EnrolmentStage.DONE))
    assert enrolling.view.file_problem is None


def test_what_is_wrong_is_handed_on_in_pieces_that_can_be_translated() -> None:
    with pytest.raises(WrongFile) as wrong:
        provisioning_of("[station]\ncolour = 1\n", "saloon.toml")
    assert file_problem_from_error(wrong.value) == FileProblem(
        2, "colour = 1", "[station] colour", Fault.NO_KEY
    )
    away = Unavailable("saloon.toml: Input/output error")
    assert file_problem_from_error(away) == FileProblem(detail="saloon.toml: Input/output error")


@pytest.mark.parametrize("name", ["saloon-table-7.toml", "saloon.toml.txt", "Saloon (1).TOML"])
def test_a_file_of_another_name_on_the_card_is_named(tmp_path: Path, name: str) -> None:
    wanted = tmp_path / "boot" / "saloon.toml"
    assert misnamed_file([tmp_path / "boot.toml", wanted]) is None
    wanted.parent.mkdir()
    for other in ("config.txt", "._saloon.toml", "other.toml", name):
        (wanted.parent / other).touch()
    wrong = misnamed_file([tmp_path / "boot.toml", wanted])
    assert wrong is not None
    assert file_problem_from_error(wrong) == FileProblem(
        fault=Fault.OTHER_NAME, fields=(("found", name), ("name", "saloon.toml"))
    )
    wanted.touch()
    assert misnamed_file([tmp_path / "boot.toml", wanted]) is None


def test_a_new_terminal_shows_the_file_of_another_name(tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot" / "saloon-table-7.toml").touch()
    settings = StartupSettings(data=tmp_path, boot_files=(tmp_path / "boot" / "saloon.toml",))
    known, problem = find_station(settings, StationRecord(tmp_path / "record"))
    assert known is None
    assert problem is not None
    assert problem.fault is Fault.OTHER_NAME
