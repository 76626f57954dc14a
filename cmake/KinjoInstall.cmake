# The package: headers, and what find_package(kinjo) reads. The targets install themselves.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kinjo)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kinjo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(EXPORT kinjo FILE kinjoTargets.cmake NAMESPACE kinjo:: DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kinjoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/kinjoConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kinjoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kinjoConfig.cmake
              ${PROJECT_BINARY_DIR}/kinjoConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindGmp.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindHwloc.cmake
        DESTINATION ${package_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE.md
              ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/licences DESTINATION ${CMAKE_INSTALL_DOCDIR})
