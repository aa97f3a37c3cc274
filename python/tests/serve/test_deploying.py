# SPDX-License-Identifier: MIT
"""The files of tools/deploy do what docs/deploying.md says. Checks by programs that are not installed are skipped."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import grpc
import httpx
import kserve
import kubernetes.client
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kuiper_infer.serve.options import OPTIONS, variable
from kuiper_infer.serve.server import Settings

from . import models
from .running_service import Service, Start

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "tools" / "deploy"
FILES = (
    "Dockerfile",
    "kubernetes.yaml",
    "kuiper-serve.service",
    "nginx.conf",
    "prometheus.yml",
    "alerts.yml",
    "grafana.json",
    "inference_service.yaml",
    "ray_serve.yaml",
)

yaml = pytest.importorskip("yaml")


def run(*command: str | Path) -> str:
    """Runs a program that has to succeed, and returns what it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def dockerfile() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


@pytest.fixture
def answering(start: Start, tmp_path: Path) -> Service:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start()
    service.wait(service.ready)
    assert service.infer("affine", [[1, 2, 3]]).status_code == 200
    return service


def test_the_page_names_the_files() -> None:
    page = (ROOT / "docs" / "deploying.md").read_text()
    assert [name for name in FILES if f"tools/deploy/{name}" not in page] == []
    assert [path for path in re.findall(r"tools/deploy/[\w.-]+", page) if not (ROOT / path).exists()] == []


def test_variables_are_those_of_options() -> None:
    known = {variable(name) for name, *_ in OPTIONS}
    named = {name for file in FILES for name in re.findall(r"KUIPER_SERVE_[A-Z_]+\b", (DEPLOY / file).read_text())}
    assert len(named) >= 5
    assert named <= known


def test_the_dockerfile_copies_what_is_there_and_asks_what_the_service_answers(answering: Service) -> None:
    steps = dockerfile()
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    for word, rest in steps:
        if word == "COPY" and not rest.startswith("--from"):
            for source in shlex.split(rest)[:-1]:
                assert (ROOT / source).exists() and f"!{source}" in ignored
    (user,) = [rest for word, rest in steps if word == "USER"]
    assert int(user.split(":")[0]) > 0
    assert ("EXPOSE", f"{Settings.http_port} {Settings.grpc_port}") in steps
    (check,) = [rest.partition(" CMD ")[2] for word, rest in steps if word == "HEALTHCHECK"]
    command = [word.replace("127.0.0.1:8080", answering.http) for word in json.loads(check)]
    command[0] = "python3"
    assert answering.http in command[-1]
    run(*command)
    assert answering.end() == 0
    assert subprocess.run(command, capture_output=True).returncode != 0


def test_the_probes_of_kubernetes_ask_what_the_service_answers(answering: Service) -> None:
    (deployment, *_) = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"http": Settings.http_port, "grpc": Settings.grpc_port}
    for name in ("startupProbe", "livenessProbe"):
        asked = container[name]["httpGet"]
        assert asked["port"] == "http" and httpx.get(answering.url + asked["path"]).status_code == 200
    assert container["readinessProbe"]["grpc"] == {"port": Settings.grpc_port}
    with grpc.insecure_channel(answering.grpc) as channel:
        told = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=60)
    assert told.status == health_pb2.HealthCheckResponse.SERVING
    seconds = {entry["name"]: int(entry["value"]) for entry in container["env"]}
    needed = seconds["KUIPER_SERVE_DRAIN_SECONDS"] + seconds["KUIPER_SERVE_GRACE_SECONDS"]
    assert pod["terminationGracePeriodSeconds"] > needed + 2


def unknown_fields(value: object, kind: str) -> list[str]:
    """The fields of an object that KServe's or Kubernetes' class of that name does not have."""
    listed = re.fullmatch(r"list\[(\w+)\]", kind)
    if listed:
        assert isinstance(value, list)
        return [name for each in value for name in unknown_fields(each, listed[1])]
    found = getattr(kserve, kind, None) or getattr(kserve.models, kind, None) or getattr(kubernetes.client, kind, None)
    if found is None:
        return []  # a number, a text, a dictionary
    assert isinstance(value, dict), f"{kind} is {value!r}"
    fields = {found.attribute_map[name]: of for name, of in found.openapi_types.items()}
    inner = (unknown_fields(of, fields[key]) if key in fields else [key] for key, of in value.items())
    return [name for names in inner for name in names]


def test_the_service_of_kserve_has_its_schema_and_asks_what_the_service_answers(answering: Service) -> None:
    runtime, service = yaml.safe_load_all((DEPLOY / "inference_service.yaml").read_text())
    assert unknown_fields(runtime, "V1alpha1ServingRuntime") == []
    assert unknown_fields(service, "V1beta1InferenceService") == []
    wrong = {"spec": {"predictor": {"model": {"modelFormat": {"nme": "pnnx"}}}}}
    assert unknown_fields(wrong, "V1beta1InferenceService") == ["nme"]
    assert service["spec"]["predictor"]["model"]["runtime"] == runtime["metadata"]["name"]
    (container,) = runtime["spec"]["containers"]
    assert {entry["name"] for entry in container["env"]} <= {variable(name) for name, *_ in OPTIONS}
    assert [port["containerPort"] for port in container["ports"]] == [Settings.http_port]
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[name]["httpGet"]
        assert asked["port"] == Settings.http_port and httpx.get(answering.url + asked["path"]).status_code == 200


def test_the_manifest_has_the_schema_of_kubernetes() -> None:
    validate = pytest.importorskip("kubernetes_validate")
    for document in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()):
        validate.validate(document, "1.30", strict=True)


@needs("systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "kuiper-serve.service").read_text()
    assert "ExecStart=/opt/kuiper/bin/kuiper-serve\n" in unit
    copy = tmp_path / "kuiper-serve.service"
    copy.write_text(unit.replace("/opt/kuiper/bin/kuiper-serve", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "kuiper-serve" in line]) == (0, [])


def expressions() -> list[str]:
    """The queries of the dashboard and of the alerts."""
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    variables = [str(each["query"]) for each in dashboard["templating"]["list"]]
    return [*queries, *variables, *(rule["expr"] for rule in rules)]


def test_dashboard_and_alerts_ask_for_metrics_that_are_there(answering: Service) -> None:
    text = httpx.get(f"{answering.url}/metrics").text
    there = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")}
    asked = {name for query in expressions() for name in re.findall(r"\b(?:kuiper_infer|process)_\w+", query)}
    assert len(asked) >= 9
    assert asked <= there
    labels = {label for query in expressions() for label in re.findall(r"[{,](\w+)=", query)} - {"instance"}
    assert labels == {"model", "phase", "result", "status"}
    assert all(f'{label}="' in text for label in labels)


@needs("promtool")
def test_promtool_accepts_configuration_alerts_and_queries(tmp_path: Path) -> None:
    run("promtool", "check", "config", DEPLOY / "prometheus.yml")
    queries = [query.replace("$__rate_interval", "1m") for query in expressions() if "label_values" not in query]
    rules = [
        {"record": f"query{number}", "expr": query} for number, query in enumerate(queries) if query != "prometheus"
    ]
    (tmp_path / "rules.yml").write_text(json.dumps({"groups": [{"name": "all", "rules": rules}]}))
    run("promtool", "check", "rules", tmp_path / "rules.yml")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


@needs("nginx")
@needs("openssl")
def test_nginx_ends_tls_in_front_of_the_service(answering: Service, tmp_path: Path) -> None:
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate)  # fmt: skip
    https, grpcs = free_port(), free_port()
    server = (DEPLOY / "nginx.conf").read_text()
    for shown, here in (("127.0.0.1:8080", answering.http), ("127.0.0.1:8081", answering.grpc),
                        ("listen 8443", f"listen 127.0.0.1:{https}"), ("listen 8444", f"listen 127.0.0.1:{grpcs}"),
                        ("/etc/kuiper/", f"{tmp_path}/")):  # fmt: skip
        assert shown in server
        server = server.replace(shown, here)
    folders = " ".join(
        f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(f"daemon off; pid {tmp_path}/pid; error_log stderr; events {{}}\n"
                             f"http {{ access_log off; {folders}\n{server} }}\n")  # fmt: skip
    run("nginx", "-t", "-c", configuration)
    nginx = subprocess.Popen(["nginx", "-c", str(configuration)], stderr=subprocess.DEVNULL)
    try:
        url = f"https://127.0.0.1:{https}"
        tensor = {"name": "x", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}
        with httpx.Client(verify=ssl.create_default_context(cafile=str(certificate))) as client:
            until = time.monotonic() + 60
            while True:
                try:
                    answer = client.post(f"{url}/v2/models/affine/infer", json={"inputs": [tensor]})
                    break
                except httpx.ConnectError:
                    assert time.monotonic() < until
                    time.sleep(0.05)
            assert answer.json()["outputs"][0]["data"] == [3, 5, 7]
            assert client.get(f"{url}/openai/v1/models").json()["object"] == "list"
            assert client.get(f"{url}/metrics").status_code == 404
        credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
        with grpc.secure_channel(f"127.0.0.1:{grpcs}", credentials) as channel:
            told = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(service="affine"), timeout=10
            )
        assert told.status == health_pb2.HealthCheckResponse.SERVING
    finally:
        nginx.terminate()
        nginx.wait(60)
