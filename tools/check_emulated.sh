#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the core (KUIPER_MINIMAL) and its tests for another CPU and runs them in an emulator: QEMU, or Node for WebAssembly.
#   tools/check_emulated.sh CPU ...        CPU: arm, riscv64 or wasm. 64-bit ARM has a script of its own, tools/check_aarch64.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { echo "usage: tools/check_emulated.sh CPU ..." >&2; exit 1; }

# check CPU OPTION ...: builds build-CPU-tests with these options of CMake and the libraries in build-CPU-root, and runs the tests.
check() {
  local cpu=$1 build=build-$1-tests root=$PWD/build-$1-root
  shift
  local options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_FIND_ROOT_PATH="$root" "$@")
  if [ ! -e "$root/complete" ]; then
    mkdir -p "$root/include"
    # Of Debian's headers only those that are the same on every platform: /usr/include itself is for this machine's C library.
    for header in armadillo armadillo_bits boost hwy; do ln -sfn "/usr/include/$header" "$root/include/$header"; done
    cmake -S /usr/src/googletest -B "$root/googletest" -DCMAKE_INSTALL_PREFIX="$root" "${options[@]}" >"$root/log"
    cmake --build "$root/googletest" --target install >"$root/log" || { tail -30 "$root/log"; exit 1; }
    touch "$root/complete"
  fi
  mkdir -p "$build"
  python3 tools/store_archives.py test/data/op_cases "$build/op_cases"
  cmake -S . -B "$build" -DKUIPER_MINIMAL=ON -DKUIPER_BUILD_TESTS=ON \
    -DKUIPER_ARMADILLO_INCLUDE_DIR="$root/include" -DKUIPER_HIGHWAY_INCLUDE_DIR="$root/include" "${options[@]}" >"$build/log" ||
    { tail -30 "$build/log"; exit 1; }
  cmake --build "$build" >"$build/log" || { tail -50 "$build/log"; exit 1; }
  OMP_NUM_THREADS=1 ctest --test-dir "$build" --output-on-failure -j "$(nproc)" >"$build/test.log" || { tail -80 "$build/test.log"; exit 1; }
  echo "$cpu: $(tail -4 "$build/test.log" | grep 'tests passed')"
}

# check_linux CPU TRIPLE: by Debian's cross compiler, which calls the CPU that.
check_linux() {
  tools/install_dependencies.sh "g++-$2" qemu-user googletest
  KUIPER_TRIPLE=$2 check "$1" -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/cross.cmake" -DKUIPER_WARNINGS_AS_ERRORS=ON
}

# Node reads the tests' files itself; Emscripten would fetch the programs, which Node does from addresses only.
check_wasm() {
  tools/install_dependencies.sh emscripten libboost-dev nodejs googletest
  NODE_PATH=/usr/share/nodejs check wasm -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake \
    -DCMAKE_CXX_FLAGS="-msimd128 -fwasm-exceptions" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DKUIPER_THREADS=none \
    -DCMAKE_CROSSCOMPILING_EMULATOR="node;--no-experimental-fetch" \
    -DCMAKE_EXE_LINKER_FLAGS="-sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB"
}

for cpu; do
  case $cpu in
    arm) check_linux arm arm-linux-gnueabihf ;;
    riscv64) check_linux riscv64 riscv64-linux-gnu ;;
    wasm) check_wasm ;;
    *) echo "'$cpu' is not a CPU of this script, expected arm, riscv64 or wasm" >&2; exit 1 ;;
  esac
done
