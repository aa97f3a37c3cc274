// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/load_data.hpp"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <vector>

#include "data/text_lines.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

[[noreturn]] void Fail(const std::string& path, const std::string& text) {
  throw Error(ErrorCode::kFile, path + ": " + text);
}

bool Fits(double value, const std::errc& fault, float /*type*/) {
  return fault != std::errc::result_out_of_range && (std::abs(value) <= FLT_MAX || !std::isfinite(value));
}
bool Fits(double /*value*/, const std::errc& fault, double /*type*/) { return fault != std::errc::result_out_of_range; }
bool Fits(double value, const std::errc& fault, int32_t /*type*/) {
  return fault == std::errc() && value >= INT32_MIN && value <= INT32_MAX && value == std::trunc(value);
}

/// Reads a cell's number, whatever the locale; an empty cell is 0.
template <class T>
T ParseCell(const std::string& cell, const std::string& path, int64_t line, std::size_t column) {
  const auto fail = [&](const std::string& why) {
    Fail(path, "line " + std::to_string(line) + ", column " + std::to_string(column) + ": '" + cell + "' " + why);
  };
  const auto first = cell.find_first_not_of(" \t");
  if (first == std::string::npos) return T(0);
  const char* begin = cell.data() + first;
  const char* const stop = cell.data() + cell.find_last_not_of(" \t") + 1;
  // std::from_chars takes no plus sign.
  if (*begin == '+' && begin + 1 < stop && begin[1] != '-') ++begin;
  double value = 0;
  const auto [end, fault] = std::from_chars(begin, stop, value);
  if (fault == std::errc::invalid_argument || end != stop) fail("is not a number");
  if (!Fits(value, fault, T())) fail("does not fit the element type");
  return static_cast<T>(value);
}

}  // namespace

template <class T>
arma::Mat<T> CSVDataLoader::LoadData(const std::string& path, char delimiter) {
  TextLines lines(ByteSource::OpenFile(path));
  std::vector<std::vector<T>> rows;
  for (std::string line; lines.Next(line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    std::vector<T> row;
    for (std::size_t start = 0; start <= line.size();) {
      const std::size_t end = std::min(line.find(delimiter, start), line.size());
      row.push_back(ParseCell<T>(line.substr(start, end - start), path, lines.number(), row.size() + 1));
      start = end + 1;
    }
    if (!rows.empty() && row.size() != rows.front().size()) {
      Fail(path, "line " + std::to_string(lines.number()) + " has " + std::to_string(row.size()) + " cells, expected " +
                     std::to_string(rows.front().size()));
    }
    rows.push_back(std::move(row));
  }
  arma::Mat<T> matrix(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) matrix(r, c) = rows[r][c];
  }
  return matrix;
}

template arma::Mat<float> CSVDataLoader::LoadData<float>(const std::string& path, char delimiter);
template arma::Mat<double> CSVDataLoader::LoadData<double>(const std::string& path, char delimiter);
template arma::Mat<int32_t> CSVDataLoader::LoadData<int32_t>(const std::string& path, char delimiter);

}  // namespace kuiper_infer
