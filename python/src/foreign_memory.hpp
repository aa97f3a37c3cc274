// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "dlpack_types.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer::python {

/// An array in the memory of a Python object, as the object describes it.
struct ForeignMemory {
  const void* data = nullptr;
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  Shape shape;
  Strides byte_strides;               ///< distance in bytes between neighbours along each axis
  std::shared_ptr<const void> owner;  ///< keeps the memory readable; it has to end with the GIL
};

/// The memory that an object with the buffer protocol exports. Throws nb::python_error if the object's own code fails,
/// nb::type_error if its elements are not numbers in this machine's byte order, and Error(kInput) for numbers that the
/// library does not read.
ForeignMemory MemoryOfBuffer(nanobind::handle object, ArrayName name);

/// The memory that an object with `__dlpack__`, or a capsule of it, exports. Throws the same exceptions.
ForeignMemory MemoryOfDlpack(nanobind::handle object, ArrayName name);

}  // namespace kuiper_infer::python
