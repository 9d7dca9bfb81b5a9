# What the tests, benchmarks and examples share: CUDA if there is one, the optional host systems, the warnings, and one
# .cu file built as CUDA and as C++.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(NOT DEFINED CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
if(NOT DEFINED CMAKE_CUDA_STANDARD)
  set(CMAKE_CUDA_STANDARD ${CMAKE_CXX_STANDARD})
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_EXTENSIONS OFF)

option(MGPU_TEST_FULL "The tests of scripts/test --full; CONTRIBUTING.md says what they are" OFF)
execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
if(MGPU_ENABLE_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER)  # it may have been installed since
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(MGPU_HAS_CUDA ON)
  else()
    set(MGPU_HAS_CUDA OFF)
  endif()
else()
  set(MGPU_HAS_CUDA ${MGPU_ENABLE_CUDA})
endif()
set(MGPU_CUDA_PROGRAMS AUTO CACHE STRING
  "Build what is CUDA into programs: ON, OFF (the compiler only checks the sources), AUTO (if there is a GPU)")
set_property(CACHE MGPU_CUDA_PROGRAMS PROPERTY STRINGS AUTO ON OFF)
set(MGPU_HAS_CUDA_PROGRAMS OFF)
if(MGPU_HAS_CUDA)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    if(no_gpu)
      set(CMAKE_CUDA_ARCHITECTURES 90)
    else()
      set(CMAKE_CUDA_ARCHITECTURES native)
    endif()
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(MGPU_CUDA_PROGRAMS STREQUAL "AUTO" AND no_gpu EQUAL 0 OR MGPU_CUDA_PROGRAMS STREQUAL "ON")
    set(MGPU_HAS_CUDA_PROGRAMS ON)
  endif()
  include(CheckCompilerFlag)
  check_compiler_flag(CUDA --fdevice-syntax-only MGPU_HAS_FRONT_END_OPTION)
  # What nvcc is given for sources that are only checked, beside -ptx.
  set(MGPU_FRONT_END_OPTIONS -Xcicc=-O0)
  if(MGPU_HAS_FRONT_END_OPTION)
    set(MGPU_FRONT_END_OPTIONS --fdevice-syntax-only)
  endif()
endif()

find_package(Threads REQUIRED)
find_package(OpenMP COMPONENTS CXX)
find_package(TBB CONFIG QUIET)

add_library(mgpu_warnings INTERFACE)
target_compile_options(mgpu_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror>"
  "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra;-Werror=all-warnings>")

# Every target of ours links the warnings; a C++ one also Thrust's cpp system and the omp and tbb systems where found.
add_library(mgpu_own_host INTERFACE)
target_link_libraries(mgpu_own_host INTERFACE mgpu_warnings Threads::Threads)
target_compile_definitions(mgpu_own_host INTERFACE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
if(OpenMP_CXX_FOUND)
  target_link_libraries(mgpu_own_host INTERFACE OpenMP::OpenMP_CXX)
  target_compile_definitions(mgpu_own_host INTERFACE MGPU_TEST_HAS_OMP=1)
endif()
if(TBB_FOUND)
  target_link_libraries(mgpu_own_host INTERFACE TBB::tbb)
  target_compile_definitions(mgpu_own_host INTERFACE MGPU_TEST_HAS_TBB=1)
endif()

set(MGPU_SANITIZE "" CACHE STRING "Sanitizers of the C++ compiler for own C++ targets: address,undefined or thread")
if(MGPU_SANITIZE)
  # Frames that report what they were given, at a speed that a test can wait for.
  set(sanitize -fsanitize=${MGPU_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_compile_options(mgpu_own_host INTERFACE ${sanitize} -O1)
  target_link_options(mgpu_own_host INTERFACE ${sanitize})
endif()

add_library(mgpu_own_cuda INTERFACE)
target_link_libraries(mgpu_own_cuda INTERFACE mgpu_warnings)

# Adds an executable of `host` or `cuda`. One for CUDA that nothing here can run is only checked: its sources go through
# nvcc's front end, a fifth to a fifteenth of the time.
function(mgpu_add_program name system)
  if(system STREQUAL "cuda" AND NOT MGPU_HAS_CUDA_PROGRAMS)
    list(GET CMAKE_CUDA_ARCHITECTURES 0 architecture)
    add_library(${name} OBJECT ${ARGN})
    set_target_properties(${name} PROPERTIES CUDA_PTX_COMPILATION ON CUDA_ARCHITECTURES ${architecture})
    target_compile_options(${name} PRIVATE ${MGPU_FRONT_END_OPTIONS})
  else()
    add_executable(${name} ${ARGN})
  endif()
endfunction()

# Adds a ctest case of a program; one that is only checked says that it is skipped. Threads that wait leave their core to
# the other tests.
function(mgpu_add_program_test name program system)
  set(command ${ARGN})
  if(system STREQUAL "cuda" AND NOT MGPU_HAS_CUDA_PROGRAMS)
    set(command bash -c "echo 'skipped: no GPU' && exit 77")
  endif()
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ENVIRONMENT OMP_WAIT_POLICY=passive)
endfunction()

# Sets `result` to a .cpp file that includes the .cu file, so that the C++ compiler builds it.
function(mgpu_as_cpp cu_file result)
  file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${cu_file}")
  set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/as_cpp/${name}.cpp")
  file(CONFIGURE OUTPUT "${wrapper}" CONTENT "#include \"${cu_file}\"\n" @ONLY)
  set(${result} "${wrapper}" PARENT_SCOPE)
endfunction()
