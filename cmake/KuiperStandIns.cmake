# SPDX-License-Identifier: MIT
# Each target of KuiperFull.cmake, with stand-ins for OpenBLAS, OpenMP's library and glog (KUIPER_STAND_INS); with
# KUIPER_MINIMAL also for libdeflate, and without the libraries for texts. Armadillo and Highway are headers.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads)
if(NOT TARGET Threads::Threads)
  add_library(Threads::Threads INTERFACE IMPORTED)
endif()

# Sleeping threads (utils/threads/thread_system_windows.cpp).
set(KUIPER_SYSTEM_LIBRARIES $<$<BOOL:${WIN32}>:synchronization>)

add_library(kuiper_openmp INTERFACE)
target_compile_options(kuiper_openmp INTERFACE -fopenmp-simd)

foreach(absent IN ITEMS glog::glog KuiperInfer::openblas KuiperInfer::openmp_runtime)
  add_library(${absent} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(glog::glog INTERFACE KUIPER_WITHOUT_GLOG)
target_compile_definitions(KuiperInfer::openblas INTERFACE KUIPER_WITHOUT_BLAS)

# A module of WebAssembly is linked once, at a fixed place.
set(KUIPER_POSITION_INDEPENDENT ON)
if(EMSCRIPTEN)
  set(KUIPER_POSITION_INDEPENDENT OFF)
endif()

find_path(KUIPER_ARMADILLO_INCLUDE_DIR armadillo REQUIRED)
add_library(KuiperInfer::armadillo INTERFACE IMPORTED)
target_include_directories(KuiperInfer::armadillo INTERFACE ${KUIPER_ARMADILLO_INCLUDE_DIR})
target_compile_definitions(KuiperInfer::armadillo INTERFACE
  ARMA_DONT_USE_WRAPPER ARMA_DONT_USE_BLAS ARMA_DONT_USE_LAPACK ARMA_DONT_USE_ARPACK ARMA_DONT_USE_SUPERLU ARMA_DONT_USE_HDF5
  ARMA_DONT_USE_OPENMP)

if(KUIPER_MINIMAL)
  add_library(KuiperInfer::libdeflate INTERFACE IMPORTED)
  set(KUIPER_DEFLATE_SOURCE without_deflate.cpp)
  set(KUIPER_CSV_SOURCE "")
else()
  include(KuiperInferLibraries)
  if(KUIPER_MISSING_LIBRARIES OR KUIPER_MISSING_TEXT_LIBRARIES)
    message(FATAL_ERROR "not found: ${KUIPER_MISSING_LIBRARIES} ${KUIPER_MISSING_TEXT_LIBRARIES}")
  endif()
  set(KUIPER_DEFLATE_SOURCE deflate.cpp)
  set(KUIPER_CSV_SOURCE load_data.cpp)
endif()
