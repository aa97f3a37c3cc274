// SPDX-License-Identifier: MIT
#include "runtime/input_ranges.hpp"

#include <algorithm>
#include <limits>

#include "kuiper_infer/utils/error.hpp"
#include "operation/binder.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kUnbounded = std::numeric_limits<int32_t>::max();

/// The items of a parameter; empty if the input does not have it.
Value::List ItemsOf(const RuntimeOperator& input, const std::string& key) {
  if (input.call == nullptr) return {};
  const auto found = input.call->params.find(key);
  if (found == input.call->params.end()) return {};
  const std::size_t rank = input.output_operands == nullptr ? 0 : input.output_operands->shapes.size();
  if (!found->second.Is<Value::List>() || found->second.Get<Value::List>().size() != rank) {
    throw Error(ErrorCode::kGraph, "input '" + input.name + "' has " + key + "=" + ValueString(found->second) +
                                       ", expected a list of " + std::to_string(rank) + " items, one for each axis");
  }
  return found->second.Get<Value::List>();
}

int64_t BoundOf(const RuntimeOperator& input, const std::string& key, const Value::List& items, std::size_t axis,
                int64_t otherwise) {
  if (items.empty()) return otherwise;
  if (!items[axis].Is<int64_t>()) {
    throw Error(ErrorCode::kGraph, "input '" + input.name + "' has the item " + ValueString(items[axis]) + " in " +
                                       key + ", expected integers");
  }
  return items[axis].Get<int64_t>();
}

std::string RangeText(int64_t min, int64_t max) {
  if (max >= kUnbounded) return "at least " + std::to_string(min);
  return min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
}

}  // namespace

InputRanges::InputRanges(const Operators& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const RuntimeOperator& input = *inputs[i];
    names_.push_back(input.name);
    const Value::List min = ItemsOf(input, "min");
    const Value::List max = ItemsOf(input, "max");
    const Value::List extents = ItemsOf(input, "extents");
    const std::size_t rank = std::max({min.size(), max.size(), extents.size()});
    for (std::size_t axis = 0; axis < rank; ++axis) {
      Axis range{i,  axis,        BoundOf(input, "min", min, axis, 0), BoundOf(input, "max", max, axis, kUnbounded),
                 "", axes_.size()};
      if (!extents.empty() && extents[axis].Is<std::string>()) range.word = extents[axis].Get<std::string>();
      const auto first = std::find_if(axes_.begin(), axes_.end(), [&](const Axis& a) { return a.word == range.word; });
      if (!range.word.empty()) range.same = static_cast<std::size_t>(first - axes_.begin());
      axes_.push_back(std::move(range));
    }
  }
}

void InputRanges::Check(const std::vector<TensorSpec>& given) const {
  const auto extent_of = [&](const Axis& range) {
    const Shape& shape = given[range.input].shape;
    return range.axis < shape.size() ? shape[range.axis] : -1;
  };
  const auto place = [&](const Axis& range) {
    return "input '" + names_[range.input] + "' has " + std::to_string(extent_of(range)) + " elements along axis " +
           std::to_string(range.axis);
  };
  for (const Axis& range : axes_) {
    const int64_t extent = extent_of(range);
    if (extent < range.min || (range.max < kUnbounded && extent > range.max)) {
      throw Error(ErrorCode::kInput, place(range) + ", the model was exported for " + RangeText(range.min, range.max));
    }
    const Axis& same = axes_[range.same];
    if (extent_of(same) != extent) {
      throw Error(ErrorCode::kInput, place(range) + ", expected as many as axis " + std::to_string(same.axis) +
                                         " of input '" + names_[same.input] + "' has, " +
                                         std::to_string(extent_of(same)));
    }
  }
}

int64_t InputRanges::MaxExtent(std::size_t input, std::size_t axis) const {
  for (const Axis& range : axes_) {
    if (range.input == input && range.axis == axis && range.max < kUnbounded) return range.max;
  }
  return -1;
}

int64_t InputRanges::SameExtent(std::size_t input, std::size_t axis, const std::vector<TensorSpec>& given) const {
  const auto own = std::find_if(axes_.begin(), axes_.end(),
                                [&](const Axis& range) { return range.input == input && range.axis == axis; });
  if (own == axes_.end() || own->word.empty()) return -1;
  for (const Axis& range : axes_) {
    const TensorSpec& spec = given[range.input];
    const bool known = spec.type != RuntimeDataType::kTypeUnknown && range.axis < spec.shape.size();
    if (known && range.word == own->word) return spec.shape[range.axis];
  }
  return -1;
}

}  // namespace kuiper_infer
