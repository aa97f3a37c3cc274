#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the tests of concurrent use under ThreadSanitizer and runs them.
#   tools/check_races.sh [BUILD_FOLDER]        (default: build-tsan)
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh
build=${1:-build-tsan}

# One thread a run: the sanitizer doesn't see how libgomp's threads wait for one another and reports races in every parallel
# region, so a test that asks for several threads is left out. AVX2 alone: what matters here is above the kernels.
cmake --preset tsan -B "$build" -DKUIPER_BUILD_DEMOS=OFF -DKUIPER_DISABLED_TARGETS="HWY_SSSE3|HWY_SSE4|HWY_AVX3" >/dev/null
tests="session_test run_options_test model_test"
# shellcheck disable=SC2086  # a list of words
cmake --build "$build" --target $tests >"$build/build.log" || { tail -50 "$build/build.log"; exit 1; }
for test in $tests; do
  OMP_NUM_THREADS=1 KUIPER_ISA=avx2 "$build/test/$test" --gtest_filter=-ModelTest.ThreadsOfAllRunsAndOfOne \
    >"$build/test.log" 2>&1 || { echo "$test"; tail -100 "$build/test.log"; exit 1; }
  echo "$test under ThreadSanitizer: $(grep -aE '^\[  PASSED' "$build/test.log")"
done
