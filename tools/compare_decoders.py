#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares rates of token generation with those of other engines, on the same cores in the same run.

    pip install llama-cpp-python openvino-genai onnxruntime-genai mistralrs
    python3 tools/compare_decoders.py --model "int8, medium=kuiper=build/bin/kuiper:medium:tmp/models/smollm2_int8" \\
        --model "Q8_0=llama.cpp=smollm2.Q8_0.gguf" --threads 1,2 --lengths 128,1024,4096 --write docs/performance.md

A model is NAME=ENGINE=FILE (decoder_engines.py lists the engines): for kuiper PROGRAM:PRECISION:STEM[:STATE_TYPE], for llama.cpp and
mistral.rs a GGUF file, for openvino-genai a GGUF file or a folder, for onnxruntime-genai a folder. Engines take turns, so that other programs on the machine meet
all of them; of several rounds the best rate counts. --write puts the tables and a plot over the length into the document, between
the lines `<!-- decoders -->` and `<!-- end of decoders -->`.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

from cpu_name import cpu_name
from decoder_plot import picture_of, text_of

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run_once(engine, file, threads, lengths, prompt, python):
    command = [python, str(ROOT / "tools" / "decoder_engines.py"), engine, file, str(threads), ",".join(map(str, lengths)), str(prompt)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        print(f"{engine} {file}: {(result.stderr or result.stdout).strip()[-300:]}", file=sys.stderr)
        return None
    return json.loads(result.stdout.strip().splitlines()[-1])


def better(a, b):
    """The best rates of two measurements; either may be None."""
    if a is None or b is None:
        return a or b
    return {"decode": {key: max(a["decode"][key], b["decode"][key]) for key in a["decode"]}, "prompt": max(a["prompt"], b["prompt"]),
            "load_ms": min(a["load_ms"], b["load_ms"]), "peak_mib": min(a["peak_mib"], b["peak_mib"])}


def table(found, lengths, prompt):
    heads = [f"at {length:,}" for length in lengths] + [f"prompt of {prompt}", "load, ms", "peak, MiB"]
    lines = ["| engine | weights | " + " | ".join(heads) + " |", "|---" * (len(heads) + 2) + "|"]
    for (name, engine), rates in found.items():
        cells = [f"{rates['decode'][str(length)]:.1f}" for length in lengths]
        cells += [f"{rates[key]:.0f}" for key in ("prompt", "load_ms", "peak_mib")]
        lines.append(f"| {'**ours**' if engine == 'kuiper' else engine} | {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", required=True)
    parser.add_argument("--title", default="SmolLM2-135M")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--lengths", default="128,1024,4096")
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the other engines")
    parser.add_argument("--write", type=pathlib.Path)
    args = parser.parse_args()
    models = [each.split("=", 2) for each in args.model]
    lengths = [int(each) for each in args.lengths.split(",")]
    parts, plots = [], {}
    for threads in map(int, args.threads.split(",")):
        found = {}
        for _ in range(args.rounds):
            for name, engine, file in models:
                rates = run_once(engine, file, threads, lengths, args.prompt, args.python)
                found[name, engine] = better(found.get((name, engine)), rates)
        found = {key: rates for key, rates in found.items() if rates is not None}
        text = table(found, lengths, args.prompt)
        print(f"{args.title}, {threads} threads, {cpu_name()}\n{text}\n", flush=True)
        parts.append(f"### {args.title}, {threads} thread{'s' if threads > 1 else ''}\n\n{text}\n")
        plots[threads] = found
    if args.write:
        picture = args.write.parent / "pictures" / "decoders.svg"
        picture.with_suffix(".json").write_text(text_of(plots, lengths), encoding="utf-8")
        picture.write_text(picture_of(text_of(plots, lengths)), encoding="utf-8")
        parts.append(f"![Tokens per second over the length of context](pictures/{picture.name})\n")
        note = f"Tokens per second on {cpu_name()}; best of {args.rounds} rounds, in which the engines take turns.\n"
        text = args.write.read_text(encoding="utf-8")
        block = "<!-- decoders -->\n" + "\n".join([note, *parts]) + "<!-- end of decoders -->"
        args.write.write_text(re.sub(r"<!-- decoders -->.*<!-- end of decoders -->", lambda _: block, text, flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    main()
