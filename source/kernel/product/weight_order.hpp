// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

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

/// An order into which a constant weight is brought once, because a kernel reads it faster so. Orders have no names:
/// each is one object, and its address tells it from the others. What `pack` writes may be numbers of any type.
struct WeightOrder {
  /// What a packed weight takes.
  int64_t (*bytes)(const WeightShape& shape);
  /// `packed` has that many bytes.
  void (*pack)(const WeightShape& shape, const float* weight, void* packed);
  /// Brings packed numbers back exactly; null where that is impossible, because packing rounds.
  void (*unpack)(const WeightShape& shape, const void* packed, float* weight) = nullptr;
};

/// Each group as the right factor of kernel::WeightProduct, whose rows are the pixels under a window: tap after tap,
/// the group's inputs side by side.
extern const WeightOrder kPanelOrder;

/// Panels as those of kPanelOrder, of a weight that is given as the factor itself: (inputs, outputs) row-major, one
/// group, one tap.
extern const WeightOrder kMatrixPanelOrder;

/// Each group as the left factor of kernel::MultiplyPackedLeft.
extern const WeightOrder kLeftPanelOrder;

}  // namespace kuiper_infer::kernel
