"""What the wires say of an enrolment, as the screen shows it."""

import pytest

from saloon.kiosk.app.enrolling import Enrolling
from saloon.kiosk.table_view import CodeOutcome, Enrolment
from saloon.sync.agent_contract import EnrolmentChanged, EnrolmentStage
from saloon.sync.messages import Cause

FAILED = EnrolmentStage.FAILED


def test_a_number_to_compare_is_shown_until_the_cable_is_pulled() -> None:
    enrolling = Enrolling()
    enrolling.changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view == Enrolment(place="serial x")
    enrolling.changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913", place="serial x"))
    assert enrolling.view.check_code == "482913"
    enrolling.changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view == Enrolment(place="serial x")


def test_a_refusal_stays_until_the_next_number() -> None:
    enrolling = Enrolling()
    enrolling.changed(EnrolmentChanged(FAILED, cause=Cause.REFUSED))
    enrolling.changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.refused
    enrolling.changed(EnrolmentChanged(EnrolmentStage.COMPARE, "482913"))
    assert not enrolling.view.refused


@pytest.mark.parametrize(
    ("news", "outcome"),
    [
        (EnrolmentChanged(FAILED, cause=Cause.WRONG_CODE, by_code=True), CodeOutcome.WRONG),
        (EnrolmentChanged(FAILED, cause=Cause.NO_CODE, by_code=True), CodeOutcome.NOT_VALID),
        (EnrolmentChanged(FAILED, by_code=True, not_reached=True), CodeOutcome.NOT_REACHED),
        (EnrolmentChanged(FAILED, by_code=True), CodeOutcome.NOT_PROVEN),
        (EnrolmentChanged(EnrolmentStage.DONE, by_code=True), CodeOutcome.NONE),
    ],
)
def test_what_became_of_a_code_is_told_and_outlasts_the_asking_at_the_cable(
    news: EnrolmentChanged, outcome: CodeOutcome
) -> None:
    enrolling = Enrolling(("192.0.2.1:7373",))
    enrolling.tries()
    assert enrolling.view.outcome is CodeOutcome.TRYING
    enrolling.changed(news)
    enrolling.changed(EnrolmentChanged(EnrolmentStage.SEARCHING, place="serial x"))
    assert enrolling.view.outcome is outcome
    assert enrolling.view.addresses == ("192.0.2.1:7373",)


def test_a_wrong_file_is_told_until_the_terminal_belongs_somewhere() -> None:
    enrolling = Enrolling(file_problem="saloon.toml: line 3")
    enrolling.changed(EnrolmentChanged(EnrolmentStage.SEARCHING))
    assert enrolling.view.file_problem == "saloon.toml: line 3"
    enrolling.changed(EnrolmentChanged(EnrolmentStage.DONE))
    assert enrolling.view.file_problem == ""
