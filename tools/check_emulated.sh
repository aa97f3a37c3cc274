#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the core (KUIPER_MINIMAL) and its tests for another CPU and runs them in QEMU's emulation.
#   tools/check_emulated.sh CPU ...        CPU: arm or riscv64. 64-bit ARM has a script of its own, tools/check_aarch64.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: tools/check_emulated.sh CPU ..." >&2; exit 1; }

# check CPU TRIPLE
check() {
  local build=build-$1
  export KUIPER_TRIPLE=$2 KUIPER_ROOT=$PWD/build-$1-root
  tools/install_dependencies.sh "g++-$2" qemu-user googletest
  if [ ! -e "$KUIPER_ROOT/complete" ]; then
    mkdir -p "$KUIPER_ROOT/include"
    # Of Debian's headers only those that are the same on every platform: /usr/include itself is for this machine's C library.
    for header in armadillo armadillo_bits hwy; do ln -sfn "/usr/include/$header" "$KUIPER_ROOT/include/$header"; done
    cmake -S /usr/src/googletest -B "$KUIPER_ROOT/googletest" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross.cmake" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$KUIPER_ROOT" >"$KUIPER_ROOT/log"
    cmake --build "$KUIPER_ROOT/googletest" --target install >"$KUIPER_ROOT/log" || { tail -30 "$KUIPER_ROOT/log"; exit 1; }
    touch "$KUIPER_ROOT/complete"
  fi
  mkdir -p "$build"
  python3 tools/store_archives.py test/data/op_cases "$build/op_cases"
  cmake -S . -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross.cmake" -DCMAKE_BUILD_TYPE=Release -DKUIPER_MINIMAL=ON \
    -DKUIPER_BUILD_TESTS=ON -DKUIPER_WARNINGS_AS_ERRORS=ON >"$build/log" || { tail -30 "$build/log"; exit 1; }
  cmake --build "$build" >"$build/log" || { tail -50 "$build/log"; exit 1; }
  OMP_NUM_THREADS=1 ctest --test-dir "$build" --output-on-failure -j "$(nproc)" >"$build/test.log" || { tail -80 "$build/test.log"; exit 1; }
  echo "$1: $(tail -4 "$build/test.log" | grep 'tests passed')"
}

for cpu; do
  case $cpu in
    arm) check arm arm-linux-gnueabihf ;;
    riscv64) check riscv64 riscv64-linux-gnu ;;
    *) echo "'$cpu' is not a CPU of this script, expected arm or riscv64" >&2; exit 1 ;;
  esac
done
