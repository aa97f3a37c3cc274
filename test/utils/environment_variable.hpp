// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace kuiper_infer::test {

/// Sets an environment variable as long as the object lives. Only for programs with one thread.
class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* former = std::getenv(name_.c_str())) former_ = former;
    Set(value);
  }
  ~EnvironmentVariable() {
    if (former_) {
      Set(*former_);
    } else {
#ifdef _WIN32
      Set("");  // which removes it
#else
      unsetenv(name_.c_str());
#endif
    }
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  void Set(const std::string& value) const {
#ifdef _WIN32
    _putenv_s(name_.c_str(), value.c_str());
#else
    setenv(name_.c_str(), value.c_str(), 1);
#endif
  }

  std::string name_;
  std::optional<std::string> former_;
};

}  // namespace kuiper_infer::test
