# GMP, as the imported target Gmp::Gmp.
include(${CMAKE_CURRENT_LIST_DIR}/KinjoFindPkg.cmake)
kinjo_find_pkg(Gmp Gmp::Gmp gmp gmp.h gmp)
