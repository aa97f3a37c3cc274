// SPDX-License-Identifier: MIT
#include "utils/system/environment.hpp"

#include <gtest/gtest.h>

#include "utils/environment_variable.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer::environment {
namespace {

using test::EnvironmentVariable;

TEST(EnvironmentTest, SwitchesAreReadAnewInEachCall) {
  const EnvironmentVariable none("KUIPER_FUSION", "");
  EXPECT_EQ(Fusion(), std::nullopt) << "empty counts as not set";
  {
    const EnvironmentVariable off("KUIPER_FUSION", "0");
    EXPECT_EQ(Fusion(), false);
  }
  const EnvironmentVariable on("KUIPER_FUSION", "1");
  const EnvironmentVariable placement("KUIPER_PLACEMENT", "0");
  EXPECT_EQ(Fusion(), true);
  EXPECT_EQ(Placement(), false);
}

TEST(EnvironmentTest, UnknownValuesAreNamed) {
  for (const char* value : {"off", "2", "00", " 0", "true"}) {
    const EnvironmentVariable fusion("KUIPER_FUSION", value);
    const EnvironmentVariable placement("KUIPER_PLACEMENT", value);
    const std::string end = std::string(" is '") + value + "', expected 0 or 1";
    EXPECT_EQ(ErrorText(ErrorCode::kArgument, [] { Fusion(); }), "environment variable KUIPER_FUSION" + end);
    EXPECT_EQ(ErrorText(ErrorCode::kArgument, [] { Placement(); }), "environment variable KUIPER_PLACEMENT" + end);
  }
}

TEST(EnvironmentTest, NamesAreGivenAsTheyAre) {
  const EnvironmentVariable method("KUIPER_CONVOLUTION", "winograd4");
  const EnvironmentVariable instructions("KUIPER_ISA", "");
  EXPECT_EQ(ConvolutionMethod(), "winograd4");
  EXPECT_EQ(InstructionSet(), "");
}

TEST(EnvironmentTest, AThreadCountIsThereOrNot) {
  const EnvironmentVariable none("OMP_NUM_THREADS", "");
  EXPECT_FALSE(HasThreadCount());
  const EnvironmentVariable two("OMP_NUM_THREADS", "2");
  EXPECT_TRUE(HasThreadCount());
}

TEST(EnvironmentTest, AThreadCountIsTheFirstNumberOfItsList) {
  const EnvironmentVariable none("OMP_NUM_THREADS", "");
  EXPECT_EQ(ThreadCount(), std::nullopt);
  for (const char* value : {"4", " 4", "4,2,1", "4 , 2"}) {
    const EnvironmentVariable number("OMP_NUM_THREADS", value);
    EXPECT_EQ(ThreadCount(), 4) << value;
  }
  for (const char* value : {"0", "-4", "four", "4x", " ", ",4", "99999999999"}) {
    const EnvironmentVariable wrong("OMP_NUM_THREADS", value);
    EXPECT_EQ(ErrorText(ErrorCode::kArgument, [] { ThreadCount(); }),
              std::string("environment variable OMP_NUM_THREADS is '") + value +
                  "', expected a number of threads, at least 1");
  }
}

}  // namespace
}  // namespace kuiper_infer::environment
