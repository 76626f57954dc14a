# PMIx's headers, as the imported target Pmix::headers. The library itself is opened in processes that
# a launcher has started.
find_package(PkgConfig QUIET)
pkg_check_modules(PC_PMIX QUIET pmix)
find_path(Pmix_INCLUDE_DIR pmix.h HINTS ${PC_PMIX_INCLUDE_DIRS})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Pmix REQUIRED_VARS Pmix_INCLUDE_DIR VERSION_VAR PC_PMIX_VERSION)
if(Pmix_FOUND AND NOT TARGET Pmix::headers)
  add_library(Pmix::headers INTERFACE IMPORTED)
  set_target_properties(Pmix::headers PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES "${Pmix_INCLUDE_DIR}")
endif()
mark_as_advanced(Pmix_INCLUDE_DIR)
