# Installs the build into a folder of its own and builds and runs the examples against that, as a
# user would: cmake -D BUILD=… -D EXAMPLES=… -P package.cmake
# So is the program of docs/start.md, by the CMakeLists.txt that stands there, and the first programs in
# C++ and C by what pkg-config says. Fortran is left out, with a message, where there is no compiler.
set(prefix ${BUILD}/package/prefix)
set(build ${BUILD}/package/examples)
set(start ${BUILD}/package/start)
set(fortran ${BUILD}/package/fortran)
file(REMOVE_RECURSE ${BUILD}/package)
# kinjo_take(PAGE FOLDER PROGRAM): a folder with the CMakeLists.txt of a page, and an example.
function(kinjo_take page folder program)
  file(READ ${EXAMPLES}/../docs/${page} text)
  string(REGEX MATCH "```cmake\n([^`]*)```" block "${text}")
  file(WRITE ${folder}/CMakeLists.txt "${CMAKE_MATCH_1}")
  file(COPY ${EXAMPLES}/${program} DESTINATION ${folder})
endfunction()
kinjo_take(start.md ${start} first.cpp)
kinjo_take(fortran.md ${fortran} fortran/threads.f90)

set(by_pkg_config [[
export PKG_CONFIG_PATH="$(dirname "$(find "$2" -name kinjo.pc)")"
c++ -std=c++20 "$1/first.cpp" -o "$3/first" $(pkg-config --cflags --libs kinjo) && "$3/first"
cc -fopenmp "$1/openmp.c" -o "$3/openmp" $(pkg-config --cflags --libs kinjo) && "$3/openmp"]])

# kinjo_run(COMMAND ARGUMENTS...): it has to succeed.
function(kinjo_run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} ended with ${status}:\n${output}")
  endif()
endfunction()

kinjo_run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
kinjo_run(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${build} -G Ninja -D CMAKE_PREFIX_PATH=${prefix})
kinjo_run(${CMAKE_COMMAND} --build ${build})
kinjo_run(${CMAKE_CTEST_COMMAND} --test-dir ${build} --no-tests=error --output-on-failure)
kinjo_run(${CMAKE_COMMAND} -S ${start} -B ${start}/build -D CMAKE_PREFIX_PATH=${prefix})
kinjo_run(${CMAKE_COMMAND} --build ${start}/build)
kinjo_run(${start}/build/first)
kinjo_run(${prefix}/bin/kinjo run --policy compact --threads 1 -- true)

# In C alone, by the compiler's standard for C alone, and a component that there is none of.
set(c_alone ${BUILD}/package/c_alone)
file(WRITE ${c_alone}/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.25)
project(ring C)
find_package(kinjo QUIET COMPONENTS c sandwich)
if(kinjo_FOUND OR NOT kinjo_NOT_FOUND_MESSAGE MATCHES "no component 'sandwich'")
  message(FATAL_ERROR "found: ${kinjo_FOUND}, ${kinjo_NOT_FOUND_MESSAGE}")
endif()
find_package(kinjo REQUIRED COMPONENTS c core)
add_executable(ring ring.c)
target_link_libraries(ring kinjo::c)
get_target_property(asked kinjo::c INTERFACE_COMPILE_FEATURES)
if(asked)
  message(FATAL_ERROR "kinjo::c asks for ${asked}")
endif()
]])
file(COPY ${EXAMPLES}/ring.c DESTINATION ${c_alone})
kinjo_run(${CMAKE_COMMAND} -S ${c_alone} -B ${c_alone}/build -D CMAKE_PREFIX_PATH=${prefix})
kinjo_run(${CMAKE_COMMAND} --build ${c_alone}/build)
kinjo_run(${c_alone}/build/ring)
kinjo_run(sh -euc "${by_pkg_config}" sh ${EXAMPLES} ${prefix} ${BUILD}/package)

file(STRINGS ${build}/CMakeCache.txt compiler REGEX "^CMAKE_Fortran_COMPILER:[A-Z]+=/")
if(compiler)
  if(NOT EXISTS ${build}/example_products)
    message(FATAL_ERROR "there is a Fortran compiler, and the Fortran examples were not built")
  endif()
  kinjo_run(${CMAKE_COMMAND} -S ${fortran} -B ${fortran}/build -D CMAKE_PREFIX_PATH=${prefix})
  kinjo_run(${CMAKE_COMMAND} --build ${fortran}/build)
  kinjo_run(${fortran}/build/threads)
else()
  message("Fortran was left out: there is no compiler for it")
endif()

foreach(file IN ITEMS man/man1/kinjo.1 man/man1/kinjo-map.1 bash-completion/completions/kinjo
                      zsh/site-functions/_kinjo fish/vendor_completions.d/kinjo.fish)
  if(NOT EXISTS ${prefix}/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
