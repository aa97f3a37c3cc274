// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::cli {

/// Makes writing to a closed pipe, or beyond the limit of a file's size, fail instead of ending the program by a
/// signal. Standard files that are closed get a place that refuses all writing, or else the next file that is opened
/// would be taken for one of them.
void PrepareStandardFiles();

/// Writes out what is still buffered. Throws Error(kFile) where anything printed so far could not be written.
void FinishStandardOutput();

}  // namespace kuiper_infer::cli
