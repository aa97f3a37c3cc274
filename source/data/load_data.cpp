// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/load_data.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void Fail(const std::string& path, const std::string& text) {
  throw Error(ErrorCode::kFile, path + ": " + text);
}

double ParseCell(const std::string& cell, const std::string& path, std::size_t line, std::size_t column) {
  const auto first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return 0;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str() + first, &end);
  if (end == cell.c_str() + first ||
      cell.find_first_not_of(" \t", static_cast<std::size_t>(end - cell.c_str())) != std::string::npos) {
    Fail(path, "line " + std::to_string(line) + ", column " + std::to_string(column) + ": '" + cell + "' is no number");
  }
  return value;
}

}  // namespace

template <class T>
arma::Mat<T> CSVDataLoader::LoadData(const std::string& path, char delimiter) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) Fail(path, "cannot be opened");
  std::vector<std::vector<double>> rows;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    std::vector<double> row;
    for (std::size_t start = 0; start <= line.size();) {
      const std::size_t end = std::min(line.find(delimiter, start), line.size());
      row.push_back(ParseCell(line.substr(start, end - start), path, number, row.size() + 1));
      start = end + 1;
    }
    if (!rows.empty() && row.size() != rows.front().size()) {
      Fail(path, "line " + std::to_string(number) + " has " + std::to_string(row.size()) + " cells, expected " +
                     std::to_string(rows.front().size()));
    }
    rows.push_back(std::move(row));
  }
  arma::Mat<T> matrix(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) matrix(r, c) = static_cast<T>(rows[r][c]);
  }
  return matrix;
}

template arma::Mat<float> CSVDataLoader::LoadData<float>(const std::string& path, char delimiter);
template arma::Mat<double> CSVDataLoader::LoadData<double>(const std::string& path, char delimiter);
template arma::Mat<int32_t> CSVDataLoader::LoadData<int32_t>(const std::string& path, char delimiter);

}  // namespace kuiper_infer
