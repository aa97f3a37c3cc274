# SPDX-License-Identifier: MIT
# KUIPER_OPENMP=OFF: the library without OpenMP's, for the Python module. A wheel brings its libraries along, and a second
# libgomp beside PyTorch's would keep a second team of threads. OMP_NUM_THREADS counts all the same (utils/environment.hpp).
# OpenBLAS is its serial build, linked statically: as a shared library it is 35 MB.
if(KUIPER_THREADS STREQUAL "openmp" OR KUIPER_BUILD_TESTS OR KUIPER_BUILD_BENCH)
  message(FATAL_ERROR "KUIPER_OPENMP is OFF, expected ON: KUIPER_THREADS=openmp, the test suite and the benchmarks use OpenMP")
endif()
target_compile_options(kuiper_openmp INTERFACE -fopenmp-simd)

find_path(KUIPER_OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-serial)
find_library(KUIPER_OPENBLAS_LIBRARY libopenblas.a PATH_SUFFIXES openblas-serial)
if(KUIPER_OPENBLAS_LIBRARY)
  file(STRINGS ${KUIPER_OPENBLAS_LIBRARY} threads REGEX "GOMP_parallel|pthread_create" LIMIT_COUNT 1)
  if(threads)
    message(FATAL_ERROR "${KUIPER_OPENBLAS_LIBRARY} starts threads, expected OpenBLAS's serial build "
                        "(Debian: libopenblas-serial-dev); KUIPER_OPENBLAS_LIBRARY and KUIPER_OPENBLAS_INCLUDE_DIR name another")
  endif()
endif()

# kuiper_complete_static_openblas(): what KuiperInfer::openblas needs as a static library.
function(kuiper_complete_static_openblas)
  add_library(kuiper_serial_openblas STATIC ${PROJECT_SOURCE_DIR}/cmake/serial_openblas.c)
  set_target_properties(kuiper_serial_openblas PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(KuiperInfer::openblas INTERFACE kuiper_serial_openblas Threads::Threads m)
  target_link_options(KuiperInfer::openblas INTERFACE -Wl,--wrap=blas_memory_alloc -Wl,--wrap=blas_memory_free)

  # Its kernels for x86-64 CPUs of before 2011 and for AMD's of before 2017 take 15 of its 25 MB. These CPUs get those of
  # the best one that has the same instructions.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    foreach(pair IN ITEMS ATOM=PRESCOTT BARCELONA=PRESCOTT BOBCAT=PRESCOTT CORE2=PRESCOTT DUNNINGTON=PRESCOTT NANO=PRESCOTT
                          OPTERON=PRESCOTT OPTERON_SSE3=PRESCOTT PENRYN=PRESCOTT BULLDOZER=SANDYBRIDGE PILEDRIVER=SANDYBRIDGE
                          STEAMROLLER=SANDYBRIDGE EXCAVATOR=ZEN)
      string(REPLACE "=" "=gotoblas_" pair ${pair})
      target_link_options(KuiperInfer::openblas INTERFACE -Wl,--defsym=gotoblas_${pair})
    endforeach()
  endif()
endfunction()
