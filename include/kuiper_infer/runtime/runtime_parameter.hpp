// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../status_code.hpp"

namespace kuiper_infer {

/// A parameter of an operator; the base class alone stands for None.
struct RuntimeParameter {
  explicit RuntimeParameter(RuntimeParameterType parameter_type = RuntimeParameterType::kParameterUnknown)
      : type(parameter_type) {}
  virtual ~RuntimeParameter() = default;

  RuntimeParameterType type;
};

struct RuntimeParameterBool : RuntimeParameter {
  RuntimeParameterBool() : RuntimeParameter(RuntimeParameterType::kParameterBool) {}
  explicit RuntimeParameterBool(bool given) : RuntimeParameterBool() { value = given; }
  bool value = false;
};

struct RuntimeParameterInt : RuntimeParameter {
  RuntimeParameterInt() : RuntimeParameter(RuntimeParameterType::kParameterInt) {}
  explicit RuntimeParameterInt(int given) : RuntimeParameterInt() { value = given; }
  int value = 0;
};

struct RuntimeParameterFloat : RuntimeParameter {
  RuntimeParameterFloat() : RuntimeParameter(RuntimeParameterType::kParameterFloat) {}
  explicit RuntimeParameterFloat(float given) : RuntimeParameterFloat() { value = given; }
  float value = 0;
};

struct RuntimeParameterString : RuntimeParameter {
  RuntimeParameterString() : RuntimeParameter(RuntimeParameterType::kParameterString) {}
  explicit RuntimeParameterString(std::string given) : RuntimeParameterString() { value = std::move(given); }
  std::string value;
};

struct RuntimeParameterIntArray : RuntimeParameter {
  RuntimeParameterIntArray() : RuntimeParameter(RuntimeParameterType::kParameterIntArray) {}
  explicit RuntimeParameterIntArray(std::vector<int> given) : RuntimeParameterIntArray() { value = std::move(given); }
  std::vector<int> value;
};

struct RuntimeParameterFloatArray : RuntimeParameter {
  RuntimeParameterFloatArray() : RuntimeParameter(RuntimeParameterType::kParameterFloatArray) {}
  explicit RuntimeParameterFloatArray(std::vector<float> given) : RuntimeParameterFloatArray() {
    value = std::move(given);
  }
  std::vector<float> value;
};

struct RuntimeParameterStringArray : RuntimeParameter {
  RuntimeParameterStringArray() : RuntimeParameter(RuntimeParameterType::kParameterStringArray) {}
  explicit RuntimeParameterStringArray(std::vector<std::string> given) : RuntimeParameterStringArray() {
    value = std::move(given);
  }
  std::vector<std::string> value;
};

}  // namespace kuiper_infer
