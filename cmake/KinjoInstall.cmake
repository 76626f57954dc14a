# The package: headers, and what find_package(kinjo) reads. The targets install themselves.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kinjo)
# The Fortran module is installed as source, which the user's own compiler compiles: what a compiler
# makes of a module fits no other compiler, and often not its own next version.
set(fortran_dir ${CMAKE_INSTALL_DATADIR}/kinjo/fortran)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kinjo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(EXPORT kinjo FILE kinjoTargets.cmake NAMESPACE kinjo:: DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kinjoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/kinjoConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS fortran_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kinjoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kinjoConfig.cmake
              ${PROJECT_BINARY_DIR}/kinjoConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindGmp.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindHwloc.cmake
              ${PROJECT_SOURCE_DIR}/cmake/KinjoFindPkg.cmake
              ${PROJECT_SOURCE_DIR}/cmake/kinjoFortran.cmake
        DESTINATION ${package_dir} COMPONENT development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/fortran/ DESTINATION ${fortran_dir}
        COMPONENT development FILES_MATCHING PATTERN *.f90)

# What pkg-config reads. Shared libraries know what they need; static ones have to be told.
set(pc_libraries -lkinjo_c -lkinjo_sdp -lkinjo_comm -lkinjo_paths -lkinjo_graph -lkinjo_kernels
                 -lkinjo_core)
set(pc_private ${Hwloc_LIBRARY} ${Gmp_LIBRARY} -lhwy -lfmt -lstdc++ -lm ${CMAKE_DL_LIBS} -pthread)
list(TRANSFORM pc_private REPLACE "^([a-z]+)$" "-l\\1")
list(REMOVE_DUPLICATES pc_private)
if(NOT BUILD_SHARED_LIBS)
  list(APPEND pc_libraries ${pc_private})
  set(pc_private "")
endif()
list(JOIN pc_libraries " " pc_libraries)
list(JOIN pc_private " " pc_private)
# A folder is named from the prefix, unless it is a path of its own.
foreach(folder IN ITEMS libdir includedir)
  string(TOUPPER ${folder} asked)
  set(pc_${folder} ${CMAKE_INSTALL_${asked}})
  if(NOT IS_ABSOLUTE ${pc_${folder}})
    string(PREPEND pc_${folder} "\${prefix}/")
  endif()
endforeach()
# The prefix is known when it is installed: cmake --install … --prefix.
install(CODE "
  set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
  set(PROJECT_VERSION ${PROJECT_VERSION})
  set(pc_libdir [[${pc_libdir}]])
  set(pc_includedir [[${pc_includedir}]])
  set(pc_libraries \"${pc_libraries}\")
  set(pc_private \"${pc_private}\")
  set(pc_file ${CMAKE_INSTALL_LIBDIR}/pkgconfig/kinjo.pc)
  cmake_path(ABSOLUTE_PATH pc_file BASE_DIRECTORY \${CMAKE_INSTALL_PREFIX})
  message(STATUS \"Installing: \$ENV{DESTDIR}\${pc_file}\")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/kinjo.pc.in \$ENV{DESTDIR}\${pc_file} @ONLY)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${pc_file})"
  COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE.md
              ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/README.md
              ${PROJECT_SOURCE_DIR}/README.ja.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
# README and the commands' help name pages in docs/.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/licences ${PROJECT_SOURCE_DIR}/docs
        DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN site EXCLUDE)
