# The harness: the calls of every public function, in translation units of a few functions of one family, are the
# executables `harness.cuda` and `harness.host`. A function takes nvcc six seconds, and what all include ten. Sorts take
# a minute each: they have units of their own.
set(functions_per_unit_host 4)
set(functions_per_unit_cuda 5)
if(NOT MGPU_HAS_CUDA_PROGRAMS)
  set(functions_per_unit_cuda 100)
endif()
set(families_file "${PROJECT_SOURCE_DIR}/cmake/families.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${families_file}")
file(READ "${families_file}" families)
set(checks "${CMAKE_CURRENT_SOURCE_DIR}/harness/checks.cu")
mgpu_as_cpp("${checks}" wrapper)
set(units_host "${wrapper}")
set(units_cuda "${checks}")
set(suffix_host cpp)
set(suffix_cuda cu)
set(function_count 0)
string(JSON family_count LENGTH "${families}" families)
math(EXPR last_family "${family_count} - 1")
foreach(i RANGE ${last_family})
  string(JSON family GET "${families}" families ${i})
  foreach(member name harness traits functions)
    string(JSON family_${member} GET "${family}" ${member})
  endforeach()
  string(JSON count LENGTH "${family_functions}")
  math(EXPR last "${count} - 1")
  set(calls)
  foreach(j RANGE ${last})
    string(JSON function MEMBER "${family_functions}" ${j})
    string(JSON traits GET "${family_functions}" ${function})
    string(CONFIGURE "#define MGPU_HARNESS_FUNCTION @function@
#define MGPU_HARNESS_NAME \"@function@\"
#define MGPU_HARNESS_FAMILY \"@family_name@\"
#define MGPU_HARNESS_TRAITS \"@family_traits@ @traits@\"
#include \"harness/@family_harness@.h\"
#undef MGPU_HARNESS_FUNCTION
#undef MGPU_HARNESS_NAME
#undef MGPU_HARNESS_FAMILY
#undef MGPU_HARNESS_TRAITS
" call @ONLY)
    list(APPEND calls "${call}")
  endforeach()
  math(EXPR function_count "${function_count} + ${count}")
  foreach(system host cuda)
    set(functions_per_unit ${functions_per_unit_${system}})
    if(system STREQUAL "cuda" AND MGPU_HAS_CUDA_PROGRAMS AND family_harness MATCHES "sorts|runs"
       AND family_traits MATCHES "takes_scratch")
      set(functions_per_unit 1)
    endif()
    foreach(first RANGE 0 ${last} ${functions_per_unit})
      list(SUBLIST calls ${first} ${functions_per_unit} unit_calls)
      string(CONCAT content ${unit_calls})
      set(unit "${CMAKE_CURRENT_BINARY_DIR}/harness/${family_name}.${first}.${suffix_${system}}")
      file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
      list(APPEND units_${system} "${unit}")
    endforeach()
  endforeach()
endforeach()
foreach(system host cuda)
  if(system STREQUAL "host" OR MGPU_HAS_CUDA)
    mgpu_add_test_program(harness.${system} ${system} ${units_${system}})
    target_compile_definitions(harness.${system} PRIVATE MGPU_HARNESS_FUNCTIONS=${function_count})
    set(cases harness.${system})
    if(system STREQUAL "cuda")  # what takes longest has cases of its own, which share the GPU
      mgpu_add_test_cases(harness.cuda harness.cuda cuda "${checks}" "--test-case-exclude=inputs*,an*allocation*")
      mgpu_add_test_cases(harness.without_order.cuda harness.cuda cuda "${checks}" "--test-case=inputs*")
      mgpu_add_test_cases(harness.allocations.cuda harness.cuda cuda "${checks}" "--test-case=an*allocation*")
      list(APPEND cases harness.without_order.cuda harness.allocations.cuda)
    else()
      mgpu_add_test_cases(harness.host harness.host host "${checks}")
    endif()
    set_tests_properties(${cases} PROPERTIES TIMEOUT 1200 COST 100)  # the longest ones begin first
  endif()
endforeach()

# What addresses are accessed does not depend on the policy: with the tests' own one the compiler takes half of the
# time.
if(MGPU_SANITIZE MATCHES "address" AND NOT MGPU_TEST_FULL)
  target_compile_definitions(harness.host PRIVATE MGPU_HARNESS_ANY_HOST=1)
endif()
