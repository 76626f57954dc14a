# kinjo_find_pkg(NAME TARGET MODULE HEADER [LIBRARY]): for the Find modules of what comes with
# pkg-config data only. Makes the imported target TARGET of LIBRARY and its headers; without LIBRARY
# of the headers alone, where the library is opened at run time. MODULE is its name to pkg-config.
macro(kinjo_find_pkg name target module header)
  find_package(PkgConfig QUIET)
  pkg_check_modules(PC_${name} QUIET ${module})
  find_path(${name}_INCLUDE_DIR ${header} HINTS ${PC_${name}_INCLUDE_DIRS})
  set(${name}_NEEDED ${name}_INCLUDE_DIR)
  if(${ARGC} GREATER 4)
    find_library(${name}_LIBRARY ${ARGV4} HINTS ${PC_${name}_LIBRARY_DIRS})
    list(PREPEND ${name}_NEEDED ${name}_LIBRARY)
  endif()

  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(${name} REQUIRED_VARS ${${name}_NEEDED}
                                    VERSION_VAR PC_${name}_VERSION)
  if(${name}_FOUND AND NOT TARGET ${target})
    if(${ARGC} GREATER 4)
      add_library(${target} UNKNOWN IMPORTED)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${${name}_LIBRARY}")
    else()
      add_library(${target} INTERFACE IMPORTED)
    endif()
    set_target_properties(${target} PROPERTIES
                          INTERFACE_INCLUDE_DIRECTORIES "${${name}_INCLUDE_DIR}")
  endif()
  mark_as_advanced(${${name}_NEEDED})
endmacro()
