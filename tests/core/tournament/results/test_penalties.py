"""Warnings and ejection."""

import pytest

from saloon.core.tournament.results.penalties import is_ejected_by


@pytest.mark.parametrize(("warnings", "ejected"), [(0, False), (1, False), (2, True), (3, True)])
def test_s3_the_second_warning_ejects(warnings: int, *, ejected: bool) -> None:
    assert is_ejected_by(warnings) is ejected
