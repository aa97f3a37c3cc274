// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/product/weight_type.hpp"
#include "utils/function_ref.hpp"

namespace kuiper_infer::kernel {

/// Sizes of a constant weight: `groups` matrices one behind the other, each row-major (outputs, inputs, taps).
struct WeightShape {
  int64_t groups = 1;
  int64_t outputs = 1;  ///< of a group
  int64_t inputs = 1;   ///< of a group
  int64_t taps = 1;

  int64_t depth() const { return inputs * taps; }
  int64_t size() const { return groups * outputs * depth(); }
};

/// Rows of a weight as it lies in its file.
struct WeightRows {
  int64_t first = 0;
  int64_t count = 0;
};

/// An order into which a constant weight is brought once, because a kernel reads it faster so. Each is one object. What
/// `pack` writes may be numbers of any type.
struct WeightOrder {
  const char* name;  ///< that no other order has
  /// What a packed weight takes.
  int64_t (*bytes)(const WeightShape& shape);
  /// The rows in which the weight lies in its file.
  int64_t (*rows)(const WeightShape& shape);
  /// Rows are packed in parts that begin at a multiple of this number, each by a call of its own, several at a time.
  int64_t (*rows_together)(const WeightShape& shape);
  /// Packs a part, which lies at `part`, to its places in `packed`, which has bytes() bytes.
  void (*pack)(const WeightShape& shape, const WeightRows& rows, const float* part, void* packed);
  /// Brings packed numbers back exactly; null where that is impossible, because packing rounds.
  void (*unpack)(const WeightShape& shape, const void* packed, float* weight) = nullptr;
  WeightType type = {};

  /// Whether it packs a weight's integers, which come and go as floats, too.
  bool integers() const { return type == RuntimeDataType::kTypeInt8 || type == RuntimeDataType::kTypeUInt8; }
};

/// Writes a part of a weight to `target`: numbers [first, first + count). Called by several threads at once; may throw.
using WeightReader = FunctionRef<void(int64_t first, int64_t count, float* target)>;

/// Brings a weight that is read part by part into an order, in parts that fit the second-level cache, on several
/// threads. Throws what `read` throws.
void PackInParts(const WeightOrder& order, const WeightShape& shape, WeightReader read, void* packed);

/// Brings a weight in memory into an order, in the same parts.
void PackWhole(const WeightOrder& order, const WeightShape& shape, const float* weight, void* packed);

// `rows` and `rows_together` of orders whose rows are outputs.
int64_t OutputRows(const WeightShape& shape);
int64_t AllTogether(const WeightShape& shape);  ///< packed in one part
int64_t PanelRows(const WeightShape& shape);    ///< panels of weight_product.hpp, or groups where there are several

/// Each group as the right factor of kernel::WeightProduct, whose rows are the pixels under a window: tap after tap,
/// the group's inputs side by side.
extern const WeightOrder kPanelOrder;

/// Panels as those of kPanelOrder, of a weight that is given as the factor itself: (inputs, outputs) row-major, one
/// group, one tap.
extern const WeightOrder kMatrixPanelOrder;

/// The weights of kPanelOrder and kMatrixPanelOrder as bfloat16 numbers, 1 to 3 for each, in the panels of
/// bfloat16/product.hpp.
const WeightOrder& BFloat16PanelOrder(int pieces);
const WeightOrder& BFloat16MatrixOrder(int pieces);

/// The panels of float32 or bfloat16 numbers.
const WeightOrder& PanelOrderOf(const WeightType& type);
const WeightOrder& MatrixPanelOrderOf(const WeightType& type);

/// Each group as the left factor of kernel::MultiplyPackedLeft.
extern const WeightOrder kLeftPanelOrder;

}  // namespace kuiper_infer::kernel
