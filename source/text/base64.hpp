// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kuiper_infer::text {

/// The bytes that a text in Base64 stands for; none if it is not Base64.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace kuiper_infer::text
