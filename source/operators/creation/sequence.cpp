// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "operation/argument_value.hpp"
#include "operators/creation/creation.hpp"

namespace kuiper_infer {
namespace {

/// An array of numbers computed in double (or exactly, for integers) by number(i).
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

/// The count as an integer. Throws Error unless it is below 2^40. Whether memory can hold that many elements is checked
/// later, as for all arrays.
int64_t CheckedCount(const Arguments& arguments, double count) {
  constexpr double kMost = 1LL << 40;
  arguments.Require(count >= 0 && count < kMost,
                    "the sequence would have " + std::to_string(count) + " elements, expected 0 to less than 2^40");
  return static_cast<int64_t>(count);
}

/// The number without its fraction.
int64_t CutOff(const Arguments& arguments, const char* name, const Value& number) {
  if (!number.Is<double>()) return *AsInt(number);
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  const double whole = std::trunc(number.Get<double>());
  arguments.Require(whole >= -kLimit && whole < kLimit,
                    std::string(name) + " is " + ValueString(number) + ", expected a number of 64 bits");
  return static_cast<int64_t>(whole);
}

/// The count of numbers from, from + by, ... that lie before `end`; -1 if the steps lead away from it. Only the result
/// is a double: distances need all of their 64 bits.
double CountSteps(int64_t from, int64_t end, int64_t by) {
  if (by > 0 ? end < from : end > from) return -1;
  const uint64_t forward = static_cast<uint64_t>(end) - static_cast<uint64_t>(from);
  const uint64_t distance = by > 0 ? forward : 0 - forward;
  const uint64_t step = by > 0 ? static_cast<uint64_t>(by) : 0 - static_cast<uint64_t>(by);
  return static_cast<double>(distance / step) + (distance % step != 0 ? 1 : 0);
}

/// Plans start, start + step, ... before end.
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
                    "found start " + ValueString(start) + ", end " + ValueString(end) + " and step " +
                        ValueString(step) + ", expected a step other than 0 that leads from start to end");
  if (!IsFloating(type)) {
    // PyTorch cuts fractions off the numbers, not off the result.
    const int64_t from = CutOff(arguments, "start", start);
    const int64_t by = CutOff(arguments, "step", step);
    const bool counts_integers = integers || type == RuntimeDataType::kTypeInt64;
    arguments.Require(by != 0 || !counts_integers,
                      "step is " + ValueString(step) + ", which is 0 as an integer, expected another number");
    const int64_t count = CheckedCount(arguments, counts_integers ? CountSteps(from, CutOff(arguments, "end", end), by)
                                                                  : std::ceil((last - first) / distance));
    return PlanKnown(Sequence(count, type, true, [=](int64_t i) {
      return static_cast<int64_t>(static_cast<uint64_t>(from) + static_cast<uint64_t>(i) * static_cast<uint64_t>(by));
    }));
  }
  const int64_t count = CheckedCount(arguments, std::ceil((last - first) / distance));
  return PlanKnown(Sequence(count, type, false, [=](int64_t i) { return first + static_cast<double>(i) * distance; }));
}

/// The number as an array of the type holds it: integers have no fraction. float16 and bfloat16 are rounded only at the
/// end.
double InType(double number, RuntimeDataType type) {
  if (IsFloating(type) || IsComplex(type)) return number;
  return ArrayFromNumber(number).To(type).To(RuntimeDataType::kTypeFloat64).data<double>()[0];
}

/// The evenly spaced numbers from start to end, both included, each computed from the nearer end, as PyTorch does, and
/// changed by `function`.
template <class Function>
OperationPlan PlanSpaced(const Arguments& arguments, const Function& function) {
  const RuntimeDataType type = TypeOr(arguments, kDefaultType);
  const double start = InType(arguments.Float("start"), type);
  const double end = InType(arguments.Float("end"), type);
  const int64_t steps = CheckedCount(arguments, static_cast<double>(arguments.Int("steps")));
  const double distance = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  return PlanKnown(Sequence(steps, type, false, [=](int64_t i) {
    return function(i < steps / 2 || steps == 1 ? start + distance * static_cast<double>(i)
                                                : end - distance * static_cast<double>(steps - 1 - i));
  }));
}

OperationPlan PlanLinspace(const Arguments& arguments) {
  return PlanSpaced(arguments, [](double number) { return number; });
}

/// Plans the powers of a base by evenly spaced exponents.
OperationPlan PlanLogspace(const Arguments& arguments) {
  return PlanSpaced(arguments, [base = arguments.Float("base")](double number) { return std::pow(base, number); });
}

}  // namespace

void RegisterSequence(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const std::string rest(kCreationOptions);
  table.Add({"torch.arange"}, "Scalar? start=None, Scalar end, Scalar? step=None" + rest, PlanArange, strided);
  // PyTorch's overloads: end; start, end; start, end, step. They end in dtype, layout, device and pin_memory.
  const std::string options = ", dtype? dtype, any? layout, any? device, any? pin_memory";
  table.Add({"aten::arange"}, "Scalar end" + options, PlanArange, strided);
  table.Add({"aten::arange"}, "Scalar start, Scalar end" + options, PlanArange, strided);
  table.Add({"aten::arange"}, "Scalar start, Scalar end, Scalar step" + options, PlanArange, strided);
  table.Add({"aten::arange"}, "Scalar? start=None, Scalar end, Scalar? step=None" + rest, PlanArange, strided);
  table.Add({"torch.linspace", "aten::linspace"}, "Scalar start, Scalar end, int steps" + rest, PlanLinspace, strided);
  table.Add({"torch.logspace", "aten::logspace"}, "Scalar start, Scalar end, int steps, float base=10.0" + rest,
            PlanLogspace, strided);
}

}  // namespace kuiper_infer
