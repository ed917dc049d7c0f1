"""One policy, in the words of each peer: timeouts 500ms / 2s / 8s, 64 calls at once, a breaker at 80 % of 50
calls (so that half of the calls failing keeps it closed and retries at work), at most two retries, with a budget where
the peer knows one."""

import json
import os

from .upstreams import Secured


def write(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(text)
    return path


PROXY = """
listen: {{host: 127.0.0.1, port: {port}}}
admin: {{host: 127.0.0.1, port: {admin}}}
threads: 1
logging: {{level: WARN, access: {access}}}
shutdown: {{quiet-period: 1ms, timeout: 1s}}
defaults:
  timeouts: {{connect: 500ms, read: 2s, call: 8s}}
  pool: {{max-connections: 80}}
  bulkhead: {{max-concurrent-calls: {concurrent}, max-wait-duration: 100ms, max-waiting: 64}}
  circuit-breaker:
    sliding-window-type: {window}
    sliding-window-size: 50
    minimum-number-of-calls: 10
    failure-rate-threshold: 80
    slow-call-duration-threshold: 1s
    wait-duration-in-open-state: 5s
  retry: {{max-attempts: {attempts}, wait-duration: 10ms, max-wait-duration: 100ms, budget: {{ratio: 0.2, max-tokens: 10}}}}
  mode: {mode}
upstreams:
"""


def proxy(directory, port, admin, upstreams, access="off", window="COUNT_BASED", attempts=3, mode="enforce",
          concurrent=64):
    text = PROXY.format(port=port, admin=admin, access=access, window=window, attempts=attempts, mode=mode,
                        concurrent=concurrent)
    text += "".join(f"  {name}: {proxy_upstream(to)}\n" for name, to in upstreams.items())
    return write(directory, "policy.yaml", text)


def proxy_upstream(to):
    if isinstance(to, Secured):
        return f"{{url: 'https://127.0.0.1:{to}', tls: {{ca-file: '{to.certificate}'}}}}"
    return f"{{url: 'http://127.0.0.1:{to}'}}"


def envoy(directory, port, upstreams):
    routes = [
        {
            "match": {"prefix": f"/{name}/"},
            "route": {
                "cluster": name,
                "prefix_rewrite": "/",
                "timeout": "8s",
                "retry_policy": {
                    "retry_on": "5xx,reset,connect-failure",
                    "num_retries": 2,
                    "per_try_timeout": "2s",
                    "retry_back_off": {"base_interval": "0.01s", "max_interval": "0.1s"},
                },
            },
        }
        for name in upstreams
    ]
    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in",
        "generate_request_id": False,
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes}]},
        "http_filters": [
            {
                "name": "envoy.filters.http.router",
                "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
            }
        ],
    }
    listener = {
        "name": "in",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
        "filter_chains": [
            {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}
        ],
    }
    clusters = [envoy_cluster(name, to) for name, to in upstreams.items()]
    return write(directory, "envoy.json",
                 json.dumps({"static_resources": {"listeners": [listener], "clusters": clusters}}, indent=1))


def envoy_cluster(name, port):
    endpoint = {"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": port}}}}
    cluster = {
        "name": name,
        "type": "STATIC",
        "connect_timeout": "0.5s",
        "circuit_breakers": {
            "thresholds": [
                {
                    "max_connections": 80,
                    "max_pending_requests": 64,
                    "max_requests": 64,
                    "retry_budget": {"budget_percent": {"value": 20}, "min_retry_concurrency": 3},
                }
            ]
        },
        "outlier_detection": {
            "interval": "1s",
            "base_ejection_time": "5s",
            "max_ejection_percent": 100,
            "consecutive_5xx": 50,
            "failure_percentage_threshold": 80,
            "enforcing_failure_percentage": 100,
            "failure_percentage_minimum_hosts": 1,
            "failure_percentage_request_volume": 10,
        },
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": [endpoint]}]},
    }
    if isinstance(port, Secured):
        name_check = {"san_type": "DNS", "matcher": {"exact": "localhost"}}
        cluster["transport_socket"] = {
            "name": "envoy.transport_sockets.tls",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
                "sni": "localhost",
                "common_tls_context": {
                    "validation_context": {
                        "trusted_ca": {"filename": port.certificate},
                        "match_typed_subject_alt_names": [name_check],
                    }
                },
            },
        }
    return cluster


HAPROXY = """
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 500ms
  timeout client 300s
  timeout server 2s
  timeout queue 100ms
  retries 2
  retry-on conn-failure empty-response response-timeout 503
  http-reuse always
frontend in
  bind 127.0.0.1:{port}
  use_backend %[path,field(2,/)]
"""


def haproxy(directory, port, upstreams):
    text = HAPROXY.format(port=port)
    for name, to in upstreams.items():
        text += f"backend {name}\n  http-request set-path /%[path,field(3,/,0)]\n"
        tls = (f" ssl verify required ca-file {to.certificate} verifyhost localhost sni str(localhost)"
               " ssl-min-ver TLSv1.2" if isinstance(to, Secured) else "")
        text += (f"  server s 127.0.0.1:{to}{tls} maxconn 64 maxqueue 64 pool-max-conn 80 check inter 2s observe layer7"
                 " error-limit 50 on-error mark-down\n")
    return write(directory, "haproxy.cfg", text)


NGINX = """
{user}
worker_processes 1;
daemon off;
pid {dir}/nginx.pid;
error_log /dev/null crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {dir}/client;
  proxy_temp_path {dir}/proxy;
  fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi;
  scgi_temp_path {dir}/scgi;
  keepalive_requests 1000000000;
  keepalive_timeout 300s;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_connect_timeout 500ms;
  proxy_read_timeout 2s;
  proxy_next_upstream error timeout http_503;
  proxy_next_upstream_tries 3;
{upstreams}
  server {{
    listen 127.0.0.1:{port} backlog=2048;
{locations}
  }}
}}
"""


def nginx(directory, port, upstreams):
    user = "user root;" if os.geteuid() == 0 else ""
    blocks = "\n".join(
        f"  upstream {name} {{ server 127.0.0.1:{to} max_conns=64 max_fails=10 fail_timeout=5s; keepalive 80;"
        " keepalive_requests 1000000000; keepalive_timeout 300s; }"
        for name, to in upstreams.items())
    locations = "\n".join(f"    location /{name}/ {{ {nginx_pass(name, to)} }}" for name, to in upstreams.items())
    return write(directory, "nginx.conf",
                 NGINX.format(user=user, dir=directory, port=port, upstreams=blocks, locations=locations))


def nginx_pass(name, to):
    if isinstance(to, Secured):
        return (f"proxy_pass https://{name}/; proxy_ssl_verify on; proxy_ssl_name localhost; proxy_ssl_server_name on;"
                f" proxy_ssl_trusted_certificate {to.certificate}; proxy_ssl_protocols TLSv1.2 TLSv1.3;")
    return f"proxy_pass http://{name}/;"


def vertx(directory, upstreams):
    return write(directory, "upstreams.txt", "".join(f"{name} {to}\n" for name, to in upstreams.items()))


def gateway(directory, port, upstreams):
    routes = [
        {
            "id": name,
            "uri": f"http://127.0.0.1:{to}",
            "predicates": [f"Path=/{name}/**"],
            "filters": [
                "StripPrefix=1",
                {"name": "CircuitBreaker", "args": {"name": name, "statusCodes": ["500", "502", "503", "504"]}},
                {
                    "name": "Retry",
                    "args": {
                        "retries": 2,
                        "statuses": "SERVICE_UNAVAILABLE",
                        "backoff": {"firstBackoff": "10ms", "maxBackoff": "100ms", "factor": 2},
                    },
                },
            ],
        }
        for name, to in upstreams.items()
    ]
    settings = {
        "server": {"port": port, "address": "127.0.0.1"},
        "logging": {"level": {"root": "ERROR"}},
        "spring": {
            "main": {"banner-mode": "off"},
            "cloud": {
                "gateway": {
                    "server": {
                        "webflux": {
                            "httpclient": {
                                "connect-timeout": 500,
                                "response-timeout": "2s",
                                "pool": {"type": "FIXED", "max-connections": 80, "acquire-timeout": 2000},
                            },
                            "routes": routes,
                        }
                    }
                }
            },
        },
    }
    # JSON is YAML, and nothing here needs more.
    return write(directory, "application.yml", json.dumps(settings, indent=1))
