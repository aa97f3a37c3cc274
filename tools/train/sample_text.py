# SPDX-License-Identifier: MIT
"""Random lines of text in printable ASCII: words, numbers, dates, prices, addresses, codes and plain noise."""

import functools
import pathlib

from fonts import PRINTABLE_ASCII

WORD_LIST = pathlib.Path("/usr/share/dict/american-english")  # Debian's wamerican
LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
FREQUENT_WORDS = (
    "the of and to in a is that for it as was with be by on not he I this are or his from at which but have an had "
    "they you were their one all we can her has there been if more when will would who so no out up into some than "
    "them only time our may first other new over these made two about under year date total number page name please "
    "thank hello world price amount order invoice customer address street city phone line read train test open close"
).split()
MONTHS = "January February March April May June July August September October November December".split()
DOMAINS = "com org net edu io de fr co.uk info eu".split()


@functools.lru_cache(maxsize=1)
def _dictionary():
    words = WORD_LIST.read_text(encoding="utf-8").split()
    return [word for word in words if word.isascii() and len(word) <= 14 and not word.endswith("'s")]


def _word(rng):
    return rng.choice(FREQUENT_WORDS) if rng.random() < 0.3 else rng.choice(_dictionary())


def _digits(rng, low, high):
    return "".join(rng.choice("0123456789") for _ in range(rng.randint(low, high)))


def _phrase(rng):
    """Returns a few words with some capitals and punctuation."""
    words = [_word(rng) for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 5)))]
    case = rng.random()
    if case < 0.25:
        words[0] = words[0].capitalize()
    elif case < 0.4:
        words = [word.capitalize() for word in words]
    elif case < 0.52:
        words = [word.upper() for word in words]
    elif case < 0.6:
        words = [word.upper() if rng.random() < 0.4 else word for word in words]
    for index in range(len(words)):
        kind = rng.random()
        if kind < 0.08:
            words[index] += rng.choice(",;:.,")
        elif kind < 0.13:
            opening, closing = rng.choice(("()", "[]", "\"\"", "''", "{}", "<>", "**", "__"))
            words[index] = opening + words[index] + closing
        elif kind < 0.16:
            words[index] += "'s"
        elif kind < 0.19:
            words[index] += "-" + _word(rng)
    return " ".join(words) + (rng.choice(".!?.:") if rng.random() < 0.3 else "")


def _number(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return _digits(rng, 1, 10)
    if kind == 1:
        return f"{rng.randint(0, 10 ** rng.randint(1, 8)):,}.{_digits(rng, 1, 3)}"
    if kind == 2:
        return rng.choice(("$", "$ ", "EUR ", "USD ", "")) + f"{rng.randint(0, 9999)}.{_digits(rng, 2, 2)}"
    if kind == 3:
        return f"{rng.randint(0, 100)}.{_digits(rng, 1, 1)}%"
    if kind == 4:
        return rng.choice("+-~<>=") + _digits(rng, 1, 4) + "." + _digits(rng, 1, 4)
    if kind == 5:
        return f"+{rng.randint(1, 99)} ({_digits(rng, 3, 3)}) {_digits(rng, 3, 3)}-{_digits(rng, 4, 4)}"
    if kind == 6:
        return f"{rng.randint(1, 99)} {rng.choice('+-*/=x')} {rng.randint(1, 999)}"
    return "#" + _digits(rng, 3, 7)


def _date(rng):
    day, month, year = rng.randint(1, 31), rng.randint(1, 12), rng.randint(1900, 2035)
    name = MONTHS[month - 1]
    return rng.choice((
        f"{year}-{month:02}-{day:02}", f"{day:02}/{month:02}/{year}", f"{day}.{month}.{year}", f"{name} {day}, {year}",
        f"{day} {name[:3]} {year}", f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}",
        f"{rng.randint(1, 12)}:{rng.randint(0, 59):02} {rng.choice(('AM', 'PM', 'am', 'pm'))}",
    ))


def _address(rng):
    name = _word(rng).lower().replace("'", "")
    host = _word(rng).lower().replace("'", "") + "." + rng.choice(DOMAINS)
    return rng.choice((
        f"{name}@{host}", f"{name}.{_digits(rng, 1, 3)}@{host}", f"https://{host}/{name}", f"www.{host}",
        f"/{name}/{_word(rng)}.{rng.choice(('txt', 'png', 'cpp', 'tar.gz'))}",
        f"{rng.randint(1, 999)} {name.title()} St.",
    ))


def _code(rng):
    """Returns serial numbers, identifiers or random characters, which a language model cannot guess."""
    kind = rng.random()
    if kind < 0.35:
        return "".join(rng.choice(LETTERS_AND_DIGITS) for _ in range(rng.randint(2, 14)))
    if kind < 0.5:
        groups = ("".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(rng.randint(2, 5)))
                  for _ in range(rng.randint(1, 4)))
        return "-".join(groups)
    if kind < 0.65:
        return f"{_word(rng)}_{_word(rng)}{rng.choice(('()', ' = ', '[0]', ';', ' += 1'))}".strip()
    return "".join(rng.choice(PRINTABLE_ASCII) for _ in range(rng.randint(2, 16)))


def random_text(rng, longest=36):
    """Returns a line of at most `longest` characters, without spaces at its ends and without two spaces in a row."""
    parts = []
    while not parts or (rng.random() < 0.35 and sum(map(len, parts)) < 20):
        kind = rng.random()
        make = (_phrase if kind < 0.55 else _number if kind < 0.68 else _date if kind < 0.74 else
                _address if kind < 0.82 else _code)
        parts.append(make(rng))
    text = " ".join(" ".join(parts).split())[:longest].strip()
    return text or random_text(rng, longest)
