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

/// Named runs of bytes that an earlier process has made, in a file of a folder that the user names. The file is mapped,
/// and each part is verified when it is asked for; a part that is broken, or was made from another origin, is ignored.
/// The file is written under a temporary name and then renamed, so that several processes may share the folder. No
/// function throws because of the file: the caller makes anew what the file lacks. Safe to use from several threads.
class CacheFile {
 public:
  /// Opens the file in `folder` for contents that depend on `origin` alone. The folder is created if it does not exist.
  /// `name` begins the file's name, which ends with a number that stands for the origin.
  CacheFile(const std::string& folder, const std::string& name, std::string origin);

  const std::string& path() const { return path_; }

  /// The bytes of that name, if the file has them. The array keeps the file mapped.
  std::optional<NdArray> Find(const std::string& name);

  /// Keeps bytes for the next Write.
  void Add(const std::string& name, const NdArray& bytes);

  /// If bytes were added, writes the file anew with its former contents and the added bytes. A failure is logged.
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
  std::shared_ptr<const MappedFile> file_;  ///< null if there is no file to read
  std::map<std::string, Entry> entries_;    ///< of the file
  std::map<std::string, NdArray> added_;
};

}  // namespace kuiper_infer
