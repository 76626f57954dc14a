# GMP comes with pkg-config data only; this makes the imported target Gmp::Gmp of it.
find_package(PkgConfig QUIET)
pkg_check_modules(PC_GMP QUIET gmp)
find_path(Gmp_INCLUDE_DIR gmp.h HINTS ${PC_GMP_INCLUDE_DIRS})
find_library(Gmp_LIBRARY gmp HINTS ${PC_GMP_LIBRARY_DIRS})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Gmp REQUIRED_VARS Gmp_LIBRARY Gmp_INCLUDE_DIR
                                  VERSION_VAR PC_GMP_VERSION)
if(Gmp_FOUND AND NOT TARGET Gmp::Gmp)
  add_library(Gmp::Gmp UNKNOWN IMPORTED)
  set_target_properties(Gmp::Gmp PROPERTIES IMPORTED_LOCATION "${Gmp_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${Gmp_INCLUDE_DIR}")
endif()
mark_as_advanced(Gmp_INCLUDE_DIR Gmp_LIBRARY)
