# SPDX-License-Identifier: MIT
"""The models of the service whose page is looked at, one of each kind. Some have names or tokens that are markup."""

from __future__ import annotations

import json
from pathlib import Path

import tiny_decoder

from .. import models

HOSTILE = "<img/src=x/onerror=document.title='owned'>"


def write_models(folder: Path) -> None:
    """Writes a model of each kind."""
    models.write(folder / "affine" / "1", models.AFFINE)
    models.write(folder / "broken" / "1", "no model")
    models.write(folder / "colours" / "1", models.COLOURS)
    models.write(folder / "hostile" / "1", models.AFFINE.replace(" x 0", f" {HOSTILE} 0"))
    models.write(folder / "pair" / "1", models.PAIR)
    endless_decoder(folder / "chatty" / "1")


def endless_decoder(folder: Path) -> None:
    """A decoder whose answers end when there is no more room. Many of its tokens are markup."""
    tiny_decoder.write(folder, "threads = 1\n")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {
        (HOSTILE + name if name in "0123456789" else name): number for name, number in vocabulary.items()
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    template = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    settings = {"bos_token": None, "eos_token": None, "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
