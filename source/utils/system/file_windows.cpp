// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <io.h>
#include <new>
#include <windows.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

std::wstring WidePath(const std::string& path) {
  CheckPath(path);
  const int bytes = static_cast<int>(path.size());
  const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), bytes, nullptr, 0);
  if (size == 0) throw Error(ErrorCode::kFile, path + ": the path is not UTF-8");
  std::wstring wide(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), bytes, wide.data(), size);
  return wide;
}

/// Sets errno to the system's last error, for the same messages as on other systems. Returns false.
bool SetErrno() {
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
      errno = ENOENT;
      break;
    case ERROR_INVALID_NAME:
      errno = EINVAL;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_WRITE_PROTECT:
      errno = EACCES;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_TOO_MANY_OPEN_FILES:
      errno = EMFILE;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      errno = EPIPE;
      break;
    default:
      errno = EIO;
  }
  return false;
}

HANDLE HandleOf(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

[[noreturn]] void FailNotRegular(const std::string& path, const char* kind) {
  throw Error(ErrorCode::kFile, path + ": is " + kind + ", expected a regular file");
}

bool IsFolder(const std::wstring& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/// Returns the descriptor of a file; throws with the text "PATH: FAILURE: " and the reason.
int Open(const std::string& path, DWORD access, DWORD creation, int flags, const char* failure) {
  const std::wstring wide = WidePath(path);
  const HANDLE handle = CreateFileW(wide.c_str(), access, kShareAll, nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    SetErrno();
    if (IsFolder(wide)) errno = EISDIR;
    if (errno == EISDIR && access == GENERIC_READ) FailNotRegular(path, "a directory");
    FailWithErrno(path, failure);
  }
  const int descriptor = _open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor >= 0) return descriptor;
  const int reason = errno;
  CloseHandle(handle);
  errno = reason;
  FailWithErrno(path, failure);
}

/// Reads or writes at most this many bytes in one call, which counts in 32 bits.
constexpr uint64_t kMostAtOnce = uint64_t{1} << 30;

}  // namespace

File File::ToRead(const std::string& path) {
  File file(Open(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY, "cannot be opened"));
  if (GetFileType(HandleOf(file.descriptor_)) != FILE_TYPE_DISK) FailNotRegular(path, "a device");
  return file;
}

File File::ToWrite(const std::string& path) {
  return File(Open(path, GENERIC_WRITE, CREATE_ALWAYS, _O_WRONLY, "cannot be written"));
}

File::~File() { Close(); }

uint64_t File::Size(const std::string& path) const {
  LARGE_INTEGER size;
  if (GetFileSizeEx(HandleOf(descriptor_), &size) == 0) {
    SetErrno();
    FailWithErrno(path, "cannot be read");
  }
  return static_cast<uint64_t>(size.QuadPart);
}

int64_t File::ReadAt(uint64_t offset, uint64_t count, void* target) const {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD got = 0;
  const auto bytes = static_cast<DWORD>(std::min(kMostAtOnce, count));
  if (ReadFile(HandleOf(descriptor_), target, bytes, &got, &place) != 0) return got;
  if (GetLastError() == ERROR_HANDLE_EOF) return 0;
  SetErrno();
  return -1;
}

int64_t File::Write(std::string_view bytes) const {
  DWORD done = 0;
  const auto count = static_cast<DWORD>(std::min<uint64_t>(kMostAtOnce, bytes.size()));
  if (WriteFile(HandleOf(descriptor_), bytes.data(), count, &done, nullptr) != 0) return done;
  SetErrno();
  return -1;
}

bool File::Close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor < 0 || _close(descriptor) == 0;
}

bool SyncFile(const std::string& path) {
  const HANDLE file = CreateFileW(WidePath(path).c_str(), GENERIC_WRITE, kShareAll, nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return SetErrno();
  const bool written = FlushFileBuffers(file) != 0 || SetErrno();
  const int reason = errno;
  CloseHandle(file);
  errno = reason;
  return written;
}

bool IsDeviceOrPipe(const std::string& /*path*/) { return false; }  // no rename replaces NUL or a pipe

bool MoveFileTo(const std::string& from, const std::string& to) {
  const std::wstring source = WidePath(from);
  const std::wstring target = WidePath(to);
  if (MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return true;
  SetErrno();
  if (errno != EACCES) return false;
  // A mapped file cannot be replaced, but it can be renamed. It is removed once no process has it mapped: now, or by a
  // later call.
  constexpr int kMostOld = 16;
  for (int i = 0; i < kMostOld; ++i) {
    const std::wstring old = target + L".old" + std::to_wstring(i);
    DeleteFileW(old.c_str());
    if (MoveFileExW(target.c_str(), old.c_str(), 0) == 0) continue;
    const bool moved = MoveFileExW(source.c_str(), target.c_str(), 0) != 0 || SetErrno();
    if (!moved) MoveFileExW(old.c_str(), target.c_str(), 0);
    DeleteFileW(old.c_str());
    return moved;
  }
  return false;
}

void RemoveFile(const std::string& path) {
  try {
    DeleteFileW(WidePath(path).c_str());
  } catch (const Error&) {  // no file has such a name
  }
}

}  // namespace kuiper_infer
