"""Expensive steps of many strangers leave time for everybody else's work between them."""

import asyncio
import time

import pytest

from sync.station.handshake import FairYield

STEP_S = 0.002


@pytest.mark.slow
def test_other_work_is_done_between_the_steps_of_a_crowd() -> None:
    done, worst = 0, 0

    async def _stranger(turns: FairYield) -> None:
        nonlocal done
        await turns.wait()
        end = time.perf_counter() + STEP_S
        while time.perf_counter() < end:
            pass
        done += 1

    async def _run() -> None:
        nonlocal worst
        turns = FairYield()
        crowd = [asyncio.create_task(_stranger(turns)) for _ in range(100)]
        while not all(one.done() for one in crowd):
            before = done
            await asyncio.sleep(0)
            worst = max(worst, done - before)

    asyncio.run(_run())
    assert done == 100
    assert 1 <= worst <= 6


def test_who_comes_alone_does_not_wait() -> None:
    async def _run() -> None:
        turns = FairYield()
        for _ in range(100):
            async with asyncio.timeout(1.0):
                await turns.wait()
            await asyncio.sleep(0)

    asyncio.run(_run())
