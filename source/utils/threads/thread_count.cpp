// SPDX-License-Identifier: MIT
#include "utils/threads/thread_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace kuiper_infer {
namespace {

/// The first words of a file. If there are fewer words, or no file, the missing words are empty.
std::string ReadWord(const std::string& path, std::string* second = nullptr) {
  std::ifstream file(path);
  std::string first;
  file >> first;
  if (second != nullptr) file >> *second;
  return first;
}

/// The number of CPUs that a quota allows: quota / period if both are positive numbers ("max" and -1 mean no limit).
std::optional<double> Ratio(const std::string& quota, const std::string& period) {
  const double time = std::strtod(quota.c_str(), nullptr);
  const double of = std::strtod(period.c_str(), nullptr);
  return time > 0 && of > 0 ? std::optional<double>(time / of) : std::nullopt;
}

/// The process's group in the hierarchy that has `controller`; if `controller` is empty, in the hierarchy of version 2.
std::string GroupOf(const std::string& root, const std::string& controller) {
  std::ifstream file(root + "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // number:controller,controller:/path
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::stringstream controllers(line.substr(first + 1, second - first - 1));
    bool found = controller.empty() && second == first + 1;
    for (std::string name; std::getline(controllers, name, ',');) found = found || name == controller;
    if (found) return line.substr(second + 1);
  }
  return "/";
}

/// The least limit of a group and of all groups above it. A container sees its own group as the topmost one, whatever
/// its path says.
template <class ReadLimit>
std::optional<double> LeastLimit(const std::string& mount, std::string group, const ReadLimit& read) {
  std::optional<double> least;
  while (true) {
    const std::optional<double> limit = read(mount + group + (group.back() == '/' ? "" : "/"));
    if (limit && (!least || *limit < *least)) least = limit;
    if (group == "/") return least;
    const std::size_t slash = group.find_last_of('/');
    group = slash == 0 || slash == std::string::npos ? "/" : group.substr(0, slash);
  }
}

}  // namespace

std::optional<double> CpuQuota(const std::string& root) {
  const auto unified = [](const std::string& folder) {
    std::string period;
    const std::string quota = ReadWord(folder + "cpu.max", &period);
    return Ratio(quota, period);
  };
  const auto classic = [](const std::string& folder) {
    return Ratio(ReadWord(folder + "cpu.cfs_quota_us"), ReadWord(folder + "cpu.cfs_period_us"));
  };
  const std::string mount = root + "sys/fs/cgroup";
  const auto quota = LeastLimit(mount, GroupOf(root, ""), unified);
  return quota ? quota : LeastLimit(mount + "/cpu", GroupOf(root, "cpu"), classic);
}

int CountCores(const std::vector<int>& cpus, const std::string& root) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string name = "cpu" + std::to_string(cpu);
    const std::string siblings = ReadWord(root + "sys/devices/system/cpu/" + name + "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? name : siblings);
  }
  return static_cast<int>(cores.size());
}

int CountUsableCores(const std::vector<int>& cpus, const std::string& root) {
  int cores = CountCores(cpus, root);
  if (const auto quota = CpuQuota(root)) cores = std::min(cores, static_cast<int>(std::ceil(*quota)));
  return std::max(cores, 1);
}

}  // namespace kuiper_infer
