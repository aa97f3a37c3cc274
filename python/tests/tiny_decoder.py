# SPDX-License-Identifier: MIT
"""A decoder with 64 tokens and random weights, and a tokenizer for it: a token for each of some characters."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

from conftest import ROOT

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789.,:?!"{}[]_-+/\\<|>ABCDE'

# ChatML, as the models of many families have it.
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% for tool in tools or [] %}{{ tool.function.name }}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer_json(more: Sequence[str] = ()) -> str:
    """The tokenizer as a tokenizer.json. `more` tokens follow, which the decoder does not know."""
    names = [*SPECIAL, *CHARACTERS, "\u0120", "\u010a", *more]  # between them the space and the end of a line
    added = [
        {"id": number, "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
         "special": True}
        for number, name in enumerate(SPECIAL)
    ]  # fmt: skip
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
             "vocab": {name: number for number, name in enumerate(names)}, "merges": []}  # fmt: skip
    return json.dumps(
        {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
         "pre_tokenizer": byte_level, "post_processor": None, "decoder": byte_level, "model": model}
    )  # fmt: skip


def write(folder: Path, config: str = "", template: str = TEMPLATE) -> Path:
    """Writes the model and its tokenizer as the service wants them, and returns the path of the model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(tokenizer_json())
    settings = {"bos_token": None, "eos_token": "<|endoftext|>", "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    if config:
        (folder / "config.toml").write_text(config)
    with zipfile.ZipFile(ROOT / "test" / "data" / "decoders" / "smollm2.zip") as archive:
        (folder / "model.pnnx.bin").write_bytes(archive.read("model.bin"))
        (folder / "model.pnnx.param").write_bytes(archive.read("model.param"))
    return folder / "model.pnnx.param"
