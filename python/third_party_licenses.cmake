# SPDX-License-Identifier: MIT
# The licenses of what a wheel holds beside this project's code, as Debian's packages have them: parts of the module, and the
# shared libraries that `auditwheel repair` puts beside it. A build on another system leaves out those that it doesn't find.
file(GLOB nanobind_license ${nanobind_DIR}/../../nanobind-*.dist-info/licenses/LICENSE)
if(nanobind_license)
  install(FILES ${nanobind_license} DESTINATION ${SKBUILD_METADATA_DIR}/licenses RENAME nanobind.txt COMPONENT python)
endif()
foreach(package IN ITEMS libarmadillo-dev libcli11-dev libdeflate-dev libgflags-dev libgoogle-glog-dev libhwy-dev
                         libjpeg62-turbo-dev liblzma5 libopenblas-serial-dev libpcre2-dev libpng-dev libunwind8 libutf8proc-dev nlohmann-json3-dev)
  set(license /usr/share/doc/${package}/copyright)
  if(EXISTS ${license})
    file(REAL_PATH ${license} license)
    install(FILES ${license} DESTINATION ${SKBUILD_METADATA_DIR}/licenses RENAME ${package}.txt COMPONENT python)
  endif()
endforeach()
