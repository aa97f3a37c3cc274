#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the checks that take too long for every change: all instruction sets, forced methods and passes, the suite compiled by clang under
# sanitizers, fuzzing, requests of the service from a grammar, races, 64-bit ARM and RISC-V, the core without libraries, programs without
# shared libraries, WebAssembly, Windows, exports by PyTorch, clang-tidy, the documents as a site. It has to pass before a larger piece of
# work is called done.
#   tools/check_deep.sh [STAGE ...]
# Without stages it runs all of them: variants sanitizers fuzzing requests races aarch64 emulated minimal static wasm windows exports
# tidy site.
set -euo pipefail
cd "$(dirname "$0")/.."

# run_all FOLDER [PROGRAM ...]: runs test programs of a build (default: all), as many at once as there are cores. It runs whole
# programs, because ctest's process for each test takes minutes longer. Their output stays in the folder.
run_all() {
  local folder=$1
  shift
  [ $# -gt 0 ] || set -- $(cd "$folder" && ls -S -- *_test)
  printf '%s\n' "$@" | (cd "$folder" && xargs -P "$(nproc)" -I{} sh -c \
    "./{} >{}.log 2>&1 || { echo {}; grep -v ' OK \| RUN ' {}.log | tail -80; exit 255; }")
  (cd "$folder" && cat "${@/%/.log}") | awk '/^\[  PASSED/ { tests += $4 } END { print tests " tests pass" }'
}

check_variants() {
  cmake --preset release -DKUIPER_BUILD_TESTS=ON -DKUIPER_BUILD_BENCH=ON >/dev/null
  cmake --build build >build/variants.log || { tail -50 build/variants.log; exit 1; }
  local isa setting method
  for isa in avx2 sse4 generic; do
    echo "KUIPER_ISA=$isa"
    KUIPER_ISA=$isa run_all build/test
  done
  for setting in KUIPER_CONVOLUTION=rows KUIPER_CONVOLUTION=segments KUIPER_CONVOLUTION=winograd2 KUIPER_FUSION=0 \
    KUIPER_PLACEMENT=0 OMP_NUM_THREADS=1; do
    echo "$setting"
    (export "${setting?}" && run_all build/test zoo_test op_cases_test)
  done
  # The cases' tolerances are for direct sums. F(4,3) is chosen for large layers only, which the zoo tests; F(6,3) is chosen
  # only after a measurement.
  for method in winograd4 winograd6; do
    echo "KUIPER_CONVOLUTION=$method"
    KUIPER_CONVOLUTION=$method run_all build/test zoo_test
  done
}

# The sanitized build is compiled by clang, whose warnings are errors, for the widest instruction set of this machine, because
# each instruction set has lines of its own.
sanitized_isa() { grep -q avx512vl /proc/cpuinfo && echo avx512 || echo avx2; }
build_sanitized() {
  local targets="HWY_SSSE3|HWY_SSE4|HWY_AVX3"
  [ "$(sanitized_isa)" = avx2 ] || targets="HWY_SSSE3|HWY_SSE4|HWY_AVX2"
  cmake --preset fuzz -DKUIPER_BUILD_TESTS=ON -DKUIPER_DISABLED_TARGETS="$targets" >/dev/null
  cmake --build build-fuzz >build-fuzz/build.log || { tail -50 build-fuzz/build.log; exit 1; }
  export LSAN_OPTIONS=suppressions=$PWD/test/fuzz/lsan.supp:print_suppressions=0
}
check_sanitizers() (
  build_sanitized
  KUIPER_ISA=$(sanitized_isa) run_all build-fuzz/test
)
check_fuzzing() (
  build_sanitized
  KUIPER_ISA=$(sanitized_isa) test/fuzz/run.sh build-fuzz 20
)
check_requests() {
  tools/python_test.sh --collect-only >/dev/null
  build-python/venv/bin/python tools/fuzz_service.py --count 10000 --seconds 900
}
check_races() { tools/check_races.sh; }
check_aarch64() { tools/check_aarch64.sh; }
check_minimal() {
  cmake --preset minimal >/dev/null
  cmake --build build-minimal >build-minimal/build.log || { tail -50 build-minimal/build.log; exit 1; }
  ctest --test-dir build-minimal --output-on-failure -j "$(nproc)" >build-minimal/test.log || { tail -50 build-minimal/test.log; exit 1; }
  tail -5 build-minimal/test.log
}
check_emulated() { tools/check_emulated.sh riscv64 wasm; }
check_static() {
  tools/build_static.sh --test
  tools/build_static.sh --aarch64 --test
}
check_wasm() {
  tools/build_wasm.sh --test
  tools/python_test.sh python/tests/test_web_page.py python/tests/test_web_threads.py
}
check_windows() { tools/build_windows.sh --test; }
check_exports() {
  tools/python_test.sh --collect-only >/dev/null
  [ -x build-python/torch/bin/python ] || python3 -m venv build-python/torch
  build-python/torch/bin/pip install -q --extra-index-url https://download.pytorch.org/whl/cpu torch==2.13.0 torchao pnnx numpy 'pytest>=8'
  PYTHONPATH=$(echo "$PWD"/build-python/venv/lib/python3*/site-packages) \
    build-python/torch/bin/python -m pytest -q python/tests/test_{export*,compare,streams}.py
}
check_tidy() { tools/check_tidy.sh; }
check_site() { tools/build_site.sh --test; }

[ $# -gt 0 ] || set -- variants sanitizers fuzzing requests races aarch64 emulated minimal static wasm windows exports tidy site
tools/install_dependencies.sh clang-14 libclang-rt-14-dev libomp-14-dev
for stage; do
  echo "== $stage"
  "check_$stage"
done
echo "deep checks pass: $*"
