# ctest `install_example`: installs the package into the build folder, builds example/ against it as
# a stranger would, and runs it. Not under sanitizers or coverage, whose flags a stranger lacks.
if(ASHLAR_SANITIZE OR ASHLAR_COVERAGE)
  return()
endif()

add_test(NAME install_example
  COMMAND ${CMAKE_COMMAND}
    -DBUILD_DIR=${PROJECT_BINARY_DIR}
    -DEXAMPLE_DIR=${PROJECT_SOURCE_DIR}/example
    -DGENERATOR=${CMAKE_GENERATOR}
    -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
    -DVERSION=${PROJECT_VERSION}
    -P ${CMAKE_CURRENT_LIST_DIR}/RunInstallExample.cmake)
set_tests_properties(install_example PROPERTIES COST 50)
