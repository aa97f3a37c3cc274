// SPDX-License-Identifier: MIT
#include "operators/indexing/index_numbers.hpp"

#include <utility>

#include "operators/indexing/index_text.hpp"

namespace kuiper_infer {
namespace {

IndexNumbers Known(std::vector<int64_t> numbers, const Shape& shape) {
  IndexNumbers known;
  known.spec = TensorSpec(RuntimeDataType::kTypeInt64, shape);
  known.known = std::make_shared<const std::vector<int64_t>>(std::move(numbers));
  return known;
}

}  // namespace

ConstArrayView IndexNumbers::View(const RunContext& context) const {
  return {known != nullptr ? static_cast<const void*>(known->data()) : context.inputs[input].data, spec};
}

std::vector<Argument> ReadIndexItems(const Arguments& arguments, const char* name) {
  const Argument& given = arguments.Get(name);
  if (given.list() != nullptr) return *given.list();
  if (given.tensor() != nullptr) return {given};
  std::vector<Argument> items;
  if (given.none()) return items;
  Value value = *given.known();
  if (value.Is<std::string>()) value = ParseIndexText(value.Get<std::string>());
  if (!value.Is<Value::List>()) return {Argument{value}};
  for (const Value& item : value.Get<Value::List>()) items.push_back(Argument{item});
  return items;
}

IndexNumbers KnownNumbers(const NdArray& array) {
  const NdArray numbers = array.To(RuntimeDataType::kTypeInt64).Contiguous();
  const auto* first = numbers.data<int64_t>();
  return Known({first, first + numbers.size()}, numbers.shape());
}

std::vector<IndexNumbers> MaskPositions(const NdArray& mask) {
  const NdArray flags = mask.Contiguous();
  std::vector<std::vector<int64_t>> positions(mask.shape().size());
  for (int64_t i = 0; i < flags.size(); ++i) {
    if (!flags.data<bool>()[i]) continue;
    int64_t rest = i;
    for (std::size_t k = positions.size(); k-- > 0;) {
      positions[k].push_back(rest % mask.shape()[k]);
      rest /= mask.shape()[k];
    }
  }
  std::vector<IndexNumbers> numbers;
  for (std::vector<int64_t>& along : positions) {
    const Shape shape{static_cast<int64_t>(along.size())};
    numbers.push_back(Known(std::move(along), shape));
  }
  return numbers;
}

}  // namespace kuiper_infer
