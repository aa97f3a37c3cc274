#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes test/data/decoders/NAME.zip: small decoders with random weights, with the logits of transformers.

    pip install torch==2.14.1 --index-url https://download.pytorch.org/whl/cpu
    pip install transformers==5.24.0 ".[export]"
    python3 tools/make_decoder_cases.py [NAME ...] [--out test/data/decoders]

The models are those of decoder_models.py. An archive holds model.param, model.bin, tokens.npy, int64 (1, prompt + steps): a
prompt and behind it the most probable tokens, and logits.npy, float32 (prompt + steps, vocabulary): what transformers computes
for all tokens at once, without a cache. The C++ test decoder_cases_test runs the models step by step.
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


def make(name, configuration, out):
    import kuiper_infer
    import torch
    model = decoder_models.model_of(configuration)
    tokens = torch.randint(configuration.vocab_size, (1, PROMPT), generator=torch.Generator().manual_seed(3))
    with torch.inference_mode():
        for _ in range(STEPS):
            logits = model(input_ids=tokens, use_cache=False).logits
            tokens = torch.cat([tokens, logits[:, -1:].argmax(-1)], 1)
        logits = model(input_ids=tokens, use_cache=False).logits[0]
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(folder) / "model"
        kuiper_infer.export_decoder(model, stem)
        parts = {f"model.{part}": pathlib.Path(f"{stem}.pnnx.{part}").read_bytes() for part in ("param", "bin")}
        parts |= {"tokens.npy": npy(tokens.numpy()), "logits.npy": npy(logits.numpy())}
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
    configurations = decoder_models.configurations()
    for name in arguments.names or configurations:
        make(name, configurations[name], arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
