"""The scenes of the pages that any scene may open by name."""

from typing import assert_never

from kiosk.scenes import pages
from kiosk.scenes.connection.connection import connection_page
from kiosk.scenes.connection.enrol import enrol_terminal
from kiosk.scenes.connection.offline_transfer import offline_transfer
from kiosk.scenes.judge.judge_called import judge_called
from kiosk.scenes.judge.judge_menu import judge_menu
from kiosk.scenes.judge.pin import PinScene
from kiosk.scenes.play.elimination import EliminationScene
from kiosk.scenes.play.player_menu import player_menu
from kiosk.scenes.play.story import game_story
from kiosk.scenes.rule_card import all_rules, rule_page
from kiosk.scenes.scene import Scene
from kiosk.scenes.settings import display_settings, languages, sound_settings, table_menu


def scene_of_page(page: pages.Page) -> Scene:  # noqa: C901 (one case for each page)
    """Return the scene of a page."""
    match page:
        case pages.Menu():
            return table_menu()
        case pages.JudgeMenu():
            return judge_menu()
        case pages.JudgeCallPage():
            return judge_called(page.reader)
        case pages.Pin():
            return PinScene(
                page.then, accepted=page.accepted, done=page.done, leaves=page.leaves, more=page.more
            )
        case pages.RulePage():
            return rule_page(page.rule, page.seat)
        case pages.Rules():
            return all_rules(page.seat)
        case pages.PlayerMenu():
            return player_menu(page.seat)
        case pages.EliminationPage():
            return EliminationScene(
                page.seat,
                page.cause,
                page.by,
                is_turn_told=page.is_out_too,
                was_asked=page.was_asked,
                is_out_too=page.is_out_too,
            )
        case pages.Story():
            return game_story(by_judge=page.by_judge)
        case pages.ConnectionPage():
            return connection_page()
        case pages.Enrol():
            return enrol_terminal()
        case pages.OfflineTransfer():
            return offline_transfer(by_judge=page.by_judge)
        case pages.Language():
            return languages(page.seat)
        case pages.SoundPage():
            return sound_settings()
        case pages.DisplaySettings():
            return display_settings()
        case _:
            assert_never(page)
