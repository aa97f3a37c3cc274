# SPDX-License-Identifier: MIT
"""Tokens of BERT's vocabularies, of ASCII text without capitals."""
import re


def tokens_of(sentence, vocabulary):
    """Returns the numbers of [CLS], the pieces of words and signs, and [SEP]. Each piece is the longest one in the vocabulary
    that fits; inside a word its name begins with ##."""
    tokens = [vocabulary["[CLS]"]]
    for word in re.findall(r"[a-z0-9]+|[^\sa-z0-9]", sentence.lower()):
        pieces, start = [], 0
        while start < len(word):
            ends = (end for end in range(len(word), start, -1) if _piece(word, start, end) in vocabulary)
            end = next(ends, None)
            if end is None:
                pieces = [vocabulary["[UNK]"]]
                break
            pieces.append(vocabulary[_piece(word, start, end)])
            start = end
        tokens += pieces
    return tokens + [vocabulary["[SEP]"]]


def _piece(word, start, end):
    return ("##" if start else "") + word[start:end]
