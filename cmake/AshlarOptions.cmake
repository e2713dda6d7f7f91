# Options, and the flags that every target of ours is built with.

if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
  set(ASHLAR_IS_TOP_LEVEL ON)
else()
  set(ASHLAR_IS_TOP_LEVEL OFF)
endif()

option(ASHLAR_BUILD_TOOLS "Build the model and the ashlar command" ${ASHLAR_IS_TOP_LEVEL})
option(ASHLAR_BUILD_TESTS "Build unit tests, properties and fuzz targets" ${ASHLAR_IS_TOP_LEVEL})
option(ASHLAR_BUILD_BENCH "Build the benchmarks" ${ASHLAR_IS_TOP_LEVEL})
option(ASHLAR_INSTALL "Make the installable package" ${ASHLAR_IS_TOP_LEVEL})
option(ASHLAR_TBB "Build the executor for oneTBB, where that is found" ON)
option(ASHLAR_PROBES "Count the states that matter (core/probe.h)" ON)
option(ASHLAR_FETCH_DEPENDENCIES "Fetch dependencies that find_package does not find" OFF)
option(ASHLAR_WERROR "Treat compiler warnings as errors" OFF)
option(ASHLAR_PRECOMPILE_TESTS "Compile the headers of tests once" ON)
set(ASHLAR_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=: address,undefined or thread")
option(ASHLAR_FUZZER "Build libFuzzer targets (clang only)" OFF)
option(ASHLAR_FUZZ_FAST "Fuzzers of worlds without the sanitizer's quarantine" OFF)
option(ASHLAR_COVERAGE "Measure coverage with MC/DC (clang 19)" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Our own targets link this, so that the flags stay out of the installed package.
add_library(ashlar_flags INTERFACE)
target_compile_options(ashlar_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # No contraction of a*b+c: the scalar and the vector twin of a kernel must round alike.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False reports of g++ 12 inside Abseil's InlinedVector and libstdc++'s strings.
  target_compile_options(ashlar_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
endif()

if(ASHLAR_WERROR)
  target_compile_options(ashlar_flags INTERFACE -Werror)
endif()

if(ASHLAR_SANITIZE)
  add_compile_options(-fsanitize=${ASHLAR_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ASHLAR_SANITIZE})
  if(ASHLAR_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(ASHLAR_SANITIZE MATCHES "address")
    add_compile_definitions(_GLIBCXX_ASSERTIONS=1)
  endif()
endif()
if(ASHLAR_FUZZER)
  # Without the tracing of comparisons: our mutators know the records and the dictionary knows the
  # words, and the calls would cost two thirds of the inputs a second. Nor of indirect calls, which
  # the engine looks at only when it is asked for value profiles.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,indirect-calls)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(ASHLAR_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc)
  add_link_options(-fprofile-instr-generate -fcoverage-mapping)
  add_compile_definitions(ASHLAR_COVERAGE=1)
endif()
