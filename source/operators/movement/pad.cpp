// SPDX-License-Identifier: MIT
#include "kernel/movement/pad.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "operation/operation.hpp"
#include "shape/layout.hpp"

namespace kuiper_infer {
namespace {

using kernel::PadMode;

PadMode ReadPadMode(const Arguments& arguments) {
  const std::string mode = arguments.String("mode");
  if (mode == "constant") return PadMode::kConstant;
  if (mode == "reflect") return PadMode::kReflect;
  if (mode == "replicate") return PadMode::kReplicate;
  if (mode == "circular") return PadMode::kCircular;
  arguments.Fail(ErrorCode::kArgument,
                 "mode is '" + mode + "', expected 'constant', 'reflect', 'replicate' or 'circular'");
}

/// Throws Error if a mode cannot add that many elements on one side of `extent` elements; constants have no limit.
void CheckAmount(const Arguments& arguments, PadMode mode, int64_t amount, int64_t extent) {
  if (mode == PadMode::kConstant || amount <= 0) return;
  const int64_t most = mode == PadMode::kReflect    ? extent - 1
                       : mode == PadMode::kCircular ? extent
                                                    : (extent > 0 ? amount : 0);
  arguments.Require(amount <= most, "pad is " + std::to_string(amount) + ", expected at most " + std::to_string(most) +
                                        " for mode '" + arguments.String("mode") + "' on an extent of " +
                                        std::to_string(extent));
}

/// The bytes of one element, converted from the number that the model gives.
using ElementBuffer = std::array<std::byte, sizeof(std::complex<double>)>;

ElementBuffer ReadValue(const Arguments& arguments, RuntimeDataType type) {
  const double number = arguments.Has("value") ? arguments.Float("value") : 0.0;
  const NdArray element = NdArray::Scalar<double>(RuntimeDataType::kTypeFloat64, number).To(type);
  ElementBuffer bytes{};
  std::memcpy(bytes.data(), element.raw(), ElementBytes(type));
  return bytes;
}

OperationPlan PlanPad(const Arguments& arguments) {
  const TensorArgument input = arguments.Tensor("input");
  const Shape& extents = input.spec.shape;
  const PadMode mode = ReadPadMode(arguments);
  const std::vector<int64_t> pad = arguments.Ints("pad");
  const auto pairs = static_cast<int64_t>(pad.size()) / 2;
  arguments.Require(pad.size() % 2 == 0 && pairs <= input.spec.rank(), "pad has " + std::to_string(pad.size()) +
                                                                           " numbers, expected two for each of up to " +
                                                                           std::to_string(input.spec.rank()) + " axes");
  Shape begin(extents.size(), 0);
  Shape shape = extents;
  for (int64_t pair = 0; pair < pairs; ++pair) {
    const int64_t axis = input.spec.rank() - 1 - pair;
    const int64_t before = pad[2 * pair];
    const int64_t after = pad[2 * pair + 1];
    CheckAmount(arguments, mode, before, extents[axis]);
    CheckAmount(arguments, mode, after, extents[axis]);
    begin[axis] = before;
    const bool overflow = __builtin_add_overflow(shape[axis], before, &shape[axis]) ||
                          __builtin_add_overflow(shape[axis], after, &shape[axis]);
    arguments.Require(!overflow && shape[axis] >= 0, "pad (" + std::to_string(before) + "," + std::to_string(after) +
                                                         ") on an extent of " + std::to_string(extents[axis]) +
                                                         " leaves no valid extent");
    const int64_t kept = extents[axis] + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
    arguments.Require(mode != PadMode::kCircular || kept > 0 || shape[axis] == 0,
                      "pad (" + std::to_string(before) + "," + std::to_string(after) + ") on an extent of " +
                          std::to_string(extents[axis]) + " leaves no element to repeat");
  }
  OperationPlan plan;
  // Channels-last images stay channels-last. Any other result is row-major, as in PyTorch, because as_strided relies on
  // it.
  const int64_t rank = input.spec.rank();
  const bool channels_last = rank > 2 && !input.spec.contiguous() && FindPixelStrides(input.spec, 1).has_value();
  const AxisOrder order = channels_last ? ChannelsLastOrder(rank, 1) : RowMajorOrder(rank);
  const TensorSpec output = OrderedSpec(input.spec.type, shape, order);
  Shape ordered;
  for (const std::size_t axis : order) ordered.push_back(begin[axis]);
  plan.outputs = {OutputPlan::New(output)};
  if (output.size() == 0) return plan;  // its other extents may be of any size
  plan.run = [mode, ordered, value = ReadValue(arguments, input.spec.type), index = input.input,
              from = PermuteAxes(input.spec, order), to = PermuteAxes(output, order)](const RunContext& c) {
    kernel::Pad(mode, ordered, value.data(), {c.inputs[index].data, from}, {c.outputs[0].data, to});
  };
  return plan;
}

/// Whether what is added are zeros, or elements of the input.
bool AddsZerosOnly(const Arguments& arguments) {
  return arguments.String("mode") != "constant" || !arguments.Has("value") || arguments.Float("value") == 0;
}

}  // namespace

void RegisterPad(OperationTable& table) {
  const auto add = [&](const std::vector<std::string>& types, const std::string& schema) {
    table.Add(types, "Tensor input|self, int[] pad|padding, " + schema, PlanPad, InputLayout::kStrided,
              Preserves({"input"}, AddsZerosOnly));
  };
  add({"F.pad", "aten::pad"}, "str mode=constant, float? value=None");
  add({"nn.ConstantPad1d", "nn.ConstantPad2d", "nn.ConstantPad3d", "nn.ZeroPad1d", "nn.ZeroPad2d", "nn.ZeroPad3d",
       "aten::constant_pad_nd"},
      "float? value=0, str mode=constant");
  add({"nn.ReflectionPad1d", "nn.ReflectionPad2d", "nn.ReflectionPad3d", "aten::reflection_pad1d",
       "aten::reflection_pad2d", "aten::reflection_pad3d"},
      "str mode=reflect");
  add({"nn.ReplicationPad1d", "nn.ReplicationPad2d", "nn.ReplicationPad3d", "aten::replication_pad1d",
       "aten::replication_pad2d", "aten::replication_pad3d"},
      "str mode=replicate");
  add({"nn.CircularPad1d", "nn.CircularPad2d", "nn.CircularPad3d", "aten::_pad_circular"}, "str mode=circular");
}

}  // namespace kuiper_infer
