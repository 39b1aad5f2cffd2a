"""Make Python like that of Windows, as far as Saloon can notice, where this folder is on its path.

The standard library keeps what it needs here; all that is imported later finds no POSIX names. What Saloon
asks of Windows is done by this system's own calls, so that locks lock and limits limit.
"""

import asyncio
import asyncio.base_events
import ctypes
import getpass
import logging.handlers
import multiprocessing.connection
import os
import platform
import selectors
import shutil
import signal
import sqlite3
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import types
import uuid
import zipfile
from typing import Any, NoReturn

import ifaddr  # it has a part of its own for Windows
from posix_names import METHODS, MODULES, NAMES  # type: ignore[import-not-found]

KEPT = (asyncio, getpass, ifaddr, logging, multiprocessing, platform, selectors, shutil, sqlite3, ssl,
        subprocess, tempfile, threading, uuid, zipfile)  # fmt: skip
_LIBC = ctypes.CDLL(None, use_errno=True)
_SET_LOCK_OF_FILE = 37
_WRITING, _FROM_HERE = 1, 1
_DATA, _CPU = 2, 0
_TICKS = 10_000_000


def locking(descriptor: int, mode: int, size: int) -> None:
    """Lock bytes from the file's position on, as ``msvcrt.locking``."""
    assert mode == _msvcrt.LK_NBLCK
    wanted = ctypes.create_string_buffer(struct.pack("@hhqqi", _WRITING, _FROM_HERE, 0, size, 0))
    if _LIBC.fcntl(descriptor, _SET_LOCK_OF_FILE, wanted):
        raise PermissionError(ctypes.get_errno(), "Permission denied")


class Kernel32:
    """The functions of Windows that Saloon calls."""

    def __init__(self, _name: str) -> None:
        self.CreateJobObjectW: Any = lambda _security, _name: 7
        self.GetCurrentProcess: Any = lambda: -1
        self.SetInformationJobObject: Any = self._limit
        self.AssignProcessToJobObject: Any = lambda job, _process: job.value == 7
        self.SetPriorityClass: Any = lambda _process, _priority: real_os.nice(5)

    @staticmethod
    def _limit(_job: object, kind: int, limits: bytes, size: int) -> bool:
        """Offsets as in winnt.h on 64 bits, measured by a C compiler for Windows."""
        assert (kind, size, len(limits)) == (9, 144, 144)
        (ticks,), (memory,) = struct.unpack_from("<q", limits, 0), struct.unpack_from("<Q", limits, 112)
        (flags,) = struct.unpack_from("<I", limits, 16)
        assert flags == 0x502
        for number, most in ((_DATA, memory), (_CPU, ticks // _TICKS)):
            assert not _LIBC.setrlimit(number, struct.pack("@QQ", most, most))
        return True


def _refuse(*_: object, **__: object) -> NoReturn:
    raise NotImplementedError


real_os = os
for name, hidden in NAMES.items():
    real = sys.modules[name]
    view = types.ModuleType(name, real.__doc__)
    view.__dict__.update({key: value for key, value in vars(real).items() if key not in hidden})
    sys.modules[name] = view
sys.modules["signal"].SIGBREAK = signal.SIGUSR2  # type: ignore[attr-defined]
for name in MODULES:
    sys.modules[name] = None  # type: ignore[assignment]
for name in (*METHODS, "subprocess_exec", "subprocess_shell"):
    if hasattr(asyncio.SelectorEventLoop, name):
        setattr(asyncio.SelectorEventLoop, name, _refuse)
_msvcrt = types.ModuleType("msvcrt")
_msvcrt.LK_NBLCK, _msvcrt.locking = 2, locking  # type: ignore[attr-defined]
sys.modules["msvcrt"] = _msvcrt
ctypes.WinDLL = Kernel32  # type: ignore[attr-defined]

import base.system  # noqa: E402

vars(base.system)["sys"] = types.SimpleNamespace(platform="win32")
