#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what number formats cost a decoder: perplexity, divergence and agreement of the next token.

    pip install ".[decoder]"
    python3 tools/decoder_quality.py --tokenizer smollm2.tokenizer.json --reference all.pnnx.param \\
        --variant "int8=all_int8.pnnx.param" --variant "int8, medium=all_int8.pnnx.param:medium" \\
        --variant "int8 cache=all.pnnx.param:highest:int8" TEXT...

The models give the logits of all tokens (`export_decoder(..., logits="all")`). Each text is cut into windows of --window tokens; a
window runs in a session of its own, in pieces of --piece tokens. For each token the distribution behind it is compared with that
of the reference at `highest`: the Kullback-Leibler divergence of the variant's distribution from the reference's in nats, and whether
the most probable token is the same one. The perplexity is that of the text's own tokens.

--recall N hides a word at the beginning of a conversation of N tokens, asks for it at the end, and prints what each variant says.
"""
import argparse
import math
import pathlib
import sys

import kuiper_infer
import numpy as np
import tokenizers


def log_probabilities(logits):
    shifted = logits - logits.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def windows(tokenizer, files, size, most):
    tokens = [token for file in files for token in tokenizer.encode(file.read_text(encoding="utf-8", errors="replace")).ids]
    whole = [tokens[first : first + size] for first in range(0, len(tokens) - size + 1, size)]
    return [np.array([each], np.int64) for each in whole[:most]]


class Decoder:
    def __init__(self, param, precision="highest", state_type="auto"):
        self.model = kuiper_infer.Model(param, precision=precision, state_type=state_type)

    def rows(self, tokens, piece):
        """Log probabilities behind each token, float32 (n, vocabulary), a piece at a time."""
        session = self.model.session()
        for first in range(0, tokens.shape[1], piece):
            (logits,) = session.run([tokens[:, first : first + piece]])
            yield log_probabilities(logits[0].astype(np.float64))


def compare(reference, variant, parts, piece):
    """Perplexity, mean divergence and share of equal tokens."""
    surprise, divergence, equal, count, scored = 0.0, 0.0, 0, 0, 0
    for tokens in parts:
        first = 0
        for wanted, found in zip(reference.rows(tokens, piece), variant.rows(tokens, piece), strict=True):
            divergence += (np.exp(wanted) * (wanted - found)).sum()
            equal += (wanted.argmax(-1) == found.argmax(-1)).sum()
            coming = tokens[0, first + 1 : first + 1 + len(found)]
            surprise -= found[np.arange(len(coming)), coming].sum()
            count, scored, first = count + len(found), scored + len(coming), first + len(found)
    return math.exp(surprise / scored), divergence / count, equal / count


def recall(tokenizer, decoders, length):
    """What each decoder says when it is asked for the hidden word."""
    head = tokenizer.encode("<|im_start|>user\nThe secret word is marzipan. Remember it.\n").ids
    filler = tokenizer.encode("The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.\n").ids
    tail = tokenizer.encode("What is the secret word?<|im_end|>\n<|im_start|>assistant\nThe secret word is").ids
    body = (filler * (length // len(filler) + 1))[: length - len(head) - len(tail)]
    said = {}
    for name, decoder in decoders.items():
        session, given = decoder.model.session(), np.array([head + body + tail], np.int64)
        for first in range(0, given.shape[1], 512):
            (logits,) = session.run([given[:, first : first + 512]])
        answer = []
        for _ in range(5):
            answer.append(int(logits[0, -1].argmax()))
            (logits,) = session.run([np.array([[answer[-1]]], np.int64)])
        said[name] = tokenizer.decode(answer).strip()
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=pathlib.Path, nargs="+")
    parser.add_argument("--tokenizer", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--variant", action="append", default=[], help="NAME=PARAM[:PRECISION[:STATE_TYPE]]")
    parser.add_argument("--window", type=int, default=512)
    parser.add_argument("--piece", type=int, default=128)
    parser.add_argument("--windows", type=int, default=8)
    parser.add_argument("--recall", type=int, default=0)
    args = parser.parse_args()
    tokenizer = tokenizers.Tokenizer.from_file(args.tokenizer)
    parts = windows(tokenizer, args.texts, args.window, args.windows)
    if not parts:
        sys.exit(f"decoder_quality: the texts have less than {args.window} tokens")
    reference = Decoder(args.reference)
    decoders = {"float32": reference}
    for each in args.variant:
        name, _, file = each.partition("=")
        decoders[name] = Decoder(*file.split(":"))
    print(f"{len(parts)} windows of {args.window} tokens, {args.piece} at a time\n")
    print("| format | perplexity | divergence, nats | same most probable token |\n|---|---|---|---|", flush=True)
    for name, decoder in decoders.items():
        perplexity, divergence, equal = compare(reference, decoder, parts, args.piece)
        print(f"| {name} | {perplexity:.3f} | {divergence:.5f} | {100 * equal:.1f} % |", flush=True)
    if args.recall:
        for name, answer in recall(tokenizer, decoders, args.recall).items():
            print(f"recall over {args.recall} tokens, {name}: {answer!r}", flush=True)


if __name__ == "__main__":
    main()
