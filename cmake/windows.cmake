# SPDX-License-Identifier: MIT
# Cross compilation for Windows on x86-64 by Debian's MinGW-w64; tools/build_windows.sh uses it. The environment's
# KUIPER_ROOT is a folder with the libraries for Windows (tools/windows_libraries.sh).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(KUIPER_ROOT $ENV{KUIPER_ROOT} CACHE PATH "Root of the libraries")
set(CMAKE_FIND_ROOT_PATH ${KUIPER_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# One file without DLLs of the compiler beside it, from the archives in KUIPER_ROOT.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
