// SPDX-License-Identifier: MIT
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/checksum.hpp"
#include "data/deflate.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::test {
namespace {

/// The end record of a zip file, which is all of a file without entries.
const std::string kEmptyZip = "PK\x05\x06" + std::string(18, '\0');

/// Builds a model of one operator on a 3x3 matrix.
void Build(const std::string& type) {
  const std::string param =
      "7767517\n3 2\npnnx.Input in 0 1 0 #0=(3,3)f32\n" + type + " call 1 1 0 1\npnnx.Output out 1 0 1\n";
  RuntimeGraph::FromMemory(param, kEmptyZip, {}).Build();
}

TEST(Minimal, AnOperatorThatNeedsLapackSaysSoWhenItsModelIsBuilt) {
  for (const char* const type : {"torch.linalg.eigvalsh", "torch.linalg.svdvals", "torch.linalg.pinv"}) {
    try {
      Build(type);
      ADD_FAILURE() << type << " was built";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      EXPECT_THAT(error.what(), testing::HasSubstr("operator 'call' (" + std::string(type) + ")"));
      EXPECT_THAT(error.what(), testing::HasSubstr("this build of KuiperInfer has no LAPACK (OpenBLAS)"));
    }
  }
}

TEST(Minimal, OperatorsOfTriangularFactorsNeedNoLapack) {
  for (const char* const type : {"torch.linalg.inv", "torch.linalg.det", "torch.linalg.cholesky"}) {
    EXPECT_NO_THROW(Build(type)) << type;
  }
}

TEST(Minimal, ChecksumsAreThoseOfZipFiles) {
  const std::string digits = "123456789";
  EXPECT_EQ(Crc32(digits.data(), digits.size()), 0xCBF43926U);
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 7 + i / 13);
  for (const std::size_t cut : {0, 1, 7, 8, 9, 500, 999}) {
    const uint32_t joined =
        JoinedCrc32(Crc32(bytes.data(), cut), Crc32(bytes.data() + cut, bytes.size() - cut), bytes.size() - cut);
    EXPECT_EQ(joined, Crc32(bytes.data(), bytes.size())) << cut;
  }
}

TEST(Minimal, PackedEntriesAreRefused) {
  char target = 0;
  EXPECT_THROW(Inflate("x", 1, &target, 1), Error);
}

}  // namespace
}  // namespace kuiper_infer::test
