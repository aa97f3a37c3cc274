// SPDX-License-Identifier: MIT
// Operators against results that PyTorch computed: golden/*.json, written by golden/make_goldens.py.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernel/movement/copy.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/evaluate.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer {
namespace {

using Json = nlohmann::json;

/// {"dtype": "f32", "shape": [...], "data": [...]}; inf and nan are written as strings.
NdArray ToArray(const Json& json) {
  const NdArray wide(RuntimeDataType::kTypeFloat64, json.at("shape").get<Shape>());
  double* target = wide.data<double>();
  for (const Json& item : json.at("data")) {
    *target++ = item.is_string() ? std::stod(item.get<std::string>()) : item.get<double>();
  }
  return wide.To(TypeFromPnnxName(json.at("dtype")));
}

Value ToValue(const Json& json) {
  if (json.is_object()) return ToArray(json);
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return {};
  Value::List items;
  for (const Json& item : json) items.push_back(ToValue(item));
  return items;
}

/// Returns the same array in other memory: of twice the extents, with its axes in reverse order and the first axis
/// backwards.
Value Scattered(const Value& value) {
  if (value.Is<Value::List>()) {
    Value::List items;
    for (const Value& item : value.Get<Value::List>()) items.push_back(Scattered(item));
    return items;
  }
  if (!value.Is<NdArray>() || value.Get<NdArray>().rank() == 0) return value;
  const NdArray& array = value.Get<NdArray>();
  Shape storage(array.shape().rbegin(), array.shape().rend());
  for (int64_t& extent : storage) extent = 2 * extent + 1;
  const NdArray memory(array.type(), storage);
  std::memset(memory.raw(), 1, static_cast<std::size_t>(ByteCount(array.type(), storage)));
  Strides steps(memory.strides().rbegin(), memory.strides().rend());
  int64_t offset = 0;
  for (int64_t& step : steps) {
    offset += step;
    step *= 2;
  }
  offset += std::max<int64_t>(array.shape().front() - 1, 0) * steps.front();
  steps.front() = -steps.front();
  const NdArray window = memory.AsStrided(array.shape(), steps, offset);
  kernel::Copy(array.view(), window.mutable_view());
  return window;
}

OperatorCall ToCall(const Json& json) {
  OperatorCall call;
  call.name = json.at("name");
  call.type = json.at("type");
  for (const auto& [key, value] : json.at("params").items()) call.params[key] = ToValue(value);
  for (const auto& [key, value] : json.at("attributes").items())
    call.attributes[key] = std::make_shared<Weight>(ToArray(value));
  for (const Json& name : json.at("input_names")) call.input_names.push_back(name);
  call.input_count = static_cast<int>(json.at("inputs").size());
  call.output_count = json.at("output_count");
  return call;
}

std::vector<double> Numbers(const NdArray& array) {
  const NdArray wide = array.To(RuntimeDataType::kTypeFloat64).Contiguous();
  return {wide.data<double>(), wide.data<double>() + wide.size()};
}

/// Compares small numbers by absolute, large numbers by relative errors.
void ExpectClose(const NdArray& expected, const Value& found, double tolerance) {
  ASSERT_TRUE(found.Is<NdArray>()) << ValueString(found);
  const NdArray& array = found.Get<NdArray>();
  ASSERT_EQ(SpecString(expected.spec()), SpecString(array.spec()));
  const std::vector<double> wanted = Numbers(expected);
  const std::vector<double> got = Numbers(array);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == got[i] || (std::isnan(wanted[i]) && std::isnan(got[i]))) continue;
    ASSERT_LE(std::abs(wanted[i] - got[i]), tolerance * std::max(1.0, std::abs(wanted[i]))) << "element " << i;
  }
}

void RunCase(const Json& json, bool scatter) {
  SCOPED_TRACE(json.at("name").get<std::string>() + " " + json.at("type").get<std::string>() + " " +
               json.at("params").dump());
  std::vector<Value> inputs;
  for (const Json& input : json.at("inputs")) inputs.push_back(scatter ? Scattered(ToValue(input)) : ToValue(input));
  if (json.contains("error")) {
    try {
      Evaluate(ToCall(json), inputs, DefaultPlanningContext());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(json.at("error").get<std::string>()), std::string::npos) << text;
      EXPECT_NE(text.find(json.at("name").get<std::string>()), std::string::npos) << text;
    }
    return;
  }
  std::vector<Value> results;
  ASSERT_NO_THROW(results = Evaluate(ToCall(json), inputs, DefaultPlanningContext()));
  if (results.size() == 1 && results.front().Is<Value::List>()) {
    const Value::List items = results.front().Get<Value::List>();
    results = items;
  }
  const Json& outputs = json.at("outputs");
  ASSERT_GE(results.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ExpectClose(ToArray(outputs[i]), results[i], json.at("tolerance"));
  }
}

std::vector<std::filesystem::path> GoldenFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(KUIPER_SOURCE_DIR "/test/operators/golden")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class GoldenTest : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenTest, EqualsPyTorch) {
  std::ifstream file(GetParam());
  const Json cases = Json::parse(file);
  ASSERT_FALSE(cases.empty());
  for (const Json& json : cases) RunCase(json, false);
}

TEST_P(GoldenTest, EqualsPyTorchWithInputsScatteredInMemory) {
  std::ifstream file(GetParam());
  for (const Json& json : Json::parse(file)) RunCase(json, true);
}

INSTANTIATE_TEST_SUITE_P(Operators, GoldenTest, testing::ValuesIn(GoldenFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace kuiper_infer
