// SPDX-License-Identifier: MIT
#include "data/convert.hpp"

#include <algorithm>

#include "kernel/movement/copy.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

std::string TensorShape(const std::shared_ptr<Tensor<float>>& tensor) {
  if (tensor == nullptr) return "null";
  const std::vector<uint32_t> extents = tensor->shapes();
  return ShapeString(Shape(extents.begin(), extents.end()));
}

/// A view on a tensor's elements as an array of `shape`.
ArrayView TensorView(Tensor<float>& tensor, const Shape& shape) {
  return {tensor.raw_ptr(), TensorSpec(RuntimeDataType::kTypeFloat32, shape, CubeStrides(shape))};
}

std::vector<uint32_t> Extents(const Shape& shape) {
  std::vector<uint32_t> extents;
  for (const int64_t extent : shape) {
    if (extent > UINT32_MAX)
      throw Error(ErrorCode::kShape,
                  "shape " + ShapeString(shape) + " does not fit a tensor, expected extents of 32 bits");
    extents.push_back(static_cast<uint32_t>(extent));
  }
  if (extents.empty()) extents.push_back(1);
  return extents;
}

}  // namespace

Strides CubeStrides(const Shape& shape) {
  Strides strides = RowMajorStrides(shape);
  const std::size_t rank = shape.size();
  if (rank >= 2) {
    strides[rank - 1] = std::max<int64_t>(shape[rank - 2], 1);
    strides[rank - 2] = 1;
  }
  return strides;
}

NdArray NdArrayFromTensors(const std::vector<std::shared_ptr<Tensor<float>>>& tensors, const Shape& element_shape,
                           RuntimeDataType type) {
  const int64_t count = ElementCount(element_shape);
  Shape shape = element_shape;
  shape.insert(shape.begin(), static_cast<int64_t>(tensors.size()));
  const NdArray array(type, shape);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] == nullptr || static_cast<int64_t>(tensors[i]->size()) != count) {
      throw Error(ErrorCode::kShape, "tensor " + std::to_string(i) + " has shape " + TensorShape(tensors[i]) +
                                         ", expected " + ShapeString(element_shape));
    }
    if (tensors[i]->shapes() != tensors[0]->shapes()) {
      throw Error(ErrorCode::kShape, "tensor " + std::to_string(i) + " has shape " + TensorShape(tensors[i]) +
                                         ", but tensor 0 of the same batch has shape " + TensorShape(tensors[0]));
    }
    // Row-major elements are the same whatever the element shape is, so that another shape is a reshape.
    const std::vector<uint32_t> extents = tensors[i]->shapes();
    const Shape cube(extents.begin(), extents.end());
    const NdArray target = array.AsStrided(cube, RowMajorStrides(cube), static_cast<int64_t>(i) * count);
    kernel::Copy(TensorView(*tensors[i], cube), target.mutable_view());
  }
  return array;
}

void NdArrayToTensors(const NdArray& array, std::vector<std::shared_ptr<Tensor<float>>>& tensors) {
  const bool single = array.rank() < 2;
  const std::size_t batch = single ? 1 : static_cast<std::size_t>(array.shape().front());
  const auto skip = static_cast<std::ptrdiff_t>(single ? 0 : 1);
  const Shape element(array.shape().begin() + skip, array.shape().end());
  const Strides strides(array.strides().begin() + skip, array.strides().end());
  if (tensors.empty()) tensors.resize(batch);
  if (tensors.size() != batch) {
    throw Error(ErrorCode::kShape, "found " + std::to_string(tensors.size()) + " tensors for an array of shape " +
                                       ShapeString(array.shape()) + ", expected " + std::to_string(batch));
  }
  const std::vector<uint32_t> extents = Extents(element);
  for (std::size_t i = 0; i < batch; ++i) {
    if (tensors[i] == nullptr || tensors[i]->empty()) tensors[i] = std::make_shared<Tensor<float>>(extents);
    const Tensor<float> model(tensors[i]->raw_ptr(), extents);
    if (tensors[i]->shapes() != model.shapes()) {
      throw Error(ErrorCode::kShape, "output tensor " + std::to_string(i) + " has shape " + TensorShape(tensors[i]) +
                                         ", expected " + ShapeString(element));
    }
    const int64_t offset = single ? 0 : static_cast<int64_t>(i) * array.strides().front();
    kernel::Copy(array.AsStrided(element, strides, offset).view(), TensorView(*tensors[i], element));
  }
}

}  // namespace kuiper_infer
