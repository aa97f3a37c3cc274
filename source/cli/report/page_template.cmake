# SPDX-License-Identifier: MIT
# The page of `kuiper report` as one string of C++: page.html, with the style sheet and the scripts in it.
# KUIPER_REPORT_INCLUDE_DIR is the folder of the header then.
set(report ${CMAKE_CURRENT_LIST_DIR})
set(parts page.css format.js table.js charts.js graph.js data.js page.js graph_section.js time_sections.js layers_section.js)
list(TRANSFORM parts PREPEND ${report}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parts} ${report}/page.html ${report}/page_template.hpp.in)
foreach(part IN LISTS parts)
  file(READ ${part} text)
  if(part MATCHES "css$")
    string(APPEND style "${text}")
  else()
    string(APPEND script "${text}")
  endif()
endforeach()
file(READ ${report}/page.html page)
string(CONFIGURE "${page}" page @ONLY)
set(KUIPER_REPORT_INCLUDE_DIR ${CMAKE_CURRENT_BINARY_DIR}/include)
configure_file(${report}/page_template.hpp.in ${KUIPER_REPORT_INCLUDE_DIR}/cli/report/page_template.hpp @ONLY)
