// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer {

/// Threads for runs that ask for no number. 0 where the program or OMP_NUM_THREADS has set OpenMP's number, which then
/// counts; otherwise one for each core that the process may use: its CPU mask and its control group's quota limit
/// them, and CPUs that share a core count once.
int DefaultThreads();

/// Threads for work that no ThreadScope covers: OpenMP's number. Without OpenMP's library it is OMP_NUM_THREADS at the
/// first call, and UsableCores where that is not set.
int ProcessThreads();

/// Whether the calling thread is inside of a parallel region of OpenMP's. Without its library nobody can tell.
bool InOpenMpRegion();

/// Sets OpenMP's number for the calling thread and returns the former one. Without its library it does nothing.
int SetOpenMpThreads(int number);

/// Cores that the process may use, at least 1: its CPU mask and its control group's quota limit them, and CPUs that
/// share a core count once. Found at the first call and kept, whatever mask or quota there is later.
int UsableCores();

// The parts of UsableCores, for files below another root than "/".

/// CPUs' worth of time that the process's control groups (version 1 or 2) allow it; nothing where they set no limit.
std::optional<double> CpuQuota(const std::string& root);

/// Cores that these CPUs belong to.
int CountCores(const std::vector<int>& cpus, const std::string& root);

/// Cores that a process of these CPUs may use, at least 1. A quota's part of a core counts as one.
int CountUsableCores(const std::vector<int>& cpus, const std::string& root);

}  // namespace kuiper_infer
