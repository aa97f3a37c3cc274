// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer {

/// Size of the team, the calling thread included, that parallel regions of the calling thread may have: `wanted`, at
/// most 1024, or fewer where the process can't have so many threads. OpenMP ends the process when it cannot start a
/// thread, so a team grows here only: the missing threads are started on trial first, then OpenMP starts its own. The
/// team keeps its size until another one is wanted.
///
/// A team does not survive fork: in the child, the thread that forked works alone. Its other threads can lead teams.
int TeamSize(int wanted);

}  // namespace kuiper_infer
