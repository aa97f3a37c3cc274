#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes test/data/decoders/NAME.zip: small decoders and encoder-decoders with random weights, with the logits of transformers.

    pip install torch==2.14.1 --index-url https://download.pytorch.org/whl/cpu
    pip install transformers==5.24.0 ".[export]"
    python3 tools/make_decoder_cases.py [NAME ...] [--out test/data/decoders]

The models are those of decoder_models.py. An archive holds model.param, model.bin, tokens.npy, int64 (1, prompt + steps): a
prompt and behind it the most probable tokens, and logits.npy, float32 (prompt + steps, vocabulary): what transformers computes
for all tokens at once, without a cache. Where the model has an encoder, there are encoder.param, encoder.bin and what it reads,
source.npy, too. The C++ test decoder_cases_test runs the models step by step.
"""
import argparse
import io
import pathlib
import sys
import tempfile
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import decoder_models

PROMPT, STEPS = 7, 16


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def generate(model, source, tokens):
    """Returns the prompt with the most probable tokens behind it, and the logits behind each token."""
    import torch

    def logits_of(tokens):
        if source is None:
            return model(input_ids=tokens, use_cache=False).logits
        return model(source, decoder_input_ids=tokens, use_cache=False).logits

    with torch.inference_mode():
        for _ in range(STEPS):
            tokens = torch.cat([tokens, logits_of(tokens)[:, -1:].argmax(-1)], 1)
        return tokens, logits_of(tokens)[0]


def make(name, configuration, out):
    import kuiper_infer
    import torch
    encodes = configuration.is_encoder_decoder
    model = (decoder_models.encoder_decoder_of if encodes else decoder_models.model_of)(configuration)
    generator = torch.Generator().manual_seed(3)
    prompt = torch.randint(configuration.vocab_size, (1, PROMPT), generator=generator)
    source = decoder_models.source_of(model, 11, generator) if encodes else None
    tokens, logits = generate(model, source, prompt)
    arrays, parts = {"tokens": tokens, "logits": logits}, {}
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(folder) / "model"
        if encodes:
            kuiper_infer.export_encoder_decoder(model, stem)
            stems = {"model": f"{stem}_decoder", "encoder": f"{stem}_encoder"}
            arrays["source"] = source
        else:
            kuiper_infer.export_decoder(model, stem)
            stems = {"model": stem}
        for which, written in stems.items():
            parts |= {f"{which}.{part}": pathlib.Path(f"{written}.pnnx.{part}").read_bytes() for part in ("param", "bin")}
    parts |= {f"{which}.npy": npy(array.numpy()) for which, array in arrays.items()}
    with zipfile.ZipFile(out / f"{name}.zip", "w") as archive:
        for part, data in parts.items():
            archive.writestr(zipfile.ZipInfo(part), data, zipfile.ZIP_DEFLATED)
    print(f"{name}: {(out / f'{name}.zip').stat().st_size // 1000} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of decoders (default: all)")
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "test/data/decoders")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    configurations = decoder_models.configurations() | decoder_models.encoder_decoder_configurations()
    for name in arguments.names or configurations:
        make(name, configurations[name], arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
