// SPDX-License-Identifier: MIT
#include <string_view>

#include "dlpack_types.hpp"
#include "foreign_memory.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {
namespace {

namespace nb = nanobind;
using Code = nb::dlpack::dtype_code;

/// The element type of a buffer in the notation of Python's module `struct`, of NumPy or of ctypes. ctypes' 'l' has 8
/// bytes even if `struct` says 4.
struct Format {
  std::string_view text;
  Py_ssize_t bytes;
  Code code;
};

constexpr Format kFormats[] = {
    {"?", 1, Code::Bool},      {"b", 1, Code::Int},      {"h", 2, Code::Int},      {"i", 4, Code::Int},
    {"l", 4, Code::Int},       {"l", 8, Code::Int},      {"q", 8, Code::Int},      {"n", 8, Code::Int},
    {"B", 1, Code::UInt},      {"H", 2, Code::UInt},     {"I", 4, Code::UInt},     {"L", 4, Code::UInt},
    {"L", 8, Code::UInt},      {"Q", 8, Code::UInt},     {"N", 8, Code::UInt},     {"e", 2, Code::Float},
    {"f", 4, Code::Float},     {"d", 8, Code::Float},    {"Zf", 8, Code::Complex}, {"F", 8, Code::Complex},
    {"Zd", 16, Code::Complex}, {"D", 16, Code::Complex},
};

/// Without a format the elements are bytes.
std::string_view FormatOf(const Py_buffer& buffer) {
  std::string_view format = buffer.format == nullptr ? "B" : buffer.format;
  constexpr std::string_view kNativeOrders = "@=<";
  if (!format.empty() && kNativeOrders.find(format.front()) != std::string_view::npos) format.remove_prefix(1);
  return format;
}

RuntimeDataType TypeOf(const Py_buffer& buffer, nb::handle object, ArrayName name) {
  const std::string_view found = FormatOf(buffer);
  for (const auto& [text, bytes, code] : kFormats) {
    if (found != text || buffer.itemsize != bytes) continue;
    return TypeOfDlpack({static_cast<uint8_t>(code), static_cast<uint8_t>(8 * bytes), 1}, name);
  }
  const std::string text = name() + " is " + nb::type_name(object.type()).c_str() + " with elements of the format '" +
                           std::string(found) + "' of " + std::to_string(buffer.itemsize) +
                           " bytes, expected an array of numbers on the CPU in its byte order";
  throw nb::type_error(text.c_str());
}

/// If there is one axis, exporters may leave out the shape; if the elements lie side by side, they may leave out the
/// strides.
void SetExtents(const Py_buffer& buffer, ArrayName name, ForeignMemory& memory) {
  if (buffer.ndim < 0 || (buffer.shape == nullptr && buffer.ndim > 1)) {
    throw Error(ErrorCode::kInput, name() + " exports " + std::to_string(buffer.ndim) + " axes without extents");
  }
  for (int axis = 0; axis < buffer.ndim; ++axis) {
    memory.shape.push_back(buffer.shape == nullptr ? buffer.len / buffer.itemsize : buffer.shape[axis]);
  }
  if (buffer.strides != nullptr) {
    memory.byte_strides.assign(buffer.strides, buffer.strides + buffer.ndim);
    return;
  }
  memory.byte_strides = RowMajorStrides(memory.shape);
  for (int64_t& stride : memory.byte_strides) stride *= buffer.itemsize;
}

}  // namespace

ForeignMemory MemoryOfBuffer(nb::handle object, ArrayName name) {
  auto requested = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), requested.get(), PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  const std::shared_ptr<Py_buffer> buffer(requested.release(), [](Py_buffer* exported) {
    PyBuffer_Release(exported);
    delete exported;
  });
  ForeignMemory memory;
  memory.data = buffer->buf;
  memory.type = TypeOf(*buffer, object, name);
  SetExtents(*buffer, name, memory);
  memory.owner = buffer;
  return memory;
}

}  // namespace kuiper_infer::python
