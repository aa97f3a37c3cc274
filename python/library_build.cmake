# SPDX-License-Identifier: MIT
# The target kuiper_without_openmp, the library and the program's commands as one archive: of the build folder that
# KUIPER_LIBRARY_BUILD names, by default build/ of this checkout, where such a folder is there and configured alike. Its own
# build system brings it up to date, so that nothing is compiled twice and nothing old is taken. Otherwise it is built here.
get_filename_component(root ${CMAKE_CURRENT_SOURCE_DIR}/.. REALPATH)
set(KUIPER_LIBRARY_BUILD ${root}/build CACHE PATH "Build folder to take the library from, if it is configured alike")

set(difference "")
if(EXISTS ${KUIPER_LIBRARY_BUILD}/CMakeCache.txt)
  set(wanted_CMAKE_HOME_DIRECTORY ${root})
  set(wanted_CMAKE_CXX_FLAGS ${CMAKE_CXX_FLAGS})
  set(wanted_CMAKE_BUILD_TYPE ${CMAKE_BUILD_TYPE})
  set(wanted_KUIPER_BUILD_CLI ON)
  set(wanted_KUIPER_COVERAGE OFF)
  set(wanted_KUIPER_SANITIZE "")
  set(wanted_KUIPER_THREADS pool)
  foreach(name IN ITEMS CMAKE_HOME_DIRECTORY CMAKE_CXX_FLAGS CMAKE_BUILD_TYPE KUIPER_BUILD_CLI
                        KUIPER_COVERAGE KUIPER_SANITIZE KUIPER_THREADS)
    load_cache(${KUIPER_LIBRARY_BUILD} READ_WITH_PREFIX built_ ${name})
    if(NOT "${built_${name}}" STREQUAL "${wanted_${name}}")
      string(APPEND difference " ${name} is '${built_${name}}', expected '${wanted_${name}}'.")
    endif()
  endforeach()
else()
  set(difference " It is not configured.")
endif()

if(difference)
  message(STATUS "The library is built here, not taken from ${KUIPER_LIBRARY_BUILD}:${difference}")
  set(KUIPER_BUILD_CLI ON)
  add_subdirectory(${root} library EXCLUDE_FROM_ALL)
  set(library_build ${CMAKE_CURRENT_BINARY_DIR}/library)
else()
  message(STATUS "The library is taken from ${KUIPER_LIBRARY_BUILD}")
  set(library_build ${KUIPER_LIBRARY_BUILD})
  set(archive ${library_build}/source/cli/libkuiper_without_openmp.a)
  add_custom_target(update_library BYPRODUCTS ${archive} USES_TERMINAL
    COMMAND ${CMAKE_COMMAND} --build ${library_build} --target kuiper_without_openmp)
  add_library(kuiper_without_openmp STATIC IMPORTED)
  set_target_properties(kuiper_without_openmp PROPERTIES IMPORTED_LOCATION ${archive})
  add_dependencies(kuiper_without_openmp update_library)
endif()
