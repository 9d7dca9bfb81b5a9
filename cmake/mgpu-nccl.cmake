# Part of the installed package. The target mgpu::nccl is what a program with <mgpu/nccl.h> links. It exists where NCCL's
# header and library are found: the system's, or those that MGPU_NCCL_INCLUDE_DIR and MGPU_NCCL_LIBRARY name.
if(NOT TARGET mgpu::nccl)
  find_package(CUDAToolkit QUIET)
  find_path(MGPU_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} DOC "Folder with nccl.h")
  find_library(MGPU_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR} DOC "NCCL's library")
  mark_as_advanced(MGPU_NCCL_INCLUDE_DIR MGPU_NCCL_LIBRARY)
  if(MGPU_NCCL_INCLUDE_DIR AND MGPU_NCCL_LIBRARY)
    add_library(mgpu::nccl INTERFACE IMPORTED GLOBAL)
    set_target_properties(mgpu::nccl PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${MGPU_NCCL_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "mgpu::mgpu;${MGPU_NCCL_LIBRARY}")
  endif()
endif()
