# cmake -DSOURCE=file [-DFIXED=option] -DCOMMAND=compiler;options -P check.cmake
# SOURCE must not compile, with an answer that matches each of its lines `// expect: <regex>`, and, if FIXED is given,
# must compile with that option, so that it fails for these reasons only. CMake's lists need an end of each bracket in a
# line.
file(STRINGS "${SOURCE}" expected REGEX "^// expect: ")
if(NOT expected)
  message(FATAL_ERROR "${SOURCE}: there is no line '// expect: <regex>'")
endif()

execute_process(COMMAND ${COMMAND} "${SOURCE}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but must not")
endif()
foreach(line IN LISTS expected)
  string(REPLACE "// expect: " "" regex "${line}")
  if(NOT output MATCHES "${regex}")
    message(FATAL_ERROR "${SOURCE} does not compile, but the answer does not match '${regex}':\n${output}")
  endif()
endforeach()

if(FIXED)
  execute_process(COMMAND ${COMMAND} ${FIXED} "${SOURCE}" RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} does not compile without the misuse either:\n${output}")
  endif()
endif()
