# SPDX-License-Identifier: MIT
"""Weights of GGUF files become stored integers that stand for the same numbers, bit by bit."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[decoder]"')
transformers = pytest.importorskip("transformers", minversion="5", reason='needs it: pip install ".[decoder]"')
gguf = pytest.importorskip("gguf", reason='needs the package gguf: pip install ".[decoder]"')

from conftest import ROOT  # noqa: E402
from kuiper_infer import Model, export_decoder  # noqa: E402
from kuiper_infer._pytorch.decoder import gguf_weights  # noqa: E402
from kuiper_infer._pytorch.decoder.gguf_blocks import FORMATS, numbers_of, parts_of  # noqa: E402
from kuiper_infer._pytorch.exporting import write_files  # noqa: E402
from kuiper_infer._pytorch.request import Request  # noqa: E402
from kuiper_infer._pytorch.torch_export.graph_nodes import identity_of  # noqa: E402

sys.path.insert(0, str(ROOT / "tools"))
import decoder_models  # noqa: E402


def blocks(kind: str, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Quantised rows and the float32 numbers that gguf reads from them. Some blocks are constant, tiny or large."""
    block = getattr(gguf.GGMLQuantizationType, kind)
    if kind in HALVES:
        quantized = any_blocks(kind, (12, 512), generator)
        return quantized, gguf.dequantize(quantized, block)
    numbers = generator.standard_normal((12, 96)).astype(np.float32)
    numbers[0, :32], numbers[1, :32], numbers[2, :32] = 0, 0.25, -0.25
    numbers[3] *= 1e-9
    numbers[4] *= 1e3
    numbers[5] += 10
    quantized = gguf.quantize(numbers, block)
    return quantized, gguf.dequantize(quantized, block)


HALVES = {
    "Q2_K": (80, 82),
    "Q3_K": (108,),
    "Q4_K": (0, 2),
    "Q5_K": (0, 2),
    "Q6_K": (208,),
    "IQ4_NL": (0,),
    "IQ4_XS": (0,),
}
"""Where blocks hold numbers in half precision: of the types that gguf reads and does not write."""


def any_blocks(
    kind: str, shape: tuple[int, int], generator: np.random.Generator, sizes=(1, 0, 1e-6, 1e3)
) -> np.ndarray:
    """Blocks of any bits but for their numbers in half precision, whose sizes change from row to row."""
    count, size = gguf.GGML_QUANT_SIZES[getattr(gguf.GGMLQuantizationType, kind)]
    data = generator.integers(0, 256, (shape[0], shape[1] // count, size), dtype=np.uint8)
    for place in HALVES[kind]:
        halves = np.resize(sizes, (shape[0], 1)) * generator.standard_normal(data.shape[:2])
        data[:, :, place : place + 2] = halves.astype(np.float16)[:, :, None].view(np.uint8)
    return data.reshape(shape[0], -1)


def bits(numbers: np.ndarray) -> list[int]:
    return np.ascontiguousarray(numbers).view(np.uint32).ravel().tolist()


@pytest.mark.parametrize("kind", FORMATS)
def test_attributes_stand_for_the_same_numbers(kind, generator):
    quantized, expected = blocks(kind, generator)
    assert bits(numbers_of(parts_of(kind, quantized)).numpy()) == bits(expected)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_model_reads_the_same_numbers_from_its_file(tmp_path, kind, generator):
    quantized, expected = blocks(kind, generator)
    if kind not in ("Q4_1", "Q5_1", "Q8_0"):
        assert (parts_of(kind, quantized)[".q_group_scales"] < 0).any()  # such scales have to work, too
    embedding = torch.nn.Embedding.from_pretrained(torch.from_numpy(expected))
    stored = {identity_of(embedding.weight): parts_of(kind, quantized)}
    rows = torch.arange(12)
    request = Request.of(embedding, rows, None, None, None, None, None, (), True, 1e-6, stored=stored)
    model = Model(f"{write_files(request, 'torch', tmp_path)}.pnnx.param")
    assert bits(model(rows.numpy())) == bits(expected)
    assert (tmp_path / "model.pnnx.bin").stat().st_size < expected.nbytes // 2


def write_gguf(path: pathlib.Path, theirs, kind: str, embedding: str = "Q8_0", quantize=None) -> None:
    """Writes a Llama of transformers as the format has it: elements that are rotated together are neighbours."""
    quantize = quantize or (lambda numbers, kind: gguf.quantize(np.ascontiguousarray(numbers), kind))
    config = theirs.config
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(config.head_dim)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, parameter in theirs.named_parameters():
        numbers = parameter.detach().numpy()
        heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2])
        if heads is not None:
            numbers = numbers.reshape(heads, 2, -1, numbers.shape[1]).swapaxes(1, 2).reshape(numbers.shape)
        target = f"{names.get_name(name.removesuffix('.weight'))}.weight"
        if numbers.ndim == 2:
            block = getattr(gguf.GGMLQuantizationType, embedding if "embed" in name else kind)
            writer.add_tensor(target, quantize(numbers, block), raw_dtype=block)
        else:
            writer.add_tensor(target, numbers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("kind", ["Q4_0", "Q4_1", "Q8_0"])
def test_a_decoder_of_a_file(tmp_path, kind):
    pytest.importorskip("accelerate", reason="transformers reads GGUF files with it")
    theirs = decoder_models.model_of(decoder_models.configurations()["smollm2"])
    write_gguf(tmp_path / "net.gguf", theirs, kind)
    model = export_decoder(None, tmp_path / "net", weights=tmp_path / "net.gguf")  # compares it with transformers
    text = (tmp_path / "net.pnnx.param").read_text()
    integers = {"Q4_0": "u8", "Q4_1": "u8", "Q8_0": "i8"}[kind]
    width = 64 if kind == "Q8_0" else 32
    assert text.count(f"@weight=(64,{width}){integers} @weight.q_group_") >= 4  # q_proj and o_proj
    assert text.count("@data=(64,64)i8 @data.q_group_scales=(64,2)f16") == 1  # of the embedding and the head
    logits = model(np.arange(5)[None])
    with torch.inference_mode():
        exact = theirs(input_ids=torch.arange(5)[None]).logits[0, -1].numpy()
    assert np.corrcoef(logits[0, 0], exact)[0, 1] > 0.8  # of the same weights, rounded


@pytest.mark.parametrize("kind", ["Q4_K", "Q5_K"])
def test_a_decoder_of_a_file_in_blocks_of_256(tmp_path, kind, generator):
    """Blocks of such files as are called Q4_K_M and Q5_K_M: their embedding is in Q6_K."""
    pytest.importorskip("accelerate", reason="transformers reads GGUF files with it")
    sizes = {"hidden_size": 256, "intermediate_size": 256, "num_key_value_heads": 1, "tie_word_embeddings": True}
    config = transformers.LlamaConfig(**decoder_models.COMMON | sizes)

    def quantize(numbers, block):
        return any_blocks(block.name, numbers.shape, generator, sizes=(2e-4,))

    write_gguf(tmp_path / "net.gguf", decoder_models.model_of(config), kind, embedding="Q6_K", quantize=quantize)
    export_decoder(None, tmp_path / "net", weights=tmp_path / "net.gguf")  # compares it with transformers
    text = (tmp_path / "net.pnnx.param").read_text()
    integers = "@weight=(256,128)u8" if kind == "Q4_K" else "@weight=(256,256)i8"
    assert text.count(f"{integers} @weight.q_group_minimums=(256,8)f32 @weight.q_group_scales=(256,8)f32") >= 4
    assert text.count("@data=(64,256)i8 @data.q_group_scales=(64,16)f32") == 1  # of the embedding and the head


def test_other_numbers_than_those_of_transformers_are_an_error(tmp_path, monkeypatch):
    pytest.importorskip("accelerate", reason="transformers reads GGUF files with it")
    write_gguf(tmp_path / "net.gguf", decoder_models.model_of(decoder_models.configurations()["smollm2"]), "Q8_0")
    monkeypatch.setattr(gguf_weights, "_order", lambda name, rows, config: np.arange(rows))
    with pytest.raises(ValueError, match="blk.0.attn_q.weight holds other numbers than transformers' .*q_proj.weight"):
        export_decoder(None, tmp_path / "net", weights=tmp_path / "net.gguf")
