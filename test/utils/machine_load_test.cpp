// SPDX-License-Identifier: MIT
#include "utils/system/machine_load.hpp"

#include <chrono>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "utils/system/processor_times.hpp"

namespace kuiper_infer {
namespace {

TEST(MachineLoadTest, ReadsTheKernelsLine) {
  //                                                   user nice system idle iowait irq softirq steal guest
  const auto seconds = ParseProcessorSeconds("cpu  100 20 30 5000 70 8 2 40 0 0\n", 100);
  ASSERT_TRUE(seconds);
  EXPECT_DOUBLE_EQ(seconds->busy, 1.6);
  EXPECT_DOUBLE_EQ(seconds->stolen, 0.4);
  for (const char* text : {"", "cpu", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "intr 1 2 3 4 5 6 7 8", "cpu a"}) {
    EXPECT_FALSE(ParseProcessorSeconds(text, 100)) << text;
  }
}

TEST(MachineLoadTest, OwnWorkIsNotCounted) {
  const auto before = ReadProcessorSeconds();
  if (!before) GTEST_SKIP() << "the system does not tell";
  const LoadWatch watch;
  const auto start = std::chrono::steady_clock::now();
  const clock_t used = clock();
  while (clock() - used < CLOCKS_PER_SEC / 2) {
  }
  const auto load = watch.Load();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_TRUE(load);
  EXPECT_GE(load->load_average, 0);
  EXPECT_GE(load->stolen, 0);
  EXPECT_GE(load->others, 0);
  const double all = ReadProcessorSeconds()->busy - before->busy;
  constexpr double kOwn = 0.5;
  constexpr double kInexact = 0.1;  // the kernel counts in hundredths of a second, for each processor and column
  EXPECT_GT(all, kOwn - kInexact);
  EXPECT_LT(load->others * seconds, all - kOwn + kInexact);
}

}  // namespace
}  // namespace kuiper_infer
