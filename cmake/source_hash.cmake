# SPDX-License-Identifier: MIT
# cmake -DSOURCE=FOLDER -DBUILT_BY=TEXT -DOUTPUT=FILE -P source_hash.cmake: writes a header with a text that is another for
# other sources of the library or another compiler.
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/source/*.cpp ${SOURCE}/source/*.hpp ${SOURCE}/include/*.h
     ${SOURCE}/include/*.hpp)
list(SORT files)
set(hashes ${BUILT_BY})
foreach(file IN LISTS files)
  file(SHA256 ${SOURCE}/${file} hash)
  string(APPEND hashes " ${file} ${hash}")
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE ${OUTPUT} "#define KUIPER_SOURCE_HASH \"${hash}\"\n")
