// SPDX-License-Identifier: MIT
#include "utils/threads/thread_count.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

/// A folder that stands for "/".
class ThreadCountTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }

  std::string root_ = testing::TempDir() + "kuiper_root_" + std::to_string(getpid()) + "/";
};

TEST_F(ThreadCountTest, NothingIsLimitedWithoutControlGroups) { EXPECT_FALSE(CpuQuota(root_)); }

TEST_F(ThreadCountTest, QuotaOfVersion2) {
  Write("proc/self/cgroup", "0::/machine/job");
  Write("sys/fs/cgroup/machine/job/cpu.max", "max 100000");
  EXPECT_FALSE(CpuQuota(root_));
  Write("sys/fs/cgroup/machine/job/cpu.max", "250000 100000");
  EXPECT_EQ(2.5, CpuQuota(root_));
  Write("sys/fs/cgroup/machine/cpu.max", "150000 100000");
  EXPECT_EQ(1.5, CpuQuota(root_)) << "groups above limit, too";
}

TEST_F(ThreadCountTest, AContainersOwnGroupIsTheTopmost) {
  Write("proc/self/cgroup", "0::/somewhere/outside");
  Write("sys/fs/cgroup/cpu.max", "400000 100000");
  EXPECT_EQ(4.0, CpuQuota(root_));
}

TEST_F(ThreadCountTest, QuotaOfVersion1) {
  Write("proc/self/cgroup", "3:cpuset:/\n2:cpuacct,cpu:/job\n0::/");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(CpuQuota(root_));
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "50000");
  EXPECT_EQ(0.5, CpuQuota(root_));
}

TEST_F(ThreadCountTest, UnreadableNumbersAreNoLimit) {
  Write("proc/self/cgroup", "nonsense\n::\n0:/");
  Write("sys/fs/cgroup/cpu.max", "much");
  EXPECT_FALSE(CpuQuota(root_));
}

TEST_F(ThreadCountTest, CpusThatShareACoreCountOnce) {
  for (const int cpu : {0, 1, 2, 3}) {
    Write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
          cpu % 2 == 0 ? "0,2" : "1,3");
  }
  EXPECT_EQ(2, CountCores({0, 1, 2, 3}, root_));
  EXPECT_EQ(1, CountCores({0, 2}, root_));
  EXPECT_EQ(2, CountCores({0, 1}, root_));
  EXPECT_EQ(3, CountCores({0, 7, 8}, root_)) << "CPUs that nothing is known of have cores of their own";
}

TEST_F(ThreadCountTest, APartOfACoreCountsAsOne) {
  const std::vector<int> four = {0, 1, 2, 3};
  EXPECT_EQ(4, CountUsableCores(four, root_)) << "without a quota";
  Write("proc/self/cgroup", "0::/job");
  for (const auto& [quota, cores] : std::map<std::string, int>{
           {"150000", 2}, {"200000", 2}, {"200001", 3}, {"50000", 1}, {"1000", 1}, {"800000", 4}, {"max", 4}}) {
    Write("sys/fs/cgroup/job/cpu.max", quota + " 100000");
    EXPECT_EQ(cores, CountUsableCores(four, root_)) << quota;
  }
  Write("sys/fs/cgroup/job/cpu.max", "150000 100000");
  EXPECT_EQ(1, CountUsableCores({3}, root_)) << "a mask of one CPU";
  EXPECT_EQ(1, CountUsableCores({}, root_));
}

TEST_F(ThreadCountTest, TheDefaultIsPossible) {
  EXPECT_GE(DefaultThreads(), 0);
  EXPECT_LE(DefaultThreads(), static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace kuiper_infer
