// SPDX-License-Identifier: MIT
#include "arrays.hpp"

#include "dlpack_types.hpp"

namespace kuiper_infer::python {
bool HasNumpyType(RuntimeDataType type) {
  return type != RuntimeDataType::kTypeUnknown && type != RuntimeDataType::kTypeBFloat16 &&
         type != RuntimeDataType::kTypeComplex32;
}

NumpyResult NumpyArray(const NdArray& array) {
  if (array.type() == RuntimeDataType::kTypeBFloat16) return NumpyArray(array.To(RuntimeDataType::kTypeFloat32));
  if (array.type() == RuntimeDataType::kTypeComplex32) return NumpyArray(array.To(RuntimeDataType::kTypeComplex64));
  const nb::capsule owner(new NdArray(array), [](void* kept) noexcept { delete static_cast<NdArray*>(kept); });
  const std::vector<std::size_t> shape(array.shape().begin(), array.shape().end());
  return {array.raw(), shape.size(), shape.data(), owner, nullptr, DlpackType(array.type())};
}

nb::list NumpyArrays(const std::vector<NdArray>& arrays) {
  nb::list list;
  for (const NdArray& array : arrays) list.append(NumpyArray(array));
  return list;
}

std::string PathOf(const nb::bytes& path) { return {path.c_str(), path.size()}; }

nb::str Text(const std::string& text) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(decoded);
}

nb::tuple ShapeTuple(const Shape& shape) {
  nb::list extents;
  for (const int64_t extent : shape) extents.append(extent);
  return nb::tuple(extents);
}

}  // namespace kuiper_infer::python
