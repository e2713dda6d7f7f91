# The installed package: every room's library and headers, and the files that
# find_package(ashlar CONFIG) reads. Included last, from the root, when all rooms are known.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ASHLAR_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ashlar)

get_property(_ashlar_rooms GLOBAL PROPERTY ASHLAR_ROOMS)
install(TARGETS ${_ashlar_rooms} ashlar_umbrella
  EXPORT ashlarTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ashlarTargets NAMESPACE ashlar:: DESTINATION ${ASHLAR_PACKAGE_DIR})

# Its targets have a file of their own: without oneTBB the package is as good, but for them.
if(ASHLAR_HAS_TBB)
  install(TARGETS ashlar_tbb
    EXPORT ashlarTbbTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ashlarTbbTargets NAMESPACE ashlar:: DESTINATION ${ASHLAR_PACKAGE_DIR})
endif()

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/ashlarConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/ashlarConfig.cmake
  INSTALL_DESTINATION ${ASHLAR_PACKAGE_DIR})
# Before 1.0 a new minor version may break callers.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/ashlarConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/ashlarConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/ashlarConfigVersion.cmake
  DESTINATION ${ASHLAR_PACKAGE_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
