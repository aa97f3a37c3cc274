# SPDX-License-Identifier: MIT
"""Small encoders of sentences, whose table of vectors the tests know."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np

import tiny_decoder

TABLE = np.random.default_rng(1).standard_normal((64, 8)).astype(np.float32)
TOKENS = """7767517
3 2
pnnx.Input tokens 0 1 0 #0=(1,?)i64
nn.Embedding embed 1 1 0 1 embedding_dim=8 num_embeddings=64 sparse=False @weight=(64,8)f32 #0=(1,?)i64 #1=(1,?,8)f32
pnnx.Output vectors 1 0 1 #1=(1,?,8)f32
"""
SENTENCE = """7767517
4 3
pnnx.Input tokens 0 1 0 #0=(1,?)i64
nn.Embedding embed 1 1 0 1 embedding_dim=8 num_embeddings=64 sparse=False @weight=(64,8)f32 #0=(1,?)i64 #1=(1,?,8)f32
torch.sum sum 1 1 1 2 dim=(1) keepdim=False $input=1 #1=(1,?,8)f32 #2=(1,8)f32
pnnx.Output vector 1 0 2 #2=(1,8)f32
"""


def write_encoder(folder: Path, text: str) -> None:
    """Writes a model and its tokenizer as the service wants them."""
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(tiny_decoder.tokenizer_json())
    with zipfile.ZipFile(folder / "model.pnnx.bin", "w") as archive:
        archive.writestr("embed.weight", TABLE.tobytes())
    (folder / "model.pnnx.param").write_text(text)
