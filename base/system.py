"""All code that depends on the operating system: locks, users, limits, signals and flushes.

The other modules of base, core, sync and station use only functions that Linux, macOS and Windows have in
common, which a test checks.
"""

import contextlib
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

HAS_LOCAL_SOCKETS: Final = hasattr(socket, "AF_UNIX")
"""True where Python supports Unix sockets: everywhere but on Windows."""
CAN_WAIT_FOR_DEVICES: Final = sys.platform != "win32"
"""True where ``select`` accepts devices: everywhere but on Windows."""
CHILD_FLAGS: Final = 0x0800_0000 if sys.platform == "win32" else 0
"""The flags to start a program without a console window on Windows; 0 elsewhere."""
_SELECTABLE: Final = 512
"""The most sockets that Python's select accepts on Windows."""
_OPEN_MAX: Final = 10_240
"""The most open files on macOS, where the limit itself is reported as unlimited."""
_NICE: Final = 5
_BELOW_NORMAL: Final = 0x4000
_JOB_LIMITS: Final = struct.Struct("@qqINNINII6Q4N")
"""``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``: times, flags, sizes, counters, then the memory of a process."""
_EXTENDED_LIMITS: Final = 9
_LIMIT_TIME, _LIMIT_MEMORY, _LIMIT_DIALOGS = 0x2, 0x100, 0x400
_TICKS_IN_S: Final = 10_000_000
_QUERY: Final = 0x1000
_STILL_ACTIVE: Final = 259


def lock_file(file: BinaryIO) -> None:
    """Lock a whole file exclusively until it is closed. Raises OSError if it is already locked."""
    if sys.platform == "win32":
        lock_bytes(file, 0, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_bytes(file: BinaryIO, start: int, size: int) -> None:
    """Lock bytes of a file exclusively until it is closed. Raises OSError if they are already locked.

    Call it before anything is read or written.
    """
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file.fileno(), start, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, size)
        os.lseek(file.fileno(), 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, size, start)


def flush(path: Path) -> None:
    """Make a file's content durable, or the names in a folder. Raises OSError."""
    if sys.platform == "win32" and path.is_dir():  # its file system journals names
        return
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        flush_descriptor(descriptor)
    finally:
        os.close(descriptor)


def flush_descriptor(descriptor: int) -> None:
    """Make the content of an open file durable. Raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        # On macOS fsync leaves content in the disk's cache, but some network disks only support fsync.
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def drop_from_cache(descriptor: int) -> None:
    """Drop a file from the system's cache, so that it is next read from the disk. Only on Linux."""
    if sys.platform == "linux":
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def give_to(descriptor: int, user: int = -1, group: int = -1) -> None:
    """Change the user and the group of an open file; -1 leaves one unchanged. Raises OSError."""
    if sys.platform == "win32":
        raise OSError("Windows does not support owner ids")
    else:
        os.fchown(descriptor, user, group)


def user_and_group(name: str) -> tuple[int, int]:
    """Return the ids of a user and their group. Raises OSError on Windows, KeyError for an unknown user."""
    if sys.platform == "win32":
        raise OSError("Windows does not support user ids")
    else:
        import pwd

        user = pwd.getpwnam(name)
        return user.pw_uid, user.pw_gid


def user_name() -> str:
    """Return the name of the user who runs this process, or their id."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user may have no name
        if sys.platform == "win32":
            return "?"
        else:
            return str(os.getuid())


def device_number(status: os.stat_result) -> str:
    """Return the number of a device, such as ``8:16``. Raises OSError on Windows."""
    if sys.platform == "win32":
        raise OSError("Windows does not support device numbers")
    else:
        return f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"


def is_running(pid: int) -> bool:
    """Return whether a process with this id is running."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = ctypes.c_void_p(kernel.OpenProcess(_QUERY, False, pid))
        status = ctypes.c_uint32()
        is_known = kernel.GetExitCodeProcess(handle, ctypes.byref(status))
        kernel.CloseHandle(handle)
        return bool(is_known) and status.value == _STILL_ACTIVE
    else:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return True


def open_files_limit() -> int:
    """Return the number of files and connections that this process may have open."""
    if sys.platform == "win32":
        return _SELECTABLE
    else:
        import resource

        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_open_files_limit() -> int:
    """Raise the limit on open files to the system's maximum, and return it. Raises OSError if refused."""
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if sys.platform == "darwin":
            hard = min(hard, _OPEN_MAX)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except ValueError as error:
            raise OSError(str(error)) from error
    return open_files_limit()


def limit_process(memory: int, cpu_s: int) -> None:
    """Limit the processor time of this process and, except on macOS, its memory in bytes."""
    if sys.platform == "win32":
        import ctypes

        flags = _LIMIT_TIME | _LIMIT_MEMORY | _LIMIT_DIALOGS
        limits = _JOB_LIMITS.pack(
            cpu_s * _TICKS_IN_S, 0, flags, 0, 0, 0, 0, 0, 0, *[0] * 6, memory, 0, 0, 0
        )  # fmt: skip
        kernel = ctypes.WinDLL("kernel32")
        kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, limits, len(limits))
        kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
    else:
        import resource

        limited = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_CPU, cpu_s)]
        if sys.platform != "darwin":
            limited.append((resource.RLIMIT_DATA, memory))
        for kind, most in limited:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))


def lower_priority() -> None:
    """Lower this process's priority. On Linux, it is then also the first to be killed if memory runs out."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), _BELOW_NORMAL)
    else:
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        os.nice(_NICE)


def was_killed(status: int) -> bool:
    """Return whether an exit status means that a process was killed, or ran out of memory."""
    return status < 0 or status >= 0xC000_0000  # noqa: PLR2004 (of a signal; of an exception on Windows)


@contextlib.contextmanager
def shutdown_signals(on_signal: Callable[[], None]) -> Iterator[None]:
    """Call a function on the main thread whenever the block receives a signal to end this process."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    before = [(number, signal.signal(number, lambda *_: on_signal())) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def set_clock(seconds: float) -> None:
    """Set the wall clock, in seconds since 1970. Raises OSError without permission, or on Windows."""
    if sys.platform == "win32":
        raise OSError("Windows manages its own clock")
    else:
        import time

        time.clock_settime(time.CLOCK_REALTIME, seconds)


def local_socket() -> socket.socket:
    """Return a new Unix socket. Raises OSError on Windows."""
    if sys.platform == "win32":
        raise OSError("Python on Windows has no such sockets")
    else:
        return socket.socket(socket.AF_UNIX)


def packet_socket(protocol: int) -> socket.socket:
    """Return a new raw packet socket. Raises OSError except on Linux."""
    if sys.platform == "linux":
        return socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(protocol))
    raise OSError("only Linux has packet sockets")


def watch_for_silence(connection: socket.socket, probe_s: int, dead_after_ms: int) -> None:
    """Detect a dead peer of a TCP connection by keep-alive probes and, on Linux, unacknowledged data.

    Raises OSError.
    """
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "darwin":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPALIVE, probe_s)
    else:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, probe_s)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, probe_s)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2)
    if sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, dead_after_ms)
