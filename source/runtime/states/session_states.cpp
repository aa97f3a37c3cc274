// SPDX-License-Identifier: MIT
#include "runtime/states/session_states.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "runtime/kept_elements.hpp"

namespace kuiper_infer {

void SessionStates::Set(const StatePair& pair, std::size_t entry, const NdArray& array) {
  Entry made;
  if (pair.growing) {
    const RuntimeDataType type = pair.growing->stored.value_or(array.type());
    NdArray kept = array;
    if (array.type() != type) {
      Shape shape = array.shape();
      shape.back() += ScaleExtent(pair, type);
      kept = NdArray(type, shape);
      KeepElements(pair, array, kept);
    }
    made.growing.emplace(kept.spec(), pair.growing->axis, pair.window);
    made.growing->Assign(kept);
  } else {
    made.array = array.Clone();
  }
  entries_[entry] = std::move(made);
}

int64_t SessionStates::Length(const ModelStates& states) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const StatePair& pair = states.pairs[i];
    if (!pair.growing) continue;
    if (entries_[i].growing) return entries_[i].growing->length();
    const int64_t first =
        pair.initial.defined() ? pair.initial.shape()[static_cast<std::size_t>(pair.growing->axis)] : 0;
    return pair.window > 0 ? std::min(first, pair.window) : first;
  }
  return 0;
}

void SessionStates::Truncate(const ModelStates& states, int64_t length) {
  const int64_t dropped = Length(states) - length;
  if (length < 0 || dropped < 0) {
    throw Error(ErrorCode::kState, "the state has " + std::to_string(Length(states)) +
                                       " elements and cannot be truncated to " + std::to_string(length));
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto who = [&] { return "state '" + states.pairs[i].name + "' "; };
    if (!states.pairs[i].growing) {
      throw Error(ErrorCode::kState,
                  who() + "is replaced in each run and cannot be truncated: take a snapshot before the run");
    }
    const int64_t present = entries_[i].growing ? entries_[i].growing->length() : 0;
    if (dropped > 0 && entries_[i].growing && entries_[i].growing->dropped()) {
      throw Error(ErrorCode::kState, who() + "keeps the last " + std::to_string(states.pairs[i].window) +
                                         " elements, has dropped those before them and cannot be truncated: take a "
                                         "snapshot before the run");
    }
    if (present < dropped) {
      throw Error(ErrorCode::kState, who() + "has " + std::to_string(present) + " elements, " +
                                         std::to_string(dropped) + " are to be dropped");
    }
  }
  for (Entry& entry : entries_) {
    if (entry.growing) entry.growing->SetLength(entry.growing->length() - dropped);
  }
}

SessionStates SessionStates::Clone() const {
  SessionStates copy;
  for (const Entry& entry : entries_) {
    Entry made;
    if (entry.growing) made.growing = entry.growing->Clone();
    if (entry.array.defined()) made.array = entry.array.Clone();
    copy.entries_.push_back(std::move(made));
  }
  return copy;
}

int64_t SessionStates::bytes() const {
  int64_t bytes = 0;
  for (const Entry& entry : entries_) {
    if (entry.growing) bytes += entry.growing->bytes();
    for (const NdArray& array : {entry.array, entry.other}) {
      if (array.defined()) bytes += ByteCount(array.type(), array.shape());
    }
  }
  return bytes;
}

}  // namespace kuiper_infer
