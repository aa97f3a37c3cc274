# SPDX-License-Identifier: MIT
"""One engine's rates of token generation, in a process of its own: `python3 decoder_engines.py ENGINE MODEL THREADS LENGTHS PROMPT`.

Prints one JSON object: `decode` has the tokens per second at each length of context, `prompt` those of a prompt, `load_ms` the time
until the model can run, and `peak_mib` the process's peak of memory. Tokens are numbers without a meaning, the same for all engines.
compare_decoders.py runs it for each engine in turn.
"""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

STEPS = 48  # tokens behind each length: the median counts
REPEATS = 3  # of a prompt: the fastest counts


def numbers(count, seed=0):
    return [((i + 31 * seed) * 7919 + 13) % 20000 + 1000 for i in range(count)]


def median(values):
    return sorted(values)[len(values) // 2]


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(feed, reset, lengths, prompt):
    """Rates of an engine that takes tokens by `feed` and forgets them by `reset`."""

    def prompt_time():
        reset()
        return seconds(lambda: feed(numbers(prompt)))

    prompt_time()
    fastest = min(prompt_time() for _ in range(REPEATS))
    decode = {}
    for length in lengths:
        reset()
        given = numbers(length)
        for first in range(0, length, 512):
            feed(given[first : first + 512])
        feed([5])
        decode[length] = 1 / median([seconds(lambda: feed([1000 + i])) for i in range(STEPS)])
    return {"decode": decode, "prompt": prompt / fastest}


def kuiper(model, threads, lengths, prompt):
    """`model`: PROGRAM:PRECISION:STEM, or with :STATE_TYPE behind it."""
    program, precision, stem, *state_type = model.split(":")
    decode = {}
    for length in lengths:
        command = [program, "bench", "--param", f"{stem}.pnnx.param", "--bin", f"{stem}.pnnx.bin", "--decode", str(length),
                   "--prompt", str(prompt), "--threads", str(threads), "--precision", precision, "--seconds", "1.5", "--json",
                   "--state-type", *(state_type or ["auto"])]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        decode[length] = found["decode_tokens_per_s"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"decode": decode, "prompt": found["prompt_tokens_per_s"], "load_ms": found["load_ms"], "peak_mib": peak}


def llama_cpp(model, threads, lengths, prompt):
    import llama_cpp

    made = []
    load = seconds(lambda: made.append(llama_cpp.Llama(model, n_ctx=max(lengths) + STEPS + 8, n_batch=512, n_threads=threads,
                                                       n_threads_batch=threads, verbose=False)))
    return {**measure(made[0].eval, made[0].reset, lengths, prompt), "load_ms": load * 1e3}


def openvino_genai(model, threads, lengths, prompt):
    import numpy as np
    import openvino as ov
    import openvino_genai as genai

    made = []
    load = seconds(lambda: made.append(genai.LLMPipeline(model, "CPU", INFERENCE_NUM_THREADS=threads)))
    (pipeline,) = made

    def metrics(length, new, seed):  # another seed for each prompt: the pipeline keeps prefixes that it knows
        config = genai.GenerationConfig(max_new_tokens=new, ignore_eos=True, do_sample=False)
        given = ov.Tensor(np.array([numbers(length, seed)], np.int64))
        return pipeline.generate(given, config).perf_metrics

    metrics(prompt, 2, 0)
    fastest = min(metrics(prompt, 2, seed).get_ttft().mean for seed in range(1, REPEATS + 1)) * 1e-3
    decode = {length: 1e3 / metrics(length, STEPS, 100 + length).get_tpot().mean for length in lengths}
    return {"decode": decode, "prompt": prompt / fastest, "load_ms": load * 1e3}


def onnxruntime_genai(model, threads, lengths, prompt):
    import onnxruntime_genai as og

    file = pathlib.Path(model) / "genai_config.json"
    config = json.loads(file.read_text())
    config["model"]["decoder"]["session_options"]["intra_op_num_threads"] = threads
    file.write_text(json.dumps(config))
    made = []
    load = seconds(lambda: made.append(og.Model(model)))
    state = {}

    def reset():
        state.clear()
        params = og.GeneratorParams(made[0])
        params.set_search_options(max_length=max(lengths) + STEPS + 8, batch_size=1)
        state["generator"] = og.Generator(made[0], params)

    return {**measure(lambda tokens: state["generator"].append_tokens(tokens), reset, lengths, prompt), "load_ms": load * 1e3}


def mistral_rs(model, threads, lengths, prompt):
    """It takes texts: a prompt of a length has that many words of one token each, and a few tokens of the template."""
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    import mistralrs

    folder, file = os.path.split(model)
    made = []
    which = mistralrs.Which.GGUF(quantized_model_id=folder, quantized_filename=file)
    load = seconds(lambda: made.append(mistralrs.Runner(which=which, prefix_cache_n=0)))

    def usage(length, new, word):  # another word for each prompt, so that no prefix is known
        request = mistralrs.CompletionRequest(model="x", prompt=word * length, max_tokens=new, temperature=0.0)
        return made[0].send_completion_request(request).usage

    usage(8, 2, " and")
    rate = max(usage(prompt, 2, word).avg_prompt_tok_per_sec for word in (" the", " of", " in"))
    decode = {length: usage(length, STEPS, " to").avg_compl_tok_per_sec for length in lengths}
    return {"decode": decode, "prompt": rate, "load_ms": load * 1e3}


ENGINES = {"kuiper": kuiper, "llama.cpp": llama_cpp, "openvino-genai": openvino_genai, "onnxruntime-genai": onnxruntime_genai,
           "mistral.rs": mistral_rs}


def main():
    engine, model, threads, lengths, prompt = sys.argv[1:]
    os.environ["OMP_NUM_THREADS"] = threads
    found = ENGINES[engine](model, int(threads), [int(each) for each in lengths.split(",")], int(prompt))
    found.setdefault("peak_mib", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
