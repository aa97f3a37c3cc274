# SPDX-License-Identifier: MIT
# Cross compilation for 64-bit ARM, for tools/check_aarch64.sh and tools/build_static.sh. The environment's KUIPER_ROOT is a folder with the
# libraries of that architecture.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(KUIPER_ROOT $ENV{KUIPER_ROOT} CACHE PATH "Root of the libraries")
set(CMAKE_FIND_ROOT_PATH ${KUIPER_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Debian's headers that differ from one architecture to another are in a folder of their own.
set(CMAKE_CXX_FLAGS_INIT "-idirafter ${KUIPER_ROOT}/usr/include/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-Wl,-rpath-link,${KUIPER_ROOT}/usr/lib/aarch64-linux-gnu -Wl,-rpath-link,${KUIPER_ROOT}/lib/aarch64-linux-gnu")
set(CMAKE_SKIP_RPATH ON)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
