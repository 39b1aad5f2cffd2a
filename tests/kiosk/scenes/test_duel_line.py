"""The front character in a long duel: the page shows which one it is."""

from tests.kiosk.scenes.conftest import GLASSES, Show
from tests.scenarios.duel_moments import duel_moments


def test_the_choice_of_the_front_says_who_stands_there_now(show: Show) -> None:
    moment = next(moment for moment in duel_moments() if moment.picture == "duel-line")
    game = moment.view.game
    assert game is not None
    assert game.duel is not None
    assert game.turn is not None
    front = game.duel.side(game.turn).front
    assert front is not None
    screen = show(GLASSES["800x480"], moment)
    labels = [target.label for target in screen.targets() if target.id.startswith("front-")]
    assert len(labels) == 2
    assert [label for label in labels if "current" in label] == [f"{front.character.value} in front current"]
