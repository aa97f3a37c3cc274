// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace kuiper_infer::cli {

/// A rounded count followed by the exact number: "11.7 M (11689512)". Below 10,000 only the number.
std::string CountText(double count);

/// Rounded bytes followed by the exact number: "44.6 MiB (46758048 bytes)". Below 10,000 only the number: "512 bytes".
std::string BytesText(int64_t bytes);

}  // namespace kuiper_infer::cli
