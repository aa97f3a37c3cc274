# SPDX-License-Identifier: MIT
# What the module for browsers consists of beside the library: `web_module_sources`. Of the program it has only what makes
# reports.
set(program ${PROJECT_SOURCE_DIR}/source/cli)
include(${program}/report/page_template.cmake)
set(web_module_sources ${CMAKE_CURRENT_LIST_DIR}/module.cpp
  ${program}/graph/graph_folding.cpp ${program}/graph/graph_rows.cpp ${program}/graph/operator_kind.cpp
  ${program}/graph/row_texts.cpp ${program}/machine.cpp ${program}/report/describe_graph.cpp
  ${program}/report/describe_layers.cpp ${program}/report/describe_model.cpp ${program}/report/graph_layout.cpp
  ${program}/report/model_report.cpp ${program}/report/ranked_graph.cpp
  ${PROJECT_SOURCE_DIR}/source/quantization/report/report_csv.cpp)
