// SPDX-License-Identifier: MIT
#include "data/mapped_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/stat.h>

namespace kuiper_infer {

std::shared_ptr<const MappedFile> MappedFile::Open(const std::string& path) {
  const std::shared_ptr<MappedFile> mapped(new MappedFile);  // made first: it ends the mapping, whatever fails
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status {};
  const bool fits = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  const std::size_t size = fits ? static_cast<std::size_t>(status.st_size) : 0;
  void* const start = fits ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);  // the mapping keeps the file
  if (start == MAP_FAILED) return nullptr;
  mapped->start_ = start;
  mapped->size_ = size;
  return mapped;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace kuiper_infer
