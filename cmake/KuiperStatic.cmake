# SPDX-License-Identifier: MIT
# Programs without shared libraries: all that is found afterwards is an archive. The packages' own CMake files name shared
# libraries, and archives don't say what they need, so that both are said here.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
string(APPEND CMAKE_EXE_LINKER_FLAGS " -static")
# The compilers' libraries name functions of threads weakly, and call all of them if one is linked.
foreach(function IN ITEMS cond_broadcast cond_destroy cond_init cond_wait create getspecific join key_create key_delete mutex_destroy
                          mutex_init mutex_lock mutex_trylock mutex_unlock once self setspecific)
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -Wl,-u,pthread_${function}")
endforeach()

find_path(KUIPER_GLOG_INCLUDE_DIR glog/logging.h REQUIRED)
foreach(archive IN ITEMS glog gflags unwind lzma)
  find_library(KUIPER_STATIC_${archive} ${archive} REQUIRED)
endforeach()
add_library(glog::glog INTERFACE IMPORTED)
target_include_directories(glog::glog INTERFACE ${KUIPER_GLOG_INCLUDE_DIR})
target_compile_definitions(glog::glog INTERFACE GLOG_CUSTOM_PREFIX_SUPPORT GFLAGS_IS_A_DLL=0)
# The compiler's own unwinder comes first: glog's would define its functions a second time.
target_link_libraries(glog::glog INTERFACE ${KUIPER_STATIC_glog} ${KUIPER_STATIC_gflags} gcc_eh ${KUIPER_STATIC_unwind}
                                           ${KUIPER_STATIC_lzma})

# OpenBLAS holds LAPACK, which is Fortran's. Fortran's library needs another one for numbers of 128 bits on x86-64.
set(KUIPER_OPENBLAS_NEEDS gfortran)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND KUIPER_OPENBLAS_NEEDS quadmath)
endif()
