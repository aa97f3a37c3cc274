# SPDX-License-Identifier: MIT
# The target kuiper_serial_openblas: OpenBLAS's serial build, linked statically. As a shared library it is 35 MB, and NumPy and
# PyTorch may have loaded another one.
find_library(KUIPER_SERIAL_OPENBLAS_LIBRARY libopenblas.a PATH_SUFFIXES openblas-serial REQUIRED)
file(STRINGS ${KUIPER_SERIAL_OPENBLAS_LIBRARY} threads REGEX "GOMP_parallel|pthread_create" LIMIT_COUNT 1)
if(threads)
  message(FATAL_ERROR "${KUIPER_SERIAL_OPENBLAS_LIBRARY} starts threads, expected OpenBLAS's serial build "
                      "(Debian: libopenblas-serial-dev); KUIPER_SERIAL_OPENBLAS_LIBRARY names another")
endif()

add_library(kuiper_serial_openblas INTERFACE)
target_sources(kuiper_serial_openblas INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/src/serial_openblas.c)
target_link_libraries(kuiper_serial_openblas INTERFACE ${KUIPER_SERIAL_OPENBLAS_LIBRARY} Threads::Threads m)
target_link_options(kuiper_serial_openblas INTERFACE -Wl,--wrap=blas_memory_alloc -Wl,--wrap=blas_memory_free)

# Its kernels for x86-64 CPUs of before 2011 and for AMD's of before 2017 take 15 of its 25 MB. These CPUs get those of
# the best one that has the same instructions.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  foreach(pair IN ITEMS ATOM=PRESCOTT BARCELONA=PRESCOTT BOBCAT=PRESCOTT CORE2=PRESCOTT DUNNINGTON=PRESCOTT NANO=PRESCOTT
                        OPTERON=PRESCOTT OPTERON_SSE3=PRESCOTT PENRYN=PRESCOTT BULLDOZER=SANDYBRIDGE PILEDRIVER=SANDYBRIDGE
                        STEAMROLLER=SANDYBRIDGE EXCAVATOR=ZEN)
    string(REPLACE "=" "=gotoblas_" pair ${pair})
    target_link_options(kuiper_serial_openblas INTERFACE -Wl,--defsym=gotoblas_${pair})
  endforeach()
endif()
