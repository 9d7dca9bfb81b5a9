# The harness: the calls of every public function, in translation units of a few functions of one family, are the
# executables `harness.cuda` and `harness.host`. A function takes nvcc six seconds, and what all include ten. Sorts take
# a minute each: they have units of their own. `calls_over_ranks` is for distributed/CMakeLists.txt.
set(functions_per_unit_host 4)
set(functions_per_unit_cuda 10)
if(NOT MGPU_HAS_CUDA_PROGRAMS)
  set(functions_per_unit_cuda 100)
endif()
set(families_file "${PROJECT_SOURCE_DIR}/cmake/families.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${families_file}")
file(READ "${families_file}" families)
set(checks "${CMAKE_CURRENT_SOURCE_DIR}/harness/checks.cu")
mgpu_as_cpp("${checks}" wrapper)
set(suffix_host cpp)
set(suffix_cuda cu)

# Sets `result` to what makes the calls of a function in a unit.
function(mgpu_harness_call result function family traits header)
  string(CONFIGURE "#define MGPU_HARNESS_FUNCTION @function@
#define MGPU_HARNESS_NAME \"@function@\"
#define MGPU_HARNESS_FAMILY \"@family@\"
#define MGPU_HARNESS_TRAITS \"@traits@\"
#include \"harness/@header@.h\"
#undef MGPU_HARNESS_FUNCTION
#undef MGPU_HARNESS_NAME
#undef MGPU_HARNESS_FAMILY
#undef MGPU_HARNESS_TRAITS
" call @ONLY)
  set(${result} "${call}" PARENT_SCOPE)
endfunction()

# Adds units of so many of the calls that follow to a list of sources.
function(mgpu_add_harness_units sources name suffix calls_per_unit)
  math(EXPR last "${ARGC} - 5")
  foreach(first RANGE 0 ${last} ${calls_per_unit})
    list(SUBLIST ARGN ${first} ${calls_per_unit} calls)
    string(CONCAT content ${calls})
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/harness/${name}.${first}.${suffix}")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
    list(APPEND ${sources} "${unit}")
  endforeach()
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()

set(units_host "${wrapper}")
set(units_cuda "${checks}")
set(function_count 0)
mgpu_harness_call(call rebalance distributed over_ranks rebalance)
set(calls_over_ranks "${call}")
string(JSON family_count LENGTH "${families}" families)
math(EXPR last_family "${family_count} - 1")
foreach(i RANGE ${last_family})
  string(JSON family GET "${families}" families ${i})
  foreach(member name harness traits functions)
    string(JSON family_${member} GET "${family}" ${member})
  endforeach()
  list(APPEND family_names ${family_name})
  string(JSON count LENGTH "${family_functions}")
  math(EXPR last "${count} - 1")
  set(calls)
  foreach(j RANGE ${last})
    string(JSON function MEMBER "${family_functions}" ${j})
    string(JSON traits GET "${family_functions}" ${function})
    string(PREPEND traits "${family_traits} ")
    mgpu_harness_call(call ${function} ${family_name} "${traits}" ${family_harness})
    list(APPEND calls "${call}")
    if(traits MATCHES "over_ranks")
      mgpu_harness_call(call ${function} ${family_name} "${traits}" ${family_harness}_over_ranks)
      list(APPEND calls_over_ranks "${call}")
    endif()
  endforeach()
  math(EXPR function_count "${function_count} + ${count}")
  foreach(system host cuda)
    set(functions_per_unit ${functions_per_unit_${system}})
    if(system STREQUAL "cuda" AND MGPU_HAS_CUDA_PROGRAMS AND family_harness MATCHES "sorts|runs"
       AND family_traits MATCHES "takes_scratch")
      set(functions_per_unit 1)
    endif()
    mgpu_add_harness_units(units_${system} ${family_name} ${suffix_${system}} ${functions_per_unit} ${calls})
  endforeach()
endforeach()
foreach(system host cuda)
  mgpu_add_test_program(harness.${system} ${system} ${units_${system}})
  if(TARGET harness.${system})
    target_compile_definitions(harness.${system} PRIVATE MGPU_HARNESS_FUNCTIONS=${function_count})
  endif()
endforeach()

# Adds the cases of a harness: what takes longest has cases of its own. The other arguments are for the environment.
function(mgpu_add_harness_cases name program system)
  mgpu_add_test_cases(${name}.${system} ${program} ${system} "${checks}" "--test-case-exclude=inputs*,an*allocation*")
  mgpu_add_test_cases(${name}.without_order.${system} ${program} ${system} "${checks}" "--test-case=inputs*")
  mgpu_add_test_cases(${name}.allocations.${system} ${program} ${system} "${checks}" "--test-case=an*allocation*")
  # The longest ones begin first.
  set(cases ${name}.${system} ${name}.without_order.${system} ${name}.allocations.${system})
  set_tests_properties(${cases} PROPERTIES TIMEOUT 1200 COST 100)
  set_property(TEST ${cases} APPEND PROPERTY ENVIRONMENT ${ARGN})
endfunction()
mgpu_add_harness_cases(harness harness.cuda cuda)  # on the CPU a family has cases of its own
foreach(family IN LISTS family_names)
  mgpu_add_harness_cases(harness.${family} harness.host host MGPU_HARNESS_ONLY=${family})
endforeach()

# What addresses are accessed does not depend on the policy: with the tests' own one the compiler takes half of the
# time.
if(MGPU_SANITIZE MATCHES "address")
  target_compile_definitions(harness.host PRIVATE MGPU_HARNESS_ANY_HOST=1)
endif()
if(MGPU_SANITIZE STREQUAL "thread")
  target_compile_definitions(harness.host PRIVATE MGPU_HARNESS_SEES_RACES=1)
endif()
# Without a sanitizer the harness has all types, between guards. These do not see an element that is only read: of inputs
# without order the sanitizers, which run a tenth, have more. Threads meet at the same places with any inputs.
if(MGPU_SANITIZE)
  set(unsound_cases 10000)
  if(MGPU_SANITIZE STREQUAL "thread")
    set(unsound_cases 2000)
  endif()
  target_compile_definitions(harness.host PRIVATE MGPU_HARNESS_SANITIZED=1 MGPU_HARNESS_UNSOUND_CASES=${unsound_cases})
endif()
