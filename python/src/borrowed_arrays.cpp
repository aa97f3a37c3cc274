// SPDX-License-Identifier: MIT
#include "borrowed_arrays.hpp"

#include <algorithm>
#include <cstdint>

#include "foreign_memory.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {
namespace {

namespace nb = nanobind;

ForeignMemory MemoryOf(nb::handle object, ArrayName name) {
  const auto refusal = [&] {
    return name() + " is " + nb::type_name(object.type()).c_str() +
           ", expected an array of numbers on the CPU: NumPy's, or any with the buffer protocol or DLPack";
  };
  try {
    if (PyObject_CheckBuffer(object.ptr()) != 0) return MemoryOfBuffer(object, name);
    if (PyCapsule_CheckExact(object.ptr()) || nb::hasattr(object, "__dlpack__")) return MemoryOfDlpack(object, name);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // such as KeyboardInterrupt
    nb::raise_from(error, PyExc_TypeError, "%s", refusal().c_str());
  }
  throw nb::type_error(refusal().c_str());
}

void CheckShape(const ForeignMemory& memory, ArrayName name) {
  if (memory.shape.size() > kMostAxes) {
    throw Error(ErrorCode::kInput, name() + " has " + std::to_string(memory.shape.size()) + " axes, expected at most " +
                                       std::to_string(kMostAxes));
  }
  int64_t bytes = 0;
  try {
    bytes = ByteCount(memory.type, memory.shape);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInput, name() + ": " + error.what());
  }
  if (memory.data == nullptr && bytes > 0) {
    throw Error(ErrorCode::kInput, name() + " exports the shape " + ShapeString(memory.shape) + " without memory");
  }
}

/// The elements as an axis of bytes more.
NdArray BytesOf(const ForeignMemory& memory) {
  TensorSpec spec;
  spec.type = RuntimeDataType::kTypeUInt8;
  spec.shape = memory.shape;
  spec.strides = memory.byte_strides;
  spec.shape.push_back(static_cast<int64_t>(ElementBytes(memory.type)));
  spec.strides.push_back(1);
  return NdArray::View(const_cast<void*>(memory.data), spec);
}

/// Whether elements are aligned such that C++ code may read them in place.
bool InPlace(const ForeignMemory& memory) {
  const auto size = static_cast<int64_t>(ElementBytes(memory.type));
  const std::size_t alignment = std::min<std::size_t>(ElementBytes(memory.type), alignof(double));
  return reinterpret_cast<std::uintptr_t>(memory.data) % alignment == 0 &&
         std::all_of(memory.byte_strides.begin(), memory.byte_strides.end(),
                     [&](int64_t stride) { return stride % size == 0; });
}

NdArray Readable(const ForeignMemory& memory) {
  if (memory.type == RuntimeDataType::kTypeBool) {
    const NdArray bytes = BytesOf(memory).Contiguous();
    const auto* const first = bytes.data<uint8_t>();
    const bool plain = std::all_of(first, first + bytes.size(), [](uint8_t byte) { return byte <= 1; });
    if (!plain) return bytes.To(RuntimeDataType::kTypeBool).Reshape(memory.shape);
  }
  if (!InPlace(memory)) {
    const auto copy = std::make_shared<NdArray>(BytesOf(memory).Clone());
    return NdArray::View(copy->raw(), TensorSpec(memory.type, memory.shape), copy);
  }
  TensorSpec spec(memory.type, memory.shape, memory.byte_strides);
  for (int64_t& stride : spec.strides) stride /= static_cast<int64_t>(ElementBytes(memory.type));
  return NdArray::View(const_cast<void*>(memory.data), spec);
}

}  // namespace

const NdArray& BorrowedArrays::Add(nb::handle object, ArrayName name) {
  ForeignMemory memory = MemoryOf(object, name);
  CheckShape(memory, name);
  arrays_.push_back(Readable(memory));
  owners_.push_back(std::move(memory.owner));
  return arrays_.back();
}

}  // namespace kuiper_infer::python
