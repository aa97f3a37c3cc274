// SPDX-License-Identifier: MIT
// A process reads the environment once, so each case has a process of its own.
#include "utils/system/cpu_info.hpp"

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/environment_variable.hpp"
#include "utils/system/cpu_variables.hpp"

namespace kuiper_infer {
namespace {

/// Ends the process with the unit's number, or prints the error and ends it with 99.
[[noreturn]] void ExitWithUnit(const char* units) {
  const test::EnvironmentVariable variable("KUIPER_UNITS", units);
  try {
    CheckCpuVariables();
    std::_Exit(static_cast<int>(UsedInt8Unit()));
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    std::_Exit(99);
  }
}

/// Returns the best unit of this CPU, but none above `most`.
Int8Unit BestUnit(Int8Unit most) {
  int unit = static_cast<int>(most);
  while (!HasInt8Unit(static_cast<Int8Unit>(unit))) --unit;
  return static_cast<Int8Unit>(unit);
}

class CpuInfoTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CpuInfoTest, UnitsAreLimitedByTheEnvironment) {
  const struct {
    const char* units;
    Int8Unit most;
  } cases[] = {
      {"none", Int8Unit::kPortable},   {"dotprod", Int8Unit::kDotProd},       {"avx2", Int8Unit::kAvx2},
      {"avxvnni", Int8Unit::kAvxVnni}, {"avx512vnni", Int8Unit::kAvx512Vnni}, {"avx512bf16", Int8Unit::kAvx512Vnni},
      {"amx", Int8Unit::kAmx}};
  for (const auto& [units, most] : cases) {
    SCOPED_TRACE(units);
    EXPECT_EXIT(ExitWithUnit(units), testing::ExitedWithCode(static_cast<int>(BestUnit(most))), "");
  }
}

TEST_F(CpuInfoTest, UnknownUnitsAreAnError) {
  EXPECT_EXIT(ExitWithUnit("vnni"), testing::ExitedWithCode(99),
              "environment variable KUIPER_UNITS is 'vnni', expected one of: none, dotprod, avx2, avxvnni, avx512vnni");
}

}  // namespace
}  // namespace kuiper_infer
