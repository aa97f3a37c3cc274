// SPDX-License-Identifier: MIT
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "data/npy.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "kuiper_infer/utils/error.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6;

struct TypeRow {
  const char* descr;
  RuntimeDataType type;
};

constexpr TypeRow kTypes[] = {
    {"<f4", RuntimeDataType::kTypeFloat32},     {"<f8", RuntimeDataType::kTypeFloat64},
    {"<f2", RuntimeDataType::kTypeFloat16},     {"<i8", RuntimeDataType::kTypeInt64},
    {"<i4", RuntimeDataType::kTypeInt32},       {"<i2", RuntimeDataType::kTypeInt16},
    {"|i1", RuntimeDataType::kTypeInt8},        {"|u1", RuntimeDataType::kTypeUInt8},
    {"|b1", RuntimeDataType::kTypeBool},        {"<c8", RuntimeDataType::kTypeComplex64},
    {"<c16", RuntimeDataType::kTypeComplex128},
};

[[noreturn]] void Fail(const std::string& name, const std::string& text) {
  throw Error(ErrorCode::kFile, name + ": " + text);
}

/// The text of the header's dictionary behind `'key':`, without leading blanks.
std::string After(const std::string& header, const std::string& key, const std::string& name) {
  const auto at = header.find("'" + key + "'");
  const auto colon = at == std::string::npos ? at : header.find(':', at);
  const auto value = colon == std::string::npos ? colon : header.find_first_not_of(' ', colon + 1);
  if (value == std::string::npos) Fail(name, "the npy header has no '" + key + "'");
  return header.substr(value);
}

RuntimeDataType ParseType(const std::string& header, const std::string& name) {
  const std::string text = After(header, "descr", name);
  if (text.front() != '\'') Fail(name, "structured npy arrays are not supported");
  const std::string descr = text.substr(1, text.find('\'', 1) - 1);
  for (const TypeRow& row : kTypes) {
    if (descr == row.descr) return row.type;
  }
  Fail(name, "npy element type '" + Shorten(descr) + "' is not supported, expected one such as '<f4' or '<i8'");
}

Shape ParseShape(const std::string& header, const std::string& name) {
  const std::string text = After(header, "shape", name);
  const auto end = text.find(')');
  if (text.front() != '(' || end == std::string::npos) Fail(name, "the npy header has no shape tuple");
  Shape shape;
  const char* at = text.c_str() + 1;
  const char* last = text.c_str() + end;
  while (at < last) {
    char* next = nullptr;
    const long long extent = std::strtoll(at, &next, 10);
    while (next < last && *next == ' ') ++next;
    if (next == at || extent < 0 || (next != last && *next != ',')) Fail(name, "the npy header has a faulty shape");
    if (shape.size() == kMostAxes) Fail(name, "the npy array has more than " + std::to_string(kMostAxes) + " axes");
    shape.push_back(extent);
    at = next < last ? next + 1 : next;
    while (at < last && *at == ' ') ++at;
  }
  return shape;
}

}  // namespace

NdArray ParseNpy(const void* bytes, std::size_t size, const std::string& name) {
  const auto* data = static_cast<const unsigned char*>(bytes);
  if (size < kMagicBytes + 4 || std::memcmp(data, kMagic, kMagicBytes) != 0) Fail(name, "is not a NumPy .npy file");
  const unsigned version = data[kMagicBytes];
  if (version < 1 || version > 3) Fail(name, "npy version " + std::to_string(version) + " is not known");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = kMagicBytes + 2 + length_bytes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes && start <= size; ++i) {
    length |= static_cast<std::size_t>(data[kMagicBytes + 2 + i]) << (8 * i);
  }
  if (start > size || length > size - start) Fail(name, "the npy header is longer than the file");
  const std::string header(reinterpret_cast<const char*>(data) + start, length);
  const RuntimeDataType type = ParseType(header, name);
  const Shape shape = ParseShape(header, name);
  const std::string order = After(header, "fortran_order", name);
  const bool fortran = order.compare(0, 4, "True") == 0;
  if (!fortran && order.compare(0, 5, "False") != 0) Fail(name, "the npy header has a faulty fortran_order");

  int64_t payload = 0;
  try {
    payload = ByteCount(type, shape);
  } catch (const Error& error) {
    Fail(name, error.what());
  }
  const std::size_t present = size - start - length;
  if (static_cast<std::size_t>(payload) != present) {
    Fail(name, "holds " + std::to_string(present) + " bytes of data, expected " + std::to_string(payload) + " for " +
                   SpecString(TensorSpec(type, shape)));
  }
  const Shape stored = fortran ? Shape(shape.rbegin(), shape.rend()) : shape;
  NdArray array(type, stored);
  std::memcpy(array.raw(), data + start + length, static_cast<std::size_t>(payload));
  if (!fortran) return array;
  const Strides reversed(array.strides().rbegin(), array.strides().rend());
  return array.AsStrided(shape, reversed).Contiguous();
}

NdArray ReadNpy(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) Fail(path, "cannot be opened");
  const std::streamoff size = file.tellg();
  // A folder opens, but has no readable size.
  if (size < 0 || size > static_cast<std::streamoff>(INT64_MAX / 2)) Fail(path, "cannot be read");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  file.seekg(0);
  if (!file.read(bytes.data(), size)) Fail(path, "cannot be read");
  return ParseNpy(bytes.data(), bytes.size(), path);
}

void WriteNpy(const std::string& path, const NdArray& array) {
  const auto* row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                 [&](const TypeRow& candidate) { return candidate.type == array.type(); });
  if (row == std::end(kTypes)) Fail(path, std::string("npy has no element type ") + TypeName(array.type()));
  std::string shape;
  for (const int64_t extent : array.shape()) shape += std::to_string(extent) + ",";
  std::string header =
      std::string("{'descr': '") + row->descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kPrefix = kMagicBytes + 4;
  constexpr std::size_t kAlignment = 64;
  while ((kPrefix + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';

  std::ofstream file(path, std::ios::binary);
  const char version_and_length[] = {1, 0, static_cast<char>(header.size() & 0xFFU),
                                     static_cast<char>(header.size() >> 8)};
  file.write(kMagic, kMagicBytes)
      .write(version_and_length, 4)
      .write(header.data(), static_cast<std::streamsize>(header.size()));
  const NdArray contiguous = array.Contiguous();
  file.write(contiguous.data<char>(), ByteCount(array.type(), array.shape()));
  if (!file.flush()) Fail(path, "cannot be written");
}

}  // namespace kuiper_infer
