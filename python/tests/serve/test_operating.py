# SPDX-License-Identifier: MIT
"""What operators of the service use: logs, readiness, health and reflection over gRPC, the index, statistics."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import grpc
import httpx
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from kserve.protocol.grpc import grpc_predict_v2_pb2 as pb
from kserve.protocol.grpc.grpc_predict_v2_pb2_grpc import GRPCInferenceServiceStub

from . import models
from .running_service import Service, Start

BROKEN = models.AFFINE.replace("pnnx.Expression", "my.Unknown")
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


def failures(service: Service, count: int = 1) -> None:
    """Waits until so many loads have failed."""
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="failure") == count)


@pytest.mark.parametrize(("rule", "ready"), [("any", True), ("all", False)])
def test_readiness_beside_a_bad_new_model(start: Start, tmp_path: Path, rule: str, ready: bool) -> None:
    models.write(tmp_path / "models" / "good" / "1", models.AFFINE)
    service = start("--ready", rule)
    service.wait(service.ready)
    models.write(tmp_path / "models" / "bad" / "1", BROKEN)
    failures(service)
    assert service.ready() is ready
    assert service.infer("good", [[1, 2, 3]]).status_code == 200


def test_readiness_without_a_model_that_answers(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "bad" / "1", BROKEN)
    service = start("--ready", "any")
    failures(service)
    service.wait(lambda: "could not be loaded" in httpx.get(f"{service.url}/v2/models/bad").text)
    assert not service.ready()


def test_health_over_grpc_follows_the_models(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "good" / "1", models.AFFINE)
    models.write(tmp_path / "models" / "bad" / "1", BROKEN)
    service = start()
    failures(service)
    service.wait(service.ready)
    with grpc.insecure_channel(service.grpc) as channel:
        stub = health_pb2_grpc.HealthStub(channel)

        def status(name: str) -> int:
            return stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=60).status

        names = ("", "inference.GRPCInferenceService", "good", "good/1", "bad")
        assert [status(name) for name in names] == [SERVING] * 4 + [NOT_SERVING]
        with pytest.raises(grpc.RpcError) as error:
            status("absent")
        assert error.value.code() is grpc.StatusCode.NOT_FOUND
        watched = [stub.Watch(health_pb2.HealthCheckRequest(service="bad"), timeout=300) for _ in range(2)]
        assert [next(stream).status for stream in watched] == [NOT_SERVING] * 2
        watched.pop().cancel()  # one that leaves takes nothing from the other
        models.write(tmp_path / "models" / "bad" / "1", models.AFFINE)
        assert next(watched[0]).status == SERVING
        assert service.end() == 0  # a watch that is open does not hold it
        assert [answer.status for answer in watched[0]] == [NOT_SERVING]


def test_streams_leave_places_to_calls(service: Service) -> None:
    with grpc.insecure_channel(service.grpc) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        streams = [stub.Watch(health_pb2.HealthCheckRequest(), timeout=300) for _ in range(32)]
        assert {next(stream).status for stream in streams} == {SERVING}
        with pytest.raises(grpc.RpcError) as error:
            next(stub.Watch(health_pb2.HealthCheckRequest(), timeout=60))
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert stub.Check(health_pb2.HealthCheckRequest(), timeout=60).status == SERVING
        for stream in streams:
            stream.cancel()


def test_reflection_describes_the_services(service: Service) -> None:
    with grpc.insecure_channel(service.grpc) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        wanted = {"inference.GRPCInferenceService", "grpc.health.v1.Health"}
        assert wanted <= set(database.get_services())
        file = database.FindFileContainingSymbol("inference.GRPCInferenceService")
    assert "ModelInfer" in [method.name for method in file.service[0].method]


def test_the_index_lists_what_answers_and_what_does_not(start: Start, tmp_path: Path) -> None:
    for version in ("1", "2"):
        models.write(tmp_path / "models" / "good" / version, models.AFFINE)
    models.write(tmp_path / "models" / "bad" / "1", BROKEN)
    service = start()
    failures(service)
    service.wait(service.ready)
    url = f"{service.url}/v2/repository/index"
    index = httpx.post(url).json()
    assert [(entry["name"], entry["version"], entry["state"]) for entry in index] == [
        ("bad", "1", "UNAVAILABLE"),
        ("good", "1", "READY"),
        ("good", "2", "READY"),
    ]
    assert "not supported" in index[0]["reason"] and index[1]["reason"] == ""
    assert [entry["name"] for entry in httpx.post(url, json={"ready": True}).json()] == ["good", "good"]
    for wrong in (b"{", b"[]", b'{"ready": 1}', b" " * 5000):
        answer = httpx.post(url, content=wrong)
        assert answer.status_code == (413 if len(wrong) > 4096 else 400) and "error" in answer.json()
    assert httpx.post(f"{service.url}/v2/repository/models/good/load").status_code == 501


def test_statistics_count_what_was_answered(start: Start, tmp_path: Path) -> None:
    for name, version in (("m", "1"), ("m", "2"), ("other", "1")):
        models.write(tmp_path / "models" / name / version, models.AFFINE)
    service = start()
    service.wait(service.ready)
    assert service.infer("m", [[1, 2, 3], [4, 5, 6]]).status_code == 200
    assert service.infer("m", [[1, 2, 3]]).status_code == 200
    wrong = {"inputs": [{"name": "absent", "shape": [1, 3], "datatype": "FP32", "data": [1, 2, 3]}]}
    assert httpx.post(f"{service.url}/v2/models/m/infer", json=wrong).status_code == 400
    (told,) = httpx.get(f"{service.url}/v2/models/m/versions/2/stats").json()["model_stats"]
    assert (told["name"], told["version"], told["inference_count"], told["execution_count"]) == ("m", "2", 3, 2)
    counts = {name: duration["count"] for name, duration in told["inference_stats"].items()}
    assert (counts["success"], counts["fail"], counts["compute_output"]) == (2, 1, 2)
    assert told["inference_stats"]["success"]["ns"] > told["inference_stats"]["compute_infer"]["ns"] > 0
    assert told["last_inference"] > 1.6e12
    assert [batch["batch_size"] for batch in told["batch_stats"]] == [1]
    assert httpx.get(f"{service.url}/v2/models/m/versions/1/stats").json()["model_stats"][0]["inference_count"] == 0
    assert len(httpx.get(f"{service.url}/v2/models/m/stats").json()["model_stats"]) == 2
    assert len(httpx.get(f"{service.url}/v2/models/stats").json()["model_stats"]) == 3
    assert httpx.get(f"{service.url}/v2/models/absent/stats").status_code == 404


def lines_of(service: Service) -> list[dict]:
    """The lines of a log in JSON; a line that is none fails."""
    return [json.loads(line) for line in service.log.read_text().splitlines()]


def test_the_access_log_in_json_has_a_line_for_each_request(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "m" / "1", models.AFFINE)
    models.write(tmp_path / "models" / "bad" / "1", BROKEN)
    service = start("--access-log", "on", "--log-format", "json", "--log-level", "warning")
    failures(service)
    service.wait(service.ready)
    answer = service.infer("m", [[1, 2, 3]])
    wrong = httpx.post(f"{service.url}/v2/models/m%0Aforged/infer", content=b"{}")
    with grpc.insecure_channel(service.grpc) as channel:
        stub = GRPCInferenceServiceStub(channel)
        stub.ModelReady(pb.ModelReadyRequest(name="m"))
        with pytest.raises(grpc.RpcError):
            stub.ModelInfer(pb.ModelInferRequest(model_name="absent"))
    assert service.end() == 0
    lines = lines_of(service)
    assert {line["level"] for line in lines if "client" not in line} == {"error"}  # and only that of the broken model
    told = [line for line in lines if "client" in line and line["path"] not in ("/v2/health/ready", "/metrics")]
    assert [(line["method"], line["path"], line["status"], line["model"]) for line in told] == [
        ("POST", "/v2/models/m/infer", 200, "m"),
        ("POST", "/v2/models/m%0Aforged/infer", 404, "m\nforged"),
        ("gRPC", "/inference.GRPCInferenceService/ModelReady", "OK", "m"),
        ("gRPC", "/inference.GRPCInferenceService/ModelInfer", "NOT_FOUND", "absent"),
    ]
    assert [line["sent"] for line in told[:2]] == [len(answer.content), len(wrong.content)]
    assert told[0]["received"] == len(answer.request.content) and told[0]["client"].startswith("127.0.0.1:")
    assert all(0 < line["milliseconds"] < 20_000 for line in told)
    page = (Path(__file__).parents[3] / "docs" / "serving.md").read_text()
    (shown,) = [json.loads(line) for line in page.splitlines() if line.startswith('{"time"')]
    assert list(shown) == list(told[0])


def test_the_access_log_as_text_quotes_what_clients_send(start: Start, tmp_path: Path) -> None:
    service = start("--access-log", "on")
    service.wait(service.ready)
    httpx.post(f"{service.url}/v2/models/m%0Aforged/infer", content=b"{}")
    service.wait(lambda: "infer'" in service.log.read_text())
    (line,) = [line for line in service.log.read_text().splitlines() if "infer'" in line]
    assert " POST '/v2/models/m%0Aforged/infer' 404 received " in line and line.endswith(r" ms model 'm\nforged'")


def test_a_client_that_leaves_is_in_the_access_log(start: Start, tmp_path: Path) -> None:
    # A second of work or more on any machine: the client leaves long before the end. Loading runs the model once, too.
    models.write(tmp_path / "models" / "slow" / "1", models.slow(2000), "workers = 1\nthreads = 1\n")
    service = start("--access-log", "on", "--log-format", "json")
    service.wait(service.ready)
    with pytest.raises(httpx.ReadTimeout):
        tensor = {"name": "x", "shape": [384, 384], "datatype": "FP32", "data": [1.0] * 384**2}
        httpx.post(f"{service.url}/v2/models/slow/infer", json={"inputs": [tensor]}, timeout=httpx.Timeout(5, read=0.3))
    service.wait(lambda: any(line.get("model") == "slow" for line in lines_of(service)))
    assert [line["status"] for line in lines_of(service) if line.get("model") == "slow"] == [499]


def test_an_access_log_is_not_mixed_under_load(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "m" / "1", models.AFFINE)
    service = start("--access-log", "on", "--log-format", "json")
    service.wait(service.ready)
    threads = [threading.Thread(target=lambda: [service.infer("m", [[1, 2, 3]]) for _ in range(10)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert service.end() == 0
    assert len([line for line in lines_of(service) if line.get("model") == "m"]) == 80
