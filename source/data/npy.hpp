// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// Reads a NumPy .npy file (format versions 1 to 3, C or Fortran order, little-endian; float16/32/64, int8 to int64,
/// uint8, bool, complex64/128). Throws Error(kFile) naming the file and what is wrong with it.
NdArray ReadNpy(const std::string& path);

/// Reads the bytes of a NumPy .npy file as ReadNpy does; `name` stands for the file in messages.
NdArray ParseNpy(const void* bytes, std::size_t size, const std::string& name);

/// Writes a NumPy .npy file of version 1.0 in C order. Throws Error(kFile).
void WriteNpy(const std::string& path, const NdArray& array);

}  // namespace kuiper_infer
