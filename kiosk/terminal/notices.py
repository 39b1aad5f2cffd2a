"""The notice above the table: a response to a touch, or a continuing problem."""

from base.errors import Refused
from core.game.state.game import GameState
from kiosk.preferences import Choices
from kiosk.scenes.connection.connection import file_notice
from kiosk.scenes.widgets.card import short_names
from kiosk.terminal.panel_parts import Parts
from kiosk.view.table_view import FileProblem


class Notices:
    """Current problems of the terminal, until they are over or dismissed.

    ``file_problem`` explains why a new provisioning file is invalid; the terminal keeps its settings.
    """

    def __init__(self, choices: Choices, parts: Parts, file_problem: FileProblem | None) -> None:
        self._choices = choices
        self._parts = parts
        self._notice = ""
        self._is_unsaved = False
        self._is_damage_read = False
        self._file_problem = file_problem
        self.done = ""

    def on_refused(self, refused: Refused, game: GameState | None) -> None:
        players = short_names(game.seats) if game is not None else ()
        self._notice = self._choices.words.refusal(refused, players)

    def on_carried_out(self, done: str) -> None:
        self._notice, self.done = "", done

    def on_saved(self) -> None:
        self._is_unsaved = False

    def on_unsaved(self) -> None:
        self._is_unsaved = True

    def on_revoked(self) -> None:
        """Show that the station revoked this terminal during a game."""
        _ = self._choices.words.gettext
        self._notice = _(
            "The station no longer recognises this terminal. What you enter is saved here. Call the judge."
        )

    def text(self, *, left_out: bool) -> str:
        """Return the text to show, or an empty one; refusals come first, as they respond to a touch."""
        _ = self._choices.words.gettext
        if self._notice:
            return self._notice
        if self._is_unsaved:
            return _("Can't save right now. Keep playing, don't unplug anything, and call the judge.")
        if left_out and not self._is_damage_read:
            return _("Some saved data can't be read. Check the screen against the table and call the judge.")
        if self._file_problem is not None:
            return file_notice(self._choices.words, self._file_problem)
        return self._parts.notice(self._choices.words)

    def dismiss(self, *, left_out: bool) -> None:
        """Dismiss the notice that is being shown."""
        if self._notice:
            self._notice = ""
        elif self._is_unsaved:
            self._is_unsaved = False
        elif left_out and not self._is_damage_read:
            self._is_damage_read = True
        elif self._file_problem is not None:
            self._file_problem = None
        elif not self._parts.dismiss():
            self.done = ""
