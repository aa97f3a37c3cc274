// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/store_zip.hpp"

#include <new>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/zip_archive.hpp"
#include "runtime/pnnx/zip_writer.hpp"

namespace kuiper_infer {
namespace {

/// Calls `work`. 0 on success; otherwise `error` tells why. Lack of memory is no fault of the file and passes through.
template <class Work>
int Reporting(std::string& error, const Work& work) {
  try {
    work();
    return 0;
  } catch (const Error& fault) {
    error = fault.what();
    return -1;
  }
}

}  // namespace

struct StoreZipReader::Impl {
  std::unique_ptr<ZipArchive> archive;
  std::string error;

  const ZipEntry* Find(const std::string& name, std::size_t occurrence) const {
    return archive == nullptr ? nullptr : archive->Find(name, occurrence);
  }
};

StoreZipReader::StoreZipReader() : impl_(std::make_unique<Impl>()) {}

StoreZipReader::~StoreZipReader() = default;

int StoreZipReader::open(const std::string& path) {
  close();
  return Reporting(impl_->error, [&] { impl_->archive = std::make_unique<ZipArchive>(ByteSource::OpenFile(path)); });
}

int StoreZipReader::open_memory(std::string_view bytes) {
  close();
  return Reporting(impl_->error, [&] {
    impl_->archive = std::make_unique<ZipArchive>(ByteSource::OfMemory(bytes, "the archive in memory"));
  });
}

uint64_t StoreZipReader::get_file_size(const std::string& name, std::size_t occurrence) const {
  const ZipEntry* entry = impl_->Find(name, occurrence);
  return entry == nullptr ? 0 : entry->size;
}

bool StoreZipReader::has_file(const std::string& name, std::size_t occurrence) const {
  return impl_->Find(name, occurrence) != nullptr;
}

int StoreZipReader::read_file(const std::string& name, char* data, std::size_t occurrence) {
  return Reporting(impl_->error, [&] {
    const ZipEntry* entry = impl_->Find(name, occurrence);
    if (entry == nullptr) throw Error(ErrorCode::kFile, "the archive has no entry '" + name + "'");
    impl_->archive->Read(*entry, data);
  });
}

int StoreZipReader::close() {
  impl_->archive.reset();
  return 0;
}

std::vector<std::string> StoreZipReader::names() const {
  std::vector<std::string> names;
  if (impl_->archive == nullptr) return names;
  for (const ZipEntry& entry : impl_->archive->entries()) names.push_back(entry.name);
  return names;
}

const std::string& StoreZipReader::error() const { return impl_->error; }

struct StoreZipWriter::Impl {
  std::unique_ptr<ZipWriter> writer;
  std::string error;
};

StoreZipWriter::StoreZipWriter() : impl_(std::make_unique<Impl>()) {}

StoreZipWriter::~StoreZipWriter() = default;

int StoreZipWriter::open(const std::string& path) {
  return Reporting(impl_->error, [&] { impl_->writer = std::make_unique<ZipWriter>(path); });
}

int StoreZipWriter::write_file(const std::string& name, const char* data, uint64_t size) {
  return Reporting(impl_->error, [&] {
    if (impl_->writer == nullptr) throw Error(ErrorCode::kState, "no archive is open");
    impl_->writer->Add(name, data, size);
  });
}

int StoreZipWriter::close() {
  return Reporting(impl_->error, [&] {
    if (impl_->writer != nullptr) impl_->writer->Finish();
    impl_->writer.reset();
  });
}

const std::string& StoreZipWriter::error() const { return impl_->error; }

}  // namespace kuiper_infer
