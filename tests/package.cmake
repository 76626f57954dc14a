# Installs the build into a folder of its own and builds and runs the examples against that, as a
# user would: cmake -D BUILD=… -D EXAMPLES=… -P package.cmake
set(prefix ${BUILD}/package/prefix)
set(build ${BUILD}/package/examples)
file(REMOVE_RECURSE ${BUILD}/package)

foreach(command IN ITEMS
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${prefix}"
    "${CMAKE_COMMAND};-S;${EXAMPLES};-B;${build};-G;Ninja;-D;CMAKE_PREFIX_PATH=${prefix}"
    "${CMAKE_COMMAND};--build;${build}"
    "${CMAKE_CTEST_COMMAND};--test-dir;${build};--no-tests=error;--output-on-failure"
    "${prefix}/bin/kinjo;run;--policy;compact;--threads;1;--;true")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
endforeach()
