#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes test/text/sampling_cases.zip: random logits, and the distributions that transformers' LogitsProcessors make of them.

    pip install torch==2.14.1 --index-url https://download.pytorch.org/whl/cpu
    pip install transformers==5.24.0
    python3 tools/make_sampling_cases.py

logits.npy holds float32 (rows, vocabulary). cases.json holds the cases: the row, the options by their names in SamplingOptions,
prompt and answer. N.npy, float32 (vocabulary), is the distribution of case N: 0 for tokens that the options leave out. It is
computed in float64, in the order in which transformers applies the processors. The frequency and the presence penalty, which
transformers lacks, are computed here by OpenAI's formula.
"""
import io
import json
import pathlib
import random
import sys
import zipfile

import numpy as np
import torch
from transformers.generation import logits_process

ROOT = pathlib.Path(__file__).resolve().parent.parent
VOCABULARY = 700  # no multiple of the block of logits that the library searches
ROWS = 6
CASES = 160


def distribution(row, options, prompt, answer):
    scores = torch.from_numpy(row).double()[None]
    tokens = torch.tensor([prompt + answer])
    if options.get("logit_bias"):
        bias = {(int(token),): value for token, value in options["logit_bias"].items()}
        scores = logits_process.SequenceBiasLogitsProcessor(bias)(tokens, scores).double()
    if "repetition_penalty" in options and tokens.numel():
        scores = logits_process.RepetitionPenaltyLogitsProcessor(options["repetition_penalty"])(tokens, scores)
    counts = torch.bincount(torch.tensor(answer, dtype=torch.int64), minlength=scores.shape[1])
    scores = scores - counts * options.get("frequency_penalty", 0) - (counts > 0) * options.get("presence_penalty", 0)
    for name, processor in (("temperature", logits_process.TemperatureLogitsWarper), ("top_k", logits_process.TopKLogitsWarper),
                            ("top_p", logits_process.TopPLogitsWarper), ("min_p", logits_process.MinPLogitsWarper),
                            ("typical_p", logits_process.TypicalLogitsWarper)):
        if name in options:
            scores = processor(options[name])(tokens, scores)
    return scores.softmax(-1)[0].float().numpy()


def random_options(draw):
    choices = {
        "top_k": lambda: draw.choice([1, 2, 5, 40, 200, 699, 5000]),
        "top_p": lambda: draw.choice([0.001, 0.3, 0.8, 0.95, 0.999]),
        "min_p": lambda: draw.choice([0.001, 0.02, 0.1, 0.5, 1.0]),
        "typical_p": lambda: draw.choice([0.01, 0.2, 0.9, 0.99]),
        "repetition_penalty": lambda: draw.choice([0.7, 1.1, 2.0]),
        "frequency_penalty": lambda: draw.choice([-0.5, 0.3, 1.5]),
        "presence_penalty": lambda: draw.choice([-1.0, 0.5, 2.0]),
        "logit_bias": lambda: {str(draw.randrange(VOCABULARY)): draw.choice([-100.0, -2.5, 3.0]) for _ in range(5)},
    }
    options = {"temperature": draw.choice([0.1, 0.5, 0.8, 1.0, 1.7])}
    for name in draw.sample(list(choices), draw.choice([0, 1, 1, 2, 2, 3, len(choices)])):
        options[name] = choices[name]()
    return options


def main():
    draw, rng = random.Random(11), np.random.default_rng(11)
    scales = np.array([0.3, 1, 2, 3, 5, 12], np.float32)[:, None]
    logits = rng.standard_normal((ROWS, VOCABULARY), np.float32) * scales
    logits[2] = np.round(logits[2])  # many logits that are equal
    cases, arrays = [], {"logits": logits}
    for number in range(CASES):
        row, options = draw.randrange(ROWS), random_options(draw)
        if row == 2:
            # Of equal tokens other options keep some, and transformers does not say which.
            options = {name: value for name, value in options.items() if name in ("temperature", "top_k", "min_p")}
        prompt, answer = ([draw.randrange(VOCABULARY) for _ in range(draw.choice([0, 3, 30]))] for _ in range(2))
        arrays[str(number)] = distribution(logits[row], options, prompt, answer)
        cases.append({"row": row, "options": options, "prompt": prompt, "answer": answer})
    with zipfile.ZipFile(ROOT / "test/text/sampling_cases.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("cases.json"), json.dumps(cases), zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            stream = io.BytesIO()
            np.save(stream, array)
            archive.writestr(zipfile.ZipInfo(name + ".npy"), stream.getvalue(), zipfile.ZIP_DEFLATED)
    print(len(cases), "cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
