#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the kernels and their tests for 64-bit ARM and runs them in QEMU's emulation. Only the cross compiler and QEMU are
# installed into the system.
#   tools/check_aarch64.sh [BUILD_FOLDER]        (default: build-aarch64)
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install_dependencies.sh g++-aarch64-linux-gnu qemu-user
build=${1:-build-aarch64}
mkdir -p "$build"
build=$(cd "$build" && pwd)
root=$build-root  # outside: CMake allows no libraries within the build folder
tools/arm64_root.sh "$root" libarmadillo-dev libopenblas-openmp-dev libhwy-dev libgoogle-glog-dev libdeflate-dev nlohmann-json3-dev \
  libcli11-dev libgtest-dev libgmock-dev libgomp1

export KUIPER_ROOT=$root QEMU_LD_PREFIX=$root
export QEMU_SET_ENV=LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu/openblas-openmp,OMP_NUM_THREADS=1
cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DCMAKE_BUILD_TYPE=Release \
  -DKUIPER_WARNINGS_AS_ERRORS=ON -DKUIPER_BUILD_TESTS=ON -DKUIPER_BUILD_CLI=OFF >"$build/log" ||
  { tail -30 "$build/log"; exit 1; }
cmake --build "$build" --target test/kernel/all >"$build/log" || { tail -50 "$build/log"; exit 1; }
for program in "$build"/test/*_test; do
  qemu-aarch64 "$program" >"$build/log" 2>&1 || { echo "$program"; tail -60 "$build/log"; exit 1; }
  echo "aarch64 $(basename "$program"): $(grep -E '^\[  PASSED' "$build/log")"
done
