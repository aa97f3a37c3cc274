// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "operation/composition.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// One row for each way to take an element from each vector.
OperationPlan PlanCartesianProduct(const Arguments& arguments) {
  const std::vector<TensorArgument> vectors = arguments.Tensors("tensors");
  arguments.Require(!vectors.empty(), "there are no arrays, expected at least one");
  Shape extents;
  for (const TensorArgument& vector : vectors) {
    arguments.Require(vector.spec.rank() == 1 && vector.spec.type == vectors.front().spec.type,
                      "found " + SpecString(vector.spec) + ", expected vectors of one type");
    extents.push_back(vector.spec.size());
  }
  Composition composition(arguments);
  if (vectors.size() == 1) return composition.Finish(vectors);
  std::vector<TensorArgument> columns;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    Shape along(vectors.size() + 1, 1);
    along[i] = extents[i];
    Shape full = extents;
    full.push_back(1);
    const TensorArgument column = Reshaped(vectors[i], along);
    columns.push_back(composition.Call("Tensor.expand", {{"input", column}, {"sizes", full}}));
  }
  const auto width = static_cast<int64_t>(vectors.size());
  const TensorArgument all = composition.Call("torch.cat", {{"tensors", columns}, {"dim", width}});
  return composition.Finish({composition.Call("Tensor.reshape", {{"input", all}, {"shape", Shape{-1, width}}})});
}

/// Goes to the next ascending (with repetition: not descending) choice out of 0 .. n - 1; the last one stays.
void NextChoice(std::vector<int64_t>& choice, int64_t n, bool repetition) {
  const auto length = static_cast<int64_t>(choice.size());
  for (int64_t i = length - 1; i >= 0; --i) {
    const int64_t largest = repetition ? n - 1 : n - length + i;
    if (choice[static_cast<std::size_t>(i)] >= largest) continue;
    const int64_t next = choice[static_cast<std::size_t>(i)] + 1;
    for (int64_t k = i; k < length; ++k) choice[static_cast<std::size_t>(k)] = repetition ? next : next + k - i;
    return;
  }
}

/// The number of combinations of r out of n elements. Throws if it is too large to count.
int64_t CountChoices(int64_t n, int64_t r, bool repetition) {
  const int64_t first = repetition ? n : n - r + 1;
  int64_t count = 1;
  for (int64_t i = 0; i < r; ++i) count = ElementCount({count, first + i}) / (i + 1);
  return count;
}

/// All ways to take r elements of a vector, in the order of their positions.
OperationPlan PlanCombinations(const Arguments& arguments) {
  const TensorArgument input = ReadRank(arguments, "input", 1);
  const int64_t r = arguments.Int("r");
  const int64_t n = input.spec.size();
  const bool repetition = arguments.Bool("with_replacement");
  arguments.Require(r >= 0 && r < 64, "r is " + std::to_string(r) + ", expected 0 to 63");
  std::vector<int64_t> choice(static_cast<std::size_t>(r));
  if (!repetition) std::iota(choice.begin(), choice.end(), 0);
  const bool some = r > 0 && n >= (repetition ? 1 : r);
  const int64_t count = some ? CountChoices(n, r, repetition) : 0;
  const NdArray index(RuntimeDataType::kTypeInt64, {ElementCount({count, r})});
  for (int64_t i = 0; i < count; ++i) {
    std::copy(choice.begin(), choice.end(), index.data<int64_t>() + i * r);
    NextChoice(choice, n, repetition);
  }
  Composition composition(arguments);
  const TensorArgument picked =
      composition.Call("torch.index_select", {{"input", input}, {"dim", 0}, {"index", composition.Constant(index)}});
  if (r == 0) return composition.Finish({picked});
  const Shape shape = {picked.spec.size() / r, r};
  return composition.Finish({Reshaped(picked, shape)});
}

/// Matrices along the diagonal of one that is zero elsewhere; vectors count as rows.
OperationPlan PlanBlockDiagonal(const Arguments& arguments) {
  std::vector<TensorArgument> blocks = arguments.Tensors("tensors");
  std::vector<TensorSpec> specs;
  for (const TensorArgument& block : blocks) specs.push_back(block.spec);
  const RuntimeDataType type = Promote(specs);
  Composition composition(arguments);
  int64_t width = 0;
  for (TensorArgument& block : blocks) {
    Shape shape = block.spec.shape;
    arguments.Require(shape.size() <= 2, "found " + ShapeString(shape) + ", expected rank 2 or less");
    shape.insert(shape.begin(), 2 - shape.size(), 1);
    block = composition.Convert(Reshaped(block, shape), type);
    width += shape[1];
  }
  int64_t left = 0;
  for (TensorArgument& block : blocks) {
    const int64_t columns = block.spec.shape[1];
    block = composition.Call("F.pad", {{"input", block}, {"pad", Shape{left, width - left - columns}}});
    left += columns;
  }
  arguments.Require(!blocks.empty(), "there are no arrays, expected at least one");
  return composition.Finish({composition.Call("torch.cat", {{"tensors", blocks}, {"dim", 0}})});
}

/// Plans the powers of each element, as rows.
OperationPlan PlanVandermonde(const Arguments& arguments) {
  const TensorArgument x = ReadRank(arguments, "x", 1);
  const int64_t count = arguments.Has("N") ? arguments.Int("N") : x.spec.size();
  arguments.Require(count >= 0, "N is " + std::to_string(count) + ", expected 0 or more");
  Composition composition(arguments);
  TensorArgument powers = composition.Call("torch.arange", {{"end", count}});
  if (!arguments.Bool("increasing")) powers = composition.Call("torch.flip", {{"input", powers}, {"dims", Shape{0}}});
  return composition.Finish({ApplyFormula(composition, "pow(x, power)", {{"x", AsColumn(x)}, {"power", powers}})});
}

}  // namespace

void RegisterCombination(OperationTable& table) {
  table.Add({"torch.cartesian_prod", "aten::cartesian_prod"}, "Tensor[] tensors", PlanCartesianProduct,
            InputLayout::kRowMajor, Preserves({"tensors"}));
  table.Add({"torch.combinations", "aten::combinations"}, "Tensor input|self, int r=2, bool with_replacement=False",
            PlanCombinations, InputLayout::kRowMajor, Preserves({"input"}));
  table.Add({"torch.block_diag", "aten::block_diag"}, "Tensor[] tensors", PlanBlockDiagonal, InputLayout::kRowMajor,
            Preserves({"tensors"}));
  table.Add({"torch.vander", "aten::vander"}, "Tensor x, int? N=None, bool increasing=False", PlanVandermonde);
}

}  // namespace kuiper_infer
