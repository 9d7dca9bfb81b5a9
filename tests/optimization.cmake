# What the tests are compiled with: -Og, which takes g++ three quarters of the time of -O1, in code that is hardly
# slower. In full tests the harness on the CPU is compiled as a user builds.

# -O0: what runs for a second, and takes the compiler longer.
set(level_0
  arguments distributed.failures distributed.nccl distributed.sort.cuda intervals.iterators.cuda joins.cuda
  joins.full_tiles_cuda joins.wide_rows locality_sort.cuda merge.iterators.cuda merge.types.cuda
  merge_runs.iterators.cuda merge_runs.robust.cuda merge_runs.types.cuda merge_runs.zips.cuda
  odd_even_merge_sort.robust.cuda odd_even_merge_sort.types.cuda policy.shared_memory policy.workspace
  segmented_sort.digits_cuda segmented_sort.iterators.cuda segmented_sort.robust.cuda segmented_sort.segments.cuda
  segmented_sort.types.cuda segmented_sort.wide_numbers.cuda set_operations.iterators set_operations.orders
  set_operations.robust set_operations.types.cuda stable_sort.cuda stable_sort.floats.cuda stable_sort.numbers.cuda
  stable_sort.sampled_cuda stable_sort.short_floats.cuda stable_sort.values.cuda thrust_ext)
# -O1: what the processor counts bits in, or exchanges single elements.
set(level_1 distributed.memory_figures.host odd_even_merge_sort.host segmented_sort.bad_segments.host segmented_sort.host)
set(level_2)
if(MGPU_TEST_FULL AND NOT MGPU_SANITIZE)
  set(level_2 harness.host)
endif()

# Sets `result` to the level of the test of that name.
function(mgpu_optimization_level name result)
  set(${result} g PARENT_SCOPE)
  foreach(level 0 1 2)
    foreach(test IN LISTS level_${level})
      if("${name}." MATCHES "^${test}[._]")
        set(${result} ${level} PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

# A second more for the compiler, four less to run.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set_source_files_properties(tile/odd_even_steps.cpp PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>"
    SKIP_PRECOMPILE_HEADERS ON)  # which are of another level
endif()
