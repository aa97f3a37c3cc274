// SPDX-License-Identifier: MIT
#include "data/mapped_file.hpp"

#include <sys/mman.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer {

std::shared_ptr<const MappedFile> MappedFile::Open(const std::string& path) {
  const std::shared_ptr<MappedFile> mapped(new MappedFile);
  try {
    const File file = File::ToRead(path);  // the mapping keeps what it has mapped when this is closed
    const auto size = static_cast<std::size_t>(file.Size(path));
    void* const start = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), 0) : MAP_FAILED;
    if (start == MAP_FAILED) return nullptr;
    mapped->start_ = start;
    mapped->size_ = size;
  } catch (const Error&) {
    return nullptr;
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace kuiper_infer
