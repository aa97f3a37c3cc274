#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the tests of concurrent use under ThreadSanitizer and runs them.
#   tools/check_races.sh [BUILD_FOLDER]        (default: build-tsan)
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
build=${1:-build-tsan}

# AVX2 alone: races are looked for above the kernels.
cmake --preset tsan -B "$build" -DKUIPER_BUILD_DEMOS=OFF -DKUIPER_DISABLED_TARGETS="HWY_SSSE3|HWY_SSE4|HWY_AVX3" >/dev/null
export KUIPER_ISA=avx2  # also while tests are listed
tests="utils_test data_test session_test run_options_test weight_reading_test model_test array_layer_test"
# shellcheck disable=SC2086  # a list of words
cmake --build "$build" --target $tests >"$build/build.log" || { tail -50 "$build/build.log"; exit 1; }
for test in $tests; do
  for threads in 1 4; do
    OMP_NUM_THREADS=$threads "$build/test/$test" >"$build/test.log" 2>&1 ||
      { echo "$test"; tail -100 "$build/test.log"; exit 1; }
    echo "$test under ThreadSanitizer, $threads threads: $(grep -aE '^\[  PASSED' "$build/test.log")"
  done
done
