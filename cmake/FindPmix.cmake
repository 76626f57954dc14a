# PMIx's headers, as the imported target Pmix::headers. The library itself is opened in processes that
# a launcher has started.
include(${CMAKE_CURRENT_LIST_DIR}/KinjoFindPkg.cmake)
kinjo_find_pkg(Pmix Pmix::headers pmix pmix.h)
