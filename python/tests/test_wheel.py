# SPDX-License-Identifier: MIT
"""What the installed package is made of: its module's libraries and symbols, its licenses, OpenBLAS, plugins."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import kuiper_infer
import tiny
from kuiper_infer import _core

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODULE = pathlib.Path(_core.__file__)

SINGULAR_VALUES = [
    "pnnx.Input pnnx_input_0 0 1 x #x=(30,20)f64",
    "torch.linalg.svdvals values 1 1 x y #y=(20)f64",
    "pnnx.Output pnnx_output_0 1 0 y",
]
WAVE = [  # an operator that only a plugin has
    "pnnx.Input pnnx_input_0 0 1 x #x=(2,3)f32",
    "net.Wave wave 1 1 x y @amplitude=(3)f32 @frequency=(1)f32 #x=(2,3)f32 #y=(2,3)f32",
    "nn.ReLU relu 1 1 y z #y=(2,3)f32 #z=(2,3)f32",
    "pnnx.Output pnnx_output_0 1 0 z",
]


def output_of(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], env=os.environ | environment, capture_output=True, text=True, timeout=120
    )


def test_the_module_brings_no_second_openmp_and_no_shared_openblas():
    code = """
import numpy  # which may have an OpenBLAS of its own
libraries = lambda: {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
before = libraries()
import kuiper_infer
print(*sorted(libraries() - before))
"""
    done = output_of(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
    names = [pathlib.Path(library).name for library in done.stdout.split()]
    assert MODULE.name in names
    assert not [name for name in names if any(word in name for word in ("gomp", "iomp", "openblas", "gfortran"))], names


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
def test_only_the_library_and_the_modules_entry_are_visible():
    lines = output_of("nm", "-D", "--defined-only", MODULE).stdout.splitlines()
    names = [line.split()[-1] for line in lines]
    assert "PyInit__core" in names
    strange = [name for name in names if name != "PyInit__core" and "kuiper_infer" not in name and "4pnnx" not in name]
    assert not strange, strange[:10]


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm (binutils) is not installed")
def test_the_module_needs_no_newer_libraries_than_wheels_promise():
    lines = output_of("nm", "-D", "--undefined-only", MODULE).stdout.splitlines()
    needed = [re.search(r" (\S+)@(GLIBC|GLIBCXX)_([0-9.]+)$", line) for line in lines]
    most = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29)}  # manylinux_2_34, see tools/build_wheels.sh
    newer = [each[0] for each in needed if each and tuple(map(int, each[3].split("."))) > most[each[2]]]
    assert len(needed) > 100 and not newer


def test_the_version_is_the_metadata_s_and_licenses_are_there():
    try:
        distribution = importlib.metadata.distribution("kuiper-infer")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed from a wheel")
    assert distribution.version == kuiper_infer.__version__
    licenses = {file.name for file in distribution.files or [] if "licenses" in file.parts}
    assert {"LICENSE", "nanobind.txt"} <= licenses
    if pathlib.Path("/usr/share/doc/libopenblas-serial-dev").exists():
        assert "libopenblas-serial-dev.txt" in licenses


# A core's kernels that OpenBLAS takes here, of those that are in the module and of those that others stand for; none:
# by the CPU.
@pytest.mark.parametrize(
    ("core", "instructions"),
    [("", ""), ("Prescott", ""), ("Barcelona", ""), ("Core2", ""), ("Nehalem", "sse4_2"), ("Bulldozer", "avx"),
     ("Excavator", "avx2"), ("Haswell", "avx2"), ("SkylakeX", "avx512f")],
)  # fmt: skip
def test_products_by_the_kernels_of_any_core(core, instructions, tmp_path):
    if instructions and instructions not in pathlib.Path("/proc/cpuinfo").read_text().split():
        pytest.skip(f"the CPU has no {instructions}")
    random = np.random.default_rng(3)
    a, b, matrix = (random.normal(size=shape) for shape in ((256, 24, 24), (256, 24, 24), (30, 20)))
    np.savez(tmp_path / "arrays.npz", a=a, b=b, matrix=matrix)
    params = []
    for name, graph in (("products", tiny.mean_of_products()), ("values", SINGULAR_VALUES)):
        (tmp_path / name).mkdir()
        params.append(tiny.write(tmp_path / name, graph))
    code = """
import sys, numpy as np, kuiper_infer
arrays = np.load(sys.argv[1])
mean = kuiper_infer.Model(sys.argv[2])(arrays["a"], arrays["b"])
values = kuiper_infer.Model(sys.argv[3])(arrays["matrix"])
print(repr(float(mean)), *(repr(float(value)) for value in values))
"""
    done = output_of(sys.executable, "-c", code, tmp_path / "arrays.npz", *params, OPENBLAS_CORETYPE=core)
    assert done.returncode == 0, done.stderr
    mean, *values = (float(word) for word in done.stdout.split())
    assert mean == pytest.approx((a @ b).mean(), abs=1e-12)
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False), rtol=1e-12)


def test_hypot_of_an_older_glibc_is_the_same_function(tmp_path):
    graph = [
        "pnnx.Input pnnx_input_0 0 1 x #x=(4)f64",
        "pnnx.Input pnnx_input_1 0 1 y #y=(4)f64",
        "torch.hypot hypot 2 1 x y z #z=(4)f64",
        "pnnx.Output pnnx_output_0 1 0 z",
    ]
    x, y = np.array([3.0, 1e200, np.inf, 0.1]), np.array([4.0, 1e200, np.nan, 0.2])
    np.testing.assert_array_equal(kuiper_infer.Model(tiny.write(tmp_path, graph))(x, y), np.hypot(x, y))


def compile_plugin(folder: pathlib.Path) -> pathlib.Path:
    """demos/plugin/wave.cpp as a shared object; skips the test where its headers or a compiler are missing."""
    headers = ["armadillo", "glog/logging.h"]
    compiler = shutil.which("g++")
    if compiler is None or not all(pathlib.Path("/usr/include", header).exists() for header in headers):
        pytest.skip("a compiler or the headers of Armadillo and glog are not installed")
    include, plugin = REPOSITORY / "include", folder / "wave.so"
    flags = ["-std=c++17", "-shared", "-fPIC", "-DARMA_DONT_USE_WRAPPER", f"-I{include}", f"-I{include}/kuiper_infer"]
    done = output_of(compiler, *flags, REPOSITORY / "demos/plugin/wave.cpp", "-o", plugin)
    assert done.returncode == 0, done.stderr
    return plugin


def test_the_program_loads_plugins(tmp_path):
    weights = {"wave.amplitude": np.float32([1, 2, 3]), "wave.frequency": np.float32([3])}
    param = tiny.write(tmp_path, WAVE, weights)
    x = 0.2 * np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "x.npy", x)
    program = [sys.executable, "-m", "kuiper_infer", "run", "--param", param, "--bin", tmp_path / "tiny.pnnx.bin"]
    program += ["--input", tmp_path / "x.npy", "--output-dir", tmp_path]
    without = output_of(*program)
    assert without.returncode != 0 and "net.Wave" in without.stderr
    done = output_of(*program, "--plugin", compile_plugin(tmp_path))
    assert done.returncode == 0, done.stderr
    expected = np.maximum(0, np.float32([1, 2, 3]) * np.sin(3 * x))
    np.testing.assert_allclose(np.load(tmp_path / "out0.npy"), expected, atol=1e-6)
