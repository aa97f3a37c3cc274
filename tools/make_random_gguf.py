#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a GGUF file of a Llama of any size with random weights, to compare engines on sizes of which no file is at hand.

    pip install gguf
    python3 tools/make_random_gguf.py SmolLM2-135M-Instruct.Q4_1.gguf random_1b.Q8_0.gguf --type Q8_0

The tokenizer is that of the file named first. The default has 1.07 billion weights: 22 layers of 2,048 channels, 32 heads of 64
channels that share 4 heads of keys and values, and an embedding that is the output layer, too. Weights are normally distributed with
a variance of one over the number of inputs, so that activations stay of one order of magnitude.
"""
import argparse

import gguf
import numpy as np

TOKENIZER = "tokenizer."


def tokenizer_fields(reader):
    """The tokenizer's metadata and the number of its tokens."""
    fields = [field for name, field in reader.fields.items() if name.startswith(TOKENIZER)]
    return fields, len(reader.fields["tokenizer.ggml.tokens"].data)


def copy_fields(writer, fields):
    for field in fields:
        kind = field.types[0]
        sub_type = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=sub_type)


def shapes(o, vocabulary):
    """The names and shapes of all weights, (outputs, inputs)."""
    keys = o.channels // o.heads * o.key_heads
    yield "token_embd.weight", (vocabulary, o.channels)
    yield "output_norm.weight", (o.channels,)
    for layer in range(o.layers):
        block = f"blk.{layer}."
        yield block + "attn_norm.weight", (o.channels,)
        yield block + "attn_q.weight", (o.channels, o.channels)
        yield block + "attn_k.weight", (keys, o.channels)
        yield block + "attn_v.weight", (keys, o.channels)
        yield block + "attn_output.weight", (o.channels, o.channels)
        yield block + "ffn_norm.weight", (o.channels,)
        yield block + "ffn_gate.weight", (o.hidden, o.channels)
        yield block + "ffn_up.weight", (o.hidden, o.channels)
        yield block + "ffn_down.weight", (o.channels, o.hidden)


def add_weights(writer, o, vocabulary):
    generator = np.random.default_rng(o.seed)
    kind = gguf.GGMLQuantizationType[o.type]
    for name, shape in shapes(o, vocabulary):
        if len(shape) == 1:
            writer.add_tensor(name, np.ones(shape, np.float32))
            continue
        weights = generator.standard_normal(shape, np.float32) / np.float32(shape[1] ** 0.5)
        writer.add_tensor(name, gguf.quants.quantize(weights, kind), raw_dtype=kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("like", help="a GGUF file whose tokenizer is copied")
    parser.add_argument("output")
    parser.add_argument("--type", default="Q8_0", choices=["Q8_0", "Q4_0", "Q4_1"])
    parser.add_argument("--layers", type=int, default=22)
    parser.add_argument("--channels", type=int, default=2048)
    parser.add_argument("--hidden", type=int, default=5632, help="channels of the feed-forward network")
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--key-heads", type=int, default=4)
    parser.add_argument("--length", type=int, default=8192, help="tokens of the longest context")
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    fields, vocabulary = tokenizer_fields(gguf.GGUFReader(o.like))
    writer = gguf.GGUFWriter(o.output, "llama")
    writer.add_context_length(o.length)
    writer.add_embedding_length(o.channels)
    writer.add_block_count(o.layers)
    writer.add_feed_forward_length(o.hidden)
    writer.add_head_count(o.heads)
    writer.add_head_count_kv(o.key_heads)
    writer.add_rope_dimension_count(o.channels // o.heads)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(vocabulary)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_file_type(gguf.LlamaFileType[f"MOSTLY_{o.type}"])  # openvino-genai asks for it
    copy_fields(writer, fields)
    add_weights(writer, o, vocabulary)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
