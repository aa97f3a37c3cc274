// SPDX-License-Identifier: MIT
#include "runtime/states/state_window.hpp"

#include "operation/binder.hpp"

namespace kuiper_infer {

int64_t WindowInFile(const RuntimeOperator& input) {
  const auto found = input.call->params.find("window");
  if (found == input.call->params.end()) return 0;
  const Value& value = found->second;
  if (!value.Is<int64_t>() || value.Get<int64_t>() < 1) {
    throw Error(ErrorCode::kGraph, "input '" + input.name + "' has window=" + ValueString(value) +
                                       ", expected a number of elements, 1 or more");
  }
  if (input.call->params.count("state") == 0) {
    throw Error(ErrorCode::kGraph, "input '" + input.name + "' has window=" + ValueString(value) +
                                       ", but no state=: only a state can have a window");
  }
  return value.Get<int64_t>();
}

void SetWindow(StatePair& pair, int64_t window, int64_t max_state_length, ErrorCode code) {
  if (window == 0) return;
  const std::string who = "state '" + pair.name + "' has a window of " + std::to_string(window) + " elements";
  if (window < 0) throw Error(code, who + ", expected 1 or more, or 0 to keep all");
  if (!pair.growing) {
    throw Error(code, who + ", but is replaced in each run: only a state that grows can have a window");
  }
  if (max_state_length > 0 && window > max_state_length) {
    throw Error(ErrorCode::kArgument,
                who + ", expected at most max_state_length = " + std::to_string(max_state_length));
  }
  pair.window = window;
}

}  // namespace kuiper_infer
