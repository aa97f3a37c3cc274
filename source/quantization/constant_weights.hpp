// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Whether an operator is a constant (pnnx.Attribute) that a linear layer or an embedding reads as its weight, or by
/// which a matrix product multiplies, as it is or transposed. Exporters write a weight in this way if several operators
/// read it.
bool IsConstantWeight(const pnnx::Operator& op);

/// Why a constant weight has to stay in float: the first reader that is no linear layer and no embedding. Empty if
/// there is none.
std::string ReaderInFloat(const pnnx::Operator& constant);

/// Makes a product of rows by a transposed constant matrix (x @ w.T) a linear layer, whose weight is the matrix. The
/// layer may add in another order than the product.
void MakeLinearOfProduct(pnnx::Operator& op);

}  // namespace kuiper_infer::quantization
