// SPDX-License-Identifier: MIT
#include "operation/weights/weight.hpp"

#include <atomic>
#include <utility>

#include "data/bool_bytes.hpp"
#include "data/mapped_array.hpp"
#include "operation/weights/quantized_weight.hpp"

namespace kuiper_infer {
namespace {

int64_t NextId() {
  static std::atomic<int64_t> last{0};
  return ++last;
}

NdArray ReadValues(const StoredBytes& stored, const TensorSpec& spec) {
  NdArray values = MappedArray(spec.type, spec.shape);
  ReadAll(stored, values.raw());
  MakeBoolBytes(values);
  return values;
}

}  // namespace

Weight::Weight(NdArray values) : spec_(values.spec()), id_(NextId()), values_(std::move(values)) {}

Weight::Weight(std::shared_ptr<const StoredBytes> stored, TensorSpec spec)
    : spec_(std::move(spec)),
      id_(NextId()),
      place_(static_cast<int64_t>(stored->offset())),
      stored_(std::move(stored)) {}

Weight::Weight(std::shared_ptr<const QuantizedWeight> quantized)
    : spec_(quantized->spec),
      id_(quantized->integers->id()),
      place_(quantized->integers->place()),
      restore_([quantized] { return quantized->Numbers(); }),
      quantized_(std::move(quantized)) {}

NdArray Weight::values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stored_ != nullptr) {
    values_ = ReadValues(*stored_, spec_);
    stored_.reset();
  }
  return values_.defined() ? values_ : restore_();
}

std::shared_ptr<const StoredBytes> Weight::stored() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stored_;
}

bool Weight::holds_values() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return values_.defined();
}

void Weight::VerifyStored() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stored_ == nullptr) return;
  stored_->Verify();
  stored_ = stored_->Unread();  // the file stays open, so that it may change
}

void Weight::ReplaceBy(std::function<NdArray()> restore) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (GivenUp()) return;  // another plan has replaced the values already; its `restore` gives the same array
  if (stored_ != nullptr) stored_->Verify();
  restore_ = std::move(restore);
  values_ = NdArray();
  stored_.reset();
}

void Weight::LeaveInFile() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stored_ == nullptr) return;
  stored_->Verify();
  restore_ = [stored = std::move(stored_), spec = spec_] { return ReadValues(*stored->Unread(), spec); };
  stored_.reset();
}

}  // namespace kuiper_infer
