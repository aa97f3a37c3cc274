#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that take builds of their own: races under ThreadSanitizer, and every fuzz target for some seconds (default 20).
#   tools/check_deep.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh clang-14 libclang-rt-14-dev libomp-14-dev

echo "== thread sanitizer"
# One thread a run: the sanitizer doesn't know libgomp's barriers. AVX2 alone: what matters here is above the kernels.
cmake --preset tsan -DKUIPER_BUILD_DEMOS=OFF -DKUIPER_DISABLED_TARGETS="HWY_SSSE3|HWY_SSE4|HWY_AVX3" >/dev/null
cmake --build build-tsan --target session_test run_options_test model_test >build-tsan/build.log || { tail -50 build-tsan/build.log; exit 1; }
for program in build-tsan/test/*_test; do
  OMP_NUM_THREADS=1 KUIPER_ISA=avx2 "$program" >build-tsan/test.log 2>&1 || { echo "$program"; tail -100 build-tsan/test.log; exit 1; }
  echo "$(basename "$program"): $(grep -E '^\[  PASSED' build-tsan/test.log)"
done

echo "== fuzzing"
cmake --preset fuzz >/dev/null
cmake --build build-fuzz >build-fuzz/build.log || { tail -50 build-fuzz/build.log; exit 1; }
test/fuzz/run.sh build-fuzz "${1:-20}"
