# SPDX-License-Identifier: MIT
"""The file `config.toml` beside a model's files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from .._build_options import TABLE, BuildOption
from .errors import shown
from .files import read_small

_MOST_BYTES = 1 << 16  # of a file


class ConfigError(ValueError):
    """A `config.toml` that cannot be used; the text names the file, the key and what was expected."""


@dataclass(frozen=True)
class Batching:
    """How requests are joined."""

    max_size: int = 1  # requests in the largest batch; 1: each runs alone
    max_wait_ms: float = 0.0  # how long the first request of a batch may wait for further ones


@dataclass(frozen=True)
class Limits:
    """The limits of a model's requests."""

    max_request_bytes: int = 64 << 20  # input arrays of one request
    max_json_bytes: int = 4 << 20  # JSON of a request or an answer, typed contents over gRPC
    max_response_bytes: int = 64 << 20  # output arrays of one answer
    max_queue: int = 256  # requests that wait for a run
    timeout_seconds: float = 60.0  # deadline of requests that bring none


@dataclass(frozen=True)
class GenerationConfig:
    """How a model generates text."""

    max_running: int = 8  # answers that are computed at a time
    max_answers: int = 16  # of one request
    max_tokens: int | None = None  # of an answer; None: as many as the model has room for
    max_length: int | None = None  # tokens of prompt and answer; None: the model's
    prompt_chunk: int = 32  # tokens of a prompt in one run beside other answers
    prefix_cache_bytes: int = 256 << 20  # states that are kept for prompts that begin alike
    timeout_seconds: float = 600.0  # of one request


@dataclass(frozen=True)
class ModelConfig:
    """The settings of one version of a model."""

    threads: int = 0  # of one run; 0: all cores
    workers: int = 0  # runs at the same time, each with a session of its own; 0: as many as cores
    # Options of kuiper_infer.Model, which describes them. The library's table says which are here and what they may be.
    precision: str = "highest"
    max_memory: int | None = None  # bytes
    measure_methods: bool = False
    fuse_operators: bool | None = None
    place_results: bool | None = None
    convolution_method: str | None = None
    max_state_length: int | None = None
    state_type: str | None = None
    batching: Batching = field(default_factory=Batching)
    limits: Limits = field(default_factory=Limits)
    generation: GenerationConfig = field(default_factory=GenerationConfig)

    def model_options(self) -> dict[str, Any]:
        """The keyword arguments of `kuiper_infer.Model`."""
        return {keyword: getattr(self, keyword) for keyword, option in TABLE.items() if option.in_config}


_LOWEST = {"workers": 0, "max_size": 1, "max_wait_ms": 0, "max_request_bytes": 1,
           "max_json_bytes": 1, "max_response_bytes": 1, "max_queue": 1, "timeout_seconds": 0.001,
           "max_running": 1, "max_answers": 1, "max_tokens": 1, "max_length": 2, "prompt_chunk": 1,
           "prefix_cache_bytes": 0}  # fmt: skip
_HIGHEST = {
    "workers": 256,
    "max_size": 1024,
    "max_wait_ms": 10_000,
    "timeout_seconds": 86_400,
    "max_running": 256,
    "max_answers": 256,
}
_KINDS = {"number": (int, "an integer"), "switch": (bool, "true or false"), "word": (str, "a string")}
_SECTIONS = {"batching": Batching, "limits": Limits, "generation": GenerationConfig}


def read_config(path: Path) -> ModelConfig:
    """Reads `path`; a file that does not exist gives the defaults."""
    try:
        table = tomllib.loads(read_small(path, _MOST_BYTES).decode())
    except FileNotFoundError:
        return ModelConfig()
    except (OSError, ValueError) as error:  # also for bytes that are no text, and numbers of thousands of digits
        raise ConfigError(f"{path}: {error}") from error
    except RecursionError:
        raise ConfigError(f"{path}: its values are nested too deeply") from None
    return _read_table(ModelConfig, table, str(path), "")


def _read_table(kind: type, table: dict[str, Any], path: str, section: str) -> Any:
    known = {entry.name: entry for entry in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = section + key
        if key not in known:
            raise ConfigError(f"{path}: '{name}' is not known; known are {', '.join(section + k for k in known)}")
        if key in _SECTIONS:
            if not isinstance(value, dict):
                raise ConfigError(f"{path}: '{name}' has to be a table [{name}], found {shown(value)}")
            values[key] = _read_table(_SECTIONS[key], value, path, f"{key}.")
        else:
            values[key] = _check(key, value, f"{path}: '{name}'")
    return kind(**values)


def _check(key: str, value: Any, who: str) -> Any:
    if key in TABLE:
        return _check_option(TABLE[key], value, who)
    fractional = key in ("max_wait_ms", "timeout_seconds")
    if isinstance(value, bool) or not isinstance(value, (int, float) if fractional else int):
        raise ConfigError(f"{who} has to be {'a number' if fractional else 'an integer'}, found {shown(value)}")
    low, high = _LOWEST[key], _HIGHEST.get(key, float("inf"))
    if not low <= value <= high:  # also refuses nan
        raise ConfigError(f"{who} has to be in {low} to {high}, found {shown(value)}")
    return value


def _check_option(option: BuildOption, value: Any, who: str) -> Any:
    kind, name = _KINDS[option.kind]
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
        raise ConfigError(f"{who} has to be {name}, found {shown(value)}")
    try:
        return option.check(value, who)
    except ValueError as error:
        raise ConfigError(str(error)) from None
