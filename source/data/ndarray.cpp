// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/ndarray.hpp"

#include "data/mapped_array.hpp"
#include "data/memory_budget.hpp"
#include "kernel/movement/copy.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/array_view.hpp"
#include "utils/system/memory_block.hpp"

namespace kuiper_infer {
namespace {

/// A block by AllocateBlock or MapBlock that counts in the thread's budget until it is freed.
std::shared_ptr<void> AllocateInBudget(int64_t bytes, std::shared_ptr<void> (&allocate)(int64_t)) {
  std::shared_ptr<MemoryBudget> budget = BudgetScope::Current();
  if (budget != nullptr) budget->Take(bytes);
  std::shared_ptr<void> block = allocate(bytes);
  if (block == nullptr) {
    if (budget != nullptr) budget->Give(bytes);
    throw Error(ErrorCode::kResource, "cannot allocate " + std::to_string(bytes) + " bytes for an array");
  }
  if (budget == nullptr) return block;
  void* const address = block.get();
  return {address, [budget = std::move(budget), bytes, block = std::move(block)](void* /*memory*/) mutable {
            block.reset();
            budget->Give(bytes);
          }};
}

}  // namespace

NdArray::NdArray(RuntimeDataType type, const Shape& shape) : spec_(type, shape) {
  const std::shared_ptr<void> block = AllocateInBudget(ByteCount(type, shape), AllocateBlock);
  data_ = block.get();
  owner_ = block;
}

NdArray MappedArray(RuntimeDataType type, const Shape& shape) {
  const std::shared_ptr<void> block = AllocateInBudget(ByteCount(type, shape), MapBlock);
  return NdArray::View(block.get(), TensorSpec(type, shape), block);
}

NdArray NdArray::View(void* data, TensorSpec spec, std::shared_ptr<const void> owner) {
  NdArray view;
  view.spec_ = std::move(spec);
  view.data_ = data;
  view.owner_ = std::move(owner);
  return view;
}

NdArray NdArray::AsStrided(Shape shape, Strides strides, int64_t offset) const {
  NdArray view = *this;
  view.spec_ = TensorSpec(type(), std::move(shape), std::move(strides));
  view.spec_.python_scalar = spec_.python_scalar && view.rank() == 0;  // a number spread over axes is an array
  view.data_ = static_cast<char*>(data_) + offset * static_cast<int64_t>(ElementBytes(type()));
  return view;
}

NdArray NdArray::Reshape(const Shape& shape) const {
  if (ElementCount(shape) != size()) {
    throw Error(ErrorCode::kShape, "cannot reshape " + ShapeString(spec_.shape) + " to " + ShapeString(shape));
  }
  return Contiguous().AsStrided(shape, RowMajorStrides(shape));
}

NdArray NdArray::Contiguous() const { return contiguous() ? *this : Clone(); }

NdArray NdArray::Clone() const {
  NdArray copy(spec_);
  kernel::Copy(view(), copy.mutable_view());
  return copy;
}

NdArray NdArray::To(RuntimeDataType type) const {
  if (type == this->type()) return *this;
  NdArray converted(type, shape());
  kernel::Copy(view(), converted.mutable_view());
  return converted;
}

ConstArrayView NdArray::view() const { return {data_, spec_}; }

ArrayView NdArray::mutable_view() const { return {data_, spec_}; }

}  // namespace kuiper_infer
