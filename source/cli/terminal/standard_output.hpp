// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::cli {

/// Makes writing to a closed pipe, or beyond the limit of a file's size, fail instead of ending the program by a
/// signal. A standard file that is closed is replaced by one that refuses all writing; otherwise the next file that the
/// program opens would get its number.
void PrepareStandardFiles();

/// Writes what is still buffered. Throws Error(kFile) if anything printed so far could not be written.
void FinishStandardOutput();

}  // namespace kuiper_infer::cli
