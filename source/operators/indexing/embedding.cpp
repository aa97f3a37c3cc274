// SPDX-License-Identifier: MIT
#include "kernel/indexing/embedding.hpp"

#include <string>

#include "operation/operation.hpp"
#include "operation/weights/quantized_weight.hpp"

namespace kuiper_infer {
namespace {

bool IsIndexType(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeInt32 || type == RuntimeDataType::kTypeInt64;
}

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
  const int64_t row_bytes = ByteCount(weight.spec.type, {width});
  const int64_t count = indices.spec.size();
  // Rows of stored integers become floats as they are read; the whole table never does.
  const auto quantized = QuantizedForm(weight);
  const NdArray integers = quantized != nullptr ? quantized->integers->values() : NdArray();
  if (quantized != nullptr) plan.packed_inputs.push_back({weight.input, nullptr, {}});
  plan.run = [=, input = indices.input, table = weight.input](const RunContext& c) {
    const ConstArrayView& given = c.inputs[input];
    const auto look_up = [&](const auto* numbers) {
      int64_t fault = -1;
      if (quantized != nullptr) {
        fault = kernel::LookUpNumbers(numbers, count,
                                      {quantized->format, integers.data<uint8_t>(), quantized->parameters.data<float>(),
                                       rows, width, quantized->groups()},
                                      c.outputs[0].as<float>());
      } else {
        fault = kernel::LookUpRows(numbers, count, c.inputs[table].data, rows, row_bytes, c.outputs[0].data);
      }
      if (fault < 0) return;
      throw Error(ErrorCode::kInput, "index " + std::to_string(numbers[fault]) + " at position " +
                                         std::to_string(fault) + " is out of range, expected 0 to " +
                                         std::to_string(rows - 1));
    };
    if (given.type() == RuntimeDataType::kTypeInt32) {
      look_up(given.as<int32_t>());
    } else {
      look_up(given.as<int64_t>());
    }
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
