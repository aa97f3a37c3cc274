# SPDX-License-Identifier: MIT
# kuiper_list_plugin_symbols(VARIABLE): what a program offers to plugins, as a list for its linker. A plugin can name only what the
# public headers declare, so these are the symbols of all namespaces' members there, and the tables of types. The linker leaves out
# what else of the library the program doesn't use.
#
# Nothing in a namespace is indented, so its members' names are the capitalised words of lines that begin with a letter; a word too
# many offers a symbol too many. Symbols are as the linker has them: the readable ones of function templates begin with the type
# that they return.
get_filename_component(KUIPER_PUBLIC_HEADERS ${CMAKE_CURRENT_LIST_DIR}/../include/kuiper_infer ABSOLUTE)

function(kuiper_list_plugin_symbols variable)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${KUIPER_PUBLIC_HEADERS}/*.hpp)
  set(scopes 4pnnx 12kuiper_infer9templates)  # namespaces with nothing else in them
  foreach(header IN LISTS headers)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} lines REGEX "^[A-Za-z]")
    set(namespace 12kuiper_infer)
    if(lines MATCHES "namespace kuiper_infer::text ")
      string(APPEND namespace 4text)
    endif()
    string(REGEX MATCHALL "[A-Z][A-Za-z0-9]+" names "${lines}")
    foreach(name IN LISTS names)
      string(LENGTH ${name} length)
      list(APPEND scopes ${namespace}${length}${name})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES scopes)
  list(SORT scopes)
  set(symbols "")
  foreach(scope IN LISTS scopes)
    string(APPEND symbols "  _ZN${scope}*;\n  _ZNK${scope}*;\n  _ZT?N${scope}*;\n")
  endforeach()
  set(${variable} "${symbols}" PARENT_SCOPE)
endfunction()
