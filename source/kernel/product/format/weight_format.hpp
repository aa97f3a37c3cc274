// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kuiper_infer/utils/data_type.hpp"

namespace kuiper_infer::kernel {

/// A number that stands beside the integers of a weight for each group of them, such as their scale. A file has the
/// parameters of one kind in one attribute, whose name is the weight's name and this ending.
struct FormatParameter {
  const char* ending;
  RuntimeDataType type;   ///< as `kuiper quantize` writes it; any floating type is read
  bool positive = false;  ///< whether it has to be; scales of groups may be negative or zero, as in Q4_0 of GGUF
};

/// How the numbers of a weight are represented. Each format is one object, made in a file of its own in this folder:
/// float32, split bfloat16, and integers with parameters. Files hold weights in float32 or in one of StoredFormats();
/// the other formats exist in packed weights only.
struct WeightFormat {
  const char* name;         ///< in reports and as a choice of the command line; no two formats share one
  int bits;                 ///< of a number
  int pieces = 0;           ///< bfloat16 numbers whose sum is a number of the weight; 0 for other formats
  bool asymmetric = false;  ///< integers are counted from a minimum instead of zero

  // What follows belongs to the formats of files.

  /// The element type of the attribute that holds the integers. kTypeUInt8 stands for two integers a byte.
  RuntimeDataType stored = RuntimeDataType::kTypeUnknown;
  /// Whether each of several equal parts of a row has parameters, in attributes (rows, groups). Otherwise a row is one
  /// group, and the attributes have the shape (rows).
  bool by_group = false;
  std::vector<FormatParameter> parameters = {};

  /// Chooses the parameters of a group, one for each of `parameters`, and its integers, for which floats stand.
  void (*round)(const float* values, int64_t count, float* integers, float* parameters) = nullptr;
  /// Converts stored integers to floats, and back. Of two integers a byte, `count` is even.
  void (*decode)(const uint8_t* stored, int64_t count, float* integers) = nullptr;
  void (*encode)(const float* integers, int64_t count, uint8_t* stored) = nullptr;
  /// Replaces the integers of a group by the numbers that they stand for.
  void (*scale)(const float* parameters, int64_t count, float* numbers) = nullptr;

  /// Bytes of `count` stored integers.
  int64_t StoredBytes(int64_t count) const { return count * bits / 8; }
  /// Numbers in a byte of the stored attribute.
  int64_t NumbersPerByte() const { return 8 / bits; }
  int64_t ParameterCount() const { return static_cast<int64_t>(parameters.size()); }
  /// Replaces the integers of a row by the numbers that they stand for. `row_parameters` has the shape (groups,
  /// ParameterCount()); `groups` divides `count`. T: float or Float16.
  template <class T>
  void ScaleRow(const T* row_parameters, int64_t groups, int64_t count, float* numbers) const {
    constexpr int64_t kMostParameters = 2;
    const int64_t size = count / groups;
    float of_group[kMostParameters];
    for (int64_t group = 0; group < groups; ++group) {
      std::copy_n(row_parameters + group * ParameterCount(), ParameterCount(), of_group);
      scale(of_group, size, numbers + group * size);
    }
  }
};

extern const WeightFormat kFloat32Format;
const WeightFormat& BFloat16Format(int pieces);  ///< of 1 to 3 pieces (bfloat16/pieces.hpp)
extern const WeightFormat kInt8Format;           ///< a scale for each row, as PyTorch's export has them
extern const WeightFormat kInt8GroupFormat;
extern const WeightFormat kInt8AsymmetricFormat;
extern const WeightFormat kInt4Format;
extern const WeightFormat kInt4AsymmetricFormat;

/// The formats in which files hold weights as integers.
const std::vector<const WeightFormat*>& StoredFormats();

/// The parameter of one of these formats that an attribute of this name holds; null if the name has no such ending.
const FormatParameter* FindParameter(std::string_view attribute);

}  // namespace kuiper_infer::kernel
