// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "data/mapped_file.hpp"
#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

/// What an earlier process has made and this one needs again: named runs of bytes in a file of a folder that the user
/// names. The file is mapped and its parts are verified when they are asked for; one that is broken, or was made of
/// other things, counts for nothing. It is written beside its place and then renamed, so that several processes may
/// share the folder. Nothing here throws because of the file: what it lacks is made anew. Safe to use from several
/// threads.
class CacheFile {
 public:
  /// The file in `folder`, which is made where there is none, for what follows from `origin`: everything that the
  /// contents depend on. `name` begins the file's name, which ends with a number that stands for the origin.
  CacheFile(const std::string& folder, const std::string& name, std::string origin);

  const std::string& path() const { return path_; }

  /// The bytes of that name, if there are any. The array keeps the file mapped.
  std::optional<NdArray> Find(const std::string& name);

  /// Notes bytes for the next Write, which are kept until then.
  void Add(const std::string& name, const NdArray& bytes);

  /// Writes the file anew, with all that it held and that was added, where something was added. A failure is logged.
  void Write();

 private:
  struct Entry {
    uint64_t offset = 0;
    uint64_t size = 0;
    uint32_t crc = 0;
  };
  void Open();
  bool ReadTable();
  void WriteTo(const std::string& path) const;

  const std::string origin_;
  std::string path_;
  std::mutex mutex_;
  std::shared_ptr<const MappedFile> file_;  ///< null where there is none to read
  std::map<std::string, Entry> entries_;    ///< of the file
  std::map<std::string, NdArray> added_;
};

}  // namespace kuiper_infer
