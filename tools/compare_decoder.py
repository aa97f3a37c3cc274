#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the most probable tokens of an exported decoder with those of transformers in float32.

    pip install torch --index-url https://download.pytorch.org/whl/cpu
    pip install ".[decoder]"
    python3 tools/compare_decoder.py WEIGHTS.gguf STEM [--prompts 50] [--tokens 256]

STEM.pnnx.param is what `kuiper export-decoder WEIGHTS.gguf --output STEM` wrote. The prompts are sentences of this repository's
documents. Two logits that differ by less than 1e-4 may change places, so the comparison of a prompt ends there.
"""

import argparse
import os
import pathlib
import re
import sys
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIE = 1e-4


def sentences():
    text = "".join((ROOT / f"docs/{name}.md").read_text() for name in ("architecture", "decisions"))
    found = [sentence.strip() for sentence in re.split(r"(?<=[.])\s+", text)]
    return [each for each in found if 40 < len(each) < 120 and "|" not in each and "`" not in each]


def generate(model, tokens, count):
    """The prompt with `count` tokens behind it, and the logits before each of these."""
    session, given, rows = model.session(), tokens, []
    for _ in range(count):
        (logits,) = session.run([given])
        rows.append(logits[0, -1])
        given = logits[:, -1:].argmax(-1)
        tokens = np.concatenate([tokens, given], 1)
    return tokens, rows


def first_departure(tokens, expected):
    """The number of the first token that is not the most probable one, "tie" if two are as good as equal, or None."""
    for number, (token, row) in enumerate(zip(tokens, expected)):
        if token == row.argmax():
            continue
        second, first = np.sort(row)[-2:]
        return number if first - second > TIE else "tie"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=pathlib.Path)
    parser.add_argument("stem")
    parser.add_argument("--prompts", type=int, default=50)
    parser.add_argument("--tokens", type=int, default=256)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ["HF_HUB_OFFLINE"] = "1"
    import kuiper_infer
    import torch
    import transformers

    options = {"gguf_file": args.weights.name}
    folder = args.weights.parent
    theirs = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **options).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
    model = kuiper_infer.Model(f"{args.stem}.pnnx.param", threads=1)
    outcomes, worst = [], 0.0
    for prompt in sentences()[: args.prompts]:
        tokens, rows = generate(model, tokenizer(prompt, return_tensors="np")["input_ids"].astype(np.int64), args.tokens)
        with torch.inference_mode():
            logits = theirs(input_ids=torch.from_numpy(tokens), use_cache=False).logits
        expected = logits[0, -args.tokens - 1 : -1].numpy()
        worst = max(worst, max(np.abs(row - each).max() / each.std() for row, each in zip(rows, expected)))
        outcomes.append(first_departure(tokens[0, -args.tokens :], expected))
        if isinstance(outcomes[-1], int):
            print(f"departs at token {outcomes[-1]}: {prompt}", flush=True)
    print(
        f"{len(outcomes)} prompts of {args.tokens} tokens: {outcomes.count(None)} equal, {outcomes.count('tie')} end in a tie, "
        f"{sum(isinstance(each, int) for each in outcomes)} depart; "
        f"largest difference of a logit {worst:.1e} standard deviations"
    )
    sys.exit(any(isinstance(each, int) for each in outcomes))


if __name__ == "__main__":
    main()
