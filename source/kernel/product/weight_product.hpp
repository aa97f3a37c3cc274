// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "kernel/product/weight_type.hpp"

namespace kuiper_infer::kernel {

/// Products of rows by a constant weight, which is what linear layers and convolutions over channels-last images
/// come down to. The weight is brought into the order of the register tiles once; that order depends on the instruction
/// set in use.

/// Whether the kernels for packed weights, these and packed_gemm.hpp, are made for the instruction set in use;
/// otherwise BLAS is the better choice.
bool HasWeightProduct();

/// Floats that a weight of depth x columns takes when packed.
int64_t PackedWeightSize(int64_t columns, int64_t depth);
/// Columns that lie side by side in a packed weight: those from a multiple of this number on can be packed for
/// themselves, to `packed` + columns before them * depth.
int64_t WeightPanelColumns();
/// Packs a weight that is given as its transpose: its column j lies at `transposed` + j * ld.
void PackWeight(int64_t columns, int64_t depth, const float* transposed, int64_t ld, float* packed);
/// Packs the transpose of a weight whose columns are given as (inputs, taps) and become (taps, inputs), which makes a
/// depth of inputs * taps.
void PackWindowWeight(int64_t columns, int64_t inputs, int64_t taps, const float* transposed, int64_t ld,
                      float* packed);
/// Packs `count` rows, from `first_row` on, of a weight that is given as it is: row first_row + k lies at `rows` +
/// k * ld. `packed` is the whole packed weight.
void PackWeightRows(int64_t columns, int64_t depth, int64_t first_row, int64_t count, const float* rows, int64_t ld,
                    float* packed);

/// Brings a packed weight back: row k, column j of the weight goes to values[k * row_stride + j * column_stride].
void UnpackWeight(int64_t columns, int64_t depth, const float* packed, float* values, int64_t row_stride,
                  int64_t column_stride);

/// What the integers of a quantised weight are multiplied by.
struct WeightScales {
  /// One for each column and each group of successive rows, packed by PackWeight as a weight of depth `groups`.
  const float* packed = nullptr;
  int64_t groups = 1;  ///< of equal size; they divide the depth
};

/// The matrices of c = activation(a * diag(factors) * weight + bias + addend), all row-major.
struct WeightProduct {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;
  const void* a = nullptr;  ///< rows x depth, of a_type, rows lda apart
  int64_t lda = 0;
  const void* weight = nullptr;  ///< packed
  void* c = nullptr;             ///< rows x columns, of c_type, rows ldc apart
  int64_t ldc = 0;
  const float* bias = nullptr;    ///< one for each column, or null
  const float* addend = nullptr;  ///< rows x columns, rows addend_ld apart, or null; may be c itself
  int64_t addend_ld = 0;
  Activation activation = {};
  /// Rows of `a` that consist of several runs of `depth` numbers, segment_stride apart; the weight's depth is that of
  /// all.
  int64_t segments = 1;
  int64_t segment_stride = 0;
  const float* factors = nullptr;  ///< one for each column of `a`, where it has one segment, or null: ones
  /// Of the packed weight: float32; bfloat16 as bfloat16/product.hpp packs it, which rounds or splits `a` as well; int8
  /// or uint8 (two numbers of 4 bits each) as quantized/product.hpp packs them.
  WeightType weight_type = {};
  WeightScales scales = {};  ///< of a weight of int8 or uint8
  /// float32; with a weight of one bfloat16 number each also bfloat16, as `a` and results are rounded then: `a` without
  /// factors, results up to a depth of kMostRoundedDepth (bfloat16/product.hpp).
  RuntimeDataType a_type = RuntimeDataType::kTypeFloat32;
  RuntimeDataType c_type = RuntimeDataType::kTypeFloat32;
};

/// Computes the product, spread over threads by rows or by columns of tiles.
void MultiplyByWeight(const WeightProduct& product);

}  // namespace kuiper_infer::kernel
