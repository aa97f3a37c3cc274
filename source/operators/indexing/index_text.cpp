// SPDX-License-Identifier: MIT
#include "operators/indexing/index_text.hpp"

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

/// The deepest nesting of brackets. A file with more levels than an array can have axes is broken.
constexpr int kDeepest = 64;

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Value Run() {
    Value value = Item(0);
    Skip();
    if (at_ != text_.size()) Fail("the end");
    return value;
  }

 private:
  [[noreturn]] void Fail(const std::string& expected) const {
    throw Error(ErrorCode::kArgument,
                "index list '" + text_ + "' column " + std::to_string(at_ + 1) + ": expected " + expected);
  }

  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool Take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  Value Item(int depth) {
    Skip();
    if (depth > kDeepest) Fail("less brackets");
    if (Take("[")) return List(depth);
    if (Take("None")) return {};
    if (Take("True")) return true;
    if (Take("False")) return false;
    const char* start = text_.c_str() + at_;
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(start, &end, 10);
    if (end == start || errno != 0) Fail("None, True, False, an integer or '['");
    at_ += static_cast<std::size_t>(end - start);
    return static_cast<int64_t>(number);
  }

  Value List(int depth) {
    Value::List items;
    Skip();
    if (Take("]")) return items;
    while (true) {
      items.push_back(Item(depth + 1));
      Skip();
      if (Take("]")) return items;
      if (!Take(",")) Fail("',' or ']'");
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

/// Appends the numbers of a nested list and checks that its lists fit `shape`, which grows on the way to the first
/// number.
void Flatten(const Value& value, std::size_t level, bool first, Shape& shape, std::vector<int64_t>& numbers,
             bool& all_bool) {
  if (value.Is<Value::List>()) {
    const auto& items = value.Get<Value::List>();
    const auto count = static_cast<int64_t>(items.size());
    if (first && level == shape.size()) shape.push_back(count);
    if (level >= shape.size() || shape[level] != count) {
      throw Error(ErrorCode::kArgument, "index list " + ValueString(value) + " does not fit the lists before it");
    }
    for (std::size_t i = 0; i < items.size(); ++i)
      Flatten(items[i], level + 1, first && i == 0, shape, numbers, all_bool);
    return;
  }
  const bool flag = value.Is<bool>();
  if (level != shape.size() || (!flag && !value.Is<int64_t>())) {
    throw Error(ErrorCode::kArgument, "found " + ValueString(value) + " among indices, expected an integer or a bool");
  }
  all_bool = all_bool && flag;
  numbers.push_back(flag ? (value.Get<bool>() ? 1 : 0) : value.Get<int64_t>());
}

}  // namespace

Value ParseIndexText(const std::string& text) { return Parser(text).Run(); }

NdArray IndexArray(const Value& value) {
  Shape shape;
  std::vector<int64_t> numbers;
  bool all_bool = true;
  Flatten(value, 0, true, shape, numbers, all_bool);
  NdArray array(RuntimeDataType::kTypeInt64, shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) array.data<int64_t>()[i] = numbers[i];
  return all_bool && !numbers.empty() ? array.To(RuntimeDataType::kTypeBool) : array;
}

}  // namespace kuiper_infer
