// SPDX-License-Identifier: MIT
// The functions that the module for browsers adds to the C interface, compiled as native code: the list of its sources
// is complete, and the functions answer. tools/build_wasm.sh --test tries the module itself.
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kuiper_infer/kuiper_c.h"

extern "C" {
kuiper_status kuiper_describe(const kuiper_model* model, const char** text);
kuiper_status kuiper_report(const kuiper_model* model, const char* name, std::size_t count, const char* const* names,
                            const kuiper_array* const* arrays, int runs, const char** text);
}

namespace {

using testing::HasSubstr;

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The sample model that reads lines: images (1,1,32,?).
class ModuleTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string stem = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.";
    const std::string param = Contents(stem + "param");
    const std::string bin = Contents(stem + "bin");
    kuiper_model* model = nullptr;
    ASSERT_EQ(kuiper_load_memory(param.data(), param.size(), bin.data(), bin.size(), nullptr, &model), KUIPER_OK)
        << kuiper_last_error();
    model_.reset(model);
  }

  /// Asks for the report of one run on an image of this number of channels.
  kuiper_status Report(int64_t channels, const char** text) const {
    const int64_t shape[] = {1, channels, 32, 64};
    const std::vector<float> pixels(static_cast<std::size_t>(channels * 32 * 64), 0.5F);
    const kuiper_array image = {KUIPER_FLOAT32, 4, shape, pixels.data()};
    const kuiper_array* const arrays[] = {&image};
    const char* const name = kuiper_input_name(model_.get(), 0);
    return kuiper_report(model_.get(), "line_reader.pnnx.param", 1, &name, arrays, 1, text);
  }

  std::unique_ptr<kuiper_model, void (*)(kuiper_model*)> model_{nullptr, kuiper_free};
};

TEST_F(ModuleTest, DescribesAModelAsJson) {
  const char* text = nullptr;
  ASSERT_EQ(kuiper_describe(model_.get(), &text), KUIPER_OK) << text;
  const nlohmann::json described = nlohmann::json::parse(text);
  ASSERT_EQ(described.at("inputs").size(), 1U);
  EXPECT_EQ(described.at("inputs").at(0).at("name"), kuiper_input_name(model_.get(), 0));
  EXPECT_TRUE(described.contains("multiply_adds"));
}

TEST_F(ModuleTest, ReportsRunsAsAPage) {
  const char* text = nullptr;
  ASSERT_EQ(Report(1, &text), KUIPER_OK) << text;
  EXPECT_THAT(text, HasSubstr("<html"));
  EXPECT_THAT(text, HasSubstr("line_reader.pnnx.param"));
  EXPECT_THAT(text, HasSubstr("nn.Conv2d"));
}

TEST_F(ModuleTest, AWrongInputIsAStatusAndAText) {
  const char* text = nullptr;
  EXPECT_NE(Report(2, &text), KUIPER_OK);
  EXPECT_THAT(text, HasSubstr("(1,2,32,64)"));
}

}  // namespace
