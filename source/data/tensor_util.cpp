// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor_util.hpp"

#include <cmath>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {
namespace {

std::string Text(const sftensor& tensor) {
  const std::vector<uint32_t> extents = tensor->shapes();
  return ShapeString(Shape(extents.begin(), extents.end()));
}

void RequireTensor(const sftensor& tensor) {
  if (tensor == nullptr) throw Error(ErrorCode::kInput, "a tensor is null");
}

sftensor Repeat(const sftensor& tensor, const std::vector<uint32_t>& shape) {
  if (tensor->shapes() == shape) return tensor;
  sftensor repeated = TensorCreate(shape);
  for (uint32_t c = 0; c < shape[0]; ++c) {
    for (uint32_t w = 0; w < shape[2]; ++w) {
      for (uint32_t h = 0; h < shape[1]; ++h) {
        repeated->at(c, h, w) =
            tensor->at(tensor->channels() == 1 ? 0 : c, tensor->rows() == 1 ? 0 : h, tensor->cols() == 1 ? 0 : w);
      }
    }
  }
  return repeated;
}

/// A tensor for the result of two of one cube shape, with the axes of the one that has more of them.
sftensor CreateResult(const sftensor& a, const sftensor& b) {
  return TensorClone(a->raw_shapes().size() < b->raw_shapes().size() ? b : a);
}

void RequireShape(const sftensor& output, const sftensor& model) {
  RequireTensor(output);
  if (output->shapes() != model->shapes()) {
    throw Error(ErrorCode::kShape, "the output tensor has shape " + Text(output) + ", expected " + Text(model));
  }
}

}  // namespace

sftensor TensorCreate(uint32_t size) { return std::make_shared<ftensor>(size); }
sftensor TensorCreate(uint32_t rows, uint32_t cols) { return std::make_shared<ftensor>(rows, cols); }
sftensor TensorCreate(uint32_t channels, uint32_t rows, uint32_t cols) {
  return std::make_shared<ftensor>(channels, rows, cols);
}
sftensor TensorCreate(const std::vector<uint32_t>& shapes) { return std::make_shared<ftensor>(shapes); }

sftensor TensorClone(const sftensor& tensor) {
  RequireTensor(tensor);
  return std::make_shared<ftensor>(*tensor);
}

std::pair<sftensor, sftensor> TensorBroadcast(const sftensor& tensor1, const sftensor& tensor2) {
  RequireTensor(tensor1);
  RequireTensor(tensor2);
  const std::vector<uint32_t> first = tensor1->shapes();
  const std::vector<uint32_t> second = tensor2->shapes();
  std::vector<uint32_t> common(3);
  for (std::size_t i = 0; i < common.size(); ++i) {
    if (first[i] != second[i] && first[i] != 1 && second[i] != 1) {
      throw Error(ErrorCode::kShape,
                  "tensors of shapes " + Text(tensor1) + " and " + Text(tensor2) + " cannot be broadcast");
    }
    common[i] = first[i] == 1 ? second[i] : first[i];
  }
  return {Repeat(tensor1, common), Repeat(tensor2, common)};
}

void TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  RequireShape(output, a);
  output->data() = a->data() + b->data();
}

sftensor TensorElementAdd(const sftensor& tensor1, const sftensor& tensor2) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  sftensor output = CreateResult(a, b);
  TensorElementAdd(a, b, output);
  return output;
}

void TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2, const sftensor& output) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  RequireShape(output, a);
  output->data() = a->data() % b->data();
}

sftensor TensorElementMultiply(const sftensor& tensor1, const sftensor& tensor2) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  sftensor output = CreateResult(a, b);
  TensorElementMultiply(a, b, output);
  return output;
}

void TensorElementSin(const sftensor& tensor, const sftensor& output) {
  RequireTensor(tensor);
  RequireShape(output, tensor);
  output->data() = arma::sin(tensor->data());
}

sftensor TensorElementSin(const sftensor& tensor) {
  RequireTensor(tensor);
  sftensor output = TensorClone(tensor);
  TensorElementSin(tensor, output);
  return output;
}

sftensor TensorPadding(const sftensor& tensor, const std::vector<uint32_t>& pads, float padding_value) {
  sftensor padded = TensorClone(tensor);
  padded->Padding(pads, padding_value);
  return padded;
}

bool TensorIsSame(const sftensor& tensor1, const sftensor& tensor2, float threshold) {
  if (tensor1 == nullptr || tensor2 == nullptr || tensor1->shapes() != tensor2->shapes()) return false;
  for (std::size_t i = 0; i < tensor1->size(); ++i) {
    // Written so that NaN counts as a difference.
    if (!(std::abs(tensor1->raw_ptr()[i] - tensor2->raw_ptr()[i]) <= threshold)) return false;
  }
  return true;
}

}  // namespace kuiper_infer
