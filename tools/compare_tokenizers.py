#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares this library's tokenizers with Hugging Face's `tokenizers`: on random strings, and on a megabyte of text and
source code. Prints a table with the differences and the speeds, each with one thread.

Without files, it trains tokenizers of 8,000 tokens of every kind that tools/make_tokenizer_cases.py knows. Files may be a
tokenizer.json, or a GGUF file of llama.cpp's models/ folder with its .inp and .out beside it.

Random strings have characters that Unicode 8 knows, and code points that no version assigns: libraries come with different
versions of Unicode (`tokenizers` itself with several), and disagree about newer characters. Perl tells which those are.

    cmake --build build --target tokenize_records
    pip install tokenizers==0.23.3 sentencepiece==0.2.3 gguf==0.19.0 protobuf
    python3 tools/compare_tokenizers.py [--strings 100000] [FILE ...]
"""
import argparse
import itertools
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
import make_tokenizer_cases as training  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXT_BYTES = 500_000
DOCUMENT = 4096
BLOCKS = [(0, 0x80)] * 8 + [
    (0x80, 0x250), (0x300, 0x370), (0x370, 0x600), (0x600, 0x700), (0x900, 0xE00), (0xE00, 0x1000), (0x1100, 0x1200),
    (0x1E00, 0x2000), (0x2000, 0x2100), (0x2100, 0x2800), (0x3000, 0x3100), (0x4E00, 0xA000), (0xAC00, 0xD800),
    (0xF900, 0x10000), (0x1F300, 0x1FB00), (0x10000, 0x11000), (0x1D400, 0x1D800), (0x20000, 0x30000), (0x40000, 0xE0000),
    (0xE0000, 0xE0200), (0xF0000, 0x110000), (0, 0x110000)]


def real_text():
    """Licences and C headers, half a megabyte each."""
    for pattern in ("/usr/share/doc/*/copyright", "/usr/include/**/*.h"):
        files = sorted(pathlib.Path("/").glob(pattern[1:]))
        yield b"".join(file.read_bytes() for file in files if file.is_file())[:TEXT_BYTES]


def known_characters():
    script = r'for (0..0x10FFFF) { print "$_ " if chr($_) =~ /\p{Present_In: 8.0}/ and ($_ < 0xD800 or $_ > 0xDFFF) }'
    known = set(map(int, subprocess.run(["perl", "-e", script], check=True, capture_output=True).stdout.split()))
    return known | set(range(0x40000, 0xE0000))


def random_strings(count, seed):
    """Bytes; one in twenty strings has bytes that are not UTF-8."""
    source = random.Random(seed)
    known = known_characters()
    blocks = [[code for code in range(first, last) if code in known] for first, last in BLOCKS]
    words = [word for case in training.CASES for word in case.split(" ") if len(word) < 20]
    words += ["<|im_start|>", "<|im_end|>", "</s>", "[MASK]", "\r\n", "\t", "'ſ", "ﬁ", "\u1112\u1161\u11ab", "e\u0301\u0323"]
    for _ in range(count):
        parts = []
        for _ in range(source.choice((1, 2, 4, 8, 16, 40))):
            kind = source.random()
            if kind < 0.35:
                parts.append(source.choice(words))
            elif kind < 0.5:
                parts.append(" " * source.randint(1, 3))
            else:
                block = source.choice(blocks)
                parts.append("".join(chr(source.choice(block)) for _ in range(source.randint(1, 5))))
        text = "".join(parts).encode()
        if source.random() < 0.05:
            at = source.randint(0, len(text))
            text = text[:at] + source.randbytes(source.randint(1, 3)) + text[at + source.randint(0, 2):]
        yield text


class Ours:
    """The program build/test/tokenize_records with one file."""

    def __init__(self, program, file):
        self.program, self.file = program, file

    def run(self, mode, records):
        result = subprocess.run([self.program, self.file, mode], input=records, capture_output=True)
        if result.returncode:
            raise SystemExit(result.stderr.decode())
        return result.stdout

    def encode(self, texts, mode="encode"):
        answer = self.run(mode, b"".join(struct.pack("<I", len(text)) + text for text in texts))
        numbers = iter(struct.unpack(f"<{len(answer) // 4}I", answer))
        return [list(itertools.islice(numbers, count)) for count in numbers]

    def decode(self, lists, mode="decode"):
        answer = self.run(mode, b"".join(struct.pack(f"<{len(tokens) + 1}I", len(tokens), *tokens) for tokens in lists))
        texts, at = [], 0
        while at < len(answer):
            (size,) = struct.unpack_from("<I", answer, at)
            texts.append(answer[at + 4:at + 4 + size].decode())
            at += 4 + size
        return texts


def differences(ours, theirs, inputs, show):
    assert len(ours) == len(theirs) == len(inputs)
    wrong = [(given, a, b) for given, a, b in zip(inputs, ours, theirs) if a != b]
    for given, a, b in sorted(wrong, key=lambda case: len(case[0]))[:show]:
        print(f"  {ascii(given)[:300]}\n    ours   {ascii(a)[:200]}\n    theirs {ascii(b)[:200]}")
    return len(wrong)


def compare(name, file, program, strings, documents, seed, show):
    """Prints one row of the table."""
    theirs = Tokenizer.from_file(str(file))
    theirs.no_padding()
    theirs.no_truncation()
    ours = Ours(program, file)
    readable = [text.decode(errors="replace") for text in strings]
    counts = []
    for mode in ("encode", "parse"):
        theirs.encode_special_tokens = mode == "encode"
        expected = [encoding.ids for encoding in theirs.encode_batch(readable)]
        counts.append(differences(ours.encode(strings, mode), expected, readable, show))
    source = random.Random(seed)
    size = theirs.get_vocab_size()
    lists = expected + [[source.randrange(size) for _ in range(source.randint(0, 12))] for _ in range(len(strings) // 2)]
    decoded = [theirs.decode(tokens) for tokens in lists]
    counts.append(sum(differences(ours.decode(lists, mode), decoded, lists, show) for mode in ("decode", "stream")))
    theirs.encode_special_tokens = True
    texts = [document.decode(errors="replace") for document in documents]
    expected = [theirs.encode(text).ids for text in texts]
    counts.append(differences(ours.encode(documents), expected, texts, show))
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            theirs.encode(text, add_special_tokens=False)
        best = min(best, time.perf_counter() - start)
    total = sum(map(len, documents)) / 1e6
    speed = float(ours.run("speed", b"".join(documents)).split()[0])
    print(f"| {name} | " + " | ".join(map(str, counts)) + f" | {speed:.1f} | {total / best:.1f} |", flush=True)
    return sum(counts)


def compare_llama_cpp(file, program, show):
    texts = file.with_suffix(".gguf.inp").read_bytes().split(b"\n__ggml_vocab_test__\n")
    expected = [list(map(int, line.split())) for line in file.with_suffix(".gguf.out").read_text().split("\n")][:len(texts)]
    ours = Ours(program, file).encode(texts)
    # llama.cpp's cases are without what is added to a text.
    edges = Ours(program, file).encode([b""])[0]
    begin = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(edges, ours[0])))
    stripped = [tokens[begin:len(tokens) - (len(edges) - begin)] for tokens in ours]
    count = differences(stripped, expected, texts, show)
    print(f"| {file.stem} (llama.cpp's {len(texts)} cases) | {count} |")
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--strings", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="differences to print for each comparison")
    parser.add_argument("--program", default=ROOT / "build/test/tokenize_records")
    arguments = parser.parse_args()
    print(f"{arguments.strings} random strings, seed {arguments.seed}")
    strings = list(random_strings(arguments.strings, arguments.seed))
    text = b"".join(real_text())
    documents = [text[at:at + DOCUMENT] for at in range(0, len(text), DOCUMENT)]
    wrong = 0
    print("| tokenizer | strings | strings, special tokens parsed | decoded, also as streams | real text | MB/s | tokenizers MB/s |")
    print("|---|---|---|---|---|---|---|")
    for file in arguments.files:
        if file.suffix == ".gguf":
            wrong += compare_llama_cpp(file, arguments.program, arguments.show)
        else:
            wrong += compare(file.stem, file, arguments.program, strings, documents, arguments.seed, arguments.show)
    if not arguments.files:
        training.SIZE = 8000
        training.TEXTS = [text.decode(errors="replace"), *training.TEXTS]
        with tempfile.TemporaryDirectory() as folder:
            for kind in training.KINDS:
                file = pathlib.Path(folder, f"{kind.__name__}.json")
                kind().save(str(file), pretty=False)
                wrong += compare(kind.__name__, file, arguments.program, strings, documents, arguments.seed, arguments.show)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
