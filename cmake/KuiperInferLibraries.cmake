# SPDX-License-Identifier: MIT
# The libraries behind KuiperInfer as targets, found on the machine and for the compiler at hand. This project's build
# includes the file, and so does, installed, every project that uses the package: no path of the machine that built the
# library reaches another. KUIPER_OPENMP_RUNTIME names the OpenMP library of the compiler that compiled KuiperInfer (gomp
# or omp), KUIPER_OPENMP_SUFFIX the folder below lib where that compiler may keep it; a program has to link that library,
# whatever its own compiler uses. Sets KUIPER_MISSING_LIBRARIES.

find_path(KUIPER_LIBDEFLATE_INCLUDE_DIR libdeflate.h)
find_library(KUIPER_LIBDEFLATE_LIBRARY deflate)

# The OpenMP build of OpenBLAS, where Debian has it, shares our thread team; the pthread build would bring a second one.
set(KUIPER_OPENBLAS_NEEDED "")
if(NOT KUIPER_STAND_INS)
  set(KUIPER_OPENBLAS_NEEDED KUIPER_OPENBLAS_INCLUDE_DIR KUIPER_OPENBLAS_LIBRARY)
endif()
find_path(KUIPER_OPENBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-openmp)
find_library(KUIPER_OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-openmp)

find_path(KUIPER_ARMADILLO_INCLUDE_DIR armadillo)

# GCC keeps libgomp in a folder of its own, which Clang searches as well.
set(KUIPER_OPENMP_NEEDED "")
if(KUIPER_OPENMP_RUNTIME)
  set(KUIPER_OPENMP_NEEDED KUIPER_OPENMP_LIBRARY)
  find_library(KUIPER_OPENMP_LIBRARY ${KUIPER_OPENMP_RUNTIME}
    HINTS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES} ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES}
    PATH_SUFFIXES ${KUIPER_OPENMP_SUFFIX} CMAKE_FIND_ROOT_PATH_BOTH)
endif()

set(KUIPER_MISSING_LIBRARIES "")
foreach(found IN ITEMS KUIPER_LIBDEFLATE_INCLUDE_DIR KUIPER_LIBDEFLATE_LIBRARY ${KUIPER_OPENBLAS_NEEDED}
                       KUIPER_ARMADILLO_INCLUDE_DIR ${KUIPER_OPENMP_NEEDED})
  mark_as_advanced(${found})
  if(NOT ${found})
    list(APPEND KUIPER_MISSING_LIBRARIES ${found})
  endif()
endforeach()

# What KuiperInfer::text needs besides: regular expressions and Unicode's normalisation. Sets KUIPER_MISSING_TEXT_LIBRARIES.
set(KUIPER_MISSING_TEXT_LIBRARIES "")
find_path(KUIPER_PCRE2_INCLUDE_DIR pcre2.h)
find_library(KUIPER_PCRE2_LIBRARY pcre2-8)
find_path(KUIPER_UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(KUIPER_UTF8PROC_LIBRARY utf8proc)
foreach(found IN ITEMS KUIPER_PCRE2_INCLUDE_DIR KUIPER_PCRE2_LIBRARY KUIPER_UTF8PROC_INCLUDE_DIR KUIPER_UTF8PROC_LIBRARY)
  mark_as_advanced(${found})
  if(NOT ${found})
    list(APPEND KUIPER_MISSING_TEXT_LIBRARIES ${found})
  endif()
endforeach()

# kuiper_imported_library(NAME [INCLUDE FOLDER] [LIBRARY FILE] [DEFINITIONS ...]): the target KuiperInfer::NAME.
function(kuiper_imported_library name)
  cmake_parse_arguments(IMPORTED "" "INCLUDE;LIBRARY" "DEFINITIONS" ${ARGN})
  if(NOT TARGET KuiperInfer::${name})
    add_library(KuiperInfer::${name} INTERFACE IMPORTED)
    target_include_directories(KuiperInfer::${name} INTERFACE ${IMPORTED_INCLUDE})
    target_link_libraries(KuiperInfer::${name} INTERFACE ${IMPORTED_LIBRARY})
    target_compile_definitions(KuiperInfer::${name} INTERFACE ${IMPORTED_DEFINITIONS})
  endif()
endfunction()

if(NOT KUIPER_MISSING_LIBRARIES)
  kuiper_imported_library(libdeflate INCLUDE ${KUIPER_LIBDEFLATE_INCLUDE_DIR} LIBRARY ${KUIPER_LIBDEFLATE_LIBRARY})
  kuiper_imported_library(openblas INCLUDE ${KUIPER_OPENBLAS_INCLUDE_DIR} LIBRARY ${KUIPER_OPENBLAS_LIBRARY})
  target_link_libraries(KuiperInfer::openblas INTERFACE ${KUIPER_OPENBLAS_NEEDS})
  # Armadillo as headers only: its BLAS calls go to the OpenBLAS above.
  kuiper_imported_library(armadillo INCLUDE ${KUIPER_ARMADILLO_INCLUDE_DIR} DEFINITIONS ARMA_DONT_USE_WRAPPER)
  kuiper_imported_library(openmp_runtime LIBRARY ${${KUIPER_OPENMP_NEEDED}})
endif()
if(NOT KUIPER_MISSING_TEXT_LIBRARIES)
  # Otherwise their headers declare what a DLL exports.
  kuiper_imported_library(pcre2 INCLUDE ${KUIPER_PCRE2_INCLUDE_DIR} LIBRARY ${KUIPER_PCRE2_LIBRARY}
                          DEFINITIONS $<$<PLATFORM_ID:Windows>:PCRE2_STATIC>)
  kuiper_imported_library(utf8proc INCLUDE ${KUIPER_UTF8PROC_INCLUDE_DIR} LIBRARY ${KUIPER_UTF8PROC_LIBRARY}
                          DEFINITIONS $<$<PLATFORM_ID:Windows>:UTF8PROC_STATIC>)
endif()
