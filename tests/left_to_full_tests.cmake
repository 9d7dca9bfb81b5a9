# Takes from `sources` what only full tests have.
set(all_sources ${sources})
set(sources)
foreach(source IN LISTS all_sources)
  cmake_path(GET source STEM stem)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  if(folder STREQUAL "block" AND NOT stem STREQUAL "search_cuda")
    # The algorithms' own tests run all blocks.
    continue()
  endif()
  if(MGPU_HAS_CUDA_PROGRAMS)
    # nvcc takes a minute for most files. Where there is a GPU, it has the file that bears a family's name, those of the
    # policies, and the harness. Cases that need tens of GB of memory are there where they are asked for.
    if(stem STREQUAL folder OR (MGPU_TEST_LARGE AND stem STREQUAL "large_cuda") OR folder MATCHES "^(policy|block)$" OR "${folder}/${stem}" MATCHES "^(distributed|thrust_ext)/merge$")
      list(APPEND sources ${source})
    endif()
  elseif(NOT "${folder}/${stem}" MATCHES "/(types|robust)$|^distributed/(failures|memory_figures|joins|set_operations)$|\
^set_operations/(disorder|iterators|memory|orders|values)$|^segmented_sort/(bad_segments|iterators)$|^thrust_ext/set_operations$|\
^arguments/(user_types|short_differences)$")
    # The others take g++ ten seconds each, and look at what is rarely wrong alone.
    list(APPEND sources ${source})
  endif()
endforeach()
