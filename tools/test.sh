#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds everything and runs the whole suite. Arguments go to ctest, for example: tools/test.sh -R Tensor
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/tools/install_dependencies.sh"
cd "$here"
cmake --preset release -DKUIPER_BUILD_TESTS=ON -DKUIPER_BUILD_BENCH=ON >/dev/null
cmake --build build
ctest --test-dir build --output-on-failure -j "$(nproc)" "$@"
