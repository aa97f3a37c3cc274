// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace demos {

/// The words of a text as BERT's uncased models see them: lower case, without accents and control characters, divided
/// at white space; each punctuation mark and each Chinese character is a word. Bytes that are not UTF-8 are left out.
std::vector<std::string> BasicWords(std::string_view text);

}  // namespace demos
