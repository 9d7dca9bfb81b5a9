include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mgpu")
install(DIRECTORY include/ thrust_ext/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
install(TARGETS mgpu mgpu_thrust_ext EXPORT mgpu-targets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT mgpu-targets NAMESPACE mgpu:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/mgpu-config.cmake.in mgpu-config.cmake INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(mgpu-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/mgpu-cccl.cmake cmake/mgpu-components.cmake cmake/mgpu-nccl.cmake "${PROJECT_BINARY_DIR}/mgpu-config.cmake"
  "${PROJECT_BINARY_DIR}/mgpu-config-version.cmake" DESTINATION "${package_dir}")
# CMAKE_INSTALL_DOCDIR is that of the project around this one, whose license has the same name.
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/mgpu")

# For pkg-config. Folders in the prefix are relative to the file, so that what is installed can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
if(IS_ABSOLUTE "${pkgconfig_dir}")
  set(MGPU_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH to_prefix "/prefix/${pkgconfig_dir}" "/prefix")
  string(REGEX REPLACE "/$" "" MGPU_PC_PREFIX "\${pcfiledir}/${to_prefix}")
endif()
set(MGPU_PC_INCLUDEDIR "\${prefix}")
cmake_path(APPEND MGPU_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")  # which replaces it if it is absolute
configure_file(cmake/mgpu.pc.in mgpu.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/mgpu.pc" DESTINATION "${pkgconfig_dir}")
