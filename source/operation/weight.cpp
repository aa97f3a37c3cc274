// SPDX-License-Identifier: MIT
#include "operation/weight.hpp"

#include <atomic>
#include <utility>

namespace kuiper_infer {
namespace {

int64_t NextId() {
  static std::atomic<int64_t> last{0};
  return ++last;
}

}  // namespace

Weight::Weight(NdArray values) : spec_(values.spec()), id_(NextId()), values_(std::move(values)) {}

NdArray Weight::values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return values_.defined() ? values_ : restore_();
}

bool Weight::holds_values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return values_.defined();
}

void Weight::ReplaceBy(std::function<NdArray()> restore) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!values_.defined()) return;  // another plan has given the values up already, and its `restore` is as good
  restore_ = std::move(restore);
  values_ = NdArray();
}

}  // namespace kuiper_infer
