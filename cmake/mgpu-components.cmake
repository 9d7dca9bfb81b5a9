# Part of the installed package. Components of find_package(mgpu COMPONENTS ...). Each is a target mgpu::NAME: mgpu::mgpu
# with what a policy or a communicator needs beside it. It exists where that is found.
#   cpp         nothing
#   omp         OpenMP, also as an option of nvcc
#   tbb         oneTBB
#   cuda        the CUDA Toolkit. The project itself enables the language.
#   nccl        NCCL: see mgpu-nccl.cmake
#   thrust_ext  nothing: the plug-in
set(mgpu_components cpp omp tbb cuda nccl thrust_ext)

# Defines the target mgpu::NAME, which links the other arguments, if all of these are targets.
function(mgpu_add_component name)
  foreach(target IN LISTS ARGN)
    if(NOT TARGET ${target})
      return()
    endif()
  endforeach()
  if(NOT TARGET mgpu::${name})
    add_library(mgpu::${name} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(mgpu::${name} INTERFACE mgpu::mgpu ${ARGN})
  endif()
endfunction()

function(mgpu_find_components)
  # Targets of the project around this one, too, as the components are.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(OpenMP QUIET COMPONENTS CXX)
  find_package(TBB CONFIG QUIET)
  find_package(CUDAToolkit QUIET)
  mgpu_add_component(cpp)
  mgpu_add_component(omp OpenMP::OpenMP_CXX)
  if(TARGET mgpu::omp AND OpenMP_CXX_FLAGS MATCHES "^[^ ;]+$")
    set_target_properties(mgpu::omp PROPERTIES INTERFACE_COMPILE_OPTIONS
      "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${OpenMP_CXX_FLAGS}>")
  endif()
  mgpu_add_component(tbb TBB::tbb)
  if(CUDAToolkit_FOUND OR CMAKE_CUDA_COMPILER)
    mgpu_add_component(cuda)
  endif()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/mgpu-nccl.cmake")
mgpu_find_components()

# Sets mgpu_NAME_FOUND of each component and, if one that is required is missing, mgpu_NOT_FOUND_MESSAGE.
macro(mgpu_report_components)
  set(mgpu_NOT_FOUND_MESSAGE "")
  set(mgpu_reason_omp "OpenMP of the C++ compiler was not found")
  set(mgpu_reason_tbb "no package TBB was found (TBB_DIR says where it is)")
  set(mgpu_reason_cuda "the CUDA Toolkit was not found (CUDAToolkit_ROOT says where it is)")
  set(mgpu_reason_nccl "NCCL was not found (MGPU_NCCL_INCLUDE_DIR and MGPU_NCCL_LIBRARY say where it is)")
  set(mgpu_names ${mgpu_components} ${mgpu_FIND_COMPONENTS})
  list(REMOVE_DUPLICATES mgpu_names)
  foreach(mgpu_component IN LISTS mgpu_names)
    set(mgpu_${mgpu_component}_FOUND FALSE)
    if(NOT mgpu_component IN_LIST mgpu_components)
      list(JOIN mgpu_components " " mgpu_reason)
      set(mgpu_reason "mgpu has no such component, but ${mgpu_reason}")
    elseif(TARGET mgpu::${mgpu_component})
      set(mgpu_${mgpu_component}_FOUND TRUE)
    else()
      set(mgpu_reason "${mgpu_reason_${mgpu_component}}")
    endif()
    if(mgpu_FIND_REQUIRED_${mgpu_component} AND NOT mgpu_${mgpu_component}_FOUND)
      string(APPEND mgpu_NOT_FOUND_MESSAGE "component ${mgpu_component}: ${mgpu_reason}. ")
    endif()
  endforeach()
endmacro()
