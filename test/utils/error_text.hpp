// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

/// The text of the Error with that code that a call throws; fails the test where it throws none.
template <class Call>
std::string ErrorText(ErrorCode code, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace kuiper_infer
