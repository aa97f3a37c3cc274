# SPDX-License-Identifier: MIT
# Cross compilation of the core (KUIPER_MINIMAL) for another CPU of Linux; tools/check_emulated.sh uses it. The environment's
# KUIPER_TRIPLE names the CPU as its compiler does (riscv64-linux-gnu).
set(KUIPER_TRIPLE $ENV{KUIPER_TRIPLE})
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${KUIPER_TRIPLE}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${KUIPER_TRIPLE}-gcc)
set(CMAKE_CXX_COMPILER ${KUIPER_TRIPLE}-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "arm")  # NEON and numbers of 16 bits, which Debian's armhf leaves out
  set(CMAKE_C_FLAGS_INIT "-mfpu=neon-vfpv4 -mfp16-format=ieee")
  set(CMAKE_CXX_FLAGS_INIT "-mfpu=neon-vfpv4 -mfp16-format=ieee")
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L /usr/${KUIPER_TRIPLE})
