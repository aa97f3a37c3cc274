// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// The text as content, or an attribute's value, of an XML document: markup becomes entities, control characters become
/// blanks, and bytes that are not UTF-8 become question marks.
std::string XmlText(const std::string& text);

}  // namespace kuiper_infer
