// SPDX-License-Identifier: MIT
#include "quantization/report/report.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "quantization/report/report_chart.hpp"
#include "quantization/report/report_csv.hpp"

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

TEST(ReportTest, CsvIsReadAsItWasWritten) {
  Report report = Example();
  report.layers[0].reason = "one\nline, and \"another\"";
  report.layers[0].after_bytes = 12;
  report.layers[1].decibels = -std::numeric_limits<double>::infinity();
  const std::vector<LayerRow> rows = ReadReportCsv(ReportCsv(report), "m.csv");
  Report read = report;
  read.layers = rows;
  EXPECT_EQ(ReportCsv(read), ReportCsv(report));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].reason, report.layers[0].reason);
  EXPECT_EQ(rows[0].after_bytes, 12);
  EXPECT_FALSE(rows[1].after_ms.has_value());
}

TEST(ReportTest, BrokenCsvIsAnErrorThatNamesTheLine) {
  const std::string good = ReportCsv(Example());
  const std::string header = good.substr(0, good.find('\n') + 1);
  const auto expect = [](const std::string& text, const std::string& piece) {
    try {
      ReadReportCsv(text, "m.csv");
      ADD_FAILURE() << "read: " << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("m.csv"));
      EXPECT_THAT(error.what(), HasSubstr(piece));
    }
  };
  expect("", "layer,type,form");
  expect("name,size\n", "layer,type,form");
  expect(header + "a,nn.Conv2d,int8\n", "line 2: found 3 fields, expected 9");
  expect(header + "a,b,int8,x,,,,,\n", "line 2: found 'x', expected a number");
  expect(header + "a,b,int8,,,,1.5,,\n", "line 2: found '1.5', expected a number");
  expect(header + "a,b,int8,,,,,,\n\"a,b", "line 3: a quotation mark is not closed");
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

TEST(ReportTest, ChartIsWellFormedWhateverNamesHold) {
  Report report = Example();
  report.layers[0].name = "\xff\x01]]>";
  EXPECT_THAT(DrawReport(report, "m"), HasSubstr(">? ]]&gt;<"));
}

TEST(ReportTest, ChartShowsBytesWhereTheyAreKnown) {
  EXPECT_THAT(DrawReport(Example(), "m"), Not(HasSubstr("Weights")));
  Report report = Example();
  report.layers[0].before_ms = report.layers[0].after_ms = report.layers[1].before_ms = std::nullopt;
  report.layers[0].before_bytes = 40960;
  report.layers[0].after_bytes = 5120;
  report.layers[1].before_bytes = report.layers[1].after_bytes = 1024;
  const std::string svg = DrawReport(report, "m");
  EXPECT_THAT(svg, HasSubstr(">Weights in KiB: 41.0, then 6.0<"));
  EXPECT_THAT(svg, HasSubstr(">5.0<"));
  EXPECT_THAT(svg, HasSubstr(">float model<"));
  EXPECT_THAT(svg, Not(HasSubstr("Time in ms")));
}

TEST(ReportTest, ExactLayersAreNoInfiniteBars) {
  Report report = Example();
  report.layers[0].decibels = std::numeric_limits<double>::infinity();
  EXPECT_THAT(DrawReport(report, "m"), Not(HasSubstr("width=\"inf")));
  EXPECT_THAT(ReportCsv(report), HasSubstr("int8,inf,"));
}

}  // namespace
}  // namespace kuiper_infer::quantization
