// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/store_zip.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <zip.h>

namespace kuiper_infer {
namespace {

/// Throws where a call that failed lacked memory, which is no fault of the file. libzip reports some of these as "not a
/// zip archive"; errno, 0 before the call, tells.
void CheckMemory(int code) {
  if (code == ZIP_ER_MEMORY || errno == ENOMEM) throw std::bad_alloc();
}

std::string ErrorText(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

struct Entry {
  zip_uint64_t index;
  uint64_t size;
};

}  // namespace

struct StoreZipReader::Impl {
  zip_t* archive = nullptr;
  std::map<std::string, std::vector<Entry>> entries;
  std::vector<std::string> names;
  std::string error;

  int Fail(std::string text) {
    error = std::move(text);
    return -1;
  }

  const Entry* Find(const std::string& name, std::size_t occurrence) const {
    const auto found = entries.find(name);
    return found == entries.end() || occurrence >= found->second.size() ? nullptr : &found->second[occurrence];
  }
};

StoreZipReader::StoreZipReader() : impl_(std::make_unique<Impl>()) {}

StoreZipReader::~StoreZipReader() { close(); }

int StoreZipReader::open(const std::string& path) {
  close();
  int code = 0;
  errno = 0;
  impl_->archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (impl_->archive == nullptr) {
    CheckMemory(code);
    return impl_->Fail("cannot be opened as a zip archive: " + ErrorText(code));
  }
  return ReadEntries();
}

int StoreZipReader::open_memory(std::string_view bytes) {
  close();
  zip_error_t error;
  zip_error_init(&error);
  errno = 0;
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source != nullptr) impl_->archive = zip_open_from_source(source, ZIP_RDONLY, &error);
  const int code = errno == ENOMEM ? ZIP_ER_MEMORY : zip_error_code_zip(&error);
  zip_error_fini(&error);
  if (impl_->archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    CheckMemory(code);
    return impl_->Fail("cannot be opened as a zip archive: " + ErrorText(code));
  }
  return ReadEntries();
}

int StoreZipReader::ReadEntries() {
  const zip_int64_t count = zip_get_num_entries(impl_->archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    const auto index = static_cast<zip_uint64_t>(i);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE;
    if (zip_stat_index(impl_->archive, index, ZIP_FL_ENC_RAW, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
      return impl_->Fail("entry " + std::to_string(i) + " of the zip archive is unreadable");
    }
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE) {
      return impl_->Fail("entry '" + std::string(stat.name) + "' of the zip archive is encrypted");
    }
    impl_->entries[stat.name].push_back({index, stat.size});
    impl_->names.emplace_back(stat.name);
  }
  return 0;
}

uint64_t StoreZipReader::get_file_size(const std::string& name, std::size_t occurrence) const {
  const Entry* entry = impl_->Find(name, occurrence);
  return entry == nullptr ? 0 : entry->size;
}

bool StoreZipReader::has_file(const std::string& name, std::size_t occurrence) const {
  return impl_->Find(name, occurrence) != nullptr;
}

int StoreZipReader::read_file(const std::string& name, char* data, std::size_t occurrence) {
  const Entry* entry = impl_->Find(name, occurrence);
  if (entry == nullptr) return impl_->Fail("has no entry '" + name + "'");
  errno = 0;
  zip_file_t* file = zip_fopen_index(impl_->archive, entry->index, 0);
  if (file == nullptr) {
    CheckMemory(zip_error_code_zip(zip_get_error(impl_->archive)));
    return impl_->Fail("entry '" + name + "': " + zip_strerror(impl_->archive));
  }
  uint64_t done = 0;
  zip_int64_t got = 1;
  while (done < entry->size && got > 0) {
    got = zip_fread(file, data + done, entry->size - done);
    if (got > 0) done += static_cast<uint64_t>(got);
  }
  // Reading past the end makes the library compare the checksum.
  char beyond = 0;
  const bool ended = got >= 0 && done == entry->size && zip_fread(file, &beyond, 1) == 0;
  if (ended) {
    zip_fclose(file);
    return 0;
  }
  const int code = zip_error_code_zip(zip_file_get_error(file));
  const std::string reason = zip_file_strerror(file);
  zip_fclose(file);
  CheckMemory(code);
  return impl_->Fail("entry '" + name + "' is truncated or damaged: " + reason);
}

int StoreZipReader::close() {
  if (impl_->archive != nullptr) zip_discard(impl_->archive);
  impl_->archive = nullptr;
  impl_->entries.clear();
  impl_->names.clear();
  return 0;
}

std::vector<std::string> StoreZipReader::names() const { return impl_->names; }

const std::string& StoreZipReader::error() const { return impl_->error; }

struct StoreZipWriter::Impl {
  zip_t* archive = nullptr;
  std::string path;
  std::string error;
};

StoreZipWriter::StoreZipWriter() : impl_(std::make_unique<Impl>()) {}

StoreZipWriter::~StoreZipWriter() {
  if (impl_->archive != nullptr) zip_discard(impl_->archive);
}

int StoreZipWriter::open(const std::string& path) {
  int code = 0;
  impl_->archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  impl_->path = path;
  if (impl_->archive != nullptr) return 0;
  impl_->error = path + ": cannot be created: " + ErrorText(code);
  return -1;
}

int StoreZipWriter::write_file(const std::string& name, const char* data, uint64_t size) {
  if (impl_->archive == nullptr) {
    impl_->error = "no archive is open";
    return -1;
  }
  // The library reads the bytes only at close, so it gets a copy of its own; it would not free one of no bytes.
  auto* copy = size > 0 ? static_cast<char*>(std::malloc(size)) : nullptr;
  if (copy != nullptr) std::copy(data, data + size, copy);
  const bool lacking = size > 0 && copy == nullptr;
  zip_source_t* source = lacking ? nullptr : zip_source_buffer(impl_->archive, copy, size, 1);
  const zip_int64_t index =
      source == nullptr ? -1 : zip_file_add(impl_->archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    impl_->error = "entry '" + name + "': " + zip_strerror(impl_->archive);
    if (source != nullptr) {
      zip_source_free(source);
    } else {
      std::free(copy);
    }
    return -1;
  }
  const auto entry = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(impl_->archive, entry, ZIP_CM_STORE, 0);
  zip_file_set_mtime(impl_->archive, entry, 0, 0);  // the same model gives the same bytes
  return 0;
}

int StoreZipWriter::close() {
  if (impl_->archive == nullptr) return 0;
  if (zip_get_num_entries(impl_->archive, 0) == 0) {
    // The library deletes an archive without entries. The format wants one all the same: the bare end record.
    zip_discard(impl_->archive);
    impl_->archive = nullptr;
    constexpr std::size_t kEndRecordBytes = 22;
    std::string end_record = "PK\x05\x06";
    end_record.resize(kEndRecordBytes);
    std::ofstream file(impl_->path, std::ios::binary | std::ios::trunc);
    if (file.write(end_record.data(), static_cast<std::streamsize>(end_record.size())).flush()) return 0;
    impl_->error = "cannot be written";
    return -1;
  }
  if (zip_close(impl_->archive) != 0) {
    impl_->error = zip_strerror(impl_->archive);
    return -1;
  }
  impl_->archive = nullptr;
  return 0;
}

const std::string& StoreZipWriter::error() const { return impl_->error; }

}  // namespace kuiper_infer
