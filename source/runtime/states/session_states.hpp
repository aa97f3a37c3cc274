// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/growing_array.hpp"
#include "runtime/states/model_states.hpp"

namespace kuiper_infer {

/// The states of one session between its runs, in the order of ModelStates::pairs. A copy by Clone shares no memory
/// with the original.
class SessionStates {
 public:
  /// The value of a state. Before the first run neither member is set, unless the program has set the state.
  struct Entry {
    NdArray array;                        ///< of a state that is replaced
    NdArray other;                        ///< memory in which the next run may make the new value of such a state
    std::optional<GrowingArray> growing;  ///< of a state that grows

    bool set() const { return growing.has_value() || array.defined(); }
    /// Type, shape and elements; not defined if it is not set.
    NdArray View() const { return growing ? growing->View() : array; }
  };

  SessionStates() = default;
  explicit SessionStates(const ModelStates& states) : entries_(states.pairs.size()) {}

  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }

  /// Back to the values before the first run.
  void Reset() { entries_.assign(entries_.size(), {}); }
  /// Sets one state to a copy of an array. The array has the type and the rank of the input, or it has the elements in
  /// the type in which the session keeps them (kept_elements.hpp).
  void Set(const StatePair& pair, std::size_t entry, const NdArray& array);
  /// The number of elements along the axis of the first state that grows; 0 if there is none.
  int64_t Length(const ModelStates& states) const;
  /// Drops the last elements of all states that grow, so that Length is `length`. Throws Error(kState) that names the
  /// state if one is replaced in each run, has too few elements, or has dropped its first ones because of its window;
  /// nothing is changed then.
  void Truncate(const ModelStates& states, int64_t length);
  SessionStates Clone() const;
  /// Bytes of the memory.
  int64_t bytes() const;

 private:
  std::vector<Entry> entries_;
};

/// Writes states to a file, or reads them. `identity` is a text that tells models apart. The file is little-endian:
/// "KUISTATE", the version, the identity, the number of states, and for each state its name, whether it is set (0: not,
/// 1: it is, 2: it is, and its window dropped elements), and if it is set, its element type, shape and elements; at the
/// end a CRC-32 of all that. Throws Error(kFile) that names the path and says what is wrong: the file has
/// another format or version, is cut or altered, or is of another model. `like` are the model's states.
void SaveStates(const SessionStates& states, const ModelStates& like, const std::string& identity,
                const std::string& path);
SessionStates LoadStates(const ModelStates& like, const std::string& identity, const std::string& path);

}  // namespace kuiper_infer
