# An overlay port: vcpkg install mgpu --overlay-ports=packaging/vcpkg
# In a registry, vcpkg_from_github(...) takes the place of this line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DMGPU_BUILD_TESTS=OFF -DMGPU_BUILD_BENCHMARKS=OFF -DMGPU_BUILD_EXAMPLES=OFF -DMGPU_BUILD_DOCS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/mgpu)
vcpkg_fixup_pkgconfig()
# There is nothing but headers.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug" "${CURRENT_PACKAGES_DIR}/lib")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
