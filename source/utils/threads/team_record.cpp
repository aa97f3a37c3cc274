// SPDX-License-Identifier: MIT
#include "utils/threads/team_record.hpp"

namespace kuiper_infer {
namespace {

thread_local TeamRecord* current = nullptr;

}  // namespace

TeamRecordScope::TeamRecordScope(TeamRecord* record) : former_(current) { current = record; }

TeamRecordScope::~TeamRecordScope() { current = former_; }

TeamRecord* TeamRecordScope::Current() { return current; }

}  // namespace kuiper_infer
