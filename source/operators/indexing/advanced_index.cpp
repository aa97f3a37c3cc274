// SPDX-License-Identifier: MIT
#include "operators/indexing/advanced_index.hpp"

#include <algorithm>
#include <string>

#include "operators/indexing/index_text.hpp"
#include "operators/indexing/indexing.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// Whether an index of this type marks elements: PyTorch takes uint8 for bool, not for positions.
bool IsMask(RuntimeDataType type) { return type == RuntimeDataType::kTypeBool || type == RuntimeDataType::kTypeUInt8; }

}  // namespace

AdvancedIndex::AdvancedIndex(const Arguments& arguments, const char* name, const TensorSpec& input) {
  int64_t axis = 0;
  for (const Argument& item : ReadIndexItems(arguments, name)) {
    if (item.none()) {
      ++axis;
      continue;
    }
    const TensorArgument* tensor = item.tensor();
    NdArray array;
    if (tensor == nullptr) {
      if (item.known() == nullptr)
        arguments.Fail(ErrorCode::kArgument, "found " + Describe(item) + " as an index, expected integers or bools");
      array = IndexArray(*item.known());
    } else if (IsMask(tensor->spec.type)) {
      needs_values_ = needs_values_ || !tensor->is_constant();
      if (needs_values_) return;
      array = tensor->values().To(RuntimeDataType::kTypeBool);
    }
    if (array.type() == RuntimeDataType::kTypeBool) {
      AddMask(array, arguments, input, axis);
      axis += array.rank();
    } else if (array.defined()) {
      AddNumbers(KnownNumbers(array), arguments, input, axis++);
    } else {
      arguments.Require(IsInteger(tensor->spec.type),
                        std::string("an index is ") + TypeName(tensor->spec.type) + ", expected integers or bool");
      AddNumbers({tensor->input, nullptr, tensor->spec}, arguments, input, axis++);
    }
  }
  PlaceAxes(input);
}

void AdvancedIndex::AddMask(const NdArray& mask, const Arguments& arguments, const TensorSpec& input, int64_t axis) {
  arguments.Require(mask.rank() > 0, "a mask of rank 0 is not supported as an index");
  const bool fits = axis + mask.rank() <= input.rank() &&
                    std::equal(mask.shape().begin(), mask.shape().end(), input.shape.begin() + axis);
  arguments.Require(fits, "the mask " + ShapeString(mask.shape()) + " doesn't fit axis " + std::to_string(axis) +
                              " of " + ShapeString(input.shape));
  for (IndexNumbers& numbers : MaskPositions(mask)) AddNumbers(std::move(numbers), arguments, input, axis++);
}

void AdvancedIndex::AddNumbers(IndexNumbers numbers, const Arguments& arguments, const TensorSpec& input,
                               int64_t axis) {
  arguments.Require(axis < input.rank(), "there are more indices than axes in " + ShapeString(input.shape));
  indices_.push_back({axis, {input.shape[axis], input.strides[axis], true}, std::move(numbers)});
}

void AdvancedIndex::PlaceAxes(const TensorSpec& input) {
  for (const IndexedBy& index : indices_) {
    common_ = BroadcastShapes(common_, index.numbers.spec.shape);
  }
  const auto is_indexed = [&](int64_t axis) {
    return std::any_of(indices_.begin(), indices_.end(), [&](const IndexedBy& index) { return index.axis == axis; });
  };
  const bool together =
      indices_.empty() || indices_.back().axis - indices_.front().axis + 1 == static_cast<int64_t>(indices_.size());
  const int64_t place = indices_.empty() || !together ? 0 : indices_.front().axis;
  const Strides offset_strides = RowMajorStrides(common_);
  const auto place_common = [&] {
    shape_.insert(shape_.end(), common_.begin(), common_.end());
    offset_strides_.insert(offset_strides_.end(), offset_strides.begin(), offset_strides.end());
    array_strides_.insert(array_strides_.end(), common_.size(), 0);
  };
  for (int64_t axis = 0; axis <= input.rank(); ++axis) {
    if (axis == place) place_common();
    if (axis == input.rank() || is_indexed(axis)) continue;
    shape_.push_back(input.shape[axis]);
    offset_strides_.push_back(0);
    array_strides_.push_back(input.strides[axis]);
  }
}

int64_t AdvancedIndex::workspace_bytes() const { return ByteCount(RuntimeDataType::kTypeInt64, common_); }

RowLoop<3> AdvancedIndex::GatherLoop(const Strides& strides) const {
  return {shape_, {offset_strides_, array_strides_, strides}};
}

RowLoop<3> AdvancedIndex::ScatterLoop(const Strides& strides) const {
  return {shape_, {offset_strides_, strides, array_strides_}};
}

std::optional<ChangedRows> AdvancedIndex::Rows(const TensorSpec& input) const {
  if (indices_.size() != 1) return std::nullopt;
  const auto& [axis, range, numbers] = indices_.front();
  const RuntimeDataType type = numbers.spec.type;
  const bool counts = type == RuntimeDataType::kTypeInt64 || type == RuntimeDataType::kTypeInt32;
  if (numbers.input < 0 || numbers.spec.rank() > 1 || !counts) return std::nullopt;
  return ChangedRows{kernel::ChooseRows(input, axis, numbers.spec.size()), numbers.input};
}

const int64_t* AdvancedIndex::ComputeOffsets(const RunContext& context) const {
  auto* offsets = reinterpret_cast<int64_t*>(context.workspace);
  const Strides strides = RowMajorStrides(common_);
  std::fill_n(offsets, ElementCount(common_), 0);
  for (const IndexedBy& index : indices_) {
    const RowLoop<2> loop(common_, {BroadcastStrides(index.numbers.spec, common_), strides});
    CheckIndex(kernel::AddOffsets(loop, index.range, index.numbers.View(context), offsets), index.axis, index.range);
  }
  return offsets;
}

}  // namespace kuiper_infer
