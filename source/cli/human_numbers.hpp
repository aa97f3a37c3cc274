// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kuiper_infer::cli {

/// A count as people read it, with the exact number behind it: "11.7 M (11689512)". Below 10,000 the number
/// alone.
std::string CountText(double count);

/// Bytes as people read them, with the exact number behind it: "44.6 MiB (46758048 bytes)". Below 10,000 the number
/// alone: "512 bytes".
std::string BytesText(int64_t bytes);

}  // namespace kuiper_infer::cli
