// SPDX-License-Identifier: MIT
#include "layer/details/method_choice.hpp"

#include <cstdlib>
#include <utility>

#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

thread_local bool measures = false;

}  // namespace

MeasureScope::MeasureScope(bool measures_now) : former_(std::exchange(measures, measures_now)) {}
MeasureScope::~MeasureScope() { measures = former_; }

kernel::MethodChoice CurrentMethodChoice() {
  static const char* const kForced = std::getenv("KUIPER_CONVOLUTION");
  kernel::MethodChoice choice;
  choice.threads = MaxThreads();
  choice.measure = measures;
  if (kForced != nullptr) choice.forced = kForced;
  return choice;
}

}  // namespace kuiper_infer
