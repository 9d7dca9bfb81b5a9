# Part of the installed package. nvcc brings the CCCL headers (Thrust, CUB, libcu++) with it; every other compiler needs
# to be told where they are.
# BUILD_INTERFACE: what is found here holds for this machine and stays out of an installed package.
function(mgpu_use_cccl target)
  find_package(CUDAToolkit QUIET)
  # In CUDA 13 they are in <toolkit>/include/cccl, in CUDA 12 in <toolkit>/include.
  find_path(MGPU_CCCL_INCLUDE_DIR thrust/version.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include PATH_SUFFIXES cccl
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
