// SPDX-License-Identifier: MIT
// Calls in all forms of files, bound to rows that the test makes.
#include "operation/binder.hpp"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

constexpr RuntimeDataType kFloat = RuntimeDataType::kTypeFloat32;

Operation Row(const std::string& schema) {
  Operation row;
  row.schema = std::make_shared<const Schema>(schema);
  return row;
}

/// Returns an array that another operator computes, whose contents are known only while running.
Argument Array(int number, const Shape& shape = {2}) { return {TensorArgument{TensorSpec(kFloat, shape), number, {}}}; }

NdArray Ones(const Shape& shape) {
  const NdArray array(kFloat, shape);
  std::fill_n(array.data<float>(), array.size(), 1.0F);
  return array;
}

class BinderTest : public testing::Test {
 protected:
  OperatorCall call_;
  PlanningContext context_;

  Binding BindTo(const Operation& row, const std::vector<Argument>& inputs) const {
    return BindRow(call_, row, inputs, static_cast<int>(inputs.size()), context_);
  }
  std::string Misfit(const std::string& schema, const std::vector<Argument>& inputs) const {
    const Operation row = Row(schema);
    return ErrorText(ErrorCode::kArgument, [&] { BindTo(row, inputs); });
  }
};

TEST_F(BinderTest, ParametersGoByNameOrAliasAndDefaultsFillTheRest) {
  call_.params = {{"axis", 3}, {"informational", "ignored"}};
  const Operation row = Row("Tensor input, int dim|axis=-1, bool keepdim=False");
  const Binding binding = BindTo(row, {Array(0)});
  EXPECT_EQ(binding.arguments.Tensor("input").input, 0);
  EXPECT_EQ(binding.arguments.Int("dim"), 3);
  EXPECT_FALSE(binding.arguments.Bool("keepdim"));
  EXPECT_FALSE(binding.needs_values);
}

TEST_F(BinderTest, NamedInputsGoToTheirArgumentsAndOthersFollowInOrder) {
  call_.input_names = {"weight", "", "unknown"};
  const Operation row = Row("Tensor input, Tensor weight, Tensor? bias=None");
  const Binding binding = BindTo(row, {Array(0), Array(1), Array(2)});
  EXPECT_EQ(binding.arguments.Tensor("input").input, 1);
  EXPECT_EQ(binding.arguments.Tensor("weight").input, 0);
  EXPECT_EQ(binding.arguments.Tensor("bias").input, 2);
}

/// Positions count arrays only, except for raw TorchScript operators, which give every argument in order.
TEST_F(BinderTest, PositionsOfRawOperatorsCountEveryArgument) {
  const Operation row = Row("Tensor input, int dim=0, Tensor? other=None");
  const Argument two{Value(2)};
  call_.type = "torch.operation";
  EXPECT_EQ(BindTo(row, {Array(0), Array(1)}).arguments.Tensor("other").input, 1);
  call_.type = "aten::operation";
  const Binding raw = BindTo(row, {Array(0), two, Array(1)});
  EXPECT_EQ(raw.arguments.Int("dim"), 2);
  EXPECT_EQ(raw.arguments.Tensor("other").input, 1);
}

TEST_F(BinderTest, AListOfArraysTakesAllInputsThatAreLeft) {
  const Operation row = Row("Tensor[] tensors, int dim=0");
  EXPECT_EQ(BindTo(row, {Array(0), Array(1), Array(2)}).arguments.Tensors("tensors").size(), 3U);
  const Argument list{Argument::List{Array(0), Array(1)}};
  EXPECT_EQ(BindTo(row, {list}).arguments.Tensors("tensors")[1].input, 1);
  EXPECT_TRUE(BindTo(row, {}).arguments.Tensors("tensors").empty());
}

TEST_F(BinderTest, AttributesAndNumbersInThePlaceOfArraysAreConstantsBehindTheInputs) {
  call_.attributes["weight"] = std::make_shared<Weight>(Ones({3}));
  call_.attributes["unasked"] = std::make_shared<Weight>(Ones({4}));
  call_.params["other"] = 2.5;
  const Operation row = Row("Tensor input, Tensor weight, Tensor other");
  const Binding binding = BindTo(row, {Array(0)});
  ASSERT_EQ(binding.constants.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(binding.constants[i].input, static_cast<int>(i) + 1);
  EXPECT_EQ(binding.arguments.Tensor("weight").spec.shape, Shape{3});
  EXPECT_EQ(binding.arguments.Tensor("other").known_number(), 2.5);
  EXPECT_EQ(binding.arguments.Tensor("unasked").spec.shape, Shape{4}) << "attributes that are no arguments";
}

TEST_F(BinderTest, AttributesTellOverloadsApart) {
  call_.type = "aten::min";
  call_.input_names = {"self"};
  call_.attributes["other"] = std::make_shared<Weight>(Ones({}));
  EXPECT_TRUE(Bind(call_, {Array(0)}, 1, context_).arguments.Has("other"));
}

TEST_F(BinderTest, ConstantArraysStandForNumbers) {
  const NdArray two = NdArray::Scalar(RuntimeDataType::kTypeInt64, int64_t{2});
  const Operation row = Row("Tensor input, int[] size");
  call_.type = "aten::operation";
  const Argument constant{TensorArgument{two.spec(), 1, two}};
  const Argument list{Argument::List{constant, Argument{Value(5)}}};
  EXPECT_EQ(BindTo(row, {Array(0), list}).arguments.Ints("size"), (std::vector<int64_t>{2, 5}));
}

TEST_F(BinderTest, NumbersThatARunComputesAreWaitedFor) {
  call_.type = "aten::operation";
  EXPECT_TRUE(BindTo(Row("Tensor input, int dim"), {Array(0), Array(1, {})}).needs_values);
  EXPECT_FALSE(BindTo(Row("Tensor input, Tensor dim"), {Array(0), Array(1, {})}).needs_values);
}

/// nn modules record whether they have a weight. True without an array means that the weight is lost.
TEST_F(BinderTest, AFlagInThePlaceOfAnArray) {
  const Operation row = Row("Tensor input, Tensor? bias=None");
  call_.params["bias"] = false;
  EXPECT_FALSE(BindTo(row, {Array(0)}).arguments.Has("bias"));
  call_.params["bias"] = true;
  EXPECT_THAT(Misfit("Tensor input, Tensor? bias=None", {Array(0)}),
              HasSubstr("attribute 'bias' is missing, expected an array because bias=True"));
  call_.attributes["bias"] = std::make_shared<Weight>(Ones({2}));
  EXPECT_TRUE(BindTo(row, {Array(0)}).arguments.Has("bias"));
}

TEST_F(BinderTest, MisfitsNameArgumentFoundAndWanted) {
  EXPECT_THAT(Misfit("Tensor input, int dim", {Array(0)}), HasSubstr("argument 'dim' is missing, expected int"));
  EXPECT_THAT(Misfit("Tensor input", {Array(0), Array(1)}), HasSubstr("2 inputs are more than its arguments"));
  call_.params["dim"] = "one";
  EXPECT_THAT(Misfit("Tensor input, int[2] dim=0", {Array(0)}),
              HasSubstr("argument 'dim' is str 'one', expected int[2]"));
  call_.params["dim"] = int64_t{1} << 40;
  EXPECT_THAT(Misfit("Tensor input, int dim=0", {Array(0)}), HasSubstr("expected integers of 32 bits"));
  call_.params["dim"] = Value::List{0, int64_t{1} << 40};
  EXPECT_THAT(Misfit("Tensor input, int[] dim=0", {Array(0)}), HasSubstr("expected integers of 32 bits"));
  call_.params = {};
  call_.untyped_attributes = {"input"};
  EXPECT_THAT(Misfit("Tensor input", {}), HasSubstr("attribute 'input' is of unknown element type"));
}

TEST_F(BinderTest, WideIntegersAreNumbers) {
  call_.params["value"] = int64_t{1} << 40;
  const Operation row = Row("Tensor input, Scalar value");
  EXPECT_EQ(BindTo(row, {Array(0)}).arguments.Number("value").Get<int64_t>(), int64_t{1} << 40);
}

TEST_F(BinderTest, GettersCheckWhatTheyGive) {
  call_.params = {{"dim", -1}, {"dims", Value::List{0, -1}}, {"size", Value::List{2, 3}}, {"type", "torch.double"}};
  const Operation row = Row("Tensor input, int dim, int[] dims, int[] size, dtype type, int? none=None");
  const Binding binding = BindTo(row, {Array(0)});
  const Arguments& arguments = binding.arguments;
  EXPECT_EQ(arguments.Axis("dim", 3), 2);
  EXPECT_EQ(arguments.Axis("dim", 0), 0) << "one number counts as one axis";
  EXPECT_EQ(arguments.Axes("dims", 3), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(arguments.Axes("none", 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(arguments.Ints("dim", 3), (std::vector<int64_t>{-1, -1, -1}));
  EXPECT_EQ(arguments.Type("type"), RuntimeDataType::kTypeFloat64);
  EXPECT_EQ(arguments.Type("none"), RuntimeDataType::kTypeUnknown);
  const auto error = [&](const auto& get) { return ErrorText(ErrorCode::kArgument, get); };
  EXPECT_THAT(error([&] { arguments.Axes("dims", 1); }), HasSubstr("names an axis twice"));
  EXPECT_THAT(error([&] { arguments.Axes("size", 3); }), HasSubstr("is axis 3, expected one from -3 to 2"));
  EXPECT_THAT(error([&] { arguments.Ints("size", 3); }), HasSubstr("expected a list of 3 ints"));
  EXPECT_THAT(error([&] { arguments.Int("none"); }), HasSubstr("argument 'none' is missing, expected an int"));
  EXPECT_THAT(error([&] { arguments.Int("size"); }), HasSubstr("expected an int"));
  EXPECT_THAT(error([&] { arguments.Tensor("dim"); }), HasSubstr("argument 'dim' is int -1, expected a Tensor"));
}

TEST_F(BinderTest, UnknownTypesAreNamed) {
  call_.type = "nn.Unheard";
  EXPECT_THAT(ErrorText(ErrorCode::kUnsupported, [&] { Bind(call_, {}, 0, context_); }), HasSubstr("nn.Unheard"));
}

}  // namespace
}  // namespace kuiper_infer
