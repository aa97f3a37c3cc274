// SPDX-License-Identifier: MIT
#include "runtime/classic_layer.hpp"

#include <algorithm>
#include <mutex>

#include "data/convert.hpp"
#include "data/memory_budget.hpp"
#include "kuiper_infer/layer/abstract/layer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/operator_errors.hpp"
#include "utils/system/memory_block.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

[[noreturn]] void Fail(const RuntimeOperator& op, const std::string& text) {
  throw Error(ErrorCode::kShape, "operator '" + op.name + "' (" + op.type + "): " + text);
}

NdArray ArrayFromOutput(const RuntimeOperator& op, const Tensors& tensors, const RuntimeOperand& operand) {
  for (const auto& tensor : tensors) {
    if (tensor == nullptr || tensor->empty()) Fail(op, "the layer left an output tensor empty");
  }
  const std::vector<uint32_t> raw = tensors.front()->raw_shapes();
  Shape element(raw.begin(), raw.end());
  // A tensor does not tell (1,H,W) from (H,W): the recorded rank does.
  if (operand.has_shape && !operand.shapes.empty()) {
    while (element.size() + 1 < operand.shapes.size()) element.insert(element.begin(), 1);
  }
  return NdArrayFromTensors(tensors, element, RuntimeDataType::kTypeFloat32);
}

/// Whether there is a tensor for each element of an array of this shape.
bool Holds(const Tensors& tensors, const Shape& shape) {
  const std::size_t skipped = shape.size() < 2 ? 0 : 1;
  if (tensors.size() != (skipped == 0 ? 1 : static_cast<std::size_t>(shape.front()))) return false;
  constexpr std::size_t kTensorAxes = 3;
  std::vector<uint32_t> element(shape.begin() + static_cast<std::ptrdiff_t>(skipped), shape.end());
  while (element.size() < kTensorAxes) element.insert(element.begin(), 1);
  return std::all_of(tensors.begin(), tensors.end(),
                     [&](const auto& tensor) { return tensor != nullptr && tensor->shapes() == element; });
}

/// Whether an array has the extents that the file records for an operand. Free extents are not compared.
bool IsAsRecorded(const Shape& shape, const RuntimeOperand& operand) {
  if (!operand.has_shape) return true;
  const std::vector<int32_t>& recorded = operand.shapes;
  return shape.size() == recorded.size() &&
         std::equal(shape.begin(), shape.end(), recorded.begin(),
                    [](int64_t extent, int32_t expected) { return expected < 0 || extent == expected; });
}

}  // namespace

std::vector<Value> RunClassicLayer(const RuntimeOperator& op, const std::vector<Value>& inputs) {
  // The layer and the operands' tensors belong to the graph, not to the session. The mutex is recursive, because a
  // layer may run graphs of its own.
  static std::recursive_mutex mutex;
  const std::lock_guard<std::recursive_mutex> lock(mutex);
  if (op.output_operands_seq.size() != 1)
    Fail(op,
         "it lists " + std::to_string(op.output_operands_seq.size()) + " outputs, a layer of this interface has one");
  Tensors tensors;
  std::size_t batch = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].Is<NdArray>()) Fail(op, "input " + std::to_string(i) + " is not an array");
    RuntimeOperand& operand = *op.input_operands_seq[i];
    if (!Holds(operand.datas, inputs[i].Get<NdArray>().shape())) {
      // These tensors have the extents of Build or of an earlier run, and so have the tensors of the output.
      operand.datas.clear();
      op.output_operands->datas.clear();
    }
    NdArrayToTensors(inputs[i].Get<NdArray>(), operand.datas);
    batch = std::max(batch, operand.datas.size());
    tensors.insert(tensors.end(), operand.datas.begin(), operand.datas.end());
  }
  RuntimeOperand& output = *op.output_operands;
  if (output.datas.size() != batch) output.datas.assign(batch, nullptr);
  const InferStatus status = CallingUserCode(op.name, op.type, "its layer", ErrorCode::kShape,
                                             [&] { return op.layer->Forward(tensors, output.datas); });
  if (status != InferStatus::kInferSuccess) {
    Fail(op, "its layer failed with status " + std::to_string(static_cast<int>(status)));
  }
  if (output.datas.empty()) Fail(op, "the layer gave no output tensors");
  NdArray result = ArrayFromOutput(op, output.datas, output);
  // Inputs of other extents give outputs of other extents.
  bool comparable = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const RuntimeOperand& operand = *op.input_operands_seq[i];
    comparable = comparable && operand.has_shape && IsAsRecorded(inputs[i].Get<NdArray>().shape(), operand);
  }
  if (comparable && !IsAsRecorded(result.shape(), output)) {
    Fail(op, "its layer gave an output of shape " + ShapeString(result.shape()) + ", the file records " +
                 ShapeString(Shape(output.shapes.begin(), output.shapes.end())));
  }
  return {std::move(result)};
}

void AllocateOperandTensors(RuntimeOperand& operand) {
  operand.datas.clear();
  const auto& extents = operand.shapes;
  if (!operand.has_shape || std::any_of(extents.begin(), extents.end(), [](int32_t extent) { return extent <= 0; })) {
    return;
  }
  const Shape shape(extents.begin(), extents.end());
  const std::size_t batch = shape.size() < 2 ? 1 : static_cast<std::size_t>(shape.front());
  // A longer first axis is hardly a batch, and a tensor object for each of its elements takes time and memory.
  constexpr std::size_t kMostTensors = 1024;
  if (batch > kMostTensors) return;
  const int64_t bytes = ByteCount(RuntimeDataType::kTypeFloat32, shape);
  // In a run of other sizes, an operand may have another shape than the file records. So a recorded shape that is too
  // large is not allocated here; the run allocates what it needs.
  if (!FitsMemory(bytes)) return;
  // The pages of a large block become real only when they are written, which a plain run never does.
  const auto block = std::static_pointer_cast<float>(MapBlock(bytes));
  if (block == nullptr) {
    throw Error(ErrorCode::kResource,
                "operand '" + operand.name + "' needs " + std::to_string(bytes) + " bytes, which are not available");
  }
  std::vector<uint32_t> element(extents.begin() + (shape.size() < 2 ? 0 : 1), extents.end());
  if (element.empty()) element.push_back(1);
  const int64_t stride = ElementCount(shape) / static_cast<int64_t>(batch);
  for (std::size_t i = 0; i < batch; ++i) {
    float* memory = block.get() + static_cast<int64_t>(i) * stride;
    operand.datas.emplace_back(new Tensor<float>(memory, element), [block](Tensor<float>* tensor) { delete tensor; });
  }
}

}  // namespace kuiper_infer
