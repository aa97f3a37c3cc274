// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention/int8_rows.cpp"
#include "kernel/attention/int8_rows.hpp"

#include <algorithm>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/product/int8/steps-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Calls visit(first, count, numbers) for the parts of a row. A row with gaps is copied part by part.
template <class Visit>
void ForParts(const float* row, int64_t stride, int64_t width, const Visit& visit) {
  if (stride == 1) return visit(int64_t{0}, width, row);
  constexpr int64_t kPart = 64;
  float numbers[kPart];
  for (int64_t first = 0; first < width; first += kPart) {
    const int64_t count = std::min(kPart, width - first);
    for (int64_t k = 0; k < count; ++k) numbers[k] = row[(first + k) * stride];
    visit(first, count, numbers);
  }
}

}  // namespace

void RoundRowOfTarget(const float* row, int64_t stride, int64_t width, int8_t* to) {
  int32_t magnitude = 0;
  ForParts(row, stride, width, [&](int64_t /*first*/, int64_t count, const float* numbers) HWY_ATTR {
    magnitude = std::max(magnitude, LargestMagnitude(count, numbers));
  });
  const Steps steps = StepsOf(magnitude);
  ForParts(row, stride, width, [&](int64_t first, int64_t count, const float* numbers) HWY_ATTR {
    RoundBlock(steps.inverse, count, numbers, to + first);
  });
  std::memcpy(to + width, &steps.scale, sizeof(steps.scale));
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {
namespace {

int64_t RowCount(const Shape& shape) {
  int64_t rows = 1;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) rows *= shape[axis];
  return shape.back() == 0 ? 0 : rows;
}

/// The offset, in elements, of row number `row` of an array of rows.
int64_t RowOffset(const TensorSpec& spec, int64_t row) {
  int64_t offset = 0;
  for (std::size_t axis = spec.shape.size() - 1; axis-- > 0;) {
    offset += row % spec.shape[axis] * spec.strides[axis];
    row /= spec.shape[axis];
  }
  return offset;
}

}  // namespace

TensorSpec Int8RowSpec(const Shape& shape) {
  TensorSpec spec(RuntimeDataType::kTypeInt8, shape);
  int64_t stride = Int8RowBytes(shape.back());
  for (std::size_t axis = shape.size() - 1; axis-- > 0; stride *= shape[axis]) spec.strides[axis] = stride;
  return spec;
}

bool HasInt8Rows(const TensorSpec& spec) {
  return spec.type == RuntimeDataType::kTypeInt8 && spec.rank() >= 2 && spec.strides.back() == 1 &&
         spec.strides.end()[-2] == Int8RowBytes(spec.shape.back());
}

KUIPER_SIMD_TABLE(RoundRowOfTarget);

void RoundToInt8Rows(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec) {
  const int64_t rows = RowCount(from_spec.shape);
  const auto round = KUIPER_SIMD(RoundRowOfTarget);
  const int64_t width = from_spec.shape.back();
  ParallelFor(rows, GrainFor(width), [&](int64_t row, int64_t end) {
    for (; row < end; ++row) {
      round(static_cast<const float*>(from) + RowOffset(from_spec, row), from_spec.strides.back(), width,
            static_cast<int8_t*>(to) + RowOffset(to_spec, row));
    }
  });
}

void ReadInt8Rows(const void* from, const TensorSpec& from_spec, void* to, const TensorSpec& to_spec) {
  const int64_t rows = RowCount(from_spec.shape);
  const int64_t width = from_spec.shape.back();
  for (int64_t row = 0; row < rows; ++row) {
    const int8_t* const integers = static_cast<const int8_t*>(from) + RowOffset(from_spec, row);
    float* const numbers = static_cast<float*>(to) + RowOffset(to_spec, row);
    const float scale = ScaleOfInt8Row(integers, width);
    for (int64_t k = 0; k < width; ++k) numbers[k] = scale * static_cast<float>(integers[k]);
  }
}

}  // namespace kuiper_infer::kernel
#endif
