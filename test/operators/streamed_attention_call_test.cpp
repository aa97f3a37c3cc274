// SPDX-License-Identifier: MIT
// One plan of scaled dot-product attention serves every number of keys.
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/int8_rows.hpp"
#include "kernel/random_data.hpp"
#include "operation/binder.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kHeads = 2;
constexpr int64_t kGroup = 3;
constexpr int64_t kWidth = 16;
constexpr auto kFloat = RuntimeDataType::kTypeFloat32;

OperationPlan PlanAttention(const PlanningContext& context, const std::vector<TensorSpec>& specs) {
  OperatorCall call;
  call.type = "F.scaled_dot_product_attention";
  call.params["enable_gqa"] = Value(true);
  call.input_count = static_cast<int>(specs.size());
  call.input_names = {"query", "key", "value", "attn_mask"};
  call.input_names.resize(specs.size());
  std::vector<Argument> arguments;
  for (const TensorSpec& spec : specs) {
    TensorArgument tensor;
    tensor.spec = spec;
    tensor.input = static_cast<int>(arguments.size());
    arguments.push_back({tensor});
  }
  return MakePlan(Bind(call, arguments, call.input_count, context));
}

std::vector<float> RunPlan(const OperationPlan& plan, const std::vector<ConstArrayView>& inputs) {
  const TensorSpec& spec = plan.outputs.at(0).spec;
  std::vector<float> output(static_cast<std::size_t>(spec.size()));
  std::vector<std::byte> workspace(static_cast<std::size_t>(plan.workspace_bytes) + 64);
  const ArrayView view{output.data(), spec};
  auto* const aligned = reinterpret_cast<std::byte*>(RoundUp(reinterpret_cast<intptr_t>(workspace.data()), 64));
  plan.run({inputs.data(), &view, aligned});
  return output;
}

TensorSpec QuerySpec(int64_t rows, int64_t pitch) {
  return {kFloat, {1, kHeads * kGroup, rows, kWidth}, {0, pitch * kWidth, kWidth, 1}};
}
TensorSpec CacheSpec(int64_t length, int64_t capacity) {
  return {kFloat, {1, kHeads, length, kWidth}, {0, capacity * kWidth, kWidth, 1}};
}
TensorSpec MaskSpec(int64_t rows, int64_t length) { return {kFloat, {1, 1, rows, length}}; }

TEST(StreamedAttentionCallTest, OnePlanServesEveryLength) {
  constexpr int64_t kManyRows = 130;  // for which a plan of one length takes another kernel
  PlanningContext context = DefaultPlanningContext();
  context.threads = 2;
  PlanningContext free = context;
  free.free_lengths = true;
  const auto query = RandomVector<float>(kHeads * kGroup * kManyRows * kWidth, 1);
  const auto mask = RandomVector<float>(kManyRows * 600, 2);
  for (const int64_t rows : {int64_t{1}, int64_t{5}, kManyRows}) {
    const OperationPlan plan =
        PlanAttention(free, {QuerySpec(rows, kManyRows), CacheSpec(3, 8), CacheSpec(3, 8), MaskSpec(rows, 3)});
    ASSERT_TRUE(plan.reads_specs);
    for (const int64_t length : {1, 2, 3, 33, 600}) {
      const int64_t capacity = length + 7;
      const auto key = RandomVector<float>(kHeads * capacity * kWidth, 3);
      const auto value = RandomVector<float>(kHeads * capacity * kWidth, 4);
      const auto inputs = [&](int64_t count) -> std::vector<ConstArrayView> {
        return {{query.data(), QuerySpec(count, kManyRows)},
                {key.data(), CacheSpec(length, capacity)},
                {value.data(), CacheSpec(length, capacity)},
                {mask.data(), MaskSpec(count, length)}};
      };
      std::vector<TensorSpec> specs;
      for (const ConstArrayView& view : inputs(kManyRows)) specs.push_back(view.spec);
      const OperationPlan fixed = PlanAttention(context, specs);
      ASSERT_FALSE(fixed.reads_specs);
      const std::vector<float> found = RunPlan(plan, inputs(rows));
      const std::vector<float> expected = RunPlan(fixed, inputs(kManyRows));
      for (int64_t head = 0; head < kHeads * kGroup; ++head) {
        for (int64_t i = 0; i < rows * kWidth; ++i) {
          ASSERT_NEAR(found[head * rows * kWidth + i], expected[head * kManyRows * kWidth + i], 3e-6)
              << rows << " rows, length " << length << ", head " << head << ", element " << i;
        }
      }
    }
  }
}

/// Arrays that the kernel cannot read where they lie: their plans hold for one length.
TEST(StreamedAttentionCallTest, OtherArraysKeepTheirLength) {
  PlanningContext free = DefaultPlanningContext();
  free.free_lengths = true;
  const TensorSpec cache = CacheSpec(5, 5);
  const TensorSpec turned(kFloat, cache.shape, {0, 5 * kWidth, 1, 5});
  EXPECT_TRUE(PlanAttention(free, {QuerySpec(1, 1), cache, cache}).reads_specs);
  EXPECT_FALSE(PlanAttention(free, {QuerySpec(1, 1), turned, cache}).reads_specs);
  EXPECT_FALSE(PlanAttention(free, {QuerySpec(1, 1), cache, turned}).reads_specs);
  const auto in_double = [](TensorSpec spec) {
    spec.type = RuntimeDataType::kTypeFloat64;
    return spec;
  };
  EXPECT_FALSE(PlanAttention(free, {in_double(QuerySpec(1, 1)), in_double(cache), in_double(cache)}).reads_specs);
}

TEST(StreamedAttentionCallTest, KeysInInt8NeedTheirScales) {
  const PlanningContext context = DefaultPlanningContext();
  const Shape shape{1, kHeads, 5, kWidth};
  const TensorSpec rows = kernel::Int8RowSpec(shape);
  const TensorSpec bare(RuntimeDataType::kTypeInt8, shape);
  EXPECT_EQ(PlanAttention(context, {QuerySpec(1, 1), rows, rows}).method, "streamed");
  EXPECT_THROW(PlanAttention(context, {QuerySpec(1, 1), bare, bare}), Error);
  EXPECT_THROW(PlanAttention(context, {QuerySpec(1, 1), rows, bare}), Error);
}

}  // namespace
}  // namespace kuiper_infer
