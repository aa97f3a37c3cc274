// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kuiper_infer {

/// Element types; the numbers are those of the PNNX format.
enum class RuntimeDataType {
  kTypeUnknown = 0,
  kTypeFloat32 = 1,
  kTypeFloat64 = 2,
  kTypeFloat16 = 3,
  kTypeInt32 = 4,
  kTypeInt64 = 5,
  kTypeInt16 = 6,
  kTypeInt8 = 7,
  kTypeUInt8 = 8,
  kTypeBool = 9,
  kTypeComplex64 = 10,
  kTypeComplex128 = 11,
  kTypeComplex32 = 12,
  kTypeBFloat16 = 13,
};

/// The type whose elements are T.
template <class T>
constexpr RuntimeDataType kElementType = RuntimeDataType::kTypeUnknown;
template <>
inline constexpr RuntimeDataType kElementType<float> = RuntimeDataType::kTypeFloat32;
template <>
inline constexpr RuntimeDataType kElementType<double> = RuntimeDataType::kTypeFloat64;
template <>
inline constexpr RuntimeDataType kElementType<int64_t> = RuntimeDataType::kTypeInt64;
template <>
inline constexpr RuntimeDataType kElementType<int32_t> = RuntimeDataType::kTypeInt32;
template <>
inline constexpr RuntimeDataType kElementType<int16_t> = RuntimeDataType::kTypeInt16;
template <>
inline constexpr RuntimeDataType kElementType<int8_t> = RuntimeDataType::kTypeInt8;
template <>
inline constexpr RuntimeDataType kElementType<uint8_t> = RuntimeDataType::kTypeUInt8;
template <>
inline constexpr RuntimeDataType kElementType<bool> = RuntimeDataType::kTypeBool;

/// Bytes of one element; 0 for kTypeUnknown.
std::size_t ElementBytes(RuntimeDataType type);

/// PyTorch's name without the prefix: "float32", "int64", "bool"; "unknown" otherwise.
const char* TypeName(RuntimeDataType type);

/// The name that PNNX files use: "f32", "i64", "bool"; "null" for kTypeUnknown.
const char* PnnxTypeName(RuntimeDataType type);

/// Inverse of PnnxTypeName; any other text gives kTypeUnknown.
RuntimeDataType TypeFromPnnxName(const std::string& name);

/// Reads "torch.float", "torch.int64", "torch.half", ... as `dtype=` parameters have them; any other text gives
/// kTypeUnknown.
RuntimeDataType TypeFromTorchName(const std::string& name);

/// Reads PyTorch's ScalarType number (0 uint8 ... 7 double, 11 bool, 15 bfloat16), which arguments of `aten` operators
/// hold; any other number gives kTypeUnknown.
RuntimeDataType TypeFromTorchCode(long long code);

/// Whether it is float16, bfloat16, float32 or float64.
bool IsFloating(RuntimeDataType type);
/// Whether it is one of the complex types.
bool IsComplex(RuntimeDataType type);
/// Whether it is int8, int16, int32, int64 or uint8. A bool is no integer.
bool IsInteger(RuntimeDataType type);

}  // namespace kuiper_infer
