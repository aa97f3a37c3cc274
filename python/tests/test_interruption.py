# SPDX-License-Identifier: MIT
"""Ctrl-C, which arrives while C++ code computes: the signal comes from the process itself, after a moment."""

import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import tiny
from kuiper_infer import KuiperError, Model, register

STEPS = 4000  # of some milliseconds each: far longer than a test waits
SIZE = 384
AFTER = 0.5  # seconds until the signal
LIMIT = 1.5  # seconds from there to the end; it is 0.05 and a step where the machine is idle


@pytest.fixture(autouse=True, scope="module")
def children_heed_ctrl_c():
    """Shells start background jobs with SIGINT ignored. Children inherit that, unless their parent has a handler."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def products(folder) -> str:
    """x @ x @ x ..., a step each."""
    shape = f"({SIZE},{SIZE})f32"
    lines = [f"pnnx.Input pnnx_input_0 0 1 p0 #p0={shape}"]
    lines += [f"torch.matmul m{i} 2 1 p{i} p0 p{i + 1} #p{i + 1}={shape}" for i in range(STEPS)]
    return tiny.write(folder, [*lines, f"pnnx.Output pnnx_output_0 1 0 p{STEPS}"])


def interrupted(code: str, *arguments: str) -> subprocess.CompletedProcess:
    """Runs code that may call `soon()`; prints the exception and whether it came within the limit."""
    frame = f"""
    import os, signal, sys, threading, time
    import numpy as np
    import kuiper_infer

    def soon():
        def send():
            time.sleep({AFTER})
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=send, daemon=True).start()

    sent = []
    x = np.zeros(({SIZE}, {SIZE}), np.float32)
    try:
        exec(compile({textwrap.dedent(code)!r}, "code", "exec"))
        print("ended")
    except BaseException as error:
        print(type(error).__name__, "in time" if time.monotonic() - sent[0] < {LIMIT} else "late")
    """
    run = [sys.executable, "-c", textwrap.dedent(frame), *arguments]
    return subprocess.run(run, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def long_model(tmp_path_factory):
    return products(tmp_path_factory.mktemp("long"))


@pytest.mark.parametrize(
    "call",
    [
        "model(x)",
        "model(x, options=kuiper_infer.RunOptions(progress=lambda *step: None))",
        "model(x, options=kuiper_infer.RunOptions(deadline=time.monotonic() + 3600))",
    ],
)
def test_ends_a_run(long_model, call):
    done = interrupted(f"model = kuiper_infer.Model(sys.argv[1], threads=1)\nsoon()\n{call}", long_model)
    assert done.stdout == "KeyboardInterrupt in time\n", done.stdout + done.stderr


@pytest.mark.parametrize(
    "call", ["profile(x, runs=10**9)", "graph_text(x, runs=10**9)", "report('/dev/null', x, runs=10**9)"]
)
def test_ends_measurements(line_reader, call):
    code = f"""
    model = kuiper_infer.Model(sys.argv[1], threads=1)
    x = np.zeros((1, 1, 32, 64), np.float32)
    soon()
    model.{call}
    """
    done = interrupted(code, line_reader)
    assert done.stdout == "KeyboardInterrupt in time\n", done.stdout + done.stderr


def test_a_handler_of_ones_own_counts(long_model):
    code = """
    def stop(*_):
        raise LookupError
    signal.signal(signal.SIGINT, stop)
    model = kuiper_infer.Model(sys.argv[1], threads=1)
    soon()
    model(x)
    """
    assert interrupted(code, long_model).stdout == "LookupError in time\n"


def test_a_model_runs_again_after_an_interruption(long_model):
    code = """
    model = kuiper_infer.Model(sys.argv[1], threads=1)
    soon()
    try:
        model(x)
    except KeyboardInterrupt:
        token = kuiper_infer.CancelToken()
        steps = kuiper_infer.RunOptions(cancel=token, progress=lambda *_: token.cancel())
        try:
            model(x, options=steps)
        except kuiper_infer.KuiperError as error:
            assert error.code.name == "CANCELLED"
            raise EOFError
    """
    assert interrupted(code, long_model).stdout == "EOFError in time\n"


def test_other_threads_go_on(line_reader):
    """A run of another thread is nobody's to interrupt."""
    code = """
    model = kuiper_infer.Model(sys.argv[1], threads=1)
    image = np.zeros((1, 1, 32, 64), np.float32)
    runs, stop = [], threading.Event()
    def serve():
        while not stop.is_set():
            runs.append(model(image).shape)
    thread = threading.Thread(target=serve)
    thread.start()
    soon()
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        count = len(runs)
        while len(runs) < count + 5:
            time.sleep(0.01)
        stop.set()
        thread.join()
        raise
    """
    assert interrupted(code, line_reader).stdout == "KeyboardInterrupt in time\n"


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_stays_what_it_is_inside_an_operator(raised):
    def load(**functions):
        lines = tiny.identity()
        lines[1:] = [f"test.{raised.__name__} mine 1 1 x y", "pnnx.Output pnnx_output_0 1 0 y"]
        register(f"test.{raised.__name__}", **functions)(compute)
        return Model(tiny.param(lines), tiny.archive({}))

    def compute(x):
        raise raised(5)

    def shapes(shape):
        raise raised(6)

    with pytest.raises(raised) as error:
        load()(np.zeros((1, 3), np.float32))
    assert error.value.args == (5,)
    assert error.traceback[-1].name == "compute"
    with pytest.raises(raised) as error:
        load(shapes=shapes)
    assert error.value.args == (6,)


def test_errors_of_operators_are_errors():
    register("test.Raises")(lambda x: 1 / 0)
    lines = tiny.identity()
    lines[1:] = ["test.Raises mine 1 1 x y", "pnnx.Output pnnx_output_0 1 0 y"]
    with pytest.raises(KuiperError) as error:
        Model(tiny.param(lines), tiny.archive({}))(np.zeros((1, 3), np.float32))
    assert isinstance(error.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("ignored", [False, True])
def test_the_program(line_reader, ignored):
    """It ends by the signal, without a traceback, unless it was started as background jobs of shells are."""
    start = f"import signal; signal.signal(signal.SIGINT, signal.{'SIG_IGN' if ignored else 'SIG_DFL'})\n"
    start += "import os, sys; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    files = ["--param", line_reader, "--bin", line_reader.replace(".param", ".bin")]
    command = ["-m", "kuiper_infer", "bench", *files, "--threads", "1", "--shape", "pnnx_input_0=1,1,32,64"]
    with subprocess.Popen(
        [sys.executable, "-c", start, *command, "--seconds", "4" if ignored else "60"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        time.sleep(2.5)
        begin = time.monotonic()
        program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=60)
    if ignored:
        assert program.returncode == 0, errors
    else:
        assert time.monotonic() - begin < LIMIT
        assert program.returncode != 0 or output
        assert "Traceback" not in errors
