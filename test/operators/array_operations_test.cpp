// SPDX-License-Identifier: MIT
// Operations on arrays that the cases of tools/make_op_cases.py cannot test: results that are no arrays, complex
// elements, shared memory, plans that have to wait for data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operation/evaluate.hpp"

namespace kuiper_infer {
namespace {

using testing::ElementsAre;

std::vector<Value> Call(const std::string& type, const std::vector<Value>& inputs,
                        std::map<std::string, Value> params = {}, std::map<std::string, NdArray> attributes = {}) {
  OperatorCall call;
  call.name = "op";
  call.type = type;
  call.params = std::move(params);
  for (auto& [name, array] : attributes) call.attributes[name] = std::make_shared<Weight>(std::move(array));
  call.input_count = static_cast<int>(inputs.size());
  return Evaluate(call, inputs, DefaultPlanningContext());
}

NdArray Floats(const Shape& shape, const std::vector<float>& numbers) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::copy(numbers.begin(), numbers.end(), array.data<float>());
  return array;
}

std::vector<float> Numbers(const Value& value) {
  const NdArray array = value.Get<NdArray>().Contiguous();
  return {array.data<float>(), array.data<float>() + array.size()};
}

/// Returns the operation's plan for arrays whose contents are not known.
OperationPlan PlanOf(const std::string& type, const std::vector<TensorSpec>& specs,
                     std::map<std::string, Value> params) {
  OperatorCall call;
  call.name = "op";
  call.type = type;
  call.params = std::move(params);
  std::vector<Argument> inputs;
  for (const TensorSpec& spec : specs) {
    inputs.push_back(Argument{TensorArgument{spec, static_cast<int>(inputs.size()), {}}});
  }
  return MakePlan(Bind(call, inputs, static_cast<int>(inputs.size()), DefaultPlanningContext()));
}

TEST(Views, ShareTheInputsMemory) {
  const NdArray x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const std::vector<std::pair<std::string, std::map<std::string, Value>>> calls = {
      {"Tensor.permute", {{"dims", Value::List{1, 0}}}},
      {"Tensor.reshape", {{"shape", Value::List{3, 2}}}},
      {"torch.unsqueeze", {{"dim", 0}}},
      {"Tensor.expand", {{"sizes", Value::List{4, 2, 3}}}},
      {"torch.squeeze", {}},
      {"torch.flatten", {}},
      {"Tensor.slice", {{"dim", 1}, {"end", 2}}},
      {"Tensor.clone", {}},
      {"Tensor.to", {{"dtype", "torch.float"}}},
      {"torch.real", {}}};
  for (const auto& [type, params] : calls) {
    EXPECT_EQ(Call(type, {x}, params).front().Get<NdArray>().raw(), x.raw()) << type;
    EXPECT_FALSE(PlanOf(type, {x.spec()}, params).run) << type;
  }
  const Value::List pieces = Call("torch.chunk", {x}, {{"chunks", 3}, {"dim", 1}}).front().Get<Value::List>();
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[1].Get<NdArray>().raw(), x.data<float>() + 1);
}

TEST(Slice, AnyBoundBeyondTheArrayIsItsEnd) {
  const NdArray x = Floats({4}, {1, 2, 3, 4});
  for (const auto& [least, most] :
       {std::pair<int64_t, int64_t>{-4, 4}, {INT32_MIN, INT32_MAX}, {INT64_MIN, INT64_MAX}}) {
    const Value whole = Call("Tensor.slice", {x}, {{"dim", 0}, {"start", least}, {"end", most}}).front();
    EXPECT_THAT(Numbers(whole), ElementsAre(1, 2, 3, 4)) << most;
    const Value rest = Call("Tensor.slice", {x},
                            {{"dims", Value::List{0}},
                             {"starts", Value::List{1}},
                             {"ends", Value::List{most}},
                             {"steps", Value::List{2}}})
                           .front();
    EXPECT_THAT(Numbers(rest), ElementsAre(2, 4)) << most;
  }
}

TEST(Full, KeepsTheLimitsOf64Bits) {
  for (const int64_t limit : {INT64_MIN, INT64_MAX}) {
    const Value full =
        Call("torch.full", {}, {{"size", Value::List{1}}, {"fill_value", limit}, {"dtype", "torch.int64"}}).front();
    EXPECT_EQ(full.Get<NdArray>().data<int64_t>()[0], limit);
  }
}

TEST(Reshape, CopiesOnlyWhatStridesCannotSay) {
  const TensorSpec transposed(RuntimeDataType::kTypeFloat32, {2, 3, 4}, {3, 1, 6});
  const auto kind_of = [&](const Value::List& shape) {
    return PlanOf("Tensor.reshape", {transposed}, {{"shape", shape}}).outputs.front().kind;
  };
  EXPECT_EQ(kind_of({24}), OutputPlan::Kind::kNew);
  EXPECT_EQ(kind_of({2, 3, 2, 2}), OutputPlan::Kind::kView);
}

TEST(Split, WithoutASizeCutsOnePieceForEachOutput) {
  OperatorCall call;
  call.name = "op";
  call.type = "torch.split";
  call.params = {{"split_size_or_sections", Value()}, {"dim", 0}};
  call.input_count = 1;
  call.output_count = 3;
  const Value::List pieces =
      Evaluate(call, {Floats({6}, {1, 2, 3, 4, 5, 6})}, DefaultPlanningContext()).front().Get<Value::List>();
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_THAT(Numbers(pieces[2]), ElementsAre(5, 6));
}

TEST(Tuples, KeepTheirItems) {
  const NdArray x = Floats({1}, {1});
  const NdArray y = Floats({1}, {2});
  const Value tuple = Call("prim::TupleConstruct", {x, Value::List{y, 3}, Value()}).front();
  ASSERT_EQ(tuple.Get<Value::List>().size(), 3U);
  EXPECT_TRUE(tuple.Get<Value::List>()[2].IsNone());
  const std::vector<Value> items = Call("prim::TupleUnpack", {tuple});
  ASSERT_EQ(items.size(), 3U);
  EXPECT_THAT(Numbers(items[0]), ElementsAre(1));
  EXPECT_THAT(Numbers(items[1].Get<Value::List>()[0]), ElementsAre(2));
  EXPECT_EQ(Call("prim::ListUnpack", {Value(Value::List{4, 5})})[1].Get<int64_t>(), 5);
  EXPECT_THAT(Numbers(Call("aten::__getitem__", {Value::List{x, y}, -1}).front()), ElementsAre(2));
  EXPECT_EQ(Call("aten::len", {Value(Value::List{x, y, x})}).front().Get<int64_t>(), 3);
  const Value dictionary = Call("prim::DictConstruct", {"out", x, "aux", y}).front();
  ASSERT_EQ(dictionary.Get<Value::List>().size(), 2U);
  EXPECT_THAT(Numbers(dictionary.Get<Value::List>()[1]), ElementsAre(2));
}

TEST(Attribute, IsForwarded) {
  EXPECT_THAT(Numbers(Call("pnnx.Attribute", {}, {}, {{"data", Floats({2}, {7, 8})}}).front()), ElementsAre(7, 8));
}

TEST(SliceIndexes, MixesIntegersAndInputs) {
  const NdArray three = NdArray::Scalar(RuntimeDataType::kTypeInt64, int64_t{3});
  const Value bounds =
      Call("pnnx.SliceIndexes", {three, 5}, {{"indexes", Value::List{"@0", "2147483647", "@1", -2}}}).front();
  EXPECT_EQ(ValueString(bounds), "[3,2147483647,5,-2]");
}

TEST(Sizes, AreKnownWithoutRunning) {
  const TensorSpec spec(RuntimeDataType::kTypeFloat32, {2, 3, 4});
  EXPECT_EQ(PlanOf("Tensor.size", {spec}, {{"dim", -1}}).outputs.front().known.Get<int64_t>(), 4);
  EXPECT_EQ(ValueString(PlanOf("aten::size", {spec}, {}).outputs.front().known), "[2,3,4]");
  EXPECT_EQ(PlanOf("aten::numel", {spec}, {}).outputs.front().known.Get<int64_t>(), 24);
  EXPECT_EQ(PlanOf("aten::dim", {spec}, {}).outputs.front().known.Get<int64_t>(), 3);
  EXPECT_EQ(Call("aten::item", {Floats({1}, {2.5F})}).front().Get<double>(), 2.5);
}

TEST(Complex, PartsAndPairs) {
  const NdArray real = Floats({2}, {1, 2});
  const NdArray imaginary = Floats({3, 1}, {3, 4, 5});
  const Value z = Call("torch.complex", {real, imaginary}).front();
  EXPECT_EQ(SpecString(z.Get<NdArray>().spec()), "complex64 (3,2)");
  EXPECT_THAT(Numbers(Call("torch.real", {z}).front()), ElementsAre(1, 2, 1, 2, 1, 2));
  EXPECT_THAT(Numbers(Call("torch.imag", {z}).front()), ElementsAre(3, 3, 4, 4, 5, 5));
  const Value turned = Call("torch.t", {z}).front();
  EXPECT_THAT(Numbers(Call("torch.imag", {turned}).front()), ElementsAre(3, 4, 5, 3, 4, 5));
  const Value pairs = Call("torch.view_as_real", {turned}).front();
  EXPECT_THAT(Numbers(pairs), ElementsAre(1, 3, 1, 4, 1, 5, 2, 3, 2, 4, 2, 5));
  const Value back = Call("torch.view_as_complex", {pairs}).front();
  EXPECT_EQ(SpecString(back.Get<NdArray>().spec()), "complex64 (2,3)");
  EXPECT_THAT(Numbers(Call("torch.real", {back}).front()), ElementsAre(1, 1, 1, 2, 2, 2));
}

TEST(Index, WaitsForTheContentsOfMasks) {
  const TensorSpec x(RuntimeDataType::kTypeFloat32, {3});
  const TensorSpec mask(RuntimeDataType::kTypeBool, {3});
  const TensorSpec positions(RuntimeDataType::kTypeInt64, {2});
  const auto plan = [&](const TensorSpec& index) {
    OperatorCall call;
    call.name = "op";
    call.type = "Tensor.index";
    const std::vector<Argument> inputs = {Argument{TensorArgument{x, 0, {}}},
                                          Argument{Argument::List{Argument{TensorArgument{index, 1, {}}}}}};
    return MakePlan(Bind(call, inputs, 2, DefaultPlanningContext()));
  };
  EXPECT_TRUE(plan(mask).data_dependent);
  EXPECT_FALSE(plan(positions).data_dependent);
}

TEST(Creation, ConstantsTakeNoMemory) {
  const NdArray zeros = Call("torch.zeros", {}, {{"size", Value::List{1000, 1000, 1000, 1000}}}).front().Get<NdArray>();
  EXPECT_EQ(zeros.size(), int64_t{1000} * 1000 * 1000 * 1000);
  EXPECT_EQ(zeros.strides(), (Strides{0, 0, 0, 0}));
}

}  // namespace
}  // namespace kuiper_infer
