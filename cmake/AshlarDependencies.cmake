# Dependencies. Installed packages come first (on Debian 12, `./dev setup` installs them); with
# -DASHLAR_FETCH_DEPENDENCIES=ON, what find_package does not find is fetched and built with us.

include(FetchContent)

# ashlar_dependency(<name> <repository> <tag>): find_package(<name>), else a fetch where that is
# allowed, else a stop that says what would help. A fetch sets <name>_WAS_FETCHED.
macro(ashlar_dependency name repository tag)
  find_package(${name} QUIET)
  if(NOT ${name}_FOUND)
    if(NOT ASHLAR_FETCH_DEPENDENCIES)
      message(FATAL_ERROR
        "ashlar: package ${name} not found. On Debian 12 `./dev setup` installs it; elsewhere "
        "install it, or configure with -DASHLAR_FETCH_DEPENDENCIES=ON.")
    endif()
    FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
    FetchContent_MakeAvailable(${name})
    set(${name}_WAS_FETCHED ON)
  endif()
endmacro()

# ashlar_header(<variable> <file> <repository> <tag> <sub-folder>): the include folder of a library
# that is headers alone.
macro(ashlar_header variable file repository tag subfolder)
  find_path(${variable} ${file})
  if(NOT ${variable})
    if(NOT ASHLAR_FETCH_DEPENDENCIES)
      message(FATAL_ERROR
        "ashlar: header ${file} not found. On Debian 12 `./dev setup` installs it; elsewhere "
        "install it, or configure with -DASHLAR_FETCH_DEPENDENCIES=ON.")
    endif()
    string(TOLOWER ${variable} _content)
    # A SOURCE_SUBDIR without a CMakeLists.txt: the sources are wanted, their build is not.
    FetchContent_Declare(${_content} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON
                         SOURCE_SUBDIR no-build)
    FetchContent_MakeAvailable(${_content})
    set(${variable} ${${_content}_SOURCE_DIR}/${subfolder} CACHE PATH "" FORCE)
  endif()
endmacro()

# Fetched libraries are built as they would be installed: no tests of theirs, and ready for our
# export set to refer to.
set(ABSL_PROPAGATE_CXX_STD ON)
set(ABSL_ENABLE_INSTALL ON)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_GTEST_TESTS OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)
set(INSTALL_GTEST OFF)

ashlar_dependency(absl https://github.com/abseil/abseil-cpp.git 20240722.0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 18)
  # Debian's Abseil is built by g++; from clang 18 on, one of Cord's constructors gets another
  # symbol name unless the older C++ ABI is asked for.
  add_compile_options(-fclang-abi-compat=17)
endif()
ashlar_header(ASHLAR_XXHASH_INCLUDE_DIR xxhash.h
              https://github.com/Cyan4973/xxHash.git v0.8.2 .)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# oneTBB is for who has it: nothing is fetched. It is not built for ThreadSanitizer, which would take
# for races what it orders.
set(ASHLAR_HAS_TBB OFF)
if(ASHLAR_TBB AND NOT ASHLAR_SANITIZE MATCHES "thread")
  find_package(TBB 2021 QUIET)
  if(TBB_FOUND)
    set(ASHLAR_HAS_TBB ON)
  endif()
endif()

if(ASHLAR_BUILD_TOOLS)
  ashlar_header(ASHLAR_CLI11_INCLUDE_DIR CLI/CLI.hpp
                https://github.com/CLIUtils/CLI11.git v2.4.2 include)
endif()

if(ASHLAR_BUILD_TESTS)
  ashlar_dependency(GTest https://github.com/google/googletest.git v1.14.0)
  if(GTest_WAS_FETCHED AND NOT TARGET GTest::gmock)
    add_library(GTest::gmock ALIAS gmock)
  endif()
  ashlar_dependency(rapidcheck https://github.com/emil-e/rapidcheck.git master)

  # RapidCheck's own target, with its headers out of reach of our warnings. It has no namespace and
  # links no GoogleTest.
  add_library(ashlar_rapidcheck INTERFACE)
  target_link_libraries(ashlar_rapidcheck INTERFACE rapidcheck GTest::gtest)
  if(rapidcheck_WAS_FETCHED)
    target_include_directories(ashlar_rapidcheck SYSTEM INTERFACE
      ${rapidcheck_SOURCE_DIR}/extras/gtest/include)
  endif()
endif()

if(ASHLAR_BUILD_BENCH)
  ashlar_dependency(benchmark https://github.com/google/benchmark.git v1.8.3)
endif()
