// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer {

/// A file that is written beside its place and put there when it is whole, so that the place never holds a part of it.
/// The unfinished file is removed with the object, unless it was put in its place.
class FileBeside {
 public:
  /// Nothing is created: whoever writes opens beside(), which is `path` and `ending`, in the same folder.
  FileBeside(std::string path, const std::string& ending);
  FileBeside(FileBeside&& other) noexcept;
  FileBeside& operator=(FileBeside&& other) = delete;
  ~FileBeside();

  const std::string& beside() const { return beside_; }
  /// Waits until the written file is on the disk. Throws Error(kFile) that names the place.
  void Sync() const;
  /// Puts the file in its place. Throws Error(kFile) that names the place.
  void Place();

 private:
  std::string path_;
  std::string beside_;  ///< empty: nothing is to be removed
};

}  // namespace kuiper_infer
