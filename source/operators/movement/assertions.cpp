// SPDX-License-Identifier: MIT
// Checks that an exporter leaves in a graph. They have no outputs. Each is made as soon as its arguments are known:
// when the graph is planned for the shapes of the inputs or, if it reads elements of computed arrays, while running.
#include <limits>
#include <string>

#include "operation/operation.hpp"
#include "operation/parameters.hpp"

namespace kuiper_infer {
namespace {

/// Plans nothing: the check is about memory layouts, or about element types, which the graph fixes.
OperationPlan PlanNothing(const Arguments& /*arguments*/) { return {}; }

/// The message of an assertion. The file has no words with blanks, so the exporter writes no-break spaces (U+00A0).
std::string MessageOf(const Arguments& arguments) {
  if (!arguments.Has("assert_msg")) return "an assertion of the model does not hold";
  std::string message = arguments.String("assert_msg");
  const std::string no_break = "\xC2\xA0";
  for (std::size_t at = message.find(no_break); at != std::string::npos; at = message.find(no_break, at)) {
    message.replace(at, no_break.size(), " ");
  }
  return message;
}

bool IsTrue(const Value& value) {
  if (value.Is<bool>()) return value.Get<bool>();
  if (value.Is<int64_t>()) return value.Get<int64_t>() != 0;
  if (value.Is<double>()) return value.Get<double>() != 0;
  Arguments::Fail("self is " + ValueString(value) + ", expected a number");
}

/// Throws Error(kInput) with the assertion's message unless the number, or the array of one element, is true.
OperationPlan PlanAssertion(const Arguments& arguments) {
  const Argument& condition = arguments.Get("self");
  Value value;
  if (const TensorArgument* tensor = condition.tensor()) {
    arguments.Require(tensor->spec.size() == 1,
                      "self is " + ShapeString(tensor->spec.shape) + ", expected one element");
    value = NumberFromArray(tensor->values());
  } else {
    value = arguments.Known("self", "a number");
  }
  if (!IsTrue(value)) throw Error(ErrorCode::kInput, MessageOf(arguments));
  return {};
}

/// Throws Error(kInput) unless min <= size <= max.
OperationPlan PlanRange(const Arguments& arguments) {
  const int64_t size = arguments.Int("size");
  const int64_t min = arguments.Has("min") ? arguments.Int("min") : std::numeric_limits<int64_t>::min();
  const int64_t max = arguments.Has("max") ? arguments.Int("max") : std::numeric_limits<int64_t>::max();
  if (size < min || size > max) {
    throw Error(ErrorCode::kInput,
                "size is " + std::to_string(size) + ", expected " + std::to_string(min) + " to " + std::to_string(max));
  }
  return {};
}

}  // namespace

void RegisterAssertions(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OperationKind dependent = OperationKind::kDataDependent;
  table.Add({"aten::_assert_tensor_metadata"},
            "Tensor a, int[]? size=None, int[]? stride=None, dtype? dtype=None, any device=None, any layout=None",
            PlanNothing, strided);
  table.Add({"aten::_assert_scalar", "aten::_assert_async"}, "any self|input, any assert_msg=None", PlanAssertion,
            strided, dependent);
  table.Add({"aten::sym_constrain_range", "aten::sym_constrain_range_for_size"}, "any size, any min=None, any max=None",
            PlanRange, strided, dependent);
}

}  // namespace kuiper_infer
