# SPDX-License-Identifier: MIT
"""A client that others wrote, unchanged: tritonclient over HTTP and gRPC, in a process and an environment of its own.

The environment variable KUIPER_TRITON_PYTHON names an interpreter that has tritonclient[grpc,http].
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from .running_service import Service

PYTHON = os.environ.get("KUIPER_TRITON_PYTHON")


@pytest.mark.skipif(not PYTHON, reason="KUIPER_TRITON_PYTHON names no interpreter with tritonclient")
def test_tritonclient_works_unchanged(service: Service) -> None:
    script = Path(__file__).with_name("triton_client.py")
    run = subprocess.run(
        [PYTHON or "", str(script), service.http, service.grpc],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    expected = {
        "http": ("404", "504", "501"),
        "grpc": ("StatusCode.NOT_FOUND", "StatusCode.DEADLINE_EXCEEDED", "StatusCode.UNIMPLEMENTED"),
    }
    for protocol, (missing, late, beyond) in expected.items():
        answers = found[protocol]
        assert answers["states"] == [True, True, True]
        assert answers["versions"] == [True, False, True]
        assert answers["all"] == answers["asynchronous"] == [[5, 9, 13], [17, 21, 25]]
        assert answers["chosen"] == [[3, 5, 7], [9, 11, 13]]
        assert answers["id"] == "seven"
        assert (answers["no model"], answers["deadline"]) == (missing, late)
        # KServe's definition of the protocol has no messages for these two over gRPC.
        told = "no error" if protocol == "http" else beyond
        assert answers["index"] == answers["statistics"] == told
        assert answers["beyond"] == dict.fromkeys(answers["beyond"], beyond)
