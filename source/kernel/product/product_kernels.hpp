// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/product/product_kernel.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The table of kernels for products on a CPU with these units. Of kernels that take the same time, the first one is
/// chosen.
std::vector<const ProductKernel*> ProductKernels(const Units& units);

/// The kernel of that table for rows of bytes; null if there is none.
const ProductKernel* FindInt8Kernel(const Units& units);

/// Whether kernels for packed factors are made for the instruction set; otherwise BLAS is the better choice.
bool HasProductKernels(const Units& units);

/// What the choice of a kernel depends on.
struct ProductQuestion {
  ProductShape shape;
  /// The format in which the right factor is stored: integers, or float32 (also for computed factors).
  const WeightFormat* stored = &kFloat32Format;
  bool on_byte_grid = false;  ///< whether the rows lie on a grid of bytes
  /// The number of bfloat16 pieces into which factors may be split; 0: factors stay float32. With 1, rows that are
  /// multiplied by a weight in integers may also be rounded to 8 bits.
  int pieces = 0;
};

/// Returns the kernel that should be fastest among those that can compute the product: of bytes by integers, of float32
/// rows (perhaps rounded to 8 bits) by integers, or of float32 numbers (perhaps as split bfloat16). No other place
/// chooses kernels. Throws Error(kUnsupported) if the build lacks all kernels for the stored format.
const ProductKernel& ChooseProduct(const Units& units, const ProductQuestion& question);

}  // namespace kuiper_infer::kernel
