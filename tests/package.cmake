# Installs the build into a folder of its own and builds and runs the examples against that, as a
# user would: cmake -D BUILD=… -D EXAMPLES=… -P package.cmake
# So is the program of docs/start.md, by the CMakeLists.txt that stands there.
set(prefix ${BUILD}/package/prefix)
set(build ${BUILD}/package/examples)
set(start ${BUILD}/package/start)
file(REMOVE_RECURSE ${BUILD}/package)
file(READ ${EXAMPLES}/../docs/start.md page)
string(REGEX MATCH "```cmake\n([^`]*)```" block "${page}")
file(WRITE ${start}/CMakeLists.txt "${CMAKE_MATCH_1}")
file(COPY ${EXAMPLES}/first.cpp DESTINATION ${start})

foreach(command IN ITEMS
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${prefix}"
    "${CMAKE_COMMAND};-S;${EXAMPLES};-B;${build};-G;Ninja;-D;CMAKE_PREFIX_PATH=${prefix}"
    "${CMAKE_COMMAND};--build;${build}"
    "${CMAKE_CTEST_COMMAND};--test-dir;${build};--no-tests=error;--output-on-failure"
    "${CMAKE_COMMAND};-S;${start};-B;${start}/build;-D;CMAKE_PREFIX_PATH=${prefix}"
    "${CMAKE_COMMAND};--build;${start}/build"
    "${start}/build/first"
    "${prefix}/bin/kinjo;run;--policy;compact;--threads;1;--;true")
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command} ended with ${status}:\n${output}")
  endif()
endforeach()

foreach(file IN ITEMS man/man1/kinjo.1 man/man1/kinjo-map.1 bash-completion/completions/kinjo
                      zsh/site-functions/_kinjo fish/vendor_completions.d/kinjo.fish)
  if(NOT EXISTS ${prefix}/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
