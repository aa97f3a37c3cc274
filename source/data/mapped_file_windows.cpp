// SPDX-License-Identifier: MIT
#include <io.h>
#include <windows.h>

#include "data/mapped_file.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer {

std::shared_ptr<const MappedFile> MappedFile::Open(const std::string& path) {
  const std::shared_ptr<MappedFile> mapped(new MappedFile);
  try {
    const File file = File::ToRead(path);  // the view keeps file and mapping when both are closed
    const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(file.descriptor()));
    const HANDLE mapping = CreateFileMappingW(handle, nullptr, PAGE_READONLY, 0, 0, nullptr);  // none of an empty file
    if (mapping == nullptr) return nullptr;
    mapped->start_ = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(mapping);
    if (mapped->start_ == nullptr) return nullptr;
    mapped->size_ = static_cast<std::size_t>(file.Size(path));
  } catch (const Error&) {
    return nullptr;
  }
  return mapped;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) UnmapViewOfFile(start_);
}

}  // namespace kuiper_infer
