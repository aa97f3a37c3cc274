// SPDX-License-Identifier: MIT
#include "model_inputs.hpp"

#include "arrays.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::python {

BorrowedArrays BorrowInputs(const Model& model, const nb::sequence& given) {
  BorrowedArrays borrowed;
  for (const nb::handle& object : given) {
    const std::size_t index = borrowed.arrays().size();
    if (index == model.inputs().size())
      throw Error(ErrorCode::kInput, "there are more arrays than the model's " + std::to_string(index) + " inputs");
    borrowed.Add(object, [&] { return std::string("input '") + Text(model.inputs()[index].name).c_str() + "'"; });
  }
  return borrowed;
}

std::map<std::string, NdArray> NamedInputs(const Model& model, const BorrowedArrays& borrowed) {
  std::map<std::string, NdArray> named;
  for (std::size_t i = 0; i < borrowed.arrays().size(); ++i) named[model.inputs()[i].name] = borrowed.arrays()[i];
  return named;
}

}  // namespace kuiper_infer::python
