// SPDX-License-Identifier: MIT
// Reads archives while allocations fail. This program has its own malloc, through which all code allocates.
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <unistd.h>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/store_zip.hpp"

namespace {
constexpr int kNever = -1;
int allowed = kNever;  ///< calls of malloc until the one that fails
}  // namespace

#ifndef KUIPER_HEAP_ONLY  // a sanitizer has an allocator of its own

namespace {
bool IsRefused() {
  if (allowed == kNever || --allowed != kNever) return false;
  errno = ENOMEM;
  return true;
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t bytes);                     // NOLINT: glibc's name
void* __libc_calloc(std::size_t count, std::size_t bytes);  // NOLINT
void* __libc_realloc(void* memory, std::size_t bytes);      // NOLINT

void* malloc(std::size_t bytes) { return IsRefused() ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return IsRefused() ? nullptr : __libc_calloc(count, bytes); }
void* realloc(void* memory, std::size_t bytes) { return IsRefused() ? nullptr : __libc_realloc(memory, bytes); }
}

#endif

namespace kuiper_infer {
namespace {

/// Reads the archive's entries. Returns 0 on success, like the reader.
int ReadAll(const std::string& path) {
  StoreZipReader reader;
  if (reader.open(path) != 0) return -1;
  for (const char* name : {"first", "second"}) {
    std::string bytes(reader.get_file_size(name), ' ');
    if (reader.read_file(name, bytes.data()) != 0) return -1;
    if (bytes != std::string(1000, 'x')) return -1;
  }
  return 0;
}

TEST(AllocationFailureTest, LackOfMemoryIsNotTheArchivesFault) {
#ifdef KUIPER_HEAP_ONLY
  GTEST_SKIP() << "a sanitizer brings an allocator of its own";
#endif
  const std::string path = testing::TempDir() + "kuiper_allocation_" + std::to_string(getpid()) + ".bin";
  StoreZipWriter writer;
  const std::string bytes(1000, 'x');
  ASSERT_EQ(writer.open(path), 0);
  for (const char* name : {"first", "second"}) ASSERT_EQ(writer.write_file(name, bytes.data(), bytes.size()), 0);
  ASSERT_EQ(writer.close(), 0);
  int refused = 0;
  bool done = false;
  for (int calls = 0; !done; ++calls) {
    allowed = calls;
    int result = 0;
    try {
      result = ReadAll(path);
      done = allowed != kNever;  // no call failed
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    allowed = kNever;
    EXPECT_EQ(result, 0) << "call " << calls;
  }
  EXPECT_GT(refused, 10);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace kuiper_infer
