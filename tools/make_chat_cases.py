#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes test/text/chat_cases.json: conversations, and the prompts that templates of models make of them.

    pip install jinja2
    python3 tools/make_chat_cases.py FOLDER

The folder holds the templates as models publish them (`chat_template` of tokenizer_config.json): NAME.jinja for the name of a
template in source/text/chat/chat_families.cpp, NAME@VARIANT.jinja for other texts that give the same prompts. The texts stay
where they are, since their models' licences are not this repository's; the cases hold their hashes. Jinja is set up as in
apply_chat_template(messages, add_generation_prompt=True) of transformers. A conversation that a template refuses has an error
in place of a prompt.
"""
import argparse
import datetime
import json
import pathlib
import random
import sys

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATE = datetime.datetime(2026, 3, 7)
# What a template calls bos_token and eos_token.
TOKENS = {"llama3": ("<|begin_of_text|>", "<|eot_id|>"), "gemma": ("<bos>", "<eos>"), "phi3-small": ("<|endoftext|>", "<|endoftext|>")}
SAID = ["Hello", "What is 2 + 2?", "  spaces around \n", "\n\nlines\n", "", "Größe 中文 🙂", "\u00a0no-break\u3000", "<|im_end|> [INST] <bos>",
        "{{ 7 * 7 }} {% raw %}", "tab\tand\\n", "a" * 40]


def hash_of(text):
    value = 0xcbf29ce484222325
    for byte in text.removesuffix("\n").encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def tokens_of(name):
    return next((tokens for prefix, tokens in TOKENS.items() if name.startswith(prefix)), ("<s>", "</s>"))


def render(text, name, messages):
    def refuse(message):
        raise jinja2.TemplateError(message)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals |= {"raise_exception": refuse, "strftime_now": DATE.strftime}
    beginning, end = tokens_of(name)
    return environment.from_string(text).render(
        messages=messages, add_generation_prompt=True, bos_token=beginning, eos_token=end, tools=None)


def conversations():
    """Conversations that begin with the user and take turns, with and without a system message, and some that do not."""
    draw = random.Random(5)
    for turns in (1, 1, 1, 3, 3, 5):
        for system in (False, True):
            roles = ["system"] * system + ["user", "assistant"] * (turns // 2) + ["user"]
            yield [{"role": role, "content": draw.choice(SAID)} for role in roles]
    for said in SAID:
        yield [{"role": "user", "content": said}]
        yield [{"role": "system", "content": said}, {"role": "user", "content": "Hi"}]
    for roles in ("user user", "assistant user", "user assistant", "system assistant user"):
        yield [{"role": role, "content": "Hi"} for role in roles.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    hashes, cases = {}, []
    for file in sorted(folder.glob("*.jinja")):
        name, text = file.stem.split("@")[0], file.read_text(encoding="utf-8")
        hashes.setdefault(name, []).append(f"{hash_of(text):016x}")
        for messages in conversations():
            case = {"template": name, "messages": messages}
            try:
                case["prompt"] = render(text, name, messages)
            except jinja2.TemplateError as error:
                case["error"] = str(error)
            if case not in cases:
                cases.append(case)
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    path = ROOT / "test/text/chat_cases.json"
    path.write_text(f'{{"date": "{DATE:%d %b %Y}",\n"hashes": {json.dumps(hashes)},\n"cases": [\n{lines}\n]}}\n', encoding="utf-8")
    print(json.dumps(hashes, indent=1))
    print(len(cases), "cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
