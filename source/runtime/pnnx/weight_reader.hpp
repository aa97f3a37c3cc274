// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/byte_source.hpp"
#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// When the bytes of large weights are read.
enum class WeightReading {
  kNow,
  kWhenNeeded,  ///< Attribute::stored has their place; the source stays open
};

/// Fills the attributes of a graph from the archive that holds its weights. Returns a text that identifies the archive:
/// its entries with their checksums. The k-th use of a name in the graph is the k-th entry of that name. Throws
/// Error(kFile) if the archive or an entry is damaged or missing, or if an entry does not fit the attribute. Throws
/// Error(kResource) if the weights have more than `most_bytes` (0: no limit), before they are read. With
/// kWhenNeeded, damage to a large weight is found when the weight is read.
std::string ReadWeights(pnnx::Graph& graph, std::shared_ptr<const ByteSource> archive, int64_t most_bytes,
                        WeightReading reading);

}  // namespace kuiper_infer
