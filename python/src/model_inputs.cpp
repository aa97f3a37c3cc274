// SPDX-License-Identifier: MIT
#include "model_inputs.hpp"

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {

BorrowedArrays BorrowInputs(const Model& model, const nb::sequence& given) {
  BorrowedArrays borrowed;
  for (const nb::handle& object : given) {
    const std::size_t index = borrowed.arrays().size();
    if (index == model.inputs().size()) throw Error(ErrorCode::kInput, "there are more arrays than inputs");
    borrowed.Add(object, "input '" + model.inputs()[index].name + "'");
  }
  return borrowed;
}

}  // namespace kuiper_infer::python
