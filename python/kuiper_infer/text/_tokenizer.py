# SPDX-License-Identifier: MIT
"""Tokenizers: texts as the numbers of a model's vocabulary, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from .. import _core
from .._checks import MOST_EXTENT, integer, path, path_bytes


class Tokenizer:
    """Turns texts into the numbers of a model's vocabulary and back, as the model's own tokenizer does.

    A tokenizer never changes: any number of threads may use it at once, and the GIL is released while it works.
    `load` makes one.
    """

    def __init__(self, core: _core.Tokenizer, source: str | None) -> None:
        self._core = core
        self._source = source

    @classmethod
    def load(cls, file: str | os.PathLike[str] | bytes) -> Tokenizer:
        """Reads a tokenizer.json, the metadata of a GGUF file, or a vocab.txt of BERT's; bytes are such a file.

        Raises `KuiperError` that names the file if it is none of these, if it is broken, and for kinds of tokenizers
        that are not known.
        """
        if isinstance(file, bytes):
            return cls(_core.Tokenizer.load_bytes(file, "tokenizer"), None)
        source = path("file", file)
        return cls(_core.Tokenizer.load(path_bytes("file", source)), source)

    def encode(self, text: str, *, add_special_tokens: bool = True, parse_special_tokens: bool = False) -> list[int]:
        """Returns the tokens of a text.

        `add_special_tokens`: adds what the file's post-processor adds to a text, such as the token that begins it.
        `parse_special_tokens`: names of special tokens in the text stand for these tokens. Otherwise they are text like
        any other, so that the author of a text does not control the model.
        """
        return self._core.encode(utf8_of("text", text), bool(add_special_tokens), bool(parse_special_tokens))

    def encode_parts(self, parts: Iterable[tuple[str, bool]]) -> list[int]:
        """Returns the tokens of parts of one text; a border between parts is no border between tokens.

        Each part is a text and whether it is markup. Names of special tokens stand for these tokens in markup alone.
        """
        return self._core.encode_parts([(utf8_of("a part", text), bool(markup)) for text, markup in parts])

    def decode(self, tokens: Iterable[int], *, special_tokens: bool = False) -> str:
        """Returns the text of tokens, without those that are special unless `special_tokens` is true."""
        return self._core.decode(tokens_of("tokens", tokens), bool(special_tokens))

    def stream(self, *, special_tokens: bool = False) -> StreamDecoder:
        """Returns a decoder that takes tokens one by one."""
        return StreamDecoder(_core.StreamDecoder(self._core, bool(special_tokens)))

    @property
    def size(self) -> int:
        """The number of tokens, added ones included: all tokens are less."""
        return self._core.size()

    def find(self, name: str) -> int | None:
        """Returns the token of that name, as the file spells it; None if there is none."""
        return self._core.find(utf8_of("name", name))

    def name(self, token: int) -> str:
        """Returns the name of a token, as the file spells it."""
        return self._core.name(_token("token", token))

    def special(self, token: int) -> bool:
        """Whether a token is special: it stands for no text."""
        return self._core.special(_token("token", token))

    @property
    def chat_template(self) -> str:
        """The template of conversations (Jinja) that the file holds, or the files beside it; empty if there is none."""
        return self._core.chat_template()

    @property
    def beginning(self) -> int | None:
        """The token that begins a text, if the file names one."""
        return self._core.beginning()

    @property
    def endings(self) -> list[int]:
        """The tokens that end an answer, as far as the file names them."""
        return self._core.endings()

    def __repr__(self) -> str:
        return f"<kuiper_infer.text.Tokenizer {self._source or 'from memory'} ({self.size} tokens)>"


class StreamDecoder:
    """Decodes tokens as they come; made by `Tokenizer.stream`. One thread at a time may use it.

    The pieces together are the text that `Tokenizer.decode` returns. None ends within a character.
    """

    def __init__(self, core: _core.StreamDecoder) -> None:
        self._core = core

    def push(self, token: int) -> str:
        """Returns the text that this token completes; empty if it ends within a character."""
        return self._core.push(_token("token", token))

    @property
    def pending(self) -> bytes:
        """The bytes of characters that were not given out yet."""
        return self._core.pending()

    def finish(self) -> str:
        """Returns what is left at the end, U+FFFD if a character is not complete. The decoder can be used again."""
        return self._core.finish()


def utf8_of(name: str, text: object) -> bytes:
    """Returns a text as UTF-8; lone surrogates become U+FFFD."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is {type(text).__name__}, expected text")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def tokens_of(name: str, tokens: Iterable[int]) -> Sequence[int]:
    """Returns tokens as a list of ints. Raises TypeError if they are none."""
    try:
        return [_token(f"an element of {name}", token) for token in tokens]
    except TypeError as error:
        raise TypeError(
            str(error) if "an element" in str(error) else f"{name} is {tokens!r}, expected tokens"
        ) from None


def _token(name: str, token: int) -> int:
    return integer(name, token, -MOST_EXTENT, MOST_EXTENT)
