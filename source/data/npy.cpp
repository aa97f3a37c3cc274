// SPDX-License-Identifier: MIT
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "data/npy.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "data/bool_bytes.hpp"
#include "data/byte_source.hpp"
#include "data/file_writer.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/shorten.hpp"

namespace kuiper_infer {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6;
/// NumPy's own headers have some hundred bytes.
constexpr uint64_t kMostHeaderBytes = 1 << 20;

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

/// The text after `'key':` in the header's dictionary, without leading blanks.
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
    if (next == at || extent < 0 || (next != last && *next != ','))
      Fail(name, "the npy header has a faulty shape, expected a tuple of numbers");
    if (shape.size() == kMostAxes) Fail(name, "the npy array has more than " + std::to_string(kMostAxes) + " axes");
    shape.push_back(extent);
    at = next < last ? next + 1 : next;
    while (at < last && *at == ' ') ++at;
  }
  return shape;
}

/// Reads an array from the bytes of a file, without another copy of its elements.
NdArray ReadFrom(const ByteSource& source) {
  const std::string& name = source.name();
  const uint64_t size = source.size();
  unsigned char prefix[kMagicBytes + 2 + 4] = {};
  source.Read(0, std::min<uint64_t>(size, sizeof(prefix)), prefix);
  if (size < kMagicBytes + 4 || std::memcmp(prefix, kMagic, kMagicBytes) != 0) Fail(name, "is not a NumPy .npy file");
  const unsigned version = prefix[kMagicBytes];
  if (version < 1 || version > 3)
    Fail(name, "npy version " + std::to_string(version) + " is not known, expected 1 to 3");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = kMagicBytes + 2 + length_bytes;
  uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= uint64_t{prefix[kMagicBytes + 2 + i]} << (8 * i);
  if (start > size || length > size - start) Fail(name, "the npy header is longer than the file");
  if (length > kMostHeaderBytes) {
    Fail(name, "the npy header has " + std::to_string(length) + " bytes, expected at most " +
                   std::to_string(kMostHeaderBytes));
  }
  std::string header(length, ' ');
  source.Read(start, length, header.data());
  const RuntimeDataType type = ParseType(header, name);
  const Shape shape = ParseShape(header, name);
  const std::string order = After(header, "fortran_order", name);
  const bool fortran = order.compare(0, 4, "True") == 0;
  if (!fortran && order.compare(0, 5, "False") != 0)
    Fail(name, "the npy header has a faulty fortran_order, expected True or False");

  int64_t payload = 0;
  try {
    payload = ByteCount(type, shape);
  } catch (const Error& error) {
    Fail(name, error.what());
  }
  const uint64_t present = size - start - length;
  if (static_cast<uint64_t>(payload) != present) {
    Fail(name, "holds " + std::to_string(present) + " bytes of data, expected " + std::to_string(payload) + " for " +
                   SpecString(TensorSpec(type, shape)));
  }
  const Shape stored = fortran ? Shape(shape.rbegin(), shape.rend()) : shape;
  NdArray array(type, stored);
  source.Read(start + length, present, array.raw());
  MakeBoolBytes(array);
  if (!fortran) return array;
  const Strides reversed(array.strides().rbegin(), array.strides().rend());
  return array.AsStrided(shape, reversed).Contiguous();
}

}  // namespace

NdArray ParseNpy(const void* bytes, std::size_t size, const std::string& name) {
  return ReadFrom(*ByteSource::OfMemory({static_cast<const char*>(bytes), size}, name));
}

NdArray ReadNpy(const std::string& path) { return ReadFrom(*ByteSource::OpenFile(path)); }

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

  FileWriter file(path);
  const char version_and_length[] = {1, 0, static_cast<char>(header.size() & 0xFFU),
                                     static_cast<char>(header.size() >> 8)};
  file.Write({kMagic, kMagicBytes});
  file.Write({version_and_length, sizeof(version_and_length)});
  file.Write(header);
  const NdArray contiguous = array.Contiguous();
  file.Write({contiguous.data<char>(), static_cast<std::size_t>(ByteCount(array.type(), array.shape()))});
  file.Finish();
}

}  // namespace kuiper_infer
