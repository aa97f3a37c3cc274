// SPDX-License-Identifier: MIT
#include "dlpack_types.hpp"

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {
namespace {

using Code = nanobind::dlpack::dtype_code;

struct TypePair {
  RuntimeDataType type;
  Code code;
  uint8_t bits;
};

constexpr TypePair kTypes[] = {
    {RuntimeDataType::kTypeFloat32, Code::Float, 32},
    {RuntimeDataType::kTypeFloat64, Code::Float, 64},
    {RuntimeDataType::kTypeFloat16, Code::Float, 16},
    {RuntimeDataType::kTypeBFloat16, Code::Bfloat, 16},
    {RuntimeDataType::kTypeInt8, Code::Int, 8},
    {RuntimeDataType::kTypeInt16, Code::Int, 16},
    {RuntimeDataType::kTypeInt32, Code::Int, 32},
    {RuntimeDataType::kTypeInt64, Code::Int, 64},
    {RuntimeDataType::kTypeUInt8, Code::UInt, 8},
    {RuntimeDataType::kTypeBool, Code::Bool, 8},
    {RuntimeDataType::kTypeComplex32, Code::Complex, 32},
    {RuntimeDataType::kTypeComplex64, Code::Complex, 64},
    {RuntimeDataType::kTypeComplex128, Code::Complex, 128},
};

}  // namespace

RuntimeDataType TypeOfDlpack(const nanobind::dlpack::dtype& dtype, ArrayName name) {
  for (const TypePair& pair : kTypes) {
    if (dtype.lanes == 1 && dtype.code == static_cast<uint8_t>(pair.code) && dtype.bits == pair.bits) return pair.type;
  }
  const char* const kind = dtype.code == static_cast<uint8_t>(Code::UInt) ? "unsigned integers" : "numbers";
  throw Error(ErrorCode::kInput, name() + " has " + kind + " of " + std::to_string(dtype.bits) +
                                     " bits, which models do not read: convert it first");
}

nanobind::dlpack::dtype DlpackType(RuntimeDataType type) {
  for (const TypePair& pair : kTypes) {
    if (pair.type == type) return {static_cast<uint8_t>(pair.code), pair.bits, 1};
  }
  throw Error(ErrorCode::kState, "an array without element type");
}

}  // namespace kuiper_infer::python
