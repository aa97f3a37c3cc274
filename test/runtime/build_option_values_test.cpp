// SPDX-License-Identifier: MIT
// Values of options: messages for values that are refused, environment variables, and texts in reports.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/build_option_table.hpp"
#include "runtime/built_graph.hpp"
#include "utils/environment_variable.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer::test {
namespace {

TEST(BuildOptionValuesTest, ValuesThatMeanNothingAreNamedByTheOptionAndWhatWasExpected) {
  BuildOptions threads;
  threads.num_threads = -1;
  EXPECT_EQ(ErrorText(ErrorCode::kInput, [&] { MakePlanningContext(threads); }),
            "the option num_threads is -1, expected 0 or more");
  BuildOptions memory;
  memory.max_memory_bytes = -5000000000;
  EXPECT_EQ(ErrorText(ErrorCode::kInput, [&] { MakePlanningContext(memory); }),
            "the option max_memory_bytes is -5000000000, expected 0 or more");
  BuildOptions method;
  method.convolution_method = "magic";
  EXPECT_EQ(
      ErrorText(ErrorCode::kArgument, [&] { MakePlanningContext(method); }),
      "the option convolution_method is 'magic', expected segments, rows, winograd2, winograd4, winograd6, or auto");
  BuildOptions precision;
  precision.precision = static_cast<Precision>(3);
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { MakePlanningContext(precision); }),
            "the option precision is 3, expected highest, high, or medium");
  BuildOptions state;
  state.state_type = "int4";
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [&] { MakePlanningContext(state); }),
            "the option state_type is 'int4', expected auto, float32, bfloat16, or int8");
  CheckBuildOptions({});
}

/// Only the project's own variables: the OpenMP runtime has read OMP_NUM_THREADS before.
TEST(BuildOptionValuesTest, VariablesAreRead) {
  int count = 0;
  for (const BuildOption& option : BuildOptionTable()) {
    if (option.variable.rfind("KUIPER_", 0) != 0) continue;
    ++count;
    const EnvironmentVariable wrong(option.variable, "wrong");
    EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { MakePlanningContext({}); }), testing::HasSubstr(option.variable));
  }
  EXPECT_EQ(count, 3);
}

TEST(BuildOptionValuesTest, ValuesAreTold) {
  BuildOptions options;
  options.num_threads = 3;
  options.precision = Precision::kMedium;
  options.fuse_operators = false;
  options.cache_directory = "folder";
  std::map<std::string, std::string> told;
  for (const BuildOption& option : BuildOptionTable()) told[option.name] = ValueText(option, options);
  const std::map<std::string, std::string> expected = {{"num_threads", "3"},
                                                       {"precision", "medium"},
                                                       {"max_memory_bytes", "no limit"},
                                                       {"cache_directory", "folder"},
                                                       {"measure_methods", "off"},
                                                       {"fuse_operators", "off"},
                                                       {"place_results", "as KUIPER_PLACEMENT says, else on"},
                                                       {"max_state_length", "no limit"},
                                                       {"state_type", "auto"},
                                                       {"convolution_method", "as KUIPER_CONVOLUTION says, else auto"}};
  EXPECT_EQ(told, expected);
}

}  // namespace
}  // namespace kuiper_infer::test
