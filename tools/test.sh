#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds everything and runs the whole suite. Arguments go to ctest, which knows the programs of the suite: tools/test.sh -R tensor. A
# program runs single tests of its own: build/test/tensor_test --gtest_filter='*Reshape*'.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh"
cd "$here"
cmake --preset release -DKUIPER_BUILD_TESTS=ON -DKUIPER_BUILD_BENCH=ON >/dev/null
cmake --build build
status=0
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@" || status=$?
awk '/^\[  PASSED  \] [0-9]+ test/ { passed += $4 } /^\[  FAILED  \] [0-9]+ test/ { failed += $4 } /^\[  SKIPPED \] [0-9]+ test/ { skipped += $4 }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' build/Testing/Temporary/LastTest.log
exit $status
