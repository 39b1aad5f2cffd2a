"""The peer: the same scene as a page in Chromium's kiosk mode, touched through its DevTools protocol."""

import base64
import http.server
import io
import json
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pygame
from playwright.sync_api import sync_playwright

from demo.processes import free_port
from kiosk.terminal.display.screen import TableScreen
from kiosk.ui.geometry import ScreenGeometry
from kiosk.view import theme
from tests.scenarios.moments import Table

SIZE: Final = (800, 480)
_PAUSE_S: Final = (0.10, 0.16)
_PATIENCE_S: Final = 30.0
_SCRIPT: Final = """
const took = [];
const sheet = document.body;
for (const button of document.querySelectorAll('button')) {
  button.addEventListener('pointerdown', event => {
    const laid = event.timeStamp;
    button.classList.add('down');
    const life = button.parentElement.querySelector('.life');
    if (life) life.textContent = 1 + (Number(life.textContent) % 5);
    requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - laid)));
  });
  for (const end of ['pointerup', 'pointercancel'])
    button.addEventListener(end, () => button.classList.remove('down'));
}
requestAnimationFrame(() => setTimeout(() => fetch('/painted')));
"""


def page() -> bytes:
    """Return the page: each panel as a picture of its card, with buttons and a number of life points."""
    pygame.display.init()
    screen = TableScreen(ScreenGeometry(*SIZE, 5.2), failsafe=False)
    screen.update(Table(7).begun().view())
    shot = io.BytesIO()
    pygame.image.save(screen.surface, shot, "scene.png")
    buttons: dict[str, list[str]] = {}
    for target in screen.targets():
        x, y, w, h = target.rect
        seat = "-".join(target.id.split("-")[:2])
        style = f"left:{x}px;top:{y}px;width:{w}px;height:{h}px"
        buttons.setdefault(seat, []).append(f'<button id="{target.id}" style="{style}"></button>')
    lives = '<span class="life">4</span>'
    panels = "".join(f"<section>{lives}{''.join(found)}</section>" for found in buttons.values())
    wood = "rgb(33, 23, 17)"
    picture = base64.b64encode(shot.getvalue()).decode()
    html = f"""<!doctype html><meta charset="utf-8"><title>{theme.__name__}</title><style>
    html, body {{ margin: 0; background: {wood} url(data:image/png;base64,{picture}); overflow: hidden; }}
    button {{ position: absolute; background: none; border: 2px solid transparent; border-radius: 8px; }}
    button.down {{ background: rgba(230, 176, 72, .6); border-color: rgb(160, 108, 24); }}
    .life {{ font: bold 28px sans-serif; }}
    </style>{panels}<script>{_SCRIPT}</script>"""
    return html.encode()


@dataclass
class _Served:
    """Events that the page's server received."""

    painted: threading.Event = field(default_factory=threading.Event)
    painted_at: float = 0.0


class Kiosk:
    """A Chromium that shows the page, with its first process and the time to its first frame."""

    def __init__(self, pid: int, start_s: float, debug: str) -> None:
        self.pid = pid
        self.start_s = start_s
        self._debug = debug

    def taps(self, count: int) -> list[float]:
        """Return the times from touches to their drawn frames, in milliseconds."""
        chance = random.Random(7)
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(self._debug)
            tab = browser.contexts[0].pages[0]
            places = [
                tab.locator(f"#seat-{seat}-{sign}").bounding_box()
                for sign in ("minus", "plus")
                for seat in range(1, 8)
            ]
            wire = browser.contexts[0].new_cdp_session(tab)
            for tap in range(count):
                box = places[tap % len(places)]
                assert box is not None
                point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
                time.sleep(chance.uniform(*_PAUSE_S))
                wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
                wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            took: list[float] = json.loads(str(tab.evaluate("JSON.stringify(took)")))
            browser.close()
            return took


@contextmanager
def kiosk(folder: Path) -> Iterator[Kiosk]:
    """Yield a Chromium that draws its display without showing it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise FileNotFoundError("Chromium is missing: apt install chromium")
    served, debug = _Served(), free_port()
    with _server(page(), served) as address:
        began = time.monotonic()
        process = subprocess.Popen(
            [
                chromium, "--headless=new", "--kiosk", "--no-sandbox", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--touch-events=enabled", f"--window-size={SIZE[0]},{SIZE[1]}", f"--user-data-dir={folder}",
                f"--remote-debugging-port={debug}", address,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            if not served.painted.wait(_PATIENCE_S):
                raise TimeoutError("Chromium did not show the page")
            yield Kiosk(process.pid, served.painted_at - began, f"http://127.0.0.1:{debug}")
        finally:
            process.terminate()
            process.wait()


@contextmanager
def _server(content: bytes, served: _Served) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/painted":
                served.painted_at = time.monotonic()
                served.painted.set()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content if self.path == "/" else b"")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
