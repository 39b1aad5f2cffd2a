"""What a terminal must show that no station has let in: the same scenes, drawn on the host."""

from PIL import Image
from tests.boot.pictures import differing, picture_of
from tests.kiosk.scenes.conftest import Hand

from saloon.kiosk.screen import TableScreen
from saloon.kiosk.table_view import Delivery, Enrolment, FileProblem, LinkState, TableView
from saloon.kiosk.ui.glasses import glass_of


class NewTerminal:
    """The screen of a terminal without a station. problem: with the file on its card."""

    def __init__(self, size: tuple[int, int], problem: FileProblem | None = None) -> None:
        self._screen = TableScreen(glass_of(size), failsafe=False)
        self._hand = Hand(self._screen)
        enrolment = Enrolment(file_problem=problem)
        delivery = Delivery(link=LinkState.NOT_ENROLLED)
        self._view = TableView(None, None, None, delivery, now_ms=1000, enrolment=enrolment)
        self._screen.update(self._view)

    def place(self, name: str) -> tuple[int, int]:
        """The middle of a target, in pixels of the screen."""
        x, y, width, height = next(t.rect for t in self._screen.targets() if t.id == name)
        return x + width // 2, y + height // 2

    def touch(self, name: str) -> None:
        """Touch it there."""
        self._hand.touch(name)
        self._screen.update(self._view)

    def scene(self) -> str:
        """The name of what is shown."""
        return self._screen.scene_name()

    def picture(self) -> Image.Image:
        """All of it."""
        return picture_of(self._screen)

    def says(self) -> tuple[str, ...]:
        """Its words."""
        return self._screen.says()

    def is_shown_by(self, seen: Image.Image) -> bool:
        """Whether a guest's screen is the same, block by block."""
        return not differing(seen, self._screen)
