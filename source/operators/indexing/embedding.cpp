// SPDX-License-Identifier: MIT
#include "kernel/indexing/embedding.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "operation/computation.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operation/weights/quantized_weight.hpp"

namespace kuiper_infer {
namespace {

bool IsIndexType(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeInt32 || type == RuntimeDataType::kTypeInt64;
}

/// Calls look_up(indices), which returns the position of an index out of range, or -1.
template <class Function>
void LookUp(const ConstArrayView& indices, int64_t rows, const Function& look_up) {
  const auto run = [&](const auto* numbers) {
    const int64_t fault = look_up(numbers);
    if (fault < 0) return;
    throw Error(ErrorCode::kInput, "index " + std::to_string(numbers[fault]) + " at position " + std::to_string(fault) +
                                       " is out of range, expected 0 to " + std::to_string(rows - 1));
  };
  if (indices.type() == RuntimeDataType::kTypeInt32) {
    run(indices.as<int32_t>());
  } else {
    run(indices.as<int64_t>());
  }
}

/// A table that is stored in integers. Its rows become floats as they are read; the whole table never does. If rows can
/// be read from panels, they are, since the last product of a language model often packs the same weight.
class IntegerEmbedding final : public Computation {
 public:
  IntegerEmbedding(std::shared_ptr<const QuantizedWeight> integers, TensorArgument weight, int indices, int64_t count)
      : integers_(std::move(integers)), weight_(std::move(weight)), indices_(indices), count_(count) {}

  KernelCall MakeCall(const Fusion& /*fusion*/, const PlanningContext& context) const override {
    KernelCall call;
    const std::shared_ptr<const PackedWeight> packed = Packed(context);
    const NdArray stored = packed == nullptr ? integers_->integers->values() : packed->packed;
    const NdArray parameters = integers_->parameters->values();
    kernel::QuantizedTable table{integers_->format, stored.raw(),          parameters.raw(),
                                 integers_->rows(), integers_->row_size(), integers_->groups()};
    table.halves = parameters.type() == RuntimeDataType::kTypeFloat16;
    if (packed != nullptr) {
      table.layout = packed->layout;
      NotePacked(weight_, {packed}, call.packed_inputs, true);
    } else {
      call.packed_inputs.push_back({weight_.input, nullptr, {}});
    }
    call.run = [table, owners = std::tuple(packed, stored, parameters), indices = indices_,
                count = count_](const RunContext& c) {
      LookUp(c.inputs[indices], table.rows, [&](const auto* numbers) {
        return kernel::LookUpNumbers(numbers, count, table, c.outputs[0].as<float>());
      });
    };
    return call;
  }

 private:
  /// The table in a layout from which rows can be read; null if there is none.
  std::shared_ptr<const PackedWeight> Packed(const PlanningContext& context) const {
    if (!CanPack(context, weight_)) return nullptr;
    const kernel::ProductKernel& kernel = ChooseLinear(context, weight_, 1, integers_->rows());
    if (!kernel.Layout(kernel::Arrangement::kWindows).UnpacksRows()) return nullptr;
    return PackLinearWeight(context, weight_, kernel);
  }

  std::shared_ptr<const QuantizedWeight> integers_;
  TensorArgument weight_;
  int indices_;
  int64_t count_;
};

OperationPlan PlanEmbedding(const Arguments& arguments) {
  const TensorArgument& indices = arguments.Tensor("input");
  const TensorArgument& weight = arguments.Tensor("weight");
  arguments.Require(IsIndexType(indices.spec.type),
                    std::string("input is ") + TypeName(indices.spec.type) + ", expected int32 or int64 indices");
  arguments.Require(weight.spec.rank() == 2,
                    "weight is " + ShapeString(weight.spec.shape) + ", expected (num_embeddings, embedding_dim)");
  if (arguments.Has("max_norm")) arguments.Fail(ErrorCode::kUnsupported, "max_norm is not supported, expected None");
  const int64_t rows = weight.spec.shape[0];
  const int64_t width = weight.spec.shape[1];
  const auto check_recorded = [&](const char* name, int64_t weight_says) {
    if (!arguments.Has(name)) return;
    arguments.Require(arguments.Int(name) == weight_says, std::string(name) + " is " +
                                                              std::to_string(arguments.Int(name)) +
                                                              ", but the weight is " + ShapeString(weight.spec.shape));
  };
  check_recorded("num_embeddings", rows);
  check_recorded("embedding_dim", width);

  Shape shape = indices.spec.shape;
  shape.push_back(width);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(weight.spec.type, shape)};
  const int64_t count = indices.spec.size();
  if (const auto quantized = QuantizedForm(weight)) {
    plan.computation = std::make_shared<IntegerEmbedding>(quantized, weight, indices.input, count);
    return plan;
  }
  const int64_t row_bytes = ByteCount(weight.spec.type, {width});
  plan.run = [=, input = indices.input, table = weight.input](const RunContext& c) {
    LookUp(c.inputs[input], rows, [&](const auto* numbers) {
      return kernel::LookUpRows(numbers, count, c.inputs[table].data, rows, row_bytes, c.outputs[0].data);
    });
  };
  return plan;
}

}  // namespace

void RegisterEmbedding(OperationTable& table) {
  table.Add({"nn.Embedding", "F.embedding"},
            "Tensor input|indices, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, "
            "bool scale_grad_by_freq=False, bool sparse=False, int? num_embeddings=None, int? embedding_dim=None",
            PlanEmbedding);
  table.Add({"aten::embedding"},
            "Tensor weight, Tensor input|indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False",
            PlanEmbedding);
}

}  // namespace kuiper_infer
