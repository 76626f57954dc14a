# UCX's headers, as the imported target Ucx::headers. The library itself is opened when cells on other
# hosts need it, so that nobody else has to have it.
include(${CMAKE_CURRENT_LIST_DIR}/KinjoFindPkg.cmake)
kinjo_find_pkg(Ucx Ucx::headers ucx ucp/api/ucp.h)
