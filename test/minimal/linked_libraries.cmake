# SPDX-License-Identifier: MIT
# cmake -DLIBRARY=FILE -P linked_libraries.cmake: fails if the shared library needs more than the compiler's runtime.
execute_process(COMMAND objdump -p ${LIBRARY} OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED +[^\n]+" needed "${header}")
if(NOT needed)
  message(FATAL_ERROR "${LIBRARY} names no library that it needs")
endif()
foreach(line IN LISTS needed)
  string(REGEX REPLACE "NEEDED +" "" library "${line}")
  if(NOT library MATCHES "^(libstdc\\+\\+|libm|libgcc_s|libc|ld-linux.*)\\.so")
    message(FATAL_ERROR "${LIBRARY} needs ${library}")
  endif()
endforeach()
