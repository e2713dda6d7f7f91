# Functions that make our targets: rooms and tests.

set(ASHLAR_INCLUDE_ROOT ${PROJECT_SOURCE_DIR}/src)

# ashlar_library(<name> SOURCES ... HEADERS ... DEPENDS ...)
# A static library ashlar_<name>, known to others as ashlar::<name>.
function(ashlar_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS" ${ARGN})
  add_library(ashlar_${name} STATIC ${ARG_SOURCES})
  add_library(ashlar::${name} ALIAS ashlar_${name})
  target_sources(ashlar_${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${ASHLAR_INCLUDE_ROOT} FILES ${ARG_HEADERS})
  target_compile_features(ashlar_${name} PUBLIC cxx_std_20)
  target_compile_definitions(ashlar_${name} PUBLIC ASHLAR_PROBES=$<BOOL:${ASHLAR_PROBES}>)
  target_link_libraries(ashlar_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:ashlar_flags>)
  set_target_properties(ashlar_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
endfunction()

# ashlar_room(<name> ...): the same, a part of ashlar::ashlar and installed with its headers.
function(ashlar_room name)
  ashlar_library(${name} ${ARGN})
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
    if(ASHLAR_PRECOMPILE_TESTS)
      ashlar_test_headers()
      target_link_libraries(${name} PRIVATE ashlar::core)  # What the headers were compiled with.
      target_precompile_headers(${name} REUSE_FROM ashlar_test_headers)
      target_compile_options(${name} PRIVATE ${ASHLAR_PRECOMPILE_OPTIONS})
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# A compiler cache finds precompiled headers again only where they do not say when they were made.
set(ASHLAR_PRECOMPILE_OPTIONS $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)

# The headers that most tests read, compiled once: a third of what compiling a test takes. Nothing
# leans on that: in the preset `debug` each test includes what it needs by itself.
function(ashlar_test_headers)
  if(TARGET ashlar_test_headers)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/ashlar_test_headers.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(ashlar_test_headers OBJECT ${source})
  target_link_libraries(ashlar_test_headers PRIVATE ashlar::core GTest::gmock ashlar_flags)
  target_compile_options(ashlar_test_headers PRIVATE -O0 ${ASHLAR_PRECOMPILE_OPTIONS})
  target_precompile_headers(ashlar_test_headers PRIVATE
    <map> <memory> <span> <string> <string_view> <vector>
    <gmock/gmock.h> <gtest/gtest.h> <absl/status/statusor.h> <absl/strings/str_cat.h>)
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
