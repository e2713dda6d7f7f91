# Functions that make our targets: rooms and tests.

set(ASHLAR_INCLUDE_ROOT ${PROJECT_SOURCE_DIR}/src)

# ashlar_room(<name> SOURCES ... HEADERS ... DEPENDS ...)
# A static library ashlar_<name>, known to others as ashlar::<name>, installed with its headers.
function(ashlar_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS" ${ARGN})
  add_library(ashlar_${name} STATIC ${ARG_SOURCES})
  add_library(ashlar::${name} ALIAS ashlar_${name})
  target_sources(ashlar_${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${ASHLAR_INCLUDE_ROOT} FILES ${ARG_HEADERS})
  target_compile_features(ashlar_${name} PUBLIC cxx_std_20)
  target_compile_definitions(ashlar_${name} PUBLIC ASHLAR_PROBES=$<BOOL:${ASHLAR_PROBES}>)
  target_link_libraries(ashlar_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:ashlar_flags>)
  set_target_properties(ashlar_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY ASHLAR_ROOMS ashlar_${name})
endfunction()

# ashlar_test(<name> [OPTIMISED] SOURCES ... DEPENDS ...)
# A GoogleTest executable, one ctest case. Its own sources are compiled without optimisation, which
# halves the time of a fresh build; what it tests is in libraries, and compiled as users get it.
# OPTIMISED is for tests that compute for long themselves.
function(ashlar_test name)
  if(NOT ASHLAR_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "OPTIMISED" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gmock GTest::gtest_main ashlar_flags)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT ARG_OPTIMISED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# ashlar_property(<name> SOURCES ... DEPENDS ...)
# The same, with RapidCheck, labelled `property`. These are the long ones: they start first.
function(ashlar_property name)
  if(NOT ASHLAR_BUILD_TESTS)
    return()
  endif()
  ashlar_test(${name} OPTIMISED ${ARGN})
  target_link_libraries(${name} PRIVATE ashlar_rapidcheck)
  set_tests_properties(${name} PROPERTIES LABELS property COST 100)
endfunction()

# ashlar_not_guiding(<target>): the fuzzer gets no coverage from this target. For the code that
# checks: its branches say nothing of what the code that is checked has done.
function(ashlar_not_guiding target)
  if(ASHLAR_FUZZER)
    target_compile_options(${target} PRIVATE
      -fno-sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table,indirect-calls)
  endif()
endfunction()
