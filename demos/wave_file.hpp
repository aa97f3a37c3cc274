// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace demos {

/// A mono sound.
struct Sound {
  int sampling_rate = 0;       ///< samples in a second
  std::vector<float> samples;  ///< from -1 to 1
};

/// Parses a RIFF WAVE file with 16-bit PCM samples of one channel. Throws std::runtime_error that names the fault; no
/// size in the file is believed. If the file ends early, the samples that it has are returned, because programs that
/// record to a pipe cannot know the length when they write the header.
Sound ParseWave(const std::vector<uint8_t>& bytes);

/// Reads a file and parses it as ParseWave does; errors name it.
Sound ReadWave(const std::string& path);

}  // namespace demos
