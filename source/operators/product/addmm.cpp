// SPDX-License-Identifier: MIT
#include "kernel/product/matmul.hpp"
#include "operators/product/matrix_product.hpp"
#include "operators/product/weight_product.hpp"

namespace kuiper_infer {
namespace {

/// Plans beta * input + alpha * a @ b.
OperationPlan PlanSum(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b,
                      const TensorArgument& input, const Shape& shape) {
  return PlanMatrixProduct(arguments, a, b, &input, arguments.Float("alpha"), arguments.Float("beta"), shape);
}

OperationPlan PlanAddmm(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "mat1", 2);
  const TensorArgument b = ReadRank(arguments, "mat2", 2);
  const TensorArgument& input = arguments.Tensor("input");
  const Shape shape{a.spec.shape[0], b.spec.shape[1]};
  const bool plain = arguments.Float("alpha") == 1 && arguments.Float("beta") == 1;
  if (plain && a.spec.shape[1] == b.spec.shape[0] && SuitsWeightProduct(a, &input, shape) &&
      CanPack(arguments.context(), b)) {
    return PlanWeightProduct(a, b, kernel::Arrangement::kMatrix, &input, shape, arguments.context());
  }
  return PlanSum(arguments, a, b, input, shape);
}

OperationPlan PlanBaddbmm(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "batch1", 3);
  const TensorArgument b = ReadRank(arguments, "batch2", 3);
  CheckBatches(arguments, a, b);
  return PlanSum(arguments, a, b, arguments.Tensor("input"), {a.spec.shape[0], a.spec.shape[1], b.spec.shape[2]});
}

/// Plans addmv: the product is a column, and `input` too unless it is a single number.
OperationPlan PlanAddmv(const Arguments& arguments) {
  const TensorArgument matrix = ReadRank(arguments, "mat", 2);
  const TensorArgument vector = ReadRank(arguments, "vec", 1);
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(input.spec.rank() <= 1, "input is " + ShapeString(input.spec.shape) + ", expected rank 1");
  return PlanSum(arguments, matrix, AsColumn(vector), input.spec.rank() == 1 ? AsColumn(input) : input,
                 {matrix.spec.shape[0]});
}

OperationPlan PlanAddr(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "vec1", 1);
  const TensorArgument b = ReadRank(arguments, "vec2", 1);
  return PlanSum(arguments, AsColumn(a), AsRow(b), arguments.Tensor("input"), {a.spec.shape[0], b.spec.shape[0]});
}

/// Plans addbmm, baddbmm summed over the batch: the products are added up in the output, one after the other.
OperationPlan PlanAddbmm(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "batch1", 3);
  const TensorArgument b = ReadRank(arguments, "batch2", 3);
  CheckBatches(arguments, a, b);
  const int64_t count = a.spec.shape[0];
  const auto matrix = [](const TensorArgument& batch, int64_t rows, int64_t columns) {
    return AsStrided(batch, {rows, columns}, {batch.spec.shape[2], 1});
  };
  // An empty batch adds a product of no depth.
  const TensorArgument first = matrix(a, a.spec.shape[1], count == 0 ? 0 : a.spec.shape[2]);
  const TensorArgument second = matrix(b, count == 0 ? 0 : b.spec.shape[1], b.spec.shape[2]);
  OperationPlan plan = PlanSum(arguments, first, second, arguments.Tensor("input"), {a.spec.shape[1], b.spec.shape[2]});
  plan.multiply_adds *= static_cast<double>(count);
  const double alpha = arguments.Float("alpha");
  plan.run = [single = plan.run, first, second, count, alpha](const RunContext& c) {
    single(c);
    const auto matrix_at = [&](const TensorArgument& argument, int64_t index) {
      const int64_t bytes = ByteCount(argument.spec.type, argument.spec.shape);
      return ConstArrayView{c.inputs[argument.input].as<char>() + index * bytes, argument.spec};
    };
    for (int64_t i = 1; i < count; ++i) {
      kernel::BatchedMatmul(alpha, matrix_at(first, i), matrix_at(second, i), 1.0, c.outputs[0]);
    }
  };
  return plan;
}

}  // namespace

void RegisterAddmm(OperationTable& table) {
  const auto add = [&](const char* name, const char* arguments, const PlanFunction& plan,
                       InputLayout layout = InputLayout::kStrided) {
    const std::string text = name;
    table.Add({"torch." + text, "Tensor." + text, "aten::" + text},
              "Tensor input|self, " + std::string(arguments) + ", Scalar beta=1, Scalar alpha=1", plan, layout);
  };
  add("addmm", "Tensor mat1, Tensor mat2", PlanAddmm);
  add("baddbmm", "Tensor batch1, Tensor batch2", PlanBaddbmm);
  add("addmv", "Tensor mat, Tensor vec", PlanAddmv);
  add("addr", "Tensor vec1, Tensor vec2", PlanAddr);
  add("addbmm", "Tensor batch1, Tensor batch2", PlanAddbmm, InputLayout::kRowMajor);
}

}  // namespace kuiper_infer
