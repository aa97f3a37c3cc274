# SPDX-License-Identifier: MIT
# `cmake --install` gives headers, the static library and a package for find_package(KuiperInfer).
include(CMakePackageConfigHelpers)

install(TARGETS kuiper_infer kuiper_armadillo kuiper_openblas kuiper_libzip kuiper_build_flags EXPORT KuiperInferTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kuiper_infer DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(KUIPER_BUILD_CLI)
  install(TARGETS kuiper RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT KuiperInferTargets NAMESPACE KuiperInfer:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/KuiperInferConfig.cmake.in
  ${PROJECT_BINARY_DIR}/KuiperInferConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KuiperInferConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KuiperInferConfig.cmake ${PROJECT_BINARY_DIR}/KuiperInferConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/KuiperInfer)
