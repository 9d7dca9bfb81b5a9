# Part of the installed package. Where the CCCL headers (Thrust, CUB, libcu++) come from, the first of:
#   the project's own: find_package(CCCL) has been called, or finds a package by CCCL_DIR, CCCL_ROOT, CMAKE_PREFIX_PATH,
#     or a FetchContent_Declare(CCCL ... OVERRIDE_FIND_PACKAGE)
#   MGPU_CCCL_INCLUDE_DIR, a folder
#   the toolkit: nvcc brings them with it; every other compiler needs to be told where they are.
# BUILD_INTERFACE: what is found here holds for this machine and stays out of an installed package.
function(mgpu_use_cccl target)
  find_package(CUDAToolkit QUIET)
  if(NOT TARGET Thrust::Thrust)
    # Not by PATH: that would be the toolkit's, which needs no package.
    find_package(CCCL CONFIG QUIET NO_SYSTEM_ENVIRONMENT_PATH)
  endif()
  set(package_folders)
  if(TARGET Thrust::Thrust)
    # The headers alone: CCCL::Thrust also says which systems there are, which mgpu's policies do themselves.
    foreach(part Thrust::Thrust CUB::CUB libcudacxx::libcudacxx)
      if(TARGET ${part})
        target_link_libraries(${target} INTERFACE "$<BUILD_INTERFACE:${part}>")
      endif()
    endforeach()
    get_target_property(package_folders Thrust::Thrust INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  # In CUDA 13 they are in <toolkit>/include/cccl, in CUDA 12 in <toolkit>/include.
  find_path(MGPU_CCCL_INCLUDE_DIR thrust/version.h
    HINTS ${package_folders} ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include PATH_SUFFIXES cccl
    DOC "Folder with the CCCL headers, for compilers other than nvcc")
  set(folders ${CUDAToolkit_INCLUDE_DIRS})
  if(MGPU_CCCL_INCLUDE_DIR)
    list(PREPEND folders ${MGPU_CCCL_INCLUDE_DIR})
  endif()
  target_include_directories(${target} SYSTEM INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${folders}>>")

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CUDA" IN_LIST languages)
    target_compile_features(${target} INTERFACE "$<BUILD_INTERFACE:cuda_std_17>")
  else()
    # Without it Thrust's headers ask for the CUDA runtime, and mgpu::par is a compile error. Not for .cu files: a
    # project that enables CUDA after it has found mgpu means CUDA there.
    target_compile_definitions(${target} INTERFACE
      "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP>>")
  endif()
endfunction()
