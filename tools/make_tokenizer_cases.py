#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains small tokenizers of each kind on this project's documents, and writes them with the tokens that Hugging Face's
`tokenizers` and Google's `sentencepiece` give for some texts: the cases of test/text/.

Texts have no characters that are newer than Unicode 3.2, because every library comes with another version of Unicode.

    pip install tokenizers==0.23.3 sentencepiece==0.2.3 gguf==0.19.0 protobuf
    python3 tools/make_tokenizer_cases.py
"""
import json
import pathlib
import random
import tempfile
import unicodedata

import gguf
import numpy as np
import sentencepiece
from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors,
                        trainers)

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "test/data/tokenizers"
TEXTS = [path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))]
TEXTS += ["Ελληνικά κείμενα, русский текст, 日本語のテキスト, 中文字符, naïve café, Ünïcödé, שלום עולם, हिन्दी"] * 20
SIZE = 600
SEED = 20261127

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
CASES = [
    "", " ", "  ", "\n", "Hello, world!", " Hello  world ", "I'm sure they'LL say it's 12345 times.", "\t tabs\r\n\r\n and lines \n\n",
    "naïve café Ünïcödé", "e\u0301 \u1112\u1161\u11ab \u0344 \ufb01 \u2167 \u00bd", "日本語のテキスト 中文字符", "İSTANBUL ΑΣ ǅ ẞ ſ K",
    "שלום עולם हिन्दी क्षि", "😀 👩\u200d👩\u200d👧 🇩🇪 ❤\ufe0f 1\ufe0f\u20e3", "x\u00a0y\u3000z\u2028w\u0085v\u180eu\u200bt\ufefft\u00ad",
    "a\u0000b\u0007c\u001fd\u007f", "<|endoftext|><s></s> <unk>[CLS] [MASK] [SEP]", " [MASK] <mask>  x", "\u2581under\u2581score \u2581",
    "<0x41> <0xE4>", "def f(x):\n    return x**2  # comment\n", "http://example.org/a?b=c&d=1,234.50", "ＦＵＬＬ　ｗｉｄｔｈ ½ ² ①", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "the-end (of) it, 2024-08-31", "\ud7a3\ue000\U0010fffd\U00040000", "don't do not . , ! ? 's 've",
]


def is_old(code):
    return unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs")


OLD = [code for code in range(0x110000) if is_old(code)]


def random_texts(count):
    """Mixtures of the cases' words and of characters from all planes."""
    source = random.Random(SEED)
    words = [word for case in CASES for word in case.split(" ") if len(word) < 20]
    blocks = [(0, 0x80)] * 6 + [(0x80, 0x250), (0x300, 0x370), (0x370, 0x600), (0x900, 0xE00), (0x2000, 0x2100), (0x3000, 0x3100),
              (0x4E00, 0xA000), (0xAC00, 0xD800), (0xF900, 0x10000), (0x10000, 0x110000)]
    blocks = [[code for code in OLD if first <= code < last] for first, last in blocks]
    for _ in range(count):
        parts = []
        for _ in range(source.choice((1, 2, 4, 8))):
            if source.random() < 0.4:
                parts.append(source.choice(words))
            elif source.random() < 0.3:
                parts.append(" " * source.randint(1, 3))
            else:
                block = source.choice(blocks)
                parts.append("".join(chr(source.choice(block)) for _ in range(source.randint(1, 4))))
        yield "".join(parts)


def train(tokenizer, trainer, **options):
    """Trains with a trainer's class and options, in the same order every time."""
    tokenizer.train_from_iterator(TEXTS, trainer(vocab_size=SIZE, show_progress=False, **options))
    return tokenizer


def edited(tokenizer, edit):
    """The tokenizer after a change of its file."""
    file = json.loads(tokenizer.to_str())
    edit(file)
    return Tokenizer.from_str(json.dumps(file))


def byte_level(pre_tokenizer, special=("<|endoftext|>",), **options):
    tokenizer = Tokenizer(models.BPE(**options))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return train(tokenizer, trainers.BpeTrainer, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=list(special))


def split_bytes(pattern):
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    return pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def gpt2():
    return byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))


def roberta():
    tokenizer = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True), ("<s>", "<pad>", "</s>", "<unk>"))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.add_tokens([AddedToken("word", single_word=True), AddedToken("tail", rstrip=True, normalized=False)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def llama3():
    tokenizer = byte_level(split_bytes(LLAMA3), ("<|begin_of_text|>", "<|endoftext|>"), ignore_merges=True)
    template = processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", 0)])
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return tokenizer


def qwen2():
    tokenizer = byte_level(split_bytes(LLAMA3.replace("{1,3}", "")))
    tokenizer.normalizer = normalizers.NFC()
    return tokenizer


def smollm():
    digits = pre_tokenizers.Digits(individual_digits=True)
    return byte_level(pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)]))


def marked_words(special):
    """Byte-pair encoding of words with SentencePiece's marks, and all bytes as tokens."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    train(tokenizer, trainers.BpeTrainer, special_tokens=special + BYTES, limit_alphabet=100)

    def edit(file):
        file["added_tokens"] = [token for token in file["added_tokens"] if token["content"] in special]
        file["pre_tokenizer"] = None

    return edited(tokenizer, edit)


def llama2():
    tokenizer = marked_words(["<unk>", "<s>", "</s>"])
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    tokenizer.decoder = decoders.Sequence(steps)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return tokenizer


def llama2_metaspace():
    tokenizer = llama2()
    tokenizer.normalizer = normalizers.Sequence([])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    return tokenizer


def gemma():
    tokenizer = marked_words(["<pad>", "</s>", "<s>", "<unk>"])
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def bert(lowercase=True):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    train(tokenizer, trainers.WordPieceTrainer, special_tokens=special, limit_alphabet=200)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def bert_cased():
    return bert(lowercase=False)


def charsmap():
    """SentencePiece's compiled rules: few, since its own have 240 kB."""
    rules = {"Ａ": "A", "Ｕ": "U", "Ｆ": "F", "Ｌ": "L", "½": "1/2", "①": "1", "\u3000": " ", "\u00a0": " ", "e\u0301": "é",
             "\u1112\u1161\u11ab": "한", "ﬁ": "fi", "\u00ad": ""}
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "rules.tsv")
        hexadecimal = lambda text: " ".join(f"{ord(character):X}" for character in text)
        table.write_text("".join(f"{hexadecimal(key)}\t{hexadecimal(value)}\n" for key, value in rules.items()))
        text = pathlib.Path(folder, "text.txt")
        text.write_text("\n".join(TEXTS))
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=folder + "/rules", vocab_size=SIZE, model_type="bpe", character_coverage=0.98,
            normalization_rule_tsv=str(table), minloglevel=2, max_sentence_length=100000)
        file = pathlib.Path(folder, "rules.model").read_bytes()
    from sentencepiece import sentencepiece_model_pb2 as protocol
    model = protocol.ModelProto()
    model.ParseFromString(file)
    return model.normalizer_spec.precompiled_charsmap


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    steps = [normalizers.Nmt(), normalizers.Precompiled(charsmap()), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    train(tokenizer, trainers.UnigramTrainer, special_tokens=special, unk_token="<unk>")
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return tokenizer


def unigram_bytes():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    train(tokenizer, trainers.UnigramTrainer, special_tokens=["<unk>"] + BYTES, unk_token="<unk>")

    def edit(file):
        file["added_tokens"] = file["added_tokens"][:1]
        file["model"]["byte_fallback"] = True

    tokenizer = edited(tokenizer, edit)
    tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="never")])
    return tokenizer


def words():
    tokenizer = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents(), normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(), pre_tokenizers.Punctuation("contiguous")])
    return train(tokenizer, trainers.WordLevelTrainer, special_tokens=["[UNK]", "[PAD]"])


def clip():
    tokenizer = Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    pattern = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(pattern, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.BPEDecoder("</w>")])
    return train(tokenizer, trainers.BpeTrainer, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                 special_tokens=["<|endoftext|>"], end_of_word_suffix="</w>")


def divisions():
    """Every way to divide, and a prefix within words."""
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="@@"))
    tokenizer.normalizer = normalizers.NFKD()
    split = pre_tokenizers.Split
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), split(",", "merged_with_previous"), split(Regex("[(a]"), "merged_with_next"),
         split("-", "removed"), split(Regex("[0-9]"), "contiguous"), split(Regex("o"), "isolated", invert=True),
         pre_tokenizers.CharDelimiterSplit("x")])
    tokenizer.decoder = decoders.CTC(pad_token="[UNK]", word_delimiter_token="|")
    return train(tokenizer, trainers.BpeTrainer, special_tokens=["[UNK]"], continuing_subword_prefix="@@", limit_alphabet=100)


KINDS = [gpt2, roberta, llama3, qwen2, smollm, llama2, llama2_metaspace, gemma, bert, bert_cased, unigram, unigram_bytes, words,
         clip, divisions]


def hugging_face_cases(tokenizer, texts):
    source = random.Random(SEED)
    for text in texts:
        tokenizer.encode_special_tokens = True
        tokens = tokenizer.encode(text).ids
        case = {"text": text, "tokens": tokens, "decoded": tokenizer.decode(tokens)}
        tokenizer.encode_special_tokens = False
        if (parsed := tokenizer.encode(text).ids) != tokens:
            case["parsed"] = parsed
        yield case
    for _ in range(40):
        tokens = [source.randrange(tokenizer.get_vocab_size()) for _ in range(source.randint(0, 10))]
        yield {"tokens": tokens, "decoded": tokenizer.decode(tokens)}


def write_cases(name, cases):
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    (OUT / f"{name}.cases.json").write_text(f"[{lines}]\n")


def write_gguf(name, fields):
    writer = gguf.GGUFWriter(OUT / name, "llama")
    fields(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def byte_level_gguf(tokenizer):
    """The same tokens as GGUF: the family smollm."""
    model = json.loads(tokenizer.to_str())["model"]

    def fields(writer):
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("smollm")
        writer.add_token_list(sorted(model["vocab"], key=model["vocab"].get))
        writer.add_token_types([3] + [1] * (len(model["vocab"]) - 1))
        writer.add_token_merges([" ".join(merge) for merge in model["merges"]])
        writer.add_eos_token_id(0)
        writer.add_chat_template("{{ messages }}")

    write_gguf("smollm.gguf", fields)


def sentencepiece_gguf(texts):
    """A model of SentencePiece's own trainer, with the tokens that it gives."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "text.txt")
        text.write_text("\n".join(TEXTS))
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=folder + "/model", vocab_size=SIZE, model_type="bpe", byte_fallback=True,
            character_coverage=0.99, normalization_rule_name="identity", remove_extra_whitespaces=False, minloglevel=2,
            max_sentence_length=100000)
        model = sentencepiece.SentencePieceProcessor(model_file=folder + "/model.model")

    def kind(token):
        return 2 if model.is_unknown(token) else 3 if model.is_control(token) else 6 if model.is_byte(token) else 1

    def fields(writer):
        tokens = range(model.vocab_size())
        writer.add_tokenizer_model("llama")
        writer.add_token_list([model.id_to_piece(token) for token in tokens])
        writer.add_token_scores([np.float32(model.get_score(token)).item() for token in tokens])
        writer.add_token_types([kind(token) for token in tokens])
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(2)

    write_gguf("sentencepiece.gguf", fields)
    # Names of special tokens are text for both; SentencePiece takes zeros for the end of a text.
    texts = [text for text in texts if "\0" not in text and "\u2581" not in text]
    write_cases("sentencepiece.gguf", ({"text": text, "tokens": [1, *model.encode(text)], "decoded": text} for text in texts))


def main():
    OUT.mkdir(exist_ok=True)
    texts = CASES + list(random_texts(60))
    for kind in KINDS:
        tokenizer = kind()
        name = kind.__name__
        tokenizer.save(str(OUT / f"{name}.json"), pretty=False)
        write_cases(name, hugging_face_cases(tokenizer, texts))
        if kind is smollm:
            byte_level_gguf(tokenizer)
        print(f"{name}: {(OUT / f'{name}.json').stat().st_size} bytes")
    sentencepiece_gguf(texts)


if __name__ == "__main__":
    main()
