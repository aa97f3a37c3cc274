// SPDX-License-Identifier: MIT
#include "cli/report/page.hpp"

#include "cli/report/page_template.hpp"

namespace kuiper_infer::cli {

std::string MakePage(std::string json) {
  // Without "<", the data cannot end the element that holds it or begin another one.
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string page = kPageTemplate;
  const std::string mark = "REPORT_DATA";
  page.replace(page.find(mark), mark.size(), json);
  return page;
}

}  // namespace kuiper_infer::cli
