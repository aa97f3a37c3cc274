# SPDX-License-Identifier: MIT
"""Text for language models: tokenizers, the choice of tokens, and templates of conversations.

>>> tokenizer = Tokenizer.load(example_tokenizer)
>>> tokenizer.decode(tokenizer.encode("a small text"))
'a small text'

`kuiper_infer.Generator` puts these together. Programs that choose tokens themselves use them with `Model.session`.
"""

from ._chat import ChatTemplate, ChatTemplateError, Message
from ._sampler import LogProbabilities, Sampler, log_probabilities
from ._tokenizer import StreamDecoder, Tokenizer

__all__ = [
    "ChatTemplate",
    "ChatTemplateError",
    "LogProbabilities",
    "Message",
    "Sampler",
    "StreamDecoder",
    "Tokenizer",
    "log_probabilities",
]
