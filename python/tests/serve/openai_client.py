# SPDX-License-Identifier: MIT
"""The package `openai`, a client that other people wrote. Without it the tests that import this are left out."""

from __future__ import annotations

import pytest

from .running_service import Service

openai = pytest.importorskip("openai", reason='needs the package openai: pip install ".[test]"')


def connect(service: Service) -> openai.OpenAI:
    """A client of the service, which asks once."""
    return openai.OpenAI(base_url=f"{service.url}/openai/v1", api_key="none", max_retries=0, timeout=60)
