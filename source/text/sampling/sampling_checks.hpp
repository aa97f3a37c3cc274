// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/text/sampling.hpp"

namespace kuiper_infer::text {

/// Throws Error(kInput) that names the first option whose value is not possible.
void CheckSamplingOptions(const SamplingOptions& options, int64_t vocabulary);

/// Throws Error(kInput) if the token is outside of the vocabulary. `what` begins the message: "the prompt's token".
void CheckToken(int64_t token, int64_t vocabulary, const char* what);

}  // namespace kuiper_infer::text
