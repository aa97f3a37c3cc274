// SPDX-License-Identifier: MIT
#include "kernel/pooling/max_unpool.hpp"

#include "operation/parameters.hpp"
#include "shape/window.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

/// The extents from which kernel, stride and padding make the pooled ones.
Shape DefaultExtents(const Arguments& arguments, const SpatialInput& spatial, const std::vector<int64_t>& stride) {
  const auto axes = static_cast<int64_t>(spatial.image.size());
  const std::vector<int64_t> kernel = arguments.Ints("kernel_size", axes);
  const std::vector<int64_t> padding = arguments.Ints("padding", axes);
  Shape extents;
  for (int64_t axis = 0; axis < axes; ++axis) {
    const Window window{kernel[axis], stride[axis], padding[axis], padding[axis], 1};
    extents.push_back(TransposedExtent(spatial.image[axis], window, 0));
  }
  return extents;
}

/// The extents of the output's image: output_size, whose batch and channels are left out of account, or the default.
Shape ReadExtents(const Arguments& arguments, const SpatialInput& spatial) {
  const auto axes = static_cast<int64_t>(spatial.image.size());
  if (!arguments.Has("kernel_size")) return arguments.Ints("output_size", axes);
  const bool strided = arguments.Has("stride") && !arguments.Ints("stride").empty();
  const std::vector<int64_t> stride = arguments.Ints(strided ? "stride" : "kernel_size", axes);
  const Shape expected = DefaultExtents(arguments, spatial, stride);
  if (!arguments.Has("output_size") || arguments.Ints("output_size").empty()) return expected;
  Shape extents = arguments.Ints("output_size");
  const auto given = static_cast<int64_t>(extents.size());
  arguments.Require(given >= axes && given <= axes + 2,
                    "output_size is " + NumbersString(extents) + ", expected " + std::to_string(axes) + " extents");
  extents.erase(extents.begin(), extents.end() - axes);
  for (int64_t axis = 0; axis < axes; ++axis) {
    const int64_t difference = extents[axis] - expected[axis];
    arguments.Require(-stride[axis] < difference && difference < stride[axis],
                      "output_size is " + NumbersString(extents) + ", expected less than the stride " +
                          NumbersString(stride) + " from " + NumbersString(expected));
  }
  return extents;
}

template <int64_t kDimensions>
OperationPlan PlanMaxUnpool(const Arguments& arguments) {
  const SpatialInput spatial = ReadSpatialInput(arguments, kDimensions);
  const TensorArgument& indices = arguments.Tensor("indices");
  const TensorSpec expected(RuntimeDataType::kTypeInt64, spatial.input.spec.shape);
  arguments.Require(indices.spec.type == expected.type && indices.spec.shape == expected.shape,
                    "indices are " + SpecString(indices.spec) + ", expected " + SpecString(expected));
  RequireFloating(arguments, spatial.input);
  const Shape extents = ReadExtents(arguments, spatial);
  for (const int64_t extent : extents) {
    arguments.Require(extent >= 0, "output_size is " + NumbersString(extents) + ", expected extents of at least 0");
  }
  const int64_t size = ElementCount(extents);
  const int64_t count = ElementCount(spatial.image);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(spatial.type(), spatial.OutputShape(extents))};
  plan.run = [planes = spatial.planes, count, size, type = spatial.type(), input = spatial.input.input,
              index = indices.input](const RunContext& c) {
    if (kernel::MaxUnpool(planes, count, size, ElementBytes(type), c.inputs[input].data, c.inputs[index].as<int64_t>(),
                          c.outputs[0].data)) {
      return;
    }
    throw Error(ErrorCode::kInput, "an index is out of range, expected 0 to " + std::to_string(size - 1));
  };
  return plan;
}

}  // namespace

void RegisterMaxUnpool(OperationTable& table) {
  const OutputValues moved = Preserves({"input"});
  const std::string arrays = "Tensor input|self, Tensor indices, ";
  const std::string windows = "int[] kernel_size, int[]? stride=None, int[] padding=0, int[]? output_size=None";
  table.Add({"nn.MaxUnpool1d", "F.max_unpool1d"}, arrays + windows, PlanMaxUnpool<1>, InputLayout::kRowMajor, moved);
  table.Add({"nn.MaxUnpool2d", "F.max_unpool2d"}, arrays + windows, PlanMaxUnpool<2>, InputLayout::kRowMajor, moved);
  table.Add({"nn.MaxUnpool3d", "F.max_unpool3d"}, arrays + windows, PlanMaxUnpool<3>, InputLayout::kRowMajor, moved);
  // The raw operators have the extents worked out already.
  table.Add({"aten::max_unpool2d"}, arrays + "int[2] output_size, int[]? kernel_size=None", PlanMaxUnpool<2>,
            InputLayout::kRowMajor, moved);
  table.Add({"aten::max_unpool3d"},
            arrays + "int[3] output_size, int[3] stride=1, int[3] padding=0, int[]? kernel_size=None", PlanMaxUnpool<3>,
            InputLayout::kRowMajor, moved);
}

}  // namespace kuiper_infer
