// SPDX-License-Identifier: MIT
#include "data/file_beside.hpp"

#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace kuiper_infer {
namespace {

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

class FileBesideTest : public testing::Test {
 protected:
  ~FileBesideTest() override { unlink(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "kuiper_file_beside_" + std::to_string(getpid());
};

TEST_F(FileBesideTest, IsPlacedOrRemoved) {
  {
    const FileBeside file(path_, ".part");
    EXPECT_EQ(file.beside(), path_ + ".part");
    std::ofstream(file.beside()) << "x";
  }
  EXPECT_FALSE(IsThere(path_ + ".part"));
  FileBeside file(path_, ".part");
  std::ofstream(file.beside()) << "x";
  file.Sync();
  file.Place();
  EXPECT_TRUE(IsThere(path_));
  EXPECT_FALSE(IsThere(path_ + ".part"));
}

#ifndef _WIN32  // which has no such files
TEST_F(FileBesideTest, DevicesAndPipesStayWhatTheyAre) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const bool placed : {true, false}) {
    FileBeside file(path_, ".part");
    EXPECT_EQ(file.beside(), path_);
    file.Sync();
    if (placed) file.Place();
  }
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  EXPECT_EQ(FileBeside("/dev/null", ".part").beside(), "/dev/null");
}
#endif

}  // namespace
}  // namespace kuiper_infer
