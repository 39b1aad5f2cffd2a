"""NATS JetStream: a stream on disk, flushed for each message, which detects duplicates by id."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import nats
from nats.js import JetStreamContext

from bench.figure import percentile
from bench.peers.rate import OUTSTANDING, TERMINALS, PeerRate, counted, event, flushes, wait_for
from demo.processes import free_port

_PATIENCE_S = 20.0


def rate(directory: Path, seconds: float) -> PeerRate:
    """Measure a separate server on the same file system."""
    port = free_port()
    config = directory / "nats.conf"
    store = directory / "nats"
    config.write_text(
        f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{store}", sync_interval: always }}\n',
        encoding="utf-8",
    )
    binary = Path(sys.executable).parent / "nats-server"
    server = subprocess.Popen(
        [*counted(directory / "nats-flushes"), str(binary), "-c", str(config)], stderr=subprocess.DEVNULL
    )
    try:
        wait_for(port)
        taken, took = asyncio.run(_published(port, seconds))
    finally:
        subprocess.run(["pkill", "-TERM", "-f", str(config)], check=False)
        server.wait(_PATIENCE_S)
    count = flushes(directory / "nats-flushes")
    name = "NATS JetStream, sync always"
    return PeerRate(name, len(taken) / took, percentile(taken, 99), count)


async def _published(port: int, seconds: float) -> tuple[list[float], float]:
    client = await nats.connect(f"nats://127.0.0.1:{port}")
    stream = client.jetstream(timeout=_PATIENCE_S)
    await stream.add_stream(name="tables", subjects=["table.*"])
    taken: list[float] = []
    begun = time.perf_counter()
    end = begun + seconds
    lanes = [
        _lane(stream, terminal, lane, end, taken)
        for terminal in range(TERMINALS)
        for lane in range(OUTSTANDING)
    ]
    await asyncio.gather(*lanes)
    took = time.perf_counter() - begun
    await client.close()
    return taken, took


async def _lane(stream: JetStreamContext, terminal: int, lane: int, end: float, taken: list[float]) -> None:
    number = 0
    while (start := time.perf_counter()) < end:
        ids = {"Nats-Msg-Id": f"{terminal}-{lane}-{number}"}
        await stream.publish(f"table.{terminal}", event(number), headers=ids)
        number += 1
        taken.append((time.perf_counter() - start) * 1000)
