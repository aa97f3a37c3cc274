// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernel/elementwise/activation.hpp"
#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::kernel {

class ProductKernel;  // product_kernel.hpp

/// A row-major matrix that a product reads or writes.
template <class Pointer>
struct ProductMatrix {
  Pointer data = nullptr;
  int64_t ld = 0;  ///< numbers from one row to the next
  /// float32; bfloat16 numbers as uint16_t; or bytes of `grid`, which stand for (byte - zero_point) * scale.
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;
  /// The grid of bytes, or the grid to which an int8 kernel rounds a float32 left factor first. Its bounds lie in 0 to
  /// 255.
  QuantizationGrid grid = {};
};

/// The right factor of a product, packed as `kernel` reads it.
struct PackedFactor {
  const ProductKernel* kernel = nullptr;
  const void* data = nullptr;
  /// The parameters of a weight in integers (scales, offsets), in the order that ProductKernel::packs_parameters tells.
  /// Null for a weight in floats.
  const void* parameters = nullptr;
  int64_t groups = 1;  ///< equal parts of the depth that have parameters of their own
  /// float32; or float16, if ProductKernel::half_groups allows it.
  RuntimeDataType parameter_type = RuntimeDataType::kTypeFloat32;

  /// The parameters of a kernel that has one scale for each column, in float32.
  const float* ColumnScales() const { return static_cast<const float*>(parameters); }
};

/// What becomes of a product's sums: c = activation(sums + bias + residual).
struct Epilogue {
  const float* bias = nullptr;            ///< one number for each column, or null
  ProductMatrix<const void*> residual{};  ///< rows x columns. Null data: none. It may be the memory of c in c's type
  Activation activation{};
};

/// A product c = epilogue(a * diag(factors) * weight) of a row-major matrix by a packed one. Convolutions, linear
/// layers, attention and recurrent layers are computed as such products.
struct Product {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t depth = 0;               ///< of a segment
  ProductMatrix<const void*> a{};  ///< rows x depth
  PackedFactor weight{};           ///< (segments * depth) x columns
  ProductMatrix<void*> c{};        ///< rows x columns
  Epilogue epilogue{};
  /// The number of segments: runs of `depth` numbers, segment_stride numbers apart, that a row of `a` consists of.
  int64_t segments = 1;
  int64_t segment_stride = 0;
  /// One factor for each column of `a`; null: no factors. Allowed for one segment and rows of float32 or bfloat16.
  const float* factors = nullptr;
};

/// Computes the product by the kernel of its weight. Threads share it by rows or by columns; the results don't depend
/// on their number. Nothing is allocated.
void Multiply(const Product& product);

}  // namespace kuiper_infer::kernel
