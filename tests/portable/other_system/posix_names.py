"""The modules that Python lacks on Windows, and the names that it lacks in other modules."""

import re

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


NAMES = {
    "os": _words("""
        O_ACCMODE O_ASYNC O_CLOEXEC O_DIRECT O_DIRECTORY O_DSYNC O_LARGEFILE O_NDELAY O_NOATIME O_NOCTTY
        O_NOFOLLOW O_NONBLOCK O_PATH O_RSYNC O_SYNC O_TMPFILE POSIX_FADV_DONTNEED SCHED_IDLE ST_RDONLY WEXITED
        WEXITSTATUS WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WTERMSIG chown chroot confstr ctermid eventfd
        fchdir fchmod fchown fdatasync fork forkpty fpathconf fstatvfs get_blocking getegid geteuid getgid
        getgrouplist getgroups getloadavg getpgid getpgrp getpriority getrandom getresuid getsid getuid
        getxattr initgroups killpg lchown lockf major makedev memfd_create minor mkfifo mknod nice openpty
        pathconf pidfd_open pipe2 posix_fadvise posix_fallocate posix_spawn pread preadv pwrite pwritev readv
        register_at_fork sched_getaffinity sched_setaffinity sched_yield sendfile set_blocking setegid seteuid
        setgid setgroups setpgid setpriority setsid setuid setxattr splice statvfs sync sysconf tcgetpgrp
        tcsetpgrp ttyname uname unshare wait wait3 wait4 waitid writev
    """),
    "select": _words("EPOLLIN POLLIN epoll kqueue poll"),
    "signal": _words("""
        ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU
        SIGUSR1 SIGUSR2 SIGWINCH SIGXCPU alarm pause pthread_kill pthread_sigmask setitimer siginterrupt
        sigpending sigtimedwait sigwait
    """),
    "socket": _words("""
        AF_NETLINK AF_PACKET AF_UNIX CMSG_LEN SCM_RIGHTS SO_BINDTODEVICE SO_PEERCRED TCP_USER_TIMEOUT
    """),
    "time": _words("CLOCK_REALTIME clock_gettime clock_settime tzset"),
}
METHODS = _words("""
    add_signal_handler create_unix_connection create_unix_server open_unix_connection start_unix_server
""")
"""Of asyncio; so are its child processes on the loop that the station uses on Windows."""
ARGUMENTS = _words("dir_fd pass_fds preexec_fn process_group")
