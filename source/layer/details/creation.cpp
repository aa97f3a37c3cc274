// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "layer/details/movement.hpp"

namespace kuiper_infer {
namespace {

constexpr RuntimeDataType kDefaultType = RuntimeDataType::kTypeFloat32;

OperationPlan PlanKnown(const NdArray& array) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(array)};
  return plan;
}

/// The number once in memory, read at every position.
NdArray Filled(const Arguments& arguments, const Shape& shape, const Value& number, RuntimeDataType type) {
  for (const int64_t extent : shape) {
    arguments.Require(extent >= 0, "size is " + ShapeString(shape) + ", expected no negative extents");
  }
  return ArrayFromNumber(number).To(type).Window(shape, Strides(shape.size(), 0));
}

/// Without an element type: int64 or bool for such a number, otherwise floating.
RuntimeDataType TypeOfNumber(const Value& number) {
  if (number.Is<bool>()) return RuntimeDataType::kTypeBool;
  if (number.Is<int64_t>()) return RuntimeDataType::kTypeInt64;
  return number.Is<double>() ? kDefaultType : RuntimeDataType::kTypeComplex64;
}

RuntimeDataType TypeOr(const Arguments& arguments, RuntimeDataType otherwise) {
  const RuntimeDataType type = arguments.Type("dtype");
  return type == RuntimeDataType::kTypeUnknown ? otherwise : type;
}

/// torch.zeros (0) and torch.ones (1); empty has no contents to speak of and gives zeros.
template <int kNumber>
OperationPlan PlanConstant(const Arguments& arguments) {
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), kNumber, TypeOr(arguments, kDefaultType)));
}

OperationPlan PlanFull(const Arguments& arguments) {
  const Value number = arguments.Number("fill_value");
  const RuntimeDataType type = TypeOr(arguments, TypeOfNumber(number));
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), number, type));
}

/// zeros_like, ones_like.
template <int kNumber>
OperationPlan PlanConstantLike(const Arguments& arguments) {
  const TensorSpec& like = arguments.Tensor("input").spec;
  return PlanKnown(Filled(arguments, like.shape, kNumber, TypeOr(arguments, like.type)));
}

OperationPlan PlanFullLike(const Arguments& arguments) {
  const TensorSpec& like = arguments.Tensor("input").spec;
  return PlanKnown(Filled(arguments, like.shape, arguments.Number("fill_value"), TypeOr(arguments, like.type)));
}

/// new_zeros, new_ones: the element type of another array.
template <int kNumber>
OperationPlan PlanNew(const Arguments& arguments) {
  const RuntimeDataType type = TypeOr(arguments, arguments.Tensor("input").spec.type);
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), kNumber, type));
}

OperationPlan PlanNewFull(const Arguments& arguments) {
  const RuntimeDataType type = TypeOr(arguments, arguments.Tensor("input").spec.type);
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), arguments.Number("fill_value"), type));
}

/// Numbers computed in double (or exactly, for integers) by number(i).
template <class Number>
NdArray Sequence(int64_t count, RuntimeDataType type, bool integers, const Number& number) {
  NdArray wide(integers ? RuntimeDataType::kTypeInt64 : RuntimeDataType::kTypeFloat64, {count});
  for (int64_t i = 0; i < count; ++i) {
    if (integers) {
      wide.data<int64_t>()[i] = static_cast<int64_t>(number(i));
    } else {
      wide.data<double>()[i] = static_cast<double>(number(i));
    }
  }
  return wide.To(type);
}

/// Arrays made of a count that a file names are limited like all others, but before memory is asked for.
int64_t CheckedCount(const Arguments& arguments, double count) {
  constexpr double kMost = 1LL << 40;
  arguments.Require(count >= 0 && count < kMost, "the sequence would have " + std::to_string(count) + " elements");
  return static_cast<int64_t>(count);
}

/// start, start + step, ... before end.
OperationPlan PlanArange(const Arguments& arguments) {
  const auto read = [&](const char* name, int64_t otherwise) {
    return arguments.Has(name) ? arguments.Number(name) : Value(otherwise);
  };
  const Value start = read("start", 0);
  const Value end = arguments.Number("end");
  const Value step = read("step", 1);
  const bool integers = !start.Is<double>() && !end.Is<double>() && !step.Is<double>();
  const RuntimeDataType type = TypeOr(arguments, integers ? RuntimeDataType::kTypeInt64 : kDefaultType);
  const double first = arguments.Has("start") ? arguments.Float("start") : 0;
  const double distance = arguments.Has("step") ? arguments.Float("step") : 1;
  const double last = arguments.Float("end");
  arguments.Require(distance != 0 && std::isfinite(first) && std::isfinite(last) && (last - first) * distance >= 0,
                    "found start " + ValueString(start) + ", end " + ValueString(end) + " and step " + ValueString(step) +
                        ", expected a step other than 0 that leads from start to end");
  const int64_t count = CheckedCount(arguments, std::ceil((last - first) / distance));
  if (!IsFloating(type)) {
    // PyTorch cuts fractions off the numbers, not off the result.
    const int64_t from = start.Is<double>() ? static_cast<int64_t>(first) : (arguments.Has("start") ? arguments.Int("start") : 0);
    const int64_t by = step.Is<double>() ? static_cast<int64_t>(distance) : (arguments.Has("step") ? arguments.Int("step") : 1);
    return PlanKnown(Sequence(count, type, true, [=](int64_t i) { return from + i * by; }));
  }
  return PlanKnown(Sequence(count, type, false, [=](int64_t i) { return first + static_cast<double>(i) * distance; }));
}

/// `steps` numbers from start to end, both included; computed from the nearer end, as PyTorch does.
OperationPlan PlanLinspace(const Arguments& arguments) {
  const double start = arguments.Float("start");
  const double end = arguments.Float("end");
  const int64_t steps = CheckedCount(arguments, static_cast<double>(arguments.Int("steps")));
  const double distance = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  return PlanKnown(Sequence(steps, TypeOr(arguments, kDefaultType), false, [=](int64_t i) {
    return i < steps / 2 || steps == 1 ? start + distance * static_cast<double>(i)
                                       : end - distance * static_cast<double>(steps - 1 - i);
  }));
}

}  // namespace

void RegisterCreation(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const std::string rest = ", dtype? dtype=None, any layout=None, any device=None, any pin_memory=None, any memory_format=None";
  const std::string sized = "int[]? size=None" + rest;
  const std::string like = "Tensor input|self" + rest;
  const std::string sized_like = "Tensor input|self, int[]? size=None" + rest;
  table.Add({"torch.zeros", "torch.empty", "aten::zeros", "aten::empty"}, sized, PlanConstant<0>, strided);
  table.Add({"torch.ones", "aten::ones"}, sized, PlanConstant<1>, strided);
  table.Add({"torch.full", "aten::full"}, "int[]? size=None, Scalar fill_value" + rest, PlanFull, strided);
  table.Add({"torch.zeros_like", "torch.empty_like", "aten::zeros_like", "aten::empty_like"}, like, PlanConstantLike<0>, strided);
  table.Add({"torch.ones_like", "aten::ones_like"}, like, PlanConstantLike<1>, strided);
  table.Add({"torch.full_like", "aten::full_like"}, "Tensor input|self, Scalar fill_value" + rest, PlanFullLike, strided);
  table.Add({"Tensor.new_zeros", "Tensor.new_empty", "aten::new_zeros", "aten::new_empty"}, sized_like, PlanNew<0>, strided);
  table.Add({"Tensor.new_ones", "aten::new_ones"}, sized_like, PlanNew<1>, strided);
  table.Add({"Tensor.new_full", "aten::new_full"}, "Tensor input|self, int[]? size=None, Scalar fill_value" + rest, PlanNewFull,
            strided);
  table.Add({"torch.arange"}, "Scalar? start=None, Scalar end, Scalar? step=None" + rest, PlanArange, strided);
  // PyTorch's overloads: end; start, end; start, end, step. They end in dtype, layout, device and pin_memory.
  const std::string options = ", dtype? dtype, any? layout, any? device, any? pin_memory";
  table.Add({"aten::arange"}, "Scalar end" + options, PlanArange, strided);
  table.Add({"aten::arange"}, "Scalar start, Scalar end" + options, PlanArange, strided);
  table.Add({"aten::arange"}, "Scalar start, Scalar end, Scalar step" + options, PlanArange, strided);
  table.Add({"torch.linspace", "aten::linspace"}, "Scalar start, Scalar end, int steps" + rest, PlanLinspace, strided);
}

}  // namespace kuiper_infer
