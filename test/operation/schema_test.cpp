// SPDX-License-Identifier: MIT
#include "operation/schema.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "operation/argument_value.hpp"

namespace kuiper_infer {
namespace {

TEST(SchemaTest, ReadsKindsNamesAndDefaults) {
  const Schema schema(
      "Tensor input|self|x, *, Tensor? bias=None, int[2] stride=1, float[] scale=[0.5,2], bool flag=True, str "
      "mode=zeros, Scalar alpha=1e-5, dtype? dtype=None, any[] rest, int? dim");
  const std::vector<ArgumentSchema>& arguments = schema.arguments();
  ASSERT_EQ(arguments.size(), 10U);

  EXPECT_EQ(arguments[0].name, "input");
  EXPECT_EQ(arguments[0].aliases, (std::vector<std::string>{"self", "x"}));
  EXPECT_EQ(arguments[0].kind, ArgumentKind::kTensor);
  EXPECT_FALSE(arguments[0].optional);
  EXPECT_FALSE(arguments[0].default_value);

  EXPECT_TRUE(arguments[1].optional);
  EXPECT_TRUE(arguments[1].default_value->IsNone());

  EXPECT_EQ(arguments[2].kind, ArgumentKind::kIntList);
  EXPECT_TRUE(arguments[2].list);
  EXPECT_EQ(arguments[2].count, 2);
  EXPECT_EQ(arguments[2].default_value->Get<int64_t>(), 1);

  EXPECT_EQ(arguments[3].kind, ArgumentKind::kFloatList);
  EXPECT_EQ(arguments[3].count, 0);
  EXPECT_EQ(ValueString(*arguments[3].default_value), "[0.5,2]");

  EXPECT_EQ(arguments[4].kind, ArgumentKind::kBool);
  EXPECT_TRUE(arguments[4].default_value->Get<bool>());
  EXPECT_EQ(arguments[5].kind, ArgumentKind::kString);
  EXPECT_EQ(arguments[5].default_value->Get<std::string>(), "zeros");
  EXPECT_EQ(arguments[6].kind, ArgumentKind::kNumber);
  EXPECT_EQ(arguments[6].default_value->Get<double>(), 1e-5);
  EXPECT_EQ(arguments[7].kind, ArgumentKind::kType);
  EXPECT_EQ(arguments[8].kind, ArgumentKind::kAny);
  EXPECT_TRUE(arguments[8].list);
  EXPECT_TRUE(arguments[9].optional);
  EXPECT_FALSE(arguments[9].default_value) << "may be None, and has to be given";
}

TEST(SchemaTest, FindsNamesAndAliases) {
  const Schema schema("Tensor input|self, int dim|axis=-1");
  EXPECT_EQ(schema.Find("input"), 0);
  EXPECT_EQ(schema.Find("self"), 0);
  EXPECT_EQ(schema.Find("axis"), 1);
  EXPECT_EQ(schema.Find("dims"), -1);
  EXPECT_EQ(schema.Find(""), -1);
}

TEST(SchemaTest, WritesKindsAsItReadsThem) {
  for (const char* kind : {"Tensor", "Tensor?", "Tensor[]", "int", "int?", "int[]", "int[3]", "int[2]?", "float",
                           "float[]", "bool", "str", "Scalar", "dtype?", "any", "any[]"}) {
    EXPECT_EQ(KindText(Schema(std::string(kind) + " x").arguments().front()), kind);
  }
}

TEST(SchemaTest, AMalformedOneIsALogicError) {
#ifdef __MINGW32__
  GTEST_SKIP() << "an exception from MinGW's std::call_once hangs the next call";
#endif
  for (const char* text : {"Tensor", "Tensr input", "Tensor input, dim", "int(2) size"}) {
    EXPECT_THROW(Schema(text).arguments(), std::logic_error) << text;
    EXPECT_THROW(Schema(text).Find("input"), std::logic_error) << text;
  }
}

TEST(ArgumentValueTest, IntegersAreWholeNumbers) {
  EXPECT_EQ(AsInt(true), 1);
  EXPECT_EQ(AsInt(int64_t{-7}), -7);
  EXPECT_EQ(AsInt(3.0), 3);
  EXPECT_EQ(AsInt(Value(NdArray::Scalar(RuntimeDataType::kTypeFloat32, 5.0F))), 5);
  for (const Value& value : {Value(3.5), Value(1e300), Value(std::numeric_limits<double>::quiet_NaN()),
                             Value(std::numeric_limits<double>::infinity()), Value("3"), Value(), Value(Value::List{1}),
                             Value(NdArray(RuntimeDataType::kTypeInt64, {2}))}) {
    EXPECT_EQ(AsInt(value), std::nullopt) << ValueString(value);
  }
}

TEST(ArgumentValueTest, WordsStandForInfinityAndNan) {
  EXPECT_EQ(AsFloat("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(AsFloat("-inf"), -std::numeric_limits<double>::infinity());
  const std::optional<double> nan = AsFloat("nan");
  ASSERT_TRUE(nan);
  EXPECT_NE(*nan, *nan);
  EXPECT_EQ(AsFloat("infinite"), std::nullopt);
  EXPECT_EQ(AsFloat(int64_t{2}), 2.0);
  EXPECT_EQ(AsFloat(Value()), std::nullopt);
}

TEST(ArgumentValueTest, ASingleValueIsAListOfOne) {
  EXPECT_EQ(Items(Value(int64_t{4})).size(), 1U);
  EXPECT_EQ(Items(Value(Value::List{1, 2, 3})).size(), 3U);
  const NdArray array(RuntimeDataType::kTypeInt64, {2});
  array.data<int64_t>()[0] = 8;
  array.data<int64_t>()[1] = 9;
  const std::vector<Value> items = Items(array);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].Get<int64_t>(), 9);
  EXPECT_TRUE(Items(Value(Value::List{})).empty());
}

/// Known values as arguments: each kind of argument takes some values and refuses all other ones.
TEST(ArgumentValueTest, FitsWhereItsKindIsWanted) {
  const struct {
    const char* schema;
    std::vector<Value> fitting;
    std::vector<Value> others;
  } kCases[] = {
      {"int x", {1, 2.0, true, Value::List{4}}, {1.5, "1", Value(), Value::List{1, 2}}},
      {"int? x", {1, Value()}, {"1"}},
      {"int x=None", {1, Value()}, {"1"}},
      {"int[] x", {1, Value::List{1, 2}, Value::List{}}, {Value::List{1, 0.5}, "1"}},
      {"float x", {1, 0.5, "inf"}, {"one", Value(), Value::List{1.0, 2.0}}},
      {"float[] x", {0.5, Value::List{1, 0.5}}, {Value::List{"one"}}},
      {"bool x", {true, 0, 1}, {0.5, "True", Value()}},
      {"str x", {"zeros"}, {1, Value()}},
      {"Scalar x", {1, 0.5, true, "nan"}, {"one", Value::List{1}}},
      {"dtype x", {"torch.float", 6}, {"float33", 0.5}},
      {"Tensor x", {1, 0.5, NdArray(RuntimeDataType::kTypeFloat32, {2})}, {"x", Value::List{1}, Value()}},
      {"any x", {1, "x", Value::List{1}}, {}},
  };
  for (const auto& c : kCases) {
    const ArgumentSchema argument = Schema(c.schema).arguments().front();
    for (const Value& value : c.fitting) EXPECT_TRUE(Fits(argument, value)) << c.schema << ": " << ValueString(value);
    for (const Value& value : c.others) EXPECT_FALSE(Fits(argument, value)) << c.schema << ": " << ValueString(value);
  }
}

}  // namespace
}  // namespace kuiper_infer
