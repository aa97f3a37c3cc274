#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs clang-tidy over the library, the program and the demos, and fails on any finding. The static analyzer's checks are left
# out, because they double the time. Kernels are read for one instruction set: the other ones compile the same lines.
#   tools/check_tidy.sh [BUILD_FOLDER]        (default: build-tidy; only what the sources include is made there)
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh clang-14 clang-tidy-14 libomp-14-dev
build=${1:-build-tidy}
cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14 -DKUIPER_BUILD_TESTS=OFF \
  -DKUIPER_BUILD_DEMOS=ON -DKUIPER_DISABLED_TARGETS="HWY_SSSE3|HWY_SSE4|HWY_AVX2|HWY_AVX3" >/dev/null
cmake --build "$build" --target generated/source_hash.h >/dev/null
run-clang-tidy-14 -p "$build" -quiet -checks='-clang-analyzer-*' "$PWD/(source|demos)/.*" >"$build/log" 2>/dev/null ||
  { sed 's/\x1b\[[0-9;]*m//g' "$build/log" | grep -E '(warning|error):' | sort -u; exit 1; }
echo "clang-tidy: no finding"
