// SPDX-License-Identifier: MIT
#pragma once

#include <armadillo>
#include <string>

namespace kuiper_infer {

/// Reads matrices from text files.
class CSVDataLoader {
 public:
  /// Reads numbers separated by `delimiter`, one matrix row per line. An empty cell is 0; lines end in LF or CRLF.
  /// Throws Error(kFile) that names file, line and column for a missing file, a cell that is not a number, or rows of
  /// different lengths. (The original fills short rows with zeros, which hides a damaged file.)
  template <class T>
  static arma::Mat<T> LoadData(const std::string& path, char delimiter = ',');
};

extern template arma::Mat<float> CSVDataLoader::LoadData<float>(const std::string& path, char delimiter);
extern template arma::Mat<double> CSVDataLoader::LoadData<double>(const std::string& path, char delimiter);
extern template arma::Mat<int32_t> CSVDataLoader::LoadData<int32_t>(const std::string& path, char delimiter);

}  // namespace kuiper_infer
