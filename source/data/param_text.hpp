// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

/// The value as .param files write it: None, True, 3, 1.000000e-5, same, (1,2), (a,b), 1.0e+00+-9.0e-01j. A number with
/// a point has the fewest digits that read back as the same float.
std::string ParamText(const Value& value);

}  // namespace kuiper_infer
