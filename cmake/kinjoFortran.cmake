# kinjo::fortran: the module `kinjo` and what it is made of, compiled in the project that asks for them from the
# sources in kinjo_fortran_dir, by that project's compiler. Without the language there is no target.
if(NOT CMAKE_Fortran_COMPILER_LOADED OR TARGET kinjo_fortran)
  return()
endif()
add_library(kinjo_fortran STATIC EXCLUDE_FROM_ALL
  ${kinjo_fortran_dir}/kinjo_c_types.f90
  ${kinjo_fortran_dir}/kinjo_c_place.f90
  ${kinjo_fortran_dir}/kinjo_c_blas.f90
  ${kinjo_fortran_dir}/kinjo_c_compute.f90
  ${kinjo_fortran_dir}/kinjo_c_cells.f90
  ${kinjo_fortran_dir}/kinjo.f90)
add_library(kinjo::fortran ALIAS kinjo_fortran)
set_target_properties(kinjo_fortran PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  Fortran_MODULE_DIRECTORY ${CMAKE_BINARY_DIR}/kinjo_fortran)
# Any thread may call any procedure, also one that is passed to a team, and each call has arrays of its own.
# gfortran lets calls share large ones without it, and says "Recursive call" with -fcheck=recursion.
target_compile_options(kinjo_fortran PUBLIC $<$<COMPILE_LANG_AND_ID:Fortran,GNU>:-frecursive>)
target_include_directories(kinjo_fortran PUBLIC ${CMAKE_BINARY_DIR}/kinjo_fortran)
target_link_libraries(kinjo_fortran PUBLIC kinjo::c)
