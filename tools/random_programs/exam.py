# SPDX-License-Identifier: MIT
"""Exports a random program, runs it, and says how the result compares with PyTorch's."""
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import warnings

import numpy as np
import torch

from make_op_cases import converter, shape_option

from .program import flatten, largest_error, random_program

OUTCOMES = {
    "equal": "shapes, element types and values are PyTorch's",
    "wrong": "a result differs, and the converter is not to blame",
    "refused": "an error message",
    "crashed": "the process ended by a signal or ran for a minute",
    "lost": "the converter's own Python twin of the model fails or differs from PyTorch as well",
    "not converted": "PyTorch cannot trace or export the program, or the converter gives no model",
}
LONGEST = 60  # seconds


def difference(results, expected, tolerance):
    """Returns a text that says how the results differ; it is empty if they are equal."""
    if len(results) != len(expected):
        return f"{len(results)} outputs, PyTorch {len(expected)}"
    for k, (result, wanted) in enumerate(zip(results, expected)):
        if not torch.is_tensor(result):
            return f"output {k} is {result!r}"
        if result.shape != wanted.shape or result.dtype != wanted.dtype:
            return (f"output {k} is {result.dtype} {tuple(result.shape)}, PyTorch {wanted.dtype} {tuple(wanted.shape)}")
        error = largest_error(result, wanted)
        if error > (tolerance if wanted.is_floating_point() else 0):
            return f"output {k} differs by {error:.2g}, allowed {tolerance:.2g}"
    return ""


def raw(name):
    """Returns a function that takes the arguments of an ATen operator by position, as raw operators in files do."""
    def call(*given):
        packet = getattr(torch.ops.aten, name)
        for overload in (getattr(packet, word) for word in packet.overloads()):
            named = dict(zip((argument.name for argument in overload._schema.arguments), given))
            try:
                return overload(**named)
            except (RuntimeError, TypeError):
                continue
        raise RuntimeError(f"no overload of {name} takes the arguments")
    return call


def run_twin(folder, inputs):
    """Runs the converter's Python file and returns its outputs. Lines that are not Python are mended first: raw operators become
    calls, a tuple of one array gives the array, and words get quotes. Raises what the file raises."""
    param = pathlib.Path(folder, "model.pnnx.param").read_text(encoding="utf-8")
    if re.search(r"(?m)^Tensor\.(?:fill|index_put) .* values?=None ", param):  # the Python file has False for it
        raise ValueError("the converter lost the value of an assignment")
    text = pathlib.Path(folder, "model_pnnx.py").read_text(encoding="utf-8")
    text = re.sub(r" = aten::(\w+)\(", r" = raw('\1')(", text)
    text = re.sub(r"(?m)^( *\w+ = torch\.(?:chunk|split|tensor_split|unbind)\(.*\))$", r"\1[0]", text)  # one result
    text = re.sub(r"(?m)^( *\w+ = )([a-z]+)$", r"\1'\2'", text)  # a word
    scope = {"__name__": "twin", "raw": raw}
    here = os.getcwd()
    os.chdir(folder)
    try:
        exec(text, scope)
        with torch.no_grad():
            return flatten(scope["Model"]().eval()(*(tensor.clone() for tensor in inputs)))
    finally:
        os.chdir(here)


def run_kuiper(kuiper, folder, inputs):
    """Returns (the process, the outputs)."""
    command = [kuiper, "run", "--param", "model.pnnx.param", "--bin", "model.pnnx.bin", "--output-dir", "out", "--threads", "1"]
    with open(os.path.join(folder, "model.pnnx.param"), encoding="utf-8") as param:
        text = param.read()
    for k, tensor in enumerate(inputs):
        name = f"pnnx_input_{k}"
        if f" {name} " in text:
            np.save(os.path.join(folder, f"in{k}.npy"), tensor.numpy())
            command += ["--input", f"{name}=in{k}.npy"]
    os.mkdir(os.path.join(folder, "out"))
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    outputs = []
    while (path := pathlib.Path(folder, "out", f"out{len(outputs)}.npy")).exists():
        outputs.append(torch.from_numpy(np.load(path)))
    return run, outputs


def judge(kuiper, program, folder):
    """Returns (outcome, explanation)."""
    inputs = program.inputs
    try:
        with torch.no_grad():
            traced = torch.jit.trace(program.make_model(), tuple(tensor.clone() for tensor in inputs), check_trace=False)
        traced.save(os.path.join(folder, "model.pt"))
    except Exception as error:  # for example a number that the tracer cannot keep
        return "not converted", repr(error)[:200]
    command = [converter(), "model.pt", "inputshape=" + shape_option(inputs), "fp16=0"]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return "not converted", f"the converter ran for more than {LONGEST} s"
    param = pathlib.Path(folder, "model.pnnx.param")
    if not param.exists() or not param.stat().st_size:  # the converter may end by a signal, early or while it writes
        return "not converted", run.stderr[-200:]
    try:
        run, outputs = run_kuiper(kuiper, folder, inputs)
    except subprocess.TimeoutExpired:
        return "crashed", f"it ran for more than {LONGEST} s"
    if run.returncode < 0 or "Sanitizer" in run.stderr:
        return "crashed", f"signal {-run.returncode}: {run.stderr[-1000:]}"
    words = run.stderr.strip()[-400:] if run.returncode else difference(outputs, program.expected, program.tolerance)
    if not words:
        return "equal", ""
    try:
        twin = run_twin(folder, inputs)
    except Exception as error:  # a twin may fail in any way
        return "lost", f"{words}; the twin fails: {repr(error)[:200]}"
    fault = difference(twin, program.expected, program.tolerance)
    if fault and (run.returncode or not difference(outputs, twin, program.tolerance)):
        return "lost", f"{words}; the twin: {fault}"
    return ("refused" if run.returncode else "wrong"), words + (f"; the twin: {fault}" if fault else "")


@contextlib.contextmanager
def program_in(seed, keep):
    """Gives the program of the seed and a folder for its files: `keep` or, if that is None, one that is removed again."""
    program = random_program(seed)
    with tempfile.TemporaryDirectory() as folder:
        if keep is not None:
            os.makedirs(keep, exist_ok=True)
        yield program, folder if keep is None else keep


def describe(program):
    """Returns the program's source under a line with its inputs."""
    inputs = ", ".join(f"x{k} {str(tensor.dtype)[6:]} {tuple(tensor.shape)}" for k, tensor in enumerate(program.inputs))
    return f"# {inputs}\n{program.source}"


def examine(kuiper, seed, keep=None):
    """Returns (seed, outcome, explanation, the program's source). The files stay in the folder `keep` if it is given."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    with program_in(seed, keep) as (program, folder):
        outcome, words = judge(kuiper, program, folder)
    return seed, outcome, words, describe(program)
