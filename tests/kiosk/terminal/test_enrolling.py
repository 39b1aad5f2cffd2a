"""What the wires say of an enrolment, as the screen shows it."""

import pytest

from saloon.base.errors import Unavailable
from saloon.kiosk.terminal.link.enrolment_progress import EnrolmentProgress, file_problem_from_error
from saloon.kiosk.view.table_view import CodeOutcome, Enrolment, FileProblem
from saloon.sync.enrolment.provisioning import provisioning_of
from saloon.sync.enrolment.provisioning_faults import Fault, WrongFile
from saloon.sync.protocol.messages import CloseCause
from saloon.sync.terminal.agent_contract import EnrolmentChanged, EnrolmentStage

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
