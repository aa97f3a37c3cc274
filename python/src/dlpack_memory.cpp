// SPDX-License-Identifier: MIT
// DLPack: https://dmlc.github.io/dlpack/latest/python_spec.html
#include <nanobind/ndarray.h>

#include "dlpack_types.hpp"
#include "foreign_memory.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// The contents of a capsule "dltensor".
struct ManagedTensor {
  static constexpr const char* kName = "dltensor";
  static constexpr const char* kUsedName = "used_dltensor";
  nb::dlpack::dltensor tensor;
  void* manager;
  void (*deleter)(ManagedTensor*);
};

/// The contents of a capsule "dltensor_versioned". If it has another major version, only the members before `flags` are
/// known.
struct VersionedTensor {
  static constexpr const char* kName = "dltensor_versioned";
  static constexpr const char* kUsedName = "used_dltensor_versioned";
  static constexpr uint32_t kMajor = 1;
  uint32_t major;
  uint32_t minor;
  void* manager;
  void (*deleter)(VersionedTensor*);
  uint64_t flags;
  nb::dlpack::dltensor tensor;
};

/// Asks for the older kind of capsule, which all exporters make except for read-only arrays. PyTorch may mark a tensor
/// as conjugated, as negated, or as one that requires gradients. DLPack loses the mark for negation, so the negation is
/// done first; PyTorch refuses to export tensors with the other marks.
nb::object CapsuleOf(nb::handle object) {
  if (PyCapsule_CheckExact(object.ptr())) return nb::borrow(object);
  const bool is_tensor = nb::hasattr(object, "is_neg");
  nb::object source = nb::borrow(object);
  if (is_tensor && nb::cast<bool>(source.attr("is_neg")())) source = source.attr("resolve_neg")();
  try {
    return source.attr("__dlpack__")();
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_BufferError) && !error.matches(PyExc_TypeError)) throw;
  }
  if (is_tensor) return source.attr("detach")().attr("resolve_conj")().attr("__dlpack__")();
  return source.attr("__dlpack__")("max_version"_a = nb::make_tuple(VersionedTensor::kMajor, 0));
}

/// Takes the tensor out of its capsule, as consumers have to.
template <class Managed>
std::shared_ptr<Managed> Take(const nb::object& capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), Managed::kName) == 0) return nullptr;
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), Managed::kName));
  if (PyCapsule_SetName(capsule.ptr(), Managed::kUsedName) != 0) throw nb::python_error();
  return {managed, [](Managed* taken) {
            if (taken->deleter != nullptr) taken->deleter(taken);
          }};
}

ForeignMemory Describe(const nb::dlpack::dltensor& tensor, ArrayName name) {
  if (tensor.device.device_type != nb::device::cpu::value) {
    throw Error(ErrorCode::kInput, name() + " is on a device of DLPack's type " +
                                       std::to_string(tensor.device.device_type) + ", expected the CPU: copy it first");
  }
  if (tensor.ndim < 0 || (tensor.ndim > 0 && tensor.shape == nullptr)) {
    throw Error(ErrorCode::kInput, name() + " exports " + std::to_string(tensor.ndim) + " axes without extents");
  }
  ForeignMemory memory;
  memory.type = TypeOfDlpack(tensor.dtype, name);
  memory.data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  memory.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  memory.byte_strides =
      tensor.strides == nullptr ? RowMajorStrides(memory.shape) : Strides(tensor.strides, tensor.strides + tensor.ndim);
  for (int64_t& stride : memory.byte_strides) stride *= static_cast<int64_t>(ElementBytes(memory.type));
  return memory;
}

}  // namespace

ForeignMemory MemoryOfDlpack(nb::handle object, ArrayName name) {
  const nb::object capsule = CapsuleOf(object);
  ForeignMemory memory;
  if (const auto versioned = Take<VersionedTensor>(capsule)) {
    if (versioned->major != VersionedTensor::kMajor) {
      throw Error(ErrorCode::kInput, name() + " is exported by DLPack " + std::to_string(versioned->major) + "." +
                                         std::to_string(versioned->minor) + ", expected version 1");
    }
    memory = Describe(versioned->tensor, name);
    memory.owner = versioned;
  } else if (const auto managed = Take<ManagedTensor>(capsule)) {
    memory = Describe(managed->tensor, name);
    memory.owner = managed;
  } else {
    const std::string text = name() + " is " + nb::type_name(object.type()).c_str() + ", whose __dlpack__ gives " +
                             nb::type_name(capsule.type()).c_str() + ", expected a capsule \"dltensor\" not used yet";
    throw nb::type_error(text.c_str());
  }
  return memory;
}

}  // namespace kuiper_infer::python
