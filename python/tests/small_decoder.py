# SPDX-License-Identifier: MIT
"""The small decoder of the suite, and a tokenizer with as many tokens."""

import json
import pathlib
import zipfile

import kuiper_infer

ROOT = pathlib.Path(__file__).parents[2]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,?!:"
MARKS = ("<|start|>", "<|im_start|>", "<|im_end|>")
CHAT = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + ' ' + m['content'] + '<|im_end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant ' }}{% endif %}"
)


def model(**options):
    with zipfile.ZipFile(ROOT / "test/data/decoders/smollm2.zip") as archive:
        return kuiper_infer.Model(archive.read("model.param"), archive.read("model.bin"), **options)


def tokenizer_json():
    """A token for each letter; the last two are the bytes C3 and A9, which are an e with an accent together."""
    names = [*MARKS, *LETTERS, "\u0120", "\u010a", "\u00c3", "\u00a9"]
    return json.dumps(
        {
            "added_tokens": [{"id": i, "content": name, "special": True} for i, name in enumerate(MARKS)],
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": {name: i for i, name in enumerate(names)}, "merges": []},
        }
    ).encode()


def tokenizer():
    return kuiper_infer.text.Tokenizer.load(tokenizer_json())
