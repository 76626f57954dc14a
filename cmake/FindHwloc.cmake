# hwloc, as the imported target Hwloc::Hwloc.
include(${CMAKE_CURRENT_LIST_DIR}/KinjoFindPkg.cmake)
kinjo_find_pkg(Hwloc Hwloc::Hwloc hwloc hwloc.h hwloc)
