// SPDX-License-Identifier: MIT
#pragma once

#include "layer/abstract/arguments.hpp"

namespace kuiper_infer {

/// Calls `function`, a rule about shapes whose errors don't know the operator, and adds the operator's name to them.
template <class Function>
auto WithOperatorName(const Arguments& arguments, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    arguments.Fail(error.code(), error.what());
  }
}

}  // namespace kuiper_infer
