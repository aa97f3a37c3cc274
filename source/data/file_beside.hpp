// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// A file that is written under a temporary name in the folder of its path, and renamed when it is complete, so that
/// the path never names an incomplete file. If it has not been renamed, it is removed with the object. A device, FIFO
/// or socket of that path is written itself and stays what it is.
class FileBeside {
 public:
  /// Creates nothing: the writer opens beside(), which is `path` followed by `ending`, or the path of a device.
  FileBeside(std::string path, const std::string& ending);
  FileBeside(FileBeside&& other) noexcept;
  FileBeside& operator=(FileBeside&& other) = delete;
  ~FileBeside();

  const std::string& beside() const { return beside_; }
  /// Waits until the written file is on the disk. Throws Error(kFile) that names the path.
  void Sync() const;
  /// Renames the file to its path. Throws Error(kFile) that names the path.
  void Place();

 private:
  bool in_place() const { return beside_ == path_; }

  std::string path_;
  std::string beside_;  ///< empty: nothing is to be removed
};

}  // namespace kuiper_infer
