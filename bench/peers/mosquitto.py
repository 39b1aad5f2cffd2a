"""mosquitto with paho. It acknowledges before data is on the disk, as it saves its memory periodically."""

import subprocess
import threading
import time
from pathlib import Path

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bench.figure import percentile
from bench.peers.rate import TOGETHER, WRITERS, PeerRate, counted, event, flushes, wait_for
from demo.processes import free_port

_PATIENCE_S = 20.0


def rate(directory: Path, seconds: float, qos: int) -> PeerRate:
    """Measure a broker with persistence, a publisher for eight terminals, and a subscriber's queue."""
    folder, port = directory / f"mosquitto{qos}", free_port()
    folder.mkdir()
    # As root, the broker switches to another user, which must be able to write here.
    folder.chmod(0o777)
    config, count = folder / "mosquitto.conf", directory / f"mosquitto{qos}-flushes"
    config.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence true\nautosave_interval 1\n"
        f"persistence_location {folder}/\nmax_inflight_messages 0\nmax_queued_messages 0\nuser root\n",
        encoding="utf-8",
    )
    broker = subprocess.Popen(
        [*counted(count), "mosquitto", "-c", str(config)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        publishers = [_Publisher(port, number, qos) for number in range(WRITERS)]
        begun = time.perf_counter()
        for publisher in publishers:
            publisher.begin(begun + seconds)
        for publisher in publishers:
            publisher.wait()
        took = time.perf_counter() - begun
    finally:
        subprocess.run(["pkill", "-TERM", "-f", str(config)], check=False)
        broker.wait(_PATIENCE_S)
    taken = [one for publisher in publishers for one in publisher.taken_ms]
    name = f"mosquitto and paho, QoS {qos} (acknowledged before it is on the disk)"
    return PeerRate(name, len(taken) / took, percentile(taken, 99), flushes(count))


class _Publisher:
    """A publisher that keeps its share of messages in flight until the time is over."""

    def __init__(self, port: int, number: int, qos: int) -> None:
        self._topic, self._qos = f"table/{number}", qos
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=f"writers-{number}", clean_session=False)
        self._client.max_inflight_messages_set(TOGETHER)
        self._client.on_publish = self._done
        self._begun: dict[int, float] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._end = 0.0
        self._number = 0
        self.taken_ms: list[float] = []
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def begin(self, end: float) -> None:
        self._end = end
        for _ in range(TOGETHER):
            self._publish()

    def wait(self) -> None:
        if not self._over.wait(_PATIENCE_S * 3):
            raise TimeoutError(f"{self._topic}: {len(self._begun)} on the way")
        self._client.loop_stop()
        self._client.disconnect()

    def _publish(self) -> None:
        start = time.perf_counter()
        self._number += 1
        sent = self._client.publish(self._topic, event(self._number), qos=self._qos)
        with self._lock:
            self._begun[sent.mid] = start

    def _done(self, _client: Client, _data: object, mid: int, _code: ReasonCode, _more: Properties) -> None:
        with self._lock:
            start = self._begun.pop(mid, None)
        now = time.perf_counter()
        if start is not None:
            self.taken_ms.append((now - start) * 1000)
        if now < self._end:
            self._publish()
        elif not self._begun:
            self._over.set()
