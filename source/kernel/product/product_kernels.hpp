// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel/product/product_kernel.hpp"
#include "utils/cpu_info.hpp"

namespace kuiper_infer::kernel {

/// The table of kernels for products on a CPU with these units. Of kernels that take the same time, the first one is
/// chosen.
std::vector<const ProductKernel*> ProductKernels(const Units& units);

/// Whether kernels for packed factors are made for the instruction set; otherwise BLAS is the better choice.
bool HasProductKernels(const Units& units);

/// What the choice of a kernel depends on.
struct ProductQuestion {
  ProductShape shape;
  /// The format in which the right factor is stored: integers of a file, or float32, computed factors included.
  const WeightFormat* stored = &kFloat32Format;
  bool on_byte_grid = false;  ///< whether the rows lie on a grid of bytes
  /// bfloat16 numbers that may stand for each factor; 0: factors stay float32. One: rows that are multiplied by
  /// integers of a file may be rounded to 8 bits.
  int pieces = 0;
};

/// The kernel that should be fastest, of those that compute what the question asks for: products of bytes by integers,
/// float32 rows, perhaps rounded to 8 bits, by integers, or float32 numbers, perhaps as split bfloat16. The one place
/// that decides.
const ProductKernel& ChooseProduct(const Units& units, const ProductQuestion& question);

}  // namespace kuiper_infer::kernel
