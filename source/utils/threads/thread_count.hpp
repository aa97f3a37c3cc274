// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer {

/// The number of threads for runs that ask for no number. If the program or OMP_NUM_THREADS has set OpenMP's number,
/// that number counts, and the result is 0. Otherwise it is UsableCores().
int DefaultThreads();

/// The number of threads for work outside of any ThreadScope: OpenMP's number. Without OpenMP's library it is
/// OMP_NUM_THREADS at the first call or, if that is not set, UsableCores().
int ProcessThreads();

/// Whether the calling thread is inside of a parallel region of OpenMP's. Without OpenMP's library always false.
bool InOpenMpRegion();

/// Sets OpenMP's number for the calling thread and returns the former one. Without its library it does nothing.
int SetOpenMpThreads(int number);

/// The number of cores that the process may use, at least 1. Its CPU mask and its control group's quota limit them, and
/// CPUs that share a core count once. The first call finds the number; later changes of mask and quota do not count.
int UsableCores();

// The parts of UsableCores, for files below another root than "/".

/// The number of CPUs whose time the process's control groups (version 1 or 2) allow it; nothing if they set no limit.
std::optional<double> CpuQuota(const std::string& root);

/// Cores that these CPUs belong to.
int CountCores(const std::vector<int>& cpus, const std::string& root);

/// Cores that a process on these CPUs may use, at least 1. A fraction of a core in the quota counts as a core.
int CountUsableCores(const std::vector<int>& cpus, const std::string& root);

}  // namespace kuiper_infer
