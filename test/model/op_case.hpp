// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kuiper_infer/data/ndarray.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::test {

/// A small module exported by the converter, or a call of one operation (tools/make_op_cases.py): an entry of
/// test/data/op_cases/FAMILY/ARCHIVE.zip.
struct OpCase {
  std::string archive;
  std::string name;
  std::string text() const { return archive + "_" + name; }
};

void PrintTo(const OpCase& op_case, std::ostream* stream);

/// Return the names of the archives that hold more than wrong calls, and the cases in an archive except for wrong
/// calls.
std::vector<std::string> OpArchives();
std::vector<OpCase> OpCases(const std::string& archive);

/// Returns the cases for a suite of one test for each: all, or the only one that --gtest_filter names. ctest starts a
/// process for each test, which would spend most of its time on registering all cases.
std::vector<OpCase> OpCasesToRun();

/// Returns the wrong calls for a suite in the same way. They have a part of their error ("error") instead of outputs.
std::vector<OpCase> WrongCallsToRun();

/// Return whether a case has the part, such as "model.param", and the part's bytes. Throws std::runtime_error if it
/// cannot be read.
bool Has(const OpCase& op_case, const std::string& part);
std::vector<char> Bytes(const OpCase& op_case, const std::string& part);

/// Returns the arrays PREFIX0.npy, PREFIX1.npy, ... of a case.
std::vector<NdArray> Arrays(const OpCase& op_case, const std::string& prefix);

/// Expects that a run gave the case's outputs: integers and types exactly, other numbers within the case's tolerance.
void ExpectOutputs(const OpCase& op_case, const std::vector<NdArray>& results);

/// Writes the case's model.param and model.bin into a folder of this process's own, which the caller removes.
std::string WriteModel(const OpCase& op_case);

/// Whether an error says that this build has no LAPACK (KUIPER_STAND_INS), which the case needs.
bool IsLackOfLapack(const Error& error);

/// Calls `check`, which checks a case, and skips the test if this build has no LAPACK.
template <class Check>
void CheckUnlessLapackIsMissing(const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    if (!IsLackOfLapack(error)) throw;
    GTEST_SKIP() << error.what();
  }
}

/// Calls `visit` for all cases of an archive, or of all archives, and goes on behind a case that needs LAPACK if this
/// build has none.
template <class Visit>
void ForEachOpCase(const std::string& archive, const Visit& visit) {
  for (const OpCase& op_case : OpCases(archive)) {
    try {
      visit(op_case);
    } catch (const Error& error) {
      if (!IsLackOfLapack(error)) throw;
    }
  }
}
template <class Visit>
void ForEachOpCase(const Visit& visit) {
  for (const std::string& archive : OpArchives()) ForEachOpCase(archive, visit);
}

/// Returns the array in `inputs` for a model's input of that name. The case's inputs are numbered like the model's.
const NdArray& InputFor(const std::string& name, const std::vector<NdArray>& inputs);

}  // namespace kuiper_infer::test
