// SPDX-License-Identifier: MIT
#include "cli/terminal/human_numbers.hpp"

#include <cstdio>

namespace kuiper_infer::cli {
namespace {

constexpr double kShort = 1e4;  ///< smaller numbers are read at a glance

struct Unit {
  double size;
  const char* name;
};

/// The number with three significant digits, in the largest unit of which it has at least one.
template <std::size_t Count>
std::string InUnits(double number, const Unit (&units)[Count]) {
  const Unit* unit = units;
  while (unit + 1 < units + Count && number < unit->size) ++unit;
  const double amount = number / unit->size;
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f %s", amount < 10 ? 2 : amount < 100 ? 1 : 0, amount, unit->name);
  return text;
}

std::string Exact(double number) {
  char digits[64];
  std::snprintf(digits, sizeof(digits), "%.0f", number);
  return digits;
}

}  // namespace

std::string CountText(double count) {
  constexpr Unit kUnits[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  return count < kShort ? Exact(count) : InUnits(count, kUnits) + " (" + Exact(count) + ")";
}

std::string BytesText(int64_t bytes) {
  constexpr Unit kUnits[] = {{1024.0 * 1024 * 1024, "GiB"}, {1024.0 * 1024, "MiB"}, {1024.0, "KiB"}};
  const auto count = static_cast<double>(bytes);
  const std::string exact = Exact(count) + " bytes";
  return count < kShort ? exact : InUnits(count, kUnits) + " (" + exact + ")";
}

}  // namespace kuiper_infer::cli
