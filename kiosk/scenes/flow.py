"""Which scene a moment of the table has. What fingers have opened lies on top of it."""

from typing import Final

from saloon.core.game.agreement import awaited
from saloon.core.game.duel.state import DuelPhase
from saloon.core.game.state import Phase
from saloon.kiosk.scenes.auction import AuctionScene
from saloon.kiosk.scenes.characters import CharactersScene
from saloon.kiosk.scenes.closed import ConfirmedScene, RelievedScene, TakingOverScene, VoidedScene
from saloon.kiosk.scenes.disagreement import DisagreementScene
from saloon.kiosk.scenes.duel.arena import DuelScene
from saloon.kiosk.scenes.duel.setup import DuelSetupScene
from saloon.kiosk.scenes.duel.sheet import DuelSheetScene
from saloon.kiosk.scenes.duel.turned_up import DraftScene
from saloon.kiosk.scenes.ending import EndingScene
from saloon.kiosk.scenes.enrol import EnrolScene
from saloon.kiosk.scenes.last_life import LastLifeScene
from saloon.kiosk.scenes.locked import LockedScene, shows_lock
from saloon.kiosk.scenes.play import PlayScene
from saloon.kiosk.scenes.revolution import RevolutionScene
from saloon.kiosk.scenes.roles import RolesScene
from saloon.kiosk.scenes.scene import Scene
from saloon.kiosk.scenes.seating import SeatingScene
from saloon.kiosk.scenes.sheet import SheetScene
from saloon.kiosk.scenes.waiting import WaitingScene
from saloon.kiosk.table_view import LinkState, TableView

_BY_PHASE: Final[dict[Phase, Scene]] = {
    Phase.SEATING: SeatingScene(),
    Phase.ROLES: RolesScene(),
    Phase.AUCTION: AuctionScene(),
    Phase.CHARACTERS: CharactersScene(),
    Phase.PLAYING: PlayScene(),
    Phase.ENDED: EndingScene(),
    Phase.SHEET: SheetScene(),
    Phase.CONFIRMED: ConfirmedScene(),
    Phase.VOIDED: VoidedScene(),
}
_SETUP: Final = DuelSetupScene()
_BY_DUEL_PHASE: Final[dict[DuelPhase, Scene]] = {
    DuelPhase.FACE_UP: _SETUP,
    DuelPhase.CHOICE: _SETUP,
    DuelPhase.DRAFT: DraftScene(),
    DuelPhase.LINES: _SETUP,
    DuelPhase.OPENING: _SETUP,
    DuelPhase.PLAYING: DuelScene(),
    DuelPhase.WON: DuelSheetScene(),
}
_WAITING: Final = WaitingScene()
_ENROL: Final = EnrolScene()
_LAST_LIFE: Final = LastLifeScene()
_LOCKED: Final = LockedScene()
_REVOLUTION: Final = RevolutionScene()
_DISAGREEMENT: Final = DisagreementScene()
_RELIEVED: Final = RelievedScene()
_TAKING_OVER: Final = TakingOverScene()


def scene_of(view: TableView) -> Scene:
    """The scene that lies at the bottom of the stack."""
    game = view.game
    if view.doubt is not None:
        return _DISAGREEMENT
    if game is None and view.delivery.link is LinkState.NOT_ENROLLED:
        return _ENROL
    if game is None or view.edition is None:
        return _WAITING
    if view.is_relieved or view.steps_to_come:
        return _RELIEVED if view.is_relieved else _TAKING_OVER
    if view.is_locked and shows_lock(game):
        return _LOCKED
    if game.duel is not None and awaited(game):
        return _BY_PHASE[Phase.ENDED]
    if game.duel is not None and game.phase in {Phase.DUEL, Phase.SHEET}:
        return _BY_DUEL_PHASE[game.duel.phase]
    if game.phase is Phase.PLAYING and game.pending:
        return _LAST_LIFE
    if game.revolution_question is not None:
        return _REVOLUTION
    return _BY_PHASE[game.phase]
