"""The upstreams that every peer has: nginx, and one that is slow."""

import os
import shutil
import sys

from . import machine

SLOW_SECONDS = 3

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
    default_type text/plain;
    root {dir};
    location / {{ return 200 "{small}"; }}
    location = /64k {{ try_files /64k =404; }}
    location = /half {{ if ($failing) {{ return 503 "{small}"; }} return 200 "{small}"; }}
    location = /status {{ stub_status; }}
  }}
}}
"""


def nginx_program():
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")


class Upstreams:
    """Started once per run, on the generator's core."""

    def __init__(self, directory, core, nice):
        program = nginx_program()
        if program is None:
            raise SystemExit("nginx is the upstream and was not found: apt-get install nginx-light")
        self.directory = os.path.join(directory, "upstream")
        os.makedirs(self.directory, exist_ok=True)
        with open(os.path.join(self.directory, "64k"), "w") as file:
            file.write("x" * 65536)
        self.port = machine.free_port()
        config = os.path.join(self.directory, "nginx.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        with open(config, "w") as file:
            file.write(NGINX.format(user=user, dir=self.directory, port=self.port, small="x" * 133))
        self.nginx = machine.Running(
            [program, "-p", self.directory, "-e", "stderr", "-c", config],
            core,
            os.path.join(self.directory, "nginx.log"),
            nice,
        )
        self.slow_port = machine.free_port()
        self.slow = machine.Running(
            [sys.executable, os.path.join(os.path.dirname(__file__), "slow_upstream.py"),
             str(self.slow_port), str(SLOW_SECONDS)],
            core,
            os.path.join(self.directory, "slow.log"),
            nice,
        )
        machine.await_ready(self.nginx, self.port, "/small")

    def few(self):
        """Upstream names and their ports, for most scenarios."""
        return {"one": self.port, "failing": self.port, "slow": self.slow_port}

    def hundred(self):
        return {f"u{i:02d}": self.port for i in range(100)}

    def requests(self):
        """How many nginx has answered so far, this question not included."""
        body = machine.get(self.port, "/status")[1].decode().split()
        return int(body[9])

    def stop(self):
        self.nginx.stop()
        self.slow.stop()
