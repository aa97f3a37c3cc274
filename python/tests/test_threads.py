# SPDX-License-Identifier: MIT
"""Threads beside PyTorch's, of several callers, by OMP_NUM_THREADS. Each case is a process of its own, since what was
imported first, and the variable, count for a whole process."""

import importlib.util
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tiny

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
CORES = len(os.sched_getaffinity(0))

CONVOLUTION = [
    "pnnx.Input pnnx_input_0 0 1 x #x=(1,8,96,96)f32",
    "nn.Conv2d conv 1 1 x y bias=False dilation=(1,1) groups=1 in_channels=8 kernel_size=(3,3) out_channels=32 "
    "padding=(1,1) padding_mode=zeros stride=(1,1) @weight=(32,8,3,3)f32 #y=(1,32,96,96)f32",
    "pnnx.Output pnnx_output_0 1 0 y",
]

HELPERS = """
import os, pathlib, sys
import numpy as np

def helpers():
    "The library's threads beside the calling one."
    names = [(task / "comm").read_text().strip() for task in pathlib.Path("/proc/self/task").iterdir()]
    return names.count("kuiper_helper")
"""


def run(code: str, *arguments: object, **environment: str) -> str:
    """The output of a process that runs `code`, in which OMP_NUM_THREADS is set only if `environment` says so."""
    variables = {key: value for key, value in os.environ.items() if key != "OMP_NUM_THREADS"} | environment
    done = subprocess.run(
        [sys.executable, "-c", HELPERS + textwrap.dedent(code), *map(str, arguments)],
        env=variables, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def convolution(tmp_path):
    weight = np.random.default_rng(1).normal(size=(32, 8, 3, 3)).astype(np.float32)
    return tiny.write(tmp_path, CONVOLUTION, {"conv.weight": weight})


@needs_torch
@pytest.mark.parametrize("order", [("torch", "kuiper_infer"), ("kuiper_infer", "torch")])
def test_pytorch_and_the_library_leave_each_others_threads_alone(order, convolution):
    code = """
    import importlib
    for name in sys.argv[3:]:
        importlib.import_module(name)
    import kuiper_infer, torch
    param, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    weight = np.random.default_rng(1).normal(size=(32, 8, 3, 3)).astype(np.float32)
    x = np.random.default_rng(2).normal(size=(1, 8, 96, 96)).astype(np.float32)

    def expected():
        return torch.nn.functional.conv2d(torch.from_numpy(x), torch.from_numpy(weight), padding=1).numpy()

    def busy_threads(call):
        "Those of the process that got time on a CPU while `call` ran again and again."
        def times():
            tasks = pathlib.Path("/proc/self/task").iterdir()
            return {task.name: int((task / "schedstat").read_text().split()[0]) for task in tasks}
        call()
        before = times()
        for _ in range(50):
            call()
        return sum(time - before.get(task, 0) > 1_000_000 for task, time in times().items())

    of_torch = busy_threads(expected)
    for wanted in (1, threads):
        model = kuiper_infer.Model(param, threads=wanted)
        for _ in range(20):
            assert np.abs(model(x) - expected()).max() < 1e-5 * np.abs(expected()).max()
        assert helpers() == wanted - 1, f"{helpers()} helpers for {wanted} threads"
    assert torch.get_num_threads() == threads
    assert busy_threads(expected) == of_torch, "threads of PyTorch's work"
    runtimes = {line.split()[-1] for line in open("/proc/self/maps") if "gomp" in line or "iomp" in line}
    assert len(runtimes) == 1, runtimes
    print("done")
    """
    assert run(code, convolution, min(CORES, 2), *order) == "done"


@pytest.mark.parametrize(("variable", "expected"), [("1", 1), ("2", 2), ("2,1", 2), ("", None)])
def test_omp_num_threads_counts_where_no_number_is_given(variable, expected, convolution):
    code = """
    import kuiper_infer
    model = kuiper_infer.Model(sys.argv[1])
    for _ in range(20):
        model(np.zeros((1, 8, 96, 96), np.float32))
    print(helpers() + 1)
    """
    used = int(run(code, convolution, OMP_NUM_THREADS=variable))
    assert used <= CORES if expected is None else used == expected


def test_a_threads_argument_counts_more_than_the_variable(convolution):
    code = """
    import kuiper_infer
    kuiper_infer.Model(sys.argv[1], threads=1)(np.zeros((1, 8, 96, 96), np.float32))
    print(helpers())
    """
    assert run(code, convolution, OMP_NUM_THREADS="2") == "0"


@pytest.mark.parametrize("value", ["many", "0", "-2", "2x"])
def test_a_variable_without_a_number_is_an_error_that_names_it(value, convolution):
    code = """
    import kuiper_infer
    try:
        kuiper_infer.Model(sys.argv[1])(np.zeros((1, 8, 96, 96), np.float32))
    except kuiper_infer.KuiperError as error:
        assert error.code == kuiper_infer.ErrorCode.ARGUMENT, error.code
        print(error)
    """
    text = run(code, convolution, OMP_NUM_THREADS=value)
    assert f"OMP_NUM_THREADS is '{value}', expected a number of threads" in text


def test_products_of_several_callers_are_right(tmp_path):
    """OpenBLAS gives each call a buffer; calls at once must not get the same one."""
    code = """
    import concurrent.futures, kuiper_infer
    model = kuiper_infer.Model(sys.argv[1], threads=1)

    def wrong_means(number):
        a, b = np.full((256, 24, 24), number + 1.0), np.ones((256, 24, 24))
        return sum(int(model(a, b) != 24 * (number + 1)) for _ in range(3000))

    with concurrent.futures.ThreadPoolExecutor(4) as callers:
        print(sum(callers.map(wrong_means, range(4))))
    """
    assert run(code, tiny.write(tmp_path, tiny.mean_of_products())) == "0"


def test_children_compute_that_were_forked_during_products(tmp_path):
    code = """
    import signal, threading, kuiper_infer
    arrays = np.ones((256, 24, 24)), np.ones((256, 24, 24))
    busy, other = (kuiper_infer.Model(sys.argv[1], threads=1) for _ in range(2))
    stop = threading.Event()

    def compute():
        while not stop.is_set():
            busy(*arrays)

    computing = threading.Thread(target=compute)
    computing.start()
    codes = []
    for _ in range(200):
        child = os.fork()
        if child == 0:
            signal.alarm(30)  # ends it where it waits for ever
            os._exit(0 if other(*arrays) == 24 else 1)
        codes.append(os.waitpid(child, 0)[1])
    stop.set()
    computing.join()
    print(codes.count(0))
    """
    assert run(code, tiny.write(tmp_path, tiny.mean_of_products())) == "200"
