# SPDX-License-Identifier: MIT
# Everything the library links against, as targets.
find_package(glog REQUIRED)
find_package(Threads REQUIRED)

# What OpenMP means to the compiler: its pragmas, and its library.
find_package(OpenMP REQUIRED COMPONENTS CXX)
add_library(kuiper_openmp INTERFACE)
target_link_libraries(kuiper_openmp INTERFACE OpenMP::OpenMP_CXX)
list(GET OpenMP_CXX_LIB_NAMES 0 KUIPER_OPENMP_RUNTIME)
set(KUIPER_OPENMP_SUFFIX "")
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  string(REGEX REPLACE "([0-9]+).*" "llvm-\\1/lib" KUIPER_OPENMP_SUFFIX ${CMAKE_CXX_COMPILER_VERSION})
endif()
include(KuiperInferLibraries)
if(KUIPER_MISSING_LIBRARIES OR KUIPER_MISSING_TEXT_LIBRARIES)
  message(FATAL_ERROR "not found: ${KUIPER_MISSING_LIBRARIES} ${KUIPER_MISSING_TEXT_LIBRARIES}; tools/install_dependencies.sh installs what is needed")
endif()

# Highway's headers only (see source/utils/simd.hpp). SSSE3 would add nothing to SSE4, and SVE's vectors, whose size the
# compiler doesn't know, cannot be the elements of register tiles: ARM computes with NEON. Leaving out more makes a
# build faster that is not for use, with KUIPER_ISA to name one that is left.
set(KUIPER_DISABLED_TARGETS "HWY_SSSE3|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128" CACHE STRING "Instruction sets of Highway that are not compiled")
mark_as_advanced(KUIPER_DISABLED_TARGETS)
find_path(KUIPER_HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
add_library(kuiper_highway INTERFACE)
target_include_directories(kuiper_highway SYSTEM INTERFACE ${KUIPER_HIGHWAY_INCLUDE_DIR})
# Its checks, on in debug and sanitized builds, would call its library.
target_compile_definitions(kuiper_highway INTERFACE "HWY_DISABLED_TARGETS=(${KUIPER_DISABLED_TARGETS})" HWY_IS_DEBUG_BUILD=0)
