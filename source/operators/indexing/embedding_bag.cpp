// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "kernel/indexing/embedding.hpp"
#include "kernel/movement/copy.hpp"
#include "operation/backward_outputs.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The data of a run of embedding_bag.
struct Bags {
  kernel::BagMode mode = kernel::BagMode::kSum;
  int weight = -1;
  int indices = -1;
  int offsets = -1;
  int factors = -1;
  int64_t count = 0;  ///< of the indices
  int64_t bags = 0;
  int64_t rows = 0;
  int64_t width = 0;
  int64_t padding_index = -1;
  bool last_offset = false;
};

/// Copies indices and offsets as int64 into `indices` and `begins` and checks them.
void ReadIndices(const Bags& bags, const RunContext& c, int64_t* indices, int64_t* begins) {
  const auto as_int64 = [&](int input, int64_t* to) {
    const Shape& shape = c.inputs[input].shape();
    kernel::Copy(c.inputs[input], {to, TensorSpec(RuntimeDataType::kTypeInt64, shape)});
  };
  as_int64(bags.indices, indices);
  as_int64(bags.offsets, begins);
  if (!bags.last_offset) begins[bags.bags] = bags.count;
  for (int64_t i = 0; i < bags.count; ++i) {
    if (indices[i] < 0 || indices[i] >= bags.rows) {
      throw Error(ErrorCode::kInput, "index " + std::to_string(indices[i]) + " is out of range, expected 0 to " +
                                         std::to_string(bags.rows - 1));
    }
  }
  if (begins[0] != 0 || begins[bags.bags] > bags.count || !std::is_sorted(begins, begins + bags.bags + 1)) {
    throw Error(ErrorCode::kInput,
                "offsets must start at 0, not decrease, and not exceed the " + std::to_string(bags.count) + " indices");
  }
}

/// The row that counts for no bag, or -1. If `kWraps`, negative numbers count from the end and None stands for no row;
/// otherwise, any negative number stands for no row.
template <bool kWraps>
int64_t ReadPaddingIndex(const Arguments& arguments, int64_t rows) {
  if (!arguments.Has("padding_idx")) return -1;
  const int64_t index = arguments.Int("padding_idx");
  if (!kWraps) return index;
  arguments.Require(index >= -rows && index < rows, "padding_idx is " + std::to_string(index) + ", expected one from " +
                                                        std::to_string(-rows) + " to " + std::to_string(rows - 1));
  return index < 0 ? index + rows : index;
}

template <bool kWraps>
OperationPlan PlanEmbeddingBag(const Arguments& arguments) {
  const TensorArgument& weight = arguments.Tensor("weight");
  const TensorArgument& indices = arguments.Tensor("indices");
  const TensorArgument& offsets = arguments.Tensor("offsets");
  const TensorArgument* factors = arguments.OptionalTensor("per_sample_weights");
  arguments.Require(weight.spec.rank() == 2 && indices.spec.rank() == 1 && offsets.spec.rank() == 1,
                    "found weight " + ShapeString(weight.spec.shape) + ", indices " + ShapeString(indices.spec.shape) +
                        " and offsets " + ShapeString(offsets.spec.shape) + ", expected ranks 2, 1 and 1");
  arguments.Require(IsInteger(indices.spec.type) && IsInteger(offsets.spec.type),
                    "indices and offsets must be integers");
  const int64_t mode = arguments.Int("mode");
  arguments.Require(mode >= 0 && mode <= 2, "mode is " + std::to_string(mode) + ", expected 0, 1 or 2");
  Bags bags;
  bags.mode = static_cast<kernel::BagMode>(mode);
  bags.weight = weight.input;
  bags.indices = indices.input;
  bags.offsets = offsets.input;
  bags.last_offset = arguments.Bool("include_last_offset");
  bags.count = indices.spec.shape[0];
  bags.bags = offsets.spec.shape[0] - (bags.last_offset ? 1 : 0);
  bags.rows = weight.spec.shape[0];
  bags.width = weight.spec.shape[1];
  bags.padding_index = ReadPaddingIndex<kWraps>(arguments, bags.rows);
  arguments.Require(bags.bags >= 0, "offsets are empty, expected at least the last one");
  if (factors != nullptr) {
    arguments.Require(mode == 0 && factors->spec.shape == indices.spec.shape && factors->spec.type == weight.spec.type,
                      "per_sample_weights need mode 0 and the indices' shape and the weight's type");
    bags.factors = factors->input;
  }

  OperationPlan plan;
  plan.outputs = {OutputPlan::New(weight.spec.type, {bags.bags, bags.width})};
  AddBackwardOutputs(arguments, plan);
  plan.workspace_bytes = ByteCount(RuntimeDataType::kTypeInt64, {bags.count + bags.bags + 1});
  plan.run = [bags](const RunContext& c) {
    auto* numbers = reinterpret_cast<int64_t*>(c.workspace);
    int64_t* begins = numbers + bags.count;
    begins[0] = 0;
    ReadIndices(bags, c, numbers, begins);
    DispatchFloating(c.outputs[0].type(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel::ReduceBags<T>(bags.mode, numbers, begins, bags.bags,
                            bags.factors >= 0 ? c.inputs[bags.factors].as<T>() : nullptr, bags.padding_index,
                            c.inputs[bags.weight].as<T>(), bags.width, c.outputs[0].as<T>());
    });
  };
  return plan;
}

}  // namespace

void RegisterEmbeddingBag(OperationTable& table) {
  const std::string schema =
      "Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, "
      "Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None";
  table.Add({"aten::embedding_bag"}, schema, PlanEmbeddingBag<true>);
  table.Add({"aten::_embedding_bag", "aten::_embedding_bag_forward_only"}, schema, PlanEmbeddingBag<false>);
}

}  // namespace kuiper_infer
