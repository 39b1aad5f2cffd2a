"""The web server of a virtual terminal, with a loop that answers its requests."""

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator

import pygame
import pytest

from base.errors import Unavailable
from hardware.contract import PanelButton
from hardware.panel import PinPanel
from hardware.pins import PinDriver, pin_factory
from hardware.wiring import Wiring, shipped_wiring
from kiosk.i18n import Words
from kiosk.touch import PointerPhase
from kiosk.ui.blocks import Target
from kiosk.virtual.answers import Answers
from kiosk.virtual.http_server import HttpRequest, VirtualTerminalServer

TARGETS = (
    Target("end-turn", "End turn", (10, 20, 100, 50)),
    Target("hold-me", "Hold", (200, 20, 100, 50), hold_ms=800),
    Target("gone", "Not now", (300, 20, 100, 50), enabled=False),
)
Reply = tuple[int, dict[str, object]]


class Picture:
    """A screen with three targets that never changes."""

    surface = pygame.Surface((800, 480))

    def targets(self) -> tuple[Target, ...]:
        return TARGETS

    def visible_text(self) -> tuple[str, ...]:
        return ("Turn 1",)

    def scene_name(self) -> str:
        return "play"


class Fingers:
    def __init__(self) -> None:
        self.touched: list[tuple[int, int, int]] = []
        self.moved: list[tuple[int, str, int, int]] = []
        self.named: list[bool] = []
        self.busy = False
        self.within_ms: int | None = None

    def is_down(self) -> bool:
        return self.busy

    def touch(self, x: int, y: int, hold_ms: int, *, is_named: bool = False) -> None:
        self.touched.append((x, y, hold_ms))
        self.named.append(is_named)

    def move(self, finger: int, phase: PointerPhase, x: int, y: int, *, within_ms: int | None = None) -> None:
        self.moved.append((finger, phase.value, x, y))
        self.within_ms = within_ms


class House:
    def __init__(self, wiring: Wiring) -> None:
        self.door = VirtualTerminalServer(0)
        self.fingers = Fingers()
        self.panel = PinPanel(wiring, pin_factory(PinDriver.MOCK), lambda: 0)
        self._answers = Answers(
            Picture(),
            self.panel,
            self.fingers,
            lambda: (Words("it"), self.door.version),
            quarter_turns=0,
        )
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while not self._over.wait(0.002):
            self.door.serve(self._answers.to)

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.door.close()
        self.panel.close()

    def ask(
        self, method: str, path: str, body: str | bytes | None = None, **headers: str
    ) -> tuple[int, str, bytes]:
        sent = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.door.port, timeout=10)) as link:
            link.request(method, path, body, sent)
            answer = link.getresponse()
            return answer.status, answer.headers.get_content_type(), answer.read()

    def post(self, path: str, **fields: object) -> Reply:
        status, _, body = self.ask("POST", path, json.dumps(fields))
        return status, json.loads(body)


@pytest.fixture(scope="module")
def standing_house() -> Iterator[House]:
    """Yield one server for all tests, as closing it takes half a second."""
    made = House(shipped_wiring())
    yield made
    made.close()


@pytest.fixture
def house(standing_house: House) -> House:
    standing_house.fingers.touched.clear()
    standing_house.fingers.moved.clear()
    standing_house.fingers.busy = False
    return standing_house


def test_the_screen_is_a_picture_and_a_description(house: House) -> None:
    status, kind, body = house.ask("GET", "/screen.png")
    assert (status, kind, body[:8]) == (200, "image/png", b"\x89PNG\r\n\x1a\n")
    status, kind, body = house.ask("GET", "/screen.json")
    data = json.loads(body)
    assert (status, kind) == (200, "application/json")
    assert (data["scene"], data["language"], data["size"]) == ("play", "it", [800, 480])
    assert data["version"] == house.door.version
    assert [target["id"] for target in data["targets"]] == ["end-turn", "hold-me", "gone"]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/page.css", "text/css"),
        ("/page.js", "text/javascript"),
        ("/keyboard.js", "text/javascript"),
        ("/fonts/SaloonSign.ttf", "font/ttf"),
    ],
)
def test_the_page_is_served(house: House, path: str, kind: str) -> None:
    status, got, body = house.ask("GET", path)
    assert (status, got) == (200, kind)
    assert body


@pytest.mark.slow
def test_a_target_is_touched_in_its_middle_and_held_as_long_as_it_wants(house: House) -> None:
    assert house.post("/touch", target="end-turn") == (200, {})
    assert house.post("/touch", target="hold-me") == (200, {})
    assert house.post("/touch", target="hold-me", hold_ms=900) == (200, {})
    assert house.post("/touch", x=3, y=4, hold_ms=100) == (200, {})
    assert house.fingers.touched == [(60, 45, 60), (250, 45, 860), (250, 45, 900), (3, 4, 100)]


def test_fingers_lie_and_move_several_at_once(house: House) -> None:
    moments = [
        {"finger": 0, "phase": "down", "x": 1, "y": 2},
        {"finger": 1, "phase": "down", "x": 3, "y": 4},
        {"finger": 0, "phase": "move", "x": 5, "y": 6},
        {"finger": 1, "phase": "up", "x": 3, "y": 4},
        {"finger": 0, "phase": "lost", "x": 5, "y": 6},
    ]
    assert house.post("/fingers", moments=moments) == (200, {})
    assert house.fingers.moved == [(m["finger"], m["phase"], m["x"], m["y"]) for m in moments]


def test_the_page_has_its_words_in_the_language_of_the_terminal(house: House) -> None:
    status, kind, body = house.ask("GET", "/words")
    assert (status, kind) == (200, "application/json")
    assert json.loads(body)["lamp-high-noon"]
    assert house.ask("POST", "/words", "{}")[0] == 404


@pytest.mark.parametrize(
    ("target", "busy"),
    [
        pytest.param("end-turn", True, id="while a finger is down"),
        pytest.param("gone", False, id="a target that cannot be touched now"),
    ],
)
def test_a_touch_that_cannot_be_made_now_is_409(house: House, target: str, *, busy: bool) -> None:
    house.fingers.busy = busy
    assert house.post("/touch", target=target)[0] == 409
    assert not house.fingers.touched


def test_an_unknown_target_is_404_and_says_which_there_are(house: House) -> None:
    status, data = house.post("/touch", target="bang")
    assert status == 404
    assert data["targets"] == ["end-turn", "gone", "hold-me"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/touch", "{"),
        ("/touch", "[]"),
        ("/touch", "{}"),
        ("/touch", '{"x": 1}'),
        ("/touch", '{"x": 800, "y": 1}'),
        ("/touch", '{"x": 1, "y": -1}'),
        ("/touch", '{"target": "end-turn", "hold_ms": 10001}'),
        ("/touch", '{"target": "end-turn", "hold_ms": -1}'),
        ("/touch", '{"target": "end-turn", "colour": 1}'),
        ("/touch", b"\xff\xfe"),
        ("/touch", "[" * 4000),
        ("/fingers", "{}"),
        ("/fingers", '{"moments": [{"finger": 10, "phase": "down", "x": 1, "y": 1}]}'),
        ("/fingers", '{"moments": [{"finger": 1, "phase": "hover", "x": 1, "y": 1}]}'),
        ("/fingers", '{"moments": [{"finger": 1, "phase": "down", "x": 800, "y": 1}]}'),
        ("/panel", '{"press": "bang"}'),
        ("/panel", '{"press": "reshuffle", "hold_ms": 99999}'),
        ("/panel", "null"),
    ],
)
def test_what_is_no_touch_or_press_is_400_in_words(house: House, path: str, body: str | bytes) -> None:
    status, _, answer = house.ask("POST", path, body)
    assert status == 400
    assert json.loads(answer)["error"]
    assert not house.fingers.touched
    assert not house.fingers.moved


def test_buttons_are_pressed_and_the_key_is_turned(house: House) -> None:
    assert house.post("/panel", press="reshuffle", hold_ms=900) == (200, {})
    assert house.post("/panel", key=True) == (200, {})
    assert not house.panel._mock_pin(17).state
    assert not house.panel._mock_pin(23).state
    status, _, body = house.ask("GET", "/panel")
    assert status == 200
    data = json.loads(body)
    assert data["lamp_says"] == "off"
    assert data["broken"] == []


@pytest.mark.slow
def test_a_part_that_this_panel_has_not_is_409() -> None:
    with contextlib.closing(House(Wiring("nothing"))) as house:
        status, data = house.post("/panel", press=PanelButton.RESHUFFLE.value)
        assert (status, "no button reshuffle" in str(data["error"])) == (409, True)
        assert house.post("/panel", key=True)[0] == 409


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"])
def test_another_host_is_refused_so_that_no_name_leads_here(house: House, host: str) -> None:
    for method, path in (("GET", "/"), ("GET", "/screen.json"), ("GET", "/changes"), ("POST", "/touch")):
        assert house.ask(method, path, "{}" if method == "POST" else None, Host=host)[0] == 403
    assert not house.fingers.touched


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_another_origin_is_refused(house: House, origin: str) -> None:
    body = '{"target": "end-turn"}'
    assert house.ask("POST", "/touch", body, Origin=origin)[0] == 403
    assert not house.fingers.touched
    ours = f"http://localhost:{house.door.port}"
    assert house.ask("POST", "/touch", body, Origin=ours)[0] == 200


def test_no_other_site_shows_the_page_in_a_frame(house: House) -> None:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", house.door.port, timeout=10)) as link:
        link.request("GET", "/")
        assert link.getresponse().headers["X-Frame-Options"] == "DENY"


def test_only_json_is_taken_and_only_a_little(house: House) -> None:
    assert house.ask("POST", "/touch", "x=1", Content_Type="application/x-www-form-urlencoded")[0] == 415
    for length in ("5000", "-2", "\xb2"):
        assert house.ask("POST", "/touch", "{}", Content_Length=length)[0] == 413, length


def test_an_unknown_path_is_404(house: House) -> None:
    assert house.ask("GET", "/etc/passwd")[0] == 404
    assert house.ask("GET", "/../door.py")[0] == 404
    assert house.ask("POST", "/screen.png", "{}")[0] == 404


def test_a_browser_that_waits_is_told_of_the_next_change(house: House) -> None:
    first = json.loads(house.ask("GET", "/changes?since=0")[2])["version"]
    versions: list[int] = []
    waiting = threading.Thread(
        target=lambda: versions.append(json.loads(house.ask("GET", f"/changes?since={first}")[2])["version"])
    )
    waiting.start()
    waiting.join(0.05)
    assert not versions
    house.door.on_change()
    waiting.join(10)
    assert versions == [first + 1]
    for since in ("", "-1", "%B2", "9" * 5_000):
        assert house.ask("GET", f"/changes?since={since}")[0] == 200


def test_junk_on_the_door_disturbs_nobody(house: House) -> None:
    with socket.create_connection(("127.0.0.1", house.door.port), 10) as stranger:
        stranger.sendall(b"\x16\x03\x01\x02\x00\x01\n\n")
        stranger.recv(4096)
    assert house.ask("GET", "/screen.json")[0] == 200


def test_a_busy_port_is_unavailable_in_words(house: House) -> None:
    with pytest.raises(Unavailable, match=f"virtual terminal, port {house.door.port}: .*in use"):
        VirtualTerminalServer(house.door.port)


@pytest.mark.slow
def test_a_terminal_that_does_not_answer_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.virtual.http_server._PATIENCE_S", 0.01)
    with contextlib.closing(VirtualTerminalServer(0)) as door:
        assert door.ask(HttpRequest("GET", "/screen.json", b"")).status == 503
