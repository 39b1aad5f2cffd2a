"""The judge takes a game back, or has it played again from the deal."""

from saloon.core.game.commands import RestartGame, VoidGame
from saloon.kiosk.scenes.judge.judge_ruling import Purpose, ReasonScene
from saloon.kiosk.scenes.scene import Stage


def void_scene(stage: Stage) -> ReasonScene:
    """The game counts for nothing."""
    _ = stage.words.gettext
    purpose = Purpose(
        title=_("Take the game back"),
        text=_("It counts for nobody: no winnings, no winner. The story keeps what was played."),
        hold=_("Hold: take the game back"),
        done=_("The game was taken back."),
        usual=_usual(stage),
        icon="cross",
    )
    return ReasonScene(VoidGame(""), purpose)


def restart_scene(stage: Stage) -> ReasonScene:
    """The same players at the same seats begin anew."""
    _ = stage.words.gettext
    purpose = Purpose(
        title=_("Play the game again"),
        text=_(
            "What was played counts for nothing. The same players check in again at the same seats, and "
            "new roles are dealt. “Step back” brings the old game back."
        ),
        hold=_("Hold: play it again"),
        done=_("The game begins again: collect all cards and deal new roles."),
        usual=_usual(stage),
        icon="shuffle",
    )
    return ReasonScene(RestartGame(""), purpose)


def _usual(stage: Stage) -> tuple[str, ...]:
    _ = stage.words.gettext
    return (
        _("Cards were missing"),
        _("The deal was wrong"),
        _("A role was seen"),
        _("Somebody sat wrong"),
    )
