"""a wrong provisioning file is explained on the screen with its line and key, and stays on the card"""

from typing import Final

from base.errors import BadData
from kiosk.terminal.link.enrolment_progress import file_problem_from_error
from kiosk.view.table_view import FileProblem
from sync.enrolment.provisioning import provisioning_from
from tests.boot.disk import Disk, flattened
from tests.boot.host_station import of_nobody
from tests.boot.site import BOOT_S, SIZE, Broken, Site
from tests.boot.table import NewTerminal

NAME: Final = "saloon.toml"


def run(site: Site) -> None:
    """A number that is none, and a key that somebody mistyped."""
    good = of_nobody(site.folder)
    wrong = {
        "number": good.replace("table = 1", 'table = "twelve"'),
        "mistyped": good.replace("table = 1", "tabel = 1"),
    }
    for name, text in wrong.items():
        _explained(site, name, text.encode())


def _explained(site: Site, name: str, content: bytes) -> None:
    problem = problem_with(content)
    if not problem.line:
        raise Broken(f"{name}: the host's own reading names no line: {problem}")
    expected = NewTerminal(SIZE, problem)
    card = site.card({NAME: content})
    with site.board(card) as board:
        expected.arrives(site, board, BOOT_S)
        site.keep(f"explained-{name}", board.screen(), expected.picture())
    left = Disk(flattened(card, site.folder / "flat.img")).read(NAME)
    if left != content:
        raise Broken(f"{name}: the wrong file has changed on the card")
    site.say(f"line {problem.line}, {problem.key or problem.wrote}: {' '.join(expected.says())[:160]}")


def problem_with(content: bytes) -> FileProblem:
    """Return the fault that the terminal's own code finds. Raises Broken for a file without one."""
    try:
        provisioning_from(content, NAME)
    except BadData as error:
        return file_problem_from_error(error)
    raise Broken("this file is right")
