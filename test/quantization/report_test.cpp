// SPDX-License-Identifier: MIT
#include "quantization/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quantization/report_chart.hpp"

namespace kuiper_infer::quantization {
namespace {

using testing::HasSubstr;
using testing::Not;

Report Example() {
  Report report;
  report.decibels_of = "output";
  report.layers = {{"a<b>", "nn.Conv2d", "int8", "", 38.25, 1.5, 0.5, {}, {}},
                   {"fc", "nn.Linear", "float", "slow, \"they\" say", {}, 2.0, {}, {}, {}}};
  report.remarks = {"All is well."};
  return report;
}

TEST(ReportTest, TextHasAlignedColumnsOfWhatIsKnown) {
  EXPECT_EQ(ReportText(Example()),
            "layer  type       form   output dB  ms before  ms after  reason\n"
            "a<b>   nn.Conv2d  int8        38.2     1.5000    0.5000\n"
            "fc     nn.Linear  float          -     2.0000         -  slow, \"they\" say\n"
            "All is well.\n");
}

TEST(ReportTest, CsvQuotesWords) {
  EXPECT_EQ(ReportCsv(Example()),
            "layer,type,form,sqnr_db,before_ms,after_ms,before_bytes,after_bytes,reason\n"
            "a<b>,nn.Conv2d,int8,38.25,1.5000,0.5000,,,\n"
            "fc,nn.Linear,float,,2.0000,,,,\"slow, \"\"they\"\" say\"\n");
}

TEST(ReportTest, ChartHasABarForEachLayerAndEscapesNames) {
  const std::string svg = DrawReport(Example(), "model & more");
  EXPECT_THAT(svg, HasSubstr("model &amp; more"));
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, HasSubstr("38.2"));
  EXPECT_THAT(svg, HasSubstr("float: slow"));
  std::size_t open = 0;
  for (std::size_t at = 0; (at = svg.find("<text", at)) != std::string::npos; ++at) ++open;
  std::size_t closed = 0;
  for (std::size_t at = 0; (at = svg.find("</text>", at)) != std::string::npos; ++at) ++closed;
  EXPECT_EQ(open, closed);
}

TEST(ReportTest, ExactLayersAreNoInfiniteBars) {
  Report report = Example();
  report.layers[0].decibels = std::numeric_limits<double>::infinity();
  EXPECT_THAT(DrawReport(report, "m"), Not(HasSubstr("width=\"inf")));
  EXPECT_THAT(ReportCsv(report), HasSubstr("int8,inf,"));
}

}  // namespace
}  // namespace kuiper_infer::quantization
