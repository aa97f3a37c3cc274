// SPDX-License-Identifier: MIT
// Integers from 0 to 15 times a scale, plus a minimum; files hold two in a byte, the even one in the low bits. Q4_1 of
// GGUF has both parameters in half precision, Q4_K has products that need float32.
#include "kernel/product/format/nibbles.hpp"
#include "kernel/product/format/scale_and_minimum.hpp"

namespace kuiper_infer::kernel {
namespace {

WeightFormat Make() {
  WeightFormat format = FormatWithMinimum("int4 asymmetric", 4, RuntimeDataType::kTypeUInt8);
  format.round = RoundAboveMinimum<15>;
  format.decode = DecodeNibbles<0>;
  format.encode = EncodeNibbles<0>;
  return format;
}

}  // namespace

const WeightFormat kInt4AsymmetricFormat = Make();

}  // namespace kuiper_infer::kernel
