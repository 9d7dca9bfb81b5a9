# Included by CMakeLists.txt. Other compilers of CUDA than the one that the tests are built with. Each compiles all public
# headers at once, and all units, by its front end:
#   nvcc-12.4.cccl-2.3, ...  nvcc 12.4 with the oldest CCCL that is supported, which is its own, and with the last one of
#                            CUDA 12; the C++ compiler compiles the headers for the CPU with the same
#   clang.cuda               clang 19 with the headers of CUDA 12.4: the passes for the host and for the device
set(MGPU_TEST_NVCC_12 "" CACHE PATH "Folder with bin/nvcc of CUDA 12.4, and its headers and nvvm/")
set(MGPU_TEST_CCCL_OF_CUDA_12 "" CACHE PATH "Folder with the headers of the last CCCL of CUDA 12")

file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/mgpu/*.h")
list(REMOVE_ITEM public_headers mgpu/omp.h mgpu/nccl.h)  # no -fopenmp here; needs <nccl.h>
if(NOT TBB_FOUND)
  list(REMOVE_ITEM public_headers mgpu/tbb.h)
endif()
file(GLOB every_unit CONFIGURE_DEPENDS units/*.cu)
mgpu_include_all(toolchain_headers toolchain_headers.h ${public_headers} mgpu/thrust_ext.h)
mgpu_include_all(toolchain_source toolchain_source.cu ${toolchain_headers} ${every_unit})

find_program(MGPU_TEST_NVCC_12_HOST NAMES g++-13 g++-12 g++-11 DOC "A C++ compiler that nvcc 12.4 takes")
find_program(MGPU_TEST_CLANG_CUDA NAMES clang++-19 DOC "clang++, as the compiler of CUDA")
set(cccl_2.3 "${MGPU_TEST_CCCL_OLDEST}")
set(cccl_2.8 "${MGPU_TEST_CCCL_OF_CUDA_12}")
foreach(version 2.3 2.8)
  set(name nvcc-12.4.cccl-${version})
  set(folder "${cccl_${version}}")
  if(NOT EXISTS "${MGPU_TEST_NVCC_12}/bin/nvcc" OR NOT MGPU_TEST_NVCC_12_HOST OR NOT EXISTS "${folder}/cuda/version")
    mgpu_skip_compatibility_test(${name} "There is no nvcc 12.4 in MGPU_TEST_NVCC_12, no g++ 11 to 13, or no CCCL ${version}.")
    continue()
  endif()
  set(dependencies "${CMAKE_CURRENT_BINARY_DIR}/${name}.d")
  mgpu_host_options(options c++17 "-isystem${folder}" "-isystem${MGPU_TEST_NVCC_12}/include")
  mgpu_add_compatibility_test(${name}
    HEADERS "${toolchain_headers}" HEADER_COMMAND "${MGPU_TEST_NVCC_12_HOST}" ${options} -fsyntax-only
    SOURCES "${toolchain_source}"
    SOURCE_COMMAND "${MGPU_TEST_NVCC_12}/bin/nvcc" -ccbin "${MGPU_TEST_NVCC_12_HOST}" -std=c++17 "-I${folder}"
      -Xcompiler=-Wall,-Wextra -Werror=all-warnings ${own_folders} -arch=sm_90 -Xcicc=-O0
      -ptx -o "${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx" -MD -MF "${dependencies}"
    DEPENDENCIES "${dependencies}" CCCL "${folder}")
endforeach()

if(EXISTS "${MGPU_TEST_NVCC_12}/include/cuda_runtime.h" AND MGPU_TEST_CLANG_CUDA AND EXISTS "${cccl_2.8}/cuda/version")
  # It knows CUDA 12.4 in part: not the newest instructions.
  mgpu_add_compatibility_test(clang.cuda SOURCES "${toolchain_source}"
    SOURCE_COMMAND "${MGPU_TEST_CLANG_CUDA}" -std=c++17 -Wall -Wextra -Werror -Wno-unknown-cuda-version ${own_folders}
      "-isystem${cccl_2.8}" "--cuda-path=${MGPU_TEST_NVCC_12}" --cuda-gpu-arch=sm_90 -fsyntax-only -x cuda)
else()
  mgpu_skip_compatibility_test(clang.cuda "There are no headers of CUDA 12.4 in MGPU_TEST_NVCC_12, no clang++-19, or no CCCL 2.8.")
endif()
