// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/load_data.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "kuiper_infer/utils/error.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

class CsvTest : public testing::Test {
 protected:
  std::string Write(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  void TearDown() override { std::remove(path_.c_str()); }

  std::string path_ =
      testing::TempDir() + "kuiper_load_data_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(CsvTest, ReadsNumbersBlanksEmptyCellsAndBothLineEnds) {
  const arma::fmat matrix = CSVDataLoader::LoadData<float>(Write("1,2, 3\r\n-4.5,,1e2\n\n"));
  ASSERT_EQ(matrix.n_rows, 2U);
  ASSERT_EQ(matrix.n_cols, 3U);
  EXPECT_EQ(matrix(0, 2), 3);
  EXPECT_EQ(matrix(1, 0), -4.5F);
  EXPECT_EQ(matrix(1, 1), 0);
  EXPECT_EQ(matrix(1, 2), 100);
}

TEST_F(CsvTest, SignsAndBlanksAroundNumbers) {
  const arma::mat matrix = CSVDataLoader::LoadData<double>(Write("+1.5,\t-2 ,  .25"));
  EXPECT_EQ(matrix(0, 0), 1.5);
  EXPECT_EQ(matrix(0, 1), -2);
  EXPECT_EQ(matrix(0, 2), 0.25);
}

TEST_F(CsvTest, NumbersThatDoNotFitAreErrors) {
  EXPECT_EQ(CSVDataLoader::LoadData<int32_t>(Write("2147483647,-2147483648,3.0"))(0, 1), INT32_MIN);
  for (const char* cell : {"2147483648", "1.5", "nan", "1e999"}) {
    EXPECT_THROW(CSVDataLoader::LoadData<int32_t>(Write(cell)), Error) << cell;
  }
}

TEST_F(CsvTest, OtherDelimiterAndEmptyFile) {
  EXPECT_EQ(CSVDataLoader::LoadData<double>(Write("1;2"), ';')(0, 1), 2);
  EXPECT_TRUE(CSVDataLoader::LoadData<int32_t>(Write("")).is_empty());
}

TEST_F(CsvTest, FaultsNameLineAndColumn) {
  const auto text = [this](const std::string& content) {
    try {
      CSVDataLoader::LoadData<float>(Write(content));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(text("1,2\n3,x\n").find("line 2, column 2: 'x'"), std::string::npos);
  EXPECT_NE(text("1,2 3\n").find("line 1, column 2: '2 3'"), std::string::npos);
  EXPECT_NE(text("+-1\n").find("is not a number"), std::string::npos);
  EXPECT_NE(text("1e999\n").find("does not fit"), std::string::npos);
  EXPECT_NE(text("1,2\n3\n").find("line 2 has 1 cells, expected 2"), std::string::npos);
  EXPECT_THROW(CSVDataLoader::LoadData<float>("/nonexistent.csv"), Error);
  EXPECT_THROW(CSVDataLoader::LoadData<float>("/tmp"), Error);
  EXPECT_THROW(CSVDataLoader::LoadData<float>("/dev/zero"), Error);
}

TEST_F(CsvTest, FilesMayHaveAnySizeButNotTheirLines) {
  std::string rows;
  while (rows.size() < 300000) rows += "1,2.5,-3\n";  // several blocks, whose ends lie within lines
  const arma::fmat matrix = CSVDataLoader::LoadData<float>(Write(rows));
  EXPECT_EQ(matrix.n_rows, rows.size() / 9);
  for (arma::uword row = 0; row < matrix.n_rows; ++row) {
    ASSERT_EQ(matrix(row, 0), 1);
    ASSERT_EQ(matrix(row, 1), 2.5);
    ASSERT_EQ(matrix(row, 2), -3);
  }
  std::filesystem::resize_file(Write("1,2\n"), uintmax_t{1} << 40);  // no block of the disk behind the first line
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [this] { CSVDataLoader::LoadData<float>(path_); }),
              testing::HasSubstr(path_ + ":2: the line is longer than 16777216 bytes"));
}

}  // namespace
}  // namespace kuiper_infer
