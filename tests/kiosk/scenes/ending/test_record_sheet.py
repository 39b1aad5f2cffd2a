"""The record sheet: the story is one touch away, for a dispute that comes late."""

import pytest
from tests.kiosk.scenes.conftest import GLASSES, Hand, Show
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.moments import Moment, moments

SHEETS = {
    moment.picture: moment for moment in (*moments(5), *duel_moments()) if moment.picture.endswith("sheet")
}


@pytest.mark.parametrize("picture", SHEETS)
def test_the_story_opens_from_the_sheet_and_leads_back(picture: str, show: Show) -> None:
    moment: Moment = SHEETS[picture]
    screen = show(GLASSES["800x480"], moment)
    hand = Hand(screen)
    for target, scene in (("story", "story"), ("back", "sheet")):
        hand.touch(target)
        screen.update(moment.view)
        assert screen.scene_name() == scene
