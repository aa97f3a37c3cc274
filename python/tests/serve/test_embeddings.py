# SPDX-License-Identifier: MIT
"""Embeddings by OpenAI's protocol, of small encoders whose table of vectors the tests know."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

import tiny_decoder
from kuiper_infer.text import Tokenizer

from . import models
from .encoders import SENTENCE, TABLE, TOKENS, write_encoder
from .openai_client import connect
from .running_service import Service, Start, serving


@pytest.fixture(scope="module")
def encoding(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("encoding")
    write_encoder(folder / "models" / "tokens" / "1", TOKENS)
    write_encoder(folder / "models" / "sentence" / "1", SENTENCE)
    tiny_decoder.write(folder / "models" / "small" / "1", "threads = 1\n")
    models.write(folder / "models" / "affine" / "1", models.AFFINE)
    with serving(folder, "--ready", "all") as service:
        yield service


@pytest.mark.parametrize("model, pool", [("tokens", np.mean), ("sentence/1", np.sum)])
@pytest.mark.parametrize("form", ["float", "base64", None])  # None: the client asks for base64 and decodes it
def test_vectors(encoding: Service, model: str, pool: object, form: str | None) -> None:
    tokenizer = Tokenizer.load((encoding.folder / "tokens" / "1" / "tokenizer.json").read_bytes())
    hello, other = tokenizer.encode("hello"), tokenizer.encode("other text")
    more = {} if form is None else {"encoding_format": form}
    with connect(encoding) as client:
        for given, expected in (
            ("hello", [hello]),
            (["hello", "other text"], [hello, other]),
            (hello, [hello]),
            ([other, hello], [other, hello]),
        ):
            made = client.embeddings.create(model=model, input=given, **more)
            assert made.usage.prompt_tokens == made.usage.total_tokens == sum(map(len, expected))
            assert [each.index for each in made.data] == list(range(len(expected)))
            for found, tokens in zip(made.data, expected, strict=True):
                vector = found.embedding
                if isinstance(vector, str):
                    vector = np.frombuffer(base64.b64decode(vector), "<f4")
                np.testing.assert_allclose(vector, pool(TABLE[tokens], axis=0), rtol=1e-5, atol=1e-6)


def test_inputs_of_equal_lengths_run_together(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models" / "tokens" / "1"
    write_encoder(folder, TOKENS)
    (folder / "config.toml").write_text("workers = 1\n[batching]\nmax_size = 4\nmax_wait_ms = 200.0\n")
    # The pieces of a word behind its first one begin with ##; [CLS] and [SEP] surround a text.
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "there", "other", "##s", "a"]
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    service = start("--ready", "all")
    service.wait(service.ready)
    texts = ["hello there", "a", "hello others", "there", "others a", "hello a", "there there"]
    expected = [[2, 5, 6, 3], [2, 9, 3], [2, 5, 7, 8, 3], [2, 6, 3], [2, 7, 8, 9, 3], [2, 5, 9, 3], [2, 6, 6, 3]]
    asked = {"model": "tokens", "input": texts}
    answer = httpx.post(f"{service.url}/openai/v1/embeddings", json=asked, timeout=60).json()
    for found, tokens in zip(answer["data"], expected, strict=True):
        np.testing.assert_allclose(found["embedding"], TABLE[tokens].mean(axis=0), rtol=1e-5, atol=1e-6)
    assert service.metric("kuiper_infer_batch_requests_sum", model="tokens") == len(texts)
    assert service.metric("kuiper_infer_batch_requests_count", model="tokens") < len(texts)


@pytest.mark.parametrize(
    "body, status, said",
    [
        ({"input": ""}, 400, "no tokens"),
        ({"input": []}, 400, "input"),
        ({"input": [[]]}, 400, "input"),
        ({"input": ["a"] * 2049}, 400, "2049 entries"),
        ({"input": [1000]}, 400, "token 1000"),
        ({"input": [-1]}, 400, "token -1"),
        ({"input": 5}, 400, "input"),
        ({}, 400, "input"),
        ({"input": "a", "encoding_format": "int8"}, 400, "encoding_format"),
        ({"input": "a", "dimensions": 4}, 400, "dimensions"),
        ({"input": "a", "surprise": 4}, 400, "surprise"),
        ({"input": "a", "model": "small"}, 400, "gives no embeddings"),
        ({"input": "a", "model": "affine"}, 400, "gives no embeddings"),
        ({"input": "a", "model": "absent"}, 404, "absent"),
    ],
)
def test_wrong_requests(encoding: Service, body: dict[str, object], status: int, said: str) -> None:
    answer = httpx.post(f"{encoding.url}/openai/v1/embeddings", json={"model": "tokens", **body}, timeout=60)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]["message"]
