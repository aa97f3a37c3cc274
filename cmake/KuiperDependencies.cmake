# SPDX-License-Identifier: MIT
# Everything the library links against, as targets.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(glog REQUIRED)

# Debian's CMake package of libzip insists on its command line tools, so the library is found by hand.
find_path(KUIPER_LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_library(KUIPER_LIBZIP_LIBRARY zip REQUIRED)
add_library(kuiper_libzip INTERFACE)
target_include_directories(kuiper_libzip SYSTEM INTERFACE $<BUILD_INTERFACE:${KUIPER_LIBZIP_INCLUDE_DIR}>)
target_link_libraries(kuiper_libzip INTERFACE ${KUIPER_LIBZIP_LIBRARY})

# The OpenMP build of OpenBLAS shares our thread team; the pthread build would bring a second one.
find_path(KUIPER_OPENBLAS_INCLUDE_DIR cblas.h
  PATHS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} PATH_SUFFIXES openblas-openmp REQUIRED)
find_library(KUIPER_OPENBLAS_LIBRARY openblas
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-openmp NO_DEFAULT_PATH)
find_library(KUIPER_OPENBLAS_LIBRARY openblas REQUIRED)
find_path(KUIPER_ARMADILLO_INCLUDE_DIR armadillo REQUIRED)

add_library(kuiper_openblas INTERFACE)
target_link_libraries(kuiper_openblas INTERFACE ${KUIPER_OPENBLAS_LIBRARY})
target_include_directories(kuiper_openblas SYSTEM INTERFACE $<BUILD_INTERFACE:${KUIPER_OPENBLAS_INCLUDE_DIR}>)

# Armadillo as headers only: its BLAS calls go to the OpenBLAS above.
add_library(kuiper_armadillo INTERFACE)
target_include_directories(kuiper_armadillo SYSTEM INTERFACE $<BUILD_INTERFACE:${KUIPER_ARMADILLO_INCLUDE_DIR}>)
target_compile_definitions(kuiper_armadillo INTERFACE ARMA_DONT_USE_WRAPPER)

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
