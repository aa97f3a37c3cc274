// SPDX-License-Identifier: MIT
#include "operators/linear_algebra/complex_solve.hpp"

#include "operators/linear_algebra/matrix_batch.hpp"

namespace kuiper_infer {
namespace {

struct Parts {
  TensorArgument real;
  TensorArgument imaginary;
};

Parts PartsOf(Composition& composition, const TensorArgument& x) {
  return {composition.Call("torch.real", {{"input", x}}), composition.Call("torch.imag", {{"input", x}})};
}

TensorArgument Join(Composition& composition, const TensorArgument& a, const TensorArgument& b, int axis) {
  return composition.Call("torch.cat", {{"tensors", std::vector<TensorArgument>{a, b}}, {"dim", axis}});
}

TensorArgument Transposed(Composition& composition, const TensorArgument& x) {
  return composition.Call("torch.transpose", {{"input", x}, {"dim0", -2}, {"dim1", -1}});
}

}  // namespace

TensorArgument SolveComplex(const Arguments& arguments, Composition& composition, TensorArgument a, TensorArgument b,
                            bool left) {
  RequireSameType(arguments, a, b);
  const std::string found = "input is " + ShapeString(a.spec.shape);
  arguments.Require(a.spec.rank() >= 2, found + ", expected matrices: rank 2 or more");
  arguments.Require(a.spec.shape.end()[-2] == a.spec.shape.back(), found + ", expected square matrices");
  const int64_t rows = a.spec.shape.back();
  arguments.Require(
      b.spec.shape.end()[left ? -2 : -1] == rows,
      found + " and B is " + ShapeString(b.spec.shape) + ", expected as many " + (left ? "rows" : "columns"));
  if (!left) {
    a = Transposed(composition, a);
    b = Transposed(composition, b);
  }
  // (P + iQ) (X + iY) = R + iS is (P, -Q; Q, P) (X; Y) = (R; S).
  const Parts parts = PartsOf(composition, a);
  const TensorArgument negative = composition.Call("torch.neg", {{"input", parts.imaginary}});
  const TensorArgument matrix = Join(composition, Join(composition, parts.real, negative, -1),
                                     Join(composition, parts.imaginary, parts.real, -1), -2);
  const Parts known = PartsOf(composition, b);
  const std::vector<TensorArgument> factors =
      composition.CallAll("aten::linalg_lu_factor_ex", {{"input", matrix}, {"check_errors", true}}, 3);
  const TensorArgument x = composition.Call(
      "aten::linalg_lu_solve",
      {{"LU", factors[0]}, {"pivots", factors[1]}, {"B", Join(composition, known.real, known.imaginary, -2)}});
  const int64_t axis = x.spec.rank() - 2;
  const TensorArgument solution = composition.Call(
      "torch.complex",
      {{"real", composition.Slice(x, axis, 0, rows)}, {"imag", composition.Slice(x, axis, rows, 2 * rows)}});
  return left ? solution : Transposed(composition, solution);
}

}  // namespace kuiper_infer
