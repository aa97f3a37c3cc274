// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#ifndef _WIN32
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#endif

namespace kuiper_infer {

/// A path that is no regular file, and the words that messages have for it.
struct SpecialFile {
  std::string path;
  std::string kind;
};

#ifdef _WIN32
/// Returns a folder, the only such file that Windows has in folders.
inline std::vector<SpecialFile> MakeSpecialFiles(const std::string& folder, const std::string& ending) {
  std::filesystem::create_directory(folder + "/directory" + ending);
  return {{folder + "/directory" + ending, "a directory"}};
}
#else
inline void MakeSocket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error(path + ": too long for a socket");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool made =
      descriptor >= 0 && bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  close(descriptor);
  if (!made) throw std::runtime_error(path + ": no socket can be made");
}

/// Returns one file of each kind. All but the device are made in an existing folder; their names end with `ending`.
inline std::vector<SpecialFile> MakeSpecialFiles(const std::string& folder, const std::string& ending) {
  const std::string at = folder + "/";
  std::filesystem::create_directory(at + "directory" + ending);
  if (mkfifo((at + "fifo" + ending).c_str(), 0600) != 0) throw std::runtime_error(at + ": no FIFO can be made");
  MakeSocket(at + "socket" + ending);
  std::filesystem::create_symlink("/dev/zero", at + "device" + ending);
  return {{at + "directory" + ending, "a directory"},
          {at + "fifo" + ending, "a FIFO"},
          {at + "socket" + ending, "a socket"},
          {at + "device" + ending, "a device"}};
}
#endif

}  // namespace kuiper_infer
