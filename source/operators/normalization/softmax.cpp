// SPDX-License-Identifier: MIT
#include "kernel/normalization/softmax.hpp"

#include "kernel/movement/copy.hpp"
#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

using kernel::SoftmaxKind;

/// The axis that PyTorch chooses if a model names none.
int64_t ImplicitAxis(int64_t rank) { return rank == 0 || rank == 1 || rank == 3 ? 0 : 1; }

template <SoftmaxKind kKind>
OperationPlan PlanSoftmax(const Arguments& arguments) {
  const TensorArgument x = arguments.Tensor("input");
  const Shape& shape = x.spec.shape;
  const int64_t rank = x.spec.rank();
  const int64_t axis = arguments.Has("dim") ? arguments.Axis("dim", rank) : ImplicitAxis(rank);
  const RuntimeDataType type = AskedFloatingType(arguments, x.spec.type);
  if (type == x.spec.type) RequireFloating(arguments, x);
  arguments.Require(type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeFloat64,
                    std::string("dtype is ") + TypeName(type) + ", expected float32 or float64");
  AxisGeometry geometry;
  if (rank > 0) {
    geometry.outer = ElementCount(Shape(shape.begin(), shape.begin() + axis));
    geometry.extent = shape[axis];
    geometry.inner = ElementCount(Shape(shape.begin() + axis + 1, shape.end()));
  }
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  plan.run = [geometry, type, input = x.input](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* output = c.outputs[0].as<T>();
      const bool convert = c.inputs[input].type() != type;
      if (convert) kernel::Copy(c.inputs[input], c.outputs[0]);
      kernel::Softmax(kKind, geometry, convert ? output : c.inputs[input].as<T>(), output);
    });
  };
  return plan;
}

}  // namespace

void RegisterSoftmax(OperationTable& table) {
  const std::string schema = "Tensor input|self, int? dim=None, dtype? dtype=None";
  const std::string raw = "Tensor input|self, int dim, bool half_to_float=False, dtype? dtype=None";
  table.Add({"nn.Softmax", "F.softmax", "torch.softmax", "aten::softmax", "aten::special_softmax"}, schema,
            PlanSoftmax<SoftmaxKind::kSoftmax>);
  table.Add({"nn.Softmax2d"}, "Tensor input, int dim=-3, dtype? dtype=None", PlanSoftmax<SoftmaxKind::kSoftmax>);
  table.Add({"nn.LogSoftmax", "F.log_softmax", "torch.log_softmax", "aten::log_softmax", "aten::special_log_softmax"},
            schema, PlanSoftmax<SoftmaxKind::kLogSoftmax>);
  table.Add({"nn.Softmin", "F.softmin"}, schema, PlanSoftmax<SoftmaxKind::kSoftmin>);
  table.Add({"aten::_softmax"}, raw, PlanSoftmax<SoftmaxKind::kSoftmax>);
  table.Add({"aten::_log_softmax"}, raw, PlanSoftmax<SoftmaxKind::kLogSoftmax>);
}

}  // namespace kuiper_infer
