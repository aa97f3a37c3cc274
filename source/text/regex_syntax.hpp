// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace kuiper_infer::text {

/// Whether PCRE2 knows a script of that name.
bool IsScript(const std::string& name);

/// Rewrites a pattern of Oniguruma for PCRE2: what both write alike but mean differently gets PCRE2's name. Throws
/// Error(kUnsupported) that begins with `place` for what PCRE2 cannot express.
std::string PatternForPcre2(std::string_view pattern, const std::string& place);

}  // namespace kuiper_infer::text
