# cmake -DSOURCE=file -DCOMMAND=compiler;options -P check.cmake
# SOURCE must not compile, with an answer that matches its first line `// expect: <regex>`, and must compile with
# MGPU_TEST_FIXED, so that it fails for that reason only.
file(STRINGS "${SOURCE}" first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE}: the first line is not '// expect: <regex>'")
endif()
set(expected "${CMAKE_MATCH_1}")

execute_process(COMMAND ${COMMAND} "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but must not")
endif()
if(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "${SOURCE} does not compile, but the answer does not match '${expected}':\n${output}")
endif()

execute_process(COMMAND ${COMMAND} -DMGPU_TEST_FIXED "${SOURCE}" RESULT_VARIABLE result
  OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile without the misuse either:\n${output}")
endif()
