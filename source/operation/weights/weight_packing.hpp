// SPDX-License-Identifier: MIT
#pragma once

#include "operation/weights/packed_weight.hpp"
#include "operation/weights/quantized_weight.hpp"

namespace kuiper_infer {

/// Returns the integers that a layout packs, or null if it packs the weight's float numbers.
std::shared_ptr<const QuantizedWeight> IntegersFor(const TensorArgument& weight, const kernel::PackedLayout& layout);

/// Whether packing rounds the numbers. The exact numbers can then be read only from the weight's file.
bool Rounds(const kernel::PackedLayout& layout);

/// Packs the numbers of a constant from number `first` on. A weight that is still in its file is read part by part, so
/// that it never lies in memory as a whole. Exception: for an irreversible transform (Winograd) it is read and kept.
void PackNumbers(const TensorArgument& weight, int64_t first, PackedWeight& packed);

/// Sets the parameters of rows of a weight in integers, from the row of integer `first` on, as a kernel reads them.
void PackParameters(const QuantizedWeight& weight, int64_t first, const kernel::ProductKernel& kernel,
                    PackedWeight& packed);

}  // namespace kuiper_infer
