// SPDX-License-Identifier: MIT
#include "kuiper_infer/utils/data_type.hpp"

#include <array>

namespace kuiper_infer {
namespace {

struct TypeRow {
  RuntimeDataType type;
  std::size_t bytes;
  const char* name;
  const char* pnnx_name;
  int torch_code;
};

// One row per element type, in the order of the enumeration.
constexpr std::array<TypeRow, 14> kTypes = {{
    {RuntimeDataType::kTypeUnknown, 0, "unknown", "null", -1},
    {RuntimeDataType::kTypeFloat32, 4, "float32", "f32", 6},
    {RuntimeDataType::kTypeFloat64, 8, "float64", "f64", 7},
    {RuntimeDataType::kTypeFloat16, 2, "float16", "f16", 5},
    {RuntimeDataType::kTypeInt32, 4, "int32", "i32", 3},
    {RuntimeDataType::kTypeInt64, 8, "int64", "i64", 4},
    {RuntimeDataType::kTypeInt16, 2, "int16", "i16", 2},
    {RuntimeDataType::kTypeInt8, 1, "int8", "i8", 1},
    {RuntimeDataType::kTypeUInt8, 1, "uint8", "u8", 0},
    {RuntimeDataType::kTypeBool, 1, "bool", "bool", 11},
    {RuntimeDataType::kTypeComplex64, 8, "complex64", "c64", 9},
    {RuntimeDataType::kTypeComplex128, 16, "complex128", "c128", 10},
    {RuntimeDataType::kTypeComplex32, 4, "complex32", "c32", 8},
    {RuntimeDataType::kTypeBFloat16, 2, "bfloat16", "bf16", 15},
}};

const TypeRow& Row(RuntimeDataType type) {
  const auto index = static_cast<std::size_t>(type);
  return kTypes[index < kTypes.size() ? index : 0];
}

struct Alias {
  const char* text;
  RuntimeDataType type;
};

// PyTorch's short names beside the systematic ones.
constexpr std::array<Alias, 8> kAliases = {{
    {"half", RuntimeDataType::kTypeFloat16},
    {"float", RuntimeDataType::kTypeFloat32},
    {"double", RuntimeDataType::kTypeFloat64},
    {"short", RuntimeDataType::kTypeInt16},
    {"int", RuntimeDataType::kTypeInt32},
    {"long", RuntimeDataType::kTypeInt64},
    {"cfloat", RuntimeDataType::kTypeComplex64},
    {"cdouble", RuntimeDataType::kTypeComplex128},
}};

}  // namespace

std::size_t ElementBytes(RuntimeDataType type) { return Row(type).bytes; }

const char* TypeName(RuntimeDataType type) { return Row(type).name; }

const char* PnnxTypeName(RuntimeDataType type) { return Row(type).pnnx_name; }

RuntimeDataType TypeFromPnnxName(const std::string& name) {
  for (const TypeRow& row : kTypes) {
    if (name == row.pnnx_name) return row.type;
  }
  return RuntimeDataType::kTypeUnknown;
}

RuntimeDataType TypeFromTorchName(const std::string& name) {
  static const std::string kPrefix = "torch.";
  if (name.compare(0, kPrefix.size(), kPrefix) != 0) return RuntimeDataType::kTypeUnknown;
  const std::string word = name.substr(kPrefix.size());
  for (const Alias& alias : kAliases) {
    if (word == alias.text) return alias.type;
  }
  for (const TypeRow& row : kTypes) {
    if (row.bytes != 0 && word == row.name) return row.type;
  }
  return RuntimeDataType::kTypeUnknown;
}

RuntimeDataType TypeFromTorchCode(long long code) {
  for (const TypeRow& row : kTypes) {
    if (row.bytes != 0 && row.torch_code == code) return row.type;
  }
  return RuntimeDataType::kTypeUnknown;
}

bool IsFloating(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64 ||
         type == RuntimeDataType::kTypeFloat16 || type == RuntimeDataType::kTypeBFloat16;
}

bool IsComplex(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeComplex64 || type == RuntimeDataType::kTypeComplex128 ||
         type == RuntimeDataType::kTypeComplex32;
}

bool IsInteger(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeInt64 || type == RuntimeDataType::kTypeInt32 ||
         type == RuntimeDataType::kTypeInt16 || type == RuntimeDataType::kTypeInt8 ||
         type == RuntimeDataType::kTypeUInt8;
}

}  // namespace kuiper_infer
