// SPDX-License-Identifier: MIT
#include "operators/creation/creation.hpp"

#include <algorithm>
#include <string>

#include "operation/parameters.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// An array of one number, which is in memory once and read at every place.
NdArray Filled(const Arguments& arguments, const Shape& shape, const Value& number, RuntimeDataType type) {
  for (const int64_t extent : shape) {
    arguments.Require(extent >= 0, "size is " + NumbersString(shape) + ", expected no negative extents");
  }
  return ArrayFromNumber(number).To(type).AsStrided(shape, Strides(shape.size(), 0));
}

/// The element type of an array that is filled with a number, if the model names no type: bool, int64, the default
/// floating type or complex64, after the number's kind.
RuntimeDataType TypeOfNumber(const Value& number) {
  if (number.Is<bool>()) return RuntimeDataType::kTypeBool;
  if (number.Is<int64_t>()) return RuntimeDataType::kTypeInt64;
  return number.Is<double>() ? kDefaultType : RuntimeDataType::kTypeComplex64;
}

/// Plans torch.zeros (0) and torch.ones (1). The contents of torch.empty are undefined; here they are zeros.
template <int kNumber>
OperationPlan PlanConstant(const Arguments& arguments) {
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), kNumber, TypeOr(arguments, kDefaultType)));
}

/// Plans a single number, which is floating unless an element type is given.
OperationPlan PlanScalarTensor(const Arguments& arguments) {
  return PlanKnown(Filled(arguments, {}, arguments.Number("s"), TypeOr(arguments, kDefaultType)));
}

OperationPlan PlanFull(const Arguments& arguments) {
  const Value number = arguments.Number("fill_value");
  const RuntimeDataType type = TypeOr(arguments, TypeOfNumber(number));
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), number, type));
}

/// Plans zeros_like (0) and ones_like (1).
template <int kNumber>
OperationPlan PlanConstantLike(const Arguments& arguments) {
  const TensorSpec& like = arguments.Tensor("input").spec;
  return PlanKnown(Filled(arguments, like.shape, kNumber, TypeOr(arguments, like.type)));
}

OperationPlan PlanFullLike(const Arguments& arguments) {
  const TensorSpec& like = arguments.Tensor("input").spec;
  return PlanKnown(Filled(arguments, like.shape, arguments.Number("fill_value"), TypeOr(arguments, like.type)));
}

/// Plans new_zeros (0) and new_ones (1), of the element type of another array.
template <int kNumber>
OperationPlan PlanNew(const Arguments& arguments) {
  const RuntimeDataType type = TypeOr(arguments, arguments.Tensor("input").spec.type);
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), kNumber, type));
}

OperationPlan PlanNewFull(const Arguments& arguments) {
  const RuntimeDataType type = TypeOr(arguments, arguments.Tensor("input").spec.type);
  return PlanKnown(Filled(arguments, IntsOrEmpty(arguments, "size"), arguments.Number("fill_value"), type));
}

/// Plans a matrix with ones on the diagonal.
OperationPlan PlanEye(const Arguments& arguments) {
  const int64_t rows = arguments.Int("n");
  const int64_t columns = arguments.Has("m") ? arguments.Int("m") : rows;
  arguments.Require(rows >= 0 && columns >= 0,
                    "n and m are " + NumbersString({rows, columns}) + ", expected no negative");
  NdArray eye(RuntimeDataType::kTypeFloat32, {rows, columns});
  std::fill_n(eye.data<float>(), eye.size(), 0.0F);
  for (int64_t i = 0; i < std::min(rows, columns); ++i) eye.data<float>()[i * columns + i] = 1;
  return PlanKnown(eye.To(TypeOr(arguments, kDefaultType)));
}

}  // namespace

void RegisterCreation(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const std::string rest(kCreationOptions);
  const std::string sized = "int[]? size=None" + rest;
  const std::string like = "Tensor input|self" + rest;
  const std::string sized_like = "Tensor input|self, int[]? size=None" + rest;
  table.Add({"torch.zeros", "torch.empty", "aten::zeros", "aten::empty"}, sized, PlanConstant<0>, strided);
  table.Add({"torch.ones", "aten::ones"}, sized, PlanConstant<1>, strided);
  table.Add({"torch.full", "aten::full"}, "int[]? size=None, Scalar fill_value" + rest, PlanFull, strided);
  table.Add({"torch.zeros_like", "torch.empty_like", "aten::zeros_like", "aten::empty_like", "aten::zero"}, like,
            PlanConstantLike<0>, strided);
  table.Add({"torch.ones_like", "aten::ones_like"}, like, PlanConstantLike<1>, strided);
  table.Add({"torch.full_like", "aten::full_like"}, "Tensor input|self, Scalar fill_value" + rest, PlanFullLike,
            strided);
  table.Add({"Tensor.new_zeros", "Tensor.new_empty", "aten::new_zeros", "aten::new_empty"}, sized_like, PlanNew<0>,
            strided);
  table.Add({"Tensor.new_ones", "aten::new_ones"}, sized_like, PlanNew<1>, strided);
  table.Add({"Tensor.new_full", "aten::new_full"}, "Tensor input|self, int[]? size=None, Scalar fill_value" + rest,
            PlanNewFull, strided);
  table.Add({"torch.scalar_tensor", "aten::scalar_tensor"}, "Scalar s" + rest, PlanScalarTensor, strided);
  // Strides and the order of axes in memory concern only memory: the contents are zeros.
  table.Add({"aten::empty_strided"}, "int[]? size=None, int[]? stride=None" + rest, PlanConstant<0>, strided);
  table.Add({"aten::empty_permuted"}, "int[]? size=None, int[]? physical_layout=None" + rest, PlanConstant<0>, strided);
  table.Add({"aten::new_empty_strided"}, "Tensor input|self, int[]? size=None, int[]? stride=None" + rest, PlanNew<0>,
            strided);
  table.Add({"torch.eye"}, "int n, int m" + rest, PlanEye);
  table.Add({"torch.eye"}, "int n" + rest, PlanEye);
  // PyTorch's overloads: both end in dtype, layout, device and pin_memory. A dtype may be an integer, as m is.
  const std::string options = ", dtype? dtype, any? layout, any? device, any? pin_memory";
  table.Add({"aten::eye"}, "int n" + options, PlanEye);
  table.Add({"aten::eye"}, "int n, int m" + rest, PlanEye);
  table.Add({"aten::eye"}, "int n" + rest, PlanEye);
}

}  // namespace kuiper_infer
