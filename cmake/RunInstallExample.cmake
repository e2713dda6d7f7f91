# The steps of the ctest `install_example`; each must succeed.
set(PREFIX ${BUILD_DIR}/install_test/prefix)
set(EXAMPLE_BUILD_DIR ${BUILD_DIR}/install_test/example)
file(REMOVE_RECURSE ${BUILD_DIR}/install_test)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nended with ${result}:\n${output}")
  endif()
  set(run_output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX})

# Installed headers must be enough: no path into the source tree may be left in the package.
get_filename_component(source_dir ${EXAMPLE_DIR} DIRECTORY)
file(GLOB_RECURSE package_files ${PREFIX}/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "the package has no CMake files under ${PREFIX}")
endif()
foreach(package_file IN LISTS package_files)
  file(READ ${package_file} text)
  string(FIND "${text}" "${source_dir}/src" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${package_file} refers to the source tree")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${EXAMPLE_DIR} -B ${EXAMPLE_BUILD_DIR} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX})
run(${CMAKE_COMMAND} --build ${EXAMPLE_BUILD_DIR})
run(${EXAMPLE_BUILD_DIR}/harbour)

foreach(line
    "ships 300"
    "overload value_refused, digest unchanged"
    "first 0, last 10"
    # Laden ships are every third; 34 of the 100 that stay docked. The rest: 102 + 105 + ... + 297.
    "at sea with cargo 66, tonnes 13167"
    "afloat 0, integrity ok, ashlar ${VERSION}")
  string(FIND "${run_output}" "${line}\n" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the example did not print\n  ${line}\nbut\n${run_output}")
  endif()
endforeach()
message("${run_output}")
