# What runs for a second or two, and takes the compiler longer.
set(short_tests
  arguments distributed.failures.cuda distributed.nccl distributed.shares distributed.sort.cuda intervals.iterators
  intervals.robust.host joins.cuda joins.full_tiles_cuda joins.robust.host joins.wide_rows locality_sort.cuda
  merge.iterators merge.types merge_runs.iterators merge_runs.robust.host merge_runs.types.cuda merge_runs.zips
  odd_even_merge_sort.robust.cuda odd_even_merge_sort.types.cuda policy.host policy.parts.host
  policy.scans.host policy.shared_memory policy.workspace segmented_sort.digits_cuda segmented_sort.iterators
  segmented_sort.robust.cuda segmented_sort.segments segmented_sort.types.cuda segmented_sort.wide_numbers
  set_operations.iterators set_operations.orders set_operations.robust set_operations.types.cuda stable_sort.cuda
  stable_sort.floats stable_sort.numbers stable_sort.sampled_cuda stable_sort.values thrust_ext)

# Sets `result` to whether the test of that name is one of these.
function(mgpu_is_short name result)
  foreach(test IN LISTS short_tests)
    if("${name}." MATCHES "^${test}[._]")
      set(${result} ON PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} OFF PARENT_SCOPE)
endfunction()
