"""Processes of this machine: starting them on a core, and what they use. Linux only."""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time

PR_SET_TIMERSLACK = 29
TICKS = os.sysconf("SC_CLK_TCK")


def cores():
    """(core of the proxy, core of generator and upstream); the same one where there is only one."""
    available = sorted(os.sched_getaffinity(0))
    return available[0], available[-1]


def describe():
    model = "unknown"
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "kernel": os.uname().release,
        "loadAverage": list(os.getloadavg()),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
    }


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def preferred_session(nice):
    """Where the kernel groups processes by session, niceness counts only within one: the group needs it as well. All that is
    measured stays in the session of this process, else generator and upstream could not yield to each other."""
    before = autogroup()
    if nice and before is not None:
        autogroup(nice)
    try:
        yield
    finally:
        if nice and before is not None:
            autogroup(before)


def autogroup(nice=None):
    """The niceness of this session's group, after it was set if one is given; None where there are no such groups."""
    try:
        if nice is not None:
            with open("/proc/self/autogroup", "w") as group:
                group.write(str(nice))
        with open("/proc/self/autogroup") as group:
            return int(group.read().split()[-1])
    except (OSError, ValueError, IndexError):
        return None


class Running:
    """A process and its children on one core, with its output in a file; with `talks`, standard input and output are pipes."""

    def __init__(self, command, core, log, nice=0, env=None, talks=False):
        self.log_path = log
        self.started = time.monotonic()

        def prepare():
            os.sched_setaffinity(0, {core})
            # Timers of a microsecond, not of 50: what the generator sends late would look like latency.
            ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0)
            if nice:
                os.setpriority(os.PRIO_PROCESS, 0, nice)

        with open(log, "wb") as out:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE if talks else out,
                stderr=out,
                stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
                preexec_fn=prepare,
                env={**os.environ, **(env or {})},
            )

    def alive(self):
        return self.process.poll() is None

    def log(self):
        with open(self.log_path, errors="replace") as text:
            return text.read()[-3000:]

    def pids(self):
        found, queue = [], [self.process.pid]
        while queue:
            pid = queue.pop()
            found.append(pid)
            try:
                with open(f"/proc/{pid}/task/{pid}/children") as children:
                    queue.extend(int(child) for child in children.read().split())
            except OSError:
                pass
        return found

    def cpu_seconds(self):
        """User and system time of all threads, and of children, so far."""
        total = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def rss_mib(self):
        """Resident memory; pages that parent and child share count for each, as they are few."""
        total = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/status") as status:
                    for line in status:
                        if line.startswith("VmRSS:"):
                            total += int(line.split()[1])
            except OSError:
                continue
        return total / 1024

    def stop(self):
        if self.alive():
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Awake:
    """Keeps a core from sleeping while it is entered, by a process that runs only when nothing else wants to. A virtual
    machine's core takes longer to wake than a request takes, and how long is up to its host. Does nothing where the core is
    the generator's, which does not sleep by itself."""

    def __init__(self, core, generator_core, directory):
        self.running = None
        if core != generator_core:
            self.running = Running([sys.executable, "-c", "while True: pass"], core, os.path.join(directory, "awake.log"))
            os.sched_setscheduler(self.running.process.pid, os.SCHED_IDLE, os.sched_param(0))
            self.signal(signal.SIGSTOP)

    def signal(self, number):
        if self.running:
            self.running.process.send_signal(number)

    def __enter__(self):
        self.signal(signal.SIGCONT)

    def __exit__(self, *_):
        self.signal(signal.SIGSTOP)

    def stop(self):
        self.signal(signal.SIGKILL)


def get(port, path, timeout=2.0):
    """Status and body of one plain GET; (0, b"") where there is no answer."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = b""
            while True:
                piece = connection.recv(65536)
                if not piece:
                    break
                answer += piece
    except OSError:
        return 0, b""
    head, _, body = answer.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    return (int(words[1]), body) if len(words) > 1 else (0, b"")


def await_ready(running, port, path, patience=60.0):
    """Milliseconds from the start of the process to the end of the first 200."""
    while time.monotonic() - running.started < patience:
        if get(port, path)[0] == 200:
            return (time.monotonic() - running.started) * 1000
        if not running.alive():
            break
        time.sleep(0.002)
    raise RuntimeError("not ready: " + running.log())
