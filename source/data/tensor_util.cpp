// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor_util.hpp"

#include <cmath>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {
namespace {

template <class T>
std::string Text(const stensor<T>& tensor) {
  const std::vector<uint32_t> extents = tensor->shapes();
  return ShapeString(Shape(extents.begin(), extents.end()));
}

template <class T>
void RequireTensor(const stensor<T>& tensor) {
  if (tensor == nullptr) throw Error(ErrorCode::kInput, "a tensor is null");
}

template <class T>
stensor<T> Repeat(const stensor<T>& tensor, const std::vector<uint32_t>& shape) {
  if (tensor->shapes() == shape) return tensor;
  stensor<T> repeated = TensorCreate<T>(shape);
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

/// A tensor for the result of two tensors of one cube shape, with the axes of the tensor that has more axes.
template <class T>
stensor<T> CreateResult(const stensor<T>& a, const stensor<T>& b) {
  return TensorClone(a->raw_shapes().size() < b->raw_shapes().size() ? b : a);
}

template <class T>
void RequireShape(const stensor<T>& output, const stensor<T>& model) {
  RequireTensor(output);
  if (output->shapes() != model->shapes()) {
    throw Error(ErrorCode::kShape, "the output tensor has shape " + Text(output) + ", expected " + Text(model));
  }
}

}  // namespace

template <class T>
stensor<T> TensorClone(const stensor<T>& tensor) {
  RequireTensor(tensor);
  return std::make_shared<Tensor<T>>(*tensor);
}

template <class T>
std::pair<stensor<T>, stensor<T>> TensorBroadcast(const stensor<T>& tensor1, const stensor<T>& tensor2) {
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

template <class T>
void TensorElementAdd(const stensor<T>& tensor1, const stensor<T>& tensor2, const stensor<T>& output) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  RequireShape(output, a);
  output->data() = a->data() + b->data();
}

template <class T>
stensor<T> TensorElementAdd(const stensor<T>& tensor1, const stensor<T>& tensor2) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  const stensor<T> output = CreateResult(a, b);
  TensorElementAdd(a, b, output);
  return output;
}

template <class T>
void TensorElementMultiply(const stensor<T>& tensor1, const stensor<T>& tensor2, const stensor<T>& output) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  RequireShape(output, a);
  output->data() = a->data() % b->data();
}

template <class T>
stensor<T> TensorElementMultiply(const stensor<T>& tensor1, const stensor<T>& tensor2) {
  const auto [a, b] = TensorBroadcast(tensor1, tensor2);
  const stensor<T> output = CreateResult(a, b);
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

template <class T>
stensor<T> TensorPadding(const stensor<T>& tensor, const std::vector<uint32_t>& pads,
                         std::common_type_t<T> padding_value) {
  const stensor<T> padded = TensorClone(tensor);
  padded->Padding(pads, padding_value);
  return padded;
}

template <class T>
bool TensorIsSame(const stensor<T>& tensor1, const stensor<T>& tensor2, float threshold) {
  if (tensor1 == nullptr || tensor2 == nullptr || tensor1->shapes() != tensor2->shapes()) return false;
  for (std::size_t i = 0; i < tensor1->size(); ++i) {
    const double difference = static_cast<double>(tensor1->raw_ptr()[i]) - static_cast<double>(tensor2->raw_ptr()[i]);
    // Written so that NaN counts as a difference.
    if (!(std::abs(difference) <= static_cast<double>(threshold))) return false;
  }
  return true;
}

#define KUIPER_INSTANTIATE_TENSOR_FUNCTIONS(T)                                                                  \
  template stensor<T> TensorClone(const stensor<T>&);                                                           \
  template std::pair<stensor<T>, stensor<T>> TensorBroadcast(const stensor<T>&, const stensor<T>&);             \
  template stensor<T> TensorElementAdd(const stensor<T>&, const stensor<T>&);                                   \
  template void TensorElementAdd(const stensor<T>&, const stensor<T>&, const stensor<T>&);                      \
  template stensor<T> TensorElementMultiply(const stensor<T>&, const stensor<T>&);                              \
  template void TensorElementMultiply(const stensor<T>&, const stensor<T>&, const stensor<T>&);                 \
  template stensor<T> TensorPadding<T>(const stensor<T>&, const std::vector<uint32_t>&, std::common_type_t<T>); \
  template bool TensorIsSame(const stensor<T>&, const stensor<T>&, float);

KUIPER_INSTANTIATE_TENSOR_FUNCTIONS(float)
KUIPER_INSTANTIATE_TENSOR_FUNCTIONS(double)
KUIPER_INSTANTIATE_TENSOR_FUNCTIONS(int32_t)
KUIPER_INSTANTIATE_TENSOR_FUNCTIONS(uint8_t)
#undef KUIPER_INSTANTIATE_TENSOR_FUNCTIONS

}  // namespace kuiper_infer
