# SPDX-License-Identifier: MIT
"""LangChain's client of OpenAI's protocol. It is not among the packages of the extra `test`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tiny_decoder

from . import test_embeddings, test_tools
from .running_service import serving

langchain = pytest.importorskip("langchain_openai", reason="needs the package langchain-openai")

TOOL = {"name": "put", "description": "", "parameters": test_tools.SCHEMA}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("langchain")
    tiny_decoder.write(folder / "models" / "mistral" / "1", "threads = 1\n", test_tools.MISTRAL)
    test_embeddings.write(folder / "models" / "tokens" / "1", test_embeddings.TOKENS)
    with serving(folder, "--ready", "all") as service:
        yield f"{service.url}/openai/v1"


def test_conversations_streams_and_tools(url: str) -> None:
    chat = langchain.ChatOpenAI(model="mistral", base_url=url, api_key="none", max_tokens=150, seed=1, max_retries=0)
    whole = chat.invoke("hello").content
    assert whole == "".join(part.content for part in chat.stream("hello"))
    calling = chat.bind_tools([TOOL]).bind(logit_bias={"1": 100}, parallel_tool_calls=False)
    (call,) = calling.invoke("hello").tool_calls
    test_tools.check_arguments(call["args"])
    first, *others = calling.stream("hello")
    for part in others:
        first += part
    (streamed,) = first.tool_calls
    assert streamed["args"] == call["args"]
    answer = chat.bind_tools([TOOL], tool_choice="put").invoke("hello")
    result = {"role": "tool", "tool_call_id": answer.tool_calls[0]["id"], "content": "ok"}
    assert chat.bind(max_tokens=1).invoke([("user", "hello"), answer, result]).usage_metadata["output_tokens"] == 1


def test_embeddings_of_texts(url: str) -> None:
    # By default the client looks up tiktoken's tokens in the network, and sends tokens in place of texts.
    client = langchain.OpenAIEmbeddings(model="tokens", base_url=url, api_key="none", check_embedding_ctx_length=False)
    one, other = client.embed_documents(["hello", "other"])
    assert len(one) == len(other) == 8
    assert client.embed_query("hello") == one
