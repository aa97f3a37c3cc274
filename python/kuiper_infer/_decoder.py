# SPDX-License-Identifier: MIT
"""Exports language models of the package transformers, one step of generation as a model with caches:
`kuiper export-decoder model.gguf`.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _extras
from ._encoder_decoder import export_encoder_decoder
from ._errors import KuiperError
from ._model import Model
from ._model_files import folder_beside, put_in_place, stem_of

if TYPE_CHECKING:
    import transformers

__all__ = ["export_decoder"]


def export_decoder(
    model: transformers.PreTrainedModel | transformers.PretrainedConfig | None,
    path: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] | None = None,
    max_length: int | None = None,
    logits: Literal["last", "all"] = "last",
    verify: bool = True,
    rtol: float = 1e-3,
) -> Model:
    """Exports a decoder of the Llama family to `path`.pnnx.param and `path`.pnnx.bin, verifies and loads it.

    `model`: a model for causal language modelling of the package transformers: Llama, SmolLM2, Mistral, Qwen2, Qwen3,
    Gemma 2 and 3, Phi-3, with weights in float32. A configuration stands for a model with random weights, always the
    same ones.
    `weights`: a GGUF file. Its weights in blocks of most types (Q4_K, Q8_0 and others: docs/decoders.md) become the
    model's stored integers without being rounded again; all others become float32. Then `model` may be None: the file
    has a configuration.
    `max_length`: the most tokens that the caches may hold; by default as many as the model has positions for. Rotary
    frequencies of the kind longrope hold for the length of the original training.
    `logits`: for which tokens of a run logits are computed: the last one or all.
    `verify`: whether to compare the model with PyTorch, as `export` does it, and a prompt and eight generated tokens
    with transformers, computed without a cache. Logits may be off by `rtol` standard deviations. If they depart, an
    `ExportError` names the step, and nothing is written.

    The model's inputs are `tokens`, int64 (1, n), and for each layer, here the first, `past_key_0` and `past_value_0`,
    float32 (1, key/value heads, length, head size). Its outputs are `logits`, float32 (1, 1 or n, vocabulary), and
    `key_0` and `value_0`: the caches with the new tokens behind the past ones, which are the next run's `past_key_0`
    and `past_value_0`. Both n and the length are free, and a run of several tokens is a prompt. Positions and masks
    follow from the length. Needs PyTorch and transformers, and for GGUF files the package gguf.

        net = AutoModelForCausalLM.from_pretrained("SmolLM2-135M", dtype=torch.float32)
        model = kuiper_infer.export_decoder(net, "smollm2")
    """
    if weights is not None and not pathlib.Path(weights).is_file():
        raise FileNotFoundError(f"{weights}: no such file of weights")
    _extras.require("decoder", "torch", "transformers", *(["gguf"] if weights is not None else []))
    from ._pytorch.decoder.exporting import write_decoder
    from ._pytorch.decoder.sources import source_of

    if logits not in ("last", "all"):
        raise ValueError(f"logits is {logits!r}, expected 'last' or 'all'")
    stem = stem_of(path)
    theirs, stored = source_of(model, weights)
    with folder_beside(stem) as folder:
        written = write_decoder(
            theirs, folder, max_length=max_length, logits=logits, verify=verify, rtol=rtol, stored=stored
        )
        return put_in_place(written, stem)


def main(arguments: Sequence[str]) -> int:
    """The command `kuiper export-decoder`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="kuiper export-decoder",
        description="Exports a language model, one step of generation with caches. A model with an encoder becomes "
        "two of them, STEM_encoder and STEM_decoder.",
    )
    parser.add_argument("source", metavar="MODEL", help="a GGUF file, or a folder of transformers' save_pretrained")
    parser.add_argument("--output", metavar="STEM", help="the files are STEM.pnnx.param and STEM.pnnx.bin")
    parser.add_argument("--max-length", type=int, help="the most tokens that the caches may hold")
    parser.add_argument("--logits", choices=["last", "all"], default="last", help="for which tokens of a run (last)")
    parser.add_argument("--no-verify", action="store_true", help="do not compare the model with transformers")
    given = parser.parse_args(arguments)
    source = pathlib.Path(given.source)
    try:
        options = {"max_length": given.max_length, "verify": not given.no_verify}
        model = _export_path(source, given.output or source.with_suffix(""), given.logits, options)
    except (KuiperError, OSError, ImportError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{model.param}: {len(model.states) // 2} layers, {model.outputs[0]}")
    return 0


def _export_path(source: pathlib.Path, stem: str | pathlib.Path, logits: Any, options: dict[str, Any]) -> Model:
    """Returns the decoder."""
    if not source.is_dir():
        return export_decoder(None, stem, weights=source, logits=logits, **options)
    _extras.require("decoder", "torch", "transformers")
    import torch
    import transformers

    from_folder: dict[str, Any] = {"dtype": torch.float32, "local_files_only": True}
    config = transformers.AutoConfig.from_pretrained(source, local_files_only=True)
    if not config.is_encoder_decoder:
        theirs = transformers.AutoModelForCausalLM.from_pretrained(source, **from_folder)
        return export_decoder(theirs, stem, logits=logits, **options)
    if logits != "last":
        raise ValueError(f"--logits is {logits!r}, expected 'last' for a model with an encoder")
    name = (config.architectures or ["none"])[0]
    kind = getattr(transformers, name, None)
    if kind is None:
        raise ValueError(f"{source} is a model of the class {name}, expected one of transformers")
    return export_encoder_decoder(kind.from_pretrained(source, **from_folder), stem, **options)[1]
