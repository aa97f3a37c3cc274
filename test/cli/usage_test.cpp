// SPDX-License-Identifier: MIT
// Values that an option cannot have are wrong usage: the message names the option, the value found and the value
// expected.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "runtime/build_option_table.hpp"

namespace kuiper_infer::test {
namespace {

using testing::HasSubstr;

struct Case {
  std::string command;
  std::string option;
  std::vector<std::string> values;
  std::string expected;
};

/// Every option that takes a number, with texts that are no number, not finite, too large or out of the option's range.
const std::vector<Case> kNumbers = {
    {"run", "--threads", {"-1", "257", "1.5", "nan", "inf", "99999999999999999999", "0x2", "2x"}, "from 0 to 256"},
    {"info", "--threads", {"-1", "257"}, "from 0 to 256"},
    {"quantize", "--threads", {"-1", "257"}, "from 0 to 256"},
    {"run", "--max-memory", {"0", "-1", "1e9", "nan", "9223372036854775808"}, "a whole number from 1 to"},
    {"run", "--divisor", {"nan", "inf", "-inf", "0", "-1", "1e39", "1e-60", "1x"}, "a positive number"},
    {"run", "--std", {"0", "-0", "0.0", "nan", "inf", "1e39"}, "a number other than 0"},
    {"run", "--mean", {"nan", "NaN", "inf", "-infinity", "1e39", "half"}, "a finite number"},
    {"run", "--image-size", {"0", "-1", "65537", "nan", "1e3"}, "from 1 to 65536"},
    {"bench", "--seconds", {"nan", "inf", "-1", "3601", "1e400", "soon"}, "from 0 to 3600"},
    {"profile", "--runs", {"0", "-1", "100001", "nan", "4294967297"}, "from 1 to 100000"},
    {"profile", "--top", {"-1", "nan", "18446744073709551616"}, "a whole number"},
    {"graph", "--runs", {"-1", "100001", "nan"}, "from 0 to 100000"},
    {"quantize", "--samples", {"-1", "nan", "18446744073709551616"}, "a whole number"},
    {"quantize", "--sqnr", {"nan", "inf", "1e400"}, "a number from -200 to 200"},
    {"quantize", "--keep", {"nan", "-0.1", "1.1"}, "a number from 0 to 1"},
    {"quantize", "--at-least", {"nan", "inf"}, "a finite number"},
    {"quantize", "--percentile", {"nan", "49", "101"}, "a number from 50 to 100"},
    {"quantize", "--axis", {"nan", "1.5", "9223372036854775808"}, "a whole number"},
};

ProgramResult Call(const std::string& command, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {command, "--param", "m.param", "--bin", "m.bin"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return RunKuiper(arguments);
}

void ExpectWrongUsage(const ProgramResult& result, const std::vector<std::string>& pieces) {
  SCOPED_TRACE("standard error: " + result.err);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  for (const std::string& piece : pieces) EXPECT_THAT(result.err, HasSubstr(piece));
}

TEST(UsageTest, NumbersThatMeanNothingAreNamed) {
  for (const Case& each : kNumbers) {
    for (const std::string& value : each.values) {
      SCOPED_TRACE(each.command + " " + each.option + " " + value);
      std::vector<std::string> more = {each.option, value};
      if (each.option == "--image-size") more.push_back(value);  // it takes two
      ExpectWrongUsage(Call(each.command, more), {each.option, "found '" + value + "'", "expected ", each.expected});
    }
  }
}

/// Numbers with a leading zero are decimal, not octal.
TEST(UsageTest, LeadingZerosChangeNoNumber) {
  const ProgramResult result = RunOnLineReader("bench", {"--threads", "010", "--seconds", "0", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"threads\":10,"));
}

TEST(UsageTest, EmptyTextIsNoValue) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> options = {
      {"run", {"--input", "--image", "--output-dir", "--dump", "--cache", "--plugin"}},
      {"bench", {"--input", "--shape"}},
      {"profile", {"--trace"}},
      {"graph", {"--output"}},
      {"report", {"--output"}},
      {"quantize", {"--output", "--images", "--inputs", "--gate"}}};
  for (const auto& [command, names] : options) {
    for (const std::string& name : names) {
      SCOPED_TRACE(command + " " + name);
      const std::vector<std::string> pieces = {name, "found ''", "expected a value that is not empty"};
      ExpectWrongUsage(Call(command, {name, ""}), pieces);
    }
  }
  ExpectWrongUsage(RunKuiper({"info", ""}), {"param", "found ''"});
  ExpectWrongUsage(RunKuiper({"run", "--param", "", "--bin", "m.bin"}), {"--param", "found ''"});
  ExpectWrongUsage(RunKuiper({"run", "--param", "m.param", "--bin", ""}), {"--bin", "found ''"});
}

TEST(UsageTest, CommandsThatLoadAModelHaveAllItsOptions) {
  for (const char* command : {"run", "bench", "profile", "graph", "report", "info"}) {
    const ProgramResult help = RunKuiper({command, "--help"});
    for (const BuildOption& option : BuildOptionTable()) {
      EXPECT_THAT(help.out, HasSubstr("\n  " + option.flag + " ")) << command;
    }
    ExpectWrongUsage(RunKuiper({command, "m.param", "m.bin", "--precision", "exact"}),
                     {"--precision", "exact", "medium"});
    ExpectWrongUsage(RunKuiper({command, "m.param", "m.bin", "--convolution", "magic"}), {"--convolution", "rows"});
  }
}

/// `info` plans by the options: methods of convolutions differ in the planned memory.
TEST(UsageTest, InfoHeedsTheOptions) {
  const std::string base = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.";
  const auto info = [&](const std::vector<std::string>& options) {
    std::vector<std::string> call = {"info", base + "param", base + "bin", "--shape", "1,1,32,64"};
    call.insert(call.end(), options.begin(), options.end());
    return RunKuiper(call);
  };
  const ProgramResult plain = info({});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("precision: highest"));
  EXPECT_THAT(info({"--precision", "high"}).out, HasSubstr("precision: high ("));
  EXPECT_NE(info({"--convolution", "rows"}).out, info({"--convolution", "segments"}).out) << "planned memory";
  ExpectErrorLine(info({"--max-memory", "1000"}), {"1000 bytes"});
}

/// A name without a file is an error of the input, like an unknown name.
TEST(UsageTest, NamesNeedFiles) {
  const std::string base = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.";
  for (const char* option : {"--input", "--image"}) {
    ExpectErrorLine(RunKuiper({"run", "--param", base + "param", "--bin", base + "bin", option, "pnnx_input_0="}),
                    {"'pnnx_input_0='", "expected NAME=FILE"});
  }
}

}  // namespace
}  // namespace kuiper_infer::test
