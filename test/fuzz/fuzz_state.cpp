// SPDX-License-Identifier: MIT
// Fuzzes files of states behind a valid header and with a valid checksum: of a state that is replaced, one that grows,
// two that a session keeps as bfloat16 and in int8, and one with a window.
#include <string>

#include "data/checksum.hpp"
#include "data/little_endian.hpp"
#include "fuzz/memory_file.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/states/session_states.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace kuiper_infer;
  ModelStates like;
  like.pairs.resize(5);
  like.pairs[0].name = "h";
  like.pairs[1].name = "k";
  like.pairs[1].growing = GrowingInput{1, 1, nullptr};
  like.pairs[2].name = "v";
  like.pairs[2].type = RuntimeDataType::kTypeFloat32;
  like.pairs[2].growing = GrowingInput{2, 0, nullptr, RuntimeDataType::kTypeBFloat16};
  like.pairs[3].name = "w";
  like.pairs[3].growing = GrowingInput{3, 1, nullptr};
  like.pairs[3].window = 2;
  like.pairs[4].name = "u";
  like.pairs[4].type = RuntimeDataType::kTypeFloat32;
  like.pairs[4].growing = GrowingInput{4, 0, nullptr, RuntimeDataType::kTypeInt8};
  FieldWriter file;
  file.Text("KUISTATE").U32(1).U32(6).Text("origin").Text({reinterpret_cast<const char*>(data), size});
  const std::string bytes = file.bytes() + FieldWriter().U32(Crc32(file.bytes().data(), file.bytes().size())).bytes();
  const MemoryFile memory(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  try {
    const SessionStates states = LoadStates(like, "origin", memory.path());
    for (const SessionStates::Entry& entry : states.entries()) {
      if (entry.set()) entry.View().Clone();
      if (entry.growing) entry.growing->Clone();
    }
  } catch (const Error&) {  // what a faulty file gives
  }
  return 0;
}
