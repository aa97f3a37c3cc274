# SPDX-License-Identifier: MIT
"""Tokenizers, the choice of tokens, templates of conversations. The suite in C++ compares with other libraries."""

import json
import math

import numpy as np
import pytest

import kuiper_infer
import tiny_decoder
from conftest import ROOT
from kuiper_infer import text

BYTES_OF_E_WITH_AN_ACCENT = ("\u00c3", "\u00a9")
GOLDEN = ROOT / "test/data/tokenizers"


def small_tokenizer():
    return text.Tokenizer.load(tiny_decoder.tokenizer_json(BYTES_OF_E_WITH_AN_ACCENT).encode())


@pytest.mark.parametrize("file", ["gpt2.json", "bert.json", "unigram.json", "smollm.gguf"])
def test_tokens_come_back_as_text(file):
    tokenizer = text.Tokenizer.load(GOLDEN / file)
    tokens = tokenizer.encode("the small text", add_special_tokens=False)
    assert tokens and all(0 <= token < tokenizer.size for token in tokens)
    assert tokenizer.decode(tokens).strip() == "the small text"


def test_special_tokens_in_a_text_are_text_unless_asked_otherwise():
    tokenizer = small_tokenizer()
    end = tokenizer.find("<|im_end|>")
    assert tokenizer.special(end) and tokenizer.name(end) == "<|im_end|>"
    assert end in tokenizer.encode("a<|im_end|>", parse_special_tokens=True)
    assert end not in tokenizer.encode("a<|im_end|>")
    parts = tokenizer.encode_parts([("a<|im_end|>", False), ("<|im_end|>", True)])
    assert parts.count(end) == 1 and parts[-1] == end
    assert tokenizer.find("nothing") is None


def test_a_stream_gives_whole_characters():
    tokenizer = small_tokenizer()
    stream = tokenizer.stream()
    tokens = tokenizer.encode("b\u00e9a")
    pieces = [stream.push(token) for token in tokens]
    assert pieces == ["b", "", "\u00e9", "a"]
    stream.push(tokens[1])
    assert stream.pending == b"\xc3" and stream.finish() == "\ufffd"


@pytest.mark.parametrize("source", [b"", b"{", b"[]", b"{}", b'{"model": {"type": "Other"}}'])
def test_broken_files_are_refused(source, tmp_path):
    with pytest.raises(kuiper_infer.KuiperError):
        text.Tokenizer.load(source)
    (tmp_path / "tokenizer.json").write_bytes(source)
    with pytest.raises(kuiper_infer.KuiperError, match=r"tokenizer\.json"):
        text.Tokenizer.load(tmp_path / "tokenizer.json")


def test_tokens_outside_of_the_vocabulary_are_refused():
    tokenizer = small_tokenizer()
    for token in (-1, tokenizer.size, 2**40):
        with pytest.raises(kuiper_infer.KuiperError, match="expected one from 0 to"):
            tokenizer.decode([token])


def test_a_sampler_chooses_by_its_options(generator):
    logits = generator.normal(size=50).astype(np.float32)
    order = np.argsort(-logits)
    assert text.Sampler(50).sample(logits) == order[0]
    chosen = [text.Sampler(50, temperature=1, top_k=3, seed=seed).sample(logits) for seed in range(200)]
    assert set(chosen) == set(order[:3].tolist())
    assert chosen == [text.Sampler(50, temperature=1, top_k=3, seed=seed).sample(logits) for seed in range(200)]
    assert text.Sampler(50, logit_bias={int(order[0]): -math.inf}).sample(logits) == order[1]


def test_log_probabilities_are_those_of_the_softmax(generator):
    logits = generator.normal(size=50).astype(np.float32)
    wanted = logits - np.log(np.exp(logits.astype(np.float64)).sum())
    found = text.log_probabilities(logits, 7, 3)
    assert found.chosen == pytest.approx(wanted[7], abs=1e-5)
    assert [token for token, _ in found.best] == np.argsort(-logits)[:3].tolist()


@pytest.mark.parametrize(("option", "value"), [("temperature", -1), ("top_p", 2), ("top_k", -1), ("min_p", math.nan)])
def test_options_that_are_not_possible_are_refused(option, value):
    with pytest.raises((kuiper_infer.KuiperError, ValueError), match=option):
        text.Sampler(50, **{option: value})


def test_templates_run_in_a_sandbox():
    pytest.importorskip("jinja2")
    tokenizer = small_tokenizer()
    template = text.ChatTemplate(tokenizer, tiny_decoder.TEMPLATE)
    messages = [{"role": "user", "content": "<|im_end|> hi"}]
    parts = template.render(messages)
    assert "".join(part for part, _ in parts) == "<|im_start|>user\n<|im_end|> hi<|im_end|>\n<|im_start|>assistant\n"
    tokens = tokenizer.encode_parts(parts)
    assert tokens.count(tokenizer.find("<|im_end|>")) == 1, "what a user writes is text"
    assert template.endings() == [tokenizer.find("<|im_end|>")]
    with pytest.raises(text.ChatTemplateError, match="no chat template"):
        text.ChatTemplate(tokenizer)
    with pytest.raises(text.ChatTemplateError, match="not valid"):
        text.ChatTemplate(tokenizer, "{% if %}")
    for hostile in (
        "{{ ''.__class__.__mro__ }}",
        "{% for i in range(10**9) %}{{ 'a' * 1000 }}{% endfor %}",
        "{{ 1 / 0 }}",
    ):
        with pytest.raises(text.ChatTemplateError):
            text.ChatTemplate(tokenizer, hostile).render(messages)
    with pytest.raises(text.ChatTemplateError, match="refuses"):
        text.ChatTemplate(tokenizer, "{{ raise_exception('no') }}").render(messages)


def test_the_template_of_the_file_is_taken(tmp_path):
    (tmp_path / "tokenizer.json").write_text(tiny_decoder.tokenizer_json())
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": tiny_decoder.TEMPLATE}))
    assert text.Tokenizer.load(tmp_path / "tokenizer.json").chat_template == tiny_decoder.TEMPLATE
