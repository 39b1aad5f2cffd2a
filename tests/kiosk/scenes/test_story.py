"""The story and the chart of a game lead to any moment, and back to the table."""

import msgspec

from core.game.play.turns import EndTurn
from core.game.state.decisions import Redo, Undo
from tests.kiosk.scenes.conftest import hand_on, intents_of
from tests.scenarios.judge_moments import ending_moments
from tests.scenarios.moments import Table, moments


def test_the_story_leads_back_by_as_many_steps_as_its_lines_tell() -> None:
    story = next(m for m in moments(6) if m.picture == "story")
    play = msgspec.structs.replace(story, view=msgspec.structs.replace(story.view, judge_present=True))
    hand = hand_on(play.view)
    assert play.view.timeline is not None
    chosen = play.view.story[-3]
    hand.touch("menu", "story", f"story-moment-{chosen.moment}", "step-back", "undo-steps", view=play.view)
    steps = sum(line.steps for line in play.view.story[-2:])
    assert intents_of(hand) == [Undo(steps)]
    assert hand.screen.scene_name() == "play"
    assert play.view.timeline.moments[-1 - steps].state.turns == chosen.turn


def test_players_undo_beyond_their_turn_only_with_a_judge() -> None:
    story = next(m for m in moments(6) if m.picture == "story").view
    chosen = story.story[-3]
    hand = hand_on(story)
    hand.touch("menu", "story", f"story-moment-{chosen.moment}", "step-back", "undo-steps", view=story)
    assert (intents_of(hand), hand.screen.scene_name()) == ([], "pin")


def test_undo_beyond_the_turn_asks_for_the_pin_and_redo_brings_it_back() -> None:
    table = Table(5).begun().wound(2, 1).do(EndTurn())
    assert table.view().may_undo_freely == 1
    hand = hand_on(table.do(Undo(1)).view())
    hand.touch("undo-judge")
    assert (intents_of(hand), hand.screen.scene_name()) == ([], "pin")
    again = hand_on(table.view())
    again.touch("redo")
    assert intents_of(again) == [Redo()]
    table.do(Redo())
    assert "redo" not in {target.id for target in hand_on(table.view()).screen.targets()}


def test_a_moment_of_the_story_shows_the_table_as_it_was_and_nothing_there_can_be_touched() -> None:
    moment = next(m for m in moments(6) if m.picture == "moment")
    hand = hand_on(moment.view)
    hand.touch(*moment.touches, view=moment.view)
    targets = {target.id for target in hand.screen.targets()}
    assert targets == {"back", "moment-earlier", "moment-later", "step-back"}
    hand.touch("moment-later", view=moment.view)
    assert hand.screen.scene_name() == "moment"
    assert intents_of(hand) == []


def test_a_touch_on_the_chart_shows_the_end_of_that_turn() -> None:
    chart = next(m for m in moments(6) if m.picture == "chart")
    hand = hand_on(chart.view)
    hand.touch(*chart.touches, "turn-3", view=chart.view)
    assert hand.screen.scene_name() == "moment"


def test_a_disputed_ending_leads_to_the_story_by_one_touch() -> None:
    disputed = next(m for m in ending_moments(6) if m.picture == "ending-disputed")
    hand = hand_on(disputed.view)
    hand.touch("story", view=disputed.view)
    assert hand.screen.scene_name() == "story"


def test_the_story_can_be_about_one_player() -> None:
    story = next(m for m in moments(6) if m.picture == "story")
    hand = hand_on(story.view)
    hand.touch(*story.touches, "story-of", "story-of", view=story.view)
    labels = [target.label for target in hand.screen.targets() if target.id.startswith("story-moment-")]
    assert labels
    assert all("Bartolomeo" in label for label in labels)
