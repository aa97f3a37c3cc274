# SPDX-License-Identifier: MIT
# `cmake --install` gives headers, the libraries, a package for find_package(KuiperInfer) and one for pkg-config; `cpack`
# in the build folder makes a Debian package of it.
include(CMakePackageConfigHelpers)

set(libraries kuiper_infer)
if(KUIPER_BUILD_SHARED)
  list(APPEND libraries kuiper_infer_shared)
endif()
install(TARGETS ${libraries} EXPORT KuiperInferTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kuiper_infer ${PROJECT_BINARY_DIR}/include/kuiper_infer
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(KUIPER_BUILD_CLI)
  install(TARGETS kuiper RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Apart, so that a program without texts needs no library for them.
install(TARGETS kuiper_text EXPORT KuiperInferTextTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT KuiperInferTextTargets NAMESPACE KuiperInfer:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)
install(EXPORT KuiperInferTargets NAMESPACE KuiperInfer:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)
configure_file(${PROJECT_SOURCE_DIR}/cmake/KuiperInferConfig.cmake.in ${PROJECT_BINARY_DIR}/KuiperInferConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KuiperInferConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KuiperInferConfig.cmake ${PROJECT_BINARY_DIR}/KuiperInferConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/KuiperInferLibraries.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)

# A program has to link what a static library needs. Where only that one is installed, pkg-config says so without being
# asked with --static.
set(KUIPER_PC_LIBS -lkuiper_infer)
set(KUIPER_PC_LIBS_PRIVATE -lopenblas -lglog -ldeflate -l${KUIPER_OPENMP_RUNTIME} -lpthread -lstdc++ -lm)
if(NOT KUIPER_BUILD_SHARED)
  list(APPEND KUIPER_PC_LIBS ${KUIPER_PC_LIBS_PRIVATE})
  set(KUIPER_PC_LIBS_PRIVATE "")
endif()
list(JOIN KUIPER_PC_LIBS " " KUIPER_PC_LIBS)
list(JOIN KUIPER_PC_LIBS_PRIVATE " " KUIPER_PC_LIBS_PRIVATE)
file(RELATIVE_PATH KUIPER_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/kuiper_infer.pc.in ${PROJECT_BINARY_DIR}/kuiper_infer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kuiper_infer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME libkuiper-infer-dev)
set(CPACK_PACKAGE_CONTACT "the KuiperInfer developers <noreply@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
# The static library brings no dependencies of its own, and consumers of the headers need Armadillo's.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libarmadillo-dev, libopenblas-openmp-dev | libopenblas-dev, libgoogle-glog-dev, libdeflate-dev, libgomp1")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
