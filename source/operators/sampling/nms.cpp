// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "operation/parameters.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// Selects boxes (left, top, right, bottom) in descending order of their scores. A box is left out if its intersection
/// with a selected box is more than `threshold` of their union.
template <class T>
std::vector<int64_t> SelectBoxes(int64_t count, const T* boxes, const T* scores, double threshold) {
  std::vector<int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  // PyTorch's order: NaN counts as the largest, equal ones keep their places.
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const T left = scores[a];
    const T right = scores[b];
    return left > right || (left != left && right == right);
  });
  const auto area = [&](int64_t i) {
    return (boxes[4 * i + 2] - boxes[4 * i]) * (boxes[4 * i + 3] - boxes[4 * i + 1]);
  };
  const auto overlap = [&](int64_t i, int64_t j) {
    const T* a = boxes + 4 * i;
    const T* b = boxes + 4 * j;
    const T width = std::max(T(0), std::min(a[2], b[2]) - std::max(a[0], b[0]));
    const T height = std::max(T(0), std::min(a[3], b[3]) - std::max(a[1], b[1]));
    const T common = width * height;
    return common / (area(i) + area(j) - common);
  };
  std::vector<char> dropped(static_cast<std::size_t>(count), 0);
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < count; ++i) {
    if (dropped[i] != 0) continue;
    kept.push_back(order[i]);
    for (int64_t j = i + 1; j < count; ++j) {
      if (dropped[j] == 0 && overlap(order[i], order[j]) > threshold) dropped[j] = 1;
    }
  }
  return kept;
}

OperationPlan PlanNms(const Arguments& arguments) {
  const TensorArgument& boxes = arguments.Tensor("boxes");
  const TensorArgument& scores = arguments.Tensor("scores");
  RequireFloating(arguments, boxes, "boxes");
  arguments.Require(boxes.spec.rank() == 2 && boxes.spec.shape[1] == 4,
                    "boxes are " + ShapeString(boxes.spec.shape) + ", expected shape (boxes,4)");
  const int64_t count = boxes.spec.shape[0];
  const TensorSpec expected(boxes.spec.type, {count});
  arguments.Require(scores.spec.type == expected.type && scores.spec.shape == expected.shape,
                    "scores are " + SpecString(scores.spec) + ", expected " + SpecString(expected));
  const double threshold = arguments.Float("iou_threshold");
  const NdArray corners = boxes.values().Contiguous();
  const NdArray ranks = scores.values().Contiguous();
  const std::vector<int64_t> kept = DispatchFloating(expected.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return SelectBoxes(count, corners.data<T>(), ranks.data<T>(), threshold);
  });
  NdArray result(RuntimeDataType::kTypeInt64, {static_cast<int64_t>(kept.size())});
  std::copy(kept.begin(), kept.end(), result.data<int64_t>());
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(result)};
  return plan;
}

}  // namespace

void RegisterNms(OperationTable& table) {
  table.Add({"torchvision.ops.nms", "pnnx.custom_op.torchvision.nms"},
            "Tensor boxes|dets|arg_0, Tensor scores|arg_1, float iou_threshold|arg_2", PlanNms, InputLayout::kRowMajor,
            OperationKind::kDataDependent);
}

}  // namespace kuiper_infer
