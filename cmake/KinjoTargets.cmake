# How every target of the project is compiled.

# kinjo_warnings: an interface target with the warnings that all own code must pass.
add_library(kinjo_warnings INTERFACE)
# Left out: missing initializers (designated ones leave the rest at their defaults on purpose) and,
# for g++ 12 alone, two that it raises falsely inside fmt and std::string. For Clang changes of the
# sign, which g++'s -Wconversion does not ask about either.
target_compile_options(kinjo_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)

# kinjo_quick: an interface target for code that parses, prints or checks, of which there is much and
# which need not be fast: a build of it that ends soon. What it measures lies in the libraries. What is
# fuzzed is at the preset's level: Clang takes precompiled headers at no other.
add_library(kinjo_quick INTERFACE)
target_compile_options(kinjo_quick INTERFACE
  $<IF:$<AND:$<CONFIG:Debug>,$<NOT:$<BOOL:${KINJO_FUZZ}>>>,-O0,-O1>)

# With BUILD_SHARED_LIBS what is installed finds the libraries beside itself, wherever the prefix is.
# Distributions, which have one place for libraries, say CMAKE_SKIP_INSTALL_RPATH.
if(BUILD_SHARED_LIBS AND NOT CMAKE_INSTALL_RPATH)
  file(RELATIVE_PATH libraries_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/${libraries_from_bin}")
endif()

# kinjo_add_library(NAME SOURCES...): the library kinjo_NAME, known as kinjo::NAME here and to those
# who find the installed package. Shared libraries change their name with the minor number, which may
# change an interface until 1.0.0. An object file is the same for both kinds.
function(kinjo_add_library name)
  add_library(kinjo_${name} ${ARGN})
  add_library(kinjo::${name} ALIAS kinjo_${name})
  set_target_properties(kinjo_${name} PROPERTIES EXPORT_NAME ${name}
                        POSITION_INDEPENDENT_CODE ON
                        DEFINE_SYMBOL ""
                        VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(kinjo_${name} PUBLIC cxx_std_20)
  target_include_directories(kinjo_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(kinjo_${name} PRIVATE $<BUILD_INTERFACE:kinjo_warnings>)
  install(TARGETS kinjo_${name} EXPORT kinjo COMPONENT development)
endfunction()
