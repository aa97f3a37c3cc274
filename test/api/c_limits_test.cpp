// SPDX-License-Identifier: MIT
// Copies by the C interface count in the model's memory limit; faulty environment variables give a status.
#include <cstring>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/kuiper_c.h"
#include "utils/environment_variable.hpp"

namespace kuiper_infer {
namespace {

/// An array of 16 MiB that repeats 4 numbers in memory (stride 0); a row-major copy of it takes 16 MiB.
constexpr const char* kSpread =
    "7767517\n3 2\npnnx.Input pnnx_input_0 0 1 0 #0=(1,4)f32\n"
    "Tensor.expand spread 1 1 0 1 shape=(1048576,4)\npnnx.Output pnnx_output_0 1 0 1\n";
constexpr int64_t kSpreadBytes = int64_t{16} << 20;
/// An archive without entries.
const std::string kNoWeights = std::string("PK\5\6", 4) + std::string(18, '\0');

kuiper_status RunWithin(int64_t bytes) {
  kuiper_options options = {};
  options.size = sizeof options;
  options.max_memory_bytes = bytes;
  kuiper_model* model = nullptr;
  kuiper_status status =
      kuiper_load_memory(kSpread, std::strlen(kSpread), kNoWeights.data(), kNoWeights.size(), &options, &model);
  if (status != KUIPER_OK) return status;
  const float numbers[] = {1, 2, 3, 4};
  const int64_t shape[] = {1, 4};
  const kuiper_array input = {KUIPER_FLOAT32, 2, shape, numbers};
  EXPECT_EQ(kuiper_set_input(model, "pnnx_input_0", &input), KUIPER_OK);
  for (int run = 0; run < 3; ++run) {  // copies of earlier runs are released
    status = kuiper_run(model);
    EXPECT_EQ(kuiper_output_count(model), status == KUIPER_OK ? 1 : 0);
    if (status != KUIPER_OK) continue;
    kuiper_array output;
    EXPECT_EQ(kuiper_get_output(model, 0, &output), KUIPER_OK);
    EXPECT_EQ(static_cast<const float*>(output.data)[kSpreadBytes / 4 - 1], 4);
  }
  kuiper_free(model);
  return status;
}

TEST(CLimitsTest, CopiesOfOutputsCount) {
  EXPECT_EQ(RunWithin(kSpreadBytes * 5 / 4), KUIPER_OK) << kuiper_last_error();
  EXPECT_EQ(RunWithin(kSpreadBytes / 4), KUIPER_ERROR_RESOURCE);
  EXPECT_THAT(kuiper_last_error(), testing::HasSubstr("max_memory_bytes"));
  EXPECT_EQ(RunWithin(0), KUIPER_OK) << "no limit";
}

TEST(CLimitsTest, WrongVariablesAreAStatus) {
  for (const char* variable : {"KUIPER_ISA", "KUIPER_UNITS", "KUIPER_FUSION", "KUIPER_CONVOLUTION"}) {
    const test::EnvironmentVariable wrong(variable, "foo");
    EXPECT_EQ(RunWithin(0), KUIPER_ERROR_ARGUMENT);
    EXPECT_THAT(kuiper_last_error(), testing::HasSubstr(variable));
  }
  EXPECT_EQ(RunWithin(0), KUIPER_OK);
}

}  // namespace
}  // namespace kuiper_infer
