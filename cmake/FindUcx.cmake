# UCX's headers, as the imported target Ucx::headers. The library itself is opened when cells on other
# hosts need it, so that nobody else has to have it.
find_package(PkgConfig QUIET)
pkg_check_modules(PC_UCX QUIET ucx)
find_path(Ucx_INCLUDE_DIR ucp/api/ucp.h HINTS ${PC_UCX_INCLUDE_DIRS})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Ucx REQUIRED_VARS Ucx_INCLUDE_DIR VERSION_VAR PC_UCX_VERSION)
if(Ucx_FOUND AND NOT TARGET Ucx::headers)
  add_library(Ucx::headers INTERFACE IMPORTED)
  set_target_properties(Ucx::headers PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES "${Ucx_INCLUDE_DIR}")
endif()
mark_as_advanced(Ucx_INCLUDE_DIR)
