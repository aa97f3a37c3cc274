// SPDX-License-Identifier: MIT
#include "arrays.hpp"

#include <cstring>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {
namespace {

struct TypePair {
  RuntimeDataType type;
  nb::dlpack::dtype_code code;
  uint8_t bits;
};

using Code = nb::dlpack::dtype_code;
constexpr TypePair kTypes[] = {
    {RuntimeDataType::kTypeFloat32, Code::Float, 32},
    {RuntimeDataType::kTypeFloat64, Code::Float, 64},
    {RuntimeDataType::kTypeFloat16, Code::Float, 16},
    {RuntimeDataType::kTypeBFloat16, Code::Bfloat, 16},
    {RuntimeDataType::kTypeInt8, Code::Int, 8},
    {RuntimeDataType::kTypeInt16, Code::Int, 16},
    {RuntimeDataType::kTypeInt32, Code::Int, 32},
    {RuntimeDataType::kTypeInt64, Code::Int, 64},
    {RuntimeDataType::kTypeUInt8, Code::UInt, 8},
    {RuntimeDataType::kTypeBool, Code::Bool, 8},
    {RuntimeDataType::kTypeComplex32, Code::Complex, 32},
    {RuntimeDataType::kTypeComplex64, Code::Complex, 64},
    {RuntimeDataType::kTypeComplex128, Code::Complex, 128},
};

RuntimeDataType TypeOf(const nb::dlpack::dtype& dtype, const std::string& name) {
  for (const TypePair& pair : kTypes) {
    if (dtype.lanes == 1 && dtype.code == static_cast<uint8_t>(pair.code) && dtype.bits == pair.bits) return pair.type;
  }
  const char* const kind = dtype.code == static_cast<uint8_t>(Code::UInt) ? "unsigned integers" : "numbers";
  throw Error(ErrorCode::kInput, name + " has " + kind + " of " + std::to_string(dtype.bits) +
                                     " bits, which models do not read: convert it first");
}

nb::dlpack::dtype DlpackType(RuntimeDataType type) {
  for (const TypePair& pair : kTypes) {
    if (pair.type == type) return {static_cast<uint8_t>(pair.code), pair.bits, 1};
  }
  throw Error(ErrorCode::kState, "an array without element type");
}

/// The copy of an array that begins at any address.
NdArray AlignedCopy(const NdArray& array, const std::string& name) {
  if (!array.contiguous()) {
    throw Error(ErrorCode::kInput, name + " is neither contiguous nor aligned to its elements: copy it first");
  }
  NdArray copy(array.type(), array.shape());
  std::memcpy(copy.raw(), array.raw(), static_cast<std::size_t>(ByteCount(array.type(), array.shape())));
  return copy;
}

NdArray ViewOf(const nb::ndarray<nb::ro, nb::device::cpu>& source, const std::string& name) {
  TensorSpec spec;
  spec.type = TypeOf(source.dtype(), name);
  if (source.ndim() > kMostAxes) {
    throw Error(ErrorCode::kInput, name + " has " + std::to_string(source.ndim()) + " axes, expected at most " +
                                       std::to_string(kMostAxes));
  }
  for (std::size_t axis = 0; axis < source.ndim(); ++axis) {
    spec.shape.push_back(static_cast<int64_t>(source.shape(axis)));
    spec.strides.push_back(source.stride(axis));
  }
  const NdArray array = NdArray::View(const_cast<void*>(source.data()), spec);
  const std::size_t alignment = std::min<std::size_t>(ElementBytes(spec.type), alignof(double));
  return reinterpret_cast<std::uintptr_t>(source.data()) % alignment == 0 ? array : AlignedCopy(array, name);
}

}  // namespace

const NdArray& BorrowedArrays::Add(nb::handle object, const std::string& name) {
  Source source;
  if (!nb::try_cast(object, source)) {
    const std::string text =
        name + " is " + nb::type_name(object.type()).c_str() +
        ", expected an array of numbers on the CPU: NumPy's, or any with the buffer protocol or DLPack";
    throw nb::type_error(text.c_str());
  }
  arrays_.push_back(ViewOf(source, name));
  sources_.push_back(std::move(source));
  return arrays_.back();
}

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
