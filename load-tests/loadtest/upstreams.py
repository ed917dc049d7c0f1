"""The upstreams that every peer has: nginx, and a slow one, which is part of the generator."""

import os
import shutil
import subprocess

from . import machine

NGINX = """
{user}
worker_processes 1;
daemon off;
pid {dir}/upstream.pid;
error_log stderr warn;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {dir}/client;
  proxy_temp_path {dir}/proxy;
  fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi;
  scgi_temp_path {dir}/scgi;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10 inactive=600s;
  split_clients "$connection.$connection_requests" $failing {{ 50% 1; * 0; }}
  server {{
    listen 127.0.0.1:{port} backlog=2048;
{secured}
    default_type text/plain;
    root {dir};
    location / {{ return 200 "{small}"; }}
    location = /64k {{ try_files /64k =404; }}
    location = /half {{ if ($failing) {{ return 503 "{small}"; }} return 200 "{small}"; }}
    location = /status {{ stub_status; }}
  }}
}}
"""


SECURED = """
    listen 127.0.0.1:{port} backlog=2048 ssl;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:tls:1m;
"""


class Secured(int):
    """A port that speaks TLS, with a certificate for localhost and 127.0.0.1 that is its own authority."""

    def __new__(cls, port, certificate):
        secured = super().__new__(cls, port)
        secured.certificate = certificate
        return secured


def secured(directory):
    """A fresh certificate on a free port, and nginx's words for it; nothing where there is no openssl."""
    program = shutil.which("openssl")
    if program is None:
        return None, ""
    certificate, key = os.path.join(directory, "tls.pem"), os.path.join(directory, "tls.key")
    subprocess.run(
        [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL,
    )
    port = Secured(machine.free_port(), certificate)
    return port, SECURED.format(port=int(port), certificate=certificate, key=key)


def nginx_program():
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")


class Upstreams:
    """Started once per run, on the generator's core."""

    def __init__(self, directory, core, nice, slow_port):
        program = nginx_program()
        if program is None:
            raise SystemExit("nginx is the upstream and was not found: apt-get install nginx-light")
        self.directory = os.path.join(directory, "upstream")
        os.makedirs(self.directory, exist_ok=True)
        with open(os.path.join(self.directory, "64k"), "w") as file:
            file.write("x" * 65536)
        self.port = machine.free_port()
        self.secured_port, words = secured(self.directory)
        config = os.path.join(self.directory, "nginx.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        with open(config, "w") as file:
            file.write(NGINX.format(user=user, dir=self.directory, port=self.port, small="x" * 133,
                                    secured=words))
        self.nginx = machine.Running(
            [program, "-p", self.directory, "-e", "stderr", "-c", config],
            core,
            os.path.join(self.directory, "nginx.log"),
            nice,
        )
        self.slow_port = slow_port
        machine.await_ready(self.nginx, self.port, "/small")

    def few(self):
        """Upstream names and their ports, for most scenarios."""
        return {"one": self.port, "failing": self.port, "slow": self.slow_port}

    def tls(self):
        """The same over TLS, None without openssl."""
        return None if self.secured_port is None else {"one": self.secured_port}

    def hundred(self):
        return {f"u{i:02d}": self.port for i in range(100)}

    def requests(self):
        """How many nginx has answered so far, this question not included."""
        body = machine.get(self.port, "/status")[1].decode().split()
        return int(body[9])

    def stop(self):
        self.nginx.stop()
