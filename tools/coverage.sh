#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the suite in a build that counts lines, and reports the coverage of the library and the program. Kernels are compiled
# for AVX2 only: the other instruction sets run the same lines.
#   tools/coverage.sh [folder]         (default build-coverage; the report is FOLDER/coverage.html)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh" gcovr
cd "$here"
build=${1:-build-coverage}
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DKUIPER_COVERAGE=ON \
  -DKUIPER_BUILD_DEMOS=OFF -DKUIPER_DISABLED_TARGETS="HWY_SSSE3|HWY_SSE4|HWY_AVX3" >/dev/null
cmake --build "$build"
export KUIPER_ISA=avx2
for program in "$build"/test/*_test; do
  # Tests of whole models are left out: counting makes them many times slower, and the cases of operators run the same lines.
  [ "$(basename "$program")" = zoo_test ] && continue
  "$program" >"$build/test.log" 2>&1 || { echo "$program"; tail -50 "$build/test.log"; exit 1; }
done
gcovr --root . --object-directory "$build" --filter source/ --filter include/ --exclude-throw-branches \
  --exclude-unreachable-branches --html "$build/coverage.html" --print-summary -j "$(nproc)"
